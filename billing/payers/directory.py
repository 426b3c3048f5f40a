"""The payer directory: search it, and match what a session says of its payer.

One setting, PAYER_DIRECTORY, chooses what answers a search; a match is always made in the database, which
knows every payer that a search has shown.
"""

from collections.abc import Callable

from django.conf import settings

from billing.payers.database import DatabaseDirectory
from billing.payers.matching import match_payer, match_payers
from billing.payers.port import PayerDirectory, PayerDirectoryError, PayerHit
from billing.payers.stedi import StediDirectory

__all__ = ["PayerDirectoryError", "PayerHit", "match_payer", "match_payers", "search"]

_DIRECTORIES: dict[str, Callable[[], PayerDirectory]] = {
    "database": DatabaseDirectory,
    "stedi": StediDirectory,
}


def search(query: str) -> list[PayerHit]:
    """Search the configured directory: any text is plain text, at most 25 hits, the best first.

    Raises PayerDirectoryError where an outside directory fails.
    """
    return _DIRECTORIES[settings.PAYER_DIRECTORY]().search(query)
