"""A person's second factor: an authenticator's secret and spare codes, shown once when they are made."""

import base64
import secrets
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import qrcode  # type: ignore[import-untyped]  # it has no types
from django.db import transaction
from qrcode.image.svg import SvgPathFillImage  # type: ignore[import-untyped]  # it has no types

from claims.models import Authenticator
from claims.models.staff import DIGITS, digest_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SPARE_CODES = 8
SECRET_BYTES, SPARE_BYTES = 20, 5
ISSUER = "Billing desk"


@dataclass(frozen=True)
class SecondFactor:
    """What the person needs now and can't be shown again."""

    address: str
    """The `otpauth:` address that an authenticator reads."""
    spare_codes: tuple[str, ...]

    def picture(self) -> str:
        """The address as a QR code, for the `src` of an image."""
        written = BytesIO()
        qrcode.make(self.address, image_factory=SvgPathFillImage).save(written)
        return f"data:image/svg+xml;base64,{base64.b64encode(written.getvalue()).decode()}"


@transaction.atomic
def set_up(user: "User") -> SecondFactor:
    """Give a person a new second factor; an earlier one ends."""
    Authenticator.objects.filter(user=user).delete()
    secret = secrets.token_bytes(SECRET_BYTES)
    codes = tuple(_in_letters(secrets.token_bytes(SPARE_BYTES)).lower() for _ in range(SPARE_CODES))
    digests = [digest_of(code, secret=secret) for code in codes]
    Authenticator.objects.create(user=user, name="authenticator", secret=secret, spare=digests)
    return SecondFactor(address=_address(user, secret), spare_codes=codes)


def _address(user: "User", secret: bytes) -> str:
    label = quote(f"{ISSUER}:{user.get_username()}")
    asked = {"secret": _in_letters(secret), "algorithm": "SHA1", "digits": DIGITS, "period": 30}
    return f"otpauth://totp/{label}?{urlencode(asked)}&issuer={quote(ISSUER)}"


def _in_letters(content: bytes) -> str:
    return base64.b32encode(content).decode()
