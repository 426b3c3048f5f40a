"""Identifiers: UUID version 7, so that new rows fall at the end of every index."""

import os
import time
from datetime import UTC, datetime
from uuid import UUID


def new_id() -> UUID:
    """A UUID version 7: 48 bits of Unix milliseconds, then randomness (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & (1 << 48) - 1) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def made_in(identifier: UUID) -> int:
    """The month (UTC) in which `new_id` made it, counted from the year 0."""
    made = time.gmtime((identifier.int >> 80) / 1000)
    return made.tm_year * 12 + made.tm_mon - 1


def first_id(month: int) -> UUID:
    """What no identifier of that month is below, and all of earlier ones are."""
    begins = datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return UUID(int=int(begins.timestamp() * 1000) << 80)
