"""Who may call: partner organizations and their API keys."""

from datetime import timedelta
from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from partners.identifiers import new_id


class Mode(models.TextChoices):
    """Whose claims reach a payer: a live organization's; a test one's go to the sandbox clearinghouse."""

    LIVE = "live", "Live"
    TEST = "test", "Test"


USUAL_DELAY = timedelta(minutes=15)
LONGEST_DELAY = timedelta(days=30)
"""Longer, and a claim may miss its payer's time to file before it leaves."""


class Partner(models.Model):
    """A partner organization; everything that it owns carries its id."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=100)
    mode = models.CharField(max_length=4, choices=Mode)
    submission_delay = models.DurationField(
        default=USUAL_DELAY,
        help_text="How long after its last change a session's claim waits for corrections.",
    )
    rate_limit = models.PositiveIntegerField(
        null=True, blank=True, help_text="Requests a minute; empty is the service's default, 0 no limit."
    )
    coder_threshold = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.5")), MaxValueValidator(Decimal(1))],
        help_text="Confidence from which a code read from a note needs no person, 0.5 to 1; "
        "empty is the service's default.",
    )
    active = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(mode__in=Mode.values), name="partner_mode_known"),
            models.CheckConstraint(
                condition=Q(submission_delay__gte=timedelta()), name="partner_delay_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_mode_display()})"

    def clean(self) -> None:
        """Refuse a correction window in which claims would become too old to be filed."""
        if self.submission_delay is not None and self.submission_delay < timedelta():
            raise ValidationError({"submission_delay": "At least 0 seconds."})
        if self.submission_delay is not None and self.submission_delay > LONGEST_DELAY:
            words = f"At most {LONGEST_DELAY.days} days ({LONGEST_DELAY // timedelta(seconds=1):,} seconds)."
            raise ValidationError({"submission_delay": words})


class ApiKey(models.Model):
    """One key of a partner: a public prefix to look it up by, and a keyed hash of the whole."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="api_keys")
    name = models.CharField(max_length=60, default="default")
    prefix = models.CharField(max_length=24, unique=True, editable=False)
    pepper_id = models.CharField(max_length=16, editable=False)
    digest = models.BinaryField(editable=False)
    read_only = models.BooleanField(default=False)
    allowed_networks = ArrayField(
        models.CharField(max_length=43),
        default=list,
        blank=True,
        help_text="CIDR ranges; empty allows any address.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = "API key"

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"


class ApiKeyAddress(models.Model):
    """An address that a key was used from, and when it last was, to the minute."""

    id = models.BigAutoField(primary_key=True)
    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="addresses", db_index=False)
    address = models.GenericIPAddressField()
    last_used_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key", "address"], name="address_of_key_once")
        ]
        ordering: ClassVar = ["-last_used_at"]

    def __str__(self) -> str:
        return f"{self.address}"


class IdempotencyRecord(models.Model):
    """The first 2xx answer to a POST with an Idempotency-Key: given for 24 hours, and purged later."""

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.CASCADE, db_index=False)
    method = models.CharField(max_length=7)
    path = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    body_digest = models.BinaryField()
    status_code = models.PositiveSmallIntegerField()
    answer = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["partner", "method", "path", "key"], name="idempotency_key_once")
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.created_at:%Y-%m-%d %H:%M}"


class AccessRecord(models.Model):
    """Who saw which sessions, and with them whose data; only ever added to: a trigger refuses the rest.

    No foreign key is enforced: a read must not lock the partner's row, and a record outlives what it names.
    """

    class What(models.TextChoices):
        LIST = "list", "a list with the session"
        DETAIL = "detail", "the session through the interface"
        PAGE = "page", "the session's page"
        NOTE = "note", "its clinical note"
        CLAIM = "claim", "its claim"
        RAW_FILE = "raw_file", "a raw file"
        EXPORT = "export", "an export with it"

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField(db_default=Now())
    partner = models.ForeignKey(
        Partner, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    key_id = models.UUIDField(null=True, help_text="The API key, where a partner looked.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    what = models.CharField(max_length=8, choices=What)
    session_ids = ArrayField(models.UUIDField())
    detail = models.CharField(max_length=120, db_default="", help_text="Which file or list; no patient data.")
    request_id = models.CharField(max_length=64, db_default="")

    class Meta:
        indexes: ClassVar = [
            GinIndex(fields=["session_ids"], name="seen_by_staff", condition=Q(user__isnull=False)),
            models.Index(fields=["user", "-id"], name="staff_looked", condition=Q(user__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.id}"


class AccessSeal(models.Model):
    """A link of the chain over the access records: those after the seal before it, up to `last_record`.

    `digest` is SHA-256 over the digest before it and the records, `signature` an HMAC of it: anyone can
    recompute the one, only the service the other.
    """

    id = models.BigAutoField(primary_key=True)
    day = models.DateField()
    first_record = models.BigIntegerField()
    last_record = models.BigIntegerField(unique=True)
    records = models.PositiveIntegerField()
    previous_digest = models.BinaryField()
    digest = models.BinaryField()
    signature = models.BinaryField()
    signed_by = models.CharField(max_length=16, help_text="Id of the key in FIELD_KEYS.")
    sealed_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.day} {self.id}"
