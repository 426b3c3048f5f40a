"""Many held sessions are checked again at once: preview, deed, result; a line for each."""

import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from billing.models import PayerProfile
from claims.actions import COMPARE_FIRST
from claims.models import Claim, WorkItem
from sessions_app.models import Session, SessionEvent
from tests.claims.admin import queries
from tests.claims.admin.staff import ended, item_of, newest
from tests.claims.process import run_until_quiet

GOES_ON = "Will go on: nothing holds it any more."


def mended(partner, member_id, **changes):
    """A held session whose cause somebody has mended elsewhere."""
    session_id = ended(partner, member_id, **changes)
    Session.objects.filter(pk=session_id).update(member_id=f"PAID{member_id}")
    return session_id


def test_what_would_go_on_and_what_stays_is_said_before(partner, billing):
    free, held = mended(partner, "HELDB"), ended(partner, "HELDC")
    chosen = [item_of(each).pk for each in (free, held)]
    answer = billing.post("desk:bulk", "held", deed="release", item=chosen)
    lines = {line.row.item.session_id: line for line in answer.context["lines"]}
    assert lines[free].words.startswith(GOES_ON)
    assert re.fullmatch(r"Stays: it would be held again\. .+ \(TEST-001\)", lines[held].words)
    page = answer.content.decode()
    assert f'name="item" value="{chosen[0]}"' in page
    assert f'name="item" value="{chosen[1]}"' not in page
    assert set(Claim.objects.values_list("step", flat=True)) == {"held"}


def test_the_warnings_that_they_leave_with_are_said_before(partner, billing):
    session_id = mended(partner, "HELDB")
    Session.objects.filter(pk=session_id).update(date_of_service=timezone.localdate() - timedelta(days=400))
    PayerProfile.objects.filter(payer__payer_id="60054").update(
        timely_filing_days=90, timely_filing_confirmed=False
    )
    answer = billing.post("desk:bulk", "held", deed="release", item=[item_of(session_id).pk])
    [line] = answer.context["lines"]
    assert line.words.startswith(f"{GOES_ON} It leaves with ")
    assert re.search(r"warnings: [^(]+\(TFL-002\) .+ And \d+ more\.$", line.words)


def test_releasing_lets_them_go_on_and_keeps_the_result(partner, billing):
    sessions = [mended(partner, f"HELD{letter}") for letter in "BC"]
    items = [item_of(each).pk for each in sessions]
    answer = billing.post("desk:bulk_do", "held", deed="release", item=items, text="the payer's pattern")
    result = billing.client.get(answer["Location"])
    assert [line.words for line in result.context["lines"]] == [
        "Released: it is being coded and checked again."
    ] * 2
    run_until_quiet()
    assert {newest(each).status for each in sessions} == {"paid"}


def test_why_many_are_released_is_kept_and_not_told_to_the_partner(partner, billing):
    session_id = mended(partner, "HELDB")
    items = [item_of(session_id).pk]
    billing.post("desk:bulk_do", "held", deed="release", item=items, text="the payer's pattern")
    told = SessionEvent.objects.get(session=session_id, type="session.released").summary
    assert told == "Billing staff let it go on: checked again."
    assert "the payer&#x27;s pattern" in billing.page(session_id)


def test_what_would_be_held_again_is_left_as_it_is(partner, billing):
    held = ended(partner, "HELDC")
    answer = billing.post(
        "desk:bulk_do", "held", deed="release", item=[item_of(held).pk], text="whatever it says"
    )
    [line] = billing.client.get(answer["Location"]).context["lines"]
    assert line.words.startswith("Stays: it would be held again.")
    assert not SessionEvent.objects.filter(session=held, type="session.released").exists()


def test_what_changed_since_the_preview_stays(partner, billing):
    changed, other = (mended(partner, f"HELD{letter}") for letter in "BC")
    items = {each: item_of(each).pk for each in (changed, other)}
    preview = billing.post("desk:bulk", "held", deed="release", item=list(items.values())).content.decode()
    seen = dict(re.findall(r'name="(seen\.\d+)" value="([^"]+)"', preview))
    Session.objects.filter(pk=changed).update(version=F("version") + 1)
    answer = billing.post(
        "desk:bulk_do", "held", deed="release", item=list(items.values()), text="mended", **seen
    )
    lines = {line.row.item.pk: line.words for line in billing.client.get(answer["Location"]).context["lines"]}
    assert lines[items[changed]].startswith("It changed while you had it open.")
    assert lines[items[other]].startswith("Released")


