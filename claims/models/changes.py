"""What happened to claim rows, written by a trigger: whoever changed them, by whatever way."""

from typing import ClassVar

import pghistory
from django.db import models

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
