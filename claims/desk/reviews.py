"""Note review: a person answers what the coder left open; codes go on the session, the answer is a label."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from claims import actions, assignment, intake, lifecycle, work_queue
from claims.fold.messages import set_aside_message
from claims.models import Claim, NoteReview, WorkItem
from claims.signals import SessionStatus
from claims.steps import TELEHEALTH_MODIFIER
from sessions_app.models import PlaceOfService, Session, SessionCode, SessionNote
from sessions_app.submission import Code, Correction

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Outcome = NoteReview.Outcome
SET_ASIDE_IN = (WorkItem.Queue.HELD, WorkItem.Queue.REFUSED)
SET_ASIDE_WORDS = {
    SessionStatus.PROCESSING: "Not billed",
    SessionStatus.SUBMITTED: "The claim is not sent again",
}
NOT_READ: Mapping[str, Any] = MappingProxyType({"reasons": [], "engineVersion": "", "lexiconSha": ""})
WAIT_FOR_CLINICIAN = timedelta(days=7)
TOO_LATE = "It can't be taken back any more: the claim is on its way, or it was taken back already."
PLACE = "place"
"""The kind, beside those of codes, of what a review keeps of the place of service."""
WAITING_WORDS = "The clinician's answer"


class NothingToReview(Exception):
    """The session has no note that was read, or it is no longer held for one."""


@dataclass(frozen=True, slots=True)
class ReviewedNote:
    """One note with the codes that a person confirmed: a gold label for `evaluate_coder`."""

    id: str
    session_id: UUID
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
    units: Mapping[str, int] = MappingProxyType({}),
    evidence: Sequence[Mapping[str, Any]] = (),
    place: PlaceOfService | None = None,
    expected_version: int | None = None,
) -> NoteReview:
    """Write the confirmed codes as the staff's and let the claim go on, in one transaction.

    `units` of a procedure code, where they are more than one; `place`, where that was asked too.
    `evidence` are words of the note that the person chose: code, start and end (characters).
    The same answer again of the same person is the review that it was.
    Raises what `intake.correct` raises, or NothingToReview.
    """
    taken: list[dict[str, Any]] = [{"kind": "diagnosis", "code": code} for code in diagnoses]
    taken += [
        {"kind": "procedure", "code": code, "modifier": modifier, "units": units.get(code, 1)}
        for code, modifier in procedures
    ]
    taken += [{"kind": PLACE, "code": place.value}] if place else []
    with transaction.atomic():
        try:
            session = _lock_asked(session_id, expected_version=expected_version).session
        except NothingToReview:
            return _given_already(session_id, Outcome.CONFIRMED, user=user, taken=taken)
        coding, partner_id = _coding(session_id)
        given = _given(session_id)
        given += [{"kind": PLACE, "code": session.place_of_service}] if place else []
        differs = place is not None and place != session.place_of_service
        intake.correct(
            session_id,
            partner_id=partner_id,
            correction=Correction(
                columns={"place_of_service": place} if differs else {},
                diagnosis_codes=[Code(code) for code in diagnoses],
                procedure_codes=[
                    Code(code, modifier=modifier, units=units.get(code, 1)) for code, modifier in procedures
                ],
            ),
            by_staff=True,
            expected_version=expected_version,
        )
        work_queue.credit(session_id, user=user)
        return _keep(
            session_id,
            partner_id,
            coding,
            Outcome.CONFIRMED,
            offered=offered,
            taken=taken,
            user=user,
            evidence=list(evidence),
            given=given,
        )


def undo(review_id: int, *, user: "User") -> NoteReview:
    """Take back what a person decided about a note, while its claim is still here: the note is read again.

    Codes and place are those that partner or staff had given before. ActionRefusedError where that can't be.
    """
    with transaction.atomic():
        review = NoteReview.objects.select_for_update().get(pk=review_id)
        claim = actions.lock_newest(review.session_id)
        if review.undone_at is not None or not can_be_undone(review.outcome, claim):
            raise actions.ActionRefusedError(TOO_LATE)
        actions.refuse_restored(claim)
        if review.outcome == Outcome.CONFIRMED:
            now, was, taken = claim.session.place_of_service, _place(review.given), _place(review.taken)
            if taken not in (None, now) or _names(_given(review.session_id)) != _names(review.taken):
                raise actions.ActionRefusedError(
                    "Its codes or its place were changed since; correct the session instead."
                )
            codes = [each for each in review.given if each["kind"] != PLACE]
            intake.put_codes_back(claim, codes, place=was or now)
        else:
            actions.release(review.session_id, user=user, reason="it is looked at once more.")
        review.undone_at, review.undone_by = timezone.now(), user
        review.save(update_fields=["undone_at", "undone_by"])
    return review


def can_be_undone(outcome: str, claim: Claim) -> bool:
    """Whether such a decision about a note can be taken back, as its session's newest claim stands."""
    if outcome == Outcome.NOT_BILLABLE:
        return claim.step == Claim.Step.HELD
    return outcome == Outcome.CONFIRMED and lifecycle.is_open(claim)


