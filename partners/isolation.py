"""One partner's rows and no other's: what runs as a partner runs as a database role that sees nothing else.

Row-level security compares every row with `current_partner()`, the partner of the transaction. The role and
the partner are set for one transaction, in the message that begins it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import errors
from psycopg.pq import DiagnosticField, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

REQUEST_ROLE = "billing_api"
STAFF_ROLE = "billing_staff"
WORKER_ROLE = "billing_worker"
LONGEST_STATEMENT = "15s"
"""A partner's statement is given up after this, waits for locks included: a 503 beats silence."""
_usable: dict[str, bool] = {}
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
    database = connections[DEFAULT_DB_ALIAS]
    within = database.in_atomic_block
    with transaction.atomic():
        _assume(database, partner_id)
        token = _acting.set(partner_id)
        try:
            yield
        finally:
            _acting.reset(token)
            if within:
                _step_back(database)


@contextmanager
def one_statement_as(partner_id: UUID) -> Iterator[None]:
    """The same for one hand-written statement, without the bookkeeping that only several would need."""
    if (acting := _acting.get()) is not None:
        if acting != partner_id:
            raise AnotherPartner
        yield
        return
    database = connections[DEFAULT_DB_ALIAS]
    within = database.in_atomic_block
    try:
        _assume(database, partner_id)
    except OperationalError:
        if within:
            raise
        database.close()  # it was cut while it rested: nothing has been asked of it, so another one will do
        _assume(database, partner_id)
    try:
        yield
    except BaseException:
        _step_back(database) if within else _roll_back(database)
        raise
    _step_back(database) if within else _send(database, "COMMIT")


@contextmanager
def as_service() -> Iterator[None]:
    """Step out of the partner for a question that only the service can answer, inside `as_partner`."""
    acting = _acting.get()
    if acting is None:
        yield
        return
    database = connections[DEFAULT_DB_ALIAS]
    _step_back(database)
    token = _acting.set(None)
    try:
        yield
    finally:
        _acting.reset(token)
        if _status(database) == TransactionStatus.INTRANS:
            _assume(database, acting)


def request_role_usable(database: BaseDatabaseWrapper) -> bool:
    """Whether this process may act as the request role; asked of each database once."""
    known = _usable.get(name := str(database.settings_dict["NAME"]))
    if known is None:
        found = database.connection.pgconn.exec_(
            f"SELECT FROM pg_roles WHERE rolname = '{REQUEST_ROLE}' AND pg_has_role(oid, 'MEMBER')".encode()
        )
        known = _usable[name] = found.status == ExecStatus.TUPLES_OK and found.ntuples == 1
    return known


def _assume(database: BaseDatabaseWrapper, partner_id: UUID) -> None:
    """Begin a transaction where there is none, and make it the partner's, in one message."""
    database.ensure_connection()
    begin = "BEGIN; " if _status(database) == TransactionStatus.IDLE else ""
    role = f"SET LOCAL ROLE {REQUEST_ROLE}; " if request_role_usable(database) else ""
    partner = UUID(bytes=partner_id.bytes)  # a UUID has hexadecimal digits and nothing that needs quoting
    patience = f"SET LOCAL statement_timeout = '{LONGEST_STATEMENT}'; "
    _send(database, f"{begin}{role}{patience}SET LOCAL app.partner = '{partner}'")


def _step_back(database: BaseDatabaseWrapper) -> None:
    """Nothing to do in a transaction that failed: its rollback takes the settings back."""
    if _status(database) == TransactionStatus.INTRANS:
        _send(database, "SET LOCAL role TO DEFAULT; SET LOCAL app.partner TO ''")


def _roll_back(database: BaseDatabaseWrapper) -> None:
    """Nothing to do where the connection has gone."""
    if _status(database) in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
        _send(database, "ROLLBACK")


def _status(database: BaseDatabaseWrapper) -> int:
    status: int = database.connection.pgconn.transaction_status
    return status


def _send(database: BaseDatabaseWrapper, statements: str) -> None:
    """Send plain statements in one message, past the query log: they are no query of the request."""
    with database.wrap_database_errors:
        result: PGresult = database.connection.pgconn.exec_(statements.encode())
        if result.status != ExecStatus.COMMAND_OK:
            if (
                result.error_field(DiagnosticField.SQLSTATE) is None
            ):  # not PostgreSQL's word: the connection is lost
                raise errors.OperationalError("the connection is lost")
            raise errors.error_from_result(result, encoding=database.connection.info.encoding)
