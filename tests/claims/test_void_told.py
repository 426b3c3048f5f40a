"""What a session says while a void of its claim is on its way, refused or taken."""

from typing import Any

import pytest

from claims import actions, pipeline
from claims.clearinghouse.port import EditError, Refusal
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from tests.cast import Api
from tests.claims.admin.staff import ended, item_of, newest, submitted_and_run
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_next_version import hand_over
from tests.claims.test_sent_again import group_refused


def told_of(partner: Api, session_id: object) -> dict[str, Any]:
    answer: dict[str, Any] = partner.get(f"/sessions/{session_id}").json()
    return answer


def last_status(told: dict[str, Any]) -> str:
    """The status that the timeline says last."""
    return [str(each["status"]) for each in told["timeline"] if each["status"]][-1]


@pytest.mark.parametrize("member_id", ["PARTIAL", "DENIED"])
def test_handing_a_void_over_moves_no_status(partner: Api, member_id: str) -> None:
    session_id = ended(partner, member_id)
    status = told_of(partner, session_id)["status"]
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    told = told_of(partner, session_id)
    assert (told["status"], last_status(told)) == (status, status)
    assert [(each["type"], each["status"]) for each in told["timeline"]][-1] == ("claim.submitted", None)
    apply(payer_acknowledgement(newest(session_id), "A7:35"), "refused.edi")
    told = told_of(partner, session_id)
    assert (told["status"], last_status(told)) == (status, status)


def test_a_payment_of_the_first_version_outlasts_the_new_envelope_of_the_second(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    first = newest(session_id)
    apply(payer_acknowledgement(first, "A7:164:IL"), "refused.edi")
    actions.resend(session_id, user=None, reason="member ID corrected")
    hand_over()
    apply(group_refused(newest(session_id)), "unread.edi")
    actions.resend(session_id, user=None, reason="envelope mended")
    hand_over()
    apply(remittance(first), "paid.edi")
    told = told_of(partner, session_id)
    assert (told["status"], last_status(told)) == ("paid", "paid")


def test_a_correction_says_that_it_is_submitted(partner: Api) -> None:
    session_id = ended(partner, "DENIED")
    actions.resend(session_id, user=None, reason="authorization granted")
    hand_over()
    told = told_of(partner, session_id)
    assert (told["status"], last_status(told)) == ("submitted", "submitted")


def kinds_of(told: dict[str, Any]) -> list[str]:
    return [each["type"] for each in told["timeline"]]


def test_a_void_that_is_refused_is_never_told_as_one(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    actions.void(session_id, user=None, reason="billed by mistake")
    asked = told_of(partner, session_id)["timeline"][-1]
    assert (asked["type"], asked["status"]) == ("claim.noted", None)
    assert asked["summary"] == "Billing staff ask the payer to void the claim: billed by mistake"
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A7:35"), "refused.edi")
    assert "claim.voided" not in kinds_of(told_of(partner, session_id))


def test_a_void_is_told_once_when_the_payer_takes_it(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A2:20"), "taken.edi")
    told = told_of(partner, session_id)
    assert (kinds_of(told).count("claim.voided"), kinds_of(told)[-1]) == (1, "claim.voided")
    assert (told["status"], last_status(told)) == ("rejected", "rejected")


def message_of(partner: Api, session_id: object) -> str:
    return str(told_of(partner, session_id)["message"])


def test_the_message_follows_a_void_until_it_is_refused(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    actions.void(session_id, user=None, reason="billed by mistake")
    pipeline.advance()
    assert message_of(partner, session_id) == (
        "The claim is paid. A request to void it is on its way. Nothing to do."
    )
    hand_over()
    void = newest(session_id)
    asked = "The claim is paid. The payer is asked to void it. Nothing to do."
    assert message_of(partner, session_id) == asked
    apply(payer_acknowledgement(void, "A1:19", sender="AY"), "passed-on.edi")
    assert (newest(session_id).status, message_of(partner, session_id)) == ("clearinghouse_accepted", asked)
    apply(payer_acknowledgement(void, "A7:35"), "refused.edi")
    assert message_of(partner, session_id) == (
        "The claim is paid. A request to void it is refused, so it stays paid; billing staff look into it. "
        "Nothing to do."
    )
    assert item_of(session_id).reason == "void_refused"


def test_the_message_of_an_accepted_claim_speaks_of_its_void(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    accepted = payer_acknowledgement(newest(session_id), "A2:20", payer_control_number="ICN1")
    apply(accepted, "accepted.edi")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert message_of(partner, session_id) == (
        "The payer has the claim. The payer is asked to void it. Nothing to do."
    )


def test_a_void_that_the_clearinghouse_refuses_at_its_door_is_no_correction(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = submitted_and_run(partner, "PARTIAL")
    refusal = Refusal(errors=(EditError(code="33", text="Jane Doe is no member."),))
    monkeypatch.setattr(SandboxClearinghouse, "submit", lambda gateway, submission: refusal)
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert message_of(partner, session_id) == (
        "The claim is paid. A request to void it is held, and billing staff look at it. Nothing to do."
    )


def test_what_was_recouped_already_is_not_waited_for_after_the_void(partner: Api) -> None:
    session_id = ended(partner, "PLB")
    told = told_of(partner, session_id)
    assert told["status"] == "paid"
    assert "What it paid and took back comes to $0.00; billing staff look into it." in told["message"]
    actions.void(session_id, user=None, reason="billed by mistake")
    run_until_quiet()
    assert message_of(partner, session_id) == (
        "The claim is voided: nothing will be paid for it. Nothing to do."
    )


def test_a_reversal_from_before_the_request_to_void_voids_nothing(partner: Api) -> None:
    session_id = ended(partner, "REVERSED")
    first = newest(session_id)
    before = told_of(partner, session_id)
    actions.void(session_id, user=None, reason="billed by mistake")
    apply(payer_acknowledgement(first, "A2:20"), "late.edi")
    told = told_of(partner, session_id)
    assert told["status"] == before["status"]
    assert "claim.voided" not in kinds_of(told)
