"""What PostgreSQL says when it can't serve, through no fault of whoever asked."""

from django.db import InterfaceError, OperationalError, connection
from psycopg.errors import ReadOnlySqlTransaction, UndefinedColumn, UndefinedTable

OTHER_TABLES = "The tables are not those of this release."


def is_outage(error: BaseException) -> bool:
    """Tell whether the database is away, or takes no writes, as a replica or an old primary does."""
    return isinstance(error, OperationalError | InterfaceError) or isinstance(
        error.__cause__, ReadOnlySqlTransaction
    )


def is_of_another_release(error: BaseException) -> bool:
    """Tell whether migrations are yet to come, or what was asked is of a release that is over."""
    return isinstance(error.__cause__, UndefinedTable | UndefinedColumn)


def takes_writes() -> bool:
    """Ask the database whether it is one that can be written to."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only') = 'off'")
        (writable,) = cursor.fetchone()
    return bool(writable)
