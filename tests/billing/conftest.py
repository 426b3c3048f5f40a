from collections.abc import Callable, Iterator

import pytest

from billing import codes
from billing.icd10cm import CodeRow, ReleaseDates
from billing.models import CodeSetRelease
from billing.releases import load_release
from tests.billing.small_release import ROWS, YEAR


@pytest.fixture(autouse=True)
def forgotten_releases() -> Iterator[None]:
    """No test sees the list of releases that the one before it read."""
    codes.forget_releases()
    yield
    codes.forget_releases()


@pytest.fixture
def load(db: None) -> Callable[..., CodeSetRelease]:
    """Load a small release: `load()`, `load("FY2027", dates=…)`, `load(rows=[…])`."""

    def load_small(
        name: str = "FY2026", *, dates: ReleaseDates = YEAR, rows: tuple[CodeRow, ...] = ROWS
    ) -> CodeSetRelease:
        return load_release(name, rows=rows, dates=dates).release

    return load_small
