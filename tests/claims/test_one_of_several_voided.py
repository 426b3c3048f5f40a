"""What a session says while one of several versions of its claim is voided, and once it is."""

from uuid import UUID

import pytest
from django.utils import timezone

from claims import actions, pipeline, steps
from claims.clearinghouse.port import EditError, Refusal
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.models import Claim, WorkItem
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, newest, submitted_and_run
from tests.claims.test_another_payer import paid_by_both
from tests.claims.test_inbound import apply, payer_acknowledgement
from tests.claims.test_next_version import hand_over, late_and_paid_twice
from tests.claims.test_sent_again import group_refused
from tests.claims.test_void_told import message_of, told_of
from tests.claims.test_which_version import found_beside_a_rejected_one, rejected_beside_a_void

WHY = "refuses the claim: the member ID of the insured person isn't what the payer has (A7:164:IL)."
REFUSED = (
    f"{WHY} What usually helps: Compare it with the insurance card. Tell billing staff what you find out."
)
GIVEN_UP = "Billing staff do nothing more about it; the timeline says why."


def give_up(session_id: UUID) -> None:
    item = WorkItem.objects.get(session=session_id, queue="rejected", closed_at=None)
    ended = {"item": item.pk, "answer": item.signal_id, "reason": "written off"}
    Desk("billing").post("desk:session-done", session_id, **ended)


def test_a_void_of_one_of_two_paid_versions_is_told_as_such_all_along(partner: Api) -> None:
    session_id = late_and_paid_twice(partner)
    actions.void(session_id, user=None, reason="paid twice", version=1)
    asked = told_of(partner, session_id)["timeline"][-1]["summary"]
    assert asked == "Billing staff ask the payer to void one version of the claim: paid twice"
    pipeline.advance()
    assert message_of(partner, session_id) == (
        "The claim is paid. A request to void one version of it is on its way. Nothing to do."
    )
    hand_over()
    assert message_of(partner, session_id) == (
        "The claim is paid. The payer is asked to void one version of it. Nothing to do."
    )
    void = newest(session_id)
    apply(payer_acknowledgement(void, "A7:35"), "refused.edi")
    assert message_of(partner, session_id) == (
        "The claim is paid. A request to void one version of it is refused, so that one stays as it is; "
        "billing staff look into it. Nothing to do."
    )
    taken = payer_acknowledgement(void, "A2:20").replace("20300125", "20300126")
    apply(taken, "taken.edi")
    assert message_of(partner, session_id) == (
        "One version of the claim is voided, and the $155.00 paid for it are still to go back. Billing staff "
        "look into it. The claim is paid. Nothing to do."
    )


def test_the_second_of_two_payers_claims_is_one_version_too(partner: Api) -> None:
    session_id = paid_by_both(partner)
    actions.void(session_id, user=None, reason="not liable", version=2)
    hand_over()
    assert "is asked to void one version of it." in message_of(partner, session_id)


