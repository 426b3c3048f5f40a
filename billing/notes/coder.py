"""Note text to codes: the deterministic engine from guard to decision. Pure: no clock, no files after
loading, no randomness."""

from datetime import date

from msgspec.structs import replace

from billing.notes.codeset import CodeSet
from billing.notes.conditions.diagnoses import diagnose
from billing.notes.conditions.explicit import PSYCHOTHERAPY
from billing.notes.conditions.undiagnosed import says_undiagnosed
from billing.notes.decision.assembly import Assembly, refused
from billing.notes.decision.discrepancies import compare_minutes, compare_supplied
from billing.notes.decision.entered import without_struck
from billing.notes.decision.identity import compare_identity
from billing.notes.decision.length_words import length_words, told_otherwise
from billing.notes.decision.not_held import is_disputed, was_not_held
from billing.notes.decision.procedures import Procedures, procedures_of
from billing.notes.decision.session_words import session_words
from billing.notes.decision.specified import with_specifiers
from billing.notes.decision.stated_words import stated_words
from billing.notes.decision.unclear import unclear
from billing.notes.finding import Finding
from billing.notes.later import compile_all
from billing.notes.lexicon import load_lexicon
from billing.notes.reading import LONGEST_NOTE, Reading, read_note
from billing.notes.request import Request
from billing.notes.result import KnownIdentity, NoteResult, Reason, SuppliedCodes
from billing.rules.tables.note_words import ABOUT_DIAGNOSES, ABOUT_SERVICE

__all__ = ["LONGEST_NOTE", "code_note", "conclude", "prepare"]


def prepare() -> None:
    """Load the tables and compile every pattern: once, before a process forks or is measured."""
    load_lexicon()
    session_words()
    length_words()
    stated_words()
    compile_all()


def code_note(
    text: str,
    *,
    place: str | None,
    duration_minutes: int | None,
    date_of_service: date | None = None,
    codes: CodeSet,
    supplied: SuppliedCodes | None = None,
    identity: KnownIdentity | None = None,
    threshold: float = 0.97,
) -> NoteResult:
    """Code one note.

    `place` is the request's placeOfService, `duration_minutes` its durationMinutes. With `supplied` codes
    the note is only compared with them, and asked for the kind that is missing. Evidence offsets are code
    points of `text`. Never raises for any text.
    """
    lexicon = load_lexicon()
    reading = read_note(text, lexicon=lexicon, codes=codes)
    if isinstance(reading, Reason):
        return refused(reading, lexicon, codes)
    request = Request(
        place=place,
        duration_minutes=duration_minutes,
        codes=codes,
        date_of_service=date_of_service,
        supplied=supplied,
        identity=identity,
        threshold=threshold,
    )
    return conclude(reading, reading.findings, request=request)


def conclude(reading: Reading, findings: list[Finding], *, request: Request) -> NoteResult:
    """Decide what a note that was read means, from these findings of conditions."""
    codes, place, duration_minutes = request.codes, request.place, request.duration_minutes
    diagnosed = diagnose(
        findings,
        plain=reading.plain,
        numbered=reading.hints.get("main_by_number", ()),
        codes=codes,
        corrections=reading.corrections,
        undiagnosed=says_undiagnosed(reading.plain, reading.hints),
    )
    diagnosed = with_specifiers(reading, without_struck(reading, diagnosed))
    disputed = is_disputed(reading)
    procedures = procedures_of(
        replace(reading.visit, rendered=True) if disputed else reading.visit,
        plain=reading.plain,
        layout=reading.layout,
        length=reading.length,
        written=reading.written_procedures,
        place=place,
        duration_minutes=duration_minutes,
    )
    if disputed:
        procedures = replace(procedures, reasons=(*procedures.reasons, Reason.HELD_UNCLEAR))
    settled = _settled(request)
    diagnosed = replace(diagnosed, reasons=_without(settled, diagnosed.reasons))
    procedures = replace(procedures, reasons=_without(settled, procedures.reasons))
    known = bool(procedures.reasons or diagnosed.reasons)
    timed = duration_minutes is not None
    otherwise = _told_otherwise(reading, procedures, request)
    assembly = Assembly(reading.text, reading.layout, load_lexicon(), codes, request.threshold)
    result = assembly.result(
        diagnosed,
        procedures,
        unclear=()
        if known
        else _without(
            settled,
            unclear(
                reading, diagnosed, procedures, place=place, timed=timed, otherwise=otherwise is not None
            ),
        ),
        asks_diagnoses=settled is not ABOUT_DIAGNOSES,
        asks_procedures=settled is not ABOUT_SERVICE,
        typos=bool(reading.corrected),
        private=reading.visit.private,
        older=codes.is_older_than(request.date_of_service),
    )
    found = compare_minutes(
        reading.length, duration_minutes=duration_minutes, otherwise=otherwise, evidence=assembly.evidence
    )
    if request.supplied is not None:
        found += compare_supplied(
            request.supplied,
            findings=findings,
            diagnosed=diagnosed,
            procedures=procedures,
            visit=reading.visit,
            length=reading.length,
            place=place,
            codes=codes,
            evidence=assembly.evidence,
            on=request.date_of_service,
            held=not was_not_held(reading, individual=_is_individual(request.supplied), timed=True),
        )
    if request.identity is not None:
        found += compare_identity(
            reading.text,
            reading.plain,
            reading.layout,
            identity=request.identity,
            on=request.date_of_service,
            evidence=assembly.evidence,
        )
    return assembly.with_discrepancies(result, found) if found else result


def _told_otherwise(reading: Reading, procedures: Procedures, request: Request) -> tuple[int, int] | None:
    """Where the note may tell another length of an individual session than the minutes sent."""
    sent = request.duration_minutes
    if request.supplied is not None and request.supplied.procedures:
        individual = _is_individual(request.supplied)
    else:
        individual = bool(procedures.proposals) and procedures.proposals[0].code in PSYCHOTHERAPY
    return told_otherwise(reading, sent) if individual and sent is not None else None


def _is_individual(sent: SuppliedCodes) -> bool:
    return any(procedure.code in PSYCHOTHERAPY for procedure in sent.procedures)


def _settled(request: Request) -> frozenset[str]:
    """Reasons that ask nobody: the codes that they are about came with the note, which gives the others."""
    sent = request.supplied
    if sent is None or bool(sent.diagnoses) == bool(sent.procedures):
        return frozenset()
    if sent.procedures:
        return ABOUT_SERVICE
    return ABOUT_DIAGNOSES if request.duration_minutes is None else frozenset()


def _without(settled: frozenset[str], reasons: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(reason for reason in reasons if str(reason) not in settled)
