"""Keeps gateways from being pointed at the inside of our own network."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

SECURE_SCHEMES = frozenset({"https", "sftp"})
_NO_HOST = "a gateway's host must be a name or an IP address"
_PORTS = {"https": 443, "http": 80, "sftp": 22}

_TRANSLATION = IPv6Network("64:ff9b::/96")
_LOCAL_TRANSLATION = IPv6Network("64:ff9b:1::/48")

Resolver = Callable[[str, int], Iterable[str]]


class GatewayAddressError(ValueError):
    """The address of a gateway may not be used; the message says why."""


def addresses_of(host: str, port: int) -> list[str]:
    """Resolve a host name to its IP addresses; raises OSError."""
    return [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def check_gateway_address(url: str, *, allow_private: bool, resolve: Resolver = addresses_of) -> None:
    """Refuse an address that is not encrypted or, by any of its IP addresses, not on the public internet.

    `allow_private` is for development and tests: then plain HTTP and private addresses pass. Raises
    GatewayAddressError; and OSError where the name can't be resolved now.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise GatewayAddressError(_NO_HOST) from None
    if parts.scheme not in (SECURE_SCHEMES | {"http"} if allow_private else SECURE_SCHEMES):
        raise GatewayAddressError("a gateway's address must begin with https:// or sftp://")
    if not parts.hostname or parts.username or parts.password or parts.query or parts.fragment:
        raise GatewayAddressError("a gateway's address is scheme, host, port and path, and nothing else")
    try:
        port = parts.port or _PORTS[parts.scheme]
    except ValueError:
        raise GatewayAddressError("a gateway's port must be a number up to 65535") from None
    if allow_private:
        return
    try:
        found = resolve(parts.hostname, port)
    except UnicodeError:
        raise GatewayAddressError(_NO_HOST) from None
    for address in found:
        if not _is_public(address):
            raise GatewayAddressError("a gateway's address must be on the public internet")


def _is_public(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        if address in _LOCAL_TRANSLATION:
            return False
        address = address.ipv4_mapped or address.sixtofour or _translated(address) or address
    return address.is_global and not address.is_multicast


def _translated(address: IPv6Address) -> IPv4Address | None:
    """Give the IPv4 address that a NAT64 gateway would go to."""
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _TRANSLATION else None
