"""Providers and their practices: onboarded once, updated in part; the database decides every race."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Now

from billing.rules.taxonomy import infer_taxonomy
from partners.auth import Caller
from partners.isolation import as_service
from providers.models import Practice, Provider

PRACTICE_COLUMNS = {
    "name": "name",
    "npi": "npi",
    "taxId": "tax_id",
    "taxonomyCode": "taxonomy_code",
    "phone": "phone",
    "contactName": "contact_name",
}
ADDRESS_COLUMNS = {"street": "street", "line2": "line2", "city": "city", "state": "state", "zip": "zip"}
PROVIDER_COLUMNS = {
    "taxonomyCode": "taxonomy_code",
    "specialty": "specialty",
    "credentials": "credentials",
}
_NPI = re.compile("[0-9]{10}")
_PRACTICE_LOCK = 0x50524143  # one class of advisory locks, "PRAC"


class ProviderElsewhere(Exception):
    """The NPI belongs to another partner organization."""


class ProviderUnknown(Exception):
    """Nobody has registered the NPI."""


@dataclass(frozen=True)
class Outcome:
    """The stored provider after a call, and what the call did to it."""

    provider: Provider
    status: str


class _Taken(Exception):
    """Someone else registered the NPI first; what was written is rolled back."""


def onboard(caller: Caller, *, provider: Mapping[str, Any], practice: Mapping[str, Any]) -> Outcome:
    """Register a therapist; ProviderElsewhere when another partner has the NPI."""
    if (known := _find(caller.mode, provider["npi"])) is None:
        try:
            with transaction.atomic():
                return Outcome(_insert(caller, provider, practice), "created")
        except _Taken:
            known = _find(caller.mode, provider["npi"])
    if known is None or known.partner_id != caller.partner_id:
        raise ProviderElsewhere
    return Outcome(known, "already_exists")


def update(caller: Caller, npi: str, *, changes: Mapping[str, Mapping[str, Any]]) -> Outcome:
    """Change what is supplied; ProviderUnknown or ProviderElsewhere where it is not the partner's."""
    if not _NPI.fullmatch(npi):
        raise ProviderUnknown
    with transaction.atomic():
        found = Provider.objects.select_for_update().filter(mode=caller.mode, npi=npi).first()
        if found is None:
            raise ProviderElsewhere if _is_registered(caller.mode, npi) else ProviderUnknown
        if found.partner_id != caller.partner_id:
            raise ProviderElsewhere
        practice = Practice.objects.select_for_update().get(pk=found.practice_id)
        if supplied := _columns(changes.get("provider", {}), PROVIDER_COLUMNS):
            _assign(found, supplied)
            found.inferred_taxonomy_code = _inferred(found.specialty, found.credentials)
            found.updated_at = Now()
            found.save(update_fields=[*supplied, "inferred_taxonomy_code", "updated_at"])
        if supplied := _practice_columns(changes.get("practice", {})):
            _assign(practice, supplied)
            practice.fingerprint = fingerprint(practice)
            practice.updated_at = Now()
            practice.save(update_fields=[*supplied, "fingerprint", "updated_at"])
        found.practice = practice
    return Outcome(found, "updated")


def fingerprint(practice: Practice) -> bytes:
    """Equal for two practices of the same fields, case and spaces aside."""
    columns = [*PRACTICE_COLUMNS.values(), *ADDRESS_COLUMNS.values()]
    bare = ["".join(str(getattr(practice, column)).split()).casefold() for column in columns]
    return hashlib.sha256("\x1f".join(bare).encode()).digest()


def _find(mode: str, npi: str) -> Provider | None:
    return Provider.objects.select_related("practice").filter(mode=mode, npi=npi).first()


def _is_registered(mode: str, npi: str) -> bool:
    """By whomever: the one thing that a partner may learn of another's provider."""
    with as_service():
        return Provider.objects.filter(mode=mode, npi=npi).exists()


def _insert(caller: Caller, provider: Mapping[str, Any], practice: Mapping[str, Any]) -> Provider:
    columns = _columns(provider, PROVIDER_COLUMNS)
    row = Provider(
        partner_id=caller.partner_id,
        mode=caller.mode,
        practice=_same_or_new_practice(caller.partner_id, practice),
        npi=provider["npi"],
        first_name=provider["firstName"],
        last_name=provider["lastName"],
        inferred_taxonomy_code=_inferred(columns.get("specialty", ""), columns.get("credentials", "")),
        **columns,
    )
    Provider.objects.bulk_create([row], ignore_conflicts=True)
    stored = Provider.objects.filter(pk=row.pk).exists()
    if not stored:
        raise _Taken
    return row


def _same_or_new_practice(partner_id: UUID, practice: Mapping[str, Any]) -> Practice:
    """The partner's oldest practice with these fields, else a new one; two at once wait for each other."""
    row = Practice(partner_id=partner_id, **_practice_columns(practice))
    row.fingerprint = fingerprint(row)
    number = int.from_bytes(hashlib.sha256(partner_id.bytes + row.fingerprint).digest()[:4], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_PRACTICE_LOCK, number])
    same = Practice.objects.filter(partner_id=partner_id, fingerprint=row.fingerprint)
    if (oldest := same.order_by("created_at", "id").first()) is not None:
        return oldest
    row.save(force_insert=True)
    return row


def _practice_columns(practice: Mapping[str, Any]) -> dict[str, str]:
    return {
        **_columns(practice, PRACTICE_COLUMNS),
        **_columns(practice.get("address", {}), ADDRESS_COLUMNS),
    }


def _columns(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    """Column values of what is supplied; what is cleared is the empty string."""
    return {column: values[name] or "" for name, column in names.items() if name in values}


def _assign(row: Provider | Practice, columns: Mapping[str, str]) -> None:
    for column, value in columns.items():
        setattr(row, column, value)


def _inferred(specialty: str, credentials: str) -> str:
    return infer_taxonomy(specialty, credentials) or ""
