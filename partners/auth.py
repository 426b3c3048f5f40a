"""Who is calling: the partner behind a bearer key, remembered for a few seconds."""

import hashlib
import ipaddress
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from django.db.models import Q
from django.db.models.functions import Now
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission

from partners.addresses import address_of
from partners.guesses import REFUSED_KEYS, count_refused, forget_guessers, rests_for
from partners.keys import recognize_key
from partners.models import ApiKey, ApiKeyAddress

if TYPE_CHECKING:  # DRF imports this module while it is itself being imported
    from rest_framework.views import APIView

log = structlog.get_logger()
REMEMBERED_SECONDS = 4.0
"""How long a process trusts a key it has looked up: a revoked one stops within 5 seconds everywhere."""
_REMEMBERED_KEYS = 10_000
_LAST_USED_RESOLUTION = timedelta(minutes=1)
_REFUSED = "Invalid or missing API key. Send the header 'Authorization: Bearer <API_KEY>'."

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Caller:
    """The partner organization that a request acts for, as its key says."""

    partner_id: UUID
    slug: str
    mode: str
    submission_delay: timedelta
    rate_limit: int | None
    key_id: UUID
    key_prefix: str
    read_only: bool
    networks: tuple[Network, ...]
    expires_at: datetime | None


class UnknownKeysTooOften(APIException):
    """429: whether this key is in force is not looked up; `wait` is in seconds."""

    status_code = 429

    def __init__(self, wait: int) -> None:
        super().__init__(
            "Too many requests with keys that are not in force came from your address, so this key was not "
            f"looked up; try again in {wait} seconds."
        )
        self.wait = wait


_remembered: dict[bytes, tuple[float, Caller]] = {}
_noted: dict[tuple[UUID, str], float] = {}
_strangers: dict[tuple[UUID, str], float] = {}


def caller_of(token: str, *, address: str = "") -> Caller | None:
    """The caller that presents this key, or None; `address` is where guesses are counted.

    UnknownKeysTooOften where too many have come from there: the key is not looked up.
    """
    fingerprint = hashlib.sha256(token.encode()).digest()
    known = _remembered.get(fingerprint)
    if known is None and (seconds := rests_for(address)):
        count_refused(address, looked_up=False)
        raise UnknownKeysTooOften(seconds)
    if known is None or known[0] < time.monotonic():
        record = recognize_key(token)
        if record is None:
            _remembered.pop(fingerprint, None)
            count_refused(address, looked_up=True)
            return None
        known = (time.monotonic() + REMEMBERED_SECONDS, _caller(record))
        if len(_remembered) >= _REMEMBERED_KEYS:
            _remembered.clear()
        _remembered[fingerprint] = known
    caller = known[1]
    if caller.expires_at is not None and caller.expires_at <= timezone.now():
        REFUSED_KEYS.labels("expired").inc()
        return None
    return caller


def forget_callers() -> None:
    """Look every key up again at its next use."""
    _remembered.clear()
    _noted.clear()
    _strangers.clear()
    forget_guessers()


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer <key>`; anything else is a 401 that never says whether the key exists."""

    def authenticate(self, request: HttpRequest) -> tuple[Caller, None]:
        parts = request.META.get("HTTP_AUTHORIZATION", "").split()
        if len(parts) == 2 and parts[0].lower() == "bearer":
            address = address_of(request.META)
            caller = caller_of(parts[1], address=address)
            if caller is not None and _reaches_from(caller, address):
                _note_use(caller, address)
                return caller, None
            if caller is not None:
                _note_stranger(caller, address)
        raise AuthenticationFailed(_REFUSED)

    def authenticate_header(self, request: HttpRequest) -> str:
        return "Bearer"


class IsPartner(BasePermission):
    """A partner's key, and for anything that writes, one that may write."""

    message = "This API key may only read."

    def has_permission(self, request: HttpRequest, view: "APIView") -> bool:
        caller = request.user
        if not isinstance(caller, Caller):
            return False
        return not caller.read_only or request.method in SAFE_METHODS


def _caller(record: ApiKey) -> Caller:
    partner = record.partner
    return Caller(
        partner_id=partner.id,
        slug=partner.slug,
        mode=partner.mode,
        submission_delay=partner.submission_delay,
        rate_limit=partner.rate_limit,
        key_id=record.id,
        key_prefix=record.prefix,
        read_only=record.read_only,
        networks=tuple(ipaddress.ip_network(network, strict=False) for network in record.allowed_networks),
        expires_at=record.expires_at,
    )


def _is_told(told: dict[tuple[UUID, str], float], caller: Caller, address: str) -> bool:
    """Whether this key at this address was told of within the minute; from now on it was."""
    used = caller.key_id, address
    now = time.monotonic()
    if told.get(used, now) > now:
        return True
    if len(told) >= _REMEMBERED_KEYS:
        told.clear()
    told[used] = now + _LAST_USED_RESOLUTION.total_seconds()
    return False


def _note_stranger(caller: Caller, address: str) -> None:
    """Count a good key from where it may not be used, and log it once a minute: it may be stolen."""
    REFUSED_KEYS.labels("network").inc()
    if not _is_told(_strangers, caller, address):
        log.warning(
            "a key was used outside of its networks",
            key=caller.key_prefix,
            partner=caller.slug,
            address=_readable(address),
        )


def _readable(address: str) -> str:
    """The address; `none` for what is none, which the caller may have made up."""
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return "none"


def _note_use(caller: Caller, address: str) -> None:
    """Remember when a key was let in, and from where, once a minute for each address."""
    if _is_told(_noted, caller, address):
        return
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=Now() - _LAST_USED_RESOLUTION)
    ApiKey.objects.filter(stale, id=caller.key_id).update(last_used_at=Now())
    try:
        ipaddress.ip_address(address)
    except ValueError:
        return
    ApiKeyAddress.objects.bulk_create(
        [ApiKeyAddress(key_id=caller.key_id, address=address, last_used_at=timezone.now())],
        update_conflicts=True,
        unique_fields=["key", "address"],
        update_fields=["last_used_at"],
    )


def _reaches_from(caller: Caller, address: str) -> bool:
    if not caller.networks:
        return True
    try:
        origin = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(origin in network for network in caller.networks)
