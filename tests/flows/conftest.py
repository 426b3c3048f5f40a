"""The cast of the interface tests, and a web server for them."""

from collections.abc import Iterator

import pytest

from tests.cast import _nothing_remembered, api, release, rival  # noqa: F401 (fixtures)
from tests.flows.serving import served


@pytest.fixture(scope="session")
def base(django_db_setup: None, django_db_blocker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base address of a real web server over the test database."""
    with django_db_blocker.unblock(), served(tmp_path_factory.mktemp("web") / "granian.log") as address:
        yield address
