"""Several statements in one message to PostgreSQL, and their answers in another (libpq's pipeline).

What is sent in one message is one transaction, where there is none yet: committed with the last answer,
undone with the first error. psycopg's own pipelines send each statement as it comes, and its cursors cost
more than what they send; so this talks to libpq, by `psycopg.pq`.
"""

import select
from collections.abc import Sequence
from itertools import count
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from psycopg import Connection, Error, OperationalError, errors
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

_MOST_PREPARED = 100
_GONE = (b"26000", b"0A000")
"""SQLSTATE of a prepared statement that the server has lost, or that a changed table made useless."""

_LOST = "The connection to the database was lost."

_prepared: WeakKeyDictionary[Connection[Any], dict[bytes, bytes]] = WeakKeyDictionary()
_numbers = count()


class Step(NamedTuple):
    """A statement with `$1`… for its values, which are text where `formats` does not say otherwise."""

    query: bytes
    values: Sequence[bytes | None] = ()
    formats: Sequence[Format] | None = None
    kept: bool = True
    """Prepared once for the connection; if not, it is planned for these very values each time."""


def run(connection: Connection[Any], steps: Sequence[Step]) -> list[PGresult]:
    """The result of each step, columns in binary form; raises what went wrong, also with the commit."""
    pgconn = connection.pgconn
    if not connection.autocommit and pgconn.transaction_status == TransactionStatus.IDLE:
        steps = [Step(b"BEGIN"), *steps]
    names = _names(connection, steps)
    try:
        pgconn.enter_pipeline_mode()
        for step, name in zip(steps, names, strict=True):
            if name is None:
                pgconn.send_query_params(step.query, step.values, None, step.formats, Format.BINARY)
            else:
                pgconn.send_query_prepared(name, step.values, step.formats, Format.BINARY)
        pgconn.pipeline_sync()
        results = _answers(pgconn)
        pgconn.exit_pipeline_mode()
    except BaseException:
        pgconn.finish()  # nobody will read the answers that are still to come
        raise
    for result in results:
        if result.status == ExecStatus.FATAL_ERROR:
            raise _error(connection, result)
    return results


def is_cut(connection: Connection[Any]) -> bool:
    """Whether the other side has ended a connection that rests: only then has it something to say."""
    socket = select.poll()
    try:
        socket.register(connection.pgconn.socket, select.POLLIN)
    except OperationalError:  # this side knows already
        return True
    return bool(socket.poll(0))


def _names(connection: Connection[Any], steps: Sequence[Step]) -> Sequence[bytes | None]:
    """What this connection has prepared each query as; None: not kept, or behind a pooler."""
    if connection.prepare_threshold is None:
        return [None] * len(steps)
    known = _prepared.get(connection)
    if known is None:
        known = _prepared[connection] = {}
    elif len(known) + len(steps) > _MOST_PREPARED:  # psycopg's own stay
        connection.pgconn.exec_(b";".join(b"DEALLOCATE " + name for name in known.values()))
        known.clear()
    return [
        known.get(step.query) or _prepare(connection, step.query, known) if step.kept else None
        for step in steps
    ]


def _prepare(connection: Connection[Any], query: bytes, known: dict[bytes, bytes]) -> bytes:
    name = known[query] = b"message_%d" % next(_numbers)
    prepared = connection.pgconn.prepare(name, query)
    if prepared.status != ExecStatus.COMMAND_OK:
        del known[query]
        raise _error(connection, prepared)
    return name


def _error(connection: Connection[Any], result: PGresult) -> Error:
    code = result.error_field(DiagnosticField.SQLSTATE)
    if code in _GONE:
        _prepared.pop(connection, None)
    if code is None:  # libpq's word, not PostgreSQL's
        return OperationalError(_LOST)
    return errors.error_from_result(result)


def _answers(pgconn: PGconn) -> list[PGresult]:
    """Send what is waiting to be sent, and read up to the end of the message's answers."""
    socket = select.poll()
    while pgconn.flush():
        socket.register(pgconn.socket, select.POLLIN | select.POLLOUT)
        if socket.poll()[0][1] != select.POLLOUT:
            pgconn.consume_input()
    socket.register(pgconn.socket, select.POLLIN)
    results: list[PGresult] = []
    while True:
        while pgconn.is_busy():
            socket.poll()
            pgconn.consume_input()
        result = pgconn.get_result()
        if result is None:
            if pgconn.status == ConnStatus.BAD:
                raise OperationalError(_LOST)
        elif result.status == ExecStatus.PIPELINE_SYNC:
            return results
        else:
            results.append(result)
