"""Rules 31 to 33, and money on any version: what a session shows whose claim was sent more than once."""

from decimal import Decimal

import pytest

from claims.fold.readings import ReviewKind
from claims.fold.versions import ClaimVersion, SessionOutcome, fold_session
from claims.signals import Signal, WorkflowState
from tests.claims.fold_cast import (
    acknowledgement,
    claim_answer,
    denial,
    money,
    recoupment,
    remittance,
    reversal,
)

SENT = WorkflowState.SENT
REJECTED = claim_answer("PR", "A7")
ACCEPTED = claim_answer("PR", "A2")


def version(number: int, *signals: Signal, state: WorkflowState = SENT, **more: object) -> ClaimVersion:
    return ClaimVersion(number=number, workflow_state=state, signals=signals, **more)


def known(*signals: Signal) -> frozenset[str]:
    return frozenset(each.natural_key for each in signals)


def status(outcome: SessionOutcome) -> tuple[str, str]:
    return str(outcome.session_status), str(outcome.claim_status)


def reviews(outcome: SessionOutcome) -> list[ReviewKind]:
    return [task.kind for task in outcome.tasks]


def test_a_session_without_a_claim_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to fold"):
        fold_session([])


def test_one_version_speaks_for_itself() -> None:
    assert status(fold_session([version(1, ACCEPTED)])) == ("accepted", "payer_accepted")


def test_the_order_of_versions_does_not_matter() -> None:
    versions = [version(1, REJECTED), version(2, ACCEPTED)]
    assert fold_session(versions) == fold_session(versions[::-1])


@pytest.mark.parametrize("state", ["queued", "held", "dispatching", "dispatch_unknown"])
def test_a_new_version_in_the_house_leaves_the_session_where_it_was(state: str) -> None:
    outcome = fold_session([version(1, REJECTED), version(2, state=WorkflowState(state))])
    assert status(outcome) == ("rejected", state)


@pytest.mark.parametrize("settled", [denial(), remittance()])
def test_rule_31_a_replacement_on_its_way_is_submitted(settled: Signal) -> None:
    outcome = fold_session([version(1, settled), version(2, frequency="7", known_before=known(settled))])
    assert status(outcome) == ("submitted", "sent")
    assert reviews(outcome) == []


def test_rule_32_a_resubmission_on_its_way_is_submitted() -> None:
    assert status(fold_session([version(1, REJECTED), version(2)])) == ("submitted", "sent")


def test_a_payment_taken_back_for_its_replacement_asks_nobody_for_a_correction() -> None:
    paid = remittance()
    replaced = version(2, remittance(pcn="K7QX2M9ZB4TD2"), frequency="7", known_before=known(paid))
    outcome = fold_session([version(1, paid, reversal()), replaced])
    assert (str(outcome.session_status), outcome.paid, outcome.tasks) == ("paid", Decimal(120), ())


@pytest.mark.parametrize("late", [claim_answer("PR", "A7", 9), acknowledgement("R"), denial()])
def test_a_late_signal_of_an_old_version_changes_nothing(late: Signal) -> None:
    outcome = fold_session([version(1, REJECTED, late), version(2, ACCEPTED)])
    assert status(outcome) == ("accepted", "payer_accepted")


@pytest.mark.parametrize("answer", [(), (ACCEPTED,), (REJECTED,), (denial("18"),)])
def test_a_late_payment_of_an_old_version_counts(answer: tuple[Signal, ...]) -> None:
    outcome = fold_session([version(1, REJECTED, remittance()), version(2, *answer)])
    assert outcome.session_status == "paid"
    assert outcome.claim_status == fold_session([version(2, *answer)]).claim_status
    assert outcome.paid == Decimal(120)
    assert ReviewKind.PAYMENT_ON_EARLIER_VERSION in reviews(outcome)


@pytest.mark.parametrize("refusal", [REJECTED, denial("18")])
def test_a_known_payment_still_counts_once_its_replacement_is_refused(refusal: Signal) -> None:
    paid = remittance(batch="EFT0")
    outcome = fold_session([version(1, paid), version(2, refusal, frequency="7", known_before=known(paid))])
    assert outcome.session_status == "paid"


def test_a_late_payment_taken_back_does_not_lead_back_to_submitted() -> None:
    outcome = fold_session([version(1, REJECTED, remittance(), reversal()), version(2)])
    assert (str(outcome.session_status), outcome.paid) == ("accepted", Decimal(0))


