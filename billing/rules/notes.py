"""Rules about what the clinical note says against what the claim would say."""

from collections.abc import Iterator

from billing.rules.facts import ClaimFacts, CodeSource, Discrepancy, DiscrepancySeverity, Note, NoteOutcome
from billing.rules.procedures import noted_minutes
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
from billing.rules.tables.note_words import (
    ABOUT_DIAGNOSES,
    ABOUT_SERVICE,
    IDENTITY,
    REASONS,
    TIME_MISMATCH,
    in_words,
)

_NOTE = "session.noteText"
_NOT_RENDERED = frozenset({"not_rendered", "service_not_rendered"})
_OWN_RULES = IDENTITY | _NOT_RENDERED | {TIME_MISMATCH}
"""Kinds that hold the session under a rule of their own."""
_PLACE = "place_conflict"
_HELD = "held_unclear"
_OTHER_MINUTES = frozenset({"duration_against_note", "length_unclear"})
_SUPPLIED = frozenset({CodeSource.SENT, CodeSource.STAFF})


def _path_of(discrepancy: Discrepancy, facts: ClaimFacts) -> str:
    kind = discrepancy.kind
    if kind in ("pos_vs_note", "dos_vs_note", "duration_field_vs_note"):
        field = {"pos_vs_note": "placeOfService", "dos_vs_note": "dateOfService"}.get(kind, "durationMinutes")
        return f"session.{field}"
    if kind.startswith("dx_"):
        for position, diagnosis in enumerate(facts.diagnoses):
            if diagnosis.code == discrepancy.supplied:
                return diagnosis_path(position)
        return "session.diagnosisCodes"
    if kind.startswith(("cpt_", "modifier_")):
        part = "modifier" if kind.startswith("modifier_") else "code"
        for position, procedure in enumerate(facts.procedures):
            if discrepancy.supplied in (procedure.code, *procedure.modifiers):
                return procedure_path(position, part)
        return "session.procedureCodes"
    return _NOTE


def agrees_with_codes(facts: ClaimFacts) -> Iterator[Complaint]:
    """The note supports what is billed; where it doesn't, what was sent still counts."""
    if facts.note is None:
        return
    counts = "" if _open_reasons(facts) else " What was sent counts."
    for discrepancy in facts.note.discrepancies:
        blocks = discrepancy.severity is DiscrepancySeverity.BLOCK and discrepancy.kind in _OWN_RULES
        if discrepancy.severity is DiscrepancySeverity.INFO or blocks:
            continue
        words = in_words(discrepancy.kind, sent=discrepancy.supplied, noted=discrepancy.found)
        yield warn(_path_of(discrepancy, facts), f"{words}{counts}", who_acts=Actor.PARTNER)


def _touches_open_code(reason: str, facts: ClaimFacts) -> bool:
    """Whether a reason for review is about a code that wasn't sent, or that is still missing."""
    diagnoses = {diagnosis.source for diagnosis in facts.diagnoses}
    procedures = {line.source for line in facts.procedures}
    if not diagnoses or not procedures:
        return True
    if reason in ABOUT_DIAGNOSES:
        return not diagnoses <= _SUPPLIED
    if reason in ABOUT_SERVICE:
        return not procedures <= _SUPPLIED
    return CodeSource.NOTE in diagnoses | procedures


def _open_reasons(facts: ClaimFacts) -> list[str]:
    """Why a person has to look at the note before anything is billed; an unnamed reason is empty."""
    note = facts.note
    if note is None or note.confirmed_by_staff or note.outcome is not NoteOutcome.NEEDS_REVIEW:
        return []
    return [reason for reason in note.reasons or ("",) if _touches_open_code(reason, facts)]


def codes_have_evidence(facts: ClaimFacts) -> Iterator[Complaint]:
    """A code taken from a note stands on words of that note, or a person has confirmed it."""
    note = facts.note
    if note is None or note.confirmed_by_staff:
        return
    if note.codes_without_evidence:
        yield hold(
            _NOTE,
            f"No words of the note are quoted for {', '.join(note.codes_without_evidence)}. Read the note "
            "and confirm the code, or send the codes.",
            who_acts=Actor.STAFF,
        )
    reasons = _open_reasons(facts)
    if _PLACE in reasons:
        yield hold(
            "session.placeOfService",
            f"{REASONS[_PLACE]} Send the placeOfService that is true; if it is as sent, send "
            f"{_settling([_PLACE], facts)}.",
        )
    if _HELD in reasons:
        yield hold(
            _NOTE,
            f"{REASONS[_HELD]} Nothing can be billed where there was none; if there was one, staff let it go "
            "on.",
            who_acts=Actor.STAFF,
        )
    if reasons := [reason for reason in reasons if reason not in (_PLACE, _HELD)]:
        questions = [REASONS[reason] for reason in reasons if reason in REASONS]
        words = " ".join(dict.fromkeys(questions)) or "The note leaves the codes open."
        yield hold(
            _NOTE,
            f"{words} Staff read the note and say which minutes are true."
            if _tells_more_minutes(reasons, facts)
            else f"{words} Staff read the note; sending {_settling(reasons, facts)} settles it too.",
            who_acts=Actor.STAFF,
        )


