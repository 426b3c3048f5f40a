"""Rules about the diagnoses and which line points at which."""

from collections.abc import Iterator

from billing.rules.facts import ClaimFacts, Diagnosis, DiagnosisStatus, NoteOutcome
from billing.rules.rule import (
    HOLDS,
    WARNS,
    Actor,
    Complaint,
    Rule,
    diagnosis_path,
    hold,
    procedure_path,
    warn,
)

_MOST = 12
_MOST_POINTERS = 4
_UNSPECIFIED = frozenset(
    {"F31.9", "F32.9", "F32.A", "F33.9", "F39", "F41.9", "F42.9", "F43.10", "F43.20", "F43.9", "F50.9"}
    | {"F60.9", "F90.9", "F99"}
)
_MANIFESTATIONS = ("F02", "G13.1", "G32")
_EXTERNAL_CAUSES = ("V", "W", "X", "Y")


def plain_code(code: str) -> str:
    """A diagnosis code as a claim carries it: upper case, no dot."""
    return code.replace(".", "").upper()


def _note_is_told_of(facts: ClaimFacts) -> bool:
    """Whether a rule about the note holds, and says better why there is no diagnosis."""
    if facts.note is None or facts.note.confirmed_by_staff:
        return False
    nothing_billable = facts.note.outcome is NoteOutcome.NOT_BILLABLE and not facts.procedures
    return nothing_billable or facts.note.outcome is NoteOutcome.NEEDS_REVIEW


def count_and_duplicates(facts: ClaimFacts) -> Iterator[Complaint]:
    """A claim carries one to twelve diagnoses, each once."""
    if not facts.diagnoses and not _note_is_told_of(facts):
        yield hold(
            "session.diagnosisCodes",
            "The session has no diagnosis. Send at least one ICD-10-CM code, like F41.1.",
        )
    if len(facts.diagnoses) > _MOST:
        yield hold(
            "session.diagnosisCodes",
            f"A claim carries at most {_MOST} diagnoses. Send the {_MOST} that were treated, the most "
            "important first.",
        )
    seen: set[str] = set()
    for position, diagnosis in enumerate(facts.diagnoses):
        plain = plain_code(diagnosis.code)
        if plain in seen:
            yield hold(
                diagnosis_path(position), f"The diagnosis {diagnosis.code} stands here twice. Send it once."
            )
        seen.add(plain)


def billable(facts: ClaimFacts) -> Iterator[Complaint]:
    """Payers take only the codes at the end of a branch, from the release in force on the day."""
    for position, diagnosis in enumerate(facts.diagnoses):
        path, code = diagnosis_path(position), diagnosis.code
        if diagnosis.status is DiagnosisStatus.HEADING:
            under = ", ".join(diagnosis.billable_under[:10])
            choices = f" Billable under it: {under}." if under else " Send one of the codes under it."
            yield hold(path, f"{code} is a heading, and payers take only the codes under it.{choices}")
        elif diagnosis.status is DiagnosisStatus.UNKNOWN:
            yield hold(
                path,
                f"ICD-10-CM has no code {code} on the date of service. Send the code that is in force then.",
            )
        elif diagnosis.status is DiagnosisStatus.NOT_COVERED and diagnosis.known_in_newest_release is False:
            yield hold(
                path,
                f"The newest ICD-10-CM release that is loaded has no billable code {code}. Send another, or "
                "have staff load the release of that date.",
            )
    known = [each.code for each in facts.diagnoses if _only_the_newest_knows(each)]
    if known:
        verb = "are" if len(known) > 1 else "is"
        yield warn(
            "session.diagnosisCodes",
            f"No ICD-10-CM release is loaded for the date of service, so {', '.join(known)} {verb} checked "
            "against the newest one until staff load that date's.",
            who_acts=Actor.STAFF,
        )


def _only_the_newest_knows(diagnosis: Diagnosis) -> bool:
    return diagnosis.status is DiagnosisStatus.NOT_COVERED and bool(diagnosis.known_in_newest_release)


def principal_is_mental(facts: ClaimFacts) -> Iterator[Complaint]:
    """Therapy is paid for a mental disorder, which comes first."""
    if facts.diagnoses and not plain_code(facts.diagnoses[0].code).startswith("F"):
        yield warn(
            diagnosis_path(0),
            f"The first diagnosis, {facts.diagnoses[0].code}, is no mental disorder (F01 to F99), and many "
            "plans pay therapy only for one. If there is one, send it first.",
            who_acts=Actor.PARTNER,
        )


def principal_is_specific(facts: ClaimFacts) -> Iterator[Complaint]:
    """Unspecified codes are denied more often, and more so with time."""
    if facts.diagnoses and facts.diagnoses[0].code in _UNSPECIFIED:
        yield warn(
            diagnosis_path(0),
            f"The first diagnosis, {facts.diagnoses[0].code}, is an unspecified one. If the record says "
            "more, send the code that says it.",
            who_acts=Actor.PARTNER,
        )


def principal_can_lead(facts: ClaimFacts) -> Iterator[Complaint]:
    """An external cause or the sign of another disease never comes first."""
    if facts.diagnoses and plain_code(facts.diagnoses[0].code).startswith(
        _EXTERNAL_CAUSES + tuple(code.replace(".", "") for code in _MANIFESTATIONS)
    ):
        yield warn(
            diagnosis_path(0),
            f"The first diagnosis, {facts.diagnoses[0].code}, names a cause or a consequence of another "
            "condition. Send the condition that was treated first.",
            who_acts=Actor.PARTNER,
        )


def pointers(facts: ClaimFacts) -> Iterator[Complaint]:
    """Every line says which diagnoses it treats."""
    for position, procedure in enumerate(facts.procedures):
        points = procedure.diagnosis_pointers
        if points is None:
            continue
        if not 1 <= len(points) <= _MOST_POINTERS:
            yield hold(
                procedure_path(position),
                f"A line points at one to {_MOST_POINTERS} diagnoses. Choose those that this service "
                "treated.",
                who_acts=Actor.STAFF,
            )
        elif any(not 1 <= point <= len(facts.diagnoses) for point in points):
            yield hold(
                procedure_path(position),
                "The line points at a diagnosis that the claim doesn't have. Choose among those it has.",
                who_acts=Actor.STAFF,
            )


RULES = (
    Rule("DX-001", HOLDS, "The claim has one to twelve diagnoses, each once", count_and_duplicates),
    Rule("DX-002", HOLDS + WARNS, "Every diagnosis is billable on the date of service", billable),
    Rule("DX-003", WARNS, "The first diagnosis is a mental disorder", principal_is_mental),
    Rule("DX-004", WARNS, "The first diagnosis is a specific one", principal_is_specific),
    Rule("DX-005", WARNS, "The first diagnosis is no external cause or manifestation", principal_can_lead),
    Rule("DX-006", HOLDS, "Every line points at one to four diagnoses of the claim", pointers),
)
