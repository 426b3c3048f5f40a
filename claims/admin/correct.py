"""Correcting a session: what it will do is shown before it is saved, and nobody's change is lost."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from claims import actions, intake
from claims.admin.changes import last_change
from claims.admin.claim_words import raw_claim
from claims.admin.correct_form import PATHS, fields_shown, label_of, wrong_things
from claims.admin.held_again import held_in_words
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page, text_of
from claims.admin.payer_lookup import LONGEST_LOOKUP, NOT_LOOKED_UP, Lookup, look_up, with_payer
from claims.admin.problem import problem_of
from claims.admin.session import READ_RAW
from claims.admin.session_actions import go_on, say_done, session_address
from claims.admin.session_record import read_session, settled
from claims.desk import corrections
from claims.desk.correction_preview import Preview, Way, newest_work, preview
from claims.desk.corrections import Typed
from claims.desk.view_records import What, record_unless_open
from claims.landing import Work
from claims.versions import is_paid

LONGEST_WHY = 1000
WHY_AS_IT_IS = "Nothing is changed, and it was paid: say why it is to be replaced."
CHANGED_MEANWHILE = "What this would do has changed since you saw it. Look at it again, then save."


@page("claims.correct_session", methods=("GET", "HEAD", "POST"), records=What.PAGE)
def correct(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Draw the form; with POST take a likely fix, preview, put mine on top of hers, or save."""
    work = _work(session_id)
    now = corrections.values_of(work)
    if request.method == "POST" and "fix" not in request.POST:
        typed = _typed(request)
        if "save" in request.POST:
            return _save(request, work, typed)
        if "mine" in request.POST:
            hers = corrections.overtaken(typed, now)
            typed = Typed({path: text for path, text in typed.changed.items() if path not in hers}, now)
        if "take" in request.POST:
            typed = with_payer(typed, text_of(request, "take", most=LONGEST_LOOKUP))
        lookup = (
            look_up(text_of(request, "payer", most=LONGEST_LOOKUP))
            if "look" in request.POST
            else NOT_LOOKED_UP
        )
        return _draw(request, work, now | typed.changed, were=now, lookup=lookup)
    changes: Mapping[str, str] = {}
    if "fix" in request.POST:
        changes = _fix(request, session_id)
    elif "draft" in request.GET and (draft := corrections.draft_of(session_id, user=request.user)):
        changes = corrections.drafted_values(draft)
    return _draw(request, work, {**now, **changes}, were=now)


