"""What waits for a person: how much of it, in which order, and which item comes next.

An item is open until the signal that resolves it closes it. A snoozed item counts as snoozed, not as open,
until its time has come.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Count, DecimalField, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from claims.models import WorkItem
from claims.models.work import DEADLINE, NO_DEADLINE, SMALLNESS
from claims.staff_words import DEADLINES, DUE_DAYS, MINE

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LEASE = timedelta(minutes=5)
"""How long a page's last sign of life says that somebody has the item open."""
EVERYTHING = "all"
Narrow = Callable[[QuerySet[WorkItem]], QuerySet[WorkItem]]
"""Leaves of open items, snoozed ones among them, what a list shows."""
MOST_COUNTED, MOST_ALIKE = 1000, 100

TALLY = """
SELECT queue,
    count(*) FILTER (WHERE awake),
    count(*) FILTER (WHERE awake AND assignee_id = %(user)s),
    count(*) FILTER (WHERE awake AND assignee_id IS NULL),
    count(*) FILTER (WHERE NOT awake),
    count(*) FILTER (WHERE awake AND file_by BETWEEN %(today)s AND %(due)s),
    count(*) FILTER (WHERE awake AND file_by < %(today)s),
    coalesce(sum(charge) FILTER (WHERE awake), 0),
    min(opened_at) FILTER (WHERE awake)
FROM (SELECT queue, assignee_id, file_by, charge, opened_at,
             coalesce(snoozed_until <= %(now)s, true) AS awake
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
    over: int = 0
    """Those whose last day to file is gone: counted by themselves, and last to be opened."""
    charges: Decimal = Decimal(0)
    oldest: datetime | None = None


RECENT = """
SELECT queue, greatest(ceil(extract(epoch FROM %(midnight)s - opened_at) / 86400), 0)::int, count(*)
FROM claims_workitem WHERE opened_at >= %(midnight)s - make_interval(days => %(days)s)
GROUP BY 1, 2
UNION ALL
SELECT '', 0, count(*) FROM claims_workitem
WHERE closed_at >= %(midnight)s AND assignee_id = %(user)s
"""
NEW_DAYS = 13


@dataclass(frozen=True, slots=True)
class Recent:
    """What happened lately: items that each queue got by day, the oldest first; items one closed today."""

    opened: Mapping[str, Sequence[int]]
    closed_by_me: int


def recent(user: "User") -> Recent:
    """Count the last fourteen days in one query; a day begins at midnight in the current time zone."""
    opened: dict[str, list[int]] = {}
    closed = 0
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    with connection.cursor() as cursor:
        cursor.execute(RECENT, {"midnight": midnight, "days": NEW_DAYS, "user": user.pk})
        for queue, ago, count in cursor.fetchall():
            if queue:
                opened.setdefault(queue, [0] * (NEW_DAYS + 1))[NEW_DAYS - ago] = count
            else:
                closed = count
    return Recent(opened=opened, closed_by_me=closed)


@dataclass(frozen=True, slots=True)
class Cause:
    """Open items with one reason at one payer."""

    queue: str
    reason: str
    payer_name: str
    summary: str
    count: int


ALIKE = """
WITH alike AS (
    SELECT queue, reason, payer_name, count(*) AS count FROM claims_workitem
    WHERE closed_at IS NULL AND queue IN ('rejected', 'denied', 'held')
      AND coalesce(snoozed_until <= %(now)s, true)
    GROUP BY queue, reason, payer_name HAVING count(*) >= 3
    ORDER BY count(*) DESC, queue, reason, payer_name LIMIT 4
)
SELECT alike.queue, alike.reason, alike.payer_name, one.summary, alike.count
FROM alike CROSS JOIN LATERAL (
    SELECT summary FROM claims_workitem AS item
    WHERE item.closed_at IS NULL AND item.queue = alike.queue AND item.reason = alike.reason
      AND item.payer_name = alike.payer_name AND coalesce(snoozed_until <= %(now)s, true) LIMIT 1
) AS one
ORDER BY alike.count DESC, alike.queue, alike.reason, alike.payer_name
"""


def common_causes() -> list[Cause]:
    """The reasons that most open rejections, denials and holds share, each at one payer."""
    with connection.cursor() as cursor:
        cursor.execute(ALIKE, {"now": timezone.now()})
        return [Cause(*row) for row in cursor.fetchall()]


def tally(user: "User") -> Mapping[str, Tally]:
    """Count every queue in one query; a queue without work is missing."""
    with connection.cursor() as cursor:
        days = {"today": timezone.localdate(), "due": last_due_day()}
        cursor.execute(TALLY, {"user": user.pk, "now": timezone.now(), **days})
        return {queue: Tally(*numbers) for queue, *numbers in cursor.fetchall()}


def last_due_day() -> date:
    """The last filing deadline that counts as near."""
    return timezone.localdate() + timedelta(days=DUE_DAYS)


def open_items(key: str, *, user: "User") -> QuerySet[WorkItem]:
    """The open items of a queue, of EVERYTHING, DEADLINES or MINE; snoozed ones too, in no order."""
    items = WorkItem.objects.filter(closed_at=None)
    if key == DEADLINES:
        return due(items)
    if key == MINE:
        return items.filter(assignee=user)
    return items if key == EVERYTHING else items.filter(queue=key)


def due(items: QuerySet[WorkItem]) -> QuerySet[WorkItem]:
    """Leave what runs into its filing deadline soon, by the expression that the indexes begin with."""
    return items.annotate(deadline=DEADLINE).filter(deadline__range=(timezone.localdate(), last_due_day()))


def over(items: QuerySet[WorkItem]) -> QuerySet[WorkItem]:
    """Leave that whose last day to file is gone."""
    return items.annotate(deadline=DEADLINE).filter(deadline__lt=timezone.localdate())


def in_time(items: QuerySet[WorkItem]) -> QuerySet[WorkItem]:
    """Leave what can still be filed in time."""
    return items.annotate(deadline=DEADLINE).filter(deadline__gte=timezone.localdate())


def in_order(items: QuerySet[WorkItem]) -> QuerySet[WorkItem]:
    """Fewest days left to file, then largest charge, then oldest."""
    return items.annotate(deadline=DEADLINE, smallness=SMALLNESS).order_by(
        "deadline", "smallness", "opened_at", "id"
    )


def after_item(items: QuerySet[WorkItem], passed: WorkItem) -> QuerySet[WorkItem]:
    """Leave what comes behind an item in that order."""
    return _beside(items, passed, "gt")


def before_item(items: QuerySet[WorkItem], passed: WorkItem) -> QuerySet[WorkItem]:
    """Leave what comes before an item in that order."""
    return _beside(items, passed, "lt")


def _beside(items: QuerySet[WorkItem], item: WorkItem, than: str) -> QuerySet[WorkItem]:
    deadline = item.file_by or NO_DEADLINE
    smallness = -(item.charge if item.charge is not None else Decimal(-1))
    same = Q(deadline=deadline, smallness=smallness)
    return items.annotate(deadline=DEADLINE, smallness=SMALLNESS).filter(
        Q(**{f"deadline__{than}e": deadline}),  # says no more, but where in the index to begin
        Q(**{f"deadline__{than}": deadline})
        | Q(deadline=deadline, **{f"smallness__{than}": smallness})
        | (same & Q(**{f"opened_at__{than}": item.opened_at}))
        | (same & Q(opened_at=item.opened_at, **{f"id__{than}": item.pk})),
    )


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands: its place in a queue, counted from 1, and how many more wait for the same reason.

    None beyond MOST_COUNTED, or where no queue is asked; the others are counted to MOST_ALIKE.
    """

    place: int | None
    alike: int
    listed: bool
    """Whether it is in that queue at all."""
    total: int | None = None
    """How many are, where it is narrowed."""


