"""The status table, rule by rule, on one claim version."""

from dataclasses import replace
from decimal import Decimal

import pytest

from claims.fold.claim import Outcome, fold
from claims.fold.readings import ReviewKind
from claims.signals import Adjustment, ClaimStatus, SessionStatus, Signal, StatusCode, WorkflowState
from tests.claims.fold_cast import (
    acknowledgement,
    claim_answer,
    denial,
    inquiry,
    line,
    money,
    on,
    recoupment,
    remittance,
    reversal,
    ta1,
)

UNKNOWN = WorkflowState.DISPATCH_UNKNOWN
COPAY = (money("CO", "45", "40"), money("PR", "3", "20"))
DEDUCTIBLE = (money("CO", "45", "60"), money("PR", "1", "120"))


def folded(*signals: Signal, state: WorkflowState = WorkflowState.SENT, **more: object) -> Outcome:
    return fold(state, signals, **more)


def status(*signals: Signal, **more: object) -> tuple[str, str]:
    outcome = folded(*signals, **more)
    return str(outcome.session_status), str(outcome.claim_status)


def reviews(*signals: Signal, **more: object) -> set[ReviewKind]:
    return {task.kind for task in folded(*signals, **more).tasks}


@pytest.mark.parametrize("state", ["queued", "held", "dispatching", "dispatch_unknown"])
def test_a_claim_in_the_house_is_processing(state: str) -> None:
    assert status(state=WorkflowState(state)) == ("processing", state)


def test_a_claim_handed_over_is_submitted() -> None:
    assert status() == ("submitted", "sent")


@pytest.mark.parametrize(
    ("signal", "expected"),
    [
        (ta1("A"), ("submitted", "sent")),
        (acknowledgement("A"), ("submitted", "sent")),
        (acknowledgement("R"), ("submitted", "transport_rejected")),
        (claim_answer("AY", "A1"), ("submitted", "clearinghouse_accepted")),
        (claim_answer("PR", "A2"), ("accepted", "payer_accepted")),
        (claim_answer("PR", "A7"), ("rejected", "payer_rejected")),
        (remittance(), ("paid", "paid")),
        (recoupment(), ("submitted", "sent")),
        (inquiry("R3"), ("submitted", "sent")),
    ],
)
@pytest.mark.parametrize("state", [UNKNOWN, WorkflowState.DISPATCHING])
def test_rule_7_any_answer_proves_delivery(
    signal: Signal, expected: tuple[str, str], state: WorkflowState
) -> None:
    assert status(signal, state=state) == expected


@pytest.mark.parametrize("signal", [claim_answer("PR", "A4"), inquiry("D0"), inquiry("E1")])
def test_rule_7_not_found_proves_nothing(signal: Signal) -> None:
    assert status(signal, state=UNKNOWN) == ("processing", "dispatch_unknown")


def test_an_answer_to_a_claim_never_recorded_as_sent_is_believed_and_shown_to_staff() -> None:
    outcome = folded(claim_answer("PR", "A2"), state=WorkflowState.QUEUED)
    assert outcome.session_status is SessionStatus.ACCEPTED
    assert ReviewKind.ANSWER_BEFORE_DISPATCH in {task.kind for task in outcome.tasks}


def test_a_claim_that_waits_for_a_new_envelope_was_handed_over_before() -> None:
    outcome = folded(acknowledgement("R"), state=WorkflowState.QUEUED)
    assert (str(outcome.session_status), str(outcome.claim_status)) == ("submitted", "transport_rejected")
    assert {task.kind for task in outcome.tasks} == {ReviewKind.TRANSPORT_REJECTED}


def test_rule_4_the_echo_of_a_refusal_leaves_the_claim_held() -> None:
    assert status(claim_answer("AY", "A3"), state=WorkflowState.HELD) == ("processing", "held")


@pytest.mark.parametrize("verdict", ["A", "E", "P"])
@pytest.mark.parametrize("signal", [ta1, acknowledgement])
def test_rule_8_an_accepted_envelope_changes_nothing(verdict: str, signal: object) -> None:
    assert status(signal(verdict)) == ("submitted", "sent")


def test_rule_8_errors_in_an_accepted_envelope_warn_staff() -> None:
    assert reviews(acknowledgement("E")) == {ReviewKind.TRANSPORT_ERRORS}


@pytest.mark.parametrize("verdict", ["R", "M", "W", "X"])
@pytest.mark.parametrize("signal", [ta1, acknowledgement])
def test_rule_9_a_refused_envelope_is_ours_to_repair(verdict: str, signal: object) -> None:
    assert status(signal(verdict)) == ("submitted", "transport_rejected")
    assert reviews(signal(verdict)) == {ReviewKind.TRANSPORT_REJECTED}


