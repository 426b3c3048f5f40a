"""The same deed for many items: first a preview, a line for each, then the deed, a line for each again."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pghistory
import redis
import structlog
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils import timezone

from claims import actions, assignment
from claims.admin.bulk_lines import Line, release_lines, resend_lines
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page, row_id, text_of
from claims.admin.queues import Row, rows_of, with_rows
from claims.admin.release import CHECKED_AGAIN
from claims.admin.session_actions import LONGEST_MESSAGE
from claims.desk.view_records import record_list
from claims.models import Claim, WorkItem
from claims.staff_words import QUEUE_READINGS
from claims.work_list import in_order

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

log = structlog.get_logger()
MOST_ITEMS = 500
KEPT_SECONDS = 24 * 60 * 60
WHY_AGAIN = "Why (kept in each record, the partner doesn't see it)"
CLOSED = "Closed meanwhile: nothing to do."
SNOOZES = (("1", "until tomorrow"), ("3", "for 3 days"), ("7", "for a week"), ("14", "for two weeks"))


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that can be done to many items at once."""

    name: str
    title: str
    button: str
    permission: str
    asks: str = ""
    """The words over the text that it needs; empty where it needs none."""


DEEDS = {
    deed.name: deed
    for deed in (
        Deed("take", "Take them", "Take", "claims.correct_session"),
        Deed("resend", "Send again", "Send", "claims.resend_in_bulk", WHY_AGAIN),
        Deed("release", "Release", "Release", "claims.correct_session", WHY_AGAIN),
        Deed("snooze", "Snooze", "Snooze", "claims.correct_session", "What it waits for"),
        Deed("wake", "Wake", "Wake", "claims.correct_session"),
        Deed(
            "message", "Message partners", "Send to", "claims.message_partner", "The message to each partner"
        ),
        Deed("hand", "Hand out", "Hand out", "claims.hand_out_work"),
    )
}


@page("claims.view_workitem", methods=("POST",))
def bulk(request: StaffRequest, key: str) -> HttpResponse:
    """Show what a deed would do to the chosen items; taking them needs no preview."""
    deed, items, came = _asked(request, key)
    if not items:
        messages.warning(request, "Nothing was chosen that is still open.")
        return redirect(came.address)
    if deed.name in ("take", "wake"):
        return _done(request, deed, key=key, items=items)
    lines = _preview(deed, rows_of(items, user=request.user, came=came), user=request.user)
    _record(request, key, lines)
    return draw(
        request,
        "desk/bulk.html",
        title=deed.title,
        key=key,
        came=came,
        deed=deed,
        lines=lines,
        able=sum(not line.refusal for line in lines),
        snoozes=SNOOZES,
        people=_people().order_by("username") if deed.name == "hand" else [],
    )


@page("claims.view_workitem", methods=("POST",))
def bulk_do(request: StaffRequest, key: str) -> HttpResponse:
    """Do it, and keep the result for a day."""
    deed, items, came = _asked(request, key)
    if deed.asks and deed.name != "snooze" and not _text(request):
        messages.error(request, "Nothing was done: say why, or what, first.")
        return redirect(came.address)
    return _done(request, deed, key=key, items=items)


@page("claims.view_workitem")
def bulk_result(request: StaffRequest, key: str, token: str) -> HttpResponse:
    """Show what a deed came to; the person who did it can come back here for a day."""
    kept = None
    with suppress(redis.RedisError, OSError):
        kept = cache.get(_kept_under(request, token))
    if kept is None:
        raise Http404
    return _draw_result(request, key, kept, stays=True)


def _draw_result(request: StaffRequest, key: str, kept: dict[str, Any], *, stays: bool) -> HttpResponse:
    outcome = {int(pk): (words, refused) for pk, words, refused in kept["lines"]}
    items = in_order(WorkItem.objects.filter(pk__in=outcome))
    lines = [
        Line(row, *outcome[row.item.pk])
        for row in rows_of(with_rows(items), user=request.user, came=OpenedFrom.at(key, request.GET))
        if row.item.pk in outcome
    ]
    _record(request, key, lines)
    return draw(
        request,
        "desk/bulk_result.html",
        title=f"{kept['title']}: done",
        key=key,
        came=OpenedFrom.at(key, request.GET),
        lines=lines,
        able=sum(not line.refusal for line in lines),
        at=datetime.fromisoformat(kept["at"]),
        stays=stays,
    )


def _record(request: StaffRequest, key: str, lines: Iterable[Line]) -> None:
    record_list(request.user, session_ids=[line.row.item.session_id for line in lines], detail=f"bulk {key}")


def _asked(request: StaffRequest, key: str) -> tuple[Deed, list[WorkItem], OpenedFrom]:
    deed = DEEDS.get(request.POST.get("deed", ""))
    if deed is None or key not in QUEUE_READINGS:
        raise Http404
    if not request.user.has_perm(deed.permission):
        raise PermissionDenied
    chosen = WorkItem.objects.filter(pk__in=_chosen(request), closed_at=None)
    return deed, list(with_rows(in_order(chosen))), OpenedFrom.at(key, request.GET)


def _chosen(request: StaffRequest) -> set[int]:
    return set(filter(None, map(row_id, request.POST.getlist("item")[:MOST_ITEMS])))


def _preview(deed: Deed, rows: Sequence[Row], *, user: User) -> list[Line]:
    if deed.name == "resend":
        return resend_lines(rows)
    if deed.name == "release":
        return release_lines(rows)
    if deed.name == "message":
        return [
            Line(row, f"{row.item.partner} gets the message.")
            if row.item.session_id and row.item.partner
            else Line(row, "Belongs to no session, so to no partner.", refusal=True)
            for row in rows
        ]
    return [
        Line(row, _rests(row.item, user=user) if deed.name == "snooze" else "Changes hands.") for row in rows
    ]


