"""Staff at their desks, by their roles."""

import pytest

from tests.claims.admin.staff import Desk


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
