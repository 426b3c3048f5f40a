"""Files from clearinghouses, kept raw before anything reads them; and the sandbox's own mailbox."""

from functools import cached_property
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from partners.fields import EncryptedBytesField, EncryptedTextField


class InboundFile(models.Model):
    """One file from a clearinghouse; unique by its bytes, handled once."""

    class State(models.TextChoices):
        RECEIVED = "received", "Received"
        APPLIED = "applied", "Applied"
        PARTLY = "partly", "Applied in part: see the report"
        REFUSED = "refused", "Refused: see the report"

    id = models.BigAutoField(primary_key=True)
    gateway = models.CharField(max_length=20)
    name = models.CharField(max_length=255)
    kind = models.CharField(max_length=20, default="x12")
    sha256 = models.BinaryField(unique=True)
    size = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.RECEIVED)
    report = models.JSONField(default=dict, help_text="What reading it found and did; no patient data.")
    attempts = models.PositiveSmallIntegerField(default=0)
    received_at = models.DateTimeField(db_default=Now())
    handled_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["received_at"], name="file_waiting", condition=Q(state="received")),
            models.Index(fields=["-received_at"], name="file_newest"),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def content(self) -> bytes:
        """The file byte for byte, read from its month's partition when it is asked for."""
        return bytes(RawFile.objects.get(file=self.pk, received_at=self.received_at).content)


class RawFile(models.Model):
    """What a file says, byte for byte; partitioned by month of `received_at`, which is the file's."""

    file = models.OneToOneField(InboundFile, primary_key=True, on_delete=models.CASCADE, related_name="+")
    received_at = models.DateTimeField()
    content = EncryptedBytesField()

    def __str__(self) -> str:
        return f"File {self.file_id}"


class PollCursor(models.Model):
    """Where the next fetch from a gateway begins."""

    gateway = models.CharField(primary_key=True, max_length=20)
    cursor = models.TextField(blank=True, default="")
    polled_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    failure = models.CharField(max_length=200, blank=True, default="")

    def __str__(self) -> str:
        return self.gateway

    @property
    def left_files(self) -> bool:
        """Whether the last poll went through, and left files that `failure` tells of."""
        return bool(self.failure) and self.failed_at == self.polled_at


class SandboxSubmission(models.Model):
    """The sandbox clearinghouse's own record of what was handed to it, and what it took."""

    key = models.CharField(primary_key=True, max_length=120)
    digest = models.CharField(max_length=64)
    attempts = models.PositiveSmallIntegerField(default=0)
    reference = models.CharField(max_length=120, blank=True, default="", help_text="Empty: not taken.")
    content = EncryptedTextField(null=True)
    payer_control_numbers = ArrayField(models.CharField(max_length=50), default=list)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [GinIndex(fields=["payer_control_numbers"], name="sandbox_by_payer_number")]

    def __str__(self) -> str:
        return self.key


class SandboxAnswer(models.Model):
    """A file that the sandbox clearinghouse will hand out once its time has come."""

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=120, unique=True)
    content = EncryptedTextField()
    available_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["available_at"], name="answer_due", condition=Q(taken_at__isnull=True))
        ]

    def __str__(self) -> str:
        return self.name
