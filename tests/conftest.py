"""What holds for every test."""

import gc
from collections.abc import Generator

import pytest
from django.db import connection
from pytest_django.plugin import blocking_manager_key

from billing.payers.catalog import record_carriers


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """A test with real transactions ends by emptying every table: bring back the migrated carriers."""
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


def pytest_collection_finish() -> None:
    """Six thousand collected tests stay until the end: no collection of garbage looks through them."""
    gc.collect()
    gc.freeze()


LONG = ("tests/faults", "tests/house/test_run.py", "tests/flows/test_openapi_fuzzed.py", "tests/browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
