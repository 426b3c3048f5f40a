"""Who looked at what: written before the page, the note, the file or the export leaves."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from sessions_app.models import Session


class ViewRecord(models.Model):
    """One person saw one session, or one thing of it; never edited."""

    class What(models.TextChoices):
        PAGE = "page", "the session"
        NOTE = "note", "its clinical note"
        CLAIM = "claim", "its claim"
        RAW_FILE = "raw_file", "a raw file"
        EXPORT = "export", "an export with it"

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    session = models.ForeignKey(
        Session, null=True, on_delete=models.CASCADE, related_name="view_records", db_index=False
    )
    what = models.CharField(max_length=8, choices=What)
    detail = models.CharField(
        max_length=120, blank=True, default="", help_text="Which file or list; no patient data."
    )
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        permissions: ClassVar = [("view_audit", "Can see who did what")]
        indexes: ClassVar = [
            models.Index(fields=["session", "-id"], name="view_of_session"),
            models.Index(fields=["user", "-id"], name="view_by_user"),
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.id}"