def test_a_void_of_the_only_one_that_counts_is_of_the_claim(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    apply(payer_acknowledgement(newest(session_id), "A7:164:IL"), "rejected.edi")
    actions.resend(session_id, user=None, reason="member ID corrected")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A2:20", payer_control_number="ICN2"), "taken.edi")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert message_of(partner, session_id).endswith("The payer is asked to void it. Nothing to do.")
    apply(payer_acknowledgement(newest(session_id), "A2:20"), "voided.edi")
    assert message_of(partner, session_id) == (
        "The claim is voided: nothing will be paid for it. Nothing to do."
    )


def test_what_another_payer_rejected_is_told_with_its_reason_once_the_void_is_done(partner: Api) -> None:
    session_id = rejected_beside_a_void(partner)
    voided = (
        "The earlier claim to AETNA is voided, and the $180.00 paid for it are still to go back. "
        "Billing staff look into it."
    )
    assert message_of(partner, session_id) == f"{voided} Magellan Healthcare {REFUSED}"
    give_up(session_id)
    assert message_of(partner, session_id) == f"{voided} Magellan Healthcare {WHY} {GIVEN_UP}"


def test_what_is_rejected_beside_a_void_is_told_with_its_reason_all_along(partner: Api) -> None:
    session_id = found_beside_a_rejected_one(partner)
    assert message_of(partner, session_id) == f"Aetna {REFUSED}"
    actions.void(session_id, user=None, reason="billed twice")
    pipeline.advance()
    assert message_of(partner, session_id) == (
        f"A request to void one version of the claim is on its way. Of the other: Aetna {REFUSED}"
    )
    hand_over()
    void = newest(session_id)
    assert message_of(partner, session_id) == (
        f"The payer is asked to void one version of the claim. Of the other: Aetna {REFUSED}"
    )
    apply(payer_acknowledgement(void, "A2:20"), "voided.edi")
    assert message_of(partner, session_id) == (
        f"One version of the claim is voided. Of the other: Aetna {REFUSED}"
    )


def test_what_is_rejected_beside_a_void_that_is_held_is_told_with_its_reason(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = found_beside_a_rejected_one(partner)
    refusal = Refusal(errors=(EditError(code="33", text="The file is refused."),))
    monkeypatch.setattr(SandboxClearinghouse, "submit", lambda gateway, submission: refusal)
    actions.void(session_id, user=None, reason="billed twice")
    hand_over()
    assert message_of(partner, session_id) == (
        "A request to void one version of the claim is held, and billing staff look at it. "
        f"Of the other: Aetna {REFUSED}"
    )


def test_what_is_rejected_beside_a_void_that_goes_out_again_is_told_with_its_reason(partner: Api) -> None:
    session_id = found_beside_a_rejected_one(partner)
    actions.void(session_id, user=None, reason="billed twice")
    hand_over()
    apply(group_refused(newest(session_id)), "unread.edi")
    actions.resend(session_id, user=None, reason="envelope mended")
    waits = f"A request to void one version of the claim is on its way. Of the other: Aetna {REFUSED}"
    assert (newest(session_id).status, message_of(partner, session_id)) == ("queued", waits)


def test_a_void_that_goes_out_again_still_waits_whatever_answer_comes_meanwhile(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    first = newest(session_id)
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    apply(group_refused(newest(session_id)), "unread.edi")
    actions.resend(session_id, user=None, reason="envelope mended")
    apply(payer_acknowledgement(first, "A1:19", sender="AY"), "late.edi")
    assert (newest(session_id).status, message_of(partner, session_id)) == (
        "queued",
        "The claim is paid. A request to void it is on its way. Nothing to do.",
    )
    assert not WorkItem.objects.filter(session=session_id, queue="transport", closed_at=None).exists()
    hand_over()
    assert newest(session_id).times_sent == 2


def trip_over_the_void(session_id: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a step of ours fail on it until it is held for a person."""

    def broken(*arguments: object, **named: object) -> None:
        raise ValueError

    monkeypatch.setattr(steps, "build_void", broken)
    for _ in range(3):
        pipeline.advance()
        Claim.objects.filter(next_step_at__isnull=False).update(next_step_at=timezone.now())
    assert newest(session_id).step == Claim.Step.HELD


def test_what_is_rejected_beside_a_void_that_we_trip_over_is_told_with_its_reason(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = found_beside_a_rejected_one(partner)
    actions.void(session_id, user=None, reason="billed twice")
    trip_over_the_void(session_id, monkeypatch)
    assert message_of(partner, session_id) == (
        "A request to void one version of the claim is held, and billing staff look at it. "
        f"Of the other: Aetna {REFUSED}"
    )


def test_what_we_trip_over_stays_with_staff_whatever_answer_comes_meanwhile(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = submitted_and_run(partner, "PARTIAL")
    first = newest(session_id)
    actions.void(session_id, user=None, reason="billed by mistake")
    trip_over_the_void(session_id, monkeypatch)
    apply(payer_acknowledgement(first, "A1:19", sender="AY"), "late.edi")
    assert list(
        WorkItem.objects.filter(session=session_id, queue="transport", closed_at=None).values_list(
            "reason", flat=True
        )
    ) == ["ValueError"]
