"""Who may call: partner organizations and their API keys."""

from datetime import timedelta
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from partners.identifiers import new_id


class Mode(models.TextChoices):
    """Whose claims reach a payer: a live organization's; a test one's go to the sandbox clearinghouse."""

    LIVE = "live", "Live"
    TEST = "test", "Test"


class Partner(models.Model):
    """A partner organization; everything that it owns carries its id."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=100)
    mode = models.CharField(max_length=4, choices=Mode)
    submission_delay = models.DurationField(
        default=timedelta(minutes=15),
        help_text="How long after its last change a session's claim waits for corrections.",
    )
    rate_limit = models.PositiveIntegerField(
        null=True, blank=True, help_text="Requests a minute; empty is the service's default, 0 no limit."
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


class IdempotencyRecord(models.Model):
    """The first 2xx answer to a POST with an Idempotency-Key, kept 24 hours."""

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.CASCADE)
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
