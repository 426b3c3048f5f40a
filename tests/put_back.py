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

from django.db import connection
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus

from partners.one_message import Step, run
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
UNTOUCHED = """
SELECT '{0}', sum(rows)::bigint, sum(rows * xmin::text::bigint), max(xmin::text::bigint)
FROM (SELECT xmin, count(*) AS rows FROM {0} GROUP BY xmin) AS written
"""
"""Of what every test begins with, thousands of rows: by which transactions they were written."""
WRITTEN_TO = """
SELECT DISTINCT coalesce(inhparent, oid)::regclass::text FROM pg_class LEFT JOIN pg_inherits ON inhrelid = oid
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_stat_get_xact_tuples_inserted(oid)
+ pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid) > 0
"""
"""Tables that this transaction wrote to; where it is the test's own, others are as every test begins."""


@dataclass(frozen=True)
class Done:
    """What a deed returned, and all rows of each table that it changed."""

    result: Any
    rows: dict[str, bytes]
    had_rows: list[str]
    """Those of the tables that were not empty before."""


_done: dict[Hashable, Done] = {}


def once(deed: Callable[[], Result], *name: Hashable) -> Result:
    """What the deed of this name returns, with its rows; done only where they can't be put back."""
    before = _as_it_is()
    known = (name, frozenset(before.items()))
    if known not in _done:
        result = deed()
        after = _as_it_is()
        changed = {table for table, _ in before.items() ^ after.items()}
        rows = {table: _rows_of(table) for table in changed}
        _done[known] = Done(deepcopy(result), rows, [table for table in changed if table in before])
        return result
    done = _done[known]
    _put_back(done)
    return deepcopy(done.result)


def _as_it_is() -> dict[str, tuple[bytes, ...]]:
    """How many rows each table has that has any, and what tells them from others, in PostgreSQL's bytes."""
    tables = _columns_of().keys()
    if connection.atomic_blocks and connection.atomic_blocks[0]._from_testcase:
        with connection.cursor() as cursor:
            cursor.execute(WRITTEN_TO)
            tables &= {*BEGUN_WITH, *(table for (table,) in cursor.fetchall())}
    statement = " UNION ALL ".join(
        (UNTOUCHED if table in BEGUN_WITH else AS_IT_IS).format(table) for table in sorted(tables)
    )
    connection.ensure_connection()
    # Not kept: what puts rows back has the server forget its plans.
    result = run(connection.connection, [Step(statement.encode(), kept=False)])[-1]
    counted = (
        (result.get_value(row, 0).decode(), tuple(result.get_value(row, column) for column in (1, 2, 3)))
        for row in range(result.ntuples)
    )
    return {table: digest for table, digest in counted if any(digest[0] or b"")}


def _rows_of(table: str) -> bytes:
    columns = _columns_of()[table]
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY (SELECT {columns} FROM {table}) TO STDOUT") as copy,
    ):
        return b"".join(copy)


def _put_back(done: Done) -> None:
    """Leave its rows in their tables, by one message: psycopg's copies cost more than what they send."""
    statements = [
        # No foreign key is looked at and no trigger runs: it was all so before.
        "SET LOCAL session_replication_role = replica",
        *(f"DELETE FROM {table}" for table in done.had_rows),
        *(f"COPY {table} ({_columns_of()[table]}) FROM STDIN" for table in done.rows),
        "SET LOCAL session_replication_role = origin",
    ]
    server = connection.connection.pgconn
    server.send_query("; ".join(statements).encode())
    contents = iter(done.rows.values())
    while result := server.get_result():
        if result.status == ExecStatus.COPY_IN:
            server.put_copy_data(next(contents))
            server.put_copy_end()
        elif result.status == ExecStatus.FATAL_ERROR:
            raise error_from_result(result)


@cache
def _columns_of() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        return {table: ", ".join(columns) for table, columns in cursor.fetchall()}
