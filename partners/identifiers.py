"""Identifiers: UUID version 7, so that new rows fall at the end of every index."""

import os
import time
from uuid import UUID


def new_id() -> UUID:
    """A UUID version 7: 48 bits of Unix milliseconds, then randomness (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & (1 << 48) - 1) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)
