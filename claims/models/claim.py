"""Claim versions: one row for each claim that was, is or will be sent for a session."""

import json
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from partners.fields import EncryptedTextField
from partners.identifiers import new_id
from partners.models import Partner
from sessions_app.models import Session


class Claim(models.Model):
    """One version of a session's claim, and where its process stands.

    `step` is the pipeline's place, `next_step_at` when it may go on (null: nothing to do until something
    arrives), `status` what the lifecycle says. The row is the queue of record: a task only hints at it.
    """

    class Step(models.TextChoices):
        CODE = "code", "Find codes and charges"
        CHECK = "check", "Check against the claim rules"
        WINDOW = "window", "Wait for corrections"
        BUILD = "build", "Build the claim"
        SEND = "send", "Hand over to the clearinghouse"
        FOLLOW = "follow", "Follow the answers"
        HELD = "held", "Held for a person"

    class Frequency(models.TextChoices):
        ORIGINAL = "1", "Original"
        REPLACEMENT = "7", "Replacement"
        VOID = "8", "Void"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="claims", db_index=False)
    version = models.PositiveSmallIntegerField(default=1)
    frequency = models.CharField(max_length=1, choices=Frequency, default=Frequency.ORIGINAL)
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by"
    )

    step = models.CharField(max_length=6, choices=Step, default=Step.CODE)
    next_step_at = models.DateTimeField(null=True, db_default=Now())
    window_ends_at = models.DateTimeField(help_text="The claim leaves no earlier; every correction moves it.")
    revision = models.PositiveIntegerField(
        default=1,
        help_text="Counts what changed under the process: a step's result lands only on what it read.",
    )
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Tries of its present step.")
    times_sent = models.PositiveSmallIntegerField(db_default=0, help_text="Interchanges written for it.")
    send_alone = models.BooleanField(
        db_default=False, help_text="Its interchange was refused with others in it, and nobody said which."
    )
    lease = models.UUIDField(null=True, editable=False, help_text="Who is sending it now.")
    lease_until = models.DateTimeField(null=True, editable=False)

    status = models.CharField(max_length=22, default="queued")
    status_changed_at = models.DateTimeField(db_default=Now())
    mode = models.CharField(
        max_length=10, blank=True, default="", help_text="test or production, once built."
    )
    gateway = models.CharField(max_length=20, blank=True, default="")
    patient_control_number = models.CharField(max_length=14, null=True, unique=True)  # noqa: DJ001 (null is "none yet")
    payer_control_number = models.CharField(max_length=50, blank=True, default="")
    total_charge = models.DecimalField(max_digits=12, decimal_places=2, null=True)
    allowed = models.DecimalField(max_digits=12, decimal_places=2, null=True)
    paid = models.DecimalField(max_digits=12, decimal_places=2, null=True)
    patient_owes = models.DecimalField(max_digits=12, decimal_places=2, null=True)
    paid_after_days = models.PositiveSmallIntegerField(
        null=True, help_text="Days from the service to the first payment, while something of it is left."
    )
    remittances_expected = models.BooleanField(
        db_default=True,
        help_text="Built while an electronic remittance could come; without one an inquiry's answer settles.",
    )
    file_by = models.DateField(null=True, help_text="Last day of the payer's timely filing, as far as known.")
    snapshot = EncryptedTextField(
        null=True, help_text="Everything that the 837P needs, frozen when built (JSON)."
    )
    built_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)
    last_updated_at = models.DateTimeField(db_default=Now(), help_text="The last signal, or step of ours.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "version"], name="claim_version_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["partner", "next_step_at"], name="claim_due", condition=Q(next_step_at__isnull=False)
            ),
            models.Index(fields=["partner", "status"], name="claim_by_status"),
            models.Index(fields=["status", "-session"], name="claim_newest_by_status"),
            models.Index(
                fields=["paid_after_days", "-session"],
                name="claim_by_wait",
                condition=Q(paid_after_days__isnull=False),
            ),
            models.Index(fields=["-last_updated_at"], name="claim_changed"),
            models.Index(fields=["payer_control_number"], name="claim_by_payer_number"),
        ]

    def __str__(self) -> str:
        return self.patient_control_number or f"{self.id}"

    def draft(self) -> dict[str, Any]:
        """The frozen claim as `ProfessionalClaim.from_json` takes it; empty until it is built."""
        draft: dict[str, Any] = json.loads(self.snapshot) if self.snapshot else {}
        return draft

    @property
    def trace(self) -> dict[str, str]:
        """How a line of the log names it, with the request that its session came by."""
        session = self.session
        return {"claim": str(self.pk), "session": str(session.pk), "request_id": session.request_id}

    @classmethod
    def trace_of(cls, claim_id: UUID) -> dict[str, str]:
        """How a line of the log names a claim of which perhaps nothing else can be read."""
        session_id, request_id = cls.objects.values_list("session_id", "session__request_id").get(pk=claim_id)
        return {"claim": str(claim_id), "session": str(session_id), "request_id": request_id}


