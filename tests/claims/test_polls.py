"""Polls: what one of them leaves to the next."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection

from claims import gateways, heartbeats, inbound, tasks
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


@contextmanager
def a_poll_that_hangs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A poll whose clearinghouse doesn't answer until the end; any other is answered at once."""
    asked, answers = threading.Event(), threading.Event()

    class Hangs(Pages):
        def fetch(self, cursor: str) -> Fetched:
            if threading.current_thread() is poll:
                asked.set()
                answers.wait(10)
            return super().fetch(cursor)

    def run() -> None:
        tasks.poll_gateway("sandbox")
        connection.close()

    monkeypatch.setitem(gateways.BUILDERS, "sandbox", Hangs)
    poll = threading.Thread(target=run)
    poll.start()
    assert asked.wait(10)
    try:
        yield
    finally:
        answers.set()
        poll.join(10)


@pytest.mark.django_db(transaction=True)
def test_while_a_poll_is_under_way_no_other_of_its_clearinghouse_begins_however_long_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heartbeats, "HELD_SECONDS", 0.3)
    with a_poll_that_hangs(monkeypatch):
        time.sleep(0.5)
        tasks.poll_gateway("sandbox")
        assert not StoredFile.objects.exists()
    assert StoredFile.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_a_poll_under_way_keeps_no_other_clearinghouse_from_being_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(gateways.BUILDERS, "sftp", Pages)
    with a_poll_that_hangs(monkeypatch):
        tasks.poll_gateway("sftp")
        assert StoredFile.objects.count() == 4


def test_a_poll_whose_process_was_killed_is_missed_for_a_moment_only() -> None:
    with heartbeats.broker() as client:
        client.set("billing:alone:poll sandbox", "whoever was killed", px=300)
    tasks.poll_gateway("sandbox")
    assert not StoredFile.objects.exists()
    time.sleep(0.4)
    tasks.poll_gateway("sandbox")
    assert StoredFile.objects.count() == 4


def test_polls_go_on_without_redis(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    tasks.poll_gateway("sandbox")
    assert StoredFile.objects.count() == 4


def test_a_poll_whose_time_is_over_has_failed_and_what_it_stored_is_applied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Drips(Pages):
        def fetch(self, cursor: str) -> Fetched:
            if cursor == "2":
                raise SoftTimeLimitExceeded
            return super().fetch(cursor)

    monkeypatch.setitem(gateways.BUILDERS, "sandbox", Drips)
    assert len(inbound.fetch("sandbox")) == 2
    cursor = PollCursor.objects.get()
    assert (cursor.cursor, cursor.failure) == ("2", "timeout (not_taken)")
    assert cursor.failed_at