def ask_clinician(
    session_id: UUID,
    *,
    question: str,
    offered: Sequence[Mapping[str, Any]],
    user: "User",
    expected_version: int | None = None,
) -> NoteReview:
    """Send the question to the partner and let the note wait a week; it comes back by itself.

    NothingToReview, or `intake.VersionConflict` when the session is no longer at `expected_version`.
    """
    with transaction.atomic():
        claim = _lock_asked(session_id, expected_version=expected_version)
        coding, partner_id = _coding(session_id)
        asked = _asked(session_id)
        said = actions.write_to_partner(session_id, user=user, text=question)
        if not said and asked.filter(snoozed_until__isnull=False).exists():
            return _given_already(session_id, Outcome.ASKED, user=user)
        asked.update(
            snoozed_until=assignment.at_most(timezone.now() + WAIT_FOR_CLINICIAN, file_by=claim.file_by),
            snoozed_for=WAITING_WORDS,
            assignee=user,
            leased_by=None,
            leased_at=None,
        )
        return _keep(session_id, partner_id, coding, Outcome.ASKED, offered=offered, taken=[], user=user)


def set_aside(
    session_id: UUID,
    *,
    reason: str,
    offered: Sequence[Mapping[str, Any]],
    user: "User",
    expected_version: int | None = None,
) -> NoteReview:
    """Decide that the note describes nothing that can be billed; the partner reads why.

    Raises what `ask_clinician` raises.
    """
    if not reason.strip():
        raise actions.ActionRefusedError("Say why: the partner reads it.")
    with transaction.atomic():
        try:
            claim = _lock_asked(session_id, expected_version=expected_version)
        except NothingToReview:
            return _given_already(session_id, Outcome.NOT_BILLABLE, user=user)
        coding, partner_id = _coding(session_id)
        _end(claim, user=user, reason=reason.strip())
        return _keep(
            session_id, partner_id, coding, Outcome.NOT_BILLABLE, offered=offered, taken=[], user=user
        )


def set_aside_held(session_id: UUID, *, reason: str, user: "User", seen: str) -> NoteReview:
    """Decide that a held session can't be billed, whatever holds it; the partner reads why.

    What answers ask about an earlier version of its claim stays open.
    """
    reason = actions.said(reason)
    with transaction.atomic():
        claim = actions.lock_newest(session_id, seen=seen)
        actions.refuse_restored(claim)
        items = WorkItem.objects.filter(session=session_id, closed_at=None)
        if not can_be_set_aside(claim, items):
            raise actions.ActionRefusedError("There is nothing here that could be set aside.")
        _end(claim, user=user, reason=reason)
        note = SessionNote.objects.filter(session_id=session_id).only("coding").first()
        coding = orjson.loads(note.coding) if note and note.coding else NOT_READ
        return _keep(
            session_id, claim.partner_id, coding, Outcome.NOT_BILLABLE, offered=[], taken=[], user=user
        )


