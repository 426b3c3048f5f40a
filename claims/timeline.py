"""Lines of a session's history: appended here, read by partners, never edited."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from claims.landing import Entry
from claims.signals import SessionStatus
from sessions_app.models import SessionEvent


def append(
    entries: Iterable[Entry],
    *,
    partner_id: UUID,
    session_id: UUID,
    at: datetime,
    status: SessionStatus = SessionStatus.PROCESSING,
) -> None:
    """Append entries in order; those that state the session's status carry `status`."""
    SessionEvent.objects.bulk_create(
        SessionEvent(
            partner_id=partner_id,
            session_id=session_id,
            type=entry.type,
            status=status if entry.changes_status else "",
            summary=entry.summary,
            timestamp=at,
        )
        for entry in entries
    )
