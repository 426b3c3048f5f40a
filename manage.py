#!/usr/bin/env python3
"""Django's command line for this service."""

import os
import signal
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import InternalError, OperationalError, ProgrammingError, connection

from partners.outages import OTHER_TABLES, is_of_another_release, is_outage


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"The service can't start: {error}")
    except OperationalError:
        if _database_answers():
            raise
        sys.exit(
            "The database doesn't answer. Check DATABASE_URL and that PostgreSQL (or the pooler) runs: "
            "docs/runbook/database-down.md."
        )
    except ProgrammingError as error:
        if not is_of_another_release(error):
            raise
        sys.exit(f"{OTHER_TABLES} Run manage.py migrate; manage.py doctor names what is missing.")
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:
        # Whoever read the output has left; what is still to be written must not fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)
    except InternalError as error:
        if not is_outage(error):
            raise
        sys.exit(
            "The database takes no writes. Check that DATABASE_URL leads to the primary in charge: "
            "docs/runbook/database-down.md."
        )


def _database_answers() -> bool:
    connection.close()
    try:
        connection.ensure_connection()
    except OperationalError:
        return False
    return True


if __name__ == "__main__":
    main()
