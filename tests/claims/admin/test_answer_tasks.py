"""What answers ask of a person beside the claim's own course: said with its amount, done, taken up again."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.utils import timezone

from claims import actions, assignment, intake
from claims.models import Claim, WorkItem
from sessions_app.models import SessionChange
from sessions_app.submission import Correction
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.process import run_until_quiet
from tests.claims.test_another_payer import MAGELLAN, resent
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_sent_again import group_refused


def adjusted(partner: Api, *, amount: str = "55.00", member_id: str = "SILENT") -> WorkItem:
    """The open work of a paid claim of which the payer recovers money from another payment."""
    claim = newest(ended(partner, member_id))
    apply(remittance(claim, paid="180.00", copay="0"))
    take_back(claim, amount)
    return WorkItem.objects.get(session=claim.session_id, queue="answers", closed_at=None)


def take_back(claim: Claim, amount: str, *, trace: str = "T2", of: str = "PAYER77") -> None:
    """A later remittance, of another's claim, with what it keeps on account of this one."""
    text = remittance(claim, number="NOTOURS", trace=trace, transfer=str(155 - Decimal(amount)))
    text = text.replace("*CI*PAYER77*", "*CI*ANOTHER9*").replace("~REF*6R*", "~REF*6R*X")
    apply(text.replace("~SE*", f"~PLB*1999999984*20301231*WO:{of}*{amount}~SE*"))


