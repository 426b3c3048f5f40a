"""Where a claim's charge has gone after all remittances so far."""

from decimal import Decimal

from claims.ledger_position import net_position
from tests.claims.fold_cast import denial, line, money, recoupment, remittance, reversal

PAID_IN_FULL = line(1, "180", "120", money("CO", "45", "40"), money("PR", "3", "20"))
DENIED = line(1, "180", "0", money("CO", "197", "180"))


def test_before_any_remittance_all_is_open() -> None:
    assert net_position([], charge=Decimal(180)).open == 180


def test_a_paid_claim_has_nothing_open() -> None:
    position = net_position([remittance(lines=(PAID_IN_FULL,))], charge=Decimal(180))
    assert (position.paid, position.contractual, position.patient_owes, position.open) == (120, 40, 20, 0)


def test_a_denied_claim_is_open() -> None:
    position = net_position([remittance(paid="0", lines=(DENIED,))], charge=Decimal(180))
    assert (position.denied, position.open) == (180, 180)


def test_a_denial_that_was_paid_later_is_not_counted_twice() -> None:
    first = remittance(paid="0", lines=(DENIED,))
    second = remittance(day=20, batch="EFT2", lines=(PAID_IN_FULL,))
    position = net_position([first, second], charge=Decimal(180))
    assert (position.paid, position.denied, position.open) == (120, 0, 0)


def test_reversed_and_paid_again_is_paid_once() -> None:
    again = remittance("1", "90", 20, batch="EFT2", pccn="AET2", adjustments=(money("CO", "45", "90"),))
    position = net_position([remittance(), reversal(), again], charge=Decimal(180))
    assert (position.paid, position.contractual, position.open) == (90, 90, 0)


def test_reversed_alone_is_open_again() -> None:
    position = net_position([remittance(lines=(PAID_IN_FULL,)), reversal()], charge=Decimal(180))
    assert (position.paid, position.open) == (0, 180)


def test_money_kept_from_another_payment_is_not_kept_by_the_practice() -> None:
    position = net_position([remittance(), recoupment("-120")], charge=Decimal(180))
    assert (position.paid, position.kept) == (120, 0)


def test_repeated_remittances_count_once() -> None:
    once = net_position([denial(), remittance(day=20, batch="EFT2")], charge=Decimal(180))
    twice = net_position([denial(), *[remittance(day=20, batch="EFT2")] * 2], charge=Decimal(180))
    assert once == twice
