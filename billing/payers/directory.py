"""The payer directory: one port, and behind it the database or an outside directory, by one setting."""

from dataclasses import dataclass
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

SEARCH_LIMIT = 25
_DIRECTORIES = {
    "database": "billing.payers.database.DatabaseDirectory",
    "stedi": "billing.payers.stedi.StediDirectory",
}


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

    def search(self, query: str, *, limit: int = SEARCH_LIMIT) -> list[PayerHit]:
        """Payers by likeness to the query, the best first, one a payer id; raises PayerDirectoryError."""


def payer_directory() -> PayerDirectory:
    """The directory that the setting PAYER_DIRECTORY names."""
    directory: PayerDirectory = import_string(_DIRECTORIES[settings.PAYER_DIRECTORY])()
    return directory


def search(query: str, *, limit: int = SEARCH_LIMIT) -> list[PayerHit]:
    """Search the configured directory: any text is plain text, at most 25 hits, the best first.

    Raises PayerDirectoryError where an outside directory fails.
    """
    return payer_directory().search(query, limit=min(limit, SEARCH_LIMIT))
