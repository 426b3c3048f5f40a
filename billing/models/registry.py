"""What the NPI registry (NPPES) says of an NPI, as far as it was loaded or looked up."""

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone


class NpiRecord(models.Model):
    """One NPI of the registry; an NPI without a record here is not judged at all."""

    npi = models.CharField(
        "NPI",
        max_length=10,
        unique=True,
        validators=[RegexValidator(r"^[12][0-9]{9}\Z", "An NPI has ten digits and begins with 1 or 2.")],
    )
    found = models.BooleanField(
        "in the registry", default=True, help_text="Without it every claim under this NPI is held (PRV-007)."
    )
    deactivated = models.BooleanField(
        default=False, help_text="Switched off and not on again: every claim under it is held (PRV-007)."
    )
    taxonomies = ArrayField(
        models.CharField(
            max_length=10,
            validators=[RegexValidator(r"^[0-9A-Z]{9}X\Z", "A taxonomy code has ten characters, X last.")],
        ),
        default=list,
        blank=True,
        help_text="The taxonomy codes it lists, with commas between; another one gets a warning (PRV-008).",
    )
    source = models.CharField(max_length=100, help_text="Where this was read.")
    checked_on = models.DateField(help_text="As of which day.")
    updated_at = models.DateTimeField(auto_now=True, db_default=Now())

    class Meta:
        verbose_name = "NPI record"

    def __str__(self) -> str:
        return f"NPI {self.npi}"

    def clean(self) -> None:
        """A day to come would keep every file of the registry from saying otherwise until then."""
        if self.checked_on and self.checked_on > timezone.localdate():
            raise ValidationError({"checked_on": "It lies in the future."})
