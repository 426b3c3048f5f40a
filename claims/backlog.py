"""Whether so many claims wait for their steps that new sessions had better come later.

A thread counts every few seconds; whoever asks gets its last word and never waits.
"""

from django.conf import settings
from django.db import Error, connection

from claims.bell import Bell
from claims.pipeline import RUN_BY_PIPELINE

LOOK_EVERY_SECONDS = 5.0
RETRY_AFTER_SECONDS = 30
WAITING = """
SELECT count(*) FROM (
    SELECT FROM claims_claim WHERE next_step_at <= statement_timestamp() AND step = ANY(%s) LIMIT %s
) AS waiting
"""
_full = False


def is_full() -> bool:
    """Whether more claims than BACKLOG_LIMIT were due a few seconds ago."""
    if not settings.BACKLOG_LIMIT:
        return False
    _bell.ring()
    return _full


def look() -> bool:
    """Count what is due, up to the limit."""
    global _full  # noqa: PLW0603 (one answer for this process)
    limit = settings.BACKLOG_LIMIT
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [list(RUN_BY_PIPELINE), limit + 1])
        _full = bool(cursor.fetchone()[0] > limit > 0)
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
