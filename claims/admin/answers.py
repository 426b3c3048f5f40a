"""Inbound files and single answers: what they say in words, and raw for those who may read them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from claims import assignment
from claims.admin.answer_meaning import meaning_of
from claims.admin.decision_words import decision_of
from claims.admin.match import may_undo
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page, text_of
from claims.admin.problem import says
from claims.admin.session_actions import LONGEST_OUTCOME, go_on_in, say_refused
from claims.admin.session_record import read_session, settled
from claims.answer_source import answer_lines, lines_of
from claims.desk.view_records import What, record_file, record_view
from claims.models import AnswerMatch, ClaimSignal, InboundFile, Remittance, TypedRemittance, WorkItem
from claims.settlement import payer_of
from claims.signals import Signal
from claims.work_queue import of_files

MOST_ANSWERS = 100
MOST_LINES = 2000


@dataclass(frozen=True, slots=True)
class InFile:
    """One answer of a file, with the session that it went to."""

    row: ClaimSignal
    codes: str
    meaning: str


@page("claims.read_raw_file")
def answer_page(request: StaffRequest, session_id: UUID, signal_id: int) -> HttpResponse:
    """Show one answer of a session: in words, and the segments of its file about this claim alone."""
    row = (
        ClaimSignal.objects.filter(pk=signal_id, claim__session=session_id)
        .select_related("claim__session", "inbound_file")
        .first()
    )
    if row is None:
        raise Http404
    typed = TypedRemittance.objects.filter(signal=row).select_related("user", "undone_by").first()
    record_view(request.user, what=What.PAGE if typed else What.RAW_FILE, session_id=session_id)
    match = AnswerMatch.objects.filter(signal=row, undone_at=None).select_related("user").first()
    lines = answer_lines(row)
    signal = Signal.from_json(row.payload)
    assert row.claim is not None
    return draw(
        request,
        "admin/session/answer.html",
        title="Posted by hand" if typed else "One answer",
        row=row,
        session=row.claim.session,
        codes=says(signal),
        signal=signal,
        meaning=meaning_of(signal, payer=payer_of(row.claim)),
        decision=decision_of(signal),
        remittance=Remittance.objects.filter(entries__signal=row).only("pk").first(),
        lines=lines,
        raw="\n".join(lines),
        typed=typed,
        is_overtaken=typed is not None and typed.undone_at is None and not _still_counts(request, row),
        match=match,
        may_undo=match is not None and may_undo(request, match),
    )


def _still_counts(request: StaffRequest, row: ClaimSignal) -> bool:
    """Whether what was posted by hand is what the session goes by."""
    claim = row.claim
    record = read_session(claim.session_id, user=request.user, with_note=False) if claim else None
    outcomes = settled(record).outcome.outcomes if record else ()
    return any(row.natural_key in each.typed for each in outcomes)


@page("claims.view_inboundfile")
def file_page(request: StaffRequest, file_id: int) -> HttpResponse:
    """Show what a file is and what it did; its content is a page of its own."""
    file = InboundFile.objects.filter(pk=file_id).first()
    if file is None:
        raise Http404
    rows = (
        ClaimSignal.objects.filter(inbound_file=file)
        .select_related("claim__session__partner")
        .defer("claim__snapshot", "claim__session__member_id")
        .order_by("id")[: MOST_ANSWERS + 1]
    )
    answers = [_in_file(row) for row in rows]
    return draw(
        request,
        "admin/session/file.html",
        title="Inbound file",
        file=file,
        sets=[_set_in_words(each) for each in file.report.get("sets", ())],
        problems=file.report.get("problems", ()),
        answers=answers[:MOST_ANSWERS],
        more=len(answers) > MOST_ANSWERS,
        remittances=list(file.remittances.order_by("id")),
        task=of_files([file.pk]).select_related("assignee").order_by("-pk").first(),
        longest=LONGEST_OUTCOME,
    )


@page("claims.correct_session", methods=("POST",))
def file_done(request: StaffRequest, file_id: int) -> HttpResponse:
    """Take a file that was not applied in full off the list."""
    reason = text_of(request, "reason", most=LONGEST_OUTCOME)
    if not reason:
        messages.error(request, "Say why: the reason stays with the file.")
    elif assignment.leave_file(file_id, user=request.user, reason=reason):
        messages.success(request, "The file is off the list.")
        return go_on_in(request, OpenedFrom(WorkItem.Queue.TRANSPORT))
    else:
        say_refused(request, "Somebody has dealt with this already.")
    return redirect("desk:inbound-file", file_id)


@page("claims.read_raw_file", methods=("POST",))
def raw_file(request: StaffRequest, file_id: int) -> HttpResponse:
    """Show a file's content; that this person reads it is written down first."""
    file = InboundFile.objects.filter(pk=file_id).first()
    if file is None:
        raise Http404
    record_file(request.user, file_id=file.pk)
    lines = lines_of(file)
    return draw(
        request,
        "admin/session/raw_file.html",
        title="Inbound file, raw",
        file=file,
        raw="\n".join(lines[:MOST_LINES]),
        total=len(lines),
        shown=min(len(lines), MOST_LINES),
    )


def _in_file(row: ClaimSignal) -> InFile:
    signal = Signal.from_json(row.payload)
    payer = row.claim.session.payer_name if row.claim else signal.payer_name
    return InFile(row, says(signal), meaning_of(signal, payer=payer))


def _set_in_words(entry: dict[str, Any]) -> dict[str, Any]:
    """One transaction set of the report: what it was and what it came to."""
    if "refused" in entry:
        words = f"Refused: {entry['refused']}"
    elif "failed" in entry:
        words = "It couldn't be stored, and is tried again." if "again" in entry else "It couldn't be stored."
    else:
        parts = [f"{entry.get('new', 0)} new", f"{entry.get('repeated', 0)} known already"]
        if entry.get("unmatched"):
            parts.append(f"{entry['unmatched']} without a claim of ours")
        words = ", ".join(parts) + "."
    return {
        "kind": entry.get("kind", ""),
        "number": entry.get("number", ""),
        "words": words,
        "refused": "refused" in entry or "failed" in entry,
        "problems": entry.get("problems", ()),
    }