def test_rule_9_a_good_interchange_does_not_excuse_a_refused_set() -> None:
    assert status(acknowledgement("R", 0), ta1("A", 1)) == ("submitted", "transport_rejected")


def test_rule_9_a_new_envelope_forgets_the_refusal_of_the_old() -> None:
    assert status(acknowledgement("R"), transmissions=2) == ("submitted", "sent")


def test_rule_9_the_new_envelope_has_answers_of_its_own() -> None:
    answers = acknowledgement("R", 0), acknowledgement("R", 0, transmission=2)
    assert status(*answers, transmissions=2) == ("submitted", "transport_rejected")


def test_a_claim_once_sent_is_never_processing_again() -> None:
    assert status(acknowledgement("R"), state=UNKNOWN, transmissions=2) == ("submitted", "dispatch_unknown")


@pytest.mark.parametrize("category", ["A0", "A1", "A2"])
def test_rule_10_the_clearinghouse_took_it(category: str) -> None:
    assert status(claim_answer("AY", category)) == ("submitted", "clearinghouse_accepted")


@pytest.mark.parametrize("category", ["A3", "A6", "A7", "A8"])
def test_rule_11_the_clearinghouse_refused_it(category: str) -> None:
    assert status(claim_answer("AY", category)) == ("rejected", "clearinghouse_rejected")
    assert reviews(claim_answer("AY", category)) == {ReviewKind.CLAIM_REJECTED}


@pytest.mark.parametrize("later", [claim_answer("AY", "A1", 2), claim_answer("PR", "A0", 2)])
def test_rule_11_only_a_resubmission_leads_back_to_submitted(later: Signal) -> None:
    refused = claim_answer("AY", "A3", 1)
    assert status(refused, later) == ("rejected", "clearinghouse_rejected")


def test_rule_11_a_clearinghouse_that_changes_its_mind_is_shown_to_staff() -> None:
    answers = claim_answer("AY", "A3", 1), claim_answer("AY", "A1", 2)
    assert ReviewKind.CONFLICTING_ANSWERS in reviews(*answers)


def test_rule_12_passed_on_is_not_accepted() -> None:
    assert status(claim_answer("PR", "A0")) == ("submitted", "forwarded")


@pytest.mark.parametrize("category", ["A1", "A2", "A5"])
def test_rule_13_the_payer_took_it(category: str) -> None:
    assert status(claim_answer("PR", category)) == ("accepted", "payer_accepted")


def test_rule_13_pending_by_inquiry_is_accepted() -> None:
    assert status(claim_answer("PR", "A7", 1), inquiry("P1", 5)) == ("accepted", "payer_accepted")


def test_rule_13_taken_by_inquiry_is_accepted() -> None:
    assert status(inquiry("A2")) == ("accepted", "payer_accepted")


@pytest.mark.parametrize("category", ["A0", "A1"])
def test_an_inquiry_may_prove_that_the_claim_arrived_and_no_more(category: str) -> None:
    assert status(inquiry(category), state=UNKNOWN) == ("submitted", "sent")
    assert status(claim_answer("PR", "A7"), inquiry(category)) == ("rejected", "payer_rejected")


@pytest.mark.parametrize("category", ["A3", "X9"])
def test_an_inquiry_that_the_table_does_not_know_goes_to_a_person(category: str) -> None:
    assert status(inquiry(category)) == ("submitted", "sent")
    assert reviews(inquiry(category)) == {ReviewKind.UNKNOWN_ANSWER}


def test_rule_13_keeps_the_payers_number() -> None:
    assert folded(claim_answer("PR", "A2", pccn="AET1")).payer_control_number == "AET1"


def test_rule_13_a_split_claim_is_shown_to_staff() -> None:
    assert reviews(claim_answer("PR", "A5")) == {ReviewKind.CLAIM_SPLIT}


@pytest.mark.parametrize("source", ["AY", "PR"])
def test_a_line_that_is_refused_on_a_claim_that_is_taken_is_shown_to_staff(source: str) -> None:
    refused = line(1, "180", "0", statuses=(StatusCode(category="A7", status="454"),))
    taken = replace(claim_answer(source, "A2"), lines=(refused,))
    assert reviews(taken) == {ReviewKind.LINE_REFUSED}
    assert reviews(taken, remittance(lines=(line(1, "180", "120"),))) == set()


def test_rule_13_a_later_acceptance_undoes_a_rejection() -> None:
    assert status(claim_answer("PR", "A7", 1), claim_answer("PR", "A2", 2)) == ("accepted", "payer_accepted")


