"""Note review: what stands between a note and its claim, the candidates for it, the note beside them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any
from uuid import UUID

import orjson
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from billing.codes import CodeStatus, judge_codes
from billing.rules.modifiers import BY_SOUND, BY_VIDEO, REMOTE
from billing.rules.tables.procedures import has_form, in_code_set
from claims import actions, assignment, intake
from claims.admin import undo
from claims.admin.held_again import held_again
from claims.admin.note_marks import mark, not_coded
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page, row_id, text_of
from claims.admin.review_questions import PLACE, Choice, Question, ask
from claims.admin.session import standing_in_queue
from claims.admin.session_actions import LONGEST_MESSAGE, LONGEST_REASON, go_on_in
from claims.desk import reviews
from claims.desk.corrections import DIAGNOSES, PROCEDURES
from claims.desk.view_records import What, record_view
from claims.models import NoteReview, WorkItem
from sessions_app.models import PlaceOfService

QUEUE = WorkItem.Queue.NOTES
ASK = "ask"
ASKED_ANEW = "This note is asked about anew: this is the question now."
ANSWERED = "This note has been answered already: what became of it stands here."
PATHS = {"diagnosis": DIAGNOSES, "procedure": PROCEDURES}
MET: dict[str, tuple[PlaceOfService, str]] = {
    "video": (PlaceOfService.TELEHEALTH, ""),
    "phone": (PlaceOfService.TELEHEALTH, "93"),
    "office": (PlaceOfService.OFFICE, ""),
}
"""By how they met, the place and the modifier of a line that has none."""
MOST_EVIDENCE = 20
MOST_QUOTED = 80
EVIDENCE = re.compile(
    r"(?P<kind>diagnosis|procedure):(?:(?P<code>[A-Z0-9.]{1,8}):)?(?P<start>\d{1,6})-(?P<end>\d{1,6})"
)
"""Words chosen for a kind of answer: for the code that is named, else for the first of it."""


@dataclass(frozen=True, slots=True)
class Marked:
    """Words of the note that were chosen as evidence: as the form sends them, and as they read."""

    value: str
    code: str
    words: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was chosen and typed, with what is certain; by kind what is missing or wrong, in words."""

    diagnoses: Sequence[str]
    procedures: Sequence[tuple[str, str]]
    place: PlaceOfService | None
    problems: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Opened:
    """A note that waits, with what the coder said of it."""

    item: WorkItem
    session: Any = field(repr=False)
    coding: Mapping[str, Any] = field(repr=False)
    questions: Sequence[Question]
    certain: Sequence[Choice]

    @property
    def choices(self) -> list[Choice]:
        """Everything that is offered."""
        return [*self.certain, *(each for asked in self.questions for each in asked.offered)]

    @property
    def offered(self) -> list[dict[str, str | int]]:
        """Everything that was offered, for the label."""
        return [choice.as_offered() for choice in self.choices]


@page("claims.open_note", methods=("GET", "HEAD", "POST"))
def review(request: StaffRequest, item_id: int) -> HttpResponse:
    """Show the question with the note open, which is written down first; with POST take the answer."""
    if not request.user.has_perm("claims.correct_session"):
        raise PermissionDenied
    opened = _open(item_id)
    if request.method == "POST":
        return _answer(request, opened)
    return _draw(request, opened)


@page("claims.open_note", methods=("POST",))
def undo_review(request: StaffRequest, review_id: int) -> HttpResponse:
    """Take back what was decided about a note, while its claim is still here."""
    if not request.user.has_perm("claims.correct_session"):
        raise PermissionDenied
    session_id = NoteReview.objects.filter(pk=review_id).values_list("session_id", flat=True).first()
    if session_id is None:
        raise Http404
    try:
        review = reviews.undo(review_id, user=request.user)
    except actions.ActionRefusedError as refused:
        messages.error(request, str(refused))
    else:
        confirmed = review.outcome == NoteReview.Outcome.CONFIRMED
        again = (
            "the note is read again, and comes back to be reviewed" if confirmed else "it is checked again"
        )
        messages.success(request, f"Taken back: {again}.")
    return redirect("desk:session", session_id)


