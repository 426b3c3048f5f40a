"""The cast of the interface tests, their charges, and the partner whose sessions staff work on."""

import pytest

from providers.sample_charges import load_sample_charges
from tests.cast import Api, _nothing_remembered, api, release, rival  # noqa: F401 (fixtures)
from tests.claims.admin.staff import harborlight


@pytest.fixture
def sample_charges(db: None) -> None:
    """The sample schedule that test organizations are priced by."""
    load_sample_charges()


@pytest.fixture
def partner(db: None, settings: object) -> Api:
    """Its claims wait for nothing, in a sandbox whose month passes at once; staff need no second factor."""
    settings.SANDBOX_SPEED = 1e9
    settings.STAFF_SECOND_FACTOR = False
    return harborlight()
