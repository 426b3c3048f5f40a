"""The front door of the claims process: a session comes in, a session is corrected.

Both are one transaction. A correction and the claim's transmission are decided by one row lock: the claim's.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
from django.db import transaction
from django.utils import timezone

from claims import actions, backlog, bell, lifecycle, rechecks, timeline, work_queue
from claims.fold.entries import TimelineEntry
from claims.fold.messages import NOTHING_TO_DO
from claims.models import Claim
from claims.signals import ClaimStatus, EventType, SessionStatus
from partners.identifiers import new_id
from partners.issues import Invalid
from partners.keyring import encrypt
from partners.statements import fetch_one
from sessions_app.corrected import corrected_codes
from sessions_app.member_index import member_index
from sessions_app.models import Session, SessionCode, SessionNote
from sessions_app.patient_names import full_name, search_form
from sessions_app.submission import Code, Correction, Outline, Submission, issues_across

if TYPE_CHECKING:
    from django.contrib.auth.models import User

RECEIVED_MESSAGE = f"Received. The session is being coded and checked. {NOTHING_TO_DO}"
MOST_SEARCHED = Session._meta.get_field("patient_search_name").max_length
CORRECTED_MESSAGE = f"Corrected. The session is being coded and checked again. {NOTHING_TO_DO}"


class ProviderNotOnboarded(Exception):
    """The partner has no provider with this NPI."""


class SessionExists(Exception):
    """The partner has used this external session id before."""

    def __init__(self, session_id: UUID) -> None:
        super().__init__(str(session_id))
        self.session_id = session_id


class SessionUnknown(Exception):
    """The partner has no session with this id."""


class SessionLocked(Exception):
    """The session's claim is on its way to a payer, was there, or may be there since before a restore."""


class VersionConflict(Exception):
    """Someone else changed the session since the caller read it."""


class CorrectionInvalid(Invalid):
    """The session would break a rule of submissions with this correction."""


@dataclass(frozen=True, slots=True)
class Sender:
    """For whom a session is received."""

    partner_id: UUID
    mode: str
    submission_delay: timedelta
    request_id: str = ""


RECEIVE = """
WITH provider AS (
    SELECT id FROM providers_provider
    WHERE mode = %(mode)s AND npi = %(npi)s AND partner_id = %(partner)s
), session AS (
    INSERT INTO sessions_app_session (
        id, partner_id, provider_id, external_session_id, status, message,
        patient_first_name, patient_last_name, patient_search_name, patient_date_of_birth, patient_gender,
        patient_street, patient_line2, patient_city, patient_state, patient_zip,
        member_id, member_id_index, payer_name, payer_id, group_number,
        date_of_service, place_of_service, duration_minutes, version, request_id, created_at, updated_at)
    SELECT
        %(session)s::uuid, %(partner)s::uuid, provider.id, %(external)s, 'processing', %(message)s,
        %(patient_first_name)s, %(patient_last_name)s, %(search_name)s, %(patient_date_of_birth)s::date,
        %(patient_gender)s,
        %(patient_street)s, %(patient_line2)s, %(patient_city)s, %(patient_state)s, %(patient_zip)s,
        %(member_id)s::bytea, %(member_id_index)s::bytea, %(payer_name)s, %(payer_id)s, %(group_number)s,
        %(date_of_service)s::date, %(place_of_service)s, %(minutes)s::smallint, 1, %(request_id)s,
        now(), now()
    FROM provider
    ON CONFLICT (partner_id, external_session_id) WHERE external_session_id IS NOT NULL DO NOTHING
    RETURNING id, partner_id
), note AS (
    INSERT INTO sessions_app_sessionnote (session_id, partner_id, text)
    SELECT id, partner_id, %(note)s::bytea FROM session WHERE %(note)s::bytea IS NOT NULL
), code AS (
    INSERT INTO sessions_app_sessioncode
        (partner_id, session_id, kind, position, code, description, modifier, modifier_added, units, source)
    SELECT session.partner_id, session.id, sent.kind, entry.number - 1, entry.code, entry.description,
        entry.modifier, false, 1, 'sent'
    FROM session,
        (VALUES ('diagnosis', %(diagnoses)s::json), ('procedure', %(procedures)s::json))
            AS sent (kind, codes),
        ROWS FROM (json_to_recordset(sent.codes) AS (code text, description text, modifier text))
            WITH ORDINALITY AS entry (code, description, modifier, number)
), claim AS (
    INSERT INTO claims_claim (
        id, partner_id, session_id, version, frequency, step, next_step_at, window_ends_at, revision,
        attempts, status, mode, gateway, payer_control_number, status_changed_at, last_updated_at, created_at)
    SELECT %(claim)s::uuid, partner_id, id, 1, '1', 'code', now(), now() + %(delay)s::interval, 1, 0,
        'queued', '', '', '', now(), now(), now()
    FROM session
), event AS (
    INSERT INTO sessions_app_sessionevent (partner_id, session_id, type, status, summary, timestamp)
    SELECT partner_id, id, 'session.received', 'processing', %(summary)s, now() FROM session
)
SELECT id FROM session
"""
DUPLICATE = """
SELECT (SELECT count(*) FROM providers_provider
        WHERE mode = %(mode)s AND npi = %(npi)s AND partner_id = %(partner)s),
       (SELECT id FROM sessions_app_session
        WHERE partner_id = %(partner)s AND external_session_id = %(external)s)
"""


