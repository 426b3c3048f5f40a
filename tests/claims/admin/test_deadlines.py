"""A payer's limit to file that is corrected moves the last days of the work that is open."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from billing.models import PayerProfile
from claims import tasks
from claims.models import WorkItem
from sessions_app.models import Session
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.process import run_until_quiet


def limit(days: int) -> None:
    """Have Aetna, whom sessions name by default, give this many days to file."""
    assert PayerProfile.objects.filter(payer__payer_id="60054").update(timely_filing_days=days)


def last_day(item: WorkItem, days: int) -> date:
    return Session.objects.get(pk=item.session_id).date_of_service + timedelta(days=days)


@pytest.mark.parametrize("member_id", ["HELD1", "REJECTED1", "DENIED1", "BAD9991"])
@pytest.mark.parametrize("days", [45, 365])
def test_open_work_is_due_by_the_limit_of_today(partner: Api, member_id: str, days: int) -> None:
    item = item_of(ended(partner, member_id))
    limit(days)
    tasks.watch()
    item.refresh_from_db()
    assert item.file_by == last_day(item, days) == newest(item.session_id).file_by


@pytest.mark.parametrize("sent", [REMOVED, "060054"])
def test_a_payer_named_without_its_id_or_with_more_zeros_has_its_limit_too(partner: Api, sent: str) -> None:
    item = item_of(ended(partner, "HELD1", patient__insurance__payerId=sent))
    limit(45)
    tasks.watch()
    item.refresh_from_db()
    assert item.file_by == last_day(item, 45) == newest(item.session_id).file_by


def test_a_correction_to_a_payer_without_a_limit_leaves_no_last_day(partner: Api) -> None:
    item = item_of(ended(partner, "HELD1"))
    assert item.file_by is not None
    other = PayerProfile.objects.exclude(payer__payer_id="60054").filter(payer__active=True).first().payer
    PayerProfile.objects.filter(payer=other).update(timely_filing_days=None)
    insurance = {"payerId": other.payer_id, "payerName": other.name}
    partner.patch(f"/sessions/{item.session_id}", {"patient": {"insurance": insurance}})
    run_until_quiet()
    assert [item_of(item.session_id).file_by, newest(item.session_id).file_by] == [None, None]


def test_what_rests_past_a_shorter_limit_comes_back_on_its_last_day(partner: Api, billing: Desk) -> None:
    item = item_of(ended(partner, "REJECTED1"))
    in_a_month = timezone.localdate() + timedelta(days=30)
    billing.post("desk:session-snooze", item.session_id, item=item.pk, until=in_a_month.isoformat())
    limit(20)
    tasks.watch()
    item.refresh_from_db()
    assert timezone.localdate(item.snoozed_until) == item.file_by == last_day(item, 20)


def test_where_nothing_is_to_be_filed_no_day_is_set(partner: Api) -> None:
    item = item_of(ended(partner, "PLB1"))
    limit(45)
    tasks.watch()
    item.refresh_from_db()
    assert item.file_by is None
