"""One partner's rows and no other's: what runs as a partner runs as a database role that sees nothing else.

Row-level security compares every row with `current_partner()`, the partner of the transaction. The role and
the partner are set for one transaction, in the message that begins it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from uuid import UUID

from django.db import connection, transaction
from psycopg import errors
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

REQUEST_ROLE = "billing_api"
STAFF_ROLE = "billing_staff"
WORKER_ROLE = "billing_worker"
_acting: ContextVar[UUID | None] = ContextVar("acting_partner", default=None)


class AnotherPartner(RuntimeError):
    """Code that runs as one partner may not act as another."""


@contextmanager
def as_partner(partner_id: UUID) -> Iterator[None]:
    """One transaction, committed at the end, that sees and writes the rows of this partner alone."""
    if (acting := _acting.get()) is not None:
        if acting != partner_id:
            raise AnotherPartner
        with transaction.atomic():
            yield
        return
    within = connection.in_atomic_block
    with transaction.atomic():
        _assume(partner_id)
        token = _acting.set(partner_id)
        try:
            yield
        finally:
            _acting.reset(token)
            if within:
                _step_back()


@contextmanager
def one_statement_as(partner_id: UUID) -> Iterator[None]:
    """The same for one hand-written statement, without the bookkeeping that only several would need."""
    if (acting := _acting.get()) is not None:
        if acting != partner_id:
            raise AnotherPartner
        yield
        return
    within = connection.in_atomic_block
    _assume(partner_id)
    try:
        yield
    except BaseException:
        _step_back() if within else _roll_back()
        raise
    _step_back() if within else _send("COMMIT")


@contextmanager
def as_service() -> Iterator[None]:
    """Step out of the partner for a question that only the service can answer, inside `as_partner`."""
    acting = _acting.get()
    if acting is None:
        yield
        return
    _step_back()
    token = _acting.set(None)
    try:
        yield
    finally:
        _acting.reset(token)
        if _status() == TransactionStatus.INTRANS:
            _assume(acting)


def request_role_usable() -> bool:
    """Whether this process may act as the request role; asked of the database once."""
    connection.ensure_connection()
    usable: bool = _usable(connection.alias, str(connection.settings_dict["NAME"]))
    return usable


@lru_cache(maxsize=8)
def _usable(alias: str, database: str) -> bool:
    found = connection.connection.pgconn.exec_(
        f"SELECT FROM pg_roles WHERE rolname = '{REQUEST_ROLE}' AND pg_has_role(oid, 'MEMBER')".encode()
    )
    return found.status == ExecStatus.TUPLES_OK and found.ntuples == 1


def _assume(partner_id: UUID) -> None:
    """Begin a transaction where there is none, and make it the partner's, in one message."""
    connection.ensure_connection()
    parts = ["BEGIN"] if _status() == TransactionStatus.IDLE else []
    if request_role_usable():
        parts.append(f"SET LOCAL ROLE {REQUEST_ROLE}")
    parts.append(f"SET LOCAL app.partner = '{UUID(bytes=partner_id.bytes)}'")  # hexadecimal digits only
    _send("; ".join(parts))


def _step_back() -> None:
    """Nothing to do in a transaction that failed: its rollback takes the settings back."""
    if _status() == TransactionStatus.INTRANS:
        _send("SET LOCAL role TO DEFAULT; SET LOCAL app.partner TO ''")


def _roll_back() -> None:
    """Nothing to do where the connection has gone."""
    if _status() in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
        _send("ROLLBACK")


def _status() -> TransactionStatus:
    status: TransactionStatus = connection.connection.info.transaction_status
    return status


def _send(statements: str) -> None:
    """Send plain statements in one message, past the query log: they are no query of the request."""
    with connection.wrap_database_errors:
        result: PGresult = connection.connection.pgconn.exec_(statements.encode())
        if result.status not in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
            raise _error_of(result)


def _error_of(result: PGresult) -> errors.Error:
    encoding = connection.connection.info.encoding
    return errors.error_from_result(result, encoding=encoding)
