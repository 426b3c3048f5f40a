"""What staff do from a session's page: who may, what it does, what it says when it can't be done."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.management import call_command
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from billing.models import PayerProfile
from claims.models import Claim, Override, Transmission, WorkItem
from sessions_app.models import Session, SessionChange, SessionEvent
from tests.cast import NPI, Api, day_of_service
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.admin.test_bulk_release import mended
from tests.claims.admin.test_correct import MEMBER_ID, opened, save
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance


def said(answer: object) -> str:
    return " ".join(str(message) for message in get_messages(answer.wsgi_request))


def test_releasing_puts_a_held_session_through_its_checks_again(partner: Api, billing: Desk) -> None:
    session_id = mended(partner, "HELD")
    answer = billing.post("desk:session-release", session_id, reason="card seen")
    assert answer.status_code == 302
    assert newest(session_id).step == Claim.Step.CODE


def test_releasing_what_is_not_held_is_refused_in_words(partner: Api, billing: Desk) -> None:
    answer = billing.post("desk:session-release", ended(partner, "PAID1"), reason="x")
    assert "This session isn't held." in said(answer)


def test_a_lead_overrides_a_finding_with_a_reason(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "HELD")
    lead.post("desk:session-override", session_id, rule="TEST-001", reason="rehearsed on the phone")
    run_until_quiet()
    assert newest(session_id).status == "paid"
    kept = Override.objects.get(session=session_id)
    assert (kept.rule, kept.reason, kept.user) == ("TEST-001", "rehearsed on the phone", lead.user)
    assert "rehearsed on the phone" in lead.page(session_id)


def test_the_claim_names_the_reason_for_its_delay(partner: Api, lead: Desk) -> None:
    profile = PayerProfile.objects.filter(payer__payer_id="60054")
    profile.update(timely_filing_days=90, timely_filing_confirmed=True)
    session_id = ended(partner, "SILENT", session__dateOfService=day_of_service(100))
    assert "Why it is late" in lead.page(session_id)
    lead.post(
        "desk:session-override", session_id, rule="TFL-002", reason="the plan decided late", delay_reason="8"
    )
    run_until_quiet()
    claim = newest(session_id)
    assert claim.status == "sent"
    assert "*11:B:1*Y*A*Y*Y***********8~" in Transmission.objects.get(claims__claim=claim).content
    assert "Eligibility was decided late (8)" in lead.page(session_id)


@pytest.mark.parametrize(("code", "why"), [("12", "no such reason"), ("8", "tick that too")])
def test_a_reason_for_a_delay_that_means_nothing_is_refused(
    partner: Api, lead: Desk, code: str, why: str
) -> None:
    session_id = ended(partner, "HELD")
    answer = lead.post("desk:session-override", session_id, rule="TEST-001", reason="x", delay_reason=code)
    assert why in said(answer)
    assert not Override.objects.exists()


ODD = "card\x00 \x1b[31mseen\x7f\r\n" + "e" * 5000


@pytest.mark.parametrize(
    ("member_id", "name", "field", "most"),
    [
        ("PAID1", "message", "text", 2000),
        ("PAID1", "void", "reason", 400),
        ("BAD999", "resend", "reason", 400),
    ],
)
def test_what_nobody_can_type_is_left_out_and_the_rest_is_cut_as_the_form_says(
    partner: Api, lead: Desk, member_id: str, name: str, field: str, most: int
) -> None:
    session_id = ended(partner, member_id)
    assert f'maxlength="{most}"' in lead.page(session_id)
    assert lead.post(f"desk:session-{name}", session_id, **{field: ODD}).status_code == 302
    summary = SessionEvent.objects.filter(session=session_id).latest("id").summary
    assert "card [31mseen\ne" in summary
    assert summary.count("e") < most + 20


def test_a_snooze_keeps_what_can_be_typed(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "REJECTED"))
    until = (timezone.localdate() + timedelta(days=4)).isoformat()
    billing.post("desk:session-snooze", item.session_id, item=item.pk, until=until, reason=ODD)
    item.refresh_from_db()
    assert item.snoozed_for.startswith("card [31mseen\ne")
    assert len(item.snoozed_for) == 200


def test_an_override_of_no_rule_says_to_tick_one(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "HELD")
    assert re.search(r'name="rule" value="TEST-001" required', lead.page(session_id))
    answer = lead.post("desk:session-override", session_id, reason="rehearsed")
    assert "tick one that does" in lead.client.get(answer["Location"]).content.decode()
    assert newest(session_id).status == "held"


def test_an_override_without_a_reason_is_refused(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "HELD")
    answer = lead.post("desk:session-override", session_id, rule="TEST-001", reason=" ")
    assert "Say why" in said(answer)
    assert not Override.objects.exists()


@pytest.mark.parametrize(
    ("member_id", "name", "fields"),
    [
        ("HELD", "release", {"reason": "card seen"}),
        ("HELD", "override", {"rule": "TEST-001", "reason": "rehearsed"}),
        ("BAD999", "resend", {"reason": "mended"}),
        ("PAID1", "void", {"reason": "by mistake"}),
    ],
)
def test_a_deed_is_about_what_its_page_has_shown(
    partner: Api, lead: Desk, member_id: str, name: str, fields: dict[str, str]
) -> None:
    session_id = ended(partner, member_id)
    seen = re.findall(r'name="seen" value="([^"]+)"', lead.page(session_id))
    Session.objects.filter(pk=session_id).update(version=F("version") + 1)
    before = newest(session_id)
    answer = lead.post(f"desk:session-{name}", session_id, seen=seen[0], **fields)
    assert "It changed while you had it open. Nothing was done" in said(answer)
    assert "It changed while" in said(lead.post(f"desk:session-{name}", session_id, seen="", **fields))
    after = newest(session_id)
    assert (after.pk, after.step, after.status) == (before.pk, before.step, before.status)
    assert not Override.objects.exists()


@pytest.mark.parametrize(
    ("role", "name", "allowed"),
    [
        ("billing", "desk:session-override", False),
        ("billing", "desk:session-void", False),
        ("billing", "desk:session-release", True),
        ("support", "desk:session-release", False),
        ("support", "desk:session-snooze", False),
        ("support", "desk:session-message", True),
        ("support", "desk:correct", False),
        ("administrator", "desk:session-message", False),
        ("administrator", "desk:session", False),
        ("billing lead", "desk:session-void", True),
    ],
)
def test_who_may(partner: Api, role: str, name: str, allowed: bool) -> None:
    answer = Desk(role).post(name, ended(partner, "PAID1"), reason="because", text="words")
    assert (answer.status_code == 403) is not allowed


def test_a_button_that_a_role_may_not_use_is_absent(
    partner: Api, billing: Desk, lead: Desk, support: Desk
) -> None:
    session_id = ended(partner, "HELD")
    assert "Let it go on in spite of" in lead.page(session_id)
    page = billing.page(session_id)
    assert "Let it go on in spite of" not in page
    assert "Only a billing lead can override a rule." in page
    assert "Snooze" not in support.page(session_id)


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        ({"session__durationMinutes": 10}, False),
        ({"patient__lastName": "محمد", "patient__firstName": "علي"}, False),
    ],
)
def test_an_override_that_leaves_no_claim_to_send_is_refused(
    partner: Api, lead: Desk, changes: dict[str, Any], offered: bool
) -> None:
    session_id = ended(partner, "PAID", **changes)
    page = lead.page(session_id)
    assert ("/override/" in page) == offered
    assert ("No override helps: as the session is, there would be no claim to send." in page) != offered
    rules = [each.rule for each in newest(session_id).findings.filter(severity="E")]
    answer = lead.post("desk:session-override", session_id, rule=rules, reason="seen")
    assert "No override helps: as the session is, there would be no claim to send." in said(answer)
    assert not Override.objects.filter(session=session_id).exists()


def test_what_a_fault_of_ours_put_aside_is_not_the_rules_to_let_go(
    partner: Api, lead: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = mended(partner, "HELD")
    lead.post("desk:session-release", session_id, reason="card seen")

    def broken(*args: object, **options: object) -> None:
        raise ValueError

    with monkeypatch.context() as patch:
        patch.setattr("claims.steps.check_claim", broken)
        for _ in range(3):
            Claim.objects.filter(session=session_id).update(next_step_at=timezone.now())
            run_until_quiet()
        assert item_of(session_id).queue == "transport"
        page = lead.page(session_id)
    assert "Let it go on in spite of" not in page
    assert "Release" in page


def test_an_override_is_offered_once_a_rule(partner: Api, lead: Desk) -> None:
    session_id = ended(
        partner,
        "PAID",
        session__procedureCodes=[{"code": "90837"}, {"code": "90834"}],
        session__durationMinutes=20,
    )
    page = lead.page(session_id)
    rules = re.findall(r'name="rule" value="([^"]+)"', page)
    assert "CPT-002" in rules
    assert len(rules) == len(set(rules))


def test_a_lead_voids_a_paid_claim(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "PAID1")
    lead.post("desk:session-void", session_id, reason="billed by mistake")
    run_until_quiet()
    assert newest(session_id).frequency == Claim.Frequency.VOID


@pytest.mark.parametrize(
    ("member_id", "says"),
    [
        ("PAID1", "as if it had never been sent. What it paid, $180.00, goes back."),
        ("DENIED", "as if it had never been sent. No payment is to go back."),
    ],
)
def test_a_void_says_beforehand_what_goes_back(partner: Api, lead: Desk, member_id: str, says: str) -> None:
    assert says in lead.page(ended(partner, member_id))


def test_a_void_from_a_page_before_the_payment_is_refused(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "SILENT")
    apply(payer_acknowledgement(newest(session_id), "A2:20", payer_control_number="PAYER77"))
    dialog = lead.page(session_id).split('<dialog id="void"')[1]
    shown = re.search(r'name="shown" value="([^"]*)"', dialog)
    assert shown
    apply(remittance(newest(session_id)))
    fields = {"reason": "a mistake", "shown": shown[1]}
    assert "It changed while you had it open." in said(lead.post("desk:session-void", session_id, **fields))
    assert newest(session_id).frequency == Claim.Frequency.ORIGINAL


def test_our_refused_file_goes_out_again(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "BAD999")
    assert "Send again" in billing.page(session_id)
    billing.post("desk:session-resend", session_id, reason="envelope mended")
    assert newest(session_id).step == Claim.Step.SEND


def test_a_message_reaches_the_partners_timeline(partner: Api, support: Desk) -> None:
    session_id = ended(partner, "PAID1")
    support.post("desk:session-message", session_id, text="Thank you for calling.")
    assert (
        partner.get(f"/sessions/{session_id}").json()["timeline"][-1]["summary"] == "Thank you for calling."
    )


@pytest.mark.parametrize(
    ("member_id", "name", "fields", "did"),
    [
        ("HELD", "override", {"rule": "TEST-001", "reason": "rehearsed"}, "let it go on"),
        ("BAD999", "resend", {"reason": "mended"}, "sent the claim again"),
        ("PAID1", "void", {"reason": "by mistake"}, "voided the claim"),
        ("PAID1", "message", {"text": "Thank you."}, "wrote to the partner"),
    ],
)
def test_who_did_it_stands_on_the_page(
    partner: Api, lead: Desk, member_id: str, name: str, fields: dict[str, str], did: str
) -> None:
    session_id = ended(partner, member_id)
    lead.post(f"desk:session-{name}", session_id, **fields)
    assert SessionChange.objects.get(pgh_obj=session_id).pgh_context == {"user": lead.user.pk}
    assert f"<dd>Maya {did}</dd>" in lead.page(session_id)
    assert "Maya" not in partner.get(f"/sessions/{session_id}").content.decode()


def test_a_deed_stands_beside_the_change_that_it_sends(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    fields = opened(lead, session_id) | {MEMBER_ID: "W123456789", "why": "read from the card"}
    save(lead, session_id, fields)
    lead.post("desk:session-message", session_id, text="Thank you.")
    page = lead.page(session_id)
    assert "Maya sent the claim again" in page
    assert re.search(
        r"Maya changed member ID<small>member ID: <del[^>]*>REJECTED</del> <ins[^>]*>W123456789</ins>", page
    )


def test_snoozed_work_comes_back_to_whoever_snoozed_it(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "REJECTED"))
    until = timezone.localdate() + timedelta(days=4)
    billing.post("desk:session-snooze", item.session_id, item=item.pk, until=until.isoformat(), reason="card")
    item.refresh_from_db()
    assert timezone.localtime(item.snoozed_until).date() == until
    assert (item.assignee, item.snoozed_for) == (billing.user, "card")


def test_work_that_came_back_can_be_snoozed_again_and_says_what_it_waited_for(
    partner: Api, billing: Desk
) -> None:
    item = item_of(ended(partner, "REJECTED"))
    resting = timezone.now() + timedelta(days=2)
    WorkItem.objects.filter(pk=item.pk).update(snoozed_until=resting, snoozed_for="the card")
    page = billing.page(item.session_id)
    assert ("Snoozed until" in page, "Wake it" in page, 'data-dialog="#snooze"' in page) == (
        True,
        True,
        False,
    )
    WorkItem.objects.filter(pk=item.pk).update(snoozed_until=timezone.now() - timedelta(days=3))
    page = billing.page(item.session_id)
    assert ("Snoozed until" in page, "Wake it" in page, 'data-dialog="#snooze"' in page) == (
        False,
        False,
        True,
    )
    assert re.search(r"Back from its snooze since \w+ \d+(, \d+)?: the card\.", page)


def test_what_another_has_taken_rests_and_stays_theirs(partner: Api, billing: Desk, lead: Desk) -> None:
    item = item_of(ended(partner, "REJECTED"))
    lead.user.first_name, lead.user.last_name = "Priya", "Shah"
    lead.user.save()
    lead.post("desk:session-take", item.session_id, item=item.pk)
    assert "It comes back to Priya Shah, who has it, on that day" in billing.page(item.session_id)
    until = (timezone.localdate() + timedelta(days=4)).isoformat()
    answer = billing.post("desk:session-snooze", item.session_id, item=item.pk, until=until)
    page = billing.client.get(answer["Location"]).content.decode()
    assert "It comes back to Priya Shah, who has it." in page
    undo(billing, page)
    item.refresh_from_db()
    assert (item.assignee, item.snoozed_until) == (lead.user, None)


def test_the_undo_of_a_snooze_gives_back_what_was_nobodys(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "REJECTED"))
    until = (timezone.localdate() + timedelta(days=4)).isoformat()
    answer = billing.post("desk:session-snooze", item.session_id, item=item.pk, until=until)
    undo(billing, billing.client.get(answer["Location"]).content.decode())
    item.refresh_from_db()
    assert (item.assignee, item.snoozed_until) == (None, None)


def test_work_does_not_rest_past_its_last_day_to_file(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "REJECTED"))
    last = timezone.localdate() + timedelta(days=8)
    WorkItem.objects.filter(pk=item.pk).update(file_by=last)
    assert f'max="{last.isoformat()}"' in billing.page(item.session_id)
    later, then = ((last + timedelta(days=days)).isoformat() for days in (1, 0))
    answer = billing.post("desk:session-snooze", item.session_id, item=item.pk, until=later)
    assert "Nothing was snoozed: its time to file ends on" in said(answer)
    item.refresh_from_db()
    assert item.snoozed_until is None
    billing.post("desk:session-snooze", item.session_id, item=item.pk, until=then)
    item.refresh_from_db()
    assert timezone.localtime(item.snoozed_until).date() == last


def test_what_is_overdue_already_may_rest(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "REJECTED"))
    WorkItem.objects.filter(pk=item.pk).update(file_by=timezone.localdate() - timedelta(days=1))
    until = (timezone.localdate() + timedelta(days=30)).isoformat()
    billing.post("desk:session-snooze", item.session_id, item=item.pk, until=until)
    item.refresh_from_db()
    assert item.snoozed_until


def undo(desk: Desk, page: str) -> None:
    """Press the button of the page's last message."""
    form = re.search(r'<form class="notice success" method="post" action="([^"]+)">.*?</form>', page, re.S)
    assert form
    pairs = re.findall(r'name="(item|free)" value="([^"]+)"', form[0])
    desk.client.post(form[1], {name: [each for named, each in pairs if named == name] for name, _ in pairs})