@pytest.mark.parametrize("category", ["A3", "A6", "A7", "A8"])
def test_rule_14_the_payer_refused_it(category: str) -> None:
    assert status(claim_answer("PR", category)) == ("rejected", "payer_rejected")


@pytest.mark.parametrize("category", ["A0", "A1", "A2"])
def test_rule_14_the_action_code_refuses_whatever_the_category(category: str) -> None:
    assert status(claim_answer("PR", category, action="U")) == ("rejected", "payer_rejected")


def test_rule_14_a_later_rejection_undoes_an_acceptance() -> None:
    assert status(claim_answer("PR", "A2", 1), claim_answer("PR", "A7", 2)) == ("rejected", "payer_rejected")


def test_rule_14_an_earlier_rejection_does_not() -> None:
    assert status(claim_answer("PR", "A2", 2), claim_answer("PR", "A7", 1)) == ("accepted", "payer_accepted")


def test_on_the_same_date_a_rejection_wins_and_a_person_is_asked() -> None:
    answers = claim_answer("PR", "A2", 1), claim_answer("PR", "A7", 1)
    assert status(*answers) == ("rejected", "payer_rejected")
    assert ReviewKind.CONFLICTING_ANSWERS in reviews(*answers)


@pytest.mark.parametrize("signal", [claim_answer("PR", "A4", 3), inquiry("D0")])
def test_rule_15_not_found_changes_nothing_and_asks_a_person(signal: Signal) -> None:
    accepted = claim_answer("PR", "A2", 1)
    assert status(accepted, signal) == ("accepted", "payer_accepted")
    assert ReviewKind.CLAIM_NOT_FOUND in reviews(accepted, signal)


@pytest.mark.parametrize("category", ["E0", "E1", "E2", "E3", "E4"])
def test_rule_15_a_question_without_an_answer_says_of_no_claim_that_it_is_lost(category: str) -> None:
    accepted, failed = claim_answer("PR", "A2", 1), inquiry(category)
    assert status(accepted, failed) == ("accepted", "payer_accepted")
    assert reviews(accepted, failed) == {ReviewKind.QUESTION_UNANSWERED}
    assert folded(accepted, failed).rules[failed.natural_key] == 15


def test_rule_15_the_question_is_answered_once_the_payer_speaks() -> None:
    assert reviews(claim_answer("PR", "A4", 1), claim_answer("PR", "A2", 2)) == set()


@pytest.mark.parametrize(
    "late", [ta1("R"), acknowledgement("R"), claim_answer("AY", "A3", 20), claim_answer("PR", "A7", 20)]
)
@pytest.mark.parametrize("final", [remittance(), denial()])
def test_rule_16_no_acknowledgement_moves_a_settled_claim(late: Signal, final: Signal) -> None:
    assert status(late, final) == status(final)


def test_rule_17_paid() -> None:
    outcome = folded(remittance(adjustments=COPAY))
    assert (outcome.session_status, outcome.claim_status) == (SessionStatus.PAID, ClaimStatus.PAID)
    assert (outcome.paid, outcome.allowed, outcome.patient_owes) == (120, 140, 20)
    assert outcome.payer_control_number == "AET1"


@pytest.mark.parametrize("code", ["1", "2", "3", "19", "20", "21"])
def test_rule_17_whatever_the_rank_of_the_payer(code: str) -> None:
    assert status(remittance(code)) == ("paid", "paid")


def test_rule_17_partly_paid_where_a_line_got_nothing() -> None:
    lines = line(1, "120", "120"), line(2, "60", "0", money("CO", "97", "60"))
    assert status(remittance(lines=lines)) == ("paid", "partially_paid")


def test_rule_17_after_a_payers_rejection() -> None:
    assert status(claim_answer("PR", "A7"), remittance()) == ("paid", "paid")


def test_rule_17_the_stated_allowed_amount_goes_first() -> None:
    stated = Signal.from_json(remittance().as_json() | {"allowed": "150"})
    assert folded(stated).allowed == 150


@pytest.mark.parametrize(
    ("signals", "billed"),
    [
        ((remittance(paid="200"),), None),
        ((remittance(paid="900", charge="900"),), "180"),
        ((remittance(paid="120", charge="150"),), "180"),
        ((remittance(paid="120"), remittance(paid="120", day=12, batch="EFT2")), None),
    ],
    ids=["above its charge", "above what was billed", "another charge", "twice"],
)
def test_rule_17_an_amount_that_does_not_fit_the_claim_is_shown_to_staff(
    signals: tuple[Signal, ...], billed: str | None
) -> None:
    assert status(*signals) == ("paid", "paid")
    assert reviews(*signals, billed=billed and Decimal(billed)) == {ReviewKind.UNEXPECTED_AMOUNT}


