"""The procedure codes of a visit: what it was, how long it took, how the patient was reached."""

import re

import msgspec

from billing.notes.conditions.explicit import SERVICE_OF_PROCEDURE, WrittenProcedure
from billing.notes.later import later
from billing.notes.length.duration import SessionLength
from billing.notes.length.span import band
from billing.notes.page.layout import Layout
from billing.notes.result import NoteWarning, Reason
from billing.notes.visit.complexity import applies
from billing.notes.visit.modality import Cue
from billing.notes.visit.service import Visit

FAMILY_FROM = 26
CRISIS_FROM = 30
CRISIS_ADDON_FROM = 75
# The weight of a service that a title or a field names.
_NAMED_IN_FRONT = 3
# The name of the service; `crisis session` may be said of anything.
_CRISIS_BY_NAME = ("psychotherapy for", "crisis psychotherapy")
_COMPLEXITY_WITH = frozenset(("90791", "90792", "90832", "90834", "90837", "90853"))
_BILLED = later(
    r"(?:cpt|billed|billing|code|codes|service|svc|procedure|proc|charge|bill|add[- ]?on|slip|ticket"
    r"|filled in|claim|superbill|circled|checked|(?:i am|i'm|am|i|we|and) (?:adding|add|added|reporting"
    r"|report|marked|mark|entered|enter|logged|picked|selected|chose|used|wrote"
    r"|put))[^.;\n]{0,25}$|\bthat(?:'s| is) $"
)
_BILLED_BEHIND = later(
    r",? (?:(?:is|was) )?(?:reported|billed|added|applied|claimed)\b(?! (?:in|last|at))"
    r"| on (?:the|my|our) (?:superbill|fee (?:slip|sheet|ticket)|slip|claim|billing (?:sheet|form)"
    r"|encounter form)\b"
)
_NOT_BILLED = later(
    r"\b(?:(?:chang|correct|updat|revis)ed from|authoriz\w+|auth|previous|last|next|prior)\b"
    r"(?:(?!\bbilled\b)[^.\n]){0,30}$"
)
# `Authorization 77-40312 on file covers 90837 x 12 and 90847 x 4`: what a payer pays for
_COVERED = later(
    r"\b(?:authoriz\w+|auth|approv\w+|covers?|benefits?|plan pays|pays for|eligib\w+)\b"
    r"(?:(?!\b(?:billed|billing|bill|cpt|codes?|charged?|today)\b)[^.\n]){0,70}\Z"
)
_COVERED_WITHIN = 90
_OTHER_DAY = later(
    r"[^.;\n]{0,20}\b(?:billed already|already billed|(?:was|were) billed (?:last|on|separately|for|in"
    r"|before|earlier|at|\w+ (?:weeks?|months?|years?) ago))\b|"
    r"[)\s]*(?:was|were)?[ ]*(?:completed|done|last|previously|on \d|in \d(?!\d?:)|dated)"
)
# Billed by the visit, however long it was.
_BY_VISIT = frozenset(("group", "intake"))
_LETTERS = later(r"[a-z]")
_TAKEN_BACK = later(
    r"[^.;\n]{0,20}\b(?:in error|by mistake|mistakenly|incorrect|was wrong|is wrong"
    r"|not (?:billed|used|applied|indicated|added|charged|met|reported|needed))\b"
)
# Longer than an individual session lasts, where the note does not say that it was one.
_TOO_LONG_UNNAMED = 80


class Proposal(msgspec.Struct, frozen=True):
    """One procedure code with the words that support it."""

    code: str
    spans: tuple[tuple[int, int, str], ...]
    units: int = 1
    minutes: int | None = None


class Procedures(msgspec.Struct, frozen=True):
    """The codes of the visit, main service first, and what speaks against sending them."""

    proposals: tuple[Proposal, ...]
    second_choice: str | None
    documented: tuple[Proposal, ...]
    """What the note's own minutes give where those of the request give something else."""
    suggested: tuple[Proposal, ...]
    modifier: str | None
    minutes: int | None
    minutes_source: str | None
    service: str | None
    tier: str
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]


