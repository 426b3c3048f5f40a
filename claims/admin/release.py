"""Letting a held session go through its checks again: what it would come to is shown before it is done."""

from uuid import UUID

import pghistory
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render

from claims import actions
from claims.admin.held_again import held_again, release_of
from claims.admin.page import StaffRequest, page, text_of
from claims.admin.session_actions import LONGEST_REASON, go_on, say_done, say_refused, session_address
from claims.desk.view_records import record_unless_open

CHECKED_AGAIN = "checked again."
"""What the partner reads of a release; why it was released stays in the record."""


@page("claims.correct_session", methods=("POST",))
def release(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Let a held session go through the checks again, unless they would only hold it once more."""
    seen = str(request.POST.get("seen", ""))
    try:
        with transaction.atomic():
            actions.lock_newest(session_id, seen=seen)
        if (found := release_of(session_id)) and found.stays:
            raise actions.ActionRefusedError(f"{found.words} Nothing was done.")
        with pghistory.context(why=text_of(request, "reason", most=LONGEST_REASON)):
            actions.release(session_id, user=request.user, reason=CHECKED_AGAIN, seen=seen)
    except actions.ActionRefusedError as refused:
        say_refused(request, str(refused))
        return redirect(session_address(request, session_id))
    done = "Released: it is being coded and checked again."
    say_done(request, session_id, done, holds=held_again(session_id))
    return go_on(request, session_id)


@page("claims.correct_session", methods=("POST",))
def preview_release(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Draw what a release would come to, for the dialog that asks for it."""
    record_unless_open(request.user, session_id=session_id)
    return render(request, "admin/session/release.html", {"found": release_of(session_id)})
