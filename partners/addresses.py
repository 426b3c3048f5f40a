"""The address that a request comes from, as far as our own proxies vouch for it."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest


def address_of(meta: Mapping[str, Any]) -> str:
    """The caller's address; behind TRUSTED_PROXIES proxies, what the outermost of them saw.

    What is left of that in X-Forwarded-For was written by the caller and counts for nothing. The server takes
    X_Forwarded_For for the same header: where a proxy may pass that on, PROXY_ADDRESS_HEADER names another.
    """
    own = str(meta.get("REMOTE_ADDR", ""))
    if settings.PROXY_ADDRESS_HEADER:
        return str(meta.get(f"HTTP_{settings.PROXY_ADDRESS_HEADER.upper()}", "")).strip() or own
    proxies: int = settings.TRUSTED_PROXIES
    if not proxies:
        return own
    seen = [part.strip() for part in str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",")]
    return seen[-proxies] if len(seen) >= proxies and seen[-proxies] else own


def address_of_request(request: HttpRequest) -> str:
    """The address that a request comes from, as the lock-out counts it."""
    return address_of(request.META)
