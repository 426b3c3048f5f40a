"""Staff at their desks, by their roles."""

import pytest

from claims.models import Claim
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, newest


@pytest.fixture
def billing(db: None, settings: object) -> Desk:
    settings.STAFF_SECOND_FACTOR = False
    return Desk("billing")


@pytest.fixture
def lead(db: None, settings: object) -> Desk:
    settings.STAFF_SECOND_FACTOR = False
    return Desk("billing lead")


@pytest.fixture
def support(db: None, settings: object) -> Desk:
    settings.STAFF_SECOND_FACTOR = False
    return Desk("support")


@pytest.fixture
def claim(partner: Api) -> Claim:
    """A claim that was handed over and has no answer."""
    return newest(ended(partner, "SILENT"))
