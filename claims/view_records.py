"""Writes down who saw which session, before it is shown."""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from claims.models import ViewRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User

What = ViewRecord.What


def record_view(user: "User", *, what: What, session_id: UUID | None, detail: str = "") -> None:
    """Write that this person now sees a session, its note, its claim, or a raw file."""
    ViewRecord.objects.create(user=user, session_id=session_id, what=what, detail=detail[:120])


def record_export(user: "User", *, session_ids: Iterable[UUID], detail: str) -> None:
    """Write that this person exports these sessions' rows, each once."""
    ViewRecord.objects.bulk_create(
        [
            ViewRecord(user=user, session_id=session_id, what=What.EXPORT, detail=detail[:120])
            for session_id in dict.fromkeys(session_ids)
        ],
        batch_size=1000,
    )