def seconds_to_wait(partner_id: UUID) -> int | None:
    """How long a partner's new sessions had better wait, while more claims are due than can soon be done."""
    return backlog.RETRY_AFTER_SECONDS if backlog.is_full(partner_id) else None


def receive(submission: Submission, *, sender: Sender) -> UUID:
    """Store a session, its codes, note, claim and first event in one statement; the session's id.

    ProviderNotOnboarded, or SessionExists when the external session id is taken, whoever else is at it.
    """
    session_id, claim_id = new_id(), new_id()
    columns = dict(submission.columns)
    member_id = columns.pop("member_id")
    parameters: dict[str, Any] = {
        **columns,
        "session": session_id,
        "claim": claim_id,
        "partner": sender.partner_id,
        "mode": sender.mode,
        "delay": sender.submission_delay,
        "request_id": sender.request_id,
        "npi": submission.provider_npi,
        "external": submission.external_session_id,
        "message": RECEIVED_MESSAGE,
        "summary": _received(submission),
        "search_name": _search_name(columns["patient_first_name"], columns["patient_last_name"]),
        "member_id": encrypt(member_id.encode()),
        "member_id_index": member_index(member_id),
        "minutes": submission.duration_minutes,
        "note": None if submission.note_text is None else encrypt(submission.note_text.encode()),
        "diagnoses": orjson.dumps(submission.diagnosis_codes).decode(),
        "procedures": orjson.dumps(submission.procedure_codes).decode(),
    }
    if fetch_one(RECEIVE, parameters, partner_id=sender.partner_id) is None:
        _say_why_not(parameters)
    bell.ring_after_commit()
    return session_id


def _say_why_not(parameters: dict[str, Any]) -> None:
    known = {name: parameters[name] for name in ("mode", "npi", "partner", "external")}
    row = fetch_one(DUPLICATE, known, partner_id=parameters["partner"])
    assert row is not None
    providers, existing = row
    if not providers:
        raise ProviderNotOnboarded
    raise SessionExists(existing)


def correct(
    session_id: UUID,
    *,
    partner_id: UUID,
    correction: Correction,
    by_staff: bool = False,
    expected_version: int | None = None,
) -> None:
    """Change a session while its claim has not begun to leave; the claim starts again from its codes.

    A partner's correction without a change has a held session checked again, and does nothing else.
    SessionUnknown, SessionLocked, VersionConflict when it is no longer at `expected_version`,
    CorrectionInvalid when the session as corrected breaks a rule of submissions. Staff may also change the
    corrected claim of a session that was rejected or denied before.
    """
    with transaction.atomic():
        claim = (
            Claim.objects.select_for_update(of=("self",))
            .filter(session_id=session_id, partner_id=partner_id)
            .order_by("-version")
            .first()
        )
        if claim is None:
            raise SessionUnknown
        if not lifecycle.is_open(claim) or work_queue.is_restored(claim):
            raise SessionLocked
        session = Session.objects.select_for_update(of=("self",)).select_related("partner").get(pk=session_id)
        if session.status != SessionStatus.PROCESSING and not by_staff:
            raise SessionLocked
        if expected_version is not None and session.version != expected_version:
            raise VersionConflict
        if not correction.paths:
            if claim.step == Claim.Step.HELD and not by_staff:
                rechecks.check_again([claim], words="The partner had the session checked again.")
                bell.ring_after_commit()
            return
        if issues := issues_across(_outline(session, correction)):
            raise CorrectionInvalid(issues)
        write_correction(session, correction, by_staff=by_staff)
        lifecycle.start_again(claim, delay=session.partner.submission_delay)
        if claim.status == ClaimStatus.HELD:
            work_queue.close_items([session_id])
        words, status = _corrected(correction, by_staff=by_staff), SessionStatus(session.status)
        entry = TimelineEntry(EventType.SESSION_UPDATED, words, status)
        timeline.append([(entry, claim)], at=session.updated_at)
    bell.ring_after_commit()


def put_codes_back(claim: Claim, codes: Sequence[Mapping[str, Any]], *, place: str) -> None:
    """Give a locked claim's session the codes and place that it had before staff confirmed; it starts again.

    Each has a kind, code, modifier, modifier_added, description, units and source, in order.
    """
    session = (
        Session.objects.select_for_update(of=("self",)).select_related("partner").get(pk=claim.session_id)
    )
    SessionCode.objects.filter(session=session).delete()
    positions: defaultdict[str, Iterator[int]] = defaultdict(count)
    SessionCode.objects.bulk_create(
        SessionCode(
            partner_id=session.partner_id, session=session, position=next(positions[code["kind"]]), **code
        )
        for code in codes
    )
    session.version += 1
    session.place_of_service = place
    session.updated_at, session.message = timezone.now(), CORRECTED_MESSAGE
    session.save(update_fields=["place_of_service", "version", "updated_at", "message"])
    lifecycle.start_again(claim, delay=session.partner.submission_delay)
    work_queue.close_items([session.pk])
    words = "Billing staff took the confirmed codes back; the note is read again."
    entry = TimelineEntry(EventType.SESSION_UPDATED, words, SessionStatus(session.status))
    timeline.append([(entry, claim)], at=session.updated_at)
    bell.ring_after_commit()