def test_rule_17_a_further_payment_within_the_charge_asks_nobody() -> None:
    further = remittance(paid="20", day=12, batch="EFT2")
    assert reviews(remittance(), further, billed=Decimal(180)) == set()


@pytest.mark.parametrize(("stated", "asked"), [("60", False), (None, False), ("35", True), ("80", True)])
def test_rule_17_a_patients_share_that_the_adjustments_do_not_make_is_shown_to_staff(
    stated: str | None, asked: bool
) -> None:
    paid = remittance(adjustments=(money("PR", "1", "60"),))
    said = replace(paid, patient_responsibility=stated and Decimal(stated))
    assert reviews(said) == ({ReviewKind.UNEXPECTED_AMOUNT} if asked else set())


def test_rule_17_the_same_decision_under_another_payment_is_shown_to_staff() -> None:
    first = remittance(paid="80", adjustments=(money("CO", "45", "100"),))
    again = remittance(paid="80", day=12, batch="EFT2", adjustments=(money("CO", "45", "100"),))
    assert reviews(first, again, billed=Decimal(180)) == {ReviewKind.UNEXPECTED_AMOUNT}
    taken_back = reversal("-80", 11, batch="EFT3")
    assert reviews(first, taken_back, again, billed=Decimal(180)) == set()


@pytest.mark.parametrize("pccn", ["AET1", "AET2"])
def test_rule_17_a_claim_that_stands_twice_in_one_835_leaves_its_share_to_the_patient_once(pccn: str) -> None:
    first = remittance(lines=(line(1, "180", "120"),), adjustments=COPAY)
    again = replace(first, natural_key="again", payer_control_number=pccn)
    outcome = fold(WorkflowState.SENT, [first, again], billed=Decimal(180))
    assert (outcome.paid, outcome.patient_owes, outcome.allowed) == (240, 20, 140)
    assert [task.kind for task in outcome.tasks] == [ReviewKind.UNEXPECTED_AMOUNT]
    assert set(outcome.deciding) == {first.natural_key, again.natural_key}


def test_rule_17_a_denial_beside_a_payment_of_the_same_lines_leaves_nothing_more_to_the_patient() -> None:
    paid = remittance(lines=(line(1, "180", "120"),), adjustments=COPAY)
    denied = replace(
        paid,
        natural_key="denied",
        paid=Decimal(0),
        lines=(line(1, "180", "0"),),
        adjustments=(money("PR", "96", "180"),),
    )
    outcome = fold(WorkflowState.SENT, [paid, denied], billed=Decimal(180))
    assert (outcome.paid, outcome.patient_owes) == (120, 20)


def test_rule_17_the_parts_of_a_split_claim_in_one_835_add_up() -> None:
    parts = (
        remittance(
            paid="110", lines=(line(1, "120", "120"),), charge="120", adjustments=(money("PR", "3", "10"),)
        ),
        remittance(paid="40", pccn="AET2", lines=(line(2, "60", "60"),), charge="60", adjustments=COPAY),
    )
    assert fold(WorkflowState.SENT, parts, billed=Decimal(180)).patient_owes == 30


def test_rule_17_the_parts_of_a_split_claim_make_up_what_was_billed() -> None:
    parts = (
        remittance(lines=(line(1, "120", "120"),), charge="120"),
        remittance(paid="60", day=12, batch="EFT2", lines=(line(2, "60", "60"),), charge="60"),
    )
    assert reviews(*parts, billed=Decimal(180)) == set()


@pytest.mark.parametrize("reason", ["1", "2", "3"])
def test_rule_18_left_to_the_patient_is_not_a_denial(reason: str) -> None:
    outcome = folded(remittance(paid="0", adjustments=(money("PR", reason, "180"),)))
    assert (str(outcome.session_status), str(outcome.claim_status)) == ("paid", "patient_responsibility")
    assert outcome.patient_owes == 180


@pytest.mark.parametrize("adjustment", [money("CO", "197", "180"), money("PR", "96", "180")])
def test_rule_19_nothing_paid_and_nothing_allowed_is_denied(adjustment: object) -> None:
    outcome = folded(remittance(paid="0", adjustments=(adjustment,)))
    assert (str(outcome.session_status), str(outcome.claim_status)) == ("denied", "denied")
    assert outcome.reasons == (adjustment,)
    assert {task.kind for task in outcome.tasks} == {ReviewKind.CLAIM_DENIED}


