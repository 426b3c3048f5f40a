"""Builds one claim of an 835 from its segments (loops 2100 and 2110)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import pairwise

from claims.x12.problems import ProblemCode
from claims.x12.remittance import KNOWN_STATUSES, Adjustment, RemittanceName, RemittedClaim, RemittedLine
from claims.x12.tokens import Segment, component_list, element
from claims.x12.values import ElementReader

LONGEST_GROUP, LONGEST_REASON = 2, 5
_UNREAD = frozenset({"PER", "QTY"})
_UNREAD_OF_CLAIM = _UNREAD | {"AMT", "REF"}
_ABSENT = [""] * 10
_ZERO = Decimal(0)


def claim_of(rows: list[Segment], *, elements: ElementReader, position: int) -> RemittedClaim:
    """Read a claim from its CLP and the segments below it; `elements` stands at the last of them."""
    first_row = elements.position - len(rows) + 1
    starts = [index for index, row in enumerate(rows) if row[0] == "SVC"]
    adjustments: list[Adjustment] = []
    names: list[RemittanceName] = []
    remark_codes: list[str] = []
    dates: dict[str, date | None] = {}
    for index in range(1, starts[0] if starts else len(rows)):
        row = rows[index]
        name = row[0]
        elements.position = first_row + index
        if name == "NM1":
            names.append(_name_of(row))
        elif name == "CAS":
            adjustments.extend(_adjustments_of(row, elements))
        elif name == "DTM":
            dates[element(row, 1)] = elements.day(row, 2)
        elif name == "MOA":
            remark_codes.extend(code for code in row[3:8] if code)
        elif name == "MIA":
            remark_codes.extend(code for code in (element(row, 5), *row[20:24]) if code)
        elif name not in _UNREAD_OF_CLAIM:
            elements.report(ProblemCode.UNKNOWN_SEGMENT, "a segment that a claim does not have", row)
    lines = []
    for start, end in pairwise([*starts, len(rows)]):
        elements.position = first_row + start
        lines.append(_line_of(rows[start:end], elements))
    elements.position = first_row
    header = rows[0]
    _, number, status, _, _, _, _, payer_number, *_ = header + _ABSENT
    if status.strip() not in KNOWN_STATUSES:
        elements.report(ProblemCode.MALFORMED_ELEMENT, "CLP02 is no known claim status", header)
    claim = RemittedClaim(
        position=position,
        patient_control_number=number.strip(),
        status_code=status.strip(),
        charge=elements.amount(header, 3),
        paid=elements.amount(header, 4),
        patient_responsibility=elements.optional_amount(header, 5) or _ZERO,
        payer_control_number=payer_number.strip(),
        adjustments=tuple(adjustments),
        names=tuple(names),
        lines=tuple(lines),
        remark_codes=tuple(remark_codes),
        service_from=dates.get("232") or (lines[0].service_from if lines else None),
        service_to=dates.get("233") or (lines[0].service_to if lines else None),
    )
    elements.position = first_row + len(rows) - 1
    return claim


def _line_of(rows: list[Segment], elements: ElementReader) -> RemittedLine:
    """Read a service line from its SVC and the segments below."""
    header = rows[0]
    _, code, *modifiers = [*component_list(element(header, 1), elements.delimiters), ""]
    submitted = component_list(header[6], elements.delimiters) if len(header) > 6 else []
    charge, paid = elements.amount(header, 2), elements.amount(header, 3)
    adjustments: list[Adjustment] = []
    remark_codes: list[str] = []
    service_from: date | None = None
    service_to: date | None = None
    control_number = ""
    allowed: Decimal | None = None
    for index in range(1, len(rows)):
        row = rows[index]
        name = row[0]
        elements.position += 1
        if name == "CAS":
            adjustments.extend(_adjustments_of(row, elements))
        elif name == "DTM":
            day, kind = elements.day(row, 2), element(row, 1)
            service_from = day if kind in ("472", "150") else service_from
            service_to = day if kind in ("472", "151") else service_to
        elif name == "REF":
            if element(row, 1) == "6R":
                control_number = element(row, 2).strip()
        elif name == "AMT":
            if element(row, 1) == "B6":
                allowed = elements.optional_amount(row, 2)
        elif name == "LQ":
            remark_codes.append(element(row, 2).strip())
        elif name not in _UNREAD:
            elements.report(ProblemCode.UNKNOWN_SEGMENT, "a segment that a service line does not have", row)
    elements.check_quantity(header, 7)
    return RemittedLine(
        procedure_code=code,
        modifiers=tuple(modifier for modifier in modifiers[:4] if modifier),
        charge=charge,
        paid=paid,
        submitted_procedure_code=submitted[1] if len(submitted) > 1 else code,
        service_from=service_from,
        service_to=service_to,
        control_number=control_number,
        allowed=allowed,
        adjustments=tuple(adjustments),
        remark_codes=tuple(remark_codes),
    )


def _adjustments_of(row: Segment, elements: ElementReader) -> Iterator[Adjustment]:
    """Give the up to six reasons of a CAS."""
    group = elements.whole(element(row, 1).strip(), row, 1, most=LONGEST_GROUP)
    for number in range(2, len(row), 3):
        reason = elements.whole(_without_zeros(row[number].strip()), row, number, most=LONGEST_REASON)
        if reason or element(row, number + 1):
            amount = elements.amount(row, number + 1)
            elements.check_quantity(row, number + 2)
            yield Adjustment(group, reason, amount)


def _without_zeros(reason: str) -> str:
    """Some payers write 045 for 45."""
    return reason.lstrip("0") or reason if reason.isdigit() else reason


def _name_of(row: Segment) -> RemittanceName:
    _, entity, _, last_name, first_name, _, _, _, _, identifier, *_ = row + _ABSENT
    return RemittanceName(
        entity=entity,
        last_name=last_name.strip(),
        first_name=first_name.strip(),
        identifier=identifier.strip(),
    )
