"""What PostgreSQL says when it can't serve, through no fault of whoever asked."""

from django.db import InterfaceError, OperationalError, connection
from psycopg.errors import ReadOnlySqlTransaction


def is_outage(error: BaseException) -> bool:
    """Tell whether the database is away, or takes no writes, as a replica or an old primary does."""
    return isinstance(error, OperationalError | InterfaceError) or isinstance(
        error.__cause__, ReadOnlySqlTransaction
    )


def takes_writes() -> bool:
    """Ask the database whether it is one that can be written to."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only') = 'off'")
        (writable,) = cursor.fetchone()
    return bool(writable)
