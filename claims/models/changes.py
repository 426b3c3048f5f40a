"""What happened to claims and to the set-up, written by triggers: whoever changed them, by whatever way."""

from typing import ClassVar

import pghistory
from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from claims.models.claim import Claim


class ClaimChange(
    pghistory.create_event_model(  # type: ignore[misc]  # a base that is made at run time
        Claim,
        pghistory.UpdateEvent(row=pghistory.Old),
        fields=[
            "session",
            "version",
            "frequency",
            "status",
            "patient_control_number",
            "payer_control_number",
            "total_charge",
            "paid",
            "patient_owes",
            "file_by",
        ],
        obj_field=pghistory.ObjForeignKey(related_name="+", null=True),
        context_field=pghistory.ContextJSONField(),
        context_id_field=None,
        model_name="ClaimChangeBase",
    )
):
    """A claim as it was before its status, number or money changed."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["session", "-pgh_id"], name="change_of_claim")]


class SetUpChange(models.Model):
    """A row of the set-up that was added, changed or removed: by a member of staff, or by nobody at a desk.

    A trigger on each table of the set-up writes it, and nothing edits it; secrets and keys are left out. What
    was added by an import or through the interface is not written down, what it changed is.
    """

    class What(models.TextChoices):
        ADDED = "I", "added"
        CHANGED = "U", "changed"
        REMOVED = "D", "removed"

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField(db_default=Now(), help_text="When the transaction began.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_constraint=False,
    )
    table_name = models.CharField(max_length=40)
    row_id = models.CharField(max_length=40)
    name = models.CharField(max_length=150, help_text="What people call it, or the key of what it is about.")
    what = models.CharField(max_length=1, choices=What)
    was = models.JSONField(help_text="The columns that changed, before; all of them of what was removed.")
    became = models.JSONField(help_text="The same columns after; all of them of what was added.")

    def __str__(self) -> str:
        return f"{self.table_name} {self.row_id}"