def correct_and_resend(
    session_id: UUID,
    *,
    correction: Correction,
    user: "User | None",
    reason: str,
    expected_version: int | None = None,
) -> Claim:
    """Change what a rejected or judged session says and send a new version of its claim, in one transaction.

    Raises what `correct` raises, or ActionRefusedError where the claim can't be sent again now.
    """
    with transaction.atomic():
        claim = actions.lock_newest(session_id)
        session = Session.objects.select_for_update(of=("self",)).get(pk=session_id)
        if expected_version is not None and session.version != expected_version:
            raise VersionConflict
        if issues := issues_across(_outline(session, correction)):
            raise CorrectionInvalid(issues)
        if correction.paths:
            write_correction(session, correction, by_staff=True)
            entry = TimelineEntry(EventType.SESSION_UPDATED, _corrected(correction, by_staff=True))
            timeline.append([(entry, claim)], at=session.updated_at)
        return actions.resend(session_id, user=user, reason=reason, corrected=True)


def _outline(session: Session, correction: Correction) -> Outline:
    return outline_of(
        session,
        correction,
        codes=SessionCode.objects.filter(session=session).order_by("position"),
        has_note=SessionNote.objects.filter(session=session, text__isnull=False).exists(),
    )


def outline_of(
    session: Session, correction: Correction, *, codes: Iterable[SessionCode], has_note: bool
) -> Outline:
    """The session as it would be: what is supplied, and the rest as somebody or a purged note gave it."""
    by_hand = (SessionCode.Source.SENT, SessionCode.Source.STAFF)
    sources = by_hand if has_note else (*by_hand, SessionCode.Source.NOTE)
    given = [row for row in codes if row.source in sources]
    kinds = SessionCode.Kind
    stored = {
        kind: [
            Code(row.code, modifier="" if row.modifier_added else row.modifier)
            for row in given
            if row.kind == kind
        ]
        for kind in kinds
    }
    diagnoses = stored[kinds.DIAGNOSIS] if correction.diagnosis_codes is None else correction.diagnosis_codes
    procedures = stored[kinds.PROCEDURE] if correction.procedure_codes is None else correction.procedure_codes
    return Outline(
        date_of_birth=correction.columns.get("patient_date_of_birth", session.patient_date_of_birth),
        date_of_service=correction.columns.get("date_of_service", session.date_of_service),
        diagnosis_codes=[code.code for code in diagnoses],
        procedure_codes=[(code.code, code.modifier) for code in procedures],
        has_diagnosis=bool(diagnoses),
        has_procedure=bool(procedures),
        has_duration=session.duration_minutes is not None,
        has_note=has_note,
        has_birth_date="patient_date_of_birth" in correction.columns,
        emptied=[
            path
            for path, codes in (
                ("session.diagnosisCodes", correction.diagnosis_codes),
                ("session.procedureCodes", correction.procedure_codes),
            )
            if codes is not None and not codes
        ],
    )


def write_correction(session: Session, correction: Correction, *, by_staff: bool) -> None:
    """Write a correction's columns and codes on a locked session; the caller has checked it."""
    for column, value in correction.columns.items():
        setattr(session, column, value)
    session.patient_search_name = _search_name(session.patient_first_name, session.patient_last_name)
    session.member_id_index = member_index(session.member_id)
    session.version += 1
    session.updated_at = timezone.now()
    session.message = CORRECTED_MESSAGE
    derived = ("patient_search_name", "member_id_index", "version", "updated_at", "message")
    session.save(update_fields=[*correction.columns, *derived])
    known = [] if correction.procedure_codes is None else SessionCode.objects.filter(session=session)
    source = SessionCode.Source.STAFF if by_staff else SessionCode.Source.SENT
    for kind, rows in corrected_codes(session, correction, known=known, source=source).items():
        SessionCode.objects.filter(session=session, kind=kind).delete()
        SessionCode.objects.bulk_create(rows)


def _search_name(first: str, last: str) -> str:
    return search_form(full_name(first, last))[:MOST_SEARCHED]  # one character may be spelled out as eighteen


def _received(submission: Submission) -> str:
    parts = []
    if submission.diagnosis_codes:
        parts.append(_count(len(submission.diagnosis_codes), "diagnosis code"))
    if submission.procedure_codes:
        parts.append(_count(len(submission.procedure_codes), "procedure code"))
    if submission.duration_minutes is not None:
        parts.append(f"{submission.duration_minutes} minutes")
    if submission.note_text is not None:
        parts.append("a clinical note")
    return f"Session received with {', '.join(parts)}."


def _corrected(correction: Correction, *, by_staff: bool) -> str:
    by = "billing staff" if by_staff else "the partner"
    return f"Corrected by {by}: {', '.join(correction.paths)}."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
