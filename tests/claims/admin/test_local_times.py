"""Times and days are told as the clock on the wall of the person at the desk tells them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
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
