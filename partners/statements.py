"""Hand-written SQL on Django's connection, bound by the server so that PostgreSQL can keep the plan."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.postgresql.base import ServerBindingCursor

from partners.isolation import one_statement_as

_server_binding_cursor: Any = ServerBindingCursor


def fetch_all(statement: str, parameters: Mapping[str, Any], *, partner_id: UUID) -> list[tuple[Any, ...]]:
    """The rows that the statement returns to this partner; outside of a transaction it is one of its own."""
    database = connections[DEFAULT_DB_ALIAS]  # not its proxy, which looks it up at every turn
    with one_statement_as(partner_id):
        cursor: Any = _server_binding_cursor(database.connection)
        wrap = database.make_debug_cursor if database.queries_logged else database.make_cursor
        with wrap(cursor) as wrapped:
            wrapped.execute(statement, parameters)
            rows: list[tuple[Any, ...]] = wrapped.fetchall()
            return rows


def fetch_one(statement: str, parameters: Mapping[str, Any], *, partner_id: UUID) -> tuple[Any, ...] | None:
    """The first row, or None."""
    rows = fetch_all(statement, parameters, partner_id=partner_id)
    return rows[0] if rows else None