def test_payments_on_all_versions_add_up() -> None:
    outcome = fold_session([version(1, remittance()), version(2, remittance(paid="30", pcn="K7QX2M9ZB4TD2"))])
    assert (str(outcome.session_status), outcome.paid) == ("paid", Decimal(150))


@pytest.mark.parametrize("state", ["queued", "sent"])
def test_rule_33_a_void_on_its_way_changes_nothing(state: str) -> None:
    paid = remittance()
    void = version(2, state=WorkflowState(state), frequency="8", known_before=known(paid))
    assert status(fold_session([version(1, paid), void])) == ("paid", state)


def test_rule_33_a_void_that_the_payer_took_is_done() -> None:
    outcome = fold_session([version(1, denial()), version(2, ACCEPTED, frequency="8")])
    assert status(outcome) == ("rejected", "voided")
    assert outcome.tasks == ()


def test_rule_33_a_void_is_done_when_the_payment_was_taken_back() -> None:
    paid = remittance()
    void = version(2, frequency="8", known_before=known(paid))
    assert status(fold_session([version(1, paid, reversal()), void])) == ("rejected", "voided")


def test_rule_33_a_reversal_from_before_the_void_does_not_complete_it() -> None:
    before = remittance(), reversal(), remittance("1", "90", 25, batch="EFT3", pccn="AET3")
    void = version(2, frequency="8", known_before=known(*before))
    assert status(fold_session([version(1, *before), void])) == ("paid", "sent")


def test_rule_33_money_left_on_a_voided_claim_is_shown_to_staff() -> None:
    outcome = fold_session([version(1, remittance()), version(2, ACCEPTED, frequency="8")])
    assert reviews(outcome) == [ReviewKind.PAYMENT_ON_VOIDED_CLAIM]


def test_a_refused_void_leaves_the_session_and_is_shown_to_staff() -> None:
    outcome = fold_session([version(1, denial()), version(2, REJECTED, frequency="8")])
    assert status(outcome) == ("denied", "payer_rejected")
    assert reviews(outcome) == [
        ReviewKind.CLAIM_DENIED,
        ReviewKind.CLAIM_REJECTED,
        ReviewKind.VOID_REFUSED,
    ]


def test_a_voided_session_can_be_sent_again() -> None:
    versions = [version(1, denial()), version(2, ACCEPTED, frequency="8"), version(3)]
    assert status(fold_session(versions)) == ("submitted", "sent")


@pytest.mark.parametrize("frequency", ["1", "7"])
def test_two_versions_that_are_both_paid_are_shown_to_staff(frequency: str) -> None:
    outcome = fold_session([version(1, remittance()), version(2, remittance(), frequency=frequency)])
    assert reviews(outcome) == [ReviewKind.PAYMENT_ON_EARLIER_VERSION]


def test_a_replacement_whose_original_was_taken_back_asks_nobody() -> None:
    earlier = version(1, remittance(), reversal())
    outcome = fold_session([earlier, version(2, remittance(), frequency="7")])
    assert reviews(outcome) == []


DEDUCTIBLE = remittance(paid="0", adjustments=(money("PR", "1", "180"),), pccn="MAG1", batch="EFT7")


@pytest.mark.parametrize("frequency", ["1", "7"])
@pytest.mark.parametrize("judged", [DEDUCTIBLE, denial()], ids=["deductible", "denial"])
def test_a_payment_that_stands_beside_a_judgement_without_one_is_shown_to_staff(
    judged: Signal, frequency: str
) -> None:
    paid = remittance(batch="EFT0")
    outcome = fold_session(
        [version(1, paid), version(2, judged, frequency=frequency, known_before=known(paid))]
    )
    assert outcome.session_status == "paid"
    assert ReviewKind.PAYMENT_ON_EARLIER_VERSION in reviews(outcome)


@pytest.mark.parametrize(
    ("first", "second"),
    [([reversal()], []), ([recoupment()], []), ([], [recoupment()])],
    ids=["reversed", "recouped", "recouped under the other number"],
)
def test_a_payment_that_went_back_asks_nobody_which_version_counts(
    first: list[Signal], second: list[Signal]
) -> None:
    paid = remittance(batch="EFT0")
    outcome = fold_session([version(1, paid, *first), version(2, DEDUCTIBLE, *second)])
    assert ReviewKind.PAYMENT_ON_EARLIER_VERSION not in reviews(outcome)


