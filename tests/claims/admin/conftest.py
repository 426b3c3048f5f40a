"""The partner whose sessions staff work on; its claims wait for nothing."""

import pytest

from tests.cast import Api
from tests.claims.admin.staff import Desk, harborlight


@pytest.fixture
def partner(db: None, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    settings.STAFF_SECOND_FACTOR = False
    return harborlight()


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
