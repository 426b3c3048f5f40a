"""Counted days, so that nobody counts a million sessions: for the home page's charts and the claim rules."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from partners.models import Partner


class DailyFigure(models.Model):
    """The sessions of one day of service with one partner, payer, claim status and reason.

    A row without a partner is the sum over all of them, which the home page's charts are drawn from.
    """

    id = models.BigAutoField(primary_key=True)
    day = models.DateField(help_text="Of service.")
    partner = models.ForeignKey(
        Partner, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    payer_name = models.CharField(max_length=60)
    status = models.CharField(max_length=22, help_text="Of the newest version of the claim.")
    reason = models.CharField(max_length=40, blank=True, default="")
    sessions = models.PositiveIntegerField()
    charged = models.DecimalField(max_digits=14, decimal_places=2)
    paid = models.DecimalField(max_digits=14, decimal_places=2)
    paid_within = ArrayField(
        models.PositiveIntegerField(),
        default=list,
        help_text="How many were paid 0-4, 5-9, … and 70 or more days after the service.",
    )
    counted_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["day", "partner", "payer_name", "status", "reason"],
                nulls_distinct=False,
                name="figure_once",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["day"], name="figure_of_all", condition=Q(partner=None)),
            models.Index(fields=["status", "day"], name="figure_of_all_by_status", condition=Q(partner=None)),
            models.Index(fields=["partner", "day"], name="figure_of_partner"),
        ]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d} {self.status}"


class RuleFigure(models.Model):
    """How many claims a rule hit on one day: each finding that a check brought and the one before had not."""

    id = models.BigAutoField(primary_key=True)
    day = models.DateField()
    rule = models.CharField(max_length=12)
    hits = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["rule", "day"], name="rule_counted_once")]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d} {self.rule}"