def procedures_of(
    visit: Visit,
    *,
    plain: str,
    layout: Layout,
    length: SessionLength | None,
    written: list[WrittenProcedure],
    place: str | None,
    duration_minutes: int | None,
) -> Procedures:
    """Decide the main service, its code by time, add-ons and the modifier."""
    reasons: list[str] = []
    warnings: list[str] = []
    minutes = duration_minutes if duration_minutes is not None else length.minutes if length else None
    source = "request" if duration_minutes is not None else "note" if length else None
    modifier = _modifier(visit, place=place, reasons=reasons, warnings=warnings)
    billed = _billed(plain, layout, written)
    if any(code.code[0] in "HTSG" for code in billed):
        warnings.append(NoteWarning.UNITS_REPORTED)
        reasons.append(Reason.PROCEDURE_CONFLICT)
    if not visit.rendered:
        return Procedures(
            (), None, (), (), modifier, minutes, source, None, "A", (Reason.NOT_RENDERED,), tuple(warnings)
        )
    kind = _kind(visit, billed)
    if duration_minutes is None and length is not None and length.conflict and kind not in _BY_VISIT:
        reasons.append(Reason.TIME_CONFLICT)
    if visit.conflict:
        reasons.append(Reason.SERVICE_CONFLICT)
    told_span = ((length.start, length.end, "time"),) if length is not None else ()
    contrary = length is not None and duration_minutes is not None and length.is_other_than(duration_minutes)
    time_span = () if contrary else told_span
    cue_span = ((visit.cue.start, visit.cue.end, "service"),) if visit.cue else ()
    codes, own_reasons = _codes(visit, plain, kind, minutes, warnings=warnings)
    documented: tuple[Proposal, ...] = ()
    if (
        duration_minutes is not None
        and length is not None
        and length.sure
        and length.differs_from(duration_minutes)
    ):
        told, _ = _codes(visit, plain, kind, length.minutes, warnings=[])
        if _billed_as(told, length.minutes) != _billed_as(codes, duration_minutes):
            reasons.append(Reason.DURATION_AGAINST_NOTE)
            documented = tuple(
                Proposal(code, told_span, _units(code, length.minutes), length.minutes)
                for code in told
                if code not in codes
            )
    reasons += own_reasons
    second: str | None = None
    if (
        codes
        and duration_minutes is not None
        and kind not in (None, "individual")
        and codes[0] != band(duration_minutes)
    ):
        reasons.append(Reason.SERVICE_AGAINST_DURATION)
        second = band(duration_minutes)
    proposals = [
        Proposal(code, _support(code, cue_span, time_span, source), _units(code, minutes)) for code in codes
    ]
    suggested: list[Proposal] = []
    _add_complexity(visit, plain, billed, proposals, suggested, warnings=warnings, reasons=reasons)
    _compare(billed, codes, reasons)
    tier = "A" if visit.cue is not None and visit.cue.weight >= 3 else "B" if visit.cue is not None else "C"
    return Procedures(
        proposals=tuple(proposals),
        second_choice=second,
        documented=documented,
        suggested=tuple(suggested),
        modifier=modifier,
        minutes=minutes,
        minutes_source=source,
        service=kind,
        tier=tier,
        reasons=tuple(dict.fromkeys(str(reason) for reason in reasons)),
        warnings=tuple(dict.fromkeys(str(warning) for warning in warnings)),
    )


def _kind(visit: Visit, billed: list[WrittenProcedure]) -> str | None:
    """The documented service; a written procedure code speaks where no words do."""
    if visit.kind is None and billed:
        return SERVICE_OF_PROCEDURE.get(billed[0].code)
    return visit.kind


def _codes(
    visit: Visit, plain: str, kind: str | None, minutes: int | None, *, warnings: list[str]
) -> tuple[list[str], list[str]]:
    """The main code and its time-based add-ons, and the reasons against them."""
    if visit.medical is not None or visit.testing is not None:
        main = [code] if minutes is not None and (code := band(minutes)) else []
        return main, [Reason.SERVICE_CONFLICT]
    if kind == "intake":
        return ["90791"], []
    if kind == "group":
        return ["90853"], []
    if kind == "multiple_family_group":
        return ["90849"], [Reason.SERVICE_CONFLICT]
    if kind in ("family", "couples"):
        if minutes is not None and minutes < FAMILY_FROM:
            return [], [Reason.FAMILY_UNDER_26]
        return ["90846" if visit.patient_absent else "90847"], []
    if kind == "crisis":
        return _crisis(visit, plain, minutes, warnings=warnings)
    if visit.contact_only:
        strong = minutes is None
        main = [] if strong or minutes is None or not (code := band(minutes)) else [code]
        return main, [Reason.SERVICE_UNKNOWN]
    if minutes is None:
        return [], [Reason.NO_TIME]
    code = band(minutes)
    if code is None:
        return [], [Reason.UNDER_16]
    if kind is None and (visit.others_present or minutes >= _TOO_LONG_UNNAMED):
        return [code], [Reason.SERVICE_UNKNOWN]
    if visit.unscheduled and visit.crisis_factors >= 1:
        return [code], [Reason.SERVICE_CONFLICT]
    return [code], []


def _crisis(
    visit: Visit, plain: str, minutes: int | None, *, warnings: list[str]
) -> tuple[list[str], list[str]]:
    if minutes is None:
        return ["90839"], [Reason.NO_TIME]
    if minutes < CRISIS_FROM:
        code = band(minutes)
        return ([code] if code else []), [Reason.CRISIS_UNDER_30]
    titled = visit.cue is not None and visit.cue.weight >= _NAMED_IN_FRONT
    by_name = visit.cue is not None and plain.startswith(_CRISIS_BY_NAME, visit.cue.start)
    if visit.crisis_factors < (1 if titled or by_name else 2):
        warnings.append(NoteWarning.CRISIS_UNPROVEN)
        code = band(minutes)
        return ([code] if code else []), [Reason.SERVICE_CONFLICT]
    return (["90839", "90840"] if minutes >= CRISIS_ADDON_FROM else ["90839"]), []