def test_rule_19_the_contractual_reduction_is_the_last_reason() -> None:
    adjustments = money("CO", "45", "100"), money("CO", "29", "80")
    assert [str(each) for each in folded(remittance(paid="0", adjustments=adjustments)).reasons] == [
        "CO-29",
        "CO-45",
    ]


def test_rule_20_patient_not_recognised() -> None:
    assert status(remittance("4", "0", adjustments=(money("CO", "31", "180"),))) == (
        "denied",
        "member_unknown",
    )


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        (remittance("1", "90", 20, batch="EFT2", pccn="AET2"), ("paid", "paid")),
        (
            remittance("1", "0", 20, batch="EFT2", pccn="AET2", adjustments=DEDUCTIBLE),
            ("paid", "patient_responsibility"),
        ),
        (denial(day=20, batch="EFT2", pccn="AET2"), ("denied", "denied")),
    ],
)
def test_rule_21_the_correction_decides(correction: Signal, expected: tuple[str, str]) -> None:
    outcome = folded(remittance(), reversal(), correction)
    assert (str(outcome.session_status), str(outcome.claim_status)) == expected
    assert outcome.paid == correction.paid
    assert outcome.rules[reversal().natural_key] == 21


def test_rule_21_holds_though_the_first_payment_is_still_to_come() -> None:
    assert status(reversal(), remittance("1", "90", 20, batch="EFT2", pccn="AET2")) == ("paid", "paid")


@pytest.mark.parametrize("correction", ["90", "0"])
def test_rule_21_a_reversal_of_what_never_came_is_shown_to_staff(correction: str) -> None:
    decided = remittance("1", correction, 20, batch="EFT2", pccn="AET2", adjustments=DEDUCTIBLE)
    assert ReviewKind.UNEXPECTED_AMOUNT in reviews(reversal(), decided)
    assert ReviewKind.UNEXPECTED_AMOUNT not in reviews(remittance(), reversal(), decided)


@pytest.mark.parametrize("first", [remittance(), denial()])
def test_rule_22_reversed_alone_goes_back_to_accepted(first: Signal) -> None:
    outcome = folded(first, reversal(f"-{first.paid}"))
    assert (str(outcome.session_status), str(outcome.claim_status)) == ("accepted", "reversed")
    assert outcome.paid == 0


def test_rule_22_asks_a_person_after_thirty_days() -> None:
    (task,) = folded(remittance(), reversal(day=20)).tasks
    assert (task.kind, task.not_before) == (ReviewKind.REVERSED_WITHOUT_CORRECTION, on(50))


def test_rule_22_an_amount_that_was_never_paid_is_shown_to_staff() -> None:
    assert ReviewKind.UNEXPECTED_AMOUNT in reviews(remittance(), reversal("-100"))


FIRST_LINE = (line(1, "120", "120"),)
SECOND_DENIED = remittance(
    "1", "0", 12, batch="EFT5", pccn="AET5", lines=(line(2, "60", "0", money("CO", "97", "60")),), charge="60"
)


@pytest.mark.parametrize("denied", [SECOND_DENIED, replace(SECOND_DENIED, effective_date=on(25))])
def test_rule_22_the_paid_part_of_a_split_claim_reversed_alone(denied: Signal) -> None:
    signals = remittance(lines=FIRST_LINE, charge="120"), denied, reversal(lines=FIRST_LINE)
    assert status(*signals) == ("accepted", "reversed")
    (task,) = folded(*signals).tasks
    assert (task.kind, task.not_before) == (ReviewKind.REVERSED_WITHOUT_CORRECTION, on(50))


def test_rule_22_a_part_denied_in_the_835_of_the_paid_part_corrects_nothing() -> None:
    denied = denial(pccn="AET5", charge="60")
    assert status(remittance(charge="120"), denied, reversal()) == ("accepted", "reversed")


def test_rule_22_a_correction_of_the_paid_part_ends_the_wait() -> None:
    signals = remittance(lines=FIRST_LINE, charge="120"), SECOND_DENIED, reversal(lines=FIRST_LINE)
    correction = denial(day=21, batch="EFT6", lines=(line(1, "120", "0"),))
    assert status(*signals, correction) == ("denied", "taken_back")


def test_rule_22_a_denial_from_before_the_payment_does_not_come_back() -> None:
    assert status(denial(day=5, batch="EFT0"), remittance(), reversal()) == ("accepted", "reversed")


def test_rule_22_takes_back_the_payment_it_names() -> None:
    first = remittance("1", "120", 10, batch="EFT1", pccn="AET1")
    second = remittance("1", "30", 12, batch="EFT2", pccn="AET2")
    outcome = folded(first, second, reversal("-30", batch="EFT3", pccn="AET2"))
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.PAID, Decimal(120))


