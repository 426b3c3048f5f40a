"""What holds for every test."""

import gc
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import TransactionTestCase

from tests.emptied import bring_beginning_back, remember_beginning
from tests.migrated import own_copy


def pytest_configure() -> None:
    """What a test's hundreds of clients and passwords would pay for: files looked up anew, slow hashes."""
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    TransactionTestCase._fixture_teardown = bring_beginning_back  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: Any,
    testrun_uid: str,
) -> Iterator[None]:
    """The test database, as a release makes it."""
    with django_db_blocker.unblock(), own_copy(run=testrun_uid):
        remember_beginning()
        with django_db_blocker.block():
            yield


def pytest_collection(session: pytest.Session) -> None:
    """What is collected stays: looking for garbage in it would find none."""
    gc.disable()
    if session.config.args == session.config.getini("testpaths") and "PYTEST_XDIST_WORKER" in os.environ:
        _import_tests()


def _import_tests() -> None:
    """Each process begins elsewhere, so that a test file of a new checkout is compiled by one, not by all."""
    own, processes = os.environ["PYTEST_XDIST_WORKER"], os.environ["PYTEST_XDIST_WORKER_COUNT"]
    here = Path(__file__).parent
    files = sorted(path.relative_to(here.parent) for path in here.rglob("test_*.py"))
    begin = len(files) * int(own.removeprefix("gw")) // int(processes)
    for path in files[begin:] + files[:begin]:
        with suppress(Exception):  # pytest imports it again when it collects it, and tells
            import_module(".".join(path.with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Nine thousand collected tests stay until the end: no collection of garbage looks through them.

    A test leaves little in cycles: it is looked for a hundredth as often as in production.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(70_000, 10, 10)
    gc.enable()


LONG = ("tests/faults", "tests/house/test_run.py", "tests/flows/test_openapi_fuzzed.py", "tests/browser")


NOTHING_TO_DO = {
    "_dj_autoclear_mailbox",
    "_django_clear_site_cache",
    "_django_isolate_apps",
    "_django_set_urlconf",
    "_django_setup_unittest",
    "_fail_for_invalid_template_variable",
    "_template_string_if_invalid_marker",
}
"""What pytest-django does for every test and none here has a use for: it took a third of a trivial test."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
    for item in items:
        item.fixturenames = [name for name in item.fixturenames if name not in NOTHING_TO_DO]
