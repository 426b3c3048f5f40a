"""Versions of a claim that are with payers side by side: none is billed twice, none forgotten."""

from uuid import UUID

import pytest

from claims import actions, intake, pipeline
from claims.models import Claim, WorkItem
from sessions_app.api.reading import read_correction
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.test_another_payer import AETNA, MAGELLAN, resent, sent_as
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_next_version import hand_over
from tests.claims.test_sent_again import group_refused
from tests.claims.test_which_version import version_of, voided


def lost(partner: Api) -> UUID:
    """The first version is with Aetna, which says that it has no such claim."""
    session_id = ended(partner, "SILENT")
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
    session_id = ended(partner, "PAID")
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
    session_id = ended(partner, "PAID")
    second = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(second, "A2:20"), "taken.edi")
    voided(session_id, 1)
    status, message = told(partner, session_id)
    assert status == "accepted"
    assert message.endswith("The payer has the claim. Nothing to do.")


def void_of_the_first_is_out(partner: Api, first: str = "PAID") -> tuple[UUID, Claim]:
    """Another payer has the second version, and the first payer is asked to void the first."""
    session_id = ended(partner, first)
    second = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(second, "A2:20", sender="AY"), "passed on.edi")
    actions.void(session_id, user=None, reason="billed to the wrong payer", version=1)
    hand_over()
    return session_id, second


