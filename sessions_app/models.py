"""What happened: the therapy session as the partner told it, its codes, its note, its history."""

from typing import Any, ClassVar

import pghistory
import pgtrigger
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Func, Q
from django.db.models.functions import Now

from partners.fields import EncryptedTextField
from partners.identifiers import new_id
from partners.models import Partner
from providers.models import Provider


class SessionStatus(models.TextChoices):
    """The six values that a partner sees; `claims.lifecycle` alone writes them."""

    PROCESSING = "processing", "Processing"
    SUBMITTED = "submitted", "Submitted"
    ACCEPTED = "accepted", "Accepted"
    REJECTED = "rejected", "Rejected"
    DENIED = "denied", "Denied"
    PAID = "paid", "Paid"


class PlaceOfService(models.TextChoices):
    OFFICE = "office", "Office"
    TELEHEALTH = "telehealth", "Telehealth"


class Session(models.Model):
    """One therapy session of one patient, as told by the partner and corrected since."""

    class Gender(models.TextChoices):
        FEMALE = "F", "Female"
        MALE = "M", "Male"
        UNKNOWN = "U", "Unknown"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="sessions", db_index=False)
    provider = models.ForeignKey(Provider, on_delete=models.PROTECT, related_name="sessions", db_index=False)
    external_session_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 (null is "none yet")
    status = models.CharField(max_length=10, choices=SessionStatus, default=SessionStatus.PROCESSING)
    message = models.TextField(
        default="", help_text="Present tense, for the partner: what happens, what to do."
    )

    patient_first_name = models.CharField(max_length=35)
    patient_last_name = models.CharField(max_length=60)
    patient_search_name = models.CharField(
        max_length=200, editable=False, help_text="Full name, lower case, without accents."
    )
    patient_date_of_birth = models.DateField()
    patient_gender = models.CharField(max_length=1, choices=Gender)
    patient_street = models.CharField(max_length=55)
    patient_line2 = models.CharField(max_length=55, blank=True, default="")
    patient_city = models.CharField(max_length=30)
    patient_state = models.CharField(max_length=2)
    patient_zip = models.CharField(max_length=5)
    member_id = EncryptedTextField()
    member_id_index = models.BinaryField(editable=False, help_text="Blind index of the bare member ID.")
    payer_name = models.CharField(max_length=60)
    payer_id = models.CharField(max_length=80, blank=True, default="")
    group_number = models.CharField(max_length=50, blank=True, default="")

    date_of_service = models.DateField()
    place_of_service = models.CharField(max_length=10, choices=PlaceOfService, default=PlaceOfService.OFFICE)
    duration_minutes = models.PositiveSmallIntegerField(null=True, blank=True)

    version = models.PositiveIntegerField(
        default=1, help_text="Counts corrections; two editors can't overwrite."
    )
    request_id = models.CharField(max_length=64, blank=True, default="", editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["partner", "external_session_id"],
                condition=Q(external_session_id__isnull=False),
                name="external_session_id_once",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["partner", "-created_at", "-id"],
                include=["patient_search_name"],
                name="session_newest_named",
            ),
            models.Index(fields=["partner", "status", "-created_at", "-id"], name="session_by_status"),
            models.Index(fields=["partner", "provider", "-created_at", "-id"], name="session_by_provider"),
            models.Index(
                fields=["partner", "-date_of_service"],
                include=["created_at", "id"],
                name="session_by_date_back",
            ),
            models.Index(fields=["member_id_index", "date_of_service"], name="session_by_member"),
            models.Index(fields=["partner", "patient_date_of_birth"], name="session_by_birth"),
            GinIndex(
                Func("partner", "patient_search_name", function="name_keys"), name="session_by_name_keys"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class SessionNote(models.Model):
    """The clinical note of a session, encrypted; kept apart so that it can be purged."""

    session = models.OneToOneField(Session, primary_key=True, on_delete=models.CASCADE, related_name="note")
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    text = EncryptedTextField(null=True, help_text="Null once purged.")
    coding = EncryptedTextField(
        null=True, help_text="The coder's result as JSON; its quotes are of the note."
    )
    coded_at = models.DateTimeField(null=True)
    purged_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"Note of {self.session_id}"


class SessionCode(models.Model):
    """A diagnosis or procedure code of a session, and where it came from."""

    class Kind(models.TextChoices):
        DIAGNOSIS = "diagnosis", "Diagnosis"
        PROCEDURE = "procedure", "Procedure"

    class Source(models.TextChoices):
        SENT = "sent", "Sent by the partner"
        DERIVED = "derived", "From the minutes"
        NOTE = "note", "From the note"
        STAFF = "staff", "By billing staff"

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="codes", db_index=False)
    kind = models.CharField(max_length=9, choices=Kind)
    position = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=8)
    description = models.CharField(max_length=255, blank=True, default="")
    modifier = models.CharField(max_length=2, blank=True, default="")
    modifier_added = models.BooleanField(
        default=False, help_text="The service added it: telehealth without one."
    )
    units = models.PositiveSmallIntegerField(default=1)
    source = models.CharField(max_length=7, choices=Source, default=Source.SENT)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "kind", "position"], name="code_position_once")
        ]

    def __str__(self) -> str:
        return self.in_words(self.code, self.modifier)

    @staticmethod
    def in_words(code: str, modifier: str = "", units: int = 1) -> str:
        """A code with its modifier, and with its units where they are more than one."""
        written = f"{code}-{modifier}" if modifier else code
        return f"{written} x {units}" if units > 1 else written


