"""The step that acts on a clinical note: codes nobody sent come from it, codes that were sent are checked."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import orjson
import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from msgspec.structs import replace

from billing.notes.llm.engine import Engine, code_with
from billing.notes.request import Request
from billing.notes.result import (
    KnownIdentity,
    NoteResult,
    NoteWarning,
    Outcome,
    SuppliedCodes,
    SuppliedProcedure,
)
from billing.notes_codeset import current_codeset
from billing.rules import facts as rules
from billing.rules.tables.note_words import in_words
from claims import meters, note_model
from claims.fold.entries import TimelineEntry
from claims.landing import Landing, Work
from claims.signals import EventType
from sessions_app.models import SessionCode

log = structlog.get_logger()
DIAGNOSIS, PROCEDURE = SessionCode.Kind.DIAGNOSIS, SessionCode.Kind.PROCEDURE


def code_from_note(work: Work, *, sent: Sequence[SessionCode], landing: Landing) -> list[SessionCode]:
    """Read the note, if there is one: the codes of the kinds that nobody sent, where the coder is sure."""
    if work.note is None:
        return []
    if not work.note.text:
        return _kept(work, missing={DIAGNOSIS, PROCEDURE} - {row.kind for row in sent})
    result = _read(work, work.note.text, sent)
    landing.coding = result.as_json().decode()
    landing.note = _facts(
        result.as_dict(), confirmed=any(row.source == SessionCode.Source.STAFF for row in sent)
    )
    kinds_sent = {row.kind for row in sent}
    if kinds_sent:
        landing.entries.append(TimelineEntry(EventType.NOTE_CHECKED, _compared(result)))
    if result.outcome is not Outcome.CODED:
        return []
    taken = _taken(work, result, missing={DIAGNOSIS, PROCEDURE} - kinds_sent)
    if taken:
        codes = ", ".join(row.in_words(row.code, row.modifier, row.units) for row in taken)
        landing.entries.append(TimelineEntry(EventType.CODES_EXTRACTED, f"The note gives {codes}."))
    return taken


def note_facts(work: Work, landing: Landing) -> rules.Note | None:
    """What the last reading of the note said, from this run or an earlier one."""
    if landing.note is not None or work.note is None or not work.note.coding:
        return landing.note
    confirmed = any(row.source == SessionCode.Source.STAFF for row in work.record.codes)
    return _facts(orjson.loads(work.note.coding), confirmed=confirmed)


def _read(work: Work, text: str, sent: Sequence[SessionCode]) -> NoteResult:
    session, own = work.record.session, work.record.partner.coder_threshold
    procedures = tuple(
        SuppliedProcedure(row.code, (row.modifier,) if row.modifier else (), row.units)
        for row in sent
        if row.kind == PROCEDURE
    )
    diagnoses = tuple(row.code for row in sent if row.kind == DIAGNOSIS)
    request = Request(
        place=session.place_of_service,
        duration_minutes=session.duration_minutes,
        date_of_service=session.date_of_service,
        codes=current_codeset(on=session.date_of_service),
        supplied=SuppliedCodes(diagnoses, procedures) if sent else None,
        identity=KnownIdentity(
            session.patient_first_name, session.patient_last_name, session.patient_date_of_birth
        ),
        threshold=settings.NOTE_CODER_THRESHOLD if own is None else float(own),
        identifiers=_identifiers(work),
        allowance=note_model.allowance_of(session.partner_id),
    )
    try:
        result = code_with(note_model.engine(), text, request=request, client=note_model.client())
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:
        # Whatever a model may say that nobody thought of: the rules' result stands by itself.
        alone = code_with(Engine.RULES, text, request=request, client=None)
        log.error(
            "note model failed",
            session=str(session.pk),
            request_id=session.request_id,
            error=type(error).__name__,
        )
        result = replace(alone, llm={"status": "failed", "why": "unexpected"})
    if result.llm is not None:
        meters.NOTE_MODEL_ANSWERS.labels(result.llm.get("why", result.llm["status"])).inc()
    return result


def _identifiers(work: Work) -> tuple[str, ...]:
    """What the request says about people and places: none of it may go to a language model."""
    session, provider, practice = work.record.session, work.record.provider, work.record.practice
    known = (
        session.external_session_id,
        session.patient_street,
        session.patient_line2,
        session.patient_city,
        session.patient_zip,
        session.member_id,
        session.group_number,
        provider.first_name,
        provider.last_name,
        provider.npi,
        practice.name,
        practice.npi,
        practice.tax_id,
        practice.street,
        practice.line2,
        practice.city,
        practice.zip,
        practice.phone,
        practice.contact_name,
    )
    # A bare number that short says nothing about anybody, and would hide the minutes.
    return tuple(each for each in known if each and not (each.isdigit() and len(each) < 4))


def _facts(coding: Mapping[str, Any], *, confirmed: bool) -> rules.Note:
    return rules.Note(
        outcome=rules.NoteOutcome(coding["outcome"]),
        discrepancies=tuple(
            rules.Discrepancy(
                kind=item["type"],
                severity=rules.DiscrepancySeverity(item["severity"]),
                supplied=item["supplied"],
                found=item["found"],
            )
            for item in coding["discrepancies"]
        ),
        reasons=tuple(coding["reasons"]),
        codes_without_evidence=tuple(item["code"] for item in coding["diagnoses"] if not item["evidence"]),
        confirmed_by_staff=confirmed,
        minutes=next((item["minutes"] for item in coding["procedures"] if item["minutes"]), None),
        audio_only=NoteWarning.AUDIO_ONLY in coding["warnings"],
        kept_separately=NoteWarning.PRIVATE_NOTE in coding["warnings"],
    )


def _kept(work: Work, *, missing: set[SessionCode.Kind]) -> list[SessionCode]:
    """The codes that a note gave before it was purged: they can't be read again."""
    rows = [
        copy(row)
        for row in work.record.codes
        if row.source == SessionCode.Source.NOTE and row.kind in missing
    ]
    for row in rows:
        row.pk, row._state.adding = None, True
    return rows


def _taken(work: Work, result: NoteResult, *, missing: set[SessionCode.Kind]) -> list[SessionCode]:
    session = work.record.session
    found = [(DIAGNOSIS, item.code, "", 1) for item in result.diagnoses if DIAGNOSIS in missing]
    found += [
        (PROCEDURE, item.code, item.modifier or "", item.units)
        for item in result.procedures
        if PROCEDURE in missing
    ]
    positions = {DIAGNOSIS: 0, PROCEDURE: 0}
    rows = []
    for kind, code, modifier, units in found:
        rows.append(
            SessionCode(
                partner_id=session.partner_id,
                session=session,
                kind=kind,
                position=positions[kind],
                code=code,
                modifier=modifier,
                modifier_added=bool(modifier),
                units=units,
                source=SessionCode.Source.NOTE,
            )
        )
        positions[kind] += 1
    return rows


def _compared(result: NoteResult) -> str:
    """Which differences were found, without a word of the note."""
    found = sorted(result.discrepancies, key=lambda item: item.type)
    if not found:
        return "The note was compared with the codes sent: they agree."
    told = (in_words(item.type, sent=item.supplied, noted=item.found) for item in found)
    words = " ".join(dict.fromkeys(told))
    return f"The note was compared with the codes sent, and they differ. {words}"
