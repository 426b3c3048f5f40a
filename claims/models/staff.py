"""What staff sign in with besides a password."""

import hashlib
import hmac
import time
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django_otp.models import Device, ThrottlingMixin, TimestampMixin
from django_otp.oath import TOTP

from partners.fields import EncryptedBytesField

DIGITS = 6
TOLERANCE = 1
"""How many half minutes the clock of somebody's phone may be away from what it was."""


class Authenticator(TimestampMixin, ThrottlingMixin, Device):
    """A person's second factor: the secret that their phone shares, and what recognizes their spare codes.

    A backup gives away neither: the secret is encrypted, and keys the digests of the spare codes.
    """

    secret = EncryptedBytesField()
    spare = ArrayField(models.CharField(max_length=64), help_text="Digests of the codes not used yet.")
    drift = models.SmallIntegerField(default=0, help_text="Half minutes that the phone's clock is away.")
    last_t = models.BigIntegerField(
        default=-1, help_text="The half minute of the last code: each serves once."
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user"], name="one_authenticator_each")]

    def __str__(self) -> str:
        return f"second factor {self.pk}"

    def verify_token(self, token: str) -> bool:
        """Whether this is the code that the phone shows, or a spare one; from now on it isn't."""
        allowed, _ = self.verify_is_allowed()
        if not allowed:
            return False
        if not (self._shows(token) or self._spends(token)):
            self.throttle_increment()
            return False
        self.throttle_reset(commit=False)
        self.set_last_used_timestamp(commit=False)
        self.save()
        return True

    def get_throttle_factor(self) -> int:
        """The seconds after a first wrong code; twice as many after each other one."""
        return 1

    def _shows(self, token: str) -> bool:
        if len(token) != DIGITS or not (token.isascii() and token.isdigit()):
            return False
        now = TOTP(bytes(self.secret), digits=DIGITS, drift=self.drift)
        now.time = time.time()
        if not now.verify(int(token), TOLERANCE, self.last_t + 1):
            return False
        self.last_t, self.drift = now.t(), now.drift
        return True

    def _spends(self, token: str) -> bool:
        digest = digest_of(token, secret=bytes(self.secret))
        left = [each for each in self.spare if not hmac.compare_digest(each, digest)]
        spent = len(left) < len(self.spare)
        self.spare = left
        return spent


class Unconfirmed(models.Model):
    """Whose account one administrator set up and no other has confirmed: that person is not active."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"set up by one alone {self.pk}"


def digest_of(spare_code: str, *, secret: bytes) -> str:
    """What recognizes a spare code, to whoever has the secret."""
    return hmac.new(secret, b"spare code " + spare_code.encode(), hashlib.sha256).hexdigest()
