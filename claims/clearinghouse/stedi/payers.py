"""Searches Stedi's payer directory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from claims.clearinghouse.port import ClearinghouseError, Outcome
from claims.clearinghouse.stedi.json_tree import child, children, text, texts
from claims.clearinghouse.stedi.transport import Transport

SEARCH_PATH = "/2024-04-01/payers/search"
LONGEST_QUERY = 200
SMALLEST_PAGE, LARGEST_PAGE = 10, 100


@dataclass(frozen=True, slots=True)
class FoundPayer:
    """A payer of the directory; `payer_id` is the primary one, with its leading zeros.

    `professional_claims` is `SUPPORTED`, `ENROLLMENT_REQUIRED` or `NOT_SUPPORTED`, and so is `remittances`.
    """

    stedi_id: str
    payer_id: str
    name: str
    names: tuple[str, ...]
    aliases: tuple[str, ...]
    avatar_url: str | None
    operating_states: tuple[str, ...]
    coverage_types: tuple[str, ...]
    professional_claims: str
    remittances: str


class StediPayerDirectory:
    """Finds payers that take professional claims, by name, id or alias."""

    def __init__(
        self, transport: Transport, *, healthcare_url: str = "https://healthcare.us.stedi.com"
    ) -> None:
        self._transport = transport
        self._url = healthcare_url + SEARCH_PATH

    def search(self, query: str, *, limit: int = 25) -> list[FoundPayer]:
        """Return the best matches first, at most `limit` (up to 100); raises ClearinghouseError."""
        parameters = {
            "query": query[:LONGEST_QUERY],
            "pageSize": str(max(SMALLEST_PAGE, min(limit, LARGEST_PAGE))),
            "professionalClaimSubmission": "EITHER",
        }
        body = self._transport.get(self._url, parameters).body or {}
        if not isinstance(body.get("items"), list):
            raise ClearinghouseError("unreadable_answer", outcome=Outcome.NOT_TAKEN)
        return list(_payers(body))[:limit]


def _payers(body: dict[str, Any]) -> Iterator[FoundPayer]:
    for item in children(body, "items"):
        payer = child(item, "payer")
        support = child(payer, "transactionSupport")
        name, payer_id = text(payer, "displayName"), text(payer, "primaryPayerId")
        if name and payer_id:
            yield FoundPayer(
                stedi_id=text(payer, "stediId"),
                payer_id=payer_id,
                name=name,
                names=tuple(texts(payer, "names")),
                aliases=tuple(texts(payer, "aliases")),
                avatar_url=text(payer, "avatarUrl") or None,
                operating_states=tuple(texts(payer, "operatingStates")),
                coverage_types=tuple(texts(payer, "coverageTypes")),
                professional_claims=text(support, "professionalClaimSubmission"),
                remittances=text(support, "claimPayment"),
            )