def _units(code: str, minutes: int | None) -> int:
    """One unit of each code, of 90840 one a further half hour."""
    return 1 + ((minutes or 0) - CRISIS_ADDON_FROM) // 30 if code == "90840" else 1


def _billed_as(codes: list[str], minutes: int) -> list[tuple[str, int]]:
    return [(code, _units(code, minutes)) for code in codes]


def _support(
    code: str,
    cue: tuple[tuple[int, int, str], ...],
    time: tuple[tuple[int, int, str], ...],
    source: str | None,
) -> tuple[tuple[int, int, str], ...]:
    if code in ("90832", "90834", "90837"):
        return time + cue if source == "note" else cue + time
    return time if code == "90840" else cue + time


def _modifier(visit: Visit, *, place: str | None, reasons: list[str], warnings: list[str]) -> str | None:
    """95 for audio and video, 93 for audio only; where place and note disagree the note's, and a question."""
    if place == "telehealth":
        if visit.modality in ("audio", "maybe_audio"):
            warnings.append(NoteWarning.AUDIO_ONLY)
            return "93"
        if visit.modality == "in_person":
            reasons.append(Reason.PLACE_CONFLICT)
            return None
        return "95"
    if visit.modality in ("video", "audio"):
        reasons.append(Reason.PLACE_CONFLICT)
        return "93" if visit.modality == "audio" else "95"
    return None


def _billed(plain: str, layout: Layout, written: list[WrittenProcedure]) -> list[WrittenProcedure]:
    """The procedure codes that the note gives for this visit."""
    found = []
    boxes = [layout.ticked(plain, code.start, code.end) for code in written]
    chosen = True in boxes
    for code, box in zip(written, boxes, strict=True):
        if box is False or (box is None and chosen):
            continue
        before = plain[max(0, code.start - 40) : code.start]
        section = layout.at(code.start)
        if (
            _OTHER_DAY.match(plain, code.end)
            or _TAKEN_BACK.match(plain, code.end)
            or _NOT_BILLED.search(before)
            or _COVERED.search(plain, max(0, code.start - _COVERED_WITHIN), code.start)
        ):
            continue
        in_title = layout.title[0] <= code.start < layout.title[1]
        if (
            section in ("service", "time", "modality")
            or in_title
            or _BILLED.search(before)
            or _BILLED_BEHIND.match(plain, code.end)
        ):
            found.append(code)
        elif section not in ("plan", "goal"):
            line_start = max(plain.rfind("\n", max(0, code.start - 60), code.start) + 1, code.start - 60, 0)
            lead = plain[line_start : code.start]
            if len(lead) < 40 or not _LETTERS.search(lead.rpartition(". ")[2]):
                found.append(code)
    return found


def _compare(billed: list[WrittenProcedure], codes: list[str], reasons: list[str]) -> None:
    """A written code that disagrees with what the note documents is a question."""
    for written in billed:
        if (written.code in SERVICE_OF_PROCEDURE and codes and written.code not in codes) or (
            written.code not in SERVICE_OF_PROCEDURE and written.code not in ("90785", "90840")
        ):
            reasons.append(Reason.PROCEDURE_CONFLICT)


def _add_complexity(
    visit: Visit,
    plain: str,
    billed: list[WrittenProcedure],
    proposals: list[Proposal],
    suggested: list[Proposal],
    *,
    warnings: list[str],
    reasons: list[str],
) -> None:
    """90785 where the clinician names it and documents a factor; a factor alone is only a suggestion, and
    beside a service that it may not be added to its code is a question."""
    if not proposals or proposals[0].code not in _COMPLEXITY_WITH:
        if any(code.code == "90785" and applies(plain, code.start, code.end) for code in billed):
            reasons.append(Reason.PROCEDURE_CONFLICT)
        return
    code = next(
        (code for code in billed if code.code == "90785" and applies(plain, code.start, code.end)), None
    )
    named: Cue | None = visit.complexity
    span: tuple[int, int, str] | None = None
    if named is not None:
        span = (*_sentence(plain, named.start, named.end), "service")
    elif code is not None:
        span = (*_sentence(plain, code.start, code.end), "service")
    factor = visit.complexity_factor
    if span is not None and (factor is not None or not re.search(r"\binterpret", plain)):
        spans = [span]
        if factor is not None:
            spans.append((factor.start, factor.end, "factor"))
        proposals.append(Proposal("90785", tuple(spans)))
    elif factor is not None and span is None:
        suggested.append(Proposal("90785", ((factor.start, factor.end, "factor"),)))
        warnings.append(NoteWarning.ADDON_SUGGESTED)


def _sentence(plain: str, start: int, end: int) -> tuple[int, int]:
    floor, ceiling = max(0, start - 400), min(len(plain), end + 400)
    dot = plain.rfind(". ", floor, start)
    left = max(dot + 2 if dot >= 0 else floor, plain.rfind("\n", floor, start) + 1)
    stops = [at for mark in (". ", "\n") if (at := plain.find(mark, end, ceiling)) >= 0]
    return left, min(stops, default=ceiling)
