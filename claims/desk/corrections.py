"""A correction as staff type it: fields by their path, read by the interface's own rules, saved once.

Each field carries what it said when it was read, so that of two people at one session the second is told
what the first has changed, and nothing of either is lost.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
import pghistory
from django.db import transaction
from django.utils import timezone

from claims import intake, work_queue
from claims.desk.correction_preview import Preview, Way
from claims.landing import Work
from claims.models import CorrectionDraft
from partners.issues import Issue
from sessions_app.api.reading import read_correction
from sessions_app.models import SessionCode
from sessions_app.submission import PATHS, Correction

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DIAGNOSES, PROCEDURES = "session.diagnosisCodes", "session.procedureCodes"
RESEND_WORDS = "corrected by billing staff."
_BETWEEN_CODES = re.compile(r"[,;\s]+")
_UNITS = re.compile(r"(?<=[A-Za-z0-9])\s*[x\u00d7*]\s*(\d{1,2})(?=[\s,;]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Typed:
    """A form as it came back: values by path, as typed and as they were when the form was drawn."""

    values: Mapping[str, str] = field(repr=False)
    were: Mapping[str, str] = field(repr=False)

    @property
    def changed(self) -> dict[str, str]:
        """What the person changed, by path."""
        return {
            path: value
            for path, value in self.values.items()
            if value.strip() != self.were.get(path, "").strip()
        }


def values_of(work: Work) -> dict[str, str]:
    """What a session says, by path, as a form shows it."""
    session, record = work.record.session, work.record
    values = {path: _shown(getattr(session, column)) for column, path in PATHS.items()}
    values[DIAGNOSES] = ", ".join(row.code for row in record.codes_of(SessionCode.Kind.DIAGNOSIS))
    values[PROCEDURES] = ", ".join(
        SessionCode.in_words(row.code, "" if row.modifier_added else row.modifier, row.units)
        for row in record.procedures
    )
    return values


def read_typed(changed: Mapping[str, str], work: Work) -> tuple[Correction, list[Issue]]:
    """The correction that changed fields make, and what the interface would say is wrong with them."""
    document: dict[str, Any] = {}
    for path, text in changed.items():
        *parents, name = path.split(".")
        place = document
        for parent in parents:
            place = place.setdefault(parent, {})
        place[name] = _codes(path, text, work) if path in (DIAGNOSES, PROCEDURES) else text.strip() or None
    correction, issues = read_correction(document)
    if not issues and correction.procedure_codes is not None:
        units = [int(written or 1) for _, written in _split(PROCEDURES, changed[PROCEDURES])]
        codes = [
            replace(code, units=number)
            for code, number in zip(correction.procedure_codes, units, strict=True)
        ]
        correction = replace(correction, procedure_codes=codes)
        issues = [
            Issue(f"{PROCEDURES}.{place}.code", "Units are 1 to 99.")
            for place, number in enumerate(units)
            if not number
        ]
    return correction, issues


def overtaken(typed: Typed, now: Mapping[str, str]) -> dict[str, str]:
    """What somebody else has changed since the form was drawn: the values of now, by path."""
    return {path: value for path, value in now.items() if value != typed.were.get(path, value)}


def carry_out(
    session_id: UUID, found: Preview, *, partner_id: UUID, user: "User", why: str, expected_version: int
) -> None:
    """Save what was previewed, and send a new version where that is the way; why stays in the record.

    Raises what `intake.correct` and `intake.correct_and_resend` raise.
    """
    pghistory.context(why=why.strip())
    if found.standing.way is Way.RESEND:
        intake.correct_and_resend(
            session_id,
            correction=found.correction,
            user=user,
            reason=RESEND_WORDS,
            expected_version=expected_version,
        )
    else:
        with transaction.atomic():
            intake.correct(
                session_id,
                partner_id=partner_id,
                correction=found.correction,
                by_staff=True,
                expected_version=expected_version,
            )
            work_queue.credit(session_id, user=user)
    drop_draft(session_id, user=user)


def keep_draft(session_id: UUID, *, user: "User", version: int, values: Mapping[str, str]) -> None:
    """Keep what somebody has typed until it is saved, left, or typed anew."""
    CorrectionDraft.objects.bulk_create(
        [
            CorrectionDraft(
                session_id=session_id,
                user=user,
                version=version,
                values=orjson.dumps(dict(values)).decode(),
                saved_at=timezone.now(),
            )
        ],
        update_conflicts=True,
        unique_fields=["session", "user"],
        update_fields=["version", "values", "saved_at"],
    )


def draft_of(session_id: UUID, *, user: "User") -> CorrectionDraft | None:
    """What this person had typed and not saved."""
    return CorrectionDraft.objects.filter(session_id=session_id, user=user).first()


def drafted_values(draft: CorrectionDraft) -> dict[str, str]:
    """The fields of a draft by path."""
    values: dict[str, str] = orjson.loads(draft.values)
    return values


def drop_draft(session_id: UUID, *, user: "User") -> None:
    """Forget what was typed."""
    CorrectionDraft.objects.filter(session_id=session_id, user=user).delete()


def _codes(path: str, text: str, work: Work) -> Sequence[dict[str, str]]:
    """Codes as the interface takes them; one that was there keeps its description."""
    kind = SessionCode.Kind.DIAGNOSIS if path == DIAGNOSES else SessionCode.Kind.PROCEDURE
    described = {row.code: row.description for row in work.record.codes_of(kind)}
    entries = []
    for written, _ in _split(path, text):
        code, _, modifier = written.partition("-")
        entry = {"code": code}
        if modifier:
            entry["modifier"] = modifier
        if described.get(code.upper()):
            entry["description"] = described[code.upper()]
        entries.append(entry)
    return entries


def _split(path: str, text: str) -> list[tuple[str, str]]:
    """Each code as it is written, and the units of a procedure (`90840 x 2`), empty where none are."""
    written = _BETWEEN_CODES.split(_UNITS.sub(r"*\1", text.strip()) if path == PROCEDURES else text.strip())
    return [(code, units) for code, _, units in (each.partition("*") for each in written if each)]


def _shown(value: Any) -> str:
    return "" if value is None else str(value)
