"""Builds one claim of an 835 from its segments (loops 2100 and 2110)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from claims.x12.problems import ProblemCode
from claims.x12.remittance import KNOWN_STATUSES, Adjustment, RemittanceName, RemittedClaim, RemittedLine
from claims.x12.tokens import Segment, component_list, element
from claims.x12.values import ElementReader

_UNREAD = frozenset({"PER", "QTY", "LX", "TS3", "TS2"})
_ONE = Decimal(1)


class ClaimDraft:
    """A claim while its segments arrive."""

    __slots__ = ("_adjustments", "_amounts", "_dates", "_elements", "_header", "_line", "_lines", "_names",
                 "_position", "_references", "_remarks")  # fmt: skip

    def __init__(self, header: Segment, elements: ElementReader, position: int) -> None:
        self._header = header
        self._elements = elements
        self._position = position
        self._adjustments: list[Adjustment] = []
        self._names: list[RemittanceName] = []
        self._remarks: list[str] = []
        self._references: list[tuple[str, str]] = []
        self._dates: dict[str, date | None] = {}
        self._amounts: dict[str, Decimal | None] = {}
        self._line: LineDraft | None = None
        self._lines: list[RemittedLine] = []

    def take(self, segment: Segment) -> None:
        """Take a segment that stands below the CLP."""
        name = segment[0]
        if name == "SVC":
            self._end_line()
            self._line = LineDraft(segment, self._elements)
        elif name in _UNREAD:
            return
        elif self._line is not None and name in ("CAS", "DTM", "REF", "AMT", "LQ"):
            self._line.take(segment)
        elif name == "CAS":
            self._adjustments.extend(adjustments_of(segment, self._elements))
        elif name == "NM1":
            self._names.append(_name_of(segment))
        elif name == "DTM":
            self._dates[element(segment, 1)] = self._elements.day(segment, 2)
        elif name == "REF":
            self._references.append((element(segment, 1), element(segment, 2).strip()))
        elif name == "AMT":
            self._amounts[element(segment, 1)] = self._elements.optional_amount(segment, 2)
        elif name == "MOA":
            self._remarks.extend(code for code in segment[3:8] if code)
        elif name == "MIA":
            self._remarks.extend(code for code in (element(segment, 5), *segment[20:24]) if code)
        else:
            self._elements.report(
                ProblemCode.UNKNOWN_SEGMENT, "a segment that a claim does not have", segment
            )

    def finish(self) -> RemittedClaim:
        """Give the claim, once the segment after it has come."""
        self._end_line()
        header, elements, lines = self._header, self._elements, self._lines
        first_line = lines[0] if lines else None
        status_code = element(header, 2).strip()
        if status_code not in KNOWN_STATUSES:
            elements.report(ProblemCode.MALFORMED_ELEMENT, "CLP02 is no known claim status", header)
        return RemittedClaim(
            position=self._position,
            patient_control_number=element(header, 1).strip(),
            status_code=status_code,
            charge=elements.amount(header, 3),
            paid=elements.amount(header, 4),
            patient_responsibility=elements.optional_amount(header, 5) or Decimal(0),
            filing_code=element(header, 6).strip(),
            payer_control_number=element(header, 7).strip(),
            facility_code=element(header, 8).strip(),
            frequency=element(header, 9).strip(),
            adjustments=tuple(self._adjustments),
            names=tuple(self._names),
            lines=tuple(lines),
            remark_codes=tuple(self._remarks),
            references=tuple(self._references),
            service_from=self._dates.get("232") or (first_line.service_from if first_line else None),
            service_to=self._dates.get("233") or (first_line.service_to if first_line else None),
            received_on=self._dates.get("050"),
            covered_amount=self._amounts.get("AU"),
        )

    def _end_line(self) -> None:
        if self._line is not None:
            self._lines.append(self._line.finish())
            self._line = None


class LineDraft:
    """A service line while its segments arrive."""

    __slots__ = (
        "_adjustments",
        "_allowed",
        "_control_number",
        "_elements",
        "_from",
        "_header",
        "_remarks",
        "_to",
    )

    def __init__(self, header: Segment, elements: ElementReader) -> None:
        self._header = header
        self._elements = elements
        self._adjustments: list[Adjustment] = []
        self._remarks: list[str] = []
        self._from: date | None = None
        self._to: date | None = None
        self._control_number = ""
        self._allowed: Decimal | None = None

    def take(self, segment: Segment) -> None:
        """Take a segment that stands below the SVC."""
        name, qualifier = segment[0], element(segment, 1)
        if name == "CAS":
            self._adjustments.extend(adjustments_of(segment, self._elements))
        elif name == "DTM":
            day = self._elements.day(segment, 2)
            if qualifier in ("472", "150"):
                self._from = day
            if qualifier in ("472", "151"):
                self._to = day
        elif name == "REF" and qualifier == "6R":
            self._control_number = element(segment, 2).strip()
        elif name == "AMT" and qualifier == "B6":
            self._allowed = self._elements.optional_amount(segment, 2)
        elif name == "LQ":
            self._remarks.append(element(segment, 2).strip())

    def finish(self) -> RemittedLine:
        """Give the line, once the segment after it has come."""
        header, elements = self._header, self._elements
        qualifier, code, *modifiers = [*component_list(element(header, 1), elements.delimiters), ""]
        submitted = component_list(element(header, 6), elements.delimiters)
        units = elements.optional_amount(header, 5)
        return RemittedLine(
            qualifier=qualifier,
            procedure_code=code,
            modifiers=tuple(modifier for modifier in modifiers[:4] if modifier),
            charge=elements.amount(header, 2),
            paid=elements.amount(header, 3),
            units_paid=_ONE if units is None else units,
            submitted_procedure_code=submitted[1] if len(submitted) > 1 else code,
            submitted_units=elements.optional_amount(header, 7),
            service_from=self._from,
            service_to=self._to,
            control_number=self._control_number,
            allowed=self._allowed,
            adjustments=tuple(self._adjustments),
            remark_codes=tuple(self._remarks),
        )


def adjustments_of(segment: Segment, elements: ElementReader) -> Iterator[Adjustment]:
    """Give the up to six reasons of a CAS."""
    group = element(segment, 1).strip()
    for number in range(2, len(segment), 3):
        reason = segment[number].strip()
        if reason or element(segment, number + 1):
            yield Adjustment(
                group,
                reason,
                elements.amount(segment, number + 1),
                elements.optional_amount(segment, number + 2),
            )


def _name_of(segment: Segment) -> RemittanceName:
    return RemittanceName(
        entity=element(segment, 1),
        is_person=element(segment, 2) == "1",
        last_name=element(segment, 3).strip(),
        first_name=element(segment, 4).strip(),
        qualifier=element(segment, 8),
        identifier=element(segment, 9).strip(),
    )
