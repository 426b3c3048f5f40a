"""What a payer directory is: something that finds payers by name, and says so when it can't."""

from dataclasses import dataclass
from typing import Protocol

SEARCH_LIMIT = 25


@dataclass(frozen=True, slots=True)
class PayerHit:
    """One payer found; `payer_name` is the carrier's name, `avatar_url` None where it has no picture."""

    payer_id: str
    payer_name: str
    avatar_url: str | None


class PayerDirectoryError(Exception):
    """The directory could not answer; the message says why in one sentence, without the query."""


class PayerDirectory(Protocol):
    """Whatever can find payers by name."""

    def search(self, query: str) -> list[PayerHit]:
        """Payers by likeness to the query, the best first, one a payer id; raises PayerDirectoryError."""