@pytest.mark.parametrize("until", ["", "tomorrow", "2001-01-01", "9999-12-31"])
def test_a_day_that_makes_no_sense_snoozes_nothing(partner: Api, billing: Desk, until: str) -> None:
    item = item_of(ended(partner, "REJECTED"))
    answer = billing.post("desk:session-snooze", item.session_id, item=item.pk, until=until)
    assert "Choose a day" in said(answer)
    item.refresh_from_db()
    assert item.snoozed_until is None


def test_taking_makes_it_mine_and_the_next_one_is_told(partner: Api, billing: Desk, lead: Desk) -> None:
    item = item_of(ended(partner, "REJECTED"))
    billing.post("desk:session-take", item.session_id, item=item.pk)
    item.refresh_from_db()
    assert item.assignee == billing.user
    assert "has it" in said(lead.post("desk:session-take", item.session_id, item=item.pk))


def test_after_a_deed_the_next_item_of_the_list_opens(partner: Api, lead: Desk) -> None:
    first, second = ended(partner, "HELD"), ended(partner, "HELD2")
    answer = lead.post("desk:session-override", first, rule="TEST-001", reason="seen", queue="held")
    assert str(second) in answer.headers["Location"]
    assert WorkItem.objects.get(session=second, closed_at=None).leased_by == lead.user