def _text(request: StaffRequest) -> str:
    return text_of(request, "text", most=LONGEST_MESSAGE)


def _rests(item: WorkItem, *, user: User) -> str:
    holder = item.assignee
    if holder is None or holder.pk == user.pk:
        return "Rests, and comes back to you."
    return f"Rests, and comes back to {assignment.called(holder)}, who has it."


def _done(request: StaffRequest, deed: Deed, *, key: str, items: list[WorkItem]) -> HttpResponse:
    gone = WorkItem.objects.filter(pk__in=_chosen(request) - {item.pk for item in items})
    lines = [*((item.pk, CLOSED, True) for item in gone), *_DO[deed.name](request, items)]
    token = secrets.token_urlsafe(12)
    kept = {"title": deed.title, "at": timezone.now().isoformat(), "lines": lines}
    try:
        cache.set(_kept_under(request, token), kept, KEPT_SECONDS)
    except (redis.RedisError, OSError) as error:
        log.warning("a result is shown and not kept", error=type(error).__name__)
        return _draw_result(request, key, kept, stays=False)
    return redirect(resolve_url("desk:bulk_result", key, token) + OpenedFrom.at(key, request.GET).query)


def _kept_under(request: StaffRequest, token: str) -> str:
    return f"bulk:{request.user.pk}:{token[:40]}"


Lines = list[tuple[int, str, bool]]


def _take(request: StaffRequest, items: list[WorkItem]) -> Lines:
    outcome = assignment.take([item.pk for item in items], user=request.user)
    return [(pk, words, not words.startswith("With ")) for pk, words in outcome.items()]


def _hand(request: StaffRequest, items: list[WorkItem]) -> Lines:
    number = row_id(request.POST.get("person", ""))
    person = None if number is None else _people().filter(pk=number).first()
    if person is None:
        return [(item.pk, "Nobody was chosen to have it.", True) for item in items]
    outcome = assignment.hand_to([item.pk for item in items], to=person)
    return [(pk, words, not words.startswith("With ")) for pk, words in outcome.items()]


def _people() -> "QuerySet[User]":
    """Who may be given work."""
    return User.objects.filter(is_active=True, groups__name__startswith="billing").distinct()


def _snooze(request: StaffRequest, items: list[WorkItem]) -> Lines:
    days = request.POST.get("days", "")
    until = timezone.now() + timedelta(days=int(days) if days in dict(SNOOZES) else 1)
    had = assignment.snooze(
        [item.pk for item in items], user=request.user, until=until, reason=_text(request)
    )
    day = timezone.localtime(until)
    words = f"Snoozed until {day:%a, %b} {day.day}."
    due = "Stays awake: its time to file ends before that."
    return [
        (item.pk, words, False)
        if item.pk in had
        else (item.pk, due if assignment.runs_out_before(until, item.file_by) else CLOSED, True)
        for item in items
    ]


def _wake(request: StaffRequest, items: list[WorkItem]) -> Lines:
    assignment.wake([item.pk for item in items])
    return [(item.pk, "Awake again.", False) for item in items]


def _each(items: list[WorkItem], act: Callable[["UUID"], Any], *, done: str) -> Lines:
    """Do something to each session once and by itself: one that refuses doesn't hold up the others."""
    outcomes: dict[UUID | None, tuple[str, bool]] = {None: ("Belongs to no session.", True)}
    for session_id in dict.fromkeys(item.session_id for item in items):
        if session_id is None:
            continue
        try:
            act(session_id)
        except actions.ActionRefusedError as refusal:
            outcomes[session_id] = (str(refusal), True)
        except Claim.DoesNotExist:
            outcomes[session_id] = ("Its claim isn't there any more.", True)
        else:
            outcomes[session_id] = (done, False)
    return [(item.pk, *outcomes[item.session_id]) for item in items]


def _resend(request: StaffRequest, items: list[WorkItem]) -> Lines:
    seen = {item.session_id: request.POST.get(f"seen.{item.pk}", "") for item in items}
    with pghistory.context(why=_text(request)):
        return _each(
            items,
            lambda session_id: actions.resend(
                session_id, user=request.user, reason="sent again by billing staff.", seen=seen[session_id]
            ),
            done="On its way again.",
        )


def _release(request: StaffRequest, items: list[WorkItem]) -> Lines:
    lines = release_lines(rows_of(items, user=request.user))
    seen = {item.session_id: request.POST.get(f"seen.{item.pk}", "") for item in items}
    with pghistory.context(why=_text(request)):
        done = _each(
            [line.row.item for line in lines if not line.refusal],
            lambda session_id: actions.release(
                session_id, user=request.user, reason=CHECKED_AGAIN, seen=seen[session_id]
            ),
            done="Released: it is being coded and checked again.",
        )
    return done + [(line.row.item.pk, line.words, True) for line in lines if line.refusal]


def _message(request: StaffRequest, items: list[WorkItem]) -> Lines:
    text = _text(request)
    return _each(
        items,
        lambda session_id: actions.write_to_partner(session_id, user=request.user, text=text),
        done="The partner has it on the session's timeline.",
    )


_DO: dict[str, Callable[[StaffRequest, list[WorkItem]], Lines]] = {
    "take": _take,
    "hand": _hand,
    "snooze": _snooze,
    "wake": _wake,
    "resend": _resend,
    "release": _release,
    "message": _message,
}
