"""Deeds that many tests begin with, done once in each process; for its other tests their rows are put back.

A deed's rows are put back where every row is as it was before the deed the first time, staff and their
visits aside: from the same beginning it came to the same end. Settings and patches are not compared: a test
that changes what the deed goes by has it done anew, by calling it itself.
"""

from collections.abc import Callable, Hashable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from django.db import connection, transaction

from tests.emptied import BEGUN_WITH

Result = TypeVar("Result")
TABLES = """
SELECT relname, array_agg(quote_ident(attname) ORDER BY attnum)
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
AND relname !~ '^(auth_user|axes_|claims_authenticator|claims_unconfirmed|django_|otp_)'
GROUP BY relname
"""
"""All but those of staff and their visits, with the columns that can be written."""
AS_IT_IS = "SELECT '{0}', count(*), sum(hashtextextended(row::text, 0)), 0 FROM {0} AS row"
"""A sum needs no order."""
UNTOUCHED = "SELECT '{0}', count(*), sum(xmin::text::bigint), max(xmin::text::bigint) FROM {0}"
"""Of what every test begins with, thousands of rows: by which transactions they were written."""


@dataclass(frozen=True)
class Done:
    """What a deed returned, and all rows of each table that it changed."""

    result: Any
    rows: dict[str, bytes]


_done: dict[Hashable, Done] = {}


def once(deed: Callable[[], Result], *name: Hashable) -> Result:
    """What the deed of this name returns, with its rows; done only where they can't be put back."""
    before = _as_it_is()
    known = (name, frozenset(before.items()))
    if known not in _done:
        result = deed()
        changed = {table for table, rows in _as_it_is().items() if rows != before[table]}
        _done[known] = Done(deepcopy(result), {table: _rows_of(table) for table in changed})
        return result
    done = _done[known]
    with transaction.atomic(), connection.cursor() as cursor:
        # No foreign key is looked at and no trigger runs: it was all so before.
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("; ".join(f"DELETE FROM {table}" for table in done.rows))
        for table, rows in done.rows.items():
            with cursor.copy(f"COPY {table} ({_columns_of()[table]}) FROM STDIN") as copy:
                copy.write(rows)
        cursor.execute("SET LOCAL session_replication_role = origin")
    return deepcopy(done.result)


def _as_it_is() -> dict[str, tuple[Any, ...]]:
    """How many rows each table has, and what tells them from others."""
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(
                (UNTOUCHED if table in BEGUN_WITH else AS_IT_IS).format(table) for table in _columns_of()
            )
        )
        return {table: tuple(digest) for table, *digest in cursor.fetchall()}


def _rows_of(table: str) -> bytes:
    columns = _columns_of()[table]
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY (SELECT {columns} FROM {table}) TO STDOUT") as copy,
    ):
        return b"".join(copy)


@cache
def _columns_of() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        return {table: ", ".join(columns) for table, columns in cursor.fetchall()}