def _end(claim: Claim, *, user: "User", reason: str) -> None:
    """Tell the partner that a held claim isn't billed, and ask nobody about it any more."""
    status = SessionStatus(claim.session.status)
    words = SET_ASIDE_WORDS.get(status, "No correction of the claim is sent")
    actions.write_to_partner(claim.session_id, user=user, text=f"{words}: {reason}")
    Session.objects.filter(pk=claim.session_id).update(message=set_aside_message(status))
    work_queue.close_items([claim.session_id])
    work_queue.credit(claim.session_id, user=user)


def can_be_set_aside(claim: Claim, items: Iterable[WorkItem]) -> bool:
    """Whether a claim is held for what a person may decide: not for our own failures, nor as a void."""
    asked = any(item.queue in SET_ASIDE_IN for item in items)
    return claim.step == Claim.Step.HELD and claim.frequency != Claim.Frequency.VOID and asked


def reviewed_notes() -> Iterator[ReviewedNote]:
    """Each note whose codes a person confirmed, by its latest review, while the note is kept."""
    reviews = (
        NoteReview.objects.filter(
            outcome=Outcome.CONFIRMED, undone_at=None, session__note__text__isnull=False
        )
        .order_by("session_id", "-id")
        .distinct("session_id")
        .select_related("session__note")
    )
    for review in reviews.iterator(chunk_size=200):
        session = review.session
        procedures = [each for each in review.taken if each["kind"] == "procedure"]
        told = _place(review.given) or session.place_of_service
        yield ReviewedNote(
            id=f"review-{review.pk}",
            session_id=session.pk,
            text=session.note.text or "",
            place=told,
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


def _place(kept: Iterable[Mapping[str, Any]]) -> str | None:
    """The place among what a review keeps, where it was asked."""
    return next((each["code"] for each in kept if each["kind"] == PLACE), None)


def _lock_asked(session_id: UUID, *, expected_version: int | None) -> Claim:
    """Lock a session that is held for its note and is still as it was shown; its newest claim."""
    claim = actions.lock_newest(session_id)
    actions.refuse_restored(claim)
    if claim.step != Claim.Step.HELD or not _asked(session_id).exists():
        raise NothingToReview
    if expected_version is not None and claim.session.version != expected_version:
        raise intake.VersionConflict
    return claim


def _asked(session_id: UUID) -> QuerySet[WorkItem]:
    """The open question about a session's note."""
    return WorkItem.objects.filter(session_id=session_id, queue=WorkItem.Queue.NOTES, closed_at=None)


def _given_already(
    session_id: UUID,
    outcome: NoteReview.Outcome,
    *,
    user: "User",
    taken: Sequence[Mapping[str, Any]] = (),
) -> NoteReview:
    """What was decided last, where this person did and so; NothingToReview where it is something else."""
    latest = NoteReview.objects.filter(session_id=session_id).order_by("-id").first()
    given = latest and (latest.outcome, latest.user_id, latest.undone_at, latest.taken)
    if latest is None or given != (outcome, user.pk, None, list(taken)):
        raise NothingToReview
    return latest


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
    **more: Any,
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
        **more,
    )


def _given(session_id: UUID) -> list[dict[str, Any]]:
    """The codes of a session that nobody worked out: the partner's and the staff's."""
    given = SessionCode.objects.filter(
        session=session_id, source__in=(SessionCode.Source.SENT, SessionCode.Source.STAFF)
    )
    columns = ("kind", "code", "modifier", "modifier_added", "description", "units", "source")
    return list(given.order_by("kind", "position").values(*columns))


def _names(codes: Iterable[Mapping[str, Any]]) -> list[tuple[str, str, str, int]]:
    """Codes by kind, code, the modifier that somebody chose, and units; without the place."""
    return sorted(
        (
            each["kind"],
            each["code"],
            "" if each.get("modifier_added") else each.get("modifier") or "",
            each.get("units", 1),
        )
        for each in codes
        if each["kind"] != PLACE
    )
