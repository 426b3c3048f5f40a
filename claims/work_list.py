"""What waits for a person: how much of it, in which order, and which item comes next.

An item is open until the signal that resolves it closes it. A snoozed item counts as snoozed, not as open,
until its time has come.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from claims.models import WorkItem
from claims.staff_words import DEADLINES, DUE_DAYS, MINE

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LEASE = timedelta(minutes=5)
"""How long a page's last sign of life says that somebody has the item open."""
ORDER = (F("file_by").asc(nulls_last=True), F("charge").desc(nulls_last=True), "opened_at", "id")
NEW_DAYS = 14

TALLY = """
SELECT queue,
    count(*) FILTER (WHERE awake),
    count(*) FILTER (WHERE awake AND assignee_id = %(user)s),
    count(*) FILTER (WHERE awake AND assignee_id IS NULL),
    count(*) FILTER (WHERE NOT awake),
    count(*) FILTER (WHERE awake AND file_by <= %(due)s),
    coalesce(sum(charge) FILTER (WHERE awake), 0),
    min(opened_at) FILTER (WHERE awake)
FROM (SELECT queue, assignee_id, file_by, charge, opened_at,
             coalesce(snoozed_until <= now(), true) AS awake
      FROM claims_workitem WHERE closed_at IS NULL) AS open
GROUP BY queue
"""


@dataclass(frozen=True, slots=True)
class Tally:
    """A queue in numbers; `charges` in dollars."""

    open: int = 0
    mine: int = 0
    nobodys: int = 0
    snoozed: int = 0
    due: int = 0
    charges: Decimal = Decimal(0)
    oldest: datetime | None = None


def tally(user: "User") -> Mapping[str, Tally]:
    """Count every queue in one query; a queue without work is missing."""
    with connection.cursor() as cursor:
        cursor.execute(TALLY, {"user": user.pk, "due": last_due_day()})
        return {queue: Tally(*numbers) for queue, *numbers in cursor.fetchall()}


def last_due_day() -> date:
    """The last filing deadline that counts as near."""
    return timezone.localdate() + timedelta(days=DUE_DAYS)


def open_items(key: str, *, user: "User") -> QuerySet[WorkItem]:
    """The open items of a queue, of all deadlines, or of one's own work; snoozed ones too, in no order."""
    items = WorkItem.objects.filter(closed_at=None)
    if key == DEADLINES:
        return items.filter(file_by__lte=last_due_day())
    if key == MINE:
        return items.filter(assignee=user)
    return items.filter(queue=key)


def awake() -> Q:
    """What is not snoozed, or whose time has come."""
    return Q(snoozed_until=None) | Q(snoozed_until__lte=timezone.now())


def asleep() -> Q:
    """What is snoozed and will come back."""
    return Q(snoozed_until__gt=timezone.now())


def free_for(user: "User") -> Q:
    """What nobody else has taken or has open."""
    not_taken = Q(assignee=None) | Q(assignee=user)
    not_open = Q(leased_by=None) | Q(leased_by=user) | Q(leased_at__lt=timezone.now() - LEASE)
    return not_taken & not_open