def test_a_file_that_is_refused_while_the_first_version_is_voided_waits_for_staff(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    second = resent(session_id, MAGELLAN)
    actions.void(session_id, user=None, reason="billed to the wrong payer", version=1)
    hand_over()
    apply(group_refused(second), "unread.edi")
    assert open_queues(session_id) == ["transport"]


@pytest.mark.parametrize("first", ["PAID", "DENIED277"])
def test_a_claim_that_is_rejected_while_the_first_version_is_voided_waits_for_staff(
    partner: Api, first: str
) -> None:
    session_id, second = void_of_the_first_is_out(partner, first)
    apply(payer_acknowledgement(second, "A7:164:IL"), "rejected.edi")
    assert "rejected" in open_queues(session_id)


def test_a_refused_void_is_asked_about_beside_the_claim_that_was_rejected(partner: Api) -> None:
    session_id, second = void_of_the_first_is_out(partner)
    apply(payer_acknowledgement(second, "A7:164:IL"), "rejected.edi")
    apply(payer_acknowledgement(newest(session_id), "A7:35"), "void refused.edi")
    assert open_queues(session_id) == ["answers", "rejected"]


def test_what_a_void_on_its_way_takes_back_waits_for_nobody(partner: Api) -> None:
    session_id = ended(partner, "DENIED277")
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A2:20", sender="AY"), "passed on.edi")
    assert open_queues(session_id) == []


def test_a_given_up_claim_beside_a_void_on_its_way_says_nothing_of_a_file(partner: Api) -> None:
    session_id, second = void_of_the_first_is_out(partner)
    apply(payer_acknowledgement(second, "A7:164:IL"), "rejected.edi")
    give_up(session_id)
    assert told(partner, session_id)[1] == (
        "The claim is paid. The payer is asked to void the earlier claim to AETNA. Billing staff do nothing "
        "more about it; the timeline says why."
    )


# What stands before a file that was refused


def give_up(session_id: UUID) -> None:
    item = WorkItem.objects.get(session=session_id, queue__in=["transport", "rejected"], closed_at=None)
    ended = {"item": item.pk, "answer": item.signal_id, "reason": "the first one stands"}
    Desk("billing lead").post("desk:session-done", session_id, **ended)


@pytest.mark.parametrize(("first", "status"), [("PAID", "paid"), ("DENIED277", "denied")])
def test_the_judged_claim_stands_while_its_replacement_could_not_be_read(
    partner: Api, first: str, status: str
) -> None:
    session_id = ended(partner, first)
    resent(session_id, AETNA)
    assert told(partner, session_id)[0] == "submitted"
    unread(session_id)
    assert told(partner, session_id)[0] == status
    assert open_queues(session_id) == ["transport"]
    give_up(session_id)
    assert told(partner, session_id)[0] == status


def test_a_replacement_that_goes_again_is_on_its_way_again(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    resent(session_id, AETNA)
    unread(session_id)
    actions.resend(session_id, user=None, reason="file mended")
    hand_over()
    assert told(partner, session_id)[0] == "submitted"


def test_a_payer_that_voided_its_claim_gets_no_new_one_after_the_other_payers_next_rejection_either(
    partner: Api,
) -> None:
    session_id, second = void_of_the_first_is_out(partner)
    apply(payer_acknowledgement(second, "A7:164:IL"), "second.edi")
    apply(payer_acknowledgement(newest(session_id), "A2:20"), "voided.edi")
    fourth = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(fourth, "A7:164:IL"), "fourth.edi")
    with pytest.raises(actions.ActionRefusedError, match="has voided its claim and gets no new one"):
        resent(session_id, AETNA)
    assert newest(session_id).version == 4


def test_an_earlier_version_that_is_found_beside_one_that_was_taken_waits_for_staff_until_voided(
    partner: Api,
) -> None:
    session_id = lost(partner)
    second = resent(session_id, AETNA)
    apply(payer_acknowledgement(second, "A2:20"), "taken.edi")
    found(session_id)
    assert "Void one of the two" in Desk("billing").page(session_id)
    voided(session_id, 1)
    assert open_queues(session_id) == []


# Until when a claim can be filed


def test_money_that_a_payer_has_to_take_back_has_no_day_to_be_filed_by(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    voided(session_id)
    item = WorkItem.objects.get(session=session_id, closed_at=None)
    assert (item.reason, item.file_by) == ("payment_on_voided_claim", None)


def test_what_was_rejected_beside_a_void_keeps_its_last_day(partner: Api) -> None:
    session_id, second = void_of_the_first_is_out(partner)
    apply(payer_acknowledgement(second, "A7:164:IL"), "rejected.edi")
    apply(payer_acknowledgement(newest(session_id), "A2:20"), "voided.edi")
    last_days = dict(
        WorkItem.objects.filter(session=session_id, closed_at=None).values_list("queue", "file_by")
    )
    assert last_days["rejected"] == newest(session_id).file_by is not None
    assert last_days["answers"] is None


def test_a_refused_void_of_a_paid_claim_has_no_last_day(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A7:35"), "void refused.edi")
    item = WorkItem.objects.get(session=session_id, closed_at=None)
    assert (item.reason, item.file_by) == ("void_refused", None)


# A correction that waits here while its payer takes the void after all


@pytest.mark.parametrize("checked", [False, True], ids=["before its checks", "after them"])
def test_a_waiting_correction_is_held_when_its_payer_voids_the_claim(partner: Api, checked: bool) -> None:
    session_id = ended(partner, "PARTIAL")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    void = newest(session_id)
    apply(payer_acknowledgement(void, "A7:35"), "refused.edi")
    actions.resend(session_id, user=None, reason="group number corrected")
    if checked:
        for _ in range(3):
            pipeline.advance()
        assert newest(session_id).step == Claim.Step.SEND
    apply(payer_acknowledgement(void, "A2:20").replace("20300125", "20300126"), "taken.edi")
    hand_over()
    third = newest(session_id)
    assert (third.version, third.step) == (3, Claim.Step.HELD)
    assert "FRQ-001" in {row.rule for row in third.findings.filter(severity="E")}
    fourth = Claim.objects.get(pk=third.pk)
    insurance = {"payerName": MAGELLAN[0], "payerId": MAGELLAN[1]}
    correction, _ = read_correction({"patient": {"insurance": insurance}})
    intake.correct(session_id, partner_id=fourth.partner_id, correction=correction, by_staff=True)
    hand_over()
    assert sent_as(newest(session_id)) == (MAGELLAN[1], "1", "")


# A claim whose file was refused beside one that its payer has judged


@pytest.mark.parametrize("payer", [AETNA, MAGELLAN], ids=["a replacement", "to another payer"])
def test_a_claim_whose_file_was_refused_is_corrected_where_its_payer_denied_the_found_one(
    partner: Api, payer: tuple[str, str]
) -> None:
    session_id = unread_beside_a_found_one(partner)
    denied = remittance(version_of(session_id, 1), paid="0.00", copay="0.00")
    apply(denied.replace("CAS*PR*3*0.00", "CAS*CO*197*180.00"), "denied.edi")
    assert version_of(session_id, 1).status == "denied"
    page = Desk("billing lead").page(session_id)
    assert "Correct and resend" in page
    assert 'id="send-again"' not in page
    third = resent(session_id, payer)
    replaces = ("7", "PAYER77") if payer == AETNA else ("1", "")
    assert (third.version, sent_as(third)) == (3, (payer[1], *replaces))


def test_a_claim_whose_file_was_refused_stays_locked_while_another_version_is_unanswered(
    partner: Api,
) -> None:
    session_id = unread_beside_a_found_one(partner)
    assert "Correct and resend" not in Desk("billing lead").page(session_id)
