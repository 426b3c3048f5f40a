"""Held sessions that can't be billed: a person sets them aside, whatever holds them."""

import re
from uuid import UUID

import pytest
from django.utils import timezone

from claims import actions, history, intake
from claims.clearinghouse.port import EditError, Refusal
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.models import Claim, NoteReview, WorkItem
from claims.models.work import STILL_ASKS
from partners.commands import Exit
from sessions_app.models import SessionEvent
from sessions_app.submission import Correction
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, item_of, newest, submitted_and_run
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_sent_again import group_refused
from tests.operations.running import result

SET_ASIDE = (
    "The claim is denied. No correction of it is sent. Billing staff do nothing more about it; the timeline "
    "says why."
)
MOVED = {"practice": {"address": {"street": "14 Main St"}}}


def held(partner: Api) -> WorkItem:
    """The open work of a session that is that a rule holds."""
    item = item_of(ended(partner, "HELD"))
    assert item.queue == "held"
    return item


def test_what_still_asks_is_open_and_no_answer(db: None) -> None:
    for queue in WorkItem.Queue:
        for closed_at in (None, timezone.now()):
            WorkItem.objects.create(queue=queue, closed_at=closed_at)
    asking = list(WorkItem.objects.filter(STILL_ASKS).order_by("id"))
    assert asking == [each for each in WorkItem.objects.order_by("id") if each.still_asks]
    assert {each.queue for each in asking} == set(WorkItem.Queue) - {"answers"}


def test_a_held_session_that_cannot_be_billed_is_set_aside(partner: Api, billing: Desk) -> None:
    item = held(partner)
    assert "Nothing more to do…" in billing.page(item.session_id)
    answer = billing.post("desk:session-aside", item.session_id, reason="only a call")
    assert not WorkItem.objects.filter(session=item.session_id, closed_at=None).exists()
    assert NoteReview.objects.get().outcome == "not_billable"
    read = partner.get(f"/sessions/{item.session_id}").json()
    assert read["message"].startswith("Not billed. Billing staff do nothing more about it;")
    assert read["timeline"][-1]["summary"] == "Not billed: only a call"
    page = billing.client.get(answer["Location"]).content.decode()
    undo = re.search(r'<form class="notice success" method="post" action="([^"]+)"', page)
    assert undo
    billing.client.post(undo[1])
    run_until_quiet()
    assert item_of(item.session_id).reason == item.reason
    assert "Not billed" not in partner.get(f"/sessions/{item.session_id}").json()["message"]


def test_support_is_told_of_a_refusal_that_nothing_more_is_done_about_it(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "REJECTED"))
    assert result("explain_session", str(item.session_id)).code == Exit.ATTENTION
    given_up = {"item": item.pk, "answer": item.signal_id, "reason": "written off"}
    billing.post("desk:session-done", item.session_id, **given_up)
    assert result("explain_session", str(item.session_id)).code == 0


def test_it_needs_a_reason_and_the_session_as_it_is(partner: Api, billing: Desk) -> None:
    item = held(partner)
    billing.post("desk:session-aside", item.session_id, reason=" ")
    billing.post("desk:session-aside", item.session_id, reason="only a call", seen="7.1")
    assert item_of(item.session_id).pk == item.pk
    assert not SessionEvent.objects.filter(type="staff.note").exists()


