"""What the demonstration submits."""

from datetime import UTC, date, datetime

import pytest
import time_machine

from config.local.demonstration import PROVIDER, session_body
from providers.zones import day_begins


@pytest.mark.parametrize("hour", [0, 3, 6, 7, 12, 23])
def test_the_day_of_a_demonstrated_session_has_begun_where_the_practice_is(hour: int) -> None:
    now = datetime(2026, 1, 15, hour, 1, tzinfo=UTC)
    with time_machine.travel(now, tick=False):
        body = session_body(
            payer={"payerName": "Magellan", "payerId": "01260"},
            first_name="Jordan",
            member_id="PAID",
            external_id=None,
            session={},
        )
    day = date.fromisoformat(body["session"]["dateOfService"])
    assert day_begins(day, state=PROVIDER["practice"]["address"]["state"]) <= now
