"""The cast of the interface tests, and a way to run a command as an engineer would."""

from collections.abc import Iterator
from typing import Any

import pytest

from claims import heartbeats
from providers.sample_charges import load_sample_charges
from tests.cast import Api, _nothing_remembered, api, release, rival  # noqa: F401 (fixtures)


@pytest.fixture
def ready_api(api: Api, release: object, settings: Any) -> Api:  # noqa: F811 (fixture)
    """Our partner with a therapist and charges: what it submits can go out at once."""
    load_sample_charges()
    settings.SANDBOX_SPEED = 1e9
    assert api.partner is not None
    api.partner.submission_delay = api.partner.submission_delay * 0
    api.partner.save(update_fields=["submission_delay"])
    return api.onboarded()


@pytest.fixture
def no_heartbeats() -> Iterator[None]:
    """No process is heard of, before or after."""
    with heartbeats.broker() as client:
        client.delete(heartbeats.KEY)
        yield
        client.delete(heartbeats.KEY)