class SessionEvent(models.Model):
    """One line of a session's `events` and `timeline`; never edited: a trigger refuses.

    Partitioned by the month in which the session's id was made, and found by session: the database's key is
    (session, id).
    """

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="events", db_index=False)
    type = models.CharField(max_length=20)
    status = models.CharField(
        max_length=10, blank=True, default="", help_text="Empty: the status did not change."
    )
    summary = models.TextField()
    timestamp = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.type} {self.timestamp:%Y-%m-%d %H:%M}"


WRITTEN_BY_STAFF = pgtrigger.Q(new__source=SessionCode.Source.STAFF)
NOT_OF_INTEREST = [
    "status",
    "message",
    "patient_search_name",
    "member_id_index",
    "updated_at",
    "created_at",
]
"""`claims` tells of the status; the others follow from something else."""
WATCHED = [
    column.name
    for column in Session._meta.local_fields
    if column.name not in NOT_OF_INTEREST and column.name != "member_id"
]
"""A member ID that changes brings a new version with it; one that is only encrypted anew does not."""
_changes: dict[str, Any] = {
    "obj_field": pghistory.ObjForeignKey(related_name="+", null=True),
    "context_field": pghistory.ContextJSONField(),
    "context_id_field": None,
}


class StaffDeed(models.TextChoices):
    """What a person did that changes no field of the session: labels of events, and words for them."""

    RELEASED = "released", "let it go on"
    RESENT = "resent", "sent the claim again"
    VOIDED = "voided", "voided the claim"
    WROTE = "wrote", "wrote to the partner"
    ASKED = "asked", "asked the payer, which has no such claim"
    POSTED = "posted", "posted a payment by hand"
    UNPOSTED = "unposted", "took back what was posted by hand"
    FILED = "filed", "filed an answer with its claim"
    UNFILED = "unfiled", "took an answer out of its claim"
    ENDED = "ended", "was done with an answer"
    TOOK_UP = "took_up", "took an answer up again"


class SessionChange(
    pghistory.create_event_model(  # type: ignore[misc]  # a base that is made at run time
        Session,
        pghistory.UpdateEvent(row=pghistory.Old, condition=pgtrigger.AnyChange(*WATCHED)),
        *map(pghistory.ManualEvent, StaffDeed.values),
        exclude=NOT_OF_INTEREST,
        model_name="SessionChangeBase",
        **_changes,
    )
):
    """A session as it was before one of its fields changed; a trigger writes it, whoever made the change.

    Or as it was when staff did something to it: those are labelled by `StaffDeed`.
    `pgh_context` names the member of staff, and why; it is null where the interface or a worker did it.
    """

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pgh_obj", "-pgh_id"], name="change_of_session")]


class SessionCodeChange(
    pghistory.create_event_model(  # type: ignore[misc]  # a base that is made at run time
        SessionCode,
        pghistory.InsertEvent(condition=WRITTEN_BY_STAFF),
        pghistory.UpdateEvent(row=pghistory.Old),
        pghistory.DeleteEvent(),
        exclude=["description", "partner"],
        model_name="SessionCodeChangeBase",
        **_changes,
    )
):
    """A code that staff wrote, or one as it was before it changed or went."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["session", "-pgh_id"], name="change_of_code")]
