"""One deed for many items: preview, deed, result; a line for each."""

import re

import pytest
from django.db import connection
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from claims import pipeline
from claims.models import Claim, WorkItem
from sessions_app.models import Session, SessionEvent
from tests.claims.admin import queries
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.admin.work import open_item
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement

AGAIN = "Will be sent: version 2, a new claim. Nothing on the claim has changed since it was rejected."


def test_what_was_corrected_since_is_not_said_to_be_unchanged(partner, lead):
    session_id = ended(partner, "REJECTED")
    Session.objects.filter(pk=session_id).update(member_id="W123456789")
    answer = lead.post("desk:bulk", "rejected", deed="resend", item=[item_of(session_id).pk])
    [line] = answer.context["lines"]
    assert line.words == "Will be sent: version 2, a new claim."


def test_a_denial_that_nobody_has_corrected_is_said_to_be_unchanged(partner, lead):
    answer = lead.post("desk:bulk", "denied", deed="resend", item=[item_of(ended(partner, "DENIED")).pk])
    [line] = answer.context["lines"]
    assert line.words == (
        "Will be sent: version 2, a replacement of the judged one. "
        "Nothing on the claim has changed since it was denied."
    )


def test_what_can_be_sent_and_what_stays_is_said_before(partner, lead):
    rejected = item_of(ended(partner, "REJECTED"))
    held = open_item(partner, "held")
    Claim.objects.filter(session_id=held.session_id).update(status="held")
    answer = lead.post("desk:bulk", "rejected", deed="resend", item=[rejected.pk, held.pk])
    lines = {line.row.item.pk: line for line in answer.context["lines"]}
    assert lines[rejected.pk].words == AGAIN
    assert lines[held.pk].refusal
    assert lines[held.pk].words.startswith("Stays: No answer to correct yet")
    assert Claim.objects.filter(version=2).count() == 0


def test_what_a_rule_would_hold_is_said_before_and_stays(partner, lead):
    held, sent = (ended(partner, f"REJECTED{letter}") for letter in "BC")
    Session.objects.filter(pk=held).update(member_id="HELD")
    items = {session_id: item_of(session_id) for session_id in (held, sent)}
    answer = lead.post("desk:bulk", "rejected", deed="resend", item=[each.pk for each in items.values()])
    lines = {line.row.item.session_id: line for line in answer.context["lines"]}
    assert lines[sent].words == AGAIN
    assert lines[held].refusal
    assert lines[held].words.startswith("Stays: it would be held. ")
    assert lines[held].words.endswith(" (TEST-001)")
    page = answer.content.decode()
    assert f'name="item" value="{items[sent].pk}"' in page
    assert f'name="item" value="{items[held].pk}"' not in page
    assert Claim.objects.filter(version=2).count() == 0


def test_a_second_claim_for_a_service_that_is_with_its_payer_is_said_before(partner, lead):
    rejected = item_of(ended(partner, "REJECTED"))
    Claim.objects.filter(session=ended(partner, "SILENT")).update(status="sent")
    Session.objects.filter(pk=rejected.session_id).update(
        **Session.objects.exclude(pk=rejected.session_id).values("member_id", "member_id_index").get()
    )
    answer = lead.post("desk:bulk", "rejected", deed="resend", item=[rejected.pk])
    [line] = answer.context["lines"]
    assert line.words.startswith("Stays: it would be held. Another session already bills 90837")


def test_what_a_lead_has_let_go_is_not_held_again(partner, lead):
    session_id = ended(partner, "HELD")
    lead.post("desk:session-override", session_id, rule="TEST-001", reason="rehearsed on the phone")
    run_until_quiet()
    apply(payer_acknowledgement(newest(session_id), "A7:164:IL"), "refused.edi")
    Claim.objects.filter(session=session_id).update(status="payer_rejected")
    answer = lead.post("desk:bulk", "rejected", deed="resend", item=[open_item_of(session_id).pk])
    assert [line.words for line in answer.context["lines"]] == [AGAIN]


