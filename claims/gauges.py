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
from claims.gateways import gateway_names
from partners.outages import takes_writes

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
  AND claim.status_changed_at > statement_timestamp() - interval '1 hour'
  AND claim.status IN ('clearinghouse_rejected', 'payer_rejected', 'transport_rejected', 'denied')
GROUP BY claim.status, session.payer_name, session.payer_id ORDER BY count(*) DESC LIMIT 40
"""
POLLS = """
SELECT gateway, coalesce(extract(epoch FROM statement_timestamp() - polled_at), -1),
       (failure <> '' AND failed_at IS DISTINCT FROM polled_at)::int
FROM claims_pollcursor
"""
FAMILIES = (
    (WAITING_CLAIMS, "step", 1, "billing_claims_due", "Claims that are due for a step."),
    (WAITING_CLAIMS, "step", 2, "billing_claims_due_oldest_seconds", "How long the longest waiting is due."),
    (WAITING_FILES, "", 0, "billing_files_waiting", "Stored files that nobody applied."),
    (WAITING_FILES, "", 1, "billing_files_waiting_oldest_seconds", "Since the oldest came."),
    (OPEN_ITEMS, "queue reason", 2, "billing_work_items", "Open work of staff."),
    (OPEN_SESSIONS, "status", 1, "billing_sessions_open", "Sessions not answered by a payer."),
    (OPEN_SESSIONS, "status", 2, "billing_sessions_open_oldest_seconds", "Age of the oldest."),
    (UNANSWERED, "gateway", 1, "billing_claims_unanswered", "Sent, no answer yet."),
    (UNANSWERED, "gateway", 2, "billing_claims_unanswered_oldest_seconds", "The oldest."),
    (DECIDED, "status payer", 2, "billing_refused_last_hour", "Claims rejected or denied within an hour."),
    (POLLS, "gateway", 1, "billing_gateway_polled_seconds", "Since the last poll."),
    (POLLS, "gateway", 2, "billing_gateway_failing", "Whether the last poll failed."),
)
"""Each gauge's statement, its labels (the first columns), the column of its value, its name and words."""


@dataclass(eq=False)
class WaitingCollector(Collector):
    """Gauges of what waits; `billing_database_up` is 0 without writing, and alone without reading."""

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
    up = GaugeMetricFamily("billing_database_up", "Whether the database answers and takes writes.")
    try:
        writable, found = takes_writes(), list(_gauges())
    except DatabaseError:
        writable, found = False, []
    up.add_metric([], int(writable))
    yield up
    yield from found


def _gauges() -> Iterator[Metric]:
    rows = {statement: _rows(statement) for statement in dict.fromkeys(each[0] for each in FAMILIES)}
    rows[DECIDED] = _by_payer(rows[DECIDED])
    in_use = gateway_names()
    rows[POLLS] = [row for row in rows[POLLS] if row[0] in in_use]
    for statement, names, column, name, words in FAMILIES:
        labels = names.split()
        family = GaugeMetricFamily(name, words, labels=labels)
        for row in rows[statement]:
            family.add_metric(row[: len(labels)], float(row[column]))
        yield family


def _by_payer(rows: list[Any]) -> list[Any]:
    """By status and payer of our directory: what a partner sent as the payer is no label."""
    matches = match_payers((name, payer_id) for _, name, payer_id, _ in rows)
    counts: Counter[tuple[str, str]] = Counter()
    for status, name, payer_id, count in rows:
        match, _ = matches[name, payer_id]
        counts[status, match.payer_id or "other"] += count
    return [(*labels, count) for labels, count in counts.items()]


def _rows(statement: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())
