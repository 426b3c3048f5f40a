"""How much waits, read from the database when metrics are asked for; every statement goes by an index.

The answer is kept for some seconds, so that being asked often costs nothing.
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import DatabaseError, connection
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from billing.payers.directory import match_payers

KEPT_SECONDS = 10.0
WAITING_CLAIMS = """
SELECT step, count(*), extract(epoch FROM statement_timestamp() - min(next_step_at))
FROM claims_claim WHERE next_step_at <= statement_timestamp() GROUP BY step
"""
WAITING_FILES = """
SELECT count(*), coalesce(extract(epoch FROM statement_timestamp() - min(received_at)), 0)
FROM claims_inboundfile WHERE state = 'received'
"""
OPEN_ITEMS = (
    "SELECT queue, reason, count(*) FROM claims_workitem WHERE closed_at IS NULL GROUP BY queue, reason"
)
OPEN_SESSIONS = """
SELECT status.name, coalesce(sum(found.count), 0),
       coalesce(extract(epoch FROM statement_timestamp() - min(found.oldest)), 0)
FROM partners_partner AS partner
CROSS JOIN (VALUES ('processing'), ('submitted')) AS status (name)
CROSS JOIN LATERAL (
    SELECT count(*) AS count, min(created_at) AS oldest FROM sessions_app_session
    WHERE partner_id = partner.id AND status = status.name::varchar
) AS found
GROUP BY status.name
"""
UNANSWERED = """
SELECT gateway, count(*), extract(epoch FROM statement_timestamp() - min(submitted_at))
FROM claims_claim WHERE status = 'sent' AND submitted_at IS NOT NULL GROUP BY gateway
"""
DECIDED = """
SELECT claim.status, session.payer_name, session.payer_id, count(*)
FROM claims_claim AS claim JOIN sessions_app_session AS session ON session.id = claim.session_id
WHERE claim.last_updated_at > statement_timestamp() - interval '1 hour'
  AND claim.status IN ('clearinghouse_rejected', 'payer_rejected', 'transport_rejected', 'denied')
GROUP BY claim.status, session.payer_name, session.payer_id ORDER BY count(*) DESC LIMIT 40
"""
POLLS = """
SELECT gateway, coalesce(extract(epoch FROM statement_timestamp() - polled_at), -1), (failure <> '')::int
FROM claims_pollcursor
"""


@dataclass(eq=False)
class WaitingCollector(Collector):
    """Gauges of what waits; `billing_database_up` is 0 and the others are absent while it can't be read."""

    kept: list[Metric] = field(default_factory=list)
    kept_until: float = 0.0

    def collect(self) -> Iterable[Metric]:
        """What was read lately, or is read now."""
        if time.monotonic() >= self.kept_until:
            self.kept = list(_read())
            self.kept_until = time.monotonic() + KEPT_SECONDS
        return self.kept


waiting = WaitingCollector()


def _read() -> Iterator[Metric]:
    up = GaugeMetricFamily("billing_database_up", "Whether the database answers.")
    try:
        found = list(_gauges())
    except DatabaseError:
        up.add_metric([], 0)
        yield up
        return
    up.add_metric([], 1)
    yield up
    yield from found


def _gauges() -> Iterator[Metric]:
    claims = GaugeMetricFamily("billing_claims_due", "Claims that are due for a step.", labels=["step"])
    age = GaugeMetricFamily(
        "billing_claims_due_oldest_seconds", "How long the longest waiting is due.", labels=["step"]
    )
    for step, count, oldest in _rows(WAITING_CLAIMS):
        claims.add_metric([step], count)
        age.add_metric([step], float(oldest))
    yield from (claims, age)
    [(count, oldest)] = _rows(WAITING_FILES)
    yield GaugeMetricFamily("billing_files_waiting", "Stored files that nobody applied.", value=count)
    yield GaugeMetricFamily(
        "billing_files_waiting_oldest_seconds", "Since the oldest came.", value=float(oldest)
    )
    items = GaugeMetricFamily("billing_work_items", "Open work of staff.", labels=["queue", "reason"])
    for queue, reason, count in _rows(OPEN_ITEMS):
        items.add_metric([queue, reason], count)
    yield items
    sessions = GaugeMetricFamily(
        "billing_sessions_open", "Sessions not answered by a payer.", labels=["status"]
    )
    since = GaugeMetricFamily("billing_sessions_open_oldest_seconds", "Age of the oldest.", labels=["status"])
    for status, count, oldest in _rows(OPEN_SESSIONS):
        sessions.add_metric([status], float(count))
        since.add_metric([status], float(oldest))
    yield from (sessions, since)
    unanswered = GaugeMetricFamily("billing_claims_unanswered", "Sent, no answer yet.", labels=["gateway"])
    silence = GaugeMetricFamily("billing_claims_unanswered_oldest_seconds", "The oldest.", labels=["gateway"])
    for gateway, count, oldest in _rows(UNANSWERED):
        unanswered.add_metric([gateway], count)
        silence.add_metric([gateway], float(oldest))
    yield from (unanswered, silence)
    decided = GaugeMetricFamily(
        "billing_refused_last_hour", "Claims rejected or denied within an hour.", labels=["status", "payer"]
    )
    for (status, payer), count in _decided().items():
        decided.add_metric([status, payer], count)
    yield decided
    polled = GaugeMetricFamily("billing_gateway_polled_seconds", "Since the last poll.", labels=["gateway"])
    failing = GaugeMetricFamily(
        "billing_gateway_failing", "Whether the last poll failed.", labels=["gateway"]
    )
    for gateway, seconds, failed in _rows(POLLS):
        polled.add_metric([gateway], float(seconds))
        failing.add_metric([gateway], failed)
    yield from (polled, failing)


def _decided() -> Counter[tuple[str, str]]:
    """By status and payer of our directory: what a partner sent as the payer is no label."""
    rows = _rows(DECIDED)
    matches = match_payers((name, payer_id) for _, name, payer_id, _ in rows)
    counts: Counter[tuple[str, str]] = Counter()
    for status, name, payer_id, count in rows:
        match, _ = matches[name, payer_id]
        counts[status, match.payer_id or "other"] += count
    return counts


def _rows(statement: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())
