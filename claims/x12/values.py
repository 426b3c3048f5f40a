"""Reads single X12 elements: amounts, dates, numbers; what is malformed becomes a problem or None."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import lru_cache

from claims.x12.problems import Problem, ProblemCode, note
from claims.x12.tokens import Delimiters, Segment

_AMOUNT = re.compile(r"[+-]?(?:0*[0-9]{1,10}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})")
_DATE = re.compile(r"[0-9]{8}")
_DATE_RANGE = re.compile(r"([0-9]{8})-([0-9]{8})")
_NUMBER = re.compile(r"[0-9]{1,12}")
_LAST_YEAR = 2199
"""Later dates are fillers, like 99991231; nobody can reckon with them."""


# Amounts and dates repeat all over a remittance, and a cache is faster than reading them again.
@lru_cache(maxsize=8_192)
def parse_amount(text: str) -> Decimal | None:
    """Read an exact amount in whole cents; a part of one would be rounded where it is kept."""
    stripped = text.strip()
    amount = Decimal(stripped) if _AMOUNT.fullmatch(stripped) else None
    return amount if amount is not None and amount == round(amount, 2) else None


@lru_cache(maxsize=2_048)
def parse_date(text: str) -> date | None:
    """Read CCYYMMDD."""
    stripped = text.strip()
    if not _DATE.fullmatch(stripped) or int(stripped[:4]) > _LAST_YEAR:
        return None
    try:
        return date(int(stripped[:4]), int(stripped[4:6]), int(stripped[6:]))
    except ValueError:
        return None


def parse_period(text: str) -> tuple[date | None, date | None]:
    """Read CCYYMMDD, or CCYYMMDD-CCYYMMDD, as the first and the last day."""
    if (days := _DATE_RANGE.fullmatch(text.strip())) is not None:
        return parse_date(days[1]), parse_date(days[2])
    day = parse_date(text)
    return day, day


def parse_number(text: str) -> int | None:
    """Read a whole number, such as one of our own control numbers with its leading zeros."""
    stripped = text.strip()
    return int(stripped) if _NUMBER.fullmatch(stripped) else None


class ElementReader:
    """Reads the elements of a set; `position` is that of the segment at hand, for the problems it reports."""

    __slots__ = ("delimiters", "position", "problems")

    def __init__(self, problems: list[Problem], delimiters: Delimiters) -> None:
        """Report to the given list."""
        self.problems = problems
        self.delimiters = delimiters
        self.position = 0

    def amount(self, segment: Segment, number: int) -> Decimal:
        """Read an amount that totals depend on: missing counts as 0; what is none in whole cents refuses."""
        text = segment[number] if number < len(segment) else ""
        amount = parse_amount(text)
        if amount is not None:
            return amount
        if text.strip():
            self._report_amount(segment, number, refuses=True)
        else:
            self.report(ProblemCode.MISSING_ELEMENT, f"{segment[0]}{number:02} is missing", segment)
        return Decimal(0)

    def optional_amount(self, segment: Segment, number: int) -> Decimal | None:
        """Read an amount that nothing depends on."""
        text = segment[number] if number < len(segment) else ""
        amount = parse_amount(text) if text else None
        if text and amount is None:
            self._report_amount(segment, number)
        return amount

    def check_quantity(self, segment: Segment, number: int) -> None:
        """Report a quantity, which is not kept, where it is no number."""
        text = segment[number] if number < len(segment) else ""
        if text and not _AMOUNT.fullmatch(text.strip()):
            self.report(ProblemCode.MALFORMED_ELEMENT, f"{segment[0]}{number:02} is no number", segment)

    def day(self, segment: Segment, number: int) -> date | None:
        """Read a date; one that is none is reported and left out."""
        text = segment[number] if number < len(segment) else ""
        day = parse_date(text) if text else None
        if text and day is None:
            self.report(ProblemCode.MALFORMED_ELEMENT, f"{segment[0]}{number:02} is no date", segment)
        return day

    def whole(self, text: str, segment: Segment, number: int, *, most: int) -> str:
        """Give what tells one payment or movement from others; one too long to keep whole refuses the set."""
        if len(text) > most:
            words = f"{segment[0]}{number:02} is longer than {most} characters"
            self.report(ProblemCode.MALFORMED_ELEMENT, words, segment, refuses=True)
        return text[:most]

    def _report_amount(self, segment: Segment, number: int, *, refuses: bool = False) -> None:
        words = f"{segment[0]}{number:02} is no amount in whole cents"
        self.report(ProblemCode.MALFORMED_ELEMENT, words, segment, refuses=refuses)

    def report(
        self,
        code: ProblemCode,
        message: str,
        segment: Segment | None = None,
        *,
        refuses: bool = False,
        loses: bool = False,
    ) -> None:
        """Add a problem; of the segment only its id is named."""
        name = segment[0][:3] if segment else ""
        note(self.problems, Problem(code, message, name, self.position, refuses=refuses, loses=loses))
