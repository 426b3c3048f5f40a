"""Lines of a session's history: appended here, read by partners, never edited."""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol
from uuid import UUID

from claims.fold.entries import TimelineEntry
from sessions_app.models import SessionEvent


class OfSession(Protocol):
    """A claim, or what was read of one: it names its session."""

    @property
    def partner_id(self) -> UUID: ...
    @property
    def session_id(self) -> UUID: ...


def append(entries: Iterable[tuple[TimelineEntry, OfSession]], *, at: datetime) -> None:
    """Append entries in order, each to the session of its claim."""
    SessionEvent.objects.bulk_create(
        SessionEvent(
            partner_id=claim.partner_id,
            session_id=claim.session_id,
            type=entry.type,
            status=entry.status or "",
            summary=entry.summary,
            timestamp=at,
        )
        for entry, claim in entries
    )
