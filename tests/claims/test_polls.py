"""Polls: what one of them leaves to the next."""

from typing import Any

import pytest

from claims import gateways, tasks
from claims.clearinghouse.port import Fetched, FileKind, InboundFile
from claims.models import InboundFile as StoredFile
from claims.models import PollCursor
from tests.operations.running import result

pytestmark = pytest.mark.django_db


class Pages:
    """A clearinghouse with four pages of a file each."""

    name = "sandbox"

    def fetch(self, cursor: str) -> Fetched:
        place = int(cursor or 0)
        files = [InboundFile(f"{place}", f"{place}".encode(), FileKind.X12, f"{place}")] if place < 4 else []
        return Fetched(tuple(files), str(place + len(files)), more=bool(files))

    def acknowledge(self, file: InboundFile) -> None:
        """Nothing has to be taken away."""


@pytest.fixture(autouse=True)
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(gateways.BUILDERS, "sandbox", Pages)


def test_a_poll_ends_where_the_next_is_due_and_that_goes_on(settings: Any) -> None:
    settings.POLL_SECONDS = 0.0
    for number in (1, 2):
        tasks.poll_gateway("sandbox")
        assert PollCursor.objects.get().cursor == str(number)
        assert StoredFile.objects.count() == number


def test_a_poll_by_hand_goes_to_the_end(settings: Any) -> None:
    settings.POLL_SECONDS = 0.0
    assert len(result("poll_clearinghouse").document[0]["files"]) == 4