def test_an_adjustment_says_its_amount_and_what_to_do(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    words = "Aetna kept $55.00 from another payment on account of this claim: an earlier overpayment"
    assert item.summary.startswith(words)
    page = billing.page(item.session_id)
    assert words in page
    assert "book it with the practice" in page
    assert newest(item.session_id).status == "paid"


def test_a_person_says_that_it_is_done(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    billing.post("desk:session-done", item.session_id, item=item.pk, reason="booked with the practice")
    item.refresh_from_db()
    assert item.closed_at
    assert item.assignee == billing.user
    page = billing.page(item.session_id)
    assert "Maya was done with an answer<small>“booked with the practice”</small>" in page.replace(" <", "<")
    assert 'name="reason" type="text" maxlength="180"' not in page


def test_what_is_done_stays_done_and_the_next_answer_opens(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    billing.post("desk:session-done", item.session_id, item=item.pk)
    apply(payer_acknowledgement(newest(item.session_id), "A2:20"))
    assert not WorkItem.objects.filter(session=item.session_id, closed_at=None).exists()
    take_back(newest(item.session_id), "20.00", trace="T3")
    again = WorkItem.objects.get(session=item.session_id, closed_at=None)
    assert again.summary.startswith("Aetna kept $20.00")


def test_what_was_done_is_taken_up_again(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    answer = billing.post("desk:session-done", item.session_id, item=item.pk)
    offered = billing.client.get(answer["Location"]).content.decode()
    assert f"/sessions_app/session/{item.session_id}/undone/" in offered
    billing.post("desk:session-undone", item.session_id, item=item.pk)
    assert WorkItem.objects.get(session=item.session_id, closed_at=None).summary == item.summary
    labels = SessionChange.objects.filter(pgh_obj=item.session_id).values_list("pgh_label", flat=True)
    assert {"ended", "took_up"} <= set(labels)


def test_amounts_that_do_not_fit_are_said_and_a_person_ends_them(partner: Api, billing: Desk) -> None:
    claim = newest(ended(partner, "SILENT"))
    apply(remittance(claim).replace("*1*180.00*", "*4*180.00*"))
    item = WorkItem.objects.get(session=claim.session_id, queue="answers", closed_at=None)
    said = "The amounts of the remittance don't fit the claim. Aetna paid $155.00 of $180.00 charged."
    assert item.summary == said
    assert "ask the payer where it is wrong" in billing.page(claim.session_id)
    billing.post("desk:session-done", claim.session_id, item=item.pk)
    apply(payer_acknowledgement(claim, "A2:20"))
    assert not WorkItem.objects.filter(session=claim.session_id, queue="answers", closed_at=None).exists()


def test_what_was_taken_back_is_said_without_a_sign(partner: Api) -> None:
    claim = newest(ended(partner, "SILENT"))
    apply(remittance(claim), "paid.edi")
    lower = remittance(claim, paid="-100.00", copay="-80.00", trace="T2").replace(
        "*1*180.00*", "*22*-180.00*"
    )
    apply(lower.replace("HC:90837*180.00", "HC:90837*-180.00"), "reversed.edi")
    item = WorkItem.objects.get(session=claim.session_id, queue="answers", closed_at=None)
    said = "The amounts of the remittance don't fit the claim. Aetna took $100.00 back of $180.00 charged."
    assert item.summary == said


def test_what_an_answer_ends_has_no_such_button(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    WorkItem.objects.filter(pk=item.pk).update(reason="claim_not_found")
    assert "/done/" not in billing.page(item.session_id)


@pytest.mark.parametrize("role", ["support", "administrator"])
def test_who_does_no_claims_work_ends_nothing(partner: Api, role: str) -> None:
    item = adjusted(partner)
    assert Desk(role).post("desk:session-done", item.session_id, item=item.pk).status_code == 403


def test_a_void_leaves_open_what_an_answer_asks(partner: Api, billing: Desk, lead: Desk) -> None:
    item = adjusted(partner)
    billing.post("desk:session-take", item.session_id, item=item.pk)
    lead.post("desk:session-void", item.session_id, reason="billed by mistake")
    item.refresh_from_db()
    assert (item.closed_at, item.assignee) == (None, billing.user)


def test_what_rests_comes_back_when_an_answer_arrives(partner: Api, billing: Desk) -> None:
    claim = newest(ended(partner, "DENIED"))
    item = WorkItem.objects.get(session=claim.session_id, closed_at=None)
    rests = timezone.now() + timedelta(days=30)
    assignment.snooze([item.pk], user=billing.user, until=rests, reason="the payer decides anew")
    apply(payer_acknowledgement(claim, "F2:585"))
    item.refresh_from_db()
    assert (item.snoozed_until, item.closed_at, item.assignee) == (None, None, billing.user)


def given_up(partner: Api, billing: Desk, member_id: str, **fields: str) -> WorkItem:
    """A refusal that a person does nothing more about."""
    item = item_of(ended(partner, member_id))
    asked = {"answer": item.signal_id, "reason": "written off with the practice", **fields}
    billing.post("desk:session-done", item.session_id, item=item.pk, **asked)
    item.refresh_from_db()
    return item


@pytest.mark.parametrize("member_id", ["DENIED", "REJECTED", "UNKNOWN", "BAD999"])
def test_a_refusal_that_nothing_more_is_done_about_is_off_the_list(
    partner: Api, billing: Desk, member_id: str
) -> None:
    item = given_up(partner, billing, member_id)
    assert (item.assignee, item.outcome) == (billing.user, "Done: written off with the practice")
    assert not WorkItem.objects.filter(session=item.session_id, closed_at=None).exists()
    read = partner.get(f"/sessions/{item.session_id}").json()
    assert read["message"].endswith("Billing staff do nothing more about it; the timeline says why.")
    assert "Billing staff take care" not in read["message"]
    assert "send it again" not in read["message"]
    assert "then tell billing staff" not in read["message"].lower()
    assert (
        read["timeline"][-1]["summary"]
        == "Billing staff do nothing more about it: written off with the practice"
    )
    assert "written off with the practice" in billing.page(item.session_id)


def test_a_refusal_stays_given_up_until_another_answer_decides(partner: Api, billing: Desk) -> None:
    item = given_up(partner, billing, "DENIED")
    claim = newest(item.session_id)
    message = partner.get(f"/sessions/{item.session_id}").json()["message"]
    apply(payer_acknowledgement(claim, "A2:20"))
    assert not WorkItem.objects.filter(session=item.session_id, closed_at=None).exists()
    assert partner.get(f"/sessions/{item.session_id}").json()["message"] == message
    denied = remittance(claim, paid="0", copay="180.00", trace="ANEW").replace("CAS*PR*3", "CAS*CO*29")
    apply(denied.replace("*0*180.00*CI*", "*0*0*CI*"))
    again = WorkItem.objects.get(session=item.session_id, closed_at=None)
    assert (again.queue, again.reason) == ("denied", "CO-29")


@pytest.mark.parametrize("member_id", ["DENIED", "BAD999"])
def test_that_nothing_more_is_done_can_be_taken_back(partner: Api, billing: Desk, member_id: str) -> None:
    item = given_up(partner, billing, member_id)
    billing.post("desk:session-undone", item.session_id, item=item.pk)
    assert item_of(item.session_id).signal_id == item.signal_id
    read = partner.get(f"/sessions/{item.session_id}").json()
    assert "do nothing more" not in read["message"]
    assert read["timeline"][-1]["summary"] == "Billing staff took it up again."


def test_what_was_sent_again_meanwhile_is_not_told_as_taken_up_again(partner: Api, lead: Desk) -> None:
    item = given_up(partner, lead, "DENIED")
    lead.post("desk:session-resend", item.session_id, reason="it goes again after all")
    answer = lead.post("desk:session-undone", item.session_id, item=item.pk)
    assert "It is open again." not in lead.client.get(answer["Location"]).content.decode()
    timeline = partner.get(f"/sessions/{item.session_id}").json()["timeline"]
    assert "took it up again" not in timeline[-1]["summary"]


@pytest.mark.parametrize("fields", [{"reason": " "}, {"answer": "1"}, {"answer": ""}])
@pytest.mark.parametrize("member_id", ["DENIED", "BAD999"])
def test_a_refusal_is_given_up_with_a_reason_and_as_the_page_showed_it(
    partner: Api, billing: Desk, member_id: str, fields: dict[str, str]
) -> None:
    assert given_up(partner, billing, member_id, **fields).closed_at is None


def test_a_claim_that_was_given_up_can_still_be_corrected(partner: Api, lead: Desk) -> None:
    item = given_up(partner, lead, "DENIED")
    lead.post("desk:session-resend", item.session_id, reason="it goes again after all")
    assert newest(item.session_id).version == 2


def test_a_refusal_is_not_ended_as_other_answers_are(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "DENIED"))
    billing.post("desk:session-done", item.session_id, item=item.pk)
    assert item_of(item.session_id).pk == item.pk


def test_a_refusal_whose_answer_was_not_kept_with_its_item_can_be_given_up(
    partner: Api, billing: Desk
) -> None:
    item = item_of(ended(partner, "DENIED"))
    WorkItem.objects.filter(pk=item.pk).update(signal=None)
    billing.post("desk:session-done", item.session_id, item=item.pk, answer="", reason="written off")
    assert not WorkItem.objects.filter(session=item.session_id, closed_at=None).exists()
    assert "do nothing more" in partner.get(f"/sessions/{item.session_id}").json()["message"]


def test_what_the_patient_pays_is_still_to_be_collected_once_it_is_given_up(
    partner: Api, billing: Desk
) -> None:
    session_id = ended(partner, "SILENT")
    denied = remittance(newest(session_id), paid="0", copay="180.00").replace("CAS*PR*3", "CAS*PR*204")
    apply(denied)
    item = item_of(session_id)
    billing.post("desk:session-done", session_id, item=item.pk, answer=item.signal_id, reason="no cover")
    read = partner.get(f"/sessions/{session_id}").json()
    assert read["message"].endswith(
        "Collect it from the patient. Billing staff do nothing more about it; the timeline says why."
    )


def test_the_page_of_a_held_correction_goes_by_what_holds_it(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    held_here = Correction(columns={"member_id": "HELD"})
    intake.correct_and_resend(item.session_id, correction=held_here, user=None, reason="read from the card")
    run_until_quiet()
    call_command("after_restore")
    assert "compare it with the clearinghouse" in billing.page(item.session_id)


@pytest.mark.parametrize("member_id", ["HELD", "PAID"])
def test_a_correction_leaves_open_what_an_answer_asks(partner: Api, billing: Desk, member_id: str) -> None:
    item = adjusted(partner)
    held_here = Correction(columns={"member_id": "HELD"})
    intake.correct_and_resend(item.session_id, correction=held_here, user=None, reason="read from the card")
    run_until_quiet()
    correction = Correction(columns={"member_id": member_id})
    intake.correct(item.session_id, partner_id=item.partner_id, correction=correction, by_staff=True)
    run_until_quiet()
    item.refresh_from_db()
    assert item.closed_at is None


def test_a_refused_file_stays_given_up_however_often_its_refusal_comes(partner: Api, billing: Desk) -> None:
    item = given_up(partner, billing, "BAD999")
    claim = newest(item.session_id)
    message = partner.get(f"/sessions/{item.session_id}").json()["message"]
    assert message == (
        "The clearinghouse can't read the claim's file, and the claim is not sent again. "
        "Billing staff do nothing more about it; the timeline says why."
    )
    apply(group_refused(claim), "again.edi")
    apply(payer_acknowledgement(claim, "A2:20", sender="AY").replace("A2:20*", "A4:35*"), "not there.edi")
    assert not WorkItem.objects.filter(session=item.session_id, closed_at=None, queue="transport").exists()
    assert partner.get(f"/sessions/{item.session_id}").json()["message"] == message


def test_a_claim_of_a_file_given_up_that_the_payer_has_after_all_is_followed(
    partner: Api, billing: Desk
) -> None:
    item = given_up(partner, billing, "BAD999")
    apply(payer_acknowledgement(newest(item.session_id), "A2:20"))
    read = partner.get(f"/sessions/{item.session_id}").json()
    assert (read["status"], "nothing more" in read["message"]) == ("accepted", False)


def test_a_file_given_up_can_still_be_sent_again_and_is_asked_about_where_it_is_refused_again(
    partner: Api, lead: Desk
) -> None:
    item = given_up(partner, lead, "BAD999")
    lead.post("desk:session-resend", item.session_id, reason="it goes again after all")
    assert partner.get(f"/sessions/{item.session_id}").json()["message"] == (
        "The claim is submitted, and billing staff send it once more. Nothing to do."
    )
    run_until_quiet()
    again = item_of(item.session_id)
    assert (again.queue, again.reason, again.pk > item.pk) == ("transport", "transport_rejected", True)


def test_a_void_whose_file_was_refused_can_be_given_up(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "SILENT")
    apply(remittance(newest(session_id)))
    lead.post("desk:session-void", session_id, reason="billed by mistake")
    run_until_quiet()
    apply(group_refused(newest(session_id)))
    item = item_of(session_id)
    lead.post("desk:session-done", session_id, item=item.pk, answer=item.signal_id, reason="it stands")
    read = partner.get(f"/sessions/{session_id}").json()
    assert (read["status"], read["message"]) == (
        "paid",
        "The claim is paid. The request to void it can't be read, and is not sent again. "
        "Billing staff do nothing more about it; the timeline says why.",
    )


def test_no_other_failure_of_transport_is_ended_so(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "BAD999"))
    WorkItem.objects.filter(pk=item.pk).update(reason="connection_lost")
    assert "Nothing more to do…" not in billing.page(item.session_id)
    given_up = {"item": item.pk, "answer": item.signal_id, "reason": "no"}
    billing.post("desk:session-done", item.session_id, **given_up)
    item.refresh_from_db()
    assert item.closed_at is None


def test_a_claim_of_a_file_given_up_still_holds_a_second_one_for_its_service(
    partner: Api, billing: Desk
) -> None:
    given_up(partner, billing, "BAD999")
    second = newest(ended(partner, "BAD999"))
    assert "DUP-001" in {row.rule for row in second.findings.filter(severity="E")}


NO_LIST, STAYS_OPEN = "is on no list any more", "This stays open: "


def test_ending_a_refusal_says_what_stays_open_about_an_earlier_version(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "DENIED")
    assert NO_LIST in billing.page(session_id)
    first = newest(session_id)
    actions.resend(session_id, user=None, reason="corrected")
    run_until_quiet()
    take_back(first, "55.00", of=first.payer_control_number)
    page = billing.page(session_id)
    assert {each.queue for each in WorkItem.objects.filter(session=session_id, closed_at=None)} == {
        "answers",
        "denied",
    }
    assert NO_LIST not in page
    assert f"{STAYS_OPEN}Aetna kept $55.00" in page


def test_setting_a_held_correction_aside_says_what_stays_open(partner: Api, billing: Desk) -> None:
    item = adjusted(partner)
    held_here = Correction(columns={"member_id": "HELD"})
    intake.correct_and_resend(item.session_id, correction=held_here, user=None, reason="read from the card")
    run_until_quiet()
    page = billing.page(item.session_id)
    assert NO_LIST not in page
    assert f"{STAYS_OPEN}Aetna kept $55.00" in page


def due_soon(partner: Api) -> Claim:
    """A claim on its way whose time to file ends in a week."""
    claim = newest(ended(partner, "SILENT"))
    Claim.objects.filter(pk=claim.pk).update(file_by=timezone.localdate() + timedelta(days=7))
    return claim


def rests(desk: Desk, item: WorkItem, *, days: int) -> bool:
    until = (timezone.localdate() + timedelta(days=days)).isoformat()
    desk.post("desk:session-snooze", item.session_id, item=item.pk, until=until)
    item.refresh_from_db()
    return item.snoozed_until is not None


def test_what_is_left_of_a_paid_claim_has_no_deadline(partner: Api, billing: Desk) -> None:
    claim = due_soon(partner)
    apply(remittance(claim, paid="180.00", copay="0"))
    take_back(claim, "55.00")
    item = item_of(claim.session_id)
    assert item.file_by is None
    assert str(item.session_id) not in billing.get("desk:queue", "deadlines").content.decode()
    assert rests(billing, item, days=30)


def test_once_its_payment_is_taken_back_the_claim_is_due_again(partner: Api, billing: Desk) -> None:
    claim = due_soon(partner)
    apply(remittance(claim, paid="180.00", copay="0"))
    take_back(claim, "55.00")
    item = item_of(claim.session_id)
    denied = remittance(claim, paid="0", copay="180.00", trace="ANEW").replace("CAS*PR*3", "CAS*CO*29")
    denied = denied.replace("*0*180.00*CI*", "*0*0*CI*").replace("20300120", "20300220")
    apply(denied, "denied.edi")
    open_now = WorkItem.objects.filter(session=claim.session_id, closed_at=None)
    assert set(open_now.values_list("file_by", flat=True)) == {timezone.localdate() + timedelta(days=7)}
    assert not rests(billing, item, days=30)


def test_a_denied_claim_that_another_payer_has_paid_keeps_its_deadline(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "PAID")
    resent(session_id, MAGELLAN, "SILENT")
    second = newest(session_id)
    Claim.objects.filter(pk=second.pk).update(file_by=timezone.localdate() + timedelta(days=7))
    denied = remittance(second, paid="0", copay="0", payer=MAGELLAN[1]).replace("PAYER77", "MAG88")
    apply(denied.replace("CAS*PR*3*0~", "CAS*CO*109*180.00~"), "denied.edi")
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"
    for item in WorkItem.objects.filter(session=session_id, closed_at=None):
        assert not rests(billing, item, days=30)


def test_a_request_for_information_says_what_is_asked_for(partner: Api, billing: Desk) -> None:
    claim = newest(ended(partner, "SILENT"))
    asks = payer_acknowledgement(claim, "R4:297").replace("005010X214", "005010X212").replace("*TH~", "*DG~")
    apply(asks)
    words = "Aetna asks for more information: the payer wants the note (R4:297)."
    assert item_of(claim.session_id).summary == words
    assert words in billing.page(claim.session_id)
    told = partner.get(f"/sessions/{claim.session_id}").json()["timeline"][-1]
    assert told["summary"] == f"{words} Billing staff answer it."
