"""Counts days: the rows that the home page's charts are drawn from, rebuilt where something changed."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max, Sum
from django.utils import timezone

from claims.models import DailyFigure
from claims.staff_words import STATUS_GROUPS
from claims.work_queue import WITH_REASONS

OVERLAP = timedelta(minutes=5)
"""Longer than a transaction that changes a claim may take."""
PARTNER_DAYS = 90
BUCKET_DAYS = 5
BUCKETS = 15
"""0-4 days, 5-9, … and 70 or more."""

BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
ONE_AT_A_TIME = "SELECT pg_try_advisory_xact_lock(hashtext('claims.figures'))"
CHANGED_DAYS = """
WITH changed AS (
    SELECT session_id, last_updated_at FROM claims_claim WHERE last_updated_at >= %(since)s
), days AS (
    SELECT session.date_of_service AS day, changed.last_updated_at
    FROM changed JOIN sessions_app_session AS session ON session.id = changed.session_id
    UNION ALL
    SELECT earlier.date_of_service, changed.last_updated_at
    FROM changed JOIN sessions_app_sessionchange AS earlier
      ON earlier.pgh_obj_id = changed.session_id AND earlier.pgh_created_at >= %(since)s
)
SELECT day, min(last_updated_at) AS first_change, statement_timestamp()
FROM days GROUP BY day ORDER BY first_change
"""
"""A session that was moved counts for the day that it left, too."""

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
        WHERE session_id = newest.session_id AND queue = ANY(%(queues)s)
          AND newest.status IN ('held', 'clearinghouse_rejected', 'payer_rejected', 'denied',
                                'member_unknown', 'taken_back')
        ORDER BY id DESC LIMIT 1
    ) AS item ON true
)
INSERT INTO claims_dailyfigure
    (day, partner_id, payer_name, status, reason, sessions, charged, paid, paid_within, counted_at)
SELECT %(day)s, partner_id, payer_name, status, reason, count(*), sum(charged), sum(paid),
    ARRAY[{WITHIN}], %(up_to)s
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


def rebuild() -> int:
    """Count again each day of service that changed since the last count; how many days there were.

    What changed first is counted first, and each day says up to when nothing is left: a count that is broken
    off goes on there the next time. Days that another count is at are left to it.
    """
    last = DailyFigure.objects.aggregate(last=Max("counted_at"))["last"] or BEGINNING
    with connection.cursor() as cursor:
        cursor.execute(CHANGED_DAYS, {"since": last - OVERLAP})
        days = cursor.fetchall()
    for counted, (day, first_change, now) in enumerate(days):
        if not _count_day(day, up_to=now if counted + 1 == len(days) else first_change):
            return counted
    return len(days)


def _count_day(day: date, *, up_to: datetime) -> bool:
    """Count one day of service in a transaction of its own; False where another count is at it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(ONE_AT_A_TIME)
        [alone] = cursor.fetchone()
        if alone:
            DailyFigure.objects.filter(day=day).delete()
            cursor.execute(COUNT_DAY, {"day": day, "up_to": up_to, "queues": WITH_REASONS})
    return bool(alone)
