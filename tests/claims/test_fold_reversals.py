"""What a reversal takes back where several decisions could be meant, and what a part of it leaves open."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations

from claims.fold.claim import Outcome, fold
from claims.fold.entries import entries_for
from claims.fold.readings import ReviewTask
from claims.fold.versions import ClaimVersion
from claims.signals import Adjustment, ClaimStatus, Signal, WorkflowState
from tests.claims.fold_cast import denial, line, money, on, remittance, reversal


def whatever_the_order(*signals: Signal, billed: int = 180) -> Outcome:
    """Where the claim stands, the same in every order."""
    outcomes = [fold(WorkflowState.SENT, each, billed=billed) for each in permutations(signals)]
    assert all(each == outcomes[0] for each in outcomes)
    return outcomes[0]


BOTH = remittance("1", "140", lines=(line(1, "155", "120", money("CO", "45", "35")), line(2, "25", "20")))
"""Of 180 dollars, 155 of them for the first line."""


def taken(number: int, charge: str, paid: str, *adjustments: Adjustment, batch: str = "EFT2") -> Signal:
    """The reversal of one line alone."""
    back = replace(line(number, charge, paid, *adjustments), charge=-Decimal(charge))
    return replace(reversal(paid, batch=batch, lines=(back,)), charge=-Decimal(charge))


def kinds(outcome: Outcome) -> list[str]:
    return [task.kind.value for task in outcome.tasks]


def test_a_line_that_is_reversed_alone_leaves_the_claim_paid_in_part_and_waits_for_its_decision() -> None:
    outcome = whatever_the_order(BOTH, back := taken(2, "25", "-20"))
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.PARTIALLY_PAID, 120)
    assert outcome.tasks == (ReviewTask("reversed_without_correction", back.natural_key, on(50)),)


def test_its_line_of_the_timeline_says_that_a_decision_on_it_is_due() -> None:
    version = ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=(BOTH,), billed=Decimal(180))
    _, entries = entries_for([version], [taken(2, "25", "-20")], number=1, payer="Aetna")
    assert [entry.summary for entry in entries] == [
        "Aetna took back its payment of $20.00 for a part of the claim. A new decision on that should "
        "follow, and billing staff watch for it."
    ]


def test_so_does_a_denied_line_that_is_reversed_alone() -> None:
    denied = (BOTH.lines[0], line(2, "25", "0", money("CO", "197", "25")))
    outcome = whatever_the_order(replace(BOTH, paid=Decimal(120), lines=denied), taken(2, "25", "0"))
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.PARTIALLY_PAID, 120)
    assert kinds(outcome) == ["reversed_without_correction"]


def test_a_line_that_is_reversed_once_more_waits_once() -> None:
    anew = remittance("1", "15", 25, batch="EFT3", charge="25", lines=(line(2, "25", "15"),))
    again = replace(taken(2, "25", "-15", batch="EFT4"), effective_date=on(30))
    outcome = whatever_the_order(BOTH, taken(2, "25", "-20"), anew, again)
    assert outcome.tasks == (ReviewTask("reversed_without_correction", again.natural_key, on(60)),)


def test_its_correction_ends_the_wait() -> None:
    anew = remittance("1", "15", 25, batch="EFT3", charge="25", lines=(line(2, "25", "15"),))
    outcome = whatever_the_order(BOTH, taken(2, "25", "-20"), anew)
    assert (outcome.claim_status, outcome.paid, outcome.tasks) == (ClaimStatus.PAID, 135, ())


def test_a_denial_of_it_from_before_its_payment_does_not_come_back() -> None:
    denied = (line(2, "25", "0", money("CO", "197", "25")),)
    first = remittance("1", "120", 10, lines=(BOTH.lines[0], *denied))
    anew = remittance("1", "20", 15, batch="EFT2", charge="25", lines=(line(2, "25", "20"),))
    outcome = whatever_the_order(first, anew, taken(2, "25", "-20", batch="EFT3"))
    assert kinds(outcome) == ["reversed_without_correction"]


def test_the_end_of_a_lines_denial_leaves_the_payment_of_another_line() -> None:
    first = replace(
        BOTH, paid=Decimal(120), lines=(BOTH.lines[0], line(2, "25", "0", money("CO", "29", "25")))
    )
    again = remittance(
        "1", "0", 15, batch="EFT2", charge="25", lines=(line(2, "25", "0", money("CO", "197", "25")),)
    )
    ended = taken(2, "25", "0", money("CO", "197", "-25"), batch="EFT3")
    outcome = whatever_the_order(first, again, ended)
    assert (outcome.claim_status, outcome.paid, outcome.decided) == (ClaimStatus.PARTIALLY_PAID, 120, 120)


def test_of_two_decisions_without_money_the_one_with_its_reasons_is_taken_back() -> None:
    to_patient = remittance("1", "0", 15, batch="EFT2", adjustments=(money("PR", "1", "180"),))
    taken = reversal("0", 20, batch="EFT3", adjustments=(money("PR", "1", "-180"),))
    outcome = whatever_the_order(denial(), to_patient, taken)
    assert (outcome.claim_status, outcome.patient_owes) == (ClaimStatus.REVERSED, None)


def test_a_claim_told_again_as_paid_before_in_all_stays_paid() -> None:
    paid = remittance("1", "120", 10, adjustments=(money("CO", "45", "35"), money("PR", "3", "25")))
    again = (money("OA", "B13", "120"), money("CO", "45", "35"), money("PR", "3", "25"))
    outcome = whatever_the_order(paid, remittance("1", "0", 15, batch="EFT2", adjustments=again))
    assert (outcome.claim_status, outcome.paid, outcome.patient_owes) == (ClaimStatus.PAID, 120, 25)
    assert outcome.tasks == ()
