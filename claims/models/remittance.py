"""Money: remittances as the payer sent them, and the ledger that they post to."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from claims.models.claim import Claim
from claims.models.files import InboundFile
from claims.models.signal import ClaimSignal
from partners.models import Partner


class Remittance(models.Model):
    """One 835 transaction: who paid how much by which check; posted once however many files carry it.

    Payers give one number to many that move no money: these are one here.
    """

    class State(models.TextChoices):
        POSTED = "posted", "Posted"
        REFUSED = "refused", "Refused"

    id = models.BigAutoField(primary_key=True)
    inbound_file = models.ForeignKey(InboundFile, on_delete=models.PROTECT, related_name="remittances")
    payer_id = models.CharField(max_length=80)
    payer_name = models.CharField(max_length=60, blank=True, default="")
    trace_number = models.CharField(max_length=50, help_text="Check or EFT number (TRN02).")
    originator = models.CharField(max_length=50, blank=True, default="", help_text="TRN03.")
    payee_npi = models.CharField(max_length=10, blank=True, default="")
    paid_on = models.DateField(null=True)
    amount = models.DecimalField(max_digits=14, decimal_places=2)
    method = models.CharField(max_length=3, blank=True, default="")
    claim_count = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=7, choices=State)
    report = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["payer_id", "trace_number", "originator"],
                condition=Q(state="posted"),
                name="remittance_posted_once",
            )
        ]

    def __str__(self) -> str:
        return self.trace_number


class LedgerEntry(models.Model):
    """One movement of money on a claim, a line of it, or a provider (PLB); never edited."""

    id = models.BigAutoField(primary_key=True)
    remittance = models.ForeignKey(Remittance, on_delete=models.PROTECT, related_name="entries")
    signal = models.ForeignKey(ClaimSignal, null=True, on_delete=models.PROTECT, related_name="entries")
    claim = models.ForeignKey(Claim, null=True, on_delete=models.PROTECT, related_name="ledger")
    partner = models.ForeignKey(
        Partner, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    line_number = models.PositiveSmallIntegerField(null=True)
    kind = models.CharField(max_length=20)
    group = models.CharField(max_length=2, blank=True, default="")
    reason = models.CharField(max_length=5, blank=True, default="")
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    reference = models.CharField(max_length=50, blank=True, default="")
    posted_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"


class TypedRemittance(models.Model):
    """What a person typed of a payer's decision that came in no file; its signal counts as an 835's would.

    It moves nothing in the ledger, which holds what 835s transferred. Taken back, its signal is dismissed.
    """

    class Origin(models.TextChoices):
        PAPER = "paper", "a letter of the payer"
        PHONE = "phone", "a call to the payer"
        PORTAL = "portal", "the payer's portal"

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="typed_remittances")
    signal = models.OneToOneField(ClaimSignal, on_delete=models.PROTECT, related_name="typed")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    origin = models.CharField(max_length=6, choices=Origin)
    trace_number = models.CharField(max_length=50, blank=True, help_text="Check or EFT number.")
    reason = models.TextField(help_text="Why it was typed, or who said it; the partner doesn't see it.")
    typed_at = models.DateTimeField(db_default=Now())
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_at = models.DateTimeField(null=True)
    undone_because = models.TextField(blank=True, default="")

    class Meta:
        permissions: ClassVar = [("type_remittance", "Can post a payment that no remittance brings")]

    def __str__(self) -> str:
        return f"{self.id}"