def test_rule_22_leaves_a_correction_that_came_first() -> None:
    correction = remittance("1", "90", 18, batch="EFT2", pccn="AET2")
    outcome = folded(remittance(), correction, reversal(day=20, batch="EFT3"))
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.PAID, Decimal(90))


def test_two_835s_of_one_trace_number_are_told_apart_by_their_dates() -> None:
    first = denial(batch="0000000", pccn="AET1")
    ended = reversal("0", batch="0000000", pccn="AET1")
    second = denial("29", day=20, batch="0000000", pccn="AET2")
    outcome = folded(first, ended, second)
    assert [str(each) for each in outcome.reasons] == ["CO-29"]
    assert outcome.deciding == (second.natural_key,)


def test_rule_23_a_payment_after_a_denial() -> None:
    payment = remittance(day=20, batch="EFT2")
    outcome = folded(denial(), payment)
    assert outcome.claim_status is ClaimStatus.PAID
    assert outcome.rules[payment.natural_key] == 23


@pytest.mark.parametrize(
    "between", [(), (reversal(day=15, batch="EFT3"),), (reversal(day=25, batch="EFT3"),)]
)
def test_rule_24_a_correction_with_nothing_after_a_payment(between: tuple[Signal, ...]) -> None:
    correction = denial(day=20, batch="EFT2")
    outcome = folded(remittance(), *between, correction)
    assert (str(outcome.session_status), str(outcome.claim_status)) == ("denied", "taken_back")
    assert outcome.rules[correction.natural_key] == 24


def test_rule_24_the_end_of_a_take_back_gives_no_payment_back() -> None:
    correction = denial("27", day=20, batch="EFT2", pccn="AET1C")
    ended = reversal("0", day=30, batch="EFT3", pccn="AET1C")
    assert status(remittance(), correction, ended) == ("accepted", "reversed")


@pytest.mark.parametrize("day", [20, 30])
def test_a_payment_in_the_835_that_ends_a_refusal_stands(day: int) -> None:
    ended = reversal("0", day=day, batch="EFT3", pccn="AET1")
    payment = remittance(day=day, batch="EFT3", pccn="AET2")
    assert status(denial(day=20, pccn="AET1"), ended, payment) == ("paid", "paid")


def test_rule_24_on_the_same_date_a_person_is_asked_too() -> None:
    answers = remittance(day=10), denial(day=10, batch="EFT2")
    assert status(*answers) == ("denied", "taken_back")
    assert reviews(*answers) == {
        ReviewKind.CONFLICTING_ANSWERS,
        ReviewKind.PAYMENT_TAKEN_BACK,
        ReviewKind.PAYMENT_NOT_RETURNED,
    }


def duplicate_denied(day: int = 20, *, group: str = "CO", batch: str = "EFT8", **more: object) -> Signal:
    return remittance(
        "1", "0", day, batch=batch, pccn="DUP2", adjustments=(money(group, "18", "180"),), **more
    )


@pytest.mark.parametrize(
    "paid", [remittance(adjustments=COPAY), remittance(paid="0", adjustments=DEDUCTIBLE)]
)
@pytest.mark.parametrize(
    "denied",
    [
        duplicate_denied(5),
        duplicate_denied(10),
        duplicate_denied(),
        duplicate_denied(group="OA"),
        duplicate_denied(10, batch="EFT1"),
    ],
)
def test_a_denial_of_a_duplicate_decides_nothing_about_a_claim_that_was_paid(
    paid: Signal, denied: Signal
) -> None:
    alone, both = folded(paid), folded(paid, denied)
    assert both.rules[denied.natural_key] == 16
    assert replace(both, rules=alone.rules) == alone


def test_a_denial_of_a_duplicate_decides_where_nothing_was_paid() -> None:
    assert status(duplicate_denied()) == ("denied", "denied")
    corrected = remittance(), reversal(), duplicate_denied(batch="EFT2")
    assert status(*corrected) == ("denied", "denied")


@pytest.mark.parametrize("day", [5, 10, 20])
def test_a_denial_of_a_duplicate_leaves_the_denial_for_a_reason_as_it_was(day: int) -> None:
    denied, duplicate = denial("197"), duplicate_denied(day)
    alone, both = folded(denied), folded(denied, duplicate)
    assert both.rules[duplicate.natural_key] == 16
    assert replace(both, rules=alone.rules) == alone