def _draw(
    request: StaffRequest, opened: Opened, *, problems: Mapping[str, str] | None = None, status: int = 200
) -> HttpResponse:
    """The page with what was chosen, typed and marked; `problems` by kind of code, "" for that of none."""
    session, item = opened.session, opened.item
    if item.closed_at is not None:
        return _where_it_stands(request, session.pk)
    found = dict(problems or {})
    asked = [
        replace(
            each,
            answers=request.POST.getlist(each.kind) if request.POST else each.answers,
            other=str(request.POST.get(f"other_{each.kind}", "")),
            problem=found.pop(each.kind, ""),
        )
        for each in opened.questions
    ]
    question_words = " ".join(words for each in asked for words in each.words)
    record_view(request.user, what=What.NOTE, session_id=session.pk)
    assignment.lease(item.pk, user=request.user)
    came = _came(request)
    return draw(
        request,
        "admin/session/review.html",
        title="Note to review",
        status=status,
        opened=replace(opened, questions=asked),
        session=session,
        item=item,
        place=standing_in_queue(request, item, came)[0],
        queue=came,
        note=mark(session.note.text or "", opened.coding),
        not_coded=not_coded(opened.coding),
        ask_key=opened.questions[-1].other_key + 1 if opened.questions else 1,
        problem=" ".join(found.values()),
        asks=request.POST.get("answer") == ASK,
        question_words=request.POST.get("question", question_words),
        reason=request.POST.get("reason", ""),
        marked=_marked(request, opened),
        takes_evidence=any(each.kind in PATHS for each in asked),
    )


