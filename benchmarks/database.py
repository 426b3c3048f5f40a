"""A database of a benchmark's own on this checkout's private servers, gone when the benchmark ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from config.local import servers

CHECKOUT = Path(__file__).resolve().parent.parent


@contextmanager
def fresh_database(name: str) -> Iterator[dict[str, str]]:
    """Start Django on an empty, migrated database; yields the environment that other processes need."""
    with servers.start(CHECKOUT, purpose="test") as lease:
        name = f"bench_{name}_{os.getpid()}"
        with psycopg.connect(lease.located.database_url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        environment = {
            "DATABASE_URL": lease.located.database_url.replace("/billing?", f"/{name}?"),
            "REDIS_URL": servers.redis_url_of_worker(lease.located.redis_url, slot=lease.slot, worker=0),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "WARNING",
            "SANDBOX_SPEED": "1000000000",
        }
        os.environ.update(environment)
        try:
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            call_command("load_icd10cm", verbosity=0)
            call_command("load_sample_charges", verbosity=0)
            yield environment
        finally:
            from django.db import connections

            connections.close_all()
            with psycopg.connect(lease.located.database_url, autocommit=True) as connection:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
