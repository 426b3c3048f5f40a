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
    append_many(((entry, status, partner_id, session_id) for entry in entries), at=at)


def append_many(entries: Iterable[tuple[Entry, SessionStatus, UUID, UUID]], *, at: datetime) -> None:
    """Append entries, each with its session's status after it, the partner and the session."""
    SessionEvent.objects.bulk_create(
        SessionEvent(
            partner_id=partner_id,
            session_id=session_id,
            type=entry.type,
            status=status if entry.changes_status else "",
            summary=entry.summary,
            timestamp=at,
        )
        for entry, status, partner_id, session_id in entries
    )