class ClaimLine(models.Model):
    """A service line as it was priced and sent."""

    id = models.BigAutoField(primary_key=True)
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="lines", db_index=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveSmallIntegerField()
    procedure_code = models.CharField(max_length=5)
    modifiers = ArrayField(models.CharField(max_length=2), default=list)
    units = models.PositiveSmallIntegerField(default=1)
    charge = models.DecimalField(max_digits=10, decimal_places=2)
    rate = models.ForeignKey("providers.ChargeRate", null=True, on_delete=models.PROTECT, related_name="+")
    line_control_number = models.CharField(max_length=30)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["claim", "number"], name="line_number_once")]

    def __str__(self) -> str:
        return f"{self.line_control_number}"


class Finding(models.Model):
    """What the last check of a claim found: rule, words, field."""

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="findings")
    rule = models.CharField(max_length=12)
    severity = models.CharField(max_length=10)
    path = models.CharField(max_length=100, blank=True, default="")
    message = models.TextField()
    detail = models.JSONField(default=dict, help_text="Candidates and the like, for staff; no patient data.")
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.rule} {self.path}"


class Override(models.Model):
    """A billing lead let a claim go on in spite of a rule, and said why.

    It is about the session as the lead saw it: a correction ends it.
    """

    class DelayReason(models.TextChoices):
        ELIGIBILITY_UNKNOWN = "1", "It wasn't known whether the patient was insured"
        LITIGATION = "2", "A lawsuit"
        AUTHORIZATION = "3", "The authorization came late"
        CERTIFICATION = "4", "The therapist was certified late"
        FORMS = "5", "The billing forms came late"
        THIRD_PARTY = "7", "A third party took long"
        ELIGIBILITY_DECIDED = "8", "Eligibility was decided late"
        FIRST_CLAIM_REFUSED = "9", "The first claim was in time, and refused for another reason"
        PRIOR_APPROVAL = "10", "Prior approval took long"
        OTHER = "11", "Another reason"
        DISASTER = "15", "A natural disaster"

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="overrides")
    session_version = models.PositiveIntegerField(
        null=True, help_text="The session's version that the lead saw; none: it counts for every one."
    )
    rule = models.CharField(max_length=12)
    reason = models.TextField()
    delay_reason_code = models.CharField(
        max_length=2,
        choices=DelayReason,
        blank=True,
        default="",
        db_default="",
        help_text="Why the claim comes after the payer's limit (TFL-002); the claim says it in CLM20.",
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.rule}"

    def counts_for(self, session: Session) -> bool:
        """Tell whether the session is still what the lead saw."""
        return self.session_version in (None, session.version)


class Transmission(models.Model):
    """One interchange on its way out: written once, handed over under one key however often it is tried."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    gateway = models.CharField(max_length=20)
    interchange_control_number = models.PositiveIntegerField(unique=True)
    group_control_number = models.PositiveIntegerField(unique=True)
    file_name = models.CharField(max_length=120, unique=True)
    content = EncryptedTextField(help_text="The 837P interchange, byte for byte.")
    sha256 = models.BinaryField()
    reference = models.CharField(
        max_length=120, blank=True, default="", help_text="The clearinghouse's own id."
    )
    answer = EncryptedTextField(null=True, help_text="Its synchronous answer, word for word.")
    first_attempt_at = models.DateTimeField(null=True)
    """Null again where a person has seen that it never arrived."""
    handed_over_at = models.DateTimeField(null=True, help_text="When the clearinghouse answered.")
    given_up_at = models.DateTimeField(null=True, help_text="When it was certain that nobody had taken it.")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["reference"], name="transmission_by_reference")]

    def __str__(self) -> str:
        return self.file_name


class TransmittedClaim(models.Model):
    """A claim in a transmission: its transaction set there, and the how-manieth time it goes out."""

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    transmission = models.ForeignKey(
        Transmission, on_delete=models.PROTECT, related_name="claims", db_index=False
    )
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="transmissions", db_index=False)
    transaction_control_number = models.CharField(max_length=9)
    ordinal = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["claim", "ordinal"], name="transmission_ordinal_once"),
            models.UniqueConstraint(
                fields=["transmission", "transaction_control_number"], name="transaction_number_once"
            ),
        ]

    def __str__(self) -> str:
        return self.transaction_control_number
