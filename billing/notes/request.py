"""What came with a note."""

from collections.abc import Callable
from datetime import date

import msgspec

from billing.notes.codeset import CodeSet
from billing.notes.result import KnownIdentity, SuppliedCodes

Allowance = Callable[[int], None]
"""Told before each request the most tokens it may cost; raises LlmUnavailableError if that is too much."""


class Request(msgspec.Struct, frozen=True):
    """What came with the note, as `code_note` takes it; `identifiers` are strings that must not leave the
    house, `allowance` says how much may be asked for this note's owner."""

    place: str | None
    duration_minutes: int | None
    codes: CodeSet
    date_of_service: date | None = None
    supplied: SuppliedCodes | None = None
    identity: KnownIdentity | None = None
    threshold: float = 0.97
    identifiers: tuple[str, ...] = ()
    allowance: Allowance | None = None
