"""API keys: issue, rotate, revoke, recognize. A key is shown once; the database holds a keyed hash."""

import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from partners.keyring import KeyringError, pepper_ring
from partners.models import ApiKey, Mode, Partner

_ALPHABET = string.ascii_letters + string.digits
_LOOKUP_CHARACTERS = 12
_SECRET_CHARACTERS = 43
"""62 to the 43rd is just above 2 to the 256th."""
_FORM = re.compile(rf"bk_(?:live|test)_[A-Za-z0-9]{{{_LOOKUP_CHARACTERS + _SECRET_CHARACTERS}}}")
_PREFIX_LENGTH = len("bk_live_") + _LOOKUP_CHARACTERS


@dataclass(frozen=True)
class IssuedKey:
    """A new key; `text` is what the partner sends, and is nowhere to be had again."""

    text: str
    record: ApiKey


class KeySucceeded(Exception):
    """A key that ends has a successor already."""

    def __init__(self, successor: ApiKey) -> None:
        super().__init__(
            f"{successor.prefix} is that key's successor already. Rotate that one, or revoke it first."
        )


class KeyRevoked(Exception):
    """A key that was revoked gets no successor."""


def issue_key(
    partner: Partner,
    *,
    name: str = "default",
    expires_at: datetime | None = None,
    read_only: bool = False,
    allowed_networks: Sequence[str] = (),
) -> IssuedKey:
    """Make a new key for the partner; with `allowed_networks` (CIDR) it works from there alone."""
    ring = pepper_ring()
    kind = "live" if partner.mode == Mode.LIVE else "test"
    characters = (secrets.choice(_ALPHABET) for _ in range(_LOOKUP_CHARACTERS + _SECRET_CHARACTERS))
    text = f"bk_{kind}_{''.join(characters)}"
    record = ApiKey.objects.create(
        partner=partner,
        name=name,
        prefix=text[:_PREFIX_LENGTH],
        pepper_id=ring.current,
        digest=_digest(text, pepper=ring.secrets[ring.current]),
        expires_at=expires_at,
        read_only=read_only,
        allowed_networks=list(allowed_networks),
    )
    return IssuedKey(text=text, record=record)


@transaction.atomic
def rotate_key(old: ApiKey, *, grace: timedelta) -> IssuedKey:
    """Issue a key like the old one, for as long as that was issued for; it lives on for the grace at most.

    KeySucceeded where it has a living successor, KeyRevoked where it was revoked.
    """
    ApiKey.objects.select_for_update(of=("self",)).get(pk=old.pk)
    old.refresh_from_db(fields=["expires_at", "revoked_at"])
    if old.revoked_at is not None:
        raise KeyRevoked("That key is revoked already; issue a new one.")
    if successor := _successor(old):
        raise KeySucceeded(successor)
    now = timezone.now()
    new = issue_key(
        old.partner,
        name=old.name,
        expires_at=None if old.expires_at is None else now + (old.expires_at - old.created_at),
        read_only=old.read_only,
        allowed_networks=old.allowed_networks,
    )
    if old.expires_at is None or old.expires_at > now + grace:
        old.expires_at = now + grace
        old.save(update_fields=["expires_at"])
    return new


def _successor(old: ApiKey) -> ApiKey | None:
    """The living key that was issued like this one after it, where this one ends."""
    if old.expires_at is None:
        return None
    alike = living_keys(old.partner, name=old.name).filter(
        read_only=old.read_only,
        allowed_networks=old.allowed_networks,
        created_at__gt=old.created_at,
    )
    return alike.order_by("created_at").first()


def living_keys(partner: Partner, *, name: str) -> QuerySet[ApiKey]:
    """The partner's keys of a name that are neither revoked nor at their end."""
    return ApiKey.objects.filter(partner=partner, name=name, revoked_at=None).exclude(expires_at__lte=Now())


def revoke_key(record: ApiKey) -> None:
    """End a key; every web process refuses it within `auth.REMEMBERED_SECONDS`."""
    ApiKey.objects.filter(pk=record.pk, revoked_at__isnull=True).update(revoked_at=Now())


def recognize_key(text: str) -> ApiKey | None:
    """The key's record with its partner, or None for any text that is not a key in force."""
    if not _FORM.fullmatch(text):
        return None
    record = ApiKey.objects.select_related("partner").filter(prefix=text[:_PREFIX_LENGTH]).first()
    if record is None or not record.partner.active or record.revoked_at is not None:
        return None
    try:
        pepper = pepper_ring().secret(record.pepper_id)
    except KeyringError:
        return None
    if not hmac.compare_digest(_digest(text, pepper=pepper), bytes(record.digest)):
        return None
    return record


def _digest(text: str, *, pepper: bytes) -> bytes:
    return hmac.new(pepper, text.encode(), hashlib.sha256).digest()
