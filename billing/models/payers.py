"""Payers, the names they go by, and their habits."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator, URLValidator
from django.db import models
from django.db.models import Q

from billing.payers.names import search_text
from billing.rules.member_id_form import FormError, form_of


class PayerClass(models.TextChoices):
    """What kind of payer this is, in the words of the claim rules; filing code and several rules follow."""

    COMMERCIAL = "commercial", "Commercial insurer or administrator"
    BLUE = "blue", "Blue Cross or Blue Shield plan"
    HMO = "hmo", "Health maintenance organization"
    PPO = "ppo", "Preferred provider organization"
    POINT_OF_SERVICE = "point_of_service", "Point-of-service plan"
    EXCLUSIVE_PROVIDER = "exclusive_provider", "Exclusive provider organization"
    INDEMNITY = "indemnity", "Indemnity insurance"
    MEDICARE = "medicare", "Medicare Part B"
    MEDICARE_ADVANTAGE = "medicare_advantage", "Medicare Advantage"
    MEDICAID = "medicaid", "Medicaid of a state"
    MEDICAID_MANAGED = "medicaid_managed", "Medicaid managed care"
    TRICARE = "tricare", "TRICARE"
    VETERANS = "veterans", "Veterans Affairs"
    FEDERAL_EMPLOYEES = "federal_employees", "Federal employees"
    OTHER_FEDERAL = "other_federal", "Other federal program"


class ClaimFilingCode(models.TextChoices):
    """SBR09 of the 837P and CLP06 of the 835: the kind of coverage that a claim is filed under."""

    OTHER_NON_FEDERAL = "11", "Other non-federal program"
    PREFERRED_PROVIDER = "12", "Preferred provider organization"
    POINT_OF_SERVICE = "13", "Point of service"
    EXCLUSIVE_PROVIDER = "14", "Exclusive provider organization"
    INDEMNITY = "15", "Indemnity insurance"
    MEDICARE_ADVANTAGE = "16", "Medicare Advantage HMO"
    AUTOMOBILE = "AM", "Automobile medical"
    BLUE = "BL", "Blue Cross or Blue Shield"
    TRICARE = "CH", "TRICARE"
    COMMERCIAL = "CI", "Commercial insurance"
    DISABILITY = "DS", "Disability"
    FEDERAL_EMPLOYEES = "FI", "Federal employees program"
    HEALTH_MAINTENANCE = "HM", "Health maintenance organization"
    LIABILITY = "LM", "Liability medical"
    MEDICARE_PART_A = "MA", "Medicare Part A"
    MEDICARE_PART_B = "MB", "Medicare Part B"
    MEDICAID = "MC", "Medicaid"
    OTHER_FEDERAL = "OF", "Other federal program"
    TITLE_V = "TV", "Title V"
    VETERANS_AFFAIRS = "VA", "Veterans Affairs"
    WORKERS_COMPENSATION = "WC", "Workers' compensation"
    UNKNOWN = "ZZ", "Kind of insurance not known"


class TelehealthModifierPolicy(models.TextChoices):
    """What a payer wants on telehealth lines in place of the automatic 95."""

    KEEP = "95", "Keep 95"
    REWRITE_GT = "GT", "Write GT in its place"
    DROP = "none", "Send no telehealth modifier"


class FoundByName(models.Model):
    """What is found by the words of its name."""

    name: models.CharField
    search_text = models.CharField(max_length=400, editable=False)
    search_vector = models.GeneratedField(
        expression=SearchVector("search_text", config="simple"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the searched words in step with the name."""
        self.search_text = search_text(self.name)
        if (fields := kwargs.get("update_fields")) is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "search_text"}
        super().save(*args, **kwargs)


class Payer(FoundByName):
    """A carrier that claims can be sent to, under the electronic id that routes them."""

    payer_id = models.CharField(
        "payer ID",
        max_length=80,
        unique=True,
        validators=[RegexValidator(r"^[!-~](?:[ -~]*[!-~])?\Z", "A payer ID is made of ASCII characters.")],
        help_text="Its electronic ID: leading zeros count.",
    )
    name = models.CharField(max_length=60, help_text="The carrier's name, never a plan's or product's.")
    avatar_url = models.CharField(
        "avatar URL", max_length=500, blank=True, default="", validators=[URLValidator(schemes=["https"])]
    )
    supports_professional_claims = models.BooleanField(default=True)
    states = ArrayField(
        models.CharField(max_length=2),
        default=list,
        blank=True,
        help_text="States it works in, as postal codes; empty means all.",
    )
    prominence = models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(9)],
        help_text="0 to 9: how often therapy claims go there; breaks ties in the search.",
    )
    active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "payer_id"]
        indexes = [
            GinIndex(fields=["search_vector"], name="payer_search_words"),
            models.Index(fields=["search_text"], name="payer_search_text"),
            models.Index(fields=["updated_at"], name="payer_updated_at"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.payer_id})"


