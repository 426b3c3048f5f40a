"""Polls: what one of them leaves to the next."""

import threading
from typing import Any

import pytest
from django.db import connection

from claims import gateways, inbound, tasks
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


@pytest.mark.django_db(transaction=True)
def test_a_slow_poll_that_another_overtook_loses_nothing_and_sets_nothing_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    overtaken, asked, ids = threading.Event(), threading.Event(), []

    class Slow(Pages):
        def fetch(self, cursor: str) -> Fetched:
            page = super().fetch(cursor)
            if threading.current_thread() is slow and not cursor:
                asked.set()
                overtaken.wait(10)
            return page

    def poll() -> None:
        ids.append(inbound.fetch("sandbox"))
        connection.close()

    monkeypatch.setitem(gateways.BUILDERS, "sandbox", Slow)
    slow = threading.Thread(target=poll)
    slow.start()
    assert asked.wait(10)
    assert len(inbound.fetch("sandbox", seconds=0.0)) == 1
    assert len(inbound.fetch("sandbox", seconds=0.0)) == 1
    overtaken.set()
    slow.join(10)
    assert PollCursor.objects.get().cursor == "2"
    assert ids == [[StoredFile.objects.earliest("id").pk]]
    inbound.fetch("sandbox")
    assert sorted(StoredFile.objects.values_list("name", flat=True)) == ["0", "1", "2", "3"]