def test_a_line_that_is_denied_as_a_duplicate_beside_a_payment_keeps_its_reason() -> None:
    first = remittance("4", "0", lines=(line(1, "120", "0", money("CO", "197", "120")),), charge="120")
    lines = (line(1, "120", "0", money("CO", "18", "120")), line(2, "60", "60"))
    both = folded(first, remittance("1", "60", 20, batch="EFT2", lines=lines, charge="180"))
    assert {each.reason for each in both.reasons} == {"197"}


@pytest.mark.parametrize(
    "other",
    [
        recoupment(),
        replace(remittance("2", "20", 20, batch="EFT2", pccn="SEC9"), source="77777"),
        remittance("23", "0", 20, batch="EFT2", pccn="OTH9"),
        remittance("25", "0", 20, batch="EFT2", pccn="PRE9"),
    ],
)
def test_the_payers_number_is_that_of_its_decision_or_of_its_acknowledgement(other: Signal) -> None:
    accepted = claim_answer("PR", "A2", pccn="ACK1")
    assert folded(accepted, remittance(pccn=""), other).payer_control_number == "ACK1"
    assert folded(accepted, remittance(pccn="AET1"), other).payer_control_number == "AET1"
    assert folded(accepted, denial(pccn="AET1"), other).payer_control_number == "AET1"


def test_a_line_that_is_denied_as_a_duplicate_of_another_one_is_a_part_of_the_claim() -> None:
    first = remittance(lines=(line(1, "120", "120"),), charge="120")
    second = replace(duplicate_denied(), adjustments=(), lines=(line(2, "60", "0", money("CO", "18", "60")),))
    assert status(first, second) == ("paid", "partially_paid")


def test_a_payment_that_is_reversed_alone_after_a_duplicates_denial_awaits_its_correction() -> None:
    assert status(remittance(), duplicate_denied(15), reversal()) == ("accepted", "reversed")


def test_an_envelope_refused_beside_its_set_accepted_is_asked_about() -> None:
    answers = acknowledgement("A"), ta1("R")
    assert status(*answers) == status(*answers[:1])
    assert reviews(*answers) == {ReviewKind.CONFLICTING_ANSWERS}
    assert reviews(*answers, claim_answer("AY", "A2")) == set()


def test_rule_25_provider_level_money_leaves_the_status() -> None:
    assert status(remittance(), recoupment()) == ("paid", "paid")
    assert reviews(remittance(), recoupment()) == {ReviewKind.PROVIDER_ADJUSTMENT}


def test_rule_26_passed_on_to_another_payer_is_not_final() -> None:
    assert status(remittance("23", "0")) == ("accepted", "forwarded_other_payer")


def test_rule_26_money_of_a_payer_that_passed_it_on_is_shown_to_staff() -> None:
    assert reviews(remittance("23", paid="0")) == set()
    assert status(remittance("23", paid="30")) == ("accepted", "forwarded_other_payer")
    assert reviews(remittance("23", paid="30")) == {ReviewKind.UNEXPECTED_AMOUNT}


def test_rule_26_an_adjudication_goes_before_it() -> None:
    assert status(remittance("23", "0", 20, batch="EFT2"), remittance()) == ("paid", "paid")


def test_rule_27_a_predetermination_is_only_information() -> None:
    estimate = remittance("25", "120")
    outcome = folded(claim_answer("PR", "A2"), estimate)
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.PAYER_ACCEPTED, 0)
    assert outcome.rules[estimate.natural_key] == 27


def test_rule_28_a_repeated_signal_counts_once() -> None:
    assert folded(remittance(), remittance()) == folded(remittance())


@pytest.mark.parametrize(("category", "session"), [("F1", "paid"), ("F2", "denied"), ("F4", "denied")])
def test_rule_30_an_inquiry_settles_where_no_remittance_can_come(category: str, session: str) -> None:
    answers = claim_answer("PR", "A2"), inquiry(category)
    assert status(*answers, remittances_expected=False) == (session, "per_inquiry")


@pytest.mark.parametrize("category", ["F0", "F1", "F2", "F3", "F4"])
def test_rule_30_otherwise_it_waits_for_the_remittance(category: str) -> None:
    assert status(claim_answer("PR", "A2"), inquiry(category)) == ("accepted", "payer_accepted")


def test_rule_30_the_remittance_goes_before_the_inquiry() -> None:
    assert status(inquiry("F2"), remittance(), remittances_expected=False) == ("paid", "paid")


def test_lines_settled_in_two_payments_are_read_together() -> None:
    first = remittance(lines=(line(1, "120", "120"),), charge="120")
    second = remittance(
        "1", "0", 12, batch="EFT2", lines=(line(2, "60", "0", money("CO", "97", "60")),), charge="60"
    )
    assert status(first, second) == ("paid", "partially_paid")


