"""A person's second factor: an authenticator's secret and spare codes, shown once when they are made."""

import base64
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import qrcode  # type: ignore[import-untyped]  # it has no types
from django.db import transaction
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from qrcode.image.svg import SvgPathFillImage  # type: ignore[import-untyped]  # it has no types

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SPARE_CODES = 8


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
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    device = TOTPDevice.objects.create(user=user, name="authenticator", confirmed=True)
    spare = StaticDevice.objects.create(user=user, name="spare codes", confirmed=True)
    codes = tuple(StaticToken.random_token() for _ in range(SPARE_CODES))
    StaticToken.objects.bulk_create([StaticToken(device=spare, token=code) for code in codes])
    return SecondFactor(address=device.config_url, spare_codes=codes)
