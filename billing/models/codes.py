"""Releases of code sets, and the diagnosis codes in them."""

from django.db import models
from django.db.models import F, Q


class CodeSystem(models.TextChoices):
    """The code sets that are loaded by release."""

    ICD_10_CM = "icd_10_cm", "ICD-10-CM"


class CodeSetRelease(models.Model):
    """One release of a code set and the dates of service that it is in force for; its codes never change."""

    code_system = models.CharField(max_length=20, choices=CodeSystem, default=CodeSystem.ICD_10_CM)
    name = models.CharField(max_length=40, help_text="For instance FY2027.")
    valid_from = models.DateField()
    valid_to = models.DateField(help_text="The last date of service, inclusive.")
    source = models.CharField(max_length=200, blank=True, default="")
    code_count = models.PositiveIntegerField(default=0)
    billable_count = models.PositiveIntegerField(default=0)
    loaded_at = models.DateTimeField(auto_now_add=True)
    active = models.BooleanField(default=True, help_text="An inactive release judges no code.")
    packed = models.BinaryField(
        default=b"", editable=False, help_text="All its codes in the form that note coding reads."
    )

    class Meta:
        ordering = ["-valid_from", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["code_system", "name"], name="code_set_release_once"),
            models.CheckConstraint(
                condition=Q(valid_to__gte=F("valid_from")),
                name="code_set_release_dates",
                violation_error_message="A release can't end before it begins.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_code_system_display()} {self.name}"


class DiagnosisCode(models.Model):
    """One ICD-10-CM code or heading of one release; titles are public domain."""

    release = models.ForeignKey(
        CodeSetRelease, on_delete=models.CASCADE, related_name="diagnosis_codes", db_index=False
    )
    # The C collation makes "everything under F41" a range of the index, in the order of the book.
    code = models.CharField(max_length=8, db_collation="C", help_text="With its dot: F41.1.")
    billable = models.BooleanField(help_text="False: a heading, too short for a claim.")
    title = models.CharField(max_length=255)

    class Meta:
        ordering = ["code"]
        constraints = [
            models.UniqueConstraint(fields=["release", "code"], name="diagnosis_code_once_a_release")
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"
