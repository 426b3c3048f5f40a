"""Hand-written SQL for one partner on Django's connection: role, partner and statement in one message."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import Connection, DataError
from psycopg.adapt import Transformer
from psycopg.pq import Format

from partners.isolation import connect, steps_around
from partners.one_message import Step, run

FIRST = ";\n"
"""Ends a statement that goes before the one whose rows are wanted."""
_ONE_PLAN = b"force_generic_plan"
"""Left to itself, PostgreSQL plans a page each time: it takes an unknown limit for a tenth of all rows."""
_PARAMETER = re.compile(r"%\((\w+)\)s")


def fetch_all(statement: str, parameters: Mapping[str, Any], *, partner_id: UUID) -> list[tuple[Any, ...]]:
    """The rows that the statement returns to this partner; outside of a transaction it is one of its own.

    Its parameters are written `%(name)s`, and what surrounds them gives them their types. What stands in it
    before `FIRST` is a statement of its own, in the same message, and planned for its values each time; where
    there is none, one plan serves all values.
    """
    database = connections[DEFAULT_DB_ALIAS]  # not its proxy, which looks it up at every turn
    connect(database)
    plan = b"auto" if FIRST in statement else _ONE_PLAN
    cursor = _Cursor(database.connection, *steps_around(database, partner_id, plan=plan))
    wrap: Any = database.make_debug_cursor if database.queries_logged else database.make_cursor
    wrap(cursor).execute(statement, parameters)
    return cursor.rows


def fetch_one(statement: str, parameters: Mapping[str, Any], *, partner_id: UUID) -> tuple[Any, ...] | None:
    """The first row, or None."""
    rows = fetch_all(statement, parameters, partner_id=partner_id)
    return rows[0] if rows else None


class _Cursor:
    """As much of a cursor as Django's wrapper asks for, which counts queries and translates errors."""

    def __init__(self, connection: Connection[Any], before: list[Step], after: list[Step]) -> None:
        self._connection, self._before, self._after = connection, before, after
        self._query: Message | None = None  # Django's log of queries looks here
        self.rows: list[tuple[Any, ...]] = []

    def execute(self, text: str, parameters: Mapping[str, Any]) -> None:
        """Execute the statement between the steps before and after it, and keep its rows."""
        self._query = message_of(text)
        results = run(self._connection, [*self._before, *self._query.steps(parameters), *self._after])
        result = results[-1 - len(self._after)]
        rows = Transformer(self._connection)
        rows.set_pgresult(result)
        self.rows = rows.load_rows(0, result.ntuples, tuple)


class Statement:
    """A statement as PostgreSQL takes it, with numbers for names."""

    def __init__(self, text: str) -> None:
        self.names = list(dict.fromkeys(_PARAMETER.findall(text)))
        self.query = _PARAMETER.sub(lambda found: f"${self.names.index(found[1]) + 1}", text).encode()

    def step(self, parameters: Mapping[str, Any]) -> Step:
        """The statement with these values."""
        values = [parameters[name] for name in self.names]
        return Step(
            self.query,
            [None if value is None else _WRITERS[type(value)](value) for value in values],
            [Format.BINARY if type(value) is bytes else Format.TEXT for value in values],
        )


class Message:
    """Statements that go out together: those before the last are planned for their values each time."""

    def __init__(self, text: str) -> None:
        *self._before, self._last = [Statement(part) for part in text.split(FIRST)]
        self.query = FIRST.encode().join(each.query for each in (*self._before, self._last))

    def steps(self, parameters: Mapping[str, Any]) -> list[Step]:
        """The statements with these values."""
        before = [each.step(parameters)._replace(kept=False) for each in self._before]
        return [*before, self._last.step(parameters)]


message_of = lru_cache(maxsize=500)(Message)


def _written(text: str) -> bytes:
    if "\0" in text:
        raise DataError("Text with a NUL can't be stored.")  # libpq would end it there
    return text.encode()


_WRITERS: dict[type, Callable[[Any], bytes]] = {
    str: _written,
    bytes: bytes,
    int: b"%d".__mod__,
    UUID: lambda value: str(value).encode(),
    date: lambda value: value.isoformat().encode(),
    datetime: lambda value: value.isoformat().encode(),
    timedelta: lambda value: b"%d microseconds" % (value // timedelta(microseconds=1)),
}
