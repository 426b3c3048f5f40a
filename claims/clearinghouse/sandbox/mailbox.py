"""Where the sandbox keeps what it took and what it has yet to answer.

`Mailbox` is the storage that the sandbox needs. Everything in it is made from test claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


class KeyReusedError(ValueError):
    """The key was seen before with other content."""


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """A file that lies ready from `available_at` on; its name is unique in the mailbox."""

    name: str
    content: str = field(repr=False)
    available_at: datetime


@dataclass(frozen=True, slots=True)
class Delivery:
    """A submission that was taken, with everything that will be answered to it.

    `payer_control_numbers` are those that payers give its claims: a replacement or void names one of them.
    """

    key: str
    reference: str
    x12: str = field(repr=False)
    payer_control_numbers: tuple[str, ...]
    answers: tuple[AnswerFile, ...] = field(repr=False)


class Mailbox(Protocol):
    """The sandbox's storage; each method is one transaction."""

    def record_attempt(self, key: str, *, digest: str) -> int:
        """Count an attempt under `key` and return the count; raise KeyReusedError if `digest` is another."""
        ...

    def accept(self, delivery: Delivery) -> None:
        """Store a delivery with its answers, all or nothing; an accepted key stays as it is."""
        ...

    def reference_of(self, key: str) -> str | None:
        """Return the reference of an accepted delivery."""
        ...

    def interchange_with(self, payer_control_number: str) -> str | None:
        """Return the text of the accepted delivery whose claim a payer gave this number."""
        ...

    def due(self, now: datetime, *, limit: int) -> Sequence[AnswerFile]:
        """Return at most `limit` answers that are available and not taken, the earliest first."""
        ...

    def take(self, name: str) -> None:
        """Mark an answer as taken; an unknown or taken name does no harm."""
        ...
