"""The staff's queues: an item is opened and closed in the transaction that changes what it is about."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from claims.models.files import InboundFile
from claims.models.signal import ClaimSignal
from partners.models import Partner
from sessions_app.models import Session


class WorkItem(models.Model):
    """Something a person must look at; one open item a session and queue."""

    class Queue(models.TextChoices):
        HELD = "held", "Held by a rule"
        NOTES = "notes", "Notes to review"
        REFUSED = "refused", "Refused by the clearinghouse"
        REJECTED = "rejected", "Rejected"
        DENIED = "denied", "Denied"
        SILENT = "silent", "No answer"
        UNMATCHED = "unmatched", "Unmatched answers"
        TRANSPORT = "transport", "Transport failures"
        ANSWERS = "answers", "Answers to look at"

    id = models.BigAutoField(primary_key=True)
    queue = models.CharField(max_length=9, choices=Queue)
    partner = models.ForeignKey(
        Partner, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    session = models.ForeignKey(Session, null=True, on_delete=models.CASCADE, related_name="work_items")
    signal = models.ForeignKey(ClaimSignal, null=True, on_delete=models.CASCADE, related_name="work_items")
    inbound_file = models.ForeignKey(
        InboundFile, null=True, on_delete=models.CASCADE, related_name="work_items"
    )
    reason = models.CharField(max_length=40, help_text="Rule id, category and status code, CARC …")
    summary = models.TextField(help_text="In words, without patient data.")
    payer_name = models.CharField(max_length=60, blank=True, default="")
    charge = models.DecimalField(max_digits=12, decimal_places=2, null=True)
    file_by = models.DateField(null=True)
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    leased_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    leased_at = models.DateTimeField(null=True)
    snoozed_until = models.DateTimeField(null=True)
    snoozed_for = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session", "queue"],
                condition=Q(closed_at__isnull=True, session__isnull=False),
                name="one_open_item_a_queue",
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["queue", "file_by", "-charge", "opened_at", "id"],
                name="work_order",
                condition=Q(closed_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_queue_display()} {self.id}"
