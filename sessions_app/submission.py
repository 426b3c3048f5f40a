"""A session as a partner tells it, a correction of one, and the rules that bind their fields together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from billing.codes import CHILDREN_LISTED, CodeStatus, CodeVerdict, judge_codes
from partners.issues import Issue

MOST_DIAGNOSIS_CODES = 12
MOST_PROCEDURE_CODES = 50
NO_COMBINATION = (
    "Send one of these: session.diagnosisCodes with session.durationMinutes; session.diagnosisCodes with "
    "session.procedureCodes; session.noteText."
)
NOT_EMPTIED = "{} can't be emptied: the session can't be billed without any. Send a code, or leave it out."
PATHS = {
    "patient_first_name": "patient.firstName",
    "patient_last_name": "patient.lastName",
    "patient_date_of_birth": "patient.dateOfBirth",
    "patient_gender": "patient.gender",
    "patient_street": "patient.address.street",
    "patient_line2": "patient.address.line2",
    "patient_city": "patient.address.city",
    "patient_state": "patient.address.state",
    "patient_zip": "patient.address.zip",
    "member_id": "patient.insurance.memberId",
    "payer_name": "patient.insurance.payerName",
    "payer_id": "patient.insurance.payerId",
    "group_number": "patient.insurance.groupNumber",
    "date_of_service": "session.dateOfService",
    "place_of_service": "session.placeOfService",
}
"""Columns of a session that may be corrected, in the order of the interface, and their paths in it."""


@dataclass(frozen=True, slots=True)
class Code:
    """One code as sent, in stored form; `units` None is what the session has for the same code, or 1."""

    code: str
    description: str = ""
    modifier: str = ""
    units: int | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A new session: every column of `PATHS`, and what can't be corrected later."""

    provider_npi: str
    columns: Mapping[str, Any] = field(repr=False)
    diagnosis_codes: Sequence[Code] = ()
    procedure_codes: Sequence[Code] = ()
    duration_minutes: int | None = None
    note_text: str | None = field(default=None, repr=False)
    external_session_id: str | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction supplies: columns of `PATHS`, and each kind of codes whole; None leaves that kind."""

    columns: Mapping[str, Any] = field(default_factory=dict, repr=False)
    diagnosis_codes: Sequence[Code] | None = None
    procedure_codes: Sequence[Code] | None = None

    @property
    def paths(self) -> list[str]:
        """The supplied fields, in the order of the interface."""
        named = [path for column, path in PATHS.items() if column in self.columns]
        if self.diagnosis_codes is not None:
            named.append("session.diagnosisCodes")
        if self.procedure_codes is not None:
            named.append("session.procedureCodes")
        return named


@dataclass(frozen=True, slots=True)
class Outline:
    """What the rules across fields look at; None where a part could not be read, or is not there."""

    date_of_birth: date | None
    date_of_service: date | None
    diagnosis_codes: Sequence[str | None]
    procedure_codes: Sequence[tuple[str, str] | None]
    has_diagnosis: bool
    has_procedure: bool
    has_duration: bool
    has_note: bool
    has_birth_date: bool = True
    """Whether that came with what is judged: else the date of service is what is wrong between the two."""
    emptied: Sequence[str] = ()
    """The paths of the codes that a correction takes away."""


def issues_across(outline: Outline) -> list[Issue]:
    """What is wrong between fields that are right by themselves, in the order of the interface."""
    issues: list[Issue] = []
    born, served = outline.date_of_birth, outline.date_of_service
    if born and served and born > served:
        issues.append(
            Issue("patient.dateOfBirth", "Must not be after the date of service.")
            if outline.has_birth_date
            else Issue("session.dateOfService", "Must not be before the date of birth.")
        )
    issues += _repeated(outline.diagnosis_codes, "session.diagnosisCodes", "This code is given twice.")
    if served:
        issues += diagnosis_issues(outline.diagnosis_codes, on=served)
    issues += _repeated(
        outline.procedure_codes,
        "session.procedureCodes",
        "This code is given twice; that needs different modifiers.",
    )
    coded = outline.has_diagnosis and (outline.has_duration or outline.has_procedure)
    if not coded and not outline.has_note:
        words = [NOT_EMPTIED.format(path) for path in outline.emptied] or [NO_COMBINATION]
        issues += [Issue("", each) for each in words]
    return issues


def diagnosis_issues(codes: Sequence[str | None], *, on: date) -> list[Issue]:
    """Codes that do not exist or are not billable on that date of service, as far as releases are loaded."""
    asked = [(position, code) for position, code in enumerate(codes) if code is not None]
    if not asked:
        return []
    verdicts = judge_codes([code for _, code in asked], on=on)
    return [
        Issue(f"session.diagnosisCodes.{position}.code", words)
        for (position, _), verdict in zip(asked, verdicts, strict=True)
        if (words := _refusal(verdict, on=on))
    ]


def _refusal(verdict: CodeVerdict, *, on: date) -> str | None:
    if verdict.status is CodeStatus.UNKNOWN:
        return f"{verdict.normalized} is not an ICD-10-CM code on {on:%Y-%m-%d}."
    if verdict.status is CodeStatus.HEADING:
        under = ", ".join(verdict.billable_children)
        lists = "such as" if len(verdict.billable_children) == CHILDREN_LISTED else "one of"
        return (
            f"{verdict.normalized} is a category, not a billable code; send a code under it, {lists} {under}."
        )
    if verdict.status is CodeStatus.MALFORMED:
        return "Must be an ICD-10-CM code, such as F41.1."
    return None


def _repeated(entries: Sequence[object | None], path: str, message: str) -> list[Issue]:
    seen: set[object] = set()
    issues: list[Issue] = []
    for position, entry in enumerate(entries):
        if entry is None:
            continue
        if entry in seen:
            issues.append(Issue(f"{path}.{position}.code", message))
        seen.add(entry)
    return issues
