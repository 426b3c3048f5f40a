"""Hand-written SQL on Django's connection, bound by the server so that PostgreSQL can keep the plan."""

from collections.abc import Mapping
from typing import Any

from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor


def fetch_all(statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows that the statement returns."""
    connection.ensure_connection()
    cursor = ServerBindingCursor(connection.connection)
    wrapped = (connection.make_debug_cursor if connection.queries_logged else connection.make_cursor)(cursor)
    with wrapped:
        wrapped.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = wrapped.fetchall()
        return rows


def fetch_one(statement: str, parameters: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The first row, or None."""
    rows = fetch_all(statement, parameters)
    return rows[0] if rows else None
