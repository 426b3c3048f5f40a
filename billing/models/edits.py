"""Medicare's quarterly coding edits (NCCI), as far as a therapy claim meets them; a command loads them."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q


class NcciPair(models.Model):
    """Two procedure codes that are not paid on one day (a PTP edit), for dates of service from and to."""

    class Modifier(models.TextChoices):
        NEVER = "0", "Never together"
        SEPARATE = "1", "Together with a modifier that says they were separate"
        NOT_APPLICABLE = "9", "Not applicable"

    column_one = models.CharField(max_length=5)
    column_two = models.CharField(max_length=5, help_text="The one that is not paid.")
    modifier_indicator = models.CharField(max_length=1, choices=Modifier)
    valid_from = models.DateField()
    valid_to = models.DateField(null=True, help_text="Last date of service; empty: still in force.")

    class Meta:
        verbose_name = "NCCI pair"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["column_one", "column_two", "valid_from"], name="ncci_pair_once_a_day"
            ),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")), name="ncci_pair_days"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.column_one}/{self.column_two}"


class NcciUnits(models.Model):
    """The most units of a procedure code that are paid on one day (an MUE), from a quarter's first day."""

    code = models.CharField(max_length=5)
    most_units = models.PositiveSmallIntegerField()
    valid_from = models.DateField()

    class Meta:
        verbose_name = "NCCI units"
        verbose_name_plural = "NCCI units"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["code", "valid_from"], name="ncci_units_once_a_quarter")
        ]

    def __str__(self) -> str:
        return f"{self.code}: {self.most_units}"
