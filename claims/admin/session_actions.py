"""What staff do to a session from its page: each a POST that calls the function which everybody calls."""

from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from claims import actions, assignment
from claims.admin import undo
from claims.admin.addresses import address_of
from claims.admin.held_again import held_again
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page, row_id, text_of
from claims.desk import reviews
from claims.desk.correction_preview import can_be_written
from claims.desk.roles import BILLING, BILLING_LEAD
from claims.desk.view_records import What
from claims.models import WorkItem

NO_OVERRIDE_HELPS = "No override helps: as the session is, there would be no claim to send."
MOST_DAYS = 90
LONGEST_MESSAGE, LONGEST_REASON, LONGEST_WORD, LONGEST_OUTCOME = 2000, 400, 200, 180
"""As the forms say."""


@page("claims.override_finding", methods=("POST",))
def override(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Let a held session go on in spite of the rules chosen, and keep why."""
    rules = request.POST.getlist("rule")

    def let_go() -> None:
        if not can_be_written(session_id):
            raise actions.ActionRefusedError(NO_OVERRIDE_HELPS)
        actions.override(
            session_id,
            rules=rules,
            user=request.user,
            reason=_reason(request),
            delay_reason_code=str(request.POST.get("delay_reason", "")),
            seen=_seen(request),
        )

    return _act(
        request,
        session_id,
        let_go,
        done=f"Overridden: {', '.join(rules)}. Why stays in its history.",
        checked=True,
    )


@page("claims.correct_session", methods=("POST",))
def set_aside(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Say that a held session is not to be billed; the partner reads why."""
    try:
        review = reviews.set_aside_held(
            session_id, reason=_reason(request), user=request.user, seen=_seen(request)
        )
    except actions.ActionRefusedError as refused:
        say_refused(request, str(refused))
        return redirect(session_address(request, session_id))
    undo.offer(
        request, "Set aside; the partner reads why.", address=reverse("desk:review-undo", args=[review.pk])
    )
    return go_on(request, session_id)


@page("claims.resend_claim", methods=("POST",))
def resend(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Send the same claim again after our file was refused."""
    return _act(
        request,
        session_id,
        lambda: actions.resend(
            session_id,
            user=request.user,
            reason=_reason(request) or "our file was refused.",
            seen=_seen(request),
        ),
        done="On its way again.",
    )


@page("claims.resend_claim", methods=("POST",))
def send_missing(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Send a file that the clearinghouse never got; whoever says so has looked there."""
    if "looked" not in request.POST:
        say_refused(request, "Tick that you have looked: if it is there after all, it is billed twice.")
        return redirect(session_address(request, session_id))
    return _act(
        request,
        session_id,
        lambda: actions.send_missing(session_id, user=request.user, reason=_reason(request)),
        done="On its way, with all that is in the same file.",
    )


@page("claims.resend_claim", methods=("POST",))
def not_on_file(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Write down that the payer has no such claim; whoever says so has asked it."""
    if "asked" not in request.POST:
        say_refused(request, "Tick that you have asked: if the payer has it after all, it is billed twice.")
        return redirect(session_address(request, session_id))
    return _act(
        request,
        session_id,
        lambda: actions.not_on_file(
            session_id,
            user=request.user,
            reason=_reason(request),
            seen=_seen(request),
            version=_version(request),
        ),
        done="Written down: the claim can go again.",
        stay=True,
    )


@page("claims.void_claim", methods=("POST",))
def void(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Ask the payer to take the claim back, the chosen version where it could be one of several."""
    return _act(
        request,
        session_id,
        lambda: actions.void(
            session_id,
            user=request.user,
            reason=_reason(request),
            seen=_seen(request),
            version=_version(request),
            shown=request.POST.get("shown"),
        ),
        done="The payer is asked to take the claim back.",
    )


@page("claims.message_partner", methods=("POST",))
def message(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Write a note for the partner."""
    text = text_of(request, "text", most=LONGEST_MESSAGE)
    return _act(
        request,
        session_id,
        lambda: actions.write_to_partner(session_id, user=request.user, text=text),
        done="Written to the partner; it stands on the timeline.",
        stay=True,
    )


@page("claims.correct_session", methods=("POST",))
def snooze(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Let the session's open work rest until a day."""
    wake_address = reverse("desk:session-wake", args=[session_id])
    if not snooze_items(request, _items(request), wake=wake_address):
        return redirect(session_address(request, session_id))
    return go_on(request, session_id)


def snooze_items(request: StaffRequest, items: list[int], *, wake: str) -> bool:
    """Let items rest until the day that was chosen, with the undo at `wake`; False, and words, where not."""
    until = _day(str(request.POST.get("until", "")))
    if until is None:
        say_refused(request, "Choose a day from tomorrow on, at most 90 days away.")
        return False
    days = WorkItem.objects.filter(pk__in=items, closed_at=None).values_list("file_by", flat=True)
    for last in days:
        if last is not None and assignment.runs_out_before(until, last):
            say_refused(request, f"Nothing was snoozed: its time to file ends on {last:%a, %b} {last.day}.")
            return False
    had = assignment.snooze(items, user=request.user, until=until, reason=_reason(request, most=LONGEST_WORD))
    if not had:
        messages.info(request, "There is nothing open here to snooze.")
        return False
    words = f"Snoozed until {until:%a, %b} {until.day}. It comes back to {_theirs(request, had.values())}."
    free = [str(item) for item, holder in had.items() if holder is None]
    undo.offer(request, words, address=wake, item=[str(item) for item in items], free=free)
    return True


def wake_items(request: StaffRequest, items: list[int]) -> None:
    """End a snooze; what was nobody's before is nobody's again where the undo says so."""
    assignment.wake(items)
    free = {number for number in map(row_id, request.POST.getlist("free")[:20]) if number is not None}
    assignment.put_back(free.intersection(items), user=request.user)
    messages.success(request, "Awake again.")


def _theirs(request: StaffRequest, holders: Iterable[User | None]) -> str:
    """Whoever has taken one of some items, else `you`."""
    others = [each for each in holders if each is not None and each.pk != request.user.pk]
    return f"{assignment.called(others[0])}, who has it" if others else "you"


@page("claims.correct_session", methods=("POST",))
def wake(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """End a snooze."""
    wake_items(request, _items(request))
    return redirect(session_address(request, session_id))


@page("claims.correct_session", methods=("POST",))
def done(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Say that what an answer asks of a person is done."""
    for item in _items(request)[:1]:
        try:
            actions.end_task(
                item,
                session_id=session_id,
                user=request.user,
                reason=_reason(request, most=LONGEST_OUTCOME),
                gives_up="answer" in request.POST,
                answer=request.POST.get("answer", request.POST.get("shown", "")),
            )
        except actions.ActionRefusedError as refused:
            say_refused(request, str(refused))
            break
        undone = reverse("desk:session-undone", args=[session_id])
        words = (
            "Off the list until another answer decides."
            if "answer" in request.POST
            else "Done: it is off the list."
        )
        undo.offer(request, words, address=undone, item=str(item))
        return go_on(request, session_id)
    return redirect(session_address(request, session_id))


@page("claims.correct_session", methods=("POST",))
def undone(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Take up again what was said to be done."""
    for item in _items(request)[:1]:
        try:
            actions.take_up_task(item, session_id=session_id, user=request.user)
        except actions.ActionRefusedError as refused:
            say_refused(request, str(refused))
        else:
            messages.success(request, "It is open again.")
    return redirect(session_address(request, session_id))


@page("claims.correct_session", methods=("POST",))
def take(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Make the session's open work this person's own."""
    for words in assignment.take(_items(request), user=request.user).values():
        messages.info(request, words)
    return redirect(session_address(request, session_id))


@page("claims.correct_session", methods=("GET", "HEAD", "POST"), records=What.PAGE)
def pass_on(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Give the session's open work to a colleague, with a word about it; `ask=lead` names leads alone."""
    people = _colleagues(request)
    if request.method == "POST":
        chosen = request.POST.get("person", "")
        to = next((each for each in people if str(each.pk) == chosen), None)
        if to is None:
            say_refused(request, "Choose who shall have it.")
            return redirect(request.get_full_path())
        items = WorkItem.objects.filter(session=session_id, closed_at=None).values_list("pk", flat=True)
        told = assignment.hand_to(
            items, to=to, by=request.user, words=text_of(request, "words", most=LONGEST_WORD)
        )
        messages.success(request, next(iter(told.values()), "There is nothing open here to pass on."))
        return go_on(request, session_id)
    return draw(
        request,
        "admin/session/pass_on.html",
        title="Ask a billing lead" if "ask" in request.GET else "Pass on",
        session_id=session_id,
        people=people,
        queue=OpenedFrom.named_by(request),
    )


def _colleagues(request: StaffRequest) -> list[User]:
    """Who else may do the work."""
    groups = [BILLING_LEAD.name] if "ask" in request.GET else [BILLING_LEAD.name, BILLING.name]
    others = User.objects.filter(is_active=True, groups__name__in=groups).exclude(pk=request.user.pk)
    return list(others.distinct().order_by("first_name", "last_name", "username"))


def session_address(request: StaffRequest, session_id: UUID) -> str:
    """The session's page, with the list that it was opened from."""
    address = reverse("desk:session", args=[session_id])
    came = OpenedFrom.named_by(request)
    return f"{address}?queue={came}" if came else address


def go_on(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Open the next free item of the list that the session was opened from, or the session again."""
    came = OpenedFrom.named_by(request)
    return go_on_in(request, came) if came else redirect(session_address(request, session_id))


def say_refused(request: StaffRequest, why: str) -> None:
    """Say why it can't be done, and what was typed for it: the form is drawn anew, and empty."""
    fields = (text_of(request, name, most=LONGEST_MESSAGE) for name in ("reason", "text", "words"))
    written = next(filter(None, fields), "")
    messages.error(request, f"{why} You had written: “{written}”" if written else why)


def say_done(request: StaffRequest, session_id: UUID, done: str, *, holds: str = "") -> None:
    """Say what was done, and what holds it all the same; beside the way back where another's page is next."""
    done = f"{done} {holds}".strip()
    if OpenedFrom.named_by(request):
        back = reverse("desk:session", args=[session_id])
        done = format_html('{} <a href="{}">The one before</a>', done, back)
    (messages.warning if holds else messages.success)(request, done)


def go_on_in(request: StaffRequest, came: OpenedFrom, *, after: int | None = None) -> HttpResponse:
    """Open the next free item of a list, behind `after` where one is; the list itself where none is free."""
    narrow = came.narrow_for(request.user)
    item = assignment.lease_next(came.key, user=request.user, after=after, narrow=narrow)
    if item is None and after is not None:
        item = assignment.lease_next(came.key, user=request.user, narrow=narrow)
    return redirect(came.address if item is None else address_of(item, user=request.user, came=came))


def _act(
    request: StaffRequest,
    session_id: UUID,
    deed: Callable[[], object],
    *,
    done: str,
    stay: bool = False,
    checked: bool = False,
) -> HttpResponse:
    """Do it and say so, or say in words why it can't be done now; `checked`: with what will hold it."""
    try:
        deed()
    except actions.ActionRefusedError as refused:
        say_refused(request, str(refused))
        return redirect(session_address(request, session_id))
    if stay:
        messages.success(request, done)
        return redirect(session_address(request, session_id))
    holds = held_again(session_id) if checked else ""
    say_done(request, session_id, done, holds=holds)
    return go_on(request, session_id)


def _items(request: StaffRequest) -> list[int]:
    asked = map(row_id, request.POST.getlist("item")[:20])
    return [number for number in asked if number is not None]


def _reason(request: StaffRequest, *, most: int = LONGEST_REASON) -> str:
    return text_of(request, "reason", most=most)


def _seen(request: StaffRequest) -> str:
    return str(request.POST.get("seen", ""))


def _version(request: StaffRequest) -> int | None:
    """The claim version that a form names; what can be none of ours is version 0."""
    named = request.POST.get("version")
    return None if named is None else row_id(named) or 0


def _day(text: str) -> datetime | None:
    """The morning of a day that may be snoozed until."""
    today = timezone.localdate()
    try:
        chosen = date.fromisoformat(text)
    except ValueError:
        return None
    if not today < chosen <= today + timedelta(days=MOST_DAYS):
        return None
    return timezone.make_aware(datetime.combine(chosen, time.min))
