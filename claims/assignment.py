"""Who works on what: lease the next free item, take items, hand them on, snooze them until a day.

A lease only sorts and informs: what a person changes is guarded by the session's version, not by it.
"""

from collections.abc import Iterable
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from claims.models import WorkItem
from claims.work_list import Narrow, after_item, before_item, free_for, in_order, in_time, listed_in
from claims.work_queue import of_files

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractUser, User


def lease_next(
    key: str,
    *,
    user: "User",
    after: int | None = None,
    before: int | None = None,
    narrow: Narrow | None = None,
) -> WorkItem | None:
    """Lease the first free item of a queue, or the one behind `after` or just before `before`.

    The first is one that can still be filed in time, where there is one. None when there is none. Two people
    who ask at once get two items.
    """
    with transaction.atomic():
        waiting = in_order(listed_in(key, user=user, narrow=narrow).filter(free_for(user)))
        named = after if before is None else before
        passed = WorkItem.objects.filter(pk=named).first() if named is not None else None
        if passed is not None:
            waiting = (
                after_item(waiting, passed) if before is None else before_item(waiting, passed).reverse()
            )
        free = waiting.select_for_update(skip_locked=True, of=("self",))
        item = (in_time(free).first() if passed is None else None) or free.first()
        if item is not None:
            WorkItem.objects.filter(pk=item.pk).update(leased_by=user, leased_at=timezone.now())
    return item


def renew_lease(item_id: int, *, user: "User") -> bool:
    """Say that this person still has the item open; False when it is closed or somebody else's lease."""
    mine = WorkItem.objects.filter(Q(leased_by=user) | Q(leased_by=None), pk=item_id, closed_at=None)
    return bool(mine.update(leased_by=user, leased_at=timezone.now()))


def lease(item_id: int, *, user: "User") -> None:
    """Say that this person has opened the item, unless a living lease says that somebody else has."""
    WorkItem.objects.filter(free_for(user), pk=item_id, closed_at=None).update(
        leased_by=user, leased_at=timezone.now()
    )


def take(item_ids: Iterable[int], *, user: "User") -> dict[int, str]:
    """Make open items this person's own, but those that another has taken; what became of each, in words."""
    return _assign(item_ids, to=user, only_free=True)


def hand_to(
    item_ids: Iterable[int], *, to: "User", by: "User | None" = None, words: str = ""
) -> dict[int, str]:
    """Give open items to somebody, with words of whoever passes them on; what became of each, in words."""
    return _assign(item_ids, to=to, handed_by=by, handed_with=words[:200], leased_by=None, leased_at=None)


def _assign(
    item_ids: Iterable[int], *, to: "User", only_free: bool = False, **columns: Any
) -> dict[int, str]:
    outcome: dict[int, str] = {}
    with transaction.atomic():
        items = WorkItem.objects.select_for_update(of=("self",)).filter(pk__in=list(item_ids))
        for item in items.select_related("assignee").order_by("pk"):
            if item.closed_at is not None:
                outcome[item.pk] = "Closed meanwhile: nothing to do."
            elif only_free and item.assignee is not None and item.assignee_id != to.pk:
                outcome[item.pk] = f"{called(item.assignee)} has it."
            else:
                outcome[item.pk] = ""
        given = [pk for pk, words in outcome.items() if not words]
        WorkItem.objects.filter(pk__in=given).update(assignee=to, **columns)
    return {pk: words or f"With {called(to)} now." for pk, words in outcome.items()}


def put_back(item_ids: Iterable[int], *, user: "User") -> int:
    """Let go of items of one's own; how many there were."""
    mine = WorkItem.objects.filter(pk__in=list(item_ids), assignee=user, closed_at=None)
    return mine.update(assignee=None, handed_by=None, handed_with="")


def snooze(
    item_ids: Iterable[int], *, user: "User", until: datetime, reason: str = ""
) -> dict[int, "User | None"]:
    """Let open items rest until then; each comes back to whoever has taken it, else to this person.

    By item, who had it before; what would rest past its last day to file is left out.
    """
    with transaction.atomic():
        items = WorkItem.objects.select_for_update(of=("self",)).filter(pk__in=list(item_ids), closed_at=None)
        had = {
            item.pk: item.assignee
            for item in items.select_related("assignee").order_by("pk")
            if not runs_out_before(until, item.file_by)
        }
        resting = WorkItem.objects.filter(pk__in=had)
        resting.update(snoozed_until=until, snoozed_for=reason[:200], leased_by=None, leased_at=None)
        resting.filter(assignee=None).update(assignee=user)
    return had


def runs_out_before(until: datetime, file_by: date | None) -> bool:
    """Tell whether the last day to file comes before that; one that is over already doesn't count."""
    return file_by is not None and timezone.localdate() <= file_by < timezone.localdate(until)


def at_most(until: datetime, *, file_by: date | None) -> datetime:
    """The end of a rest, or the morning of the last day to file where that comes before."""
    if file_by is None or not runs_out_before(until, file_by):
        return until
    return timezone.make_aware(datetime.combine(file_by, time.min))


def wake(item_ids: Iterable[int]) -> int:
    """End a snooze; how many items rested."""
    resting = WorkItem.objects.filter(pk__in=list(item_ids), closed_at=None, snoozed_until__isnull=False)
    return resting.update(snoozed_until=None, snoozed_for="")


def called(user: "AbstractUser") -> str:
    """The name that colleagues call a person by."""
    return user.get_full_name() or user.get_username()


def leave_file(file_id: int, *, user: "User", reason: str) -> bool:
    """Close what asks about a file that was not applied in full; False where nothing does any more."""
    asked = of_files([file_id]).filter(closed_at=None)
    return bool(asked.update(closed_at=timezone.now(), assignee=user, outcome=reason[:200]))
