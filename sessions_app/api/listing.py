"""The list of sessions: filters, a page by keyset, and the way to the next one."""

from datetime import datetime
from typing import Any
from uuid import UUID

from partners.api.fields import Choice, Coded, Day, Text, WholeNumber
from partners.api.paging import CursorRefused, Position, read_cursor, write_cursor
from partners.api.reading import StrictSerializer
from partners.audit import reader
from partners.auth import Caller
from partners.issues import Invalid, Issue
from partners.statements import fetch_all
from providers.api.serializers import NPI
from sessions_app.api import shapes, statements
from sessions_app.models import SessionStatus
from sessions_app.patient_names import SHORTEST_KEYED, pattern, words_of

DEFAULT_LIMIT = 25


class ListQuerySerializer(StrictSerializer):
    """Filters and paging of the list."""

    limit = WholeNumber(1, 100, instead=DEFAULT_LIMIT)
    pageToken = Text(200, required=False)
    status = Choice(SessionStatus.values, required=False)
    providerNpi = Coded(*NPI, required=False)
    patientName = Text(200, required=False)
    dateFrom = Day(required=False)
    dateTo = Day(required=False)
    externalSessionId = Text(255, required=False)


class QueryInvalid(Invalid):
    """The parameters don't fit together, or the page token does not fit them."""


def list_sessions(caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
    """One page, newest first, as the interface shapes it."""
    filters = {
        name: value
        for name, value in query.items()
        if name not in ("limit", "pageToken") and value is not None
    }
    if "dateFrom" in filters and "dateTo" in filters and filters["dateFrom"] > filters["dateTo"]:
        raise QueryInvalid([Issue("dateFrom", "Must not be after dateTo.")])
    if "patientName" in filters and not words_of(filters["patientName"]):
        raise QueryInvalid(
            [Issue("patientName", "Must have a letter to look for, not signs or accents alone.")]
        )
    limit = query.get("limit", DEFAULT_LIMIT)
    after = _position(query.get("pageToken"), caller.partner_id, filters)
    rows = _read_page(caller, filters, after=after, limit=limit + 1)
    shown = rows[:limit]
    token = None
    if len(rows) > limit:
        last = Position(created_at=datetime.fromisoformat(shown[-1][4]), id=UUID(shown[-1][0]))
        token = write_cursor(last, partner_id=caller.partner_id, filters=filters)
    return {"items": [shapes.list_item(row) for row in shown], "nextPageToken": token}


def _position(token: str | None, partner_id: UUID, filters: dict[str, Any]) -> Position | None:
    if token is None:
        return None
    try:
        return read_cursor(token, partner_id=partner_id, filters=filters)
    except CursorRefused:
        issue = Issue("pageToken", "Not a token of this list; use nextPageToken with the same filters.")
        raise QueryInvalid([issue]) from None


def _read_page(
    caller: Caller, filters: dict[str, Any], *, after: Position | None, limit: int
) -> list[tuple[Any, ...]]:
    parameters: dict[str, Any] = {**filters, **reader(caller), "limit": limit}
    words = words_of(parameters.pop("patientName", ""))
    keyed = [word for word in words if len(word) >= SHORTEST_KEYED]
    parameters |= {f"word{number}": pattern(word) for number, word in enumerate(words)}
    parameters |= {f"keyed{number}": word for number, word in enumerate(keyed)}
    if after is not None:
        parameters |= {"after_created_at": after.created_at, "after_id": after.id}
    statement = statements.page(
        frozenset(filters) - {"patientName"},
        name_words=len(words),
        keyed_words=len(keyed),
        continued=after is not None,
    )
    return fetch_all(statement, parameters, partner_id=caller.partner_id)