def _where_it_stands(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """From a review that is closed to the one that asks anew, else to the session."""
    again = WorkItem.objects.filter(session=session_id, queue=QUEUE, closed_at=None).first()
    words = ASKED_ANEW if again else ANSWERED
    messages.info(request, f"{words} Nothing was saved." if request.POST else words)
    if again is not None:
        return redirect("desk:review", again.pk)
    return redirect(f"{reverse('desk:session', args=[session_id])}?queue={_came(request)}")


def _open(item_id: int) -> Opened:
    item = (
        WorkItem.objects.filter(pk=item_id, queue=QUEUE, session__isnull=False)
        .select_related("session__partner", "session__provider", "session__note")
        .first()
    )
    if item is None or item.session is None:
        raise Http404
    session = item.session
    note = getattr(session, "note", None)
    coding: dict[str, Any] = orjson.loads(note.coding) if note is not None and note.coding else {}
    if not coding:
        raise Http404
    questions, certain = ask(coding, session.date_of_service)
    return Opened(item, session, coding, questions, certain)


def _answer(request: StaffRequest, opened: Opened) -> HttpResponse:
    try:
        refused = _carry_out(request, opened)
    except actions.ActionRefusedError as error:
        return _draw(request, opened, problems={"": str(error)}, status=400)
    except intake.CorrectionInvalid as invalid:
        issues: dict[str, str] = {}
        for issue in invalid.issues:
            kind = next((kind for kind, path in PATHS.items() if issue.path.startswith(path)), "")
            issues[kind] = f"{issues.get(kind, '')} {issue.message}".strip()
        return _draw(request, opened, problems=issues, status=400)
    except (intake.VersionConflict, intake.SessionLocked, reviews.NothingToReview):
        messages.error(request, "Somebody changed this session while you had it open. Nothing was saved.")
        return redirect(f"{reverse('desk:session', args=[opened.session.pk])}?queue={_came(request)}")
    return refused or go_on_in(request, _came(request), after=opened.item.pk)


def _carry_out(request: StaffRequest, opened: Opened) -> HttpResponse | None:
    """Ask, set aside or confirm, and say so; the form again, with its problems, where it can't be taken."""
    session_id, user, version = opened.session.pk, request.user, _version(request)
    given = request.POST.get("answer")
    if given == ASK:
        question = text_of(request, "question", most=LONGEST_MESSAGE)
        reviews.ask_clinician(
            session_id, question=question, offered=opened.offered, user=user, expected_version=version
        )
        messages.success(request, "Asked. It comes back with the answer, or in a week at the latest.")
        return None
    if given == "not_billable":
        reason = text_of(request, "reason", most=LONGEST_REASON)
        review = reviews.set_aside(
            session_id, reason=reason, offered=opened.offered, user=user, expected_version=version
        )
        words = "Set aside as not billable; the partner reads why."
        undo.offer(request, words, address=reverse("desk:review-undo", args=[review.pk]))
        return None
    answer = _taken(request, opened)
    if answer.problems:
        return _draw(request, opened, problems=answer.problems, status=400)
    review = reviews.confirm(
        session_id,
        diagnoses=answer.diagnoses,
        procedures=answer.procedures,
        place=answer.place,
        offered=opened.offered,
        user=user,
        units={each.code: each.units for each in opened.choices if each.kind == "procedure"},
        evidence=_evidence(request, opened, answer),
        expected_version=version,
    )
    holds = held_again(session_id)
    words = f"Confirmed. {holds}" if holds else "Confirmed: the claim goes on with these codes."
    undo.offer(request, words, address=reverse("desk:review-undo", args=[review.pk]))
    return None


def _taken(request: StaffRequest, opened: Opened) -> Answer:
    chosen: dict[str, list[tuple[int, str]]] = {"diagnosis": [], "procedure": [], PLACE: []}
    problems: dict[str, str] = {}
    for each in opened.certain:
        chosen[each.kind].append((each.place, each.value))
    for asked in opened.questions:
        typed = str(request.POST.get(f"other_{asked.kind}", ""))
        found = asked.taken(request.POST.getlist(asked.kind), typed=typed)
        if not found:
            typing = "other" in request.POST.getlist(asked.kind)
            problems[asked.kind] = (
                f"Type the code, like {'F41.1' if asked.kind == 'diagnosis' else '90837'}."
                if typing
                else f"Choose an answer: {asked.words[0]}"
            )
        chosen[asked.kind] += found
    written = {
        kind: list(dict.fromkeys(value for _, value in sorted(found, key=itemgetter(0))))
        for kind, found in chosen.items()
    }
    diagnoses = []
    for verdict in judge_codes(written["diagnosis"], on=opened.session.date_of_service):
        if verdict.status is CodeStatus.HEADING:
            under = ", ".join(verdict.billable_children[:6])
            problems.setdefault(
                "diagnosis", f"{verdict.normalized} is a heading. Billable under it: {under} …"
            )
        if verdict.status in (CodeStatus.UNKNOWN, CodeStatus.MALFORMED):
            words = f"{verdict.code} is no ICD-10-CM code. One looks like F41.1."
            problems.setdefault("diagnosis", words)
        diagnoses.append(verdict.normalized or verdict.code)
    place, added = MET.get(next(iter(written[PLACE]), ""), (None, ""))
    if place is None and written[PLACE]:
        problems[PLACE] = "Choose how they met."
    procedures = []
    for value in written["procedure"]:
        code, _, modifier = value.partition("-")
        if not has_form(code) or not in_code_set(code):
            problems.setdefault("procedure", f"{code} is no procedure code. One looks like 90837.")
        if modifier in REMOTE and (place or opened.session.place_of_service) == PlaceOfService.OFFICE:
            words = f"{value} says that they met by video or telephone, and the place is the office."
            problems.setdefault("procedure", f"{words} Leave the modifier out, or correct the place.")
        if place == PlaceOfService.TELEHEALTH and modifier in (BY_VIDEO if added else BY_SOUND):
            words = f"{value} says another way to have met than was answered. Leave the modifier out."
            problems.setdefault("procedure", words)
        procedures.append((code, modifier or added))
    return Answer(diagnoses, procedures, place, problems)


def _marked(request: StaffRequest, opened: Opened) -> list[Marked]:
    """The words of the note that came with an answer, to be shown again."""
    text = opened.session.note.text or ""
    named = (EVIDENCE.fullmatch(each) for each in request.POST.getlist("evidence")[:MOST_EVIDENCE])
    return [
        Marked(each[0], each["code"] or "", text[int(each["start"]) : int(each["end"])].strip()[:MOST_QUOTED])
        for each in named
        if each
    ]


def _evidence(request: StaffRequest, opened: Opened, answer: Answer) -> list[dict[str, Any]]:
    """The words of the note that the person chose for an answer; what is no place in the note is left out."""
    length = len(opened.session.note.text or "")
    certain = {choice.code for choice in opened.certain}
    answers = {"diagnosis": answer.diagnoses, "procedure": [code for code, _ in answer.procedures]}
    found = []
    for written in request.POST.getlist("evidence")[:MOST_EVIDENCE]:
        named = EVIDENCE.fullmatch(written)
        if named is None:
            continue
        start, end = int(named["start"]), int(named["end"])
        asked = (each for each in answers[named["kind"]] if each not in certain)
        meant = named["code"] and named["code"].replace(".", "")
        code = next((each for each in asked if meant in (None, each.replace(".", ""))), "")
        if code and start < end <= length:
            found.append({"kind": named["kind"], "code": code, "start": start, "end": end})
    return found


def _version(request: StaffRequest) -> int | None:
    return row_id(request.POST.get("version", ""))


def _came(request: StaffRequest) -> OpenedFrom:
    return OpenedFrom.named_by(request) or OpenedFrom(QUEUE)
