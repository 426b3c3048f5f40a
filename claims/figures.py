"""Counts days: the rows that the home page's charts are drawn from, rebuilt where something changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max, Sum
from django.utils import timezone

from claims.models import DailyFigure
from claims.staff_words import STATUS_GROUPS

OVERLAP = timedelta(minutes=5)
"""Longer than a transaction that changes a claim may take."""
PARTNER_DAYS = 90
BUCKET_DAYS = 5
BUCKETS = 15
"""0-4 days, 5-9, … and 70 or more."""

CHANGED_DAYS = """
SELECT DISTINCT session.date_of_service
FROM claims_claim AS claim JOIN sessions_app_session AS session ON session.id = claim.session_id
WHERE claim.last_updated_at >= %(since)s
"""
EVERY_DAY = "SELECT DISTINCT date_of_service FROM sessions_app_session"

WITHIN = ", ".join(f"count(*) FILTER (WHERE bucket = {place})" for place in range(BUCKETS))
COUNT_DAY = f"""
WITH newest AS (
    SELECT session.partner_id, session.payer_name, claim.status, claim.session_id,
           coalesce(claim.total_charge, 0) AS charged, coalesce(claim.paid, 0) AS paid,
           CASE WHEN claim.paid_after_days IS NOT NULL
                THEN least(claim.paid_after_days / {BUCKET_DAYS}, {BUCKETS - 1}) END AS bucket
    FROM partners_partner AS partner
    JOIN sessions_app_session AS session
      ON session.partner_id = partner.id AND session.date_of_service = %(day)s
    JOIN LATERAL (
        SELECT * FROM claims_claim WHERE session_id = session.id ORDER BY version DESC LIMIT 1
    ) AS claim ON true
), reasoned AS (
    SELECT newest.*, coalesce(item.reason, '') AS reason
    FROM newest
    LEFT JOIN LATERAL (
        SELECT reason FROM claims_workitem
        WHERE session_id = newest.session_id AND queue IN ('held', 'notes', 'refused', 'rejected', 'denied')
          AND newest.status IN ('held', 'clearinghouse_rejected', 'payer_rejected', 'denied',
                                'member_unknown', 'taken_back')
        ORDER BY id DESC LIMIT 1
    ) AS item ON true
)
INSERT INTO claims_dailyfigure
    (day, partner_id, payer_name, status, reason, sessions, charged, paid, paid_within, counted_at)
SELECT %(day)s, partner_id, payer_name, status, reason, count(*), sum(charged), sum(paid),
    ARRAY[{WITHIN}], now()
FROM reasoned
GROUP BY GROUPING SETS ((partner_id, payer_name, status, reason), (payer_name, status, reason))
ORDER BY partner_id NULLS LAST -- so that what home reads lies together
"""  # noqa: S608 (numbers of ours)


@dataclass(frozen=True, slots=True)
class PartnerNumbers:
    """A partner's sessions of the last ninety days; rates in percent, None where there is nothing to rate."""

    sessions: int
    rejected: float | None
    denied: float | None
    since: date


def numbers_of(partner_id: UUID) -> PartnerNumbers:
    """Count a partner's sessions by what became of them: rejected of all, denied of those judged."""
    since = timezone.localdate() - timedelta(days=PARTNER_DAYS - 1)
    rows = DailyFigure.objects.filter(partner=partner_id, day__gte=since).values_list("status")
    counts = dict(rows.annotate(Sum("sessions")).order_by())
    together = {
        key: sum(counts.get(status, 0) for status in group.statuses) for key, group in STATUS_GROUPS.items()
    }
    total = sum(counts.values())
    judged = together["paid"] + together["part"] + together["denied"]
    return PartnerNumbers(
        total,
        together["rejected"] / total * 100 if total else None,
        together["denied"] / judged * 100 if judged else None,
        since,
    )


def rebuild(*, since: datetime | None = None) -> int:
    """Count again each day of service that changed since the last count; how many days there were."""
    last = since or DailyFigure.objects.aggregate(last=Max("counted_at"))["last"]
    with connection.cursor() as cursor:
        if last is None:
            cursor.execute(EVERY_DAY)
        else:
            cursor.execute(CHANGED_DAYS, {"since": last - OVERLAP})
        days = [day for (day,) in cursor.fetchall()]
    count_days(days)
    return len(days)


def count_days(days: Iterable[date]) -> None:
    """Count these days of service, each in a transaction of its own."""
    for day in days:
        with transaction.atomic(), connection.cursor() as cursor:
            DailyFigure.objects.filter(day=day).delete()
            cursor.execute(COUNT_DAY, {"day": day})
