"""The staff's queues: an item is opened and closed in the transaction that changes what it is about."""

from datetime import date
from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Coalesce, Now

from claims.models.files import InboundFile
from claims.models.signal import ClaimSignal
from partners.models import Partner
from sessions_app.models import Session

NO_DEADLINE = date(9999, 12, 31)
DEADLINE = Coalesce("file_by", Value(NO_DEADLINE))
SMALLNESS = -Coalesce("charge", Value(Decimal(-1)), output_field=models.DecimalField())
"""Grows as the charge falls, so that the order of work is ascending throughout."""


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
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    handed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    handed_with = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="What whoever passed it on said."
    )
    leased_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    leased_at = models.DateTimeField(null=True)
    snoozed_until = models.DateTimeField(null=True)
    snoozed_for = models.CharField(max_length=200, blank=True, default="")
    outcome = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="What a person ended it with."
    )

    class Meta:
        permissions: ClassVar = [
            ("correct_session", "Can correct, release, snooze, match and confirm"),
            ("resend_claim", "Can send a claim again"),
            ("resend_in_bulk", "Can send many claims again at once"),
            ("override_finding", "Can override a finding of a claim rule"),
            ("void_claim", "Can void a claim"),
            ("message_partner", "Can write a note for the partner"),
            ("open_note", "Can open clinical notes"),
            ("read_raw_file", "Can read raw files"),
            ("export_rows", "Can export lists"),
            ("hand_out_work", "Can give work to others"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session", "queue"],
                condition=Q(closed_at__isnull=True, session__isnull=False),
                name="one_open_item_a_queue",
            )
        ]
        indexes: ClassVar = [
            models.Index(
                "queue",
                DEADLINE,
                SMALLNESS,
                "opened_at",
                "id",
                name="work_in_order",
                condition=Q(closed_at__isnull=True),
            ),
            models.Index(
                DEADLINE,
                SMALLNESS,
                "opened_at",
                "id",
                name="work_across_queues",
                condition=Q(closed_at__isnull=True),
            ),
            models.Index(
                fields=["queue", "reason", "payer_name", "partner"],
                include=["assignee", "file_by", "charge", "opened_at", "snoozed_until"],
                name="work_to_count",
                condition=Q(closed_at__isnull=True),
            ),
            models.Index(
                fields=["reason", "-session"], name="work_by_reason", condition=Q(session__isnull=False)
            ),
            models.Index(
                fields=["assignee", "file_by"],
                name="work_of_person",
                condition=Q(closed_at__isnull=True, assignee__isnull=False),
            ),
            models.Index(fields=["-closed_at"], name="work_closed", condition=Q(closed_at__isnull=False)),
            models.Index(fields=["-opened_at"], name="work_opened"),
        ]

    def __str__(self) -> str:
        return f"{self.get_queue_display()} {self.id}"

    @property
    def still_asks(self) -> bool:
        """STILL_ASKS, of a row that was read."""
        return self.closed_at is None and self.queue != self.Queue.ANSWERS


STILL_ASKS = Q(closed_at=None) & ~Q(queue=WorkItem.Queue.ANSWERS)
"""Work that a claim waits for. What answers ask is beside that, and ends by itself or by a person."""
