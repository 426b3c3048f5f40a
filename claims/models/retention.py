"""What may not be purged, whatever the schedule says."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from sessions_app.models import Session


class LegalHold(models.Model):
    """Everything of a session is kept until the hold is lifted: litigation, an audit, an investigation."""

    id = models.BigAutoField(primary_key=True)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="legal_holds")
    reason = models.CharField(max_length=200, help_text="Matter or file number; no patient data.")
    placed_at = models.DateTimeField(db_default=Now())
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session"], condition=Q(lifted_at__isnull=True), name="one_hold_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"Legal hold {self.pk}"
