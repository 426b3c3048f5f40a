"""Secrets that rotate: each ring is `id:secret,id:secret`, the first is used for new values, all are read.

Keyed hashes (HMAC-SHA-256) for API keys and blind indexes, AES-256-GCM for values at rest.
"""

import base64
import binascii
import hashlib
import hmac
import os
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

NONCE_BYTES = 12


class KeyringError(Exception):
    """A value can't be read: its key is not in the ring, or its bytes were changed."""


@dataclass(frozen=True)
class Ring:
    """Secrets by id; `current` is the id used for new values."""

    current: str
    secrets: dict[str, bytes]

    def secret(self, key_id: str) -> bytes:
        """The secret of that id; KeyringError when the ring has lost it."""
        try:
            return self.secrets[key_id]
        except KeyError:
            raise KeyringError(f"Key {key_id!r} is not in the ring.") from None


@lru_cache(maxsize=4)
def parse_ring(text: str, *, setting: str, decode: bool) -> Ring:
    """A ring from `id:secret,…`; ImproperlyConfigured names the setting, never the secret."""
    secrets: dict[str, bytes] = {}
    for part in text.split(","):
        key_id, colon, value = part.strip().partition(":")
        if not colon or not key_id or len(key_id) > 16 or not value:
            raise ImproperlyConfigured(f"{setting} must be a list of id:secret, separated by commas.")
        if key_id in secrets:
            raise ImproperlyConfigured(f"{setting} has two of the id {key_id!r}; each needs one of its own.")
        try:
            secrets[key_id] = base64.b64decode(value, validate=True) if decode else value.encode()
        except binascii.Error:
            secrets[key_id] = b""
        if decode and len(secrets[key_id]) != 32:
            raise ImproperlyConfigured(f"{setting}: key {key_id!r} must be 32 bytes in base64.")
    return Ring(current=next(iter(secrets)), secrets=secrets)


def pepper_ring() -> Ring:
    """The ring that keys the hashes of API keys."""
    return parse_ring(settings.API_KEY_PEPPERS, setting="API_KEY_PEPPERS", decode=False)


def field_ring() -> Ring:
    """The ring that encrypts fields and keys their blind indexes."""
    return parse_ring(settings.FIELD_KEYS, setting="FIELD_KEYS", decode=True)


@lru_cache(maxsize=16)
def _cipher(secret: bytes) -> AESGCM:
    return AESGCM(secret)


@lru_cache(maxsize=16)
def _derived(secret: bytes, purpose: bytes) -> bytes:
    return hmac.new(secret, purpose, hashlib.sha256).digest()


def derived_key(purpose: bytes, *, key_id: str) -> bytes:
    """A key of its own for one purpose, from the field key of that id; KeyringError when it is gone."""
    return _derived(field_ring().secret(key_id), purpose)


def encrypt(plain: bytes) -> bytes:
    """Encrypted bytes: one byte of key id length, key id, nonce, ciphertext with tag."""
    ring = field_ring()
    key_id = ring.current.encode()
    nonce = os.urandom(NONCE_BYTES)
    return (
        bytes([len(key_id)])
        + key_id
        + nonce
        + _cipher(ring.secrets[ring.current]).encrypt(nonce, plain, key_id)
    )


def decrypt(stored: bytes) -> bytes:
    """The plain bytes; KeyringError when the key is gone or the bytes were changed."""
    length = stored[0]
    key_id, nonce = stored[1 : 1 + length], stored[1 + length : 1 + length + NONCE_BYTES]
    cipher = _cipher(field_ring().secret(key_id.decode()))
    try:
        return cipher.decrypt(nonce, stored[1 + length + NONCE_BYTES :], key_id)
    except InvalidTag:
        raise KeyringError("A stored value was changed or cut; it can't be read.") from None


def blind_index(value: str, *, key_id: str | None = None) -> bytes:
    """A keyed fingerprint of a value, for finding it by exact match without storing it."""
    ring = field_ring()
    key = derived_key(b"blind-index", key_id=key_id or ring.current)
    return hmac.new(key, value.encode(), hashlib.sha256).digest()[:16]


def blind_indexes(value: str) -> list[bytes]:
    """The value's fingerprints under every key in the ring: rows not yet re-encrypted are found too."""
    return [blind_index(value, key_id=key_id) for key_id in field_ring().secrets]