def open_item_of(session_id):
    """The session's open work, or one that stands for it."""
    found = WorkItem.objects.filter(session_id=session_id, closed_at=None).first()
    return found or WorkItem.objects.create(queue="rejected", session_id=session_id)


@pytest.mark.parametrize(
    ("ends", "key"), [("REJECTED", "rejected"), ("DENIED", "denied"), ("BAD999", "transport")]
)
def test_the_preview_of_many_asks_as_much_as_that_of_few(partner, lead, ends, key):
    items = [item_of(ended(partner, f"{ends}{digit}")).pk for digit in range(4)]
    two, four = (
        queries.of(lambda chosen=chosen: lead.post("desk:bulk", key, deed="resend", item=chosen))
        for chosen in (items[:2], items)
    )
    assert four == two


def test_sending_again_does_it_and_keeps_the_result(partner, lead):
    items = [item_of(ended(partner, f"REJECTED{letter}")) for letter in "BC"]
    answer = lead.post("desk:bulk_do", "rejected", deed="resend", item=[i.pk for i in items], text="mended")
    result = lead.client.get(answer["Location"])
    assert [line.words for line in result.context["lines"]] == ["On its way again."] * 2
    assert Claim.objects.filter(version=2, frequency="1").count() == 2
    assert lead.client.get(answer["Location"]).status_code == 200


def test_why_many_are_sent_again_is_kept_and_not_told_to_the_partner(partner, lead):
    item = item_of(ended(partner, "REJECTED"))
    preview = lead.post("desk:bulk", "rejected", deed="resend", item=[item.pk])
    assert "the partner doesn&#x27;t see it" in preview.content.decode()
    lead.post("desk:bulk_do", "rejected", deed="resend", item=[item.pk], text="the front desk, again")
    told = SessionEvent.objects.get(session=item.session_id, type="claim.corrected").summary
    assert told == "Version 2, a new claim, follows: sent again by billing staff."
    read = partner.get(f"/sessions/{item.session_id}")
    assert "the front desk, again" not in read.content.decode()
    assert "the front desk, again" in lead.page(item.session_id)


def test_what_changed_since_the_preview_stays(partner, lead):
    item, other = (item_of(ended(partner, f"REJECTED{letter}")) for letter in "BC")
    preview = lead.post("desk:bulk", "rejected", deed="resend", item=[item.pk, other.pk]).content.decode()
    seen = dict(re.findall(r'name="(seen\.\d+)" value="([^"]+)"', preview))
    Session.objects.filter(pk=item.session_id).update(version=F("version") + 1)
    answer = lead.post(
        "desk:bulk_do", "rejected", deed="resend", item=[item.pk, other.pk], text="mended", **seen
    )
    lines = {line.row.item.pk: line.words for line in lead.client.get(answer["Location"]).context["lines"]}
    assert lines[item.pk].startswith("It changed while you had it open.")
    assert lines[other.pk] == "On its way again."


def test_a_result_is_only_for_whoever_did_it(partner, lead, billing):
    item = open_item(partner)
    answer = lead.post("desk:bulk", "rejected", deed="take", item=[item.pk])
    assert billing.client.get(answer["Location"]).status_code == 404


def test_sending_again_needs_a_reason(partner, lead):
    item = item_of(ended(partner, "REJECTED"))
    lead.post("desk:bulk_do", "rejected", deed="resend", item=[item.pk], text=" ")
    assert not Claim.objects.filter(version=2).exists()


def test_one_that_refuses_does_not_hold_up_the_others(partner, lead):
    sent = item_of(ended(partner, "REJECTED"))
    silent = open_item(partner, "rejected")
    Claim.objects.filter(session_id=silent.session_id).update(status="sent")
    answer = lead.post("desk:bulk_do", "rejected", deed="resend", item=[silent.pk, sent.pk], text="again")
    lines = {line.row.item.pk: line.refusal for line in lead.client.get(answer["Location"]).context["lines"]}
    assert lines == {silent.pk: True, sent.pk: False}