def test_actions_are_posts(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "HELD")
    for name in ("release", "override", "resend", "void", "message", "snooze", "take", "wake"):
        assert lead.client.put(reverse(f"desk:session-{name}", args=[session_id])).status_code == 405


def test_work_is_passed_on_with_a_word(partner: Api, billing: Desk, lead: Desk) -> None:
    session_id = ended(partner, "HELD")
    assert "Ask one" in billing.page(session_id)
    address = reverse("desk:session-pass", args=[session_id])
    offered = billing.client.get(address, {"ask": "lead"}).content.decode()
    assert f'value="{lead.user.pk}"' in offered
    billing.client.post(address, {"person": lead.user.pk, "words": "May this one go on?"})
    item = item_of(session_id)
    assert (item.assignee, item.handed_by) == (lead.user, billing.user)
    assert "passed this on to you: “May this one go on?”" in lead.page(session_id)


def test_work_is_passed_on_to_nobody_outside_of_billing(partner: Api, billing: Desk, support: Desk) -> None:
    session_id = ended(partner, "HELD")
    address = reverse("desk:session-pass", args=[session_id])
    answer = billing.client.post(address, {"person": support.user.pk}, follow=True)
    assert "Choose who shall have it." in answer.content.decode()
    assert item_of(session_id).assignee is None


