"""Times and days are told as the clock on the wall of the person at the desk tells them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from claims.models import WorkItem
from tests.claims.admin.work import open_item

HONOLULU = ZoneInfo("Pacific/Honolulu")


def test_a_time_is_told_in_the_zone_of_the_browser(partner, billing):
    billing.client.cookies["zone"] = "Pacific/Honolulu"
    page = billing.get("admin:index")
    now = page.context["now"]
    assert now.utcoffset() == timedelta(hours=-10)
    assert f"{now:%H:%M} HST" in page.content.decode()
    assert "Times of Pacific/Honolulu" in page.content.decode()


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
