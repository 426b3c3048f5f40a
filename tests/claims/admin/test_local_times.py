"""Times and days are told as the clock on the wall of the person at the desk tells them."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from billing.models import CodeSetRelease
from claims.models import Claim, ClaimSignal, WorkItem
from sessions_app.models import SessionEvent
from tests.claims.admin.staff import ended
from tests.claims.admin.work import open_item

HONOLULU = ZoneInfo("Pacific/Honolulu")


def test_a_time_is_told_in_the_zone_of_the_browser(partner, billing):
    billing.client.cookies["zone"] = "Pacific/Honolulu"
    page = billing.get("admin:index")
    now = page.context["now"]
    assert now.utcoffset() == timedelta(hours=-10)
    assert f"{now:%H:%M} HST" in page.content.decode()
    assert "Times of Pacific/Honolulu" in page.content.decode()


def test_a_stock_list_writes_days_and_times_as_our_own_pages_do(partner, lead):
    made = timezone.localtime(partner.partner.created_at)
    partners = lead.get("admin:partners_partner_changelist").content.decode()
    assert f"{made:%b} {made.day}, {made.year}, {made:%H:%M}<" in partners
    since = CodeSetRelease.objects.values_list("valid_from", flat=True)[0]
    releases = lead.get("admin:billing_codesetrelease_changelist").content.decode()
    assert f"{since:%b} {since.day}, {since.year}<" in releases


@pytest.mark.parametrize(
    "zone", ["", "Mars/Olympus", "../../etc/passwd", "America", "/etc/localtime", "\x00"]
)
def test_a_zone_that_is_none_is_utc(partner, billing, zone: str):
    billing.client.cookies["zone"] = zone
    assert billing.get("admin:index").context["now"].utcoffset() == timedelta()


def test_one_persons_zone_is_not_the_next_ones(partner, billing):
    billing.client.cookies["zone"] = "Pacific/Honolulu"
    billing.get("admin:index")
    assert timezone.get_current_timezone_name() == "UTC"


def test_what_came_today_is_counted_from_midnight_here(partner, billing):
    billing.client.cookies["zone"] = "Pacific/Honolulu"
    midnight = datetime.now(UTC).astimezone(HONOLULU).replace(hour=0, minute=0, second=0, microsecond=0)
    for instant in (midnight + timedelta(seconds=1), midnight - timedelta(seconds=1)):
        item = open_item(partner)
        WorkItem.objects.filter(pk=item.pk).update(opened_at=instant)
    lines = [each for _, lines in billing.get("admin:index").context["queue_groups"] for each in lines]
    assert sum(each.new_today for each in lines) == 1


def test_a_snooze_of_many_names_the_day_of_the_clock_here(partner, billing):
    billing.client.cookies["zone"] = "Pacific/Pago_Pago"
    item = open_item(partner)
    answer = billing.client.post(
        reverse("desk:bulk_do", args=["rejected"]), {"deed": "snooze", "item": item.pk, "days": "3"}
    )
    item.refresh_from_db()
    until = item.snoozed_until.astimezone(ZoneInfo("Pacific/Pago_Pago"))
    page = billing.client.get(answer["Location"]) if answer.status_code == 302 else answer
    assert f"Snoozed until {until:%a, %b} {until.day}." in page.content.decode()


def test_days_of_long_ago_carry_their_year(partner, billing):
    session_id = ended(partner, "DENIED")
    long_ago = datetime.now(UTC).replace(day=5) - timedelta(days=400)
    Claim.objects.filter(session=session_id).update(
        status_changed_at=long_ago, submitted_at=long_ago, built_at=long_ago
    )
    with connection.cursor() as cursor:  # the past, which nobody may change
        cursor.execute("SET LOCAL session_replication_role = replica")
        SessionEvent.objects.filter(session=session_id).update(timestamp=long_ago)
        cursor.execute("SET LOCAL session_replication_role = origin")
    ClaimSignal.objects.filter(claim__session=session_id).update(received_at=long_ago)
    day = f"{long_ago:%b} {long_ago.day}, {long_ago.year}"
    page = billing.page(session_id)
    bare = re.findall(rf"{long_ago:%b} {long_ago.day}\b(?!, \d{{4}})", page)
    assert bare == []
    for words in (f"since {day}, ", f"sent {day}<", f"built, {day}, "):
        assert words in page
    assert page.count(f"{day}, {long_ago:%H:%M}") > 5
    assert re.search(rf"{timezone.now():%b} \d+, \d\d:\d\d</dt>", page)
