"""The database of each process of a run: a copy of the one that whichever came first has migrated."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg.sql import SQL, Composable, Identifier, Literal

from claims.desk.roles import create_roles

MADE_BY = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s"
SETTINGS = """
SELECT unnest(setconfig) FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
WHERE datname = %s AND setrole = 0
"""


@contextmanager
def own_copy(*, run: str) -> Iterator[None]:
    """Be in a new database with all that a release begins with; `run` is the same in all of its processes."""
    given, own = connection.settings_dict["NAME"], connection.creation._get_test_db_name()
    migrated = f"test_{given}_migrated"
    with connection.creation._nodb_cursor() as server:
        # Until this connection ends: who comes meanwhile waits, and finds what the first has made.
        server.execute("SELECT pg_advisory_lock(hashtext(%s))", [migrated])
        server.execute(MADE_BY, [migrated])
        if server.fetchone() != (run,):
            _make(server, migrated, template="template1")
            connection.settings_dict["NAME"] = migrated
            call_command("migrate", verbosity=0)
            create_roles()
            connection.close()
            _say(server, "COMMENT ON DATABASE {} IS {}", Identifier(migrated), Literal(run))
        _make(server, own, template=migrated)
        server.execute(SETTINGS, [migrated])  # no part of a copy
        for (setting,) in server.fetchall():
            name, _, value = setting.partition("=")
            _say(server, "ALTER DATABASE {} SET {} = {}", Identifier(own), Identifier(name), Literal(value))
    connection.settings_dict["NAME"] = own
    yield
    connection.close()
    connection.settings_dict["NAME"] = given
    with connection.creation._nodb_cursor() as server:
        _drop(server, own)
        _drop(server, migrated)  # whoever still comes makes it again


def _make(server: CursorWrapper, name: str, *, template: str) -> None:
    _drop(server, name)
    _say(server, "CREATE DATABASE {} TEMPLATE {}", Identifier(name), Identifier(template))


def _drop(server: CursorWrapper, name: str) -> None:
    _say(server, "DROP DATABASE IF EXISTS {} WITH (FORCE)", Identifier(name))


def _say(server: CursorWrapper, statement: str, *parts: Composable) -> None:
    server.execute(SQL(statement).format(*parts))