def test_what_is_not_held_for_a_person_is_not_set_aside(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    billing.post("desk:session-aside", session_id, reason="no")
    assert item_of(session_id).queue == "rejected"
    assert not NoteReview.objects.exists()


def test_a_correction_of_the_partner_takes_it_up_again(partner: Api, billing: Desk) -> None:
    item = held(partner)
    billing.post("desk:session-aside", item.session_id, reason="only a call")
    assert "Set aside by" in billing.page(item.session_id)
    change = {"patient": {"insurance": {"memberId": "PAID1"}}}
    assert partner.patch(f"/sessions/{item.session_id}", change).status_code == 200
    run_until_quiet()
    assert newest(item.session_id).status == "paid"
    assert "Set aside by" not in billing.page(item.session_id)


def test_one_that_was_set_aside_and_is_held_anew_is_looked_at_as_others_are(
    partner: Api, billing: Desk
) -> None:
    item = held(partner)
    billing.post("desk:session-aside", item.session_id, reason="only a call")
    set_aside = Claim.objects.filter(session=item.session_id).annotate(is_asked=history.is_asked("session"))
    assert not set_aside.get().is_asked
    partner.patch(f"/sessions/{item.session_id}", {"patient": {"firstName": "June"}})
    run_until_quiet()
    assert item_of(item.session_id).queue == "held"
    assert set_aside.get().is_asked
    assert "Set aside by" not in billing.page(item.session_id)


@pytest.mark.parametrize("deed", ["release", "override"])
def test_a_page_from_before_it_was_set_aside_takes_nothing_up_again(
    partner: Api, billing: Desk, lead: Desk, deed: str
) -> None:
    item = held(partner)
    shown = re.search(r'name="seen" value="([^"]+)"', lead.page(item.session_id))
    assert shown
    billing.post("desk:session-aside", item.session_id, reason="only a call")
    fields = {"rule": item.reason, "reason": "it is fine", "seen": shown[1]}
    answer = lead.post(f"desk:session-{deed}", item.session_id, **fields)
    page = lead.client.get(answer["Location"]).content.decode()
    assert "It changed while you had it open. Nothing was done" in page
    read = partner.get(f"/sessions/{item.session_id}").json()
    assert read["message"].startswith("Not billed. Billing staff do nothing more about it;")
    assert newest(item.session_id).step == Claim.Step.HELD


def test_whoever_has_read_that_it_was_set_aside_may_release_it(partner: Api, billing: Desk) -> None:
    item = held(partner)
    billing.post("desk:session-aside", item.session_id, reason="only a call")
    shown = re.search(r'name="seen" value="([^"]+)"', billing.page(item.session_id))
    assert shown
    billing.post("desk:session-release", item.session_id, reason="it is to be billed", seen=shown[1])
    run_until_quiet()
    assert item_of(item.session_id).reason == item.reason


def test_a_correction_that_was_open_says_first_that_it_was_set_aside(partner: Api, billing: Desk) -> None:
    item = held(partner)
    session = newest(item.session_id).session
    member = "patient.insurance.memberId"
    typed = {member: "PAID1", f"was.{member}": session.member_id, "version": session.version}
    card = billing.post("desk:correct-preview", item.session_id, **typed).content.decode()
    digest = re.search(r'name="digest" value="([^"]+)"', card)
    assert digest
    billing.post("desk:session-aside", item.session_id, reason="only a call")
    answer = billing.post("desk:correct", item.session_id, **typed, digest=digest[1], save="1")
    assert (answer.status_code, newest(item.session_id).step) == (409, Claim.Step.HELD)
    assert "It was set aside. Saving takes it up again." in answer.content.decode()


def correction_set_aside(partner: Api, billing: Desk) -> UUID:
    """A denied session whose corrected claim was held, and set aside."""
    session_id = ended(partner, "DENIED")
    held_here = Correction(columns={"member_id": "HELD"})
    intake.correct_and_resend(session_id, correction=held_here, user=None, reason="read from the card")
    run_until_quiet()
    billing.post("desk:session-aside", session_id, reason="written off")
    assert message_of(partner, session_id) == SET_ASIDE
    return session_id


def message_of(partner: Api, session_id: UUID) -> str:
    return str(partner.get(f"/sessions/{session_id}").json()["message"])


def test_a_correction_that_was_set_aside_stays_so_whatever_else_is_settled(
    partner: Api, billing: Desk
) -> None:
    session_id = correction_set_aside(partner, billing)
    first = Claim.objects.get(session=session_id, version=1)
    apply(payer_acknowledgement(first, "A2:20"))
    assert message_of(partner, session_id) == SET_ASIDE
    assert not WorkItem.objects.filter(session=session_id, closed_at=None).exists()


def test_what_is_paid_after_all_leaves_a_correction_set_aside(partner: Api, billing: Desk) -> None:
    session_id = correction_set_aside(partner, billing)
    apply(remittance(Claim.objects.get(session=session_id, version=1), trace="ANEW"))
    assert message_of(partner, session_id) == SET_ASIDE.replace("denied", "paid")
    assert not WorkItem.objects.filter(session=session_id, closed_at=None, queue="held").exists()


def test_an_answer_that_decides_anew_brings_back_a_correction_that_was_set_aside(
    partner: Api, billing: Desk
) -> None:
    session_id = correction_set_aside(partner, billing)
    first = Claim.objects.get(session=session_id, version=1)
    denied = remittance(first, paid="0", copay="180.00", trace="ANEW").replace("CAS*PR*3", "CAS*CO*29")
    apply(denied.replace("*0*180.00*CI*", "*0*0*CI*"))
    item = item_of(session_id)
    assert (item.queue, item.reason) == ("held", "TEST-001")
    assert message_of(partner, session_id) == (
        "The claim is denied. A corrected claim is held, and billing staff look at it. Nothing to do."
    )


def test_a_correction_of_the_practice_doesnt_send_what_was_set_aside(partner: Api, billing: Desk) -> None:
    session_id = correction_set_aside(partner, billing)
    npi = newest(session_id).session.provider.npi
    assert partner.patch(f"/providers/{npi}", MOVED).status_code == 200
    run_until_quiet()
    assert (newest(session_id).step, message_of(partner, session_id)) == (Claim.Step.HELD, SET_ASIDE)
    assert not WorkItem.objects.filter(session=session_id, closed_at=None).exists()


def test_running_again_what_a_rule_holds_leaves_alone_what_was_set_aside(partner: Api, billing: Desk) -> None:
    item = held(partner)
    billing.post("desk:session-aside", item.session_id, reason="only a call")
    assert result("reprocess", "--held-by", item.reason).document == []
    assert newest(item.session_id).step == Claim.Step.HELD
    assert len(result("reprocess", str(item.session_id)).document) == 1


def test_support_reads_that_what_was_set_aside_waits_for_nobody(partner: Api, billing: Desk) -> None:
    item = held(partner)
    assert result("explain_session", str(item.session_id)).code == 4
    billing.post("desk:session-aside", item.session_id, reason="only a call")
    said = result("explain_session", str(item.session_id))
    assert said.code == 0
    assert "Billing staff set it aside: nothing more is done about it." in said.document["why"]


def test_taking_it_back_says_nothing_of_a_note(partner: Api, billing: Desk) -> None:
    item = held(partner)
    billing.post("desk:session-aside", item.session_id, reason="only a call")
    answer = billing.post("desk:review-undo", NoteReview.objects.get().pk)
    assert "note" not in partner.get(f"/sessions/{item.session_id}").json()["timeline"][-1]["summary"]
    assert "the note is read again" not in billing.client.get(answer["Location"]).content.decode()


def test_a_claim_that_was_sent_and_held_at_the_door_is_not_called_a_correction(
    partner: Api, billing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = submitted_and_run(partner, "SILENT")
    apply(group_refused(newest(session_id)))
    refusal = Refusal(errors=(EditError(code="33", text="Such a plan isn't taken."),))
    monkeypatch.setattr(SandboxClearinghouse, "submit", lambda gateway, submission: refusal)
    actions.resend(session_id, user=None, reason="envelope mended")
    run_until_quiet()
    assert item_of(session_id).queue == "refused"
    assert "the partner can still correct it" not in billing.page(session_id)
    billing.post("desk:session-aside", session_id, reason="no such plan")
    assert "A person has to look at it." not in billing.page(session_id)
    read = partner.get(f"/sessions/{session_id}").json()
    assert read["message"] == (
        "The claim was submitted, and is not sent again. "
        "Billing staff do nothing more about it; the timeline says why."
    )
    assert read["timeline"][-1]["summary"] == "The claim is not sent again: no such plan"