def _tells_more_minutes(reasons: list[str], facts: ClaimFacts) -> bool:
    """Whether the minutes sent, which nobody can send again, are too few for the code of the note's."""
    sent, noted = facts.session.minutes, noted_minutes(facts.note)
    return not _OTHER_MINUTES.isdisjoint(reasons) and sent is not None and noted is not None and noted > sent


def _settling(reasons: list[str], facts: ClaimFacts) -> str:
    """The codes that are open, so that sending them leaves the note nothing to decide."""
    diagnoses = {diagnosis.source for diagnosis in facts.diagnoses}
    procedures = {line.source for line in facts.procedures}
    asked = [] if diagnoses and diagnoses <= _SUPPLIED else ["diagnosisCodes"]
    if not _OTHER_MINUTES.isdisjoint(reasons):
        asked.append("the procedureCodes of the minutes that the note documents")
    elif not procedures or not (procedures <= _SUPPLIED or ABOUT_DIAGNOSES.issuperset(reasons)):
        asked.append("procedureCodes")
    return " and ".join(asked)


def not_kept_separately(facts: ClaimFacts) -> Iterator[Complaint]:
    """Private psychotherapy notes have protection of their own and don't belong in billing."""
    if facts.note is not None and facts.note.kept_separately:
        yield warn(
            _NOTE,
            "The note calls itself a private psychotherapy note, which the law keeps apart from billing. "
            "Send the progress note instead.",
            who_acts=Actor.PARTNER,
        )


def service_took_place(facts: ClaimFacts) -> Iterator[Complaint]:
    """A session that the note says didn't happen isn't billed."""
    note = facts.note
    if note is None or note.confirmed_by_staff:
        return
    stated = note.outcome is NoteOutcome.NOT_BILLABLE and _NOT_RENDERED.intersection(note.reasons)
    if stated or _blocks(note, _NOT_RENDERED):
        yield hold(
            _NOTE,
            "The note says that the session didn't take place (a no-show, a cancellation, nobody reached) or "
            "that its time went into something else. Nothing can be billed for it; if that reading is wrong, "
            "staff let it go on.",
            who_acts=Actor.STAFF,
        )
    elif note.outcome is NoteOutcome.NOT_BILLABLE and "under_16" not in note.reasons and not facts.procedures:
        yield hold(
            _NOTE,
            "The note documents no service that can be billed. If one took place, send its procedureCodes.",
        )


def _blocks(note: Note, kinds: frozenset[str]) -> set[str]:
    return {
        discrepancy.kind
        for discrepancy in note.discrepancies
        if discrepancy.severity is DiscrepancySeverity.BLOCK and discrepancy.kind in kinds
    }


def same_session(facts: ClaimFacts) -> Iterator[Complaint]:
    """The note is about this patient and this day."""
    note = facts.note
    if note is None or note.confirmed_by_staff:
        return
    kinds = _blocks(note, IDENTITY)
    if "identity_vs_note" in kinds:
        yield hold(
            _NOTE,
            "The note names another patient than the session: name, initials or birth date differ. Correct "
            "the patient; if the note is another session's, send this one again with its own.",
        )
    if "dos_vs_note" in kinds:
        yield hold(
            "session.dateOfService",
            "The note is dated on another day than the session. Send the day that the note documents; if the "
            "note is another session's, send this one again with its own.",
        )


RULES = (
    Rule("NOTE-001", WARNS, "The note agrees with what was sent", agrees_with_codes),
    Rule("NOTE-002", HOLDS, "Codes taken from the note stand on its words", codes_have_evidence),
    Rule("NOTE-003", WARNS, "The note is no private psychotherapy note", not_kept_separately),
    Rule("NOTE-004", HOLDS, "The note says that the session took place", service_took_place),
    Rule("NOTE-005", HOLDS, "The note is about this patient and day", same_session),
)