def place_of(item: WorkItem, key: str, *, user: "User", narrow: Narrow | None = None) -> Place:
    """Find an item's place in a queue, or in what it is narrowed to, and others like it, in one query."""
    alike = WorkItem.objects.filter(
        awake(), queue=item.queue, reason=item.reason, payer_name=item.payer_name, closed_at=None
    ).exclude(pk=item.pk)
    lists = [alike.values("pk")[:MOST_ALIKE]]
    if key:
        queue = listed_in(key, user=user, narrow=narrow)
        lists += [before_item(queue, item).values("pk")[:MOST_COUNTED], queue.filter(pk=item.pk).values("pk")]
        lists += [queue.values("pk")] if narrow is not None else []
    parts = [each.query.sql_with_params() for each in lists]
    counts = ", ".join(f"(SELECT count(*) FROM ({statement}) AS list)" for statement, _ in parts)  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {counts}", [value for _, values in parts for value in values])
        others, *standing = cursor.fetchone()
    before, listed, *total = standing or (0, 0)
    place = before + 1 if listed and before < MOST_COUNTED else None
    return Place(place, others, bool(listed), next(iter(total), None))


def listed_in(key: str, *, user: "User", narrow: Narrow | None = None) -> QuerySet[WorkItem]:
    """What a queue lists, in no order: all that is awake, or what it is narrowed to."""
    items = open_items(key, user=user)
    return narrow(items) if narrow is not None else items.filter(awake())


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


@dataclass(frozen=True, slots=True)
class Load:
    """What one person has taken and has open now."""

    name: str
    taken: int
    due: int
    oldest: datetime | None
    charges: Decimal
    looking_at: int


def workload() -> list[Load]:
    """Sum the open work by person, whoever has most first."""
    living = timezone.now() - LEASE
    taken = Q(assignee__isnull=False)
    rows = (
        WorkItem.objects.filter(closed_at=None)
        .filter(taken | Q(leased_at__gt=living))
        .values_list(
            Coalesce("assignee__first_name", "leased_by__first_name"),
            Coalesce("assignee__last_name", "leased_by__last_name"),
            Coalesce("assignee__username", "leased_by__username"),
        )
        .annotate(
            taken=Count("id", filter=taken),
            due=Count("id", filter=taken & Q(file_by__range=(timezone.localdate(), last_due_day()))),
            oldest=Min("opened_at", filter=taken),
            charges=Coalesce(Sum("charge", filter=taken), Value(Decimal(0)), output_field=DecimalField()),
            looking_at=Count("id", filter=Q(leased_at__gt=living)),
        )
        .order_by("-taken")
    )
    return [Load(f"{first} {last}".strip() or username, *numbers) for first, last, username, *numbers in rows]