def test_a_session_held_after_a_restore_can_only_be_released(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "HELD")
    call_command("after_restore")
    shown = lead.page(session_id)
    assert "compare it with the clearinghouse&#x27;s list" in shown
    assert 'data-dialog="#release"' in shown
    assert "/override/" not in shown
    assert "TEST-001 at" not in shown
    answer = lead.post("desk:session-override", session_id, rule="TEST-001", reason="rehearsed")
    assert "release it" in said(answer)
    assert newest(session_id).step == Claim.Step.HELD


@pytest.mark.parametrize(
    ("member_id", "name", "fields"),
    [
        ("HELD", "override", {"reason": "rehearsed"}),
        ("PAID1", "release", {"reason": "rehearsed"}),
        ("HELD", "void", {"reason": "rehearsed"}),
        ("PAID1", "snooze", {"reason": "rehearsed", "until": "yesterday"}),
        ("PAID1", "missing", {"reason": "rehearsed"}),
    ],
)
def test_what_was_typed_for_a_refused_deed_is_not_lost(
    partner: Api, lead: Desk, member_id: str, name: str, fields: dict[str, str]
) -> None:
    session_id = ended(partner, member_id)
    answer = lead.post(f"desk:session-{name}", session_id, **fields)
    assert "You had written: “rehearsed”" in said(answer)


