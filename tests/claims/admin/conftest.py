"""The partner whose sessions staff work on; its claims wait for nothing."""

from datetime import timedelta

import pytest

from tests.cast import Api, partner_api
from tests.claims.admin.staff import Desk


@pytest.fixture
def partner(release: object, sample_charges: None, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    settings.STAFF_SECOND_FACTOR = False
    return partner_api("Harborlight", submission_delay=timedelta()).onboarded()


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
