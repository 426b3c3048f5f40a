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


def run(connection: Connection[Any], steps: Sequence[Step]) -> list[PGresult]:
    """The result of each step, columns in binary form; raises what went wrong, also with the commit."""
    pgconn = connection.pgconn
    if not connection.autocommit and pgconn.transaction_status == TransactionStatus.IDLE:
        steps = [Step(b"BEGIN"), *steps]
    _make_room(connection, len(steps))
    names = [_name(connection, step.query) for step in steps]
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


def _make_room(connection: Connection[Any], needed: int) -> None:
    """Forget what is prepared, before a message names any of it; psycopg's own stay."""
    names = _prepared.get(connection)
    if names and len(names) + needed > _MOST_PREPARED:
        connection.pgconn.exec_(b";".join(b"DEALLOCATE " + name for name in names.values()))
        names.clear()


def _name(connection: Connection[Any], query: bytes) -> bytes | None:
    """What this connection has prepared the query as; None where a pooler may hand it another server."""
    if connection.prepare_threshold is None:
        return None
    names = _prepared.get(connection)
    if names is None:
        names = _prepared[connection] = {}
    name = names.get(query)
    if name is None:
        name = b"message_%d" % next(_numbers)
        prepared = connection.pgconn.prepare(name, query)
        if prepared.status != ExecStatus.COMMAND_OK:
            raise _error(connection, prepared)
        names[query] = name
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
