"""The queues: what waits, in the order in which it should be done, and the way to the next of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from claims import assignment
from claims.admin.addresses import address_of
from claims.admin.navigation import counts
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page, row_id
from claims.admin.queue_filters import SHOWN, Filters, choices
from claims.desk.view_records import record_list
from claims.models import WorkItem
from claims.staff_words import DEADLINES, MINE, QUEUE_READINGS
from claims.work_list import EVERYTHING, Tally, after_item, in_order, open_items, workload
from sessions_app.models import SessionCode

ROWS = 50
ACROSS = (DEADLINES, MINE)
"""Lists across queues: each row says which queue it is from."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a queue."""

    item: WorkItem
    address: str
    codes: str


@page("claims.view_workitem")
def queue(request: StaffRequest, key: str) -> HttpResponse:
    """List a queue, fifty rows at a time."""
    if key not in QUEUE_READINGS:
        raise Http404
    came = OpenedFrom.at(key, request.GET)
    filters = came.filters
    everything = open_items(key, user=request.user)
    items = in_order(filters.narrow(everything, user=request.user))
    if (passed := _passed(came.after)) is not None:
        items = after_item(items, passed)
    rows = rows_of(with_rows(items)[: ROWS + 1], user=request.user, came=came)
    if passed is not None and not rows:
        return redirect(replace(came, after="").address)
    more = len(rows) > ROWS
    record_list(request.user, session_ids=[row.item.session_id for row in rows[:ROWS]], detail=f"queue {key}")
    offered, left = choices(everything, filters, user=request.user)
    return draw(
        request,
        "desk/queue.html",
        title=QUEUE_READINGS[key].title,
        key=key,
        reading=QUEUE_READINGS[key],
        numbers=_numbers(request, key),
        across=key in ACROSS,
        stray=key == WorkItem.Queue.UNMATCHED,
        rows=rows[:ROWS],
        filters=filters,
        shown=_shown(filters, key=key),
        last_done=None if rows else _last_done(key),
        choices=offered,
        left=left,
        came=came,
        may_act=request.user.has_perm("claims.correct_session"),
        paged=passed is not None,
        next_query=f"{filters.query()}&after={rows[ROWS - 1].item.pk}".lstrip("&") if more else "",
        first_query=filters.query(),
    )


def _id(request: StaffRequest, name: str) -> int | None:
    return row_id(request.POST.get(name, ""))


def _passed(text: str) -> WorkItem | None:
    """The item that a page begins behind, done meanwhile or not."""
    number = row_id(text)
    return WorkItem.objects.filter(pk=number).first() if number is not None else None


def _last_done(key: str) -> WorkItem | None:
    """The item of a queue that was closed last, for when there is no other."""
    closed = WorkItem.objects.filter(closed_at__isnull=False).select_related("assignee")
    return None if key in ACROSS else closed.filter(queue=key).order_by("-closed_at").first()


def with_rows(items: QuerySet[WorkItem]) -> QuerySet[WorkItem]:
    """Fetch with items all that their rows show, in one query and one for the codes."""
    procedures = SessionCode.objects.filter(kind=SessionCode.Kind.PROCEDURE).order_by("position")
    return (
        items.select_related("session", "signal", "partner", "assignee", "leased_by")
        .prefetch_related(Prefetch("session__codes", queryset=procedures, to_attr="procedures"))
        .defer("session__member_id", "session__message", "signal__payload")
    )


def rows_of(items: Iterable[WorkItem], *, user: User, came: OpenedFrom | None = None) -> list[Row]:
    """Make lines of items, with the pages that this person may open."""
    return [
        Row(
            item=item,
            address=address_of(item, user=user, came=came),
            codes=" ".join(str(code) for code in getattr(item.session, "procedures", ())),
        )
        for item in items
    ]


def _numbers(request: StaffRequest, key: str) -> Tally:
    numbers = counts(request)
    if key not in ACROSS:
        return numbers.get(key, Tally())
    due, mine = (sum(getattr(each, name) for each in numbers.values()) for name in ("due", "mine"))
    return Tally(open=due if key == DEADLINES else mine, mine=mine, due=due)


def _shown(filters: Filters, *, key: str) -> list[tuple[str, str, str, bool]]:
    """The chips before the filters: name of its number, words, query string, chosen.

    An answer without a claim has no time to file, and a list across queues counts less.
    """
    counted = {"": "open", "nobody": "nobodys"}
    left_out = {"unmatched": ("due", "over"), **dict.fromkeys(ACROSS, ("mine", "nobody", "due", "over"))}
    return [
        (counted.get(show, show), words, filters.query(show=show), filters.show == show)
        for show, words in SHOWN.items()
        if show not in left_out.get(key, ())
    ]


@page("claims.correct_session", methods=("POST",))
def start(request: StaffRequest, key: str = EVERYTHING) -> HttpResponse:
    """Lease the first free item and open it; behind or before the one that the page names, if it does.

    Behind the last one comes the first again. Of a list that is narrowed, only what it shows.
    """
    if key not in QUEUE_READINGS and key != EVERYTHING:
        raise Http404
    came, passed = OpenedFrom.at(key, request.GET), _id(request, "after")
    narrow = came.narrow_for(request.user)
    before = _id(request, "before")
    item = assignment.lease_next(key, user=request.user, after=passed, before=before, narrow=narrow)
    if item is None and passed is not None:
        first = assignment.lease_next(key, user=request.user, narrow=narrow)
        item = first if first is not None and first.pk != passed else None
    if item is None:
        words = "Nothing here is free: what is left is snoozed, taken, or open elsewhere."
        messages.info(request, "Nothing before it is free." if "before" in request.POST else words)
        return redirect(came.address if came else "admin:index")
    return redirect(address_of(item, user=request.user, came=came))


@page("claims.hand_out_work")
def people(request: StaffRequest) -> HttpResponse:
    """Show who has taken how much, and what each has open now."""
    return draw(request, "desk/people.html", title="Who is working on what", people=workload())


@page("claims.view_workitem", methods=("POST",))
def heartbeat(request: StaffRequest) -> HttpResponse:
    """Renew the lease of the item that a page holds open."""
    number = row_id(request.POST.get("item", ""))
    if number is not None and request.user.has_perm("claims.correct_session"):
        assignment.renew_lease(number, user=request.user)
    return HttpResponse(status=204)
