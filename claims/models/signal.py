"""What came back about a claim: each acknowledgement and remittance, once."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from claims.models.claim import Claim
from claims.models.files import InboundFile
from partners.fields import EncryptedTextField
from partners.models import Partner


class ClaimSignal(models.Model):
    """One de-duplicated signal; without a claim it waits to be matched. `payload` is `Signal.as_json()`."""

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(
        Partner, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    claim = models.ForeignKey(Claim, null=True, on_delete=models.PROTECT, related_name="signals")
    inbound_file = models.ForeignKey(InboundFile, null=True, on_delete=models.PROTECT, related_name="signals")
    natural_key = models.CharField(max_length=400)
    kind = models.CharField(max_length=20)
    patient_control_number = models.CharField(max_length=50, blank=True, default="")
    effective_date = models.DateField(null=True)
    payload = models.JSONField()
    words = EncryptedTextField(
        null=True, help_text="What its sender wrote beside the codes, a message a line; for staff alone."
    )
    repeats = models.PositiveIntegerField(default=0, help_text="How often the same came again.")
    settled_at = models.DateTimeField(null=True, help_text="When the session's history took it in.")
    dismissed_at = models.DateTimeField(null=True, help_text="Staff: not ours.")
    received_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["natural_key", "patient_control_number"], name="signal_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["received_at"],
                name="signal_unmatched",
                condition=Q(claim__isnull=True, dismissed_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"
