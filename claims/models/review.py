"""What people decided where the machine was not sure: a note's codes, an answer's claim, a change begun."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from claims.models.claim import Claim
from claims.models.signal import ClaimSignal
from partners.fields import EncryptedTextField
from partners.models import Partner
from sessions_app.models import Session


class NoteReview(models.Model):
    """One person's answer to what a note left open: a label for the coder."""

    class Outcome(models.TextChoices):
        CONFIRMED = "confirmed", "Codes confirmed"
        ASKED = "asked", "Clinician asked"
        NOT_BILLABLE = "not_billable", "Not billable"

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="note_reviews")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=12, choices=Outcome)
    reasons = ArrayField(models.CharField(max_length=40), help_text="Why the coder asked.")
    offered = models.JSONField(help_text="Candidates as shown: kind, code, modifier, why.")
    taken = models.JSONField(help_text="Codes as confirmed: kind, code, modifier.")
    evidence = models.JSONField(
        default=list, db_default=[], help_text="Words of the note that the person chose: code, start, end."
    )
    given = models.JSONField(
        default=list, db_default=[], help_text="The codes that partner or staff had given before."
    )
    engine_version = models.CharField(max_length=20)
    lexicon_sha = models.CharField(max_length=64)
    reviewed_at = models.DateTimeField(db_default=Now())
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.outcome} {self.id}"


class AnswerMatch(models.Model):
    """One person said which claim an answer is about; undoing it is written here too."""

    id = models.BigAutoField(primary_key=True)
    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="+", db_index=False)
    signal = models.ForeignKey(ClaimSignal, on_delete=models.PROTECT, related_name="matches")
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="matches")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    agreeing = ArrayField(models.CharField(max_length=60), default=list)
    differing = ArrayField(models.CharField(max_length=60), default=list)
    matched_at = models.DateTimeField(db_default=Now())
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_at = models.DateTimeField(null=True)
    undone_because = models.TextField(blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["signal"], condition=Q(undone_at__isnull=True), name="one_match_an_answer"
            )
        ]

    def __str__(self) -> str:
        return f"{self.id}"


class CorrectionDraft(models.Model):
    """What somebody had typed into a correction when they last looked at its preview."""

    id = models.BigAutoField(primary_key=True)
    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="correction_drafts", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField(help_text="Of the session as it was read.")
    values = EncryptedTextField(help_text="The form's changed fields as JSON.")
    saved_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "user"], name="one_draft_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.id}"
