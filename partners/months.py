"""Tables in partitions by month: the coming months are made ahead, those that retention has emptied go.

The month is that of an instant, or of an id of version 7, which begins with when it was made.

A row whose month is missing goes to the default partition, so that none is refused; it is moved once its
month is made. Functions of the database (in the first migration) do it, for processes that own no table.
"""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import OperationalError, connection, transaction
from psycopg import errors, sql

logger = logging.getLogger(__name__)
AHEAD = 3
"""Months that are there before they begin."""
MOST_MOVED = 20_000
"""Rows of one month that are moved by themselves: writers of sessions wait for as long as that takes."""
TRIES = 5
PAUSE_SECONDS = 1.0
"""Between two tries for a table's locks, which are waited for 0.3 s."""
_TABLES = """
SELECT relname, attname, atttypid = 'uuid'::regtype FROM pg_partitioned_table
JOIN pg_class ON pg_class.oid = partrelid
JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
WHERE relnamespace = current_schema()::regnamespace AND partstrat = 'r' ORDER BY relname
"""
_MONTHS = """
SELECT to_date(right(relname, 7), 'YYYY_MM') FROM pg_inherits
JOIN pg_class ON pg_class.oid = inhrelid
WHERE inhparent = %s::regclass AND relname NOT LIKE '%%\\_default' ORDER BY 1
"""
_ASTRAY = """
SELECT date_trunc('month', least({instant}, '9999-12-01') AT TIME ZONE 'UTC')::date, count(*)
FROM {rest} GROUP BY 1 ORDER BY 1
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A table by month: its months, and how many rows of which month lie in its default partition."""

    name: str
    months: tuple[date, ...]
    astray: Mapping[date, int]

    @property
    def missing(self) -> list[date]:
        """This month and the coming ones that aren't there."""
        return [month for month in _ahead() if month not in self.months]


@dataclass(slots=True)
class Kept:
    """What was done to one table; `left` are months whose turn it is another time, each with the reason."""

    table: str
    made: list[date] = field(default_factory=list)
    moved: int = 0
    dropped: list[date] = field(default_factory=list)
    left: dict[date, str] = field(default_factory=dict)


def tables() -> list[Table]:
    """Every table that lies in partitions by month, as it is now."""
    found = []
    for name, key, by_id in _ask(_TABLES):
        instant = sql.SQL("made_at({})" if by_id else "{}").format(sql.Identifier(key))
        astray = sql.SQL(_ASTRAY).format(instant=instant, rest=sql.Identifier(f"{name}_default"))
        months = tuple(month for (month,) in _ask(_MONTHS, name))
        found.append(Table(name, months, dict(_ask(astray))))
    return found


def keep(*, however_many: bool = False) -> list[Kept]:
    """Make the coming months and those of rows that went astray, and drop past months that are empty.

    Months of which more than `MOST_MOVED` rows went astray are left, unless they may be `however_many`.
    """
    outcomes = []
    for table in tables():
        kept = Kept(table.name)
        for month in sorted({*table.missing, *table.astray}):
            if table.astray.get(month, 0) > MOST_MOVED and not however_many:
                kept.left[month] = f"{table.astray[month]:,} rows are to be moved"
                continue
            _make(kept, month)
        for month in _emptied(table):
            if _try("drop_month", kept, month):
                kept.dropped.append(month)
        outcomes.append(kept)
    return outcomes


def make(table: str, months: Iterable[date]) -> None:
    """Make these months of a table."""
    kept = Kept(table)
    for month in months:
        _make(kept, month)


def months_since(instant: datetime) -> Iterator[date]:
    """The months from an instant's to the last that is made ahead."""
    month, last = instant.astimezone(UTC).date().replace(day=1), _ahead()[-1]
    while month <= last:
        yield month
        month = _next(month)


def _ahead() -> list[date]:
    month = datetime.now(UTC).date().replace(day=1)
    found = [month]
    for _ in range(AHEAD):
        found.append(_next(found[-1]))
    return found


def _next(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1)


def _emptied(table: Table) -> list[date]:
    """Months that ended more than a month ago, and hold nothing."""
    this_month = _ahead()[0]
    return [
        month
        for month in table.months
        if _next(_next(month)) <= this_month
        and not _ask(sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(f"{table.name}_{month:%Y_%m}")))
    ]


def _make(kept: Kept, month: date) -> None:
    moved = _try("make_month", kept, month)
    if moved is not None:
        kept.made.append(month)
        kept.moved += moved


def _try(function: str, kept: Kept, month: date) -> Any:
    """What the database's function returns; None where its locks could not be had, or another is at it."""
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                [(answer,)] = _ask(f"SELECT {function}(%s::regclass, %s)", kept.table, month)
        except OperationalError as error:
            if not isinstance(error.__cause__, errors.LockNotAvailable | errors.DeadlockDetected):
                raise
        else:
            return answer
        time.sleep(PAUSE_SECONDS)
    kept.left[month] = "others work with the table"
    logger.warning("%s of %s for %s is left for the next time", function, kept.table, month)
    return None


def _ask(statement: str | sql.Composed, *parameters: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)  # type: ignore[arg-type]  # psycopg's own composition
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
