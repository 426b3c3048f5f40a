"""Whether so many claims wait for their steps that new sessions had better come later.

A thread counts every few seconds; whoever asks gets its last word and never waits.
"""

from uuid import UUID

from django.conf import settings
from django.db import Error, connection

from claims.bell import Bell
from claims.pipeline import RUN_BY_PIPELINE

LOOK_EVERY_SECONDS = 5.0
RETRY_AFTER_SECONDS = 30
WAITING = """
SELECT partner_id, count(*) FROM (
    SELECT partner_id FROM claims_claim
    WHERE next_step_at <= statement_timestamp() AND step = ANY(%s) LIMIT %s
) AS waiting
GROUP BY partner_id
"""
_full: frozenset[UUID] = frozenset()


def is_full(partner_id: UUID) -> bool:
    """Whether more claims than BACKLOG_LIMIT were due a few seconds ago, many of this partner's.

    Who has fewer waiting than the average of those that wait is still let in.
    """
    if not settings.BACKLOG_LIMIT:
        return False
    _bell.ring()
    return partner_id in _full


def look() -> frozenset[UUID]:
    """Count what is due, up to the limit; the partners that had better come later."""
    global _full  # noqa: PLW0603 (one answer for this process)
    limit = settings.BACKLOG_LIMIT
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [list(RUN_BY_PIPELINE), limit + 1])
        waiting: dict[UUID, int] = dict(cursor.fetchall())
    total = sum(waiting.values())
    _full = frozenset(
        partner_id
        for partner_id, count in waiting.items()
        if total > limit > 0 and count * len(waiting) >= total
    )
    return _full


def _look_apart() -> None:
    """Look on a connection of the thread's own; without a database nothing is known of a backlog."""
    try:
        look()
    except (Error, RuntimeError):
        return
    finally:
        connection.close()


_bell = Bell(_look_apart, rest=LOOK_EVERY_SECONDS)
