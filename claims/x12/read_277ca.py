"""Reads both kinds of 277: the claim acknowledgement (005010X214) and the answer to an inquiry (005010X212).

    HL 20 who answers            NM1*AY clearinghouse, NM1*PR payer; TRN, DTP*050, DTP*009
    HL 21 information receiver   NM1*41; TRN*2 our batch, STC, QTY, AMT
    HL 19 provider               NM1*85 or 1P; TRN*1, STC, QTY, AMT
    HL PT patient (X214)         NM1*QC; a claim: TRN*2, STC, REF, DTP*472; its lines: SVC, STC, REF, DTP
    HL 22, 23 (X212)             NM1*IL, NM1*QC; the same

The reader gives one `StatusResponse` for each thing answered about: the batch, a provider, a claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from claims.x12.problems import ProblemCode
from claims.x12.segments import TransactionSet
from claims.x12.statuses import (
    LineStatus,
    ResponseAction,
    ResponseLevel,
    Status,
    StatusCode,
    StatusGuide,
    StatusResponse,
    StatusSource,
)
from claims.x12.tokens import Segment, component_list, element
from claims.x12.values import ElementReader, parse_period

_LEVELS = {
    "21": ResponseLevel.BATCH,
    "19": ResponseLevel.PROVIDER,
    "PT": ResponseLevel.CLAIM,
    "22": ResponseLevel.CLAIM,
    "23": ResponseLevel.CLAIM,
}

LONGEST_MESSAGE = 264
"""Characters of STC12; of what is longer the beginning is kept."""


def read_277ca(transaction_set: TransactionSet) -> Iterator[StatusResponse]:
    """Yield the responses of a 277 of either guide, in order, one at a time.

    A set that is refused yields nothing; one that turns out to be truncated has been read as far as it goes,
    so ask for `transaction_set.refusal` again at the end before anything is kept.
    """
    if transaction_set.refusal is not None:
        return
    reader = _Reader(transaction_set)
    silent = True
    for position, segment in enumerate(transaction_set.segments, start=1):
        if (response := reader.take(segment, position)) is not None:
            silent = False
            yield response
    if (response := reader.flush()) is not None:
        silent = False
        yield response
    if silent:
        reader.elements.report(ProblemCode.MISSING_ELEMENT, "it answers about nothing", loses=True)


@dataclass(slots=True)
class _Line:
    procedure: Segment
    charge: Decimal | None
    control_number: str = ""
    statuses: list[Status] = field(default_factory=list)


@dataclass(slots=True)
class _Draft:
    """A response while its segments arrive."""

    level: ResponseLevel
    trace_number: str
    references: dict[str, str] = field(default_factory=dict)
    statuses: list[Status] = field(default_factory=list)
    lines: list[_Line] = field(default_factory=list)
    service: tuple[date | None, date | None] = (None, None)


class _Reader:
    """Walks the levels; what a level says of itself is kept until the next of its kind."""

    def __init__(self, transaction_set: TransactionSet) -> None:
        self.elements = ElementReader(transaction_set.problems, transaction_set.delimiters)
        self.guide = StatusGuide(transaction_set.guide)
        self.level = ""
        self.party: Segment = []
        self.source_trace = ""
        self.source_dates: dict[str, date | None] = {}
        self.batch_reference = ""
        self.provider_id = ""
        self.patient: Segment = []
        self.member_id = ""
        self.draft: _Draft | None = None

    def take(self, segment: Segment, position: int) -> StatusResponse | None:
        """Take a segment; gives the response that it closes, if any."""
        self.elements.position = position
        match segment[0]:
            case "HL":
                response = self.flush()
                self.level = element(segment, 3)
                if self.level == "20":
                    self.party, self.source_trace, self.source_dates = [], "", {}
                if self.level in ("20", "21"):
                    self.batch_reference = ""
                if self.level in ("PT", "22"):
                    self.patient, self.member_id = [], ""
                return response
            case "TRN":
                return self._trace(segment)
            case "NM1":
                self._name(segment)
            case "STC":
                self._status(segment)
            case "SVC":
                self._line(segment)
            case "REF":
                self._refer(segment)
            case "DTP":
                self._date(segment)
            case "ST" | "BHT" | "SE" | "QTY" | "AMT" | "PER" | "SVD":
                return None
            case _:
                self.elements.report(
                    ProblemCode.UNKNOWN_SEGMENT, "a segment that a 277 does not have", segment
                )
        return None

    def flush(self) -> StatusResponse | None:
        """Finish the response at hand; a batch or provider of which nothing was said gives none."""
        draft, self.draft = self.draft, None
        if draft is None or (draft.level is not ResponseLevel.CLAIM and not draft.statuses):
            return None
        if not draft.statuses and not any(line.statuses for line in draft.lines):
            self.elements.report(
                ProblemCode.MISSING_ELEMENT, "a claim is named without any status", loses=True
            )
        own_number = draft.references.get("EJ", "") if self.guide is StatusGuide.INQUIRY_RESPONSE else ""
        is_claim = draft.level is ResponseLevel.CLAIM
        return StatusResponse(
            source=self._source(),
            level=draft.level,
            trace_number=draft.trace_number,
            statuses=tuple(draft.statuses),
            provider_id=self.provider_id if draft.level is not ResponseLevel.BATCH else "",
            batch_reference=self.batch_reference,
            patient_control_number=(own_number or draft.trace_number) if is_claim else "",
            payer_control_number=draft.references.get("1K", ""),
            service_from=draft.service[0],
            service_to=draft.service[1],
            lines=tuple(self._finished(line) for line in draft.lines),
            member_id=self.member_id if is_claim else "",
            last_name=element(self.patient, 3) if is_claim else "",
            first_name=element(self.patient, 4) if is_claim else "",
        )

    def _trace(self, segment: Segment) -> StatusResponse | None:
        if self.level == "20":
            self.source_trace = element(segment, 2)
            return None
        response = self.flush()
        if (level := _LEVELS.get(self.level)) is None:
            self.elements.report(
                ProblemCode.STRAY_SEGMENT, "a trace number outside any known level", segment, loses=True
            )
        else:
            self.draft = _Draft(level, element(segment, 2).strip())
            if level is ResponseLevel.BATCH:
                self.batch_reference = self.draft.trace_number
        return response

    def _name(self, segment: Segment) -> None:
        identifier = element(segment, 9).strip()
        match self.level:
            case "20":
                self.party = segment
            case "19":
                self.provider_id = identifier
            case "PT" | "22":
                self.patient, self.member_id = segment, identifier
            case "23":
                # A dependent's name may come without a number; the subscriber's above stays.
                self.patient, self.member_id = segment, identifier or self.member_id

    def _status(self, segment: Segment) -> None:
        if self.draft is None:
            level = _LEVELS.get(self.level)
            if level is None or level is ResponseLevel.CLAIM:
                self.elements.report(
                    ProblemCode.STRAY_SEGMENT, "a status without a trace number", segment, loses=True
                )
                return
            self.draft = _Draft(level, "")
        status = self._status_of(segment)
        if status is not None:
            (self.draft.lines[-1] if self.draft.lines else self.draft).statuses.append(status)

    def _status_of(self, segment: Segment) -> Status | None:
        composites = [element(segment, number) for number in (1, 10, 11)]
        codes = tuple(code for text in composites if (code := self._code_of(text)) is not None)
        if not codes:
            message = "a status without a category"
            self.elements.report(ProblemCode.MALFORMED_ELEMENT, message, segment, loses=True)
            return None
        if not all(code.status for code in codes):
            self.elements.report(ProblemCode.MALFORMED_ELEMENT, "a category without a status code", segment)
        action = element(segment, 3).strip()
        if action and action not in set(ResponseAction):
            self.elements.report(ProblemCode.MALFORMED_ELEMENT, "STC03 is neither WQ nor U", segment)
        return Status(
            codes=codes,
            effective_date=self.elements.day(segment, 2),
            action=ResponseAction(action) if action in set(ResponseAction) else None,
            charge=self.elements.optional_amount(segment, 4),
            payment=self.elements.optional_amount(segment, 5),
            message=_on_one_line(element(segment, 12)),
        )

    def _code_of(self, text: str) -> StatusCode | None:
        parts = [part.strip() for part in component_list(text, self.elements.delimiters)]
        category, status, entity = [*parts, "", "", ""][:3]
        return StatusCode(category, status, entity) if category else None

    def _line(self, segment: Segment) -> None:
        if self.draft is None or self.draft.level is not ResponseLevel.CLAIM:
            self.elements.report(ProblemCode.STRAY_SEGMENT, "a service line outside any claim", segment)
            return
        procedure = component_list(element(segment, 1), self.elements.delimiters)
        self.draft.lines.append(_Line(procedure, self.elements.optional_amount(segment, 2)))

    def _refer(self, segment: Segment) -> None:
        if self.draft is None:
            return
        qualifier, value = element(segment, 1), element(segment, 2).strip()
        if not self.draft.lines:
            self.draft.references.setdefault(qualifier, value)
        elif qualifier == "FJ":
            self.draft.lines[-1].control_number = value

    def _date(self, segment: Segment) -> None:
        qualifier, text = element(segment, 1), element(segment, 3)
        first, last = parse_period(text)
        if first is None:
            self.elements.report(ProblemCode.MALFORMED_ELEMENT, "DTP03 is no date", segment)
        if self.level == "20":
            self.source_dates[qualifier] = first
        elif qualifier == "472" and self.draft is not None and not self.draft.lines:
            self.draft.service = (first, last)

    def _source(self) -> StatusSource:
        return StatusSource(
            guide=self.guide,
            party=element(self.party, 1),
            name=element(self.party, 3).strip(),
            identifier=element(self.party, 9).strip(),
            trace_number=self.source_trace,
            processed_on=self.source_dates.get("009"),
        )

    def _finished(self, line: _Line) -> LineStatus:
        return LineStatus(
            procedure_code=element(line.procedure, 1),
            modifiers=tuple(modifier for modifier in line.procedure[2:6] if modifier),
            charge=line.charge,
            control_number=line.control_number,
            statuses=tuple(line.statuses),
        )


def _on_one_line(text: str) -> str:
    """Free text without what could break its line or turn its direction, and no longer than its element."""
    plain = text if text.isprintable() else "".join(each if each.isprintable() else " " for each in text)
    words = " ".join(plain.split())
    return words if len(words) <= LONGEST_MESSAGE else f"{words[: LONGEST_MESSAGE - 1]}…"