def test_what_somebody_else_released_meanwhile_is_said_so(partner, billing, lead):
    first, second = (mended(partner, f"HELD{letter}") for letter in "BC")
    items = [item_of(each).pk for each in (first, second)]
    lead.post("desk:bulk_do", "held", deed="release", item=[items[0]], text="mended")
    run_until_quiet()
    answer = billing.post("desk:bulk_do", "held", deed="release", item=items, text="mended")
    lines = {line.row.item.pk: line for line in billing.client.get(answer["Location"]).context["lines"]}
    assert (lines[items[0]].words, lines[items[0]].refusal) == ("Closed meanwhile: nothing to do.", True)
    assert lines[items[1]].words.startswith("Released")


@pytest.mark.parametrize(
    "odd",
    [
        {"item": ["", "x", "-1", "9" * 30, "\u0663"], "text": "why"},
        {"item": [], "text": "why"},
        {"item": ["7" * 18], "text": "\x00\ud800".encode("utf-8", "replace").decode(), "seen.x": "1"},
        {"text": "why"},
        {"item": ["1"], "text": " \n\x00 "},
    ],
)
def test_odd_data_releases_nothing_and_breaks_nothing(partner, billing, odd):
    session_id = mended(partner, "HELDB")
    for name in ("desk:bulk", "desk:bulk_do"):
        answer = billing.client.post(reverse(name, args=["held"]), {"deed": "release", **odd}, follow=True)
        assert answer.status_code == 200
    assert not SessionEvent.objects.filter(session=session_id, type="session.released").exists()


@pytest.mark.parametrize("queue", ["transport", "notes", "rejected"])
def test_only_what_a_rule_holds_is_released_with_others(partner, billing, queue):
    """What was held for a restored database, say, is compared with the clearinghouse one by one."""
    item = item_of(mended(partner, "HELDB"))
    WorkItem.objects.filter(pk=item.pk).update(queue=queue)
    answer = billing.post("desk:bulk", "held", deed="release", item=[item.pk])
    assert [line.words for line in answer.context["lines"]] == ["Stays: no rule holds it."]


def test_what_is_to_be_compared_first_is_not_released_with_others(partner, billing):
    session_id = mended(partner, "HELDB")
    item = item_of(session_id)
    WorkItem.objects.create(queue="transport", reason="restored", session_id=session_id, partner=item.partner)
    answer = billing.post("desk:bulk", "held", deed="release", item=[item.pk])
    assert [line.words for line in answer.context["lines"]] == [f"Stays: {COMPARE_FIRST}"]


def test_of_two_alike_only_the_first_goes_on(partner, billing):
    first, second = (mended(partner, f"HELD{letter}") for letter in "BC")
    Session.objects.filter(pk__in=(first, second)).update(member_id="PAID1")
    answer = billing.post(
        "desk:bulk", "held", deed="release", item=[item_of(each).pk for each in (first, second)]
    )
    assert sorted(line.refusal for line in answer.context["lines"]) == [False, True]


def test_who_only_reads_releases_nothing(partner, support):
    item = item_of(mended(partner, "HELDB"))
    assert support.post("desk:bulk_do", "held", deed="release", item=[item.pk], text="x").status_code == 403


def test_the_queue_of_held_sessions_offers_it(partner, billing):
    ended(partner, "HELDB")
    assert 'value="release"' in billing.get("desk:queue", "held").content.decode()
    assert 'value="release"' not in billing.get("desk:queue", "rejected").content.decode()


def test_the_preview_asks_one_thing_more_of_each_at_most(partner, billing):
    items = [item_of(mended(partner, f"HELD{letter}")).pk for letter in "BCDE"]
    two, four = (
        queries.of(lambda chosen=chosen: billing.post("desk:bulk", "held", deed="release", item=chosen))
        for chosen in (items[:2], items)
    )
    assert len(four) <= len(two) + 2


def test_where_none_would_go_on_no_reason_is_asked_for(partner, billing):
    item = item_of(ended(partner, "HELDB"))
    page = billing.post("desk:bulk", "held", deed="release", item=[item.pk]).content.decode()
    assert "None of them would go on: put right first what its line says." in page
    assert "<textarea" not in page
