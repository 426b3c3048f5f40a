"""Versions of a claim that are with payers side by side: none is billed twice, none forgotten."""

from uuid import UUID

import pytest

from claims import actions, pipeline
from claims.models import Claim, WorkItem
from tests.cast import Api
from tests.claims.admin.staff import Desk, harborlight, newest, submitted_and_run
from tests.claims.test_another_payer import AETNA, MAGELLAN, resent
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_next_version import hand_over
from tests.claims.test_sent_again import group_refused
from tests.claims.test_which_version import version_of, voided


@pytest.fixture
def partner(db: None, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    settings.STAFF_SECOND_FACTOR = False
    return harborlight()


def lost(partner: Api) -> UUID:
    """The first version is with Aetna, which says that it has no such claim."""
    session_id = submitted_and_run(partner, "SILENT")
    apply(payer_acknowledgement(newest(session_id), "A4:35"), "lost.edi")
    return session_id


def found(session_id: UUID) -> None:
    """The first version is with Aetna after all."""
    first = version_of(session_id, 1)
    late = payer_acknowledgement(first, "A2:20", payer_control_number="ICN1").replace("20300125", "20300126")
    apply(late, "found.edi")


def unread(session_id: UUID) -> None:
    """The newest version's file was refused."""
    apply(group_refused(newest(session_id)), "unread.edi")
    assert newest(session_id).status == "transport_rejected"


def open_queues(session_id: UUID) -> list[str]:
    items = WorkItem.objects.filter(session=session_id, closed_at=None)
    return sorted(items.values_list("queue", flat=True))


# A claim whose file was refused


def unread_beside_a_found_one(partner: Api) -> UUID:
    session_id = lost(partner)
    actions.resend(session_id, user=None, reason="the payer has no such claim")
    hand_over()
    unread(session_id)
    found(session_id)
    return session_id


def test_a_claim_whose_file_was_refused_stays_while_another_version_is_unanswered(partner: Api) -> None:
    session_id = unread_beside_a_found_one(partner)
    with pytest.raises(actions.ActionRefusedError, match="hasn't answered it yet"):
        actions.resend(session_id, user=None, reason="file mended")


def test_a_claim_whose_file_was_refused_stays_where_its_payer_has_paid_another_version(partner: Api) -> None:
    session_id = unread_beside_a_found_one(partner)
    apply(remittance(version_of(session_id, 1)), "paid.edi")
    with pytest.raises(actions.ActionRefusedError, match="would bill the service twice"):
        actions.resend(session_id, user=None, reason="file mended")


def test_send_again_is_not_offered_beside_a_paid_version_and_the_list_says_why(partner: Api) -> None:
    session_id, lead = unread_beside_a_found_one(partner), Desk("billing lead")
    apply(remittance(version_of(session_id, 1)), "paid.edi")
    assert 'id="send-again"' not in lead.page(session_id)
    item = WorkItem.objects.get(session=session_id, queue="transport", closed_at=None)
    preview = lead.post("desk:bulk", "transport", item=item.pk, deed="resend").content.decode()
    assert "Stays: Its payer has judged another version" in preview


@pytest.mark.parametrize("payer", [AETNA, MAGELLAN], ids=["a replacement", "to another payer"])
def test_a_claim_whose_file_was_refused_goes_again_after_a_judged_one(
    partner: Api, payer: tuple[str, str]
) -> None:
    session_id = submitted_and_run(partner, "PAID")
    resent(session_id, payer)
    unread(session_id)
    actions.resend(session_id, user=None, reason="file mended")
    hand_over()
    assert (newest(session_id).version, newest(session_id).status) == (2, "sent")


# A correction that waits here


@pytest.mark.parametrize("checked", [False, True], ids=["before its checks", "after them"])
@pytest.mark.parametrize("payer", [AETNA, MAGELLAN], ids=["same payer", "another"])
def test_a_waiting_correction_is_held_when_an_earlier_version_is_found(
    partner: Api, payer: tuple[str, str], checked: bool
) -> None:
    session_id = lost(partner)
    second = resent(session_id, payer)
    apply(payer_acknowledgement(second, "A7:164:IL"), "rejected.edi")
    actions.resend(session_id, user=None, reason="member ID corrected")
    if checked:
        for _ in range(3):
            pipeline.advance()
        assert newest(session_id).step == Claim.Step.SEND
    found(session_id)
    hand_over()
    third = newest(session_id)
    assert (third.version, third.step) == (3, Claim.Step.HELD)
    assert "FRQ-001" in {row.rule for row in third.findings.filter(severity="E")}


# What stands beside a void


def told(partner: Api, session_id: UUID) -> tuple[str, str]:
    session = partner.get(f"/sessions/{session_id}").json()
    return session["status"], session["message"]


def test_a_claim_that_another_payer_decides_on_is_not_rejected_by_the_void_of_the_first(partner: Api) -> None:
    session_id = submitted_and_run(partner, "PAID")
    second = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(second, "A2:20"), "taken.edi")
    voided(session_id, 1)
    status, message = told(partner, session_id)
    assert status == "accepted"
    assert message.endswith("The payer has the claim. Nothing to do.")
