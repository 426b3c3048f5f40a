#!/usr/bin/env python3
"""Django's command line for this service."""

import errno
import os
import signal
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import IntegrityError, InternalError, OperationalError, ProgrammingError, connection

from partners.outages import OTHER_TABLES, is_of_another_release, is_outage, is_twice


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if any("\udc80" <= character <= "\udcff" for word in sys.argv for character in word):
        sys.stderr.write("An argument is not UTF-8: write it anew, or give the file another name.\n")
        sys.exit(2)
    try:
        try:
            execute_from_command_line(sys.argv)
        finally:
            sys.stdout.flush()  # what can't be written is told here, and not at the interpreter's end
    except ImproperlyConfigured as error:
        sys.exit(f"The service can't start: {error}")
    except OperationalError as error:
        if _database_answers():
            sys.exit(
                f"The database answers, and could not do this: {type(error.__cause__ or error).__name__}. "
                "Is its disk full, or does another hold what is wanted? docs/runbook/database-down.md."
            )
        sys.exit(
            "The database doesn't answer. Check DATABASE_URL and that PostgreSQL (or the pooler) runs: "
            "docs/runbook/database-down.md."
        )
    except ProgrammingError as error:
        if not is_of_another_release(error):
            raise
        sys.exit(f"{OTHER_TABLES} Run manage.py migrate; manage.py doctor names what is missing.")
    except IntegrityError as error:
        if not is_twice(error):
            raise
        sys.exit("Another wrote the same at this moment, so this was not done. Look, and run it again.")
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:
        _write_no_more()
        sys.exit(128 + signal.SIGPIPE)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        _write_no_more()
        sys.exit(f"It can't be written: {error.strerror}.")
    except InternalError as error:
        if not is_outage(error):
            raise
        sys.exit(
            "The database takes no writes. Check that DATABASE_URL leads to the primary in charge: "
            "docs/runbook/database-down.md."
        )


def _write_no_more() -> None:
    """Whoever read the output has left, or its disk is full: what is left of it must not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _database_answers() -> bool:
    connection.close()
    try:
        connection.ensure_connection()
    except OperationalError:
        return False
    return True


if __name__ == "__main__":
    main()
