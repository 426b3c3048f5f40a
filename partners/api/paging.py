"""Keyset paging: an opaque, signed cursor that fits one partner and one set of filters."""

import base64
import binascii
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import orjson
from django.utils.crypto import salted_hmac

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SIGNATURE_BYTES = 16
_LENGTH = 8 + 16 + _SIGNATURE_BYTES


class CursorRefused(Exception):
    """The token is not one of ours for this partner and these filters."""


@dataclass(frozen=True, slots=True)
class Position:
    """The last row of a page, by the order of the list."""

    created_at: datetime
    id: UUID


def write_cursor(position: Position, *, partner_id: UUID, filters: Mapping[str, object]) -> str:
    """The token of the page behind this position."""
    microseconds = (position.created_at - _EPOCH) // timedelta(microseconds=1)
    place = microseconds.to_bytes(8) + position.id.bytes
    return _written(place + _signature(place, partner_id, filters))


def read_cursor(token: str, *, partner_id: UUID, filters: Mapping[str, object]) -> Position:
    """The position in a token; CursorRefused when it is forged, or for other filters."""
    try:
        raw = base64.b64decode(token.encode() + b"=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise CursorRefused from None
    if len(raw) != _LENGTH or _written(raw) != token:  # base64 has several spellings of the same bytes
        raise CursorRefused
    place, signature = raw[:-_SIGNATURE_BYTES], raw[-_SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _signature(place, partner_id, filters)):
        raise CursorRefused
    created_at = _EPOCH + timedelta(microseconds=int.from_bytes(place[:8]))
    return Position(created_at, UUID(bytes=place[8:]))


def _written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _signature(place: bytes, partner_id: UUID, filters: Mapping[str, object]) -> bytes:
    bound = orjson.dumps(filters, option=orjson.OPT_SORT_KEYS)
    return salted_hmac("partners.api.paging", place + partner_id.bytes + bound, algorithm="sha256").digest()[
        :_SIGNATURE_BYTES
    ]
