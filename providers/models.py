"""Who treated and what it costs: practices, rendering providers, charge rates, enrollments."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField, DateRangeField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from billing.models import Payer
from partners.identifiers import new_id
from partners.models import Mode, Partner


class Practice(models.Model):
    """A practice (billing provider) as the partner gave it; fallbacks are resolved when a claim is built."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="practices", db_index=False)
    name = models.CharField(max_length=60)
    npi = models.CharField("organization NPI", max_length=10, blank=True, default="")
    tax_id = models.CharField("tax ID (EIN)", max_length=9)
    taxonomy_code = models.CharField(max_length=10, blank=True, default="")
    street = models.CharField(max_length=55)
    line2 = models.CharField("second line", max_length=55, blank=True, default="")
    city = models.CharField(max_length=30)
    state = models.CharField(max_length=2)
    zip = models.CharField("ZIP", max_length=9)
    phone = models.CharField(max_length=10, blank=True, default="")
    contact_name = models.CharField(max_length=60, blank=True, default="")
    fingerprint = models.BinaryField(editable=False, help_text="Hash of all fields, case and spaces aside.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["partner", "fingerprint", "created_at"], name="practice_same")
        ]

    def __str__(self) -> str:
        return self.name


class Provider(models.Model):
    """An individual therapist (rendering provider); an NPI belongs to one partner within a mode."""

    id = models.UUIDField("ID", primary_key=True, default=new_id, editable=False)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="providers")
    mode = models.CharField(max_length=4, choices=Mode, editable=False)
    practice = models.ForeignKey(Practice, on_delete=models.PROTECT, related_name="providers")
    npi = models.CharField("NPI", max_length=10)
    first_name = models.CharField(max_length=35)
    last_name = models.CharField(max_length=60)
    taxonomy_code = models.CharField(
        max_length=10, blank=True, default="", help_text="As the partner sent it."
    )
    inferred_taxonomy_code = models.CharField(
        max_length=10, blank=True, default="", editable=False, help_text="From specialty or credentials."
    )
    specialty = models.CharField(max_length=100, blank=True, default="")
    credentials = models.CharField(max_length=30, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["mode", "npi"], name="provider_npi_once_a_mode")
        ]

    def __str__(self) -> str:
        return f"NPI {self.npi}"


class ChargeSchedule(models.Model):
    """A list of charge rates of one scope: a practice's, a partner's, or the service's own."""

    class Scope(models.TextChoices):
        PRACTICE = "practice", "Practice"
        PARTNER = "partner", "Partner"
        SERVICE = "service", "Service"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=8, choices=Scope)
    partner = models.ForeignKey(Partner, null=True, blank=True, on_delete=models.PROTECT)
    practice = models.ForeignKey(Practice, null=True, blank=True, on_delete=models.PROTECT)
    sample = models.BooleanField(
        default=False, help_text="Invented prices: they serve test organizations only."
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="schedule_owner_fits_scope",
                condition=Q(scope="practice", practice__isnull=False, partner__isnull=False)
                | Q(scope="partner", practice__isnull=True, partner__isnull=False)
                | Q(scope="service", practice__isnull=True, partner__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["scope", "partner", "practice", "sample"],
                nulls_distinct=False,
                name="one_schedule_an_owner",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ChargeRate(models.Model):
    """What one unit of a service costs; empty dimensions match anything, a rate is ended, never edited."""

    class LicenseClass(models.TextChoices):
        ANY = "", "Any"
        PRESCRIBER = "prescriber", "Prescriber"
        DOCTORAL = "doctoral", "Doctoral"
        MASTER = "master", "Master's level"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    schedule = models.ForeignKey(
        ChargeSchedule, on_delete=models.PROTECT, related_name="rates", db_index=False
    )
    procedure_code = models.CharField(max_length=5)
    modifiers = ArrayField(
        models.CharField(max_length=2),
        null=True,
        blank=True,
        help_text="Sorted; empty matches any modifiers.",
    )
    place_of_service = models.CharField(
        max_length=10, blank=True, default="", choices=[("office", "Office"), ("telehealth", "Telehealth")]
    )
    payer_id = models.CharField("payer ID", max_length=80, blank=True, default="")
    license_class = models.CharField(max_length=10, choices=LicenseClass, blank=True, default="")
    unit_charge = models.DecimalField(max_digits=10, decimal_places=2)
    valid = DateRangeField(help_text="First day of service, and the first day that it no longer serves.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(unit_charge__gt=0), name="rate_above_zero"),
        ]
        indexes: ClassVar = [models.Index(fields=["schedule", "procedure_code"], name="rate_by_code")]

    def __str__(self) -> str:
        return f"{self.procedure_code} {self.unit_charge}"


class Enrollment(models.Model):
    """How far whoever bills under an NPI is enrolled with a payer; staff keep it.

    As soon as an NPI has one row here, a payer without one counts as not enrolled with.
    """

    class Status(models.TextChoices):
        NONE = "none", "Not enrolled"
        PENDING = "pending", "Asked for, not live yet"
        LIVE = "live", "Live"

    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    npi = models.CharField(
        "billing NPI",
        max_length=10,
        help_text="The practice's NPI; of a therapist who bills without an organization, the therapist's.",
    )
    payer = models.ForeignKey(Payer, on_delete=models.PROTECT, related_name="+")
    claims = models.CharField(
        "for claims",
        max_length=7,
        choices=Status,
        default=Status.NONE,
        help_text="Counts where the payer's profile asks for it: claims are then held until it is live.",
    )
    remittances = models.CharField(
        "for electronic remittances",
        max_length=7,
        choices=Status,
        default=Status.NONE,
        help_text="Until it is live no remittance comes, and a payer's answer to an inquiry settles a claim.",
    )
    note = models.CharField(max_length=200, blank=True, default="", help_text="Reference, date asked for …")
    updated_at = models.DateTimeField(auto_now=True, db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["partner", "npi", "payer"],
                name="enrollment_once",
                violation_error_message="This NPI has an enrollment with this payer already.",
            )
        ]

    def __str__(self) -> str:
        return f"{self.npi} with {self.payer.name}"

    def clean(self) -> None:
        """An NPI under which this partner bills."""
        if not (self.npi and self.partner_id):
            return
        known = (
            Practice.objects.filter(partner=self.partner_id, npi=self.npi).exists()
            or Provider.objects.filter(partner=self.partner_id, npi=self.npi).exists()
        )
        if not known:
            raise ValidationError({"npi": "No practice or therapist of this partner has this NPI."})


class AllowedAmount(models.Model):
    """What a payer allowed a practice the last time for one unit of a service, and what was charged then."""

    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    practice = models.ForeignKey(Practice, on_delete=models.PROTECT, related_name="+", db_index=False)
    payer_id = models.CharField("payer ID", max_length=80)
    procedure_code = models.CharField(max_length=5)
    allowed = models.DecimalField(max_digits=10, decimal_places=2)
    charged = models.DecimalField(max_digits=10, decimal_places=2)
    paid_on = models.DateField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["practice", "payer_id", "procedure_code"], name="allowed_amount_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.procedure_code} {self.allowed}"
