"""Errors: which of them say that PostgreSQL can't serve, and what a log may tell of any."""

import traceback

import psycopg
from django.db import InterfaceError, OperationalError, connection
from psycopg.errors import ReadOnlySqlTransaction, UndefinedColumn, UndefinedTable, UniqueViolation

OTHER_TABLES = "The tables are not those of this release."
FRAMES = 6


def is_outage(error: BaseException) -> bool:
    """Tell whether the database is away, or takes no writes, as a replica or an old primary does."""
    return isinstance(error, OperationalError | InterfaceError) or isinstance(
        error.__cause__, ReadOnlySqlTransaction
    )


def is_of_another_release(error: BaseException) -> bool:
    """Tell whether migrations are yet to come, or what was asked is of a release that is over."""
    return isinstance(error.__cause__, UndefinedTable | UndefinedColumn)


def is_twice(error: BaseException) -> bool:
    """Tell whether what was to be written is there already: who looked first didn't see it yet."""
    return isinstance(error.__cause__, UniqueViolation)


def for_log(error: BaseException) -> dict[str, str]:
    """What an error is and the last places that it came through; its own text may quote a patient."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    places = [f"{each.filename}:{each.lineno} {each.name}" for each in reversed(frames)]
    return {"error": _kind_of(error), "at": " < ".join(places)}


def _kind_of(error: BaseException) -> str:
    """Its class, and the name that PostgreSQL has for what went wrong."""
    kind, cause = type(error).__name__, error.__cause__
    named = isinstance(cause, psycopg.Error) and type(cause).__name__ != kind
    return f"{kind}/{type(cause).__name__}" if named else kind


def takes_writes() -> bool:
    """Ask the database whether it is one that can be written to."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only') = 'off'")
        (writable,) = cursor.fetchone()
    return bool(writable)
