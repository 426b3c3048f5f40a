"""One partner's rows and no other's: what runs as a partner runs as a database role that sees nothing else.

Row-level security compares every row with `current_partner()`, the partner of the transaction. The role and
the partner are set for one transaction, in the message that begins it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.pq import TransactionStatus

from partners.one_message import Step, is_cut, run

REQUEST_ROLE = "billing_api"
STAFF_ROLE = "billing_staff"
WORKER_ROLE = "billing_worker"
LONGEST_STATEMENT = b"15s"
"""A partner's statement is given up after this, waits for locks included: a 503 beats silence."""
_ASSUME = (
    b"SELECT set_config('role', $1, true), set_config('app.partner', $2, true), "
    b"set_config('statement_timeout', $3, true), set_config('plan_cache_mode', $4, true)"
)
_STEP_BACK = Step(
    b"SELECT set_config('role', NULL, true), set_config('app.partner', '', true), "
    b"set_config('statement_timeout', NULL, true), set_config('plan_cache_mode', NULL, true)"
)
"""Role, time and plans are the connection's own again."""

_MAY_ACT = Step(
    b"SELECT FROM pg_roles WHERE rolname = $1 AND pg_has_role(session_user, oid, 'MEMBER')",
    [REQUEST_ROLE.encode()],
)

_usable: dict[str, bool] = {}
_acting: ContextVar[UUID | None] = ContextVar("acting_partner", default=None)


class AnotherPartner(RuntimeError):
    """Code that runs as one partner may not act as another."""


class NoRequestRole(RuntimeError):
    """This process's login may not act as the role of requests; in production, none is answered then."""


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
    connect(database)
    with transaction.atomic():
        _run(database, _assume(database, partner_id))
        token = _acting.set(partner_id)
        try:
            yield
        finally:
            _acting.reset(token)
            if within:
                _step_back(database)


def steps_around(
    database: BaseDatabaseWrapper, partner_id: UUID, *, plan: bytes = b"auto"
) -> tuple[list[Step], list[Step]]:
    """What makes one statement this partner's, before it and after it in the same message.

    Afterwards only inside of a transaction: the end of one takes the settings back by itself.
    `plan` is PostgreSQL's `plan_cache_mode`.
    """
    if (acting := _acting.get()) is not None:
        if acting != partner_id:
            raise AnotherPartner
        return [], []
    assume = _assume(database, partner_id, plan=plan)
    return [assume], [_STEP_BACK] if database.in_atomic_block else []


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
            _run(database, _assume(database, acting))


def connect(database: BaseDatabaseWrapper) -> None:
    """Have a connection; one that was cut while it rested was asked nothing yet, so that another will do."""
    database.ensure_connection()
    if not database.in_atomic_block and is_cut(database.connection):
        database.close()
        database.ensure_connection()


def request_role_usable(database: BaseDatabaseWrapper) -> bool:
    """Whether this process may act as the request role; asked of each database once.

    What its login may do decides, not the role that it has taken on since.
    """
    known = _usable.get(name := str(database.settings_dict["NAME"]))
    if known is None:
        with database.wrap_database_errors:
            found = run(database.connection, [_MAY_ACT])[-1]
        known = _usable[name] = found.ntuples == 1
    if not known and settings.PRODUCTION:
        raise NoRequestRole
    return known


def _assume(database: BaseDatabaseWrapper, partner_id: UUID, *, plan: bytes = b"auto") -> Step:
    """What makes a transaction the partner's."""
    role = REQUEST_ROLE.encode() if request_role_usable(database) else None
    return Step(_ASSUME, (role, str(partner_id).encode(), LONGEST_STATEMENT, plan))


def _step_back(database: BaseDatabaseWrapper) -> None:
    """Nothing to do in a transaction that failed: its rollback takes the settings back."""
    if _status(database) == TransactionStatus.INTRANS:
        _run(database, _STEP_BACK)


def _status(database: BaseDatabaseWrapper) -> int:
    status: int = database.connection.pgconn.transaction_status
    return status


def _run(database: BaseDatabaseWrapper, step: Step) -> None:
    """Past the query log: this is no query of the request."""
    with database.wrap_database_errors:
        run(database.connection, [step])