def voided_at_the_first_payer(
    first: tuple[Signal, ...], second: tuple[Signal, ...], *void: Signal
) -> SessionOutcome:
    """A session judged by one payer and then sent to another, with a void of the first version."""
    before = known(*first[:1], *second[:1])
    return fold_session(
        [
            version(1, *first),
            version(2, *second),
            version(3, *void, frequency="8", replaces=1, known_before=before),
        ]
    )


@pytest.mark.parametrize(
    ("second", "expected"),
    [(DEDUCTIBLE, "paid"), (denial(batch="EFT7"), "denied"), (REJECTED, "rejected")],
    ids=["deductible", "denial", "rejection"],
)
def test_a_void_leaves_what_another_payer_said_of_its_own_version(second: Signal, expected: str) -> None:
    outcome = voided_at_the_first_payer((remittance(), reversal()), (second,), ACCEPTED)
    assert status(outcome) == (expected, "voided")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [((reversal(),), (), "voided"), ((), (reversal(),), "sent")],
    ids=["of what it names", "of another version"],
)
def test_a_void_ends_by_the_reversal_of_what_it_names_alone(
    first: tuple[Signal, ...], second: tuple[Signal, ...], expected: str
) -> None:
    outcome = voided_at_the_first_payer((denial(batch="EFT0"), *first), (remittance(), *second))
    assert outcome.claim_status == expected


@pytest.mark.parametrize(
    ("fourth", "expected"),
    [
        ((), "submitted"),
        ((denial(batch="EFT8"),), "denied"),
        ((REJECTED,), "rejected"),
        ((DEDUCTIBLE,), "paid"),
    ],
    ids=["sent", "denial", "rejection", "deductible"],
)
def test_a_payment_that_a_void_took_back_speaks_for_no_later_version(
    fourth: tuple[Signal, ...], expected: str
) -> None:
    paid, denied = remittance(batch="EFT0"), denial(batch="EFT7")
    before = known(paid, denied)
    outcome = fold_session(
        [
            version(1, paid),
            version(2, denied, known_before=known(paid)),
            version(3, ACCEPTED, frequency="8", replaces=1, known_before=before),
            version(4, *fourth, frequency="7", replaces=2, known_before=before | known(ACCEPTED)),
        ]
    )
    assert outcome.session_status == expected
    asked = [kind for kind in reviews(outcome) if kind.value.startswith("payment_on_")]
    assert asked == [ReviewKind.PAYMENT_ON_VOIDED_CLAIM]


def both_payers_voided(*second: Signal, payers: tuple[str, str] = ("60054", "01260")) -> SessionOutcome:
    """A session that two payers paid; the first took its void and still has to take its payment back."""
    first_payer, second_payer = payers
    paid, paid_too = remittance(batch="EFT0"), remittance(batch="EFT7", pccn="MAG1")
    before = known(paid, paid_too)
    return fold_session(
        [
            version(1, paid, payer=first_payer),
            version(2, paid_too, *second, payer=second_payer, known_before=known(paid)),
            version(3, ACCEPTED, frequency="8", replaces=1, payer=first_payer, known_before=before),
            version(
                4,
                ACCEPTED,
                frequency="8",
                replaces=2,
                payer=second_payer,
                known_before=before | known(ACCEPTED),
            ),
        ]
    )


def test_each_of_two_payers_that_owe_a_payment_back_is_a_task() -> None:
    tasks = [task for task in both_payers_voided().tasks if task.owed]
    assert [str(task.owed) for task in tasks] == ["120", "120"]
    assert len({task.natural_key for task in tasks}) == 2


def test_one_payer_that_has_taken_two_voids_and_neither_payment_is_a_task_for_each() -> None:
    tasks = [task for task in both_payers_voided(payers=("60054", "60054")).tasks if task.owed]
    assert [str(task.owed) for task in tasks] == ["120", "120"]
    assert len({task.natural_key for task in tasks}) == 2


def test_what_one_payer_recovers_counts_for_either_of_its_voids() -> None:
    both = both_payers_voided(recoupment(), payers=("60054", "60054"))
    back = -recoupment().adjustments[0].amount
    assert sum(task.owed for task in both.tasks if task.owed) == 240 - abs(back)