class PayerAlias(FoundByName):
    """Another name that people or directories use for a payer: an abbreviation, an old name, a plan."""

    payer = models.ForeignKey(Payer, on_delete=models.CASCADE, related_name="aliases", db_index=False)
    name = models.CharField(max_length=150)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "payer aliases"
        constraints = [
            models.UniqueConstraint(
                fields=["payer", "search_text"],
                name="payer_alias_once",
                violation_error_message="This payer already has an alias that reads the same.",
            )
        ]
        indexes = [
            GinIndex(fields=["search_vector"], name="payer_alias_search_words"),
            models.Index(fields=["search_text"], name="payer_alias_search_text"),
        ]

    def __str__(self) -> str:
        return self.name


def validate_pattern(pattern: str) -> None:
    """Refuse what can't be read, or could be tried for ever."""
    try:
        form_of(pattern)
    except FormError as error:
        raise ValidationError(str(error)) from error


class PayerProfile(models.Model):
    """How a payer wants its claims; billing staff edit it, and a claim reads it when it is built."""

    payer = models.OneToOneField(Payer, on_delete=models.CASCADE, related_name="profile", primary_key=True)
    payer_class = models.CharField(max_length=30, choices=PayerClass, default=PayerClass.COMMERCIAL)
    claim_filing_code = models.CharField(
        max_length=2, choices=ClaimFilingCode, default=ClaimFilingCode.COMMERCIAL, help_text="SBR09."
    )
    telehealth_place_of_service = models.CharField(
        max_length=2,
        default="10",
        choices=[
            ("10", "10 Telehealth, patient at home"),
            ("02", "02 Telehealth elsewhere"),
            ("11", "11 Office"),
        ],
    )
    telehealth_modifier_policy = models.CharField(
        max_length=4, choices=TelehealthModifierPolicy, default=TelehealthModifierPolicy.KEEP
    )
    timely_filing_days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Days from the date of service; the smallest figure found. Empty: not known.",
    )
    timely_filing_confirmed = models.BooleanField(
        default=False, help_text="Staff have read it in the contract: only then does a late claim stop."
    )
    timely_filing_basis = models.CharField(max_length=200, blank=True, default="")
    member_id_pattern = models.CharField(
        "member ID pattern",
        max_length=200,
        blank=True,
        default="",
        validators=[validate_pattern],
        help_text="Regular expression for a whole member ID, upper case, without blanks and dashes.",
    )
    member_id_example = models.CharField(
        "member ID example",
        max_length=40,
        blank=True,
        default="",
        help_text="An invented ID of that form, for messages.",
    )
    claim_enrollment_required = models.BooleanField(
        default=False,
        help_text="It takes electronic claims only from whom it has enrolled (PRV-009).",
    )
    remittance_enrollment_required = models.BooleanField(
        default=True,
        help_text="It sends electronic remittances only to whom it has enrolled for them (PRV-010).",
    )
    pays_90887 = models.BooleanField(
        "pays 90887 (explaining results to the family)",
        default=False,
        db_default=False,
        help_text="Most payers count it as part of the session, and claims with it get a warning (CPT-016).",
    )
    pays_phone_assessment = models.BooleanField(
        "pays 98966 to 98968 (assessment by phone)",
        default=False,
        db_default=False,
        help_text="Few payers do, and claims with one get a warning (CPT-016).",
    )
    phone_codes_without_95 = models.BooleanField(
        "wants 98966 to 98968 without telehealth marks",
        default=False,
        db_default=False,
        help_text="Neither modifier 95 nor a telehealth place of service beside them (MOD-007).",
    )
    most_units_96127 = models.PositiveSmallIntegerField(
        "most units of 96127 a day (brief assessment)",
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(99)],
        help_text="More get a warning (CPT-016). Empty: the usual four.",
    )
    held_rules = ArrayField(
        models.CharField(max_length=12),
        default=list,
        db_default=[],
        blank=True,
        editable=False,
        help_text="Claim rules whose warnings hold this payer's claims.",
    )
    notes = models.TextField(blank=True, default="")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["payer__name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(timely_filing_days__isnull=True) | Q(timely_filing_days__range=(1, 3660)),
                name="payer_profile_timely_filing_days",
                violation_error_message="Timely filing is between 1 and 3,660 days.",
            ),
            models.CheckConstraint(
                condition=Q(timely_filing_confirmed=False) | Q(timely_filing_days__isnull=False),
                name="payer_profile_confirmed_has_days",
                violation_error_message="A confirmed limit needs its number of days.",
            ),
        ]

    def __str__(self) -> str:
        return f"Profile of {self.payer_id}"