@page("claims.correct_session", methods=("POST",))
def preview_correction(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Draw the right-hand card alone, for what is typed now."""
    record_unless_open(request.user, session_id=session_id)
    work, typed = _work(session_id), _typed(request)
    found = _previewed(work, typed)
    if typed.changed:
        corrections.keep_draft(
            session_id, user=request.user, version=work.record.session.version, values=typed.changed
        )
    return render(request, "admin/session/preview.html", _card(request, work, typed, found))


def _draw(
    request: StaffRequest,
    work: Work,
    values: Mapping[str, str],
    *,
    were: Mapping[str, str],
    lookup: Lookup = NOT_LOOKED_UP,
    status: int = 200,
) -> HttpResponse:
    typed = Typed(values, were)
    found = _previewed(work, typed)
    session = work.record.session
    return draw(
        request,
        "admin/session/correct.html",
        title="Correct and resend" if found.standing.way is Way.RESEND else "Correct",
        status=status,
        groups=fields_shown(values, were, found.issues),
        lookup=lookup,
        longest_lookup=LONGEST_LOOKUP,
        minutes=session.duration_minutes,
        why=text_of(request, "why", most=LONGEST_WHY),
        **_card(request, work, typed, found),
    )


def _card(request: StaffRequest, work: Work, typed: Typed, found: Preview) -> dict[str, Any]:
    return {
        "found": found,
        "changes": len(typed.changed),
        "at": timezone.now(),
        "may_save": _may_save(request, found),
        "needs_why": WHY_AS_IT_IS if _needs_why(found) else "",
        "problems": wrong_things(found.issues),
        "queue": OpenedFrom.named_by(request),
        "session": work.record.session,
        "claim": work.claim,
        "whole_file": raw_claim(found.after.claim)
        if found.after and found.after.claim and request.user.has_perm(READ_RAW)
        else "",
    }


def _save(request: StaffRequest, work: Work, typed: Typed) -> HttpResponse:
    session = work.record.session
    read_at = request.POST.get("version", "")
    if read_at != str(session.version):
        return _conflict(request, work, typed)
    found = _previewed(work, typed)
    if not _may_save(request, found):
        if found.standing.way is Way.RESEND and not request.user.has_perm("claims.resend_claim"):
            raise PermissionDenied
        if found.standing.way is Way.LOCKED:
            messages.error(request, f"{found.standing.why} Nothing was saved.")
        return _draw(request, work, typed.values, were=typed.were, status=400)
    why = text_of(request, "why", most=LONGEST_WHY)
    if _needs_why(found) and not why:
        messages.error(request, f"{WHY_AS_IT_IS} Nothing was sent.")
        return _draw(request, work, typed.values, were=typed.were, status=400)
    if request.POST.get("digest") != found.digest:
        messages.warning(request, CHANGED_MEANWHILE)
        return _draw(request, work, typed.values, were=typed.were, status=409)
    try:
        corrections.carry_out(
            session.pk,
            found,
            partner_id=session.partner_id,
            user=request.user,
            why=why,
            expected_version=session.version,
        )
    except intake.VersionConflict:
        return _conflict(request, _work(session.pk), typed)
    except intake.SessionLocked:
        messages.error(request, "Already on its way: it left while you had it open. Nothing was saved.")
        return redirect(session_address(request, session.pk))
    except intake.CorrectionInvalid:
        return _draw(request, _work(session.pk), typed.values, were=typed.were, status=400)
    except actions.ActionRefusedError as refused:
        messages.error(request, f"{refused} Nothing was saved.")
        return redirect(session_address(request, session.pk))
    holds = held_in_words(found.after.holding) if found.after else ""
    say_done(request, session.pk, _done(found, held=bool(holds)), holds=holds)
    return go_on(request, session.pk)


def _done(found: Preview, *, held: bool) -> str:
    """What a save has come to, as its preview showed it."""
    again = found.standing.way is Way.RESEND
    if held:
        return f"Version {found.standing.version} is saved." if again else "Saved."
    saved = f"Version {found.standing.version} is on its way." if again else "Saved."
    return f"{saved} It is being coded and checked again."


def _conflict(request: StaffRequest, work: Work, typed: Typed) -> HttpResponse:
    """Tell the second of two people what the first has changed; nothing of hers was saved."""
    now = corrections.values_of(work)
    hers = corrections.overtaken(typed, now)
    mine = typed.changed
    return draw(
        request,
        "admin/session/conflict.html",
        title="Changed meanwhile",
        status=409,
        session=work.record.session,
        change=last_change(work.record.session),
        hers=[(label_of(path), typed.were.get(path, ""), value) for path, value in hers.items()],
        mine=[(label_of(path), typed.were.get(path, ""), value) for path, value in mine.items()],
        both=[label_of(path) for path in mine if path in hers],
        kept=[path for path in mine if path not in hers],
        typed=[(path, typed.values.get(path, ""), typed.were.get(path, "")) for path in PATHS],
        queue=OpenedFrom.named_by(request),
        why=text_of(request, "why", most=LONGEST_WHY),
    )


def _work(session_id: UUID) -> Work:
    work = newest_work(session_id)
    if work is None:
        raise Http404
    return work


def _typed(request: StaffRequest) -> Typed:
    return Typed(
        {path: str(request.POST[path]) for path in PATHS if path in request.POST},
        {path: str(request.POST.get(f"was.{path}", "")) for path in PATHS},
    )


def _previewed(work: Work, typed: Typed) -> Preview:
    correction, issues = corrections.read_typed(typed.changed, work)
    return preview(work, correction, issues, now=timezone.now())


def _may_save(request: StaffRequest, found: Preview) -> bool:
    if found.standing.way is Way.RESEND and not request.user.has_perm("claims.resend_claim"):
        return False
    return found.can_be_saved and (bool(found.correction.paths) or found.standing.way is Way.RESEND)


def _needs_why(found: Preview) -> bool:
    """Whether a claim that was paid would go out again as nobody has changed it."""
    earlier = found.standing.earlier
    return not found.correction.paths and earlier is not None and is_paid(earlier)


def _fix(request: StaffRequest, session_id: UUID) -> Mapping[str, str]:
    """The fields that the chosen likely fix changes, found again: the page names it by number only."""
    record = read_session(session_id, user=request.user, with_note=False)
    problem = problem_of(record, settled(record).outcome) if record else None
    for fix in problem.fixes if problem else ():
        if str(fix.number) == request.POST.get("fix"):
            return fix.changes
    messages.info(request, "That fix no longer fits; the session has changed.")
    return {}
