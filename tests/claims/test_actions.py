"""What billing staff do: release, override, resend, void, write to the partner."""

import pytest
import time_machine
from django.utils import timezone

from claims import actions, drafting
from claims.models import Claim, Transmission, WorkItem
from claims.x12.claim import ClaimFormatError
from tests.cast import Api
from tests.claims.admin.staff import ended, newest, submitted_and_run
from tests.claims.process import run_until_quiet


def interchange(claim: Claim) -> str:
    return Transmission.objects.get(claims__claim=claim).content


def test_a_rejected_claim_is_sent_again_as_new(partner: Api) -> None:
    session_id = ended(partner, "REJECTED")
    actions.resend(session_id, user=None, reason="member ID corrected")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.version, claim.frequency) == (2, "1")
    assert ":B:1*Y*A*Y*Y~" in interchange(claim)
    assert claim.patient_control_number != claim.replaces.patient_control_number


def test_what_can_not_be_written_can_not_be_overridden(partner: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object, **named: object) -> None:
        raise ClaimFormatError([("subscriber.last_name", "is empty")])

    monkeypatch.setattr(drafting, "draft_claim", refuse)
    session_id = submitted_and_run(partner, "PAID")
    assert newest(session_id).step == Claim.Step.HELD
    with pytest.raises(actions.ActionRefusedError, match="None of these rules"):
        actions.override(session_id, rules=["FMT-003"], user=None, reason="it must go")


def test_a_denied_claim_is_replaced_under_the_payers_number(partner: Api) -> None:
    session_id = ended(partner, "DENIED")
    original = newest(session_id)
    actions.resend(session_id, user=None, reason="authorization granted")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.version, claim.frequency) == (2, "7")
    assert f"REF*F8*{original.payer_control_number}~" in interchange(claim)


def test_a_paid_claim_is_voided(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    original = newest(session_id)
    actions.void(session_id, user=None, reason="billed by mistake")
    run_until_quiet()
    claim = newest(session_id)
    assert claim.frequency == "8"
    assert f"REF*F8*{original.payer_control_number}~" in interchange(claim)
    detail = partner.get(f"/sessions/{session_id}").json()
    assert detail["status"] == "rejected"
    assert detail["claim"]["status"] == "voided"
    assert "void" in detail["message"].lower()


def test_a_claim_whose_file_could_not_be_read_goes_out_again_in_a_new_envelope(partner: Api) -> None:
    session_id = ended(partner, "BAD999")
    actions.resend(session_id, user=None, reason="envelope mended")
    run_until_quiet()
    claim = newest(session_id)
    assert claim.version == 1
    first, second = Transmission.objects.filter(claims__claim=claim).order_by("created_at")
    assert first.interchange_control_number < second.interchange_control_number
    assert "*0019*18*" in second.content.replace("BHT", "", 1) or "BHT*0019*18*" in second.content


def test_a_claim_without_an_answer_is_not_resent(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    with pytest.raises(actions.ActionRefusedError, match="No answer"):
        actions.resend(session_id, user=None, reason="impatience")


def test_an_overridden_rule_no_longer_holds(partner: Api) -> None:
    session_id = ended(partner, "HELD")
    actions.override(session_id, rules=["TEST-001"], user=None, reason="rehearsed")
    run_until_quiet()
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


def test_an_override_needs_a_reason(partner: Api) -> None:
    session_id = ended(partner, "HELD")
    with pytest.raises(actions.ActionRefusedError, match="Say why"):
        actions.override(session_id, rules=["TEST-001"], user=None, reason=" ")


def test_a_released_session_that_is_still_wrong_is_held_again(partner: Api) -> None:
    session_id = ended(partner, "HELD")
    actions.release(session_id, user=None, reason="looked fine")
    run_until_quiet()
    detail = partner.get(f"/sessions/{session_id}").json()
    assert [event["type"] for event in detail["events"]].count("session.held") == 2


def test_a_note_to_the_partner_stands_on_the_timeline(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    actions.write_to_partner(session_id, user=None, text="Thank you for the quick answer.")
    last = partner.get(f"/sessions/{session_id}").json()["timeline"][-1]
    assert (last["type"], last["status"], last["summary"]) == (
        "staff.note",
        None,
        "Thank you for the quick answer.",
    )


def test_a_note_that_is_sent_twice_at_once_stands_there_once(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    for text in ("Thank you.", " Thank you. ", "Call us."):
        actions.write_to_partner(session_id, user=None, text=text)
    told = [each["summary"] for each in partner.get(f"/sessions/{session_id}").json()["timeline"][-2:]]
    assert told == ["Thank you.", "Call us."]


def test_the_same_note_is_written_again_later(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    actions.write_to_partner(session_id, user=None, text="Thank you.")
    with time_machine.travel(timezone.now() + actions.MOMENTS * 2):
        actions.write_to_partner(session_id, user=None, text="Thank you.")
    timeline = partner.get(f"/sessions/{session_id}").json()["timeline"]
    assert [each["summary"] for each in timeline[-2:]] == ["Thank you."] * 2


def test_work_on_what_is_sent_again_or_voided_is_done(partner: Api) -> None:
    corrected, voided = ended(partner, "REJECTED"), ended(partner, "DENIED")
    assert WorkItem.objects.filter(session__in=(corrected, voided), closed_at=None).count() == 2
    actions.resend(corrected, user=None, reason="member ID corrected")
    actions.void(voided, user=None, reason="billed by mistake")
    assert not WorkItem.objects.filter(session__in=(corrected, voided), closed_at=None).exists()


def test_a_partner_cannot_change_a_session_whose_resend_is_being_prepared(partner: Api) -> None:
    session_id = ended(partner, "REJECTED")
    actions.resend(session_id, user=None, reason="corrected")
    answer = partner.patch(f"/sessions/{session_id}", {"patient": {"lastName": "Smith"}})
    assert answer.status_code == 409


def test_an_override_ends_with_a_correction(partner: Api) -> None:
    short = {"session__durationMinutes": 20, "session__procedureCodes": [{"code": "90834"}]}
    session_id = submitted_and_run(partner, "PAID", **short)
    actions.override(session_id, rules=["CPT-002"], user=None, reason="the record says 38 minutes")
    answer = partner.patch(f"/sessions/{session_id}", {"session": {"procedureCodes": [{"code": "90837"}]}})
    assert answer.status_code == 200
    run_until_quiet()
    claim = newest(session_id)
    assert claim.step == Claim.Step.HELD
    assert "CPT-002" in {each.rule for each in claim.findings.filter(severity="E")}
    actions.override(session_id, rules=["CPT-002"], user=None, reason="the record says 55 minutes")
    run_until_quiet()
    assert newest(session_id).status == "paid"
