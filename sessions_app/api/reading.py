"""From a request body to a submission or a correction; every fault at once, or the whole of it."""

from collections.abc import Sequence
from functools import reduce
from operator import attrgetter
from typing import Any

from partners.api.compiled import Compiled
from partners.api.reading import in_field_order, read
from partners.issues import Issue
from sessions_app.api.serializers import SessionUpdateSerializer, SubmissionSerializer
from sessions_app.submission import PATHS, Code, Correction, Outline, Submission, issues_across

_SERIALIZER = SubmissionSerializer()
_UPDATE = SessionUpdateSerializer()
_COMPILED = Compiled(_SERIALIZER)
_IN_COLUMNS = attrgetter(*PATHS.values())


def read_quickly(body: bytes) -> Submission | None:
    """The submission, where the body is right as it stands; None where `read_slowly` must look."""
    document = _COMPILED.decode(body)
    if document is None or issues_across(_outline_of(document)):
        return None
    return _submission(document)


def read_slowly(document: object) -> tuple[Submission | None, list[Issue]]:
    """The submission, or every issue in the order of the fields."""
    values, issues = read(_SERIALIZER, document)
    if not isinstance(document, dict):
        return None, issues
    known = {issue.path for issue in issues}
    issues += [issue for issue in issues_across(_rough_outline(values, document)) if issue.path not in known]
    if issues:
        return None, in_field_order(issues, _SERIALIZER)
    return _submission(_COMPILED.build(values)), []


def read_correction(document: object) -> tuple[Correction, list[Issue]]:
    """The correction, and what its body alone shows to be wrong."""
    values, issues = read(_UPDATE, document)
    session = values.get("session", {})
    columns = _columns(values)
    known = {issue.path for issue in issues}
    issues += [issue for issue in _issues_within(session, columns) if issue.path not in known]
    correction = Correction(
        columns=columns,
        diagnosis_codes=_codes_if_sent(session, "diagnosisCodes"),
        procedure_codes=_codes_if_sent(session, "procedureCodes"),
    )
    return correction, in_field_order(issues, _UPDATE)


def _submission(document: Any) -> Submission:
    session = document.session
    return Submission(
        provider_npi=document.providerNpi,
        external_session_id=document.externalSessionId,
        columns={column: value or "" for column, value in zip(PATHS, _IN_COLUMNS(document), strict=True)},
        diagnosis_codes=[Code(entry.code, entry.description or "") for entry in session.diagnosisCodes or ()],
        procedure_codes=[
            Code(entry.code, entry.description or "", entry.modifier or "")
            for entry in session.procedureCodes or ()
        ],
        duration_minutes=session.durationMinutes,
        note_text=session.noteText,
    )


def _outline_of(document: Any) -> Outline:
    session = document.session
    diagnoses, procedures = session.diagnosisCodes or (), session.procedureCodes or ()
    return Outline(
        date_of_birth=document.patient.dateOfBirth,
        date_of_service=session.dateOfService,
        diagnosis_codes=[entry.code for entry in diagnoses],
        procedure_codes=[(entry.code, entry.modifier or "") for entry in procedures],
        has_diagnosis=bool(diagnoses),
        has_procedure=bool(procedures),
        has_duration=session.durationMinutes is not None,
        has_note=session.noteText is not None,
    )


def _rough_outline(values: dict[str, Any], document: dict[str, Any]) -> Outline:
    """The outline of what could be read; what is there, however wrong, counts as there."""
    sent = document.get("session")
    sent = sent if isinstance(sent, dict) else {}
    session = values.get("session", {})
    note = sent.get("noteText")
    return Outline(
        date_of_birth=values.get("patient", {}).get("dateOfBirth"),
        date_of_service=session.get("dateOfService"),
        diagnosis_codes=_diagnoses_read(session),
        procedure_codes=_procedures_read(session),
        has_diagnosis=sent.get("diagnosisCodes") not in (None, []),
        has_procedure=sent.get("procedureCodes") not in (None, []),
        has_duration=sent.get("durationMinutes") is not None,
        has_note=bool(note.strip()) if isinstance(note, str) else note is not None,
    )


def _issues_within(session: dict[str, Any], columns: dict[str, Any]) -> list[Issue]:
    """Rules between the fields that an update itself supplies."""
    return issues_across(
        Outline(
            date_of_birth=columns.get("patient_date_of_birth"),
            date_of_service=columns.get("date_of_service"),
            diagnosis_codes=_diagnoses_read(session),
            procedure_codes=_procedures_read(session),
            has_diagnosis=True,
            has_procedure=True,
            has_duration=True,
            has_note=True,
        )
    )


def _diagnoses_read(session: dict[str, Any]) -> list[str | None]:
    return [entry.get("code") for entry in session.get("diagnosisCodes") or ()]


def _procedures_read(session: dict[str, Any]) -> list[tuple[str, str] | None]:
    return [
        (entry["code"], entry.get("modifier") or "") if "code" in entry else None
        for entry in session.get("procedureCodes") or ()
    ]


def _codes_if_sent(session: dict[str, Any], name: str) -> Sequence[Code] | None:
    if name not in session:
        return None
    keeps_modifier = name == "procedureCodes"
    return [
        Code(
            entry.get("code", ""),
            entry.get("description") or "",
            (entry.get("modifier") or "") if keeps_modifier else "",
        )
        for entry in session[name]
    ]


def _columns(values: dict[str, Any]) -> dict[str, Any]:
    """Column values of what is supplied; what is cleared is the empty string."""
    columns = {}
    for column, path in PATHS.items():
        *parents, name = path.split(".")
        within: dict[str, Any] = reduce(lambda each, parent: each.get(parent, {}), parents, values)
        if name in within:
            columns[column] = within[name] or ""
    return columns
