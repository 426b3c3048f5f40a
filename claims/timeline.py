"""Lines of a session's history: appended here, read by partners, never edited."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from claims.fold_entries import TimelineEntry
from claims.landing import Entry
from claims.signals import SessionStatus
from sessions_app.models import SessionEvent


def append(
    entries: Iterable[Entry],
    *,
    partner_id: UUID,
    session_id: UUID,
    at: datetime,
    status: SessionStatus,
) -> None:
    """Append entries in order; those that state the session's status carry `status`."""
    append_many(
        (
            (
                TimelineEntry(entry.type, status if entry.changes_status else None, entry.summary),
                partner_id,
                session_id,
            )
            for entry in entries
        ),
        at=at,
    )


def append_many(entries: Iterable[tuple[TimelineEntry, UUID, UUID]], *, at: datetime) -> None:
    """Append entries, each with its partner and session."""
    SessionEvent.objects.bulk_create(
        SessionEvent(
            partner_id=partner_id,
            session_id=session_id,
            type=entry.type,
            status=entry.status or "",
            summary=entry.summary,
            timestamp=at,
        )
        for entry, partner_id, session_id in entries
    )