def test_an_override_says_what_holds_the_session_all_the_same(partner: Api, lead: Desk) -> None:
    PayerProfile.objects.filter(payer__payer_id="60054").update(
        timely_filing_days=90, timely_filing_confirmed=True
    )
    session_id = ended(partner, "HELD", session__dateOfService=day_of_service(100))
    answer = lead.post("desk:session-override", session_id, rule="TFL-002", reason="filed on paper")
    assert "It will be held: " in said(answer)
    assert "(TEST-001)" in said(answer)


def test_an_override_of_all_that_holds_it_says_no_more(partner: Api, lead: Desk) -> None:
    answer = lead.post("desk:session-override", ended(partner, "HELD"), rule="TEST-001", reason="seen")
    assert said(answer).startswith("Overridden: TEST-001.")
    assert "It will be held" not in said(answer)


def test_a_release_says_what_holds_the_session_all_the_same(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    WorkItem.objects.filter(session=session_id).update(queue="transport", reason="ValueError")
    answer = billing.post("desk:session-release", session_id, reason="card seen")
    assert "Released: it is being coded and checked again. It will be held: " in said(answer)


@pytest.mark.parametrize(
    ("changes", "helps"),
    [
        ({"session__procedureCodes": [{"code": "90899"}]}, "Load its rate into the charge schedule"),
        ({"patient__address__state": "ZZ"}, "Correct it."),
    ],
)
def test_where_no_override_helps_what_does_is_offered(
    partner: Api, lead: Desk, billing: Desk, changes: dict[str, Any], helps: str
) -> None:
    session_id = ended(partner, "PAID", **changes)
    for page in (lead.page(session_id), billing.page(session_id)):
        assert "/override/" not in page
        assert f"there would be no claim to send. {helps}" in page
        assert "Only a billing lead can override a rule." not in page


def test_where_the_practice_is_at_fault_its_partner_is_asked(partner: Api, lead: Desk) -> None:
    partner.patch(f"/providers/{NPI}", {"practice": {"address": {"city": "東京"}}})
    page = lead.page(ended(partner, "PAID"))
    assert "Message the partner: only it can correct the practice or therapist." in page