def test_an_unknown_remittance_code_changes_nothing_and_asks_a_person() -> None:
    answers = claim_answer("PR", "A2"), remittance("17", "0")
    assert status(*answers) == ("accepted", "payer_accepted")
    assert ReviewKind.UNKNOWN_ANSWER in reviews(*answers)


def test_one_envelope_number_with_two_answers_gives_one_status() -> None:
    answers = acknowledgement("A"), acknowledgement("R")
    assert status(*answers) == status(*answers[::-1]) == ("submitted", "transport_rejected")


@pytest.mark.parametrize(("old", "new"), [("ICN9", "ICN10"), ("ICN10", "ICN9")])
def test_the_payers_number_is_that_of_the_correction_and_not_of_what_it_reversed(old: str, new: str) -> None:
    correction = remittance("1", "80", 20, batch="EFT2", pccn=new)
    outcome = folded(remittance(pccn=old), reversal(pccn=old), correction)
    assert outcome.payer_control_number == new


def from_second_insurer(code: str, paid: str) -> Signal:
    said = remittance(code, paid, 25, batch="EFT9", pccn="MCD1", adjustments=DEDUCTIBLE)
    return replace(said, source="TXMCD", natural_key=f"TXMCD {said.natural_key}", payer_name="Medicaid")


@pytest.mark.parametrize(("code", "paid"), [("2", "0"), ("2", "25"), ("3", "0"), ("21", "25")])
def test_a_second_insurer_corrects_nothing_that_the_first_said(code: str, paid: str) -> None:
    first = remittance("19", "155", pccn="AET1")
    alone, both = folded(first), folded(first, from_second_insurer(code, paid))
    assert (both.session_status, both.claim_status) == (alone.session_status, alone.claim_status)
    assert (both.payer_control_number, both.allowed, both.tasks) == ("AET1", alone.allowed, alone.tasks)
    assert both.paid == Decimal(155) + Decimal(paid)


LEFT = Adjustment(group="PR", reason="2", amount=Decimal(25))


@pytest.mark.parametrize(
    ("code", "paid", "adjustments", "owes"),
    [
        ("2", "20", (Adjustment(group="PR", reason="3", amount=Decimal(5)),), "5"),
        ("21", "25", (), "0"),
        ("2", "0", (Adjustment(group="CO", reason="45", amount=Decimal(25)),), "0"),
        ("2", "0", (Adjustment(group="PR", reason="1", amount=Decimal(180)),), "25"),
    ],
)
@pytest.mark.parametrize("day", [5, 25], ids=["dated before", "dated after"])
def test_the_patient_owes_what_the_second_insurer_leaves_of_it(
    code: str, paid: str, adjustments: tuple[Adjustment, ...], owes: str, day: int
) -> None:
    second = replace(
        from_second_insurer(code, paid),
        adjustments=adjustments,
        lines=(),
        patient_responsibility=None,
        effective_date=remittance("19", "155", day).effective_date,
    )
    first = remittance("19", "155", adjustments=(LEFT,))
    assert folded(first).patient_owes == Decimal(25)
    outcome = folded(first, second)
    assert (outcome.claim_status, outcome.patient_owes) == (ClaimStatus.PAID, Decimal(owes))


@pytest.mark.parametrize(("stated", "owes"), [("75", "25"), ("25", "25"), ("10", "10")])
def test_the_patient_owes_the_less_of_what_is_stated_and_what_is_explained(stated: str, owes: str) -> None:
    said = replace(
        remittance("1", "155", adjustments=(LEFT,)), patient_responsibility=Decimal(stated), lines=()
    )
    outcome = folded(said)
    assert outcome.patient_owes == Decimal(owes)
    is_asked = ReviewKind.UNEXPECTED_AMOUNT in {task.kind for task in outcome.tasks}
    assert is_asked == (stated != "25")


def test_the_patient_owes_what_the_first_left_once_the_second_insurer_takes_its_word_back() -> None:
    second = replace(from_second_insurer("2", "25"), adjustments=(), lines=(), patient_responsibility=None)
    ended = replace(
        reversal("-25", 28, batch="EFT10", pccn="MCD1"), source="TXMCD", natural_key="TXMCD reversal"
    )
    assert folded(remittance("19", "155", adjustments=(LEFT,)), second, ended).patient_owes == Decimal(25)


def test_what_a_second_insurer_pays_where_the_first_paid_nothing_is_a_payment() -> None:
    outcome = folded(denial(), from_second_insurer("2", "25"))
    assert (outcome.session_status, outcome.paid) == (SessionStatus.PAID, Decimal(25))
