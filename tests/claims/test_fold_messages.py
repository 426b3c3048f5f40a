"""What a session's message says, for every status."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from claims.fold.claim import fold
from claims.fold.messages import message_for
from claims.fold.readings import SESSION_STATUS, ReviewKind
from claims.fold.versions import ClaimVersion, fold_session
from claims.signals import ClaimStatus, SessionStatus, Signal, WorkflowState
from tests.claims.fold_cast import (
    acknowledgement,
    claim_answer,
    denial,
    line,
    money,
    recoupment,
    remittance,
    reversal,
)

PROCESSING = SessionStatus.PROCESSING


def message(*signals: Signal) -> str:
    outcome = fold(WorkflowState.SENT, signals)
    return message_for(outcome.session_status, outcome.claim_status, outcome=outcome, payer="Aetna")


def message_of(*versions: ClaimVersion) -> str:
    session = fold_session(versions)
    return message_for(
        session.session_status,
        session.claim_status,
        outcome=session.outcomes[-1],
        payer="Aetna",
        paid_in_all=session.paid,
    )


def test_what_a_payer_paid_that_passed_the_claim_on_is_said() -> None:
    passed_on = "Aetna passed the claim on to another payer, which is going to decide."
    assert message(remittance("23", "0")) == f"{passed_on} Nothing to do."
    paid = f"{passed_on} It paid $30.00 itself; billing staff look into it. Nothing to do."
    assert message(remittance("23", "30")) == paid


@pytest.mark.parametrize("status", ClaimStatus)
def test_every_status_has_a_message_that_says_what_to_do(status: ClaimStatus) -> None:
    session = SESSION_STATUS.get(status, SessionStatus.PAID)
    text = message_for(session, status)
    assert text.endswith(".")
    assert text[0].isupper()
    assert any(words in text for words in ("Nothing to do", "Correct", "billing staff", "Billing staff"))


def test_a_held_session_gives_every_finding() -> None:
    findings = ["patient.address.zip: the ZIP code isn't in the state.", "No rate is on file."]
    text = message_for(PROCESSING, ClaimStatus.HELD, findings=findings)
    assert text == f"Held: {' '.join(findings)} Correct the session, and it goes on."


def test_a_held_session_that_staff_must_see_to_as_well_says_so() -> None:
    findings = ["patient.address.zip: the ZIP code isn't in the state.", "No rate is on file."]
    text = message_for(PROCESSING, ClaimStatus.HELD, findings=findings, for_partner=findings[:1])
    assert text == f"Held: {' '.join(findings)} Correct the session; billing staff see to the rest."


def test_a_fault_of_the_practice_is_no_fault_of_the_session() -> None:
    practice, session = (
        "practice.taxId: It has no nine digits.",
        "patient.address.zip: It isn't in the state.",
    )
    path = "(PATCH /api/v1/partner/providers/{npi})"
    alone = message_for(PROCESSING, ClaimStatus.HELD, findings=[practice])
    assert alone == f"Held: {practice} Correct the practice or therapist {path}, and the session goes on."
    both = message_for(PROCESSING, ClaimStatus.HELD, findings=[session, practice])
    assert both.endswith(f"Correct the session, and the practice or therapist {path}; then it goes on.")


def test_a_partner_is_not_asked_for_what_only_staff_can_do() -> None:
    text = message_for(PROCESSING, ClaimStatus.HELD, findings=["No rate is on file."], for_partner=())
    assert text == "Held: No rate is on file. Billing staff see to it. Nothing to do."


def test_what_no_update_changes_says_itself_what_to_do() -> None:
    finding = "provider.npi: Its check digit is wrong. Onboard the therapist under the right one."
    assert message_for(PROCESSING, ClaimStatus.HELD, findings=[finding]) == f"Held: {finding}"


def test_of_several_faults_only_the_partners_own_are_asked_for() -> None:
    practice, rate = "practice: It has no address.", "session.procedureCodes.0: No rate is on file."
    text = message_for(PROCESSING, ClaimStatus.HELD, findings=[practice, rate], for_partner=[practice])
    assert text.startswith(f"Held: {practice} {rate} Correct the practice or therapist (PATCH ")


def test_a_correction_window_says_when_it_ends() -> None:
    text = message_for(PROCESSING, ClaimStatus.QUEUED, leaves_after=datetime(2026, 1, 5, 12, 15, tzinfo=UTC))
    assert text == (
        "The claim leaves after 2026-01-05T12:15:00Z; until then the session can be corrected. Nothing to do."
    )


def test_a_day_that_begins_later_elsewhere_is_told_in_utc() -> None:
    begins = datetime(2026, 1, 5, 0, 0, tzinfo=ZoneInfo("Pacific/Honolulu"))
    assert "leaves after 2026-01-05T10:00:00Z;" in message_for(
        PROCESSING, ClaimStatus.QUEUED, leaves_after=begins
    )


def test_a_fault_of_ours_asks_nothing_of_the_partner() -> None:
    assert "our fault" in message(acknowledgement("R"))


def test_a_payment_says_the_amounts() -> None:
    paid = remittance(adjustments=(money("CO", "45", "40"), money("PR", "3", "20")))
    assert message(paid) == "Aetna paid $120.00; the patient owes $20.00. Collect it from the patient."


def test_a_further_payment_is_told_in_all() -> None:
    assert message(remittance(), remittance(paid="20", day=12, batch="EFT2")) == (
        "Aetna paid $140.00. Nothing to do."
    )


@pytest.mark.parametrize("known", [(), (remittance(paid="155"),)])
def test_a_corrections_amount_is_the_payers_whether_what_it_corrects_came_or_not(
    known: tuple[Signal, ...],
) -> None:
    copay = (money("CO", "45", "55"), money("PR", "3", "25"))
    correction = remittance(paid="100", day=20, batch="EFT2", pccn="AET2", adjustments=copay)
    text = message(*known, reversal("-155"), correction)
    assert text.startswith("Aetna paid $100.00; the patient owes $25.00. Collect it from the patient.")
    missing = " What it paid and took back comes to -$55.00; billing staff look into it."
    assert text.endswith(missing) is (not known)


def test_a_reversal_under_a_replacements_number_takes_nothing_from_what_the_replacement_was_paid() -> None:
    text = message_of(
        ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=(remittance(),)),
        ClaimVersion(
            number=2,
            workflow_state=WorkflowState.SENT,
            frequency="7",
            signals=(reversal(), remittance(paid="180", day=20, batch="EFT2", pccn="AET2")),
        ),
    )
    assert text == "Aetna paid $180.00. Nothing to do."


def test_an_amount_below_nothing_keeps_its_sign() -> None:
    paid = remittance(paid="-20", adjustments=(money("PR", "1", "180"),))
    assert message(paid).startswith("Aetna paid -$20.00; the patient owes $180.00.")


def test_nothing_paid_but_allowed_says_what_the_patient_owes() -> None:
    paid = remittance(paid="0", adjustments=(money("PR", "1", "180"),))
    assert message(paid) == "Aetna paid $0.00; the patient owes $180.00. Collect it from the patient."


def test_a_partial_payment_says_so() -> None:
    paid = remittance(lines=(line(1, "120", "120"), line(2, "60", "0", money("CO", "97", "60"))))
    assert (
        message(paid)
        == "Aetna paid $120.00, for some of the service lines. Billing staff see to the rest. Nothing to do."
    )


def test_a_denial_says_why_and_what_helps() -> None:
    text = message(denial())
    assert text.startswith(
        "Aetna denies the claim: no authorization is on file (CO-197). What usually helps: "
    )


@pytest.mark.parametrize(("source", "who"), [("AY", "The clearinghouse"), ("PR", "Aetna")])
def test_a_rejection_says_who_and_why(source: str, who: str) -> None:
    text = message(claim_answer(source, "A7", status="164"))
    assert text.startswith(f"{who} refuses the claim: ")
    assert "(A7:164)" in text


def test_a_reversal_asks_nothing_of_the_partner() -> None:
    assert message(remittance(), reversal()).endswith("Nothing to do.")


def test_a_settlement_by_inquiry_without_payment() -> None:
    text = message_for(SessionStatus.DENIED, ClaimStatus.PER_INQUIRY, payer="Aetna")
    settled = "Aetna says that it settled the claim without a payment."
    assert text == f"{settled} Billing staff find out why. Nothing to do."


def test_a_correction_on_its_way() -> None:
    text = message_of(
        ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=(denial(),)),
        ClaimVersion(number=2, workflow_state=WorkflowState.QUEUED, frequency="7"),
    )
    assert text == "The claim is denied. A corrected claim is on its way. Nothing to do."


def test_a_new_envelope_on_its_way() -> None:
    text = message_of(ClaimVersion(number=1, workflow_state=WorkflowState.QUEUED, transmissions=2))
    assert text == "The claim is submitted, and billing staff send it once more. Nothing to do."


def test_a_payment_on_an_older_version() -> None:
    text = message_of(
        ClaimVersion(
            number=1, workflow_state=WorkflowState.SENT, signals=(claim_answer("PR", "A7"), remittance())
        ),
        ClaimVersion(number=2, workflow_state=WorkflowState.SENT),
    )
    assert text == (
        "The payer paid another version of the claim; billing staff settle the rest. Nothing to do."
    )


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        ((), "The claim is voided: nothing will be paid for it. Nothing to do."),
        (
            (remittance(),),
            "The claim is voided, and the $120.00 paid for it are still to go back. "
            "Billing staff look into it. Nothing to do.",
        ),
        (
            (remittance(), reversal()),
            "The claim is voided: nothing will be paid for it. Nothing to do.",
        ),
    ],
    ids=["never paid", "paid", "taken back"],
)
def test_a_voided_claim_says_so_and_what_was_paid_for_it(paid: tuple[Signal, ...], expected: str) -> None:
    text = message_of(
        ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=paid),
        ClaimVersion(
            number=2,
            workflow_state=WorkflowState.SENT,
            frequency="8",
            replaces=1,
            signals=(claim_answer("PR", "A2"),),
        ),
    )
    assert text == expected


@pytest.mark.parametrize(
    ("signals", "comes_to"),
    [
        ([recoupment()], "$0.00"),
        ([recoupment("-20")], "$100.00"),
        ([recoupment("-120", reason="72")], "$0.00"),
        ([recoupment(), recoupment("120", day=31, reason="72")], "$0.00"),
        ([recoupment("-500")], "$0.00"),
        ([recoupment("20", reason="L6")], ""),
        ([recoupment("-120", reason="FB"), recoupment("120", reason="FB")], ""),
        ([recoupment(), recoupment("120", day=31)], ""),
    ],
    ids=[
        "all of it",
        "a part",
        "offered by the practice",
        "offered, and paid by check",
        "more than was paid",
        "interest",
        "carried forward",
        "put off",
    ],
)
def test_what_is_recouped_at_the_providers_level_is_taken_off(signals: list[Signal], comes_to: str) -> None:
    text = message_of(
        ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=(remittance(), *signals))
    )
    less = f" What it paid and took back comes to {comes_to}; billing staff look into it." if comes_to else ""
    assert text == f"Aetna paid $120.00.{less} Nothing to do."


def test_a_void_of_what_was_recouped_waits_for_nothing() -> None:
    paid = ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=(remittance(), recoupment()))
    void = ClaimVersion(
        number=2, workflow_state=WorkflowState.SENT, signals=(claim_answer("PR", "A2"),), frequency="8"
    )
    assert message_of(paid, void) == "The claim is voided: nothing will be paid for it. Nothing to do."
    assert ReviewKind.PAYMENT_ON_VOIDED_CLAIM not in {task.kind for task in fold_session([paid, void]).tasks}
    half = replace(paid, signals=(remittance(), recoupment("-20")))
    assert "the $100.00 paid for it are still to go back" in message_of(half, void)


def test_a_reversal_that_is_recouped_later_is_taken_off_once() -> None:
    again = remittance(paid="80", day=20, batch="EFT2", pccn="AET2")
    signals = (remittance(), reversal(), again, recoupment("-40"))
    text = message_of(ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=signals))
    assert text == "Aetna paid $80.00. Nothing to do."


def test_a_reversal_that_is_decided_anew_in_full_leaves_a_later_recoupment_its_due() -> None:
    anew = remittance(day=20, batch="EFT2", pccn="AET2")
    signals = (remittance(), reversal(), anew, recoupment())
    text = message_of(ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=signals))
    less = "What it paid and took back comes to $0.00; billing staff look into it."
    assert text == f"Aetna paid $120.00. {less} Nothing to do."


@pytest.mark.parametrize("number", [1, 2], ids=["with the first", "with the replacement"])
def test_a_recoupment_is_taken_off_once_whichever_version_it_is_filed_with(number: int) -> None:
    first = [remittance()]
    second = [reversal(), remittance(paid="80", day=20, batch="EFT2", pccn="AET2")]
    (first, second)[number - 1].append(recoupment("-40"))
    text = message_of(
        ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=first),
        ClaimVersion(number=2, workflow_state=WorkflowState.SENT, frequency="7", replaces=1, signals=second),
    )
    assert text == "Aetna paid $80.00. Nothing to do."


def test_what_one_payer_reverses_takes_nothing_off_what_another_recoups() -> None:
    theirs = [
        replace(each, source="01260") for each in (remittance(), reversal(), remittance(day=30, batch="EFT3"))
    ]
    outcome = fold_session(
        [
            ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=(remittance(), recoupment())),
            ClaimVersion(number=2, workflow_state=WorkflowState.SENT, signals=theirs),
        ]
    )
    assert outcome.paid == Decimal(120)
