"""Reads single X12 elements: amounts, dates, numbers; None where the text is none."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import lru_cache

_AMOUNT = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})")
_DATE = re.compile(r"[0-9]{8}")
_DATE_RANGE = re.compile(r"([0-9]{8})-([0-9]{8})")
_NUMBER = re.compile(r"[0-9]{1,12}")


# Amounts and dates repeat all over a remittance, and a cache is faster than reading them again.
@lru_cache(maxsize=8_192)
def parse_amount(text: str) -> Decimal | None:
    """Read an exact decimal amount."""
    stripped = text.strip()
    return Decimal(stripped) if _AMOUNT.fullmatch(stripped) else None


@lru_cache(maxsize=2_048)
def parse_date(text: str) -> date | None:
    """Read CCYYMMDD."""
    stripped = text.strip()
    if not _DATE.fullmatch(stripped):
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
