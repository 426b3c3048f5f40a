"""Stedi's payer directory over HTTP."""

import json
from contextlib import suppress
from functools import cache
from typing import Any

import httpx
from django.conf import settings
from django.db import IntegrityError, transaction

from billing.hasty_client import hasty_client
from billing.models import Payer
from billing.payers.carriers import Carrier
from billing.payers.catalog import record_carriers
from billing.payers.classes import class_of_name
from billing.payers.names import fit_name
from billing.payers.port import SEARCH_LIMIT, PayerDirectoryError, PayerHit

_PATH = "/2024-04-01/payers/search"
_TIMEOUT = httpx.Timeout(5.0, connect=2.0)
_LONGEST_ID = 80
_LONGEST_QUERY = 200


class StediDirectory:
    """Payers that take professional claims through Stedi; what it shows becomes known to our own tables.

    Only so can a session that sends a found payer id be matched later without asking again.
    """

    def __init__(self, client: httpx.Client | None = None) -> None:
        self._client = client or _shared_client()

    def search(self, query: str) -> list[PayerHit]:
        """Payers by likeness to the query, the best first; raises PayerDirectoryError."""
        plain = " ".join("".join(mark if mark.isprintable() else " " for mark in query).split())
        if not plain:
            return []
        found: dict[str, Carrier] = {}
        for item in self._ask(plain[:_LONGEST_QUERY]):
            carrier = _carrier(item)
            if len(carrier.payer_id) <= _LONGEST_ID:
                found.setdefault(carrier.payer_id, carrier)
        _remember(found)
        return [
            PayerHit(carrier.payer_id, carrier.name, carrier.avatar_url or None) for carrier in found.values()
        ][:SEARCH_LIMIT]

    def _ask(self, query: str) -> list[Any]:
        if not settings.STEDI_API_KEY:
            raise PayerDirectoryError("STEDI_API_KEY is not set, so the payer directory can't be asked.")
        try:
            response = self._client.get(
                settings.STEDI_HEALTHCARE_URL + _PATH,
                params={
                    "query": query,
                    "pageSize": SEARCH_LIMIT,
                    "professionalClaimSubmission": "EITHER",
                },
                headers={"Authorization": settings.STEDI_API_KEY},
            )
            response.raise_for_status()
            items = json.loads(response.content)["items"]
        except httpx.HTTPStatusError as error:
            raise PayerDirectoryError(
                f"The payer directory answered with status {error.response.status_code}."
            ) from None
        except httpx.HTTPError as error:
            raise PayerDirectoryError(
                f"The payer directory did not answer ({type(error).__name__})."
            ) from None
        except (ValueError, KeyError, TypeError):
            raise PayerDirectoryError("The payer directory's answer could not be read.") from None
        if not isinstance(items, list):
            raise PayerDirectoryError("The payer directory's answer could not be read.")
        return items


@cache
def _shared_client() -> httpx.Client:
    return hasty_client(timeout=_TIMEOUT)


def _carrier(item: Any) -> Carrier:
    try:
        payer = item["payer"]
        name = str(payer["displayName"])
        aliases = [str(alias) for alias in [*payer.get("names", ()), *payer.get("aliases", ())]]
        return Carrier(
            str(payer["primaryPayerId"]),
            fit_name(name),
            class_of_name(name),
            aliases="; ".join(alias.replace(";", ",") for alias in aliases),
            prominence=0,
            avatar_url=str(payer.get("avatarUrl") or ""),
            enrollment_required=(payer.get("transactionSupport") or {}).get("professionalClaimSubmission")
            == "ENROLLMENT_REQUIRED",
        )
    except (KeyError, TypeError, AttributeError):
        raise PayerDirectoryError("The payer directory's answer could not be read.") from None


def _remember(found: dict[str, Carrier]) -> None:
    known = set(Payer.objects.filter(payer_id__in=found).values_list("payer_id", flat=True))
    if fresh := [carrier for payer_id, carrier in found.items() if payer_id not in known]:
        # Another process may have found the same ones in this very moment; then they are known.
        with suppress(IntegrityError), transaction.atomic():
            record_carriers(fresh)