def test_of_two_payers_the_one_that_took_its_payment_back_owes_nothing() -> None:
    back = reversal(batch="EFT8", pccn="MAG1")
    assert [str(task.owed) for task in both_payers_voided(back).tasks if task.owed] == ["120"]


def test_money_on_a_voided_claim_that_no_decision_explains_is_a_task_too() -> None:
    forwarded = remittance("23", "50", batch="EFT9")
    outcome = fold_session([version(1, forwarded), version(2, ACCEPTED, frequency="8")])
    assert [(task.natural_key, str(task.owed)) for task in outcome.tasks if task.owed] == [
        (forwarded.natural_key, "50")
    ]


def test_a_denial_that_a_void_left_is_looked_after_again() -> None:
    assert both_payers_voided().looked_after == -1
    left = voided_at_the_first_payer((remittance(), reversal()), (denial(batch="EFT7"),), ACCEPTED)
    assert left.looked_after == 1


def test_a_claim_that_is_voided_at_one_payer_and_then_at_the_other_is_paid_by_none() -> None:
    assert status(both_payers_voided()) == ("rejected", "voided")


def test_what_the_first_payer_has_to_take_back_is_asked_about_after_the_second_void_too() -> None:
    back = reversal(batch="EFT8", pccn="MAG1")
    assert ReviewKind.PAYMENT_ON_VOIDED_CLAIM in reviews(both_payers_voided(back))


@pytest.mark.parametrize(
    ("second", "expected"), [((), "submitted"), ((ACCEPTED,), "accepted")], ids=["on its way", "taken"]
)
def test_a_void_leaves_what_is_still_to_be_decided_as_it_is(
    second: tuple[Signal, ...], expected: str
) -> None:
    outcome = voided_at_the_first_payer((remittance(), reversal()), second, ACCEPTED)
    assert status(outcome) == (expected, "voided")


@pytest.mark.parametrize(
    ("first", "expected"),
    [(claim_answer("PR", "A2"), "accepted"), (claim_answer("PR", "A4"), "rejected")],
    ids=["with its payer", "lost"],
)
def test_an_earlier_version_is_left_by_a_void_where_its_payer_has_it(first: Signal, expected: str) -> None:
    outcome = fold_session(
        [version(1, first), version(2, ACCEPTED), version(3, ACCEPTED, frequency="8", replaces=2)]
    )
    assert status(outcome) == (expected, "voided")


def test_a_payment_taken_back_before_a_file_that_was_refused_waits_for_its_correction() -> None:
    paid = remittance()
    outcome = fold_session(
        [
            version(1, paid, reversal()),
            version(2, acknowledgement("R"), frequency="7", known_before=known(paid)),
        ]
    )
    assert status(outcome) == ("accepted", "transport_rejected")
    assert ReviewKind.REVERSED_WITHOUT_CORRECTION in reviews(outcome)


def test_what_the_clearinghouse_says_of_a_file_that_was_refused_leads_back_to_nothing() -> None:
    denied = denial()
    taken = claim_answer("AY", "A2")
    replaced = version(2, acknowledgement("R"), taken, frequency="7", known_before=known(denied))
    assert status(fold_session([version(1, denied), replaced])) == ("denied", "clearinghouse_accepted")


def test_a_rejected_claim_whose_next_file_was_refused_is_submitted() -> None:
    assert status(fold_session([version(1, REJECTED), version(2, acknowledgement("R"))])) == (
        "submitted",
        "transport_rejected",
    )


def beside(*first: Signal) -> list[ReviewKind]:
    """What is asked where the second version is with its payer, and this was said of the first."""
    return reviews(fold_session([version(1, *first), version(2, ACCEPTED)]))


def test_an_earlier_version_that_is_taken_after_all_is_shown_to_staff() -> None:
    found = claim_answer("PR", "A2", 9)
    assert ReviewKind.EARLIER_VERSION_TAKEN in beside(claim_answer("PR", "A4"), found)


def test_an_earlier_version_that_is_lost_asks_nobody_to_void_it() -> None:
    assert ReviewKind.EARLIER_VERSION_TAKEN not in beside(ACCEPTED, claim_answer("PR", "A4", 9))
