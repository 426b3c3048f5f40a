"""Note review: a person answers what the coder left open; codes go on the session, the answer is a label."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
from django.db import transaction
from django.utils import timezone

from claims import actions, intake, work_queue
from claims.models import NoteReview, WorkItem
from claims.steps import TELEHEALTH_MODIFIER
from sessions_app.models import PlaceOfService, SessionNote
from sessions_app.submission import Code, Correction

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Outcome = NoteReview.Outcome
WAIT_FOR_CLINICIAN = timedelta(days=7)
WAITING_WORDS = "The clinician's answer"


class NothingToReview(Exception):
    """The session has no note that was read, or it is no longer held for one."""


@dataclass(frozen=True, slots=True)
class ReviewedNote:
    """One note with the codes that a person confirmed: a gold label for `evaluate_coder`."""

    id: str
    text: str = field(repr=False)
    place: str
    duration_minutes: int | None
    diagnoses: Sequence[str]
    procedure: str | None
    modifiers: Sequence[str]
    addons: Sequence[str]
    tags: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """The shape of an evaluation file's line; a note that a person had to decide was rightly held."""
        return {
            "id": self.id,
            "text": self.text,
            "place": self.place,
            "duration_minutes": self.duration_minutes,
            "gold": {
                "dx": list(self.diagnoses),
                "cpt": self.procedure,
                "modifiers": list(self.modifiers),
                "addons": list(self.addons),
                "review": True,
            },
            "tags": list(self.tags),
        }


def confirm(
    session_id: UUID,
    *,
    diagnoses: Sequence[str],
    procedures: Sequence[tuple[str, str]],
    offered: Sequence[Mapping[str, Any]],
    user: "User",
    expected_version: int | None = None,
) -> NoteReview:
    """Write the confirmed codes as the staff's and let the claim go on, in one transaction.

    Raises what `intake.correct` raises, or NothingToReview.
    """
    with transaction.atomic():
        coding, partner_id = _coding(session_id)
        intake.correct(
            session_id,
            partner_id=partner_id,
            correction=Correction(
                diagnosis_codes=[Code(code) for code in diagnoses],
                procedure_codes=[Code(code, modifier=modifier) for code, modifier in procedures],
            ),
            by_staff=True,
            expected_version=expected_version,
        )
        taken = [{"kind": "diagnosis", "code": code} for code in diagnoses]
        taken += [{"kind": "procedure", "code": code, "modifier": modifier} for code, modifier in procedures]
        return _keep(
            session_id, partner_id, coding, Outcome.CONFIRMED, offered=offered, taken=taken, user=user
        )


def ask_clinician(
    session_id: UUID, *, question: str, offered: Sequence[Mapping[str, Any]], user: "User"
) -> NoteReview:
    """Send the question to the partner and let the note wait a week; it comes back by itself."""
    with transaction.atomic():
        coding, partner_id = _coding(session_id)
        actions.write_to_partner(session_id, user=user, text=question)
        WorkItem.objects.filter(session_id=session_id, queue=WorkItem.Queue.NOTES, closed_at=None).update(
            snoozed_until=timezone.now() + WAIT_FOR_CLINICIAN,
            snoozed_for=WAITING_WORDS,
            assignee=user,
            leased_by=None,
            leased_at=None,
        )
        return _keep(session_id, partner_id, coding, Outcome.ASKED, offered=offered, taken=[], user=user)


def set_aside(
    session_id: UUID, *, reason: str, offered: Sequence[Mapping[str, Any]], user: "User"
) -> NoteReview:
    """Decide that the note describes nothing that can be billed; the partner reads why."""
    if not reason.strip():
        raise actions.ActionRefusedError("Say why: the partner reads it.")
    with transaction.atomic():
        coding, partner_id = _coding(session_id)
        actions.write_to_partner(session_id, user=user, text=f"Not billed: {reason.strip()}")
        work_queue.close_items([session_id])
        return _keep(
            session_id, partner_id, coding, Outcome.NOT_BILLABLE, offered=offered, taken=[], user=user
        )


def reviewed_notes() -> Iterator[ReviewedNote]:
    """Each note whose codes a person confirmed, by its latest review, while the note is kept."""
    reviews = (
        NoteReview.objects.filter(outcome=Outcome.CONFIRMED, session__note__text__isnull=False)
        .order_by("session_id", "-id")
        .distinct("session_id")
        .select_related("session__note")
    )
    for review in reviews.iterator(chunk_size=200):
        session = review.session
        procedures = [each for each in review.taken if each["kind"] == "procedure"]
        yield ReviewedNote(
            id=f"review-{review.pk}",
            text=session.note.text or "",
            place=session.place_of_service,
            duration_minutes=session.duration_minutes,
            diagnoses=[each["code"] for each in review.taken if each["kind"] == "diagnosis"],
            procedure=procedures[0]["code"] if procedures else None,
            modifiers=_billed_modifiers(procedures[:1], place=session.place_of_service),
            addons=[each["code"] for each in procedures[1:]],
            tags=review.reasons,
        )


def _billed_modifiers(procedures: Sequence[Mapping[str, Any]], *, place: str) -> list[str]:
    """As confirmed, with the modifier that a bare telehealth line gets on its way out."""
    added = TELEHEALTH_MODIFIER if place == PlaceOfService.TELEHEALTH else ""
    return [modifier for each in procedures if (modifier := each.get("modifier") or added)]


def _coding(session_id: UUID) -> tuple[dict[str, Any], UUID]:
    note = SessionNote.objects.filter(session_id=session_id).only("coding", "partner_id").first()
    if note is None or not note.coding:
        raise NothingToReview
    coding: dict[str, Any] = orjson.loads(note.coding)
    return coding, note.partner_id


def _keep(
    session_id: UUID,
    partner_id: UUID,
    coding: Mapping[str, Any],
    outcome: NoteReview.Outcome,
    *,
    offered: Sequence[Mapping[str, Any]],
    taken: Sequence[Mapping[str, Any]],
    user: "User",
) -> NoteReview:
    return NoteReview.objects.create(
        session_id=session_id,
        partner_id=partner_id,
        user=user,
        outcome=outcome,
        reasons=coding["reasons"],
        offered=list(offered),
        taken=list(taken),
        engine_version=coding["engineVersion"],
        lexicon_sha=coding["lexiconSha"],
    )