def test_one_whose_claim_is_gone_does_not_hold_up_the_others(partner, billing):
    items = [open_item(partner), open_item(partner)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.purging', 'on', true)")
        Claim.objects.get(session_id=items[0].session_id).delete()
        cursor.execute("SELECT set_config('app.purging', '', true)")
    answer = billing.post(
        "desk:bulk_do", "rejected", deed="message", item=[i.pk for i in items], text="Hello."
    )
    lines = billing.client.get(answer["Location"]).context["lines"]
    assert {line.row.item.pk: line.refusal for line in lines} == {items[0].pk: True, items[1].pk: False}


def test_a_message_to_many_is_as_long_as_one_to_one(partner, billing):
    items = [open_item(partner), open_item(partner)]
    text = "a" * 2500
    billing.post("desk:bulk_do", "rejected", deed="message", item=[items[0].pk], text=text)
    billing.post("desk:session-message", items[1].session_id, text=text)
    notes = SessionEvent.objects.filter(type="staff.note").values_list("summary", flat=True)
    assert [len(note) for note in notes] == [2000, 2000]


@pytest.mark.parametrize(("deed", "role"), [("resend", "billing"), ("hand", "billing"), ("take", "support")])
def test_a_deed_that_the_role_may_not_do_is_refused(partner, settings, deed, role):
    item = open_item(partner)
    desk = Desk(role)
    for page in ("desk:bulk", "desk:bulk_do"):
        assert desk.post(page, "rejected", deed=deed, item=[item.pk], text="x").status_code == 403
    assert f'value="{deed}"' not in desk.get("desk:queue", "rejected").content.decode()


def test_taking_needs_no_preview(partner, billing):
    item = open_item(partner)
    answer = billing.post("desk:bulk", "rejected", deed="take", item=[item.pk])
    assert answer.status_code == 302
    assert WorkItem.objects.get(pk=item.pk).assignee == billing.user


def test_snoozing_rests_the_chosen_days(partner, billing):
    item = open_item(partner)
    billing.post("desk:bulk_do", "rejected", deed="snooze", item=[item.pk], days="7", text="the partner asks")
    item = WorkItem.objects.get(pk=item.pk)
    assert 6 <= (item.snoozed_until - timezone.now()).days <= 7
    assert item.snoozed_for == "the partner asks"


def test_of_many_those_whose_time_to_file_ends_before_stay_awake(partner, billing):
    due, other = open_item(partner, days_left=5), open_item(partner)
    answer = billing.post(
        "desk:bulk_do", "rejected", deed="snooze", item=[due.pk, other.pk], days="7", text="the payer's call"
    )
    lines = {line.row.item.pk: line for line in billing.client.get(answer["Location"]).context["lines"]}
    assert lines[due.pk].words == "Stays awake: its time to file ends before that."
    assert [lines[pk].refusal for pk in (due.pk, other.pk)] == [True, False]
    assert WorkItem.objects.get(snoozed_until__isnull=False) == other


def test_a_message_goes_to_each_partner(partner, billing):
    items = [open_item(partner), open_item(partner)]
    billing.post(
        "desk:bulk_do", "rejected", deed="message", item=[i.pk for i in items], text="Send the card."
    )
    notes = SessionEvent.objects.filter(type="staff.note", summary="Send the card.")
    assert {note.session_id for note in notes} == {item.session_id for item in items}


def test_a_session_in_two_queues_gets_one_message(partner, billing):
    item = open_item(partner)
    also = WorkItem.objects.create(queue="answers", session_id=item.session_id, partner=partner.partner)
    answer = billing.post(
        "desk:bulk_do", "deadlines", deed="message", item=[item.pk, also.pk], text="Send the card."
    )
    assert SessionEvent.objects.filter(type="staff.note", session=item.session_id).count() == 1
    lines = billing.client.get(answer["Location"]).context["lines"]
    assert [(line.words, line.refusal) for line in lines] == [
        ("The partner has it on the session's timeline.", False)
    ] * 2


def test_a_claim_in_two_queues_is_sent_again_once(partner, lead):
    item = item_of(ended(partner, "REJECTED"))
    also = WorkItem.objects.create(queue="answers", session_id=item.session_id, partner=partner.partner)
    answer = lead.post("desk:bulk_do", "deadlines", deed="resend", item=[item.pk, also.pk], text="mended")
    lines = lead.client.get(answer["Location"]).context["lines"]
    assert [(line.words, line.refusal) for line in lines] == [("On its way again.", False)] * 2


@pytest.mark.parametrize("deed", ["take", "message"])
def test_what_was_done_is_shown_though_redis_is_away(partner, billing, settings, deed):
    item = open_item(partner)
    away = settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:1"}
    settings.CACHES = {"default": away}
    page = "desk:bulk" if deed == "take" else "desk:bulk_do"
    answer = billing.post(page, "rejected", deed=deed, item=[item.pk], text="Send the card.")
    assert answer.status_code == 200
    assert [line.refusal for line in answer.context["lines"]] == [False]
    assert "1 of 1" in answer.content.decode()
    assert "stays for a day" not in answer.content.decode()
    assert billing.get("desk:bulk_result", "rejected", "token").status_code == 404


def test_work_is_handed_out(partner, lead, billing):
    item = open_item(partner)
    lead.post("desk:bulk_do", "rejected", deed="hand", item=[item.pk], person=billing.user.pk, text="")
    assert WorkItem.objects.get(pk=item.pk).assignee == billing.user


def test_work_is_handed_out_to_nobody_outside_of_billing(partner, lead, support):
    item = open_item(partner)
    answer = lead.post("desk:bulk_do", "rejected", deed="hand", item=[item.pk], person=support.user.pk)
    assert WorkItem.objects.get(pk=item.pk).assignee is None
    [line] = lead.client.get(answer["Location"]).context["lines"]
    assert (line.words, line.refusal) == ("Nobody was chosen to have it.", True)


@pytest.mark.parametrize("items", [[], ["x"], ["9" * 40], ["-4"]])
def test_nothing_chosen_does_nothing(partner, billing, items):
    answer = billing.client.post(
        reverse("desk:bulk", args=["rejected"]), {"deed": "snooze", "item": items}, follow=True
    )
    assert "Nothing was chosen" in answer.content.decode()


@pytest.mark.parametrize("number", ["²", "٣", "9" * 5_000, "-1", "x"])
def test_what_is_no_items_number_is_nobodys_item(partner, lead, number):
    item = open_item(partner, "held")
    answer = lead.post("desk:bulk", "held", deed="take", item=[number])
    assert answer.status_code < 500
    answer = lead.post("desk:session-take", item.session_id, item=[number])
    assert answer.status_code < 500
    item.refresh_from_db()
    assert item.assignee is None


def test_of_two_rejected_sessions_of_one_service_the_second_is_told_that_it_stays(partner, lead):
    first, second = (ended(partner, "REJECTED") for _ in range(2))
    items = [open_item_of(each) for each in (second, first)]
    preview = lead.post("desk:bulk", "rejected", deed="resend", item=[each.pk for each in items])
    lines = {line.row.item.session_id: line for line in preview.context["lines"]}
    assert lines[first].words == AGAIN
    assert lines[second].refusal
    assert lines[second].words.startswith("Stays: it would be held. Another session that waits here")
    lead.post("desk:bulk_do", "rejected", deed="resend", item=[each.pk for each in items], text="again")
    for _ in range(3):
        pipeline.advance()
    assert [newest(each).step for each in (first, second)] == ["send", "held"]


def test_a_second_session_of_a_service_goes_where_the_first_stays_for_another_reason(partner, lead):
    first, second = (ended(partner, "REJECTED") for _ in range(2))
    Session.objects.filter(pk=first).update(payer_name="Nobody Knows Health", payer_id="")
    items = [open_item_of(each) for each in (second, first)]
    preview = lead.post("desk:bulk", "rejected", deed="resend", item=[each.pk for each in items])
    lines = {line.row.item.session_id: line for line in preview.context["lines"]}
    assert lines[first].refusal
    assert lines[second].words == AGAIN
