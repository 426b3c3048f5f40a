"""What holds for every test."""

import gc
from typing import Any

import pytest
from django.conf import settings
from django.test import TransactionTestCase

from claims.roles import create_roles
from tests.emptied import bring_beginning_back, remember_beginning


def pytest_configure() -> None:
    """What a test's hundreds of clients and passwords would pay for: files looked up anew, slow hashes."""
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    TransactionTestCase._fixture_teardown = bring_beginning_back  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The test database, with the staff's roles as a release makes them."""
    with django_db_blocker.unblock():
        create_roles()
        remember_beginning()


def pytest_collection_finish() -> None:
    """Six thousand collected tests stay until the end: no collection of garbage looks through them."""
    gc.collect()
    gc.freeze()


LONG = ("tests/faults", "tests/house/test_run.py", "tests/flows/test_openapi_fuzzed.py", "tests/browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
