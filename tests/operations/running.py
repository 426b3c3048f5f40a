"""Runs a management command and keeps what it said."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import redis
from django.core.management import CommandError, call_command
from django.db import connection, transaction


@dataclass
class Said:
    """Standard output, and the exit code."""

    text: str
    code: int

    @property
    def document(self) -> Any:
        return json.loads(self.text)


def run(command: str, *words: str) -> Said:
    """What the command prints and how it ends; a refusal's words count as its text."""
    output = io.StringIO()
    try:
        call_command(command, *words, stdout=output, stderr=io.StringIO())
    except CommandError as error:
        return Said(str(error), error.returncode)
    except SystemExit as ending:
        return Said(output.getvalue(), int(ending.code or 0))
    return Said(output.getvalue(), 0)


def result(command: str, *words: str) -> Said:
    """The same with --json."""
    return run(command, *words, "--json")


@contextmanager
def redis_takes_no_writes(settings: Any) -> Iterator[None]:
    """Redis answers and refuses what would be written, as one that is full, or a replica, does."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.acl_setuser(
            "reader", enabled=True, nopass=True, keys=["*"], commands=["+@read", "+@connection"]
        )
        kept = settings.REDIS_URL
        parts = urlsplit(kept)
        settings.REDIS_URL = parts._replace(netloc=f"reader:any@{parts.netloc.rpartition('@')[2]}").geturl()
        yield
        settings.REDIS_URL = kept
        client.acl_deluser("reader")


@contextmanager
def nothing_can_be_written() -> Iterator[None]:
    """The database takes no writes, as a replica or an old primary does."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        yield
        transaction.set_rollback(True)
