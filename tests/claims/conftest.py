"""The cast of the interface tests, and charges for what they bill."""

import pytest

from providers.sample_charges import load_sample_charges
from tests.cast import _nothing_remembered, api, release, rival  # noqa: F401 (fixtures)


@pytest.fixture
def sample_charges(db: None) -> None:
    """The sample schedule that test organizations are priced by."""
    load_sample_charges()
