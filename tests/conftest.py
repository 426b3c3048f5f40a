"""What holds for every test."""

import gc
from collections.abc import Generator
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from pytest_django.plugin import blocking_manager_key

from billing.payers.catalog import record_carriers
from claims.roles import create_roles


def pytest_configure() -> None:
    """What a test's hundreds of clients and passwords would pay for: files looked up anew, slow hashes."""
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The test database, with the staff's roles as a release makes them."""
    with django_db_blocker.unblock():
        create_roles()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """A test with real transactions ends by emptying every table: bring back carriers and roles."""
    yield
    if nextitem is None:
        return  # the database has gone with the last test
    if not connection.settings_dict["NAME"].startswith("test_"):
        return  # skipped before there was a database to empty
    marker = item.get_closest_marker("django_db")
    fixtures = getattr(item, "fixturenames", ())
    if (marker and marker.kwargs.get("transaction")) or {"transactional_db", "live_server"} & set(fixtures):
        with item.config.stash[blocking_manager_key].unblock():
            record_carriers()
            create_roles()


def pytest_collection_finish() -> None:
    """Six thousand collected tests stay until the end: no collection of garbage looks through them."""
    gc.collect()
    gc.freeze()


LONG = ("tests/faults", "tests/house/test_run.py", "tests/flows/test_openapi_fuzzed.py", "tests/browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
