"""Who waits for whose body, and how much of a process is one partner's."""

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.utils import timezone

from partners import visits
from partners.keys import issue_key
from partners.visits import Busy, House, TooLarge, Visit
from tests.cast import Api, partner_api

OURS, RIVAL, THIRD = "ours", "rival", "third"
MOST = 1000


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "PATIENCE_SECONDS", 0.05)


@pytest.fixture
def house() -> House:
    return House.of(4)


class Silent:
    """The body of somebody who sends nothing until let go."""

    def __init__(self) -> None:
        self.asked, self.let_go = Event(), Event()

    def read(self, size: int) -> bytes:
        self.asked.set()
        self.let_go.wait(10)
        return b""


class Broken:
    """A body that breaks off."""

    def read(self, size: int) -> bytes:
        raise ConnectionError


def visit(house: House, sent: Any = None, *, stated: str = "3") -> tuple[Visit, dict[str, Any]]:
    environ = {"wsgi.input": sent or io.BytesIO(b"abc"), "CONTENT_LENGTH": stated}
    return Visit(house, environ), environ


def fetched(house: House, holder: str, sent: Any = None, *, known: bool = True, **also: str) -> bytes:
    each, environ = visit(house, sent, **also)
    each.fetch_body(holder, known=known, most=MOST)
    content: bytes = environ["wsgi.input"].read()
    return content


@contextmanager
def waiting(house: House, *holders: str, known: bool = True) -> Iterator[None]:
    """A silent body of each of these is waited for."""
    bodies = [Silent() for _ in holders]
    with ThreadPoolExecutor(len(bodies)) as threads:
        for holder, body in zip(holders, bodies, strict=True):
            threads.submit(fetched, house, holder, body, known=known)
            assert body.asked.wait(10)
        try:
            yield
        finally:
            for body in bodies:
                body.let_go.set()


def test_who_is_silent_keeps_no_other_from_being_heard(house: House) -> None:
    with waiting(house, OURS, OURS):
        with pytest.raises(Busy):
            fetched(house, OURS)
        assert fetched(house, RIVAL) == b"abc"


def test_who_sends_one_slow_body_may_send_another(house: House) -> None:
    with waiting(house, OURS):
        assert fetched(house, OURS) == b"abc"


def test_three_quarters_of_the_places_at_most_wait_for_those_who_are_known(house: House) -> None:
    with waiting(house, OURS, OURS, RIVAL), pytest.raises(Busy):
        fetched(house, THIRD)
    assert fetched(house, THIRD) == b"abc"


def test_strangers_have_a_quarter_of_the_places_for_themselves(house: House) -> None:
    with waiting(house, "198.51.100.1", known=False):
        with pytest.raises(Busy):
            fetched(house, "198.51.100.2", known=False)
        assert fetched(house, OURS) == b"abc"


@pytest.mark.parametrize("stated", [str(MOST + 1), "9" * 40])
def test_of_a_body_that_states_too_much_nothing_is_read(house: House, stated: str) -> None:
    for _ in range(3):
        with pytest.raises(TooLarge):
            fetched(house, OURS, stated=stated)


@pytest.mark.parametrize("stated", ["", "0", "x", "-1", "\u0661"])
def test_of_a_body_without_a_length_nothing_is_read(house: House, stated: str) -> None:
    assert fetched(house, OURS, stated=stated) == b""


def test_a_body_that_breaks_off_frees_its_place(house: House) -> None:
    for _ in range(3):
        assert fetched(house, OURS, Broken()) == b""


@pytest.mark.django_db
def test_a_key_that_ended_while_its_body_came_lets_nobody_in(house: House) -> None:
    ours = partner_api("Ours")
    issued = issue_key(ours.partner, expires_at=timezone.now() + timedelta(seconds=4))

    class Late:
        def read(self, size: int) -> bytes:
            Event().wait(max((issued.record.expires_at - timezone.now()).total_seconds(), 0) + 0.1)
            return b"{}"

    arriving, _ = visit(house, Late(), stated="2")
    answer = Api(key=issued.text).post("/sessions", {}, **{"billing.visit": arriving})
    assert answer.status_code == 401


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({"CONTENT_TYPE": "text/plain"}, 415),
        ({"HTTP_CONTENT_ENCODING": "gzip"}, 415),
        ({"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}, 411),
        ({"CONTENT_LENGTH": "x"}, 400),
        ({"CONTENT_LENGTH": "9" * 12}, 413),
        ({"HTTP_IDEMPOTENCY_KEY": "a b"}, 400),
    ],
)
def test_what_the_headers_show_is_refused_before_the_body_is_waited_for(
    house: House, header: dict[str, str], status: int
) -> None:
    sent = Silent()
    sent.let_go.set()
    arriving, _ = visit(house, sent)
    answer = partner_api("Ours").post("/sessions", {}, **{"billing.visit": arriving, **header})
    assert (answer.status_code, sent.asked.is_set()) == (status, False)


def entered(house: House, partner: str) -> Visit:
    each, _ = visit(house)
    assert each.enter()
    each.count_for(partner)
    return each


def test_no_partner_has_all_places(house: House) -> None:
    inside = [entered(house, OURS) for _ in range(3)]
    with pytest.raises(Busy):
        entered(house, OURS)
    entered(house, RIVAL).leave()
    inside.pop().leave()
    entered(house, OURS)


def test_who_waits_for_its_share_waits_outside(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "PATIENCE_SECONDS", 10)
    inside = [entered(house, OURS) for _ in range(3)]
    with ThreadPoolExecutor(2) as threads:
        more = [threads.submit(entered, house, OURS) for _ in range(2)]
        entered(house, RIVAL).leave()
        for each in inside:
            each.leave()
        for each in more:
            each.result(10).leave()
    assert [entered(house, OURS) for _ in range(3)]


def test_who_was_turned_away_holds_nothing(house: House) -> None:
    inside = [entered(house, OURS) for _ in range(3)]
    turned_away, _ = visit(house)
    assert turned_away.enter()
    with pytest.raises(Busy):
        turned_away.count_for(OURS)
    turned_away.leave()
    for each in inside:
        each.leave()
    assert [entered(house, partner) for partner in (OURS, OURS, OURS, RIVAL)]


def test_a_process_with_a_single_place_gives_it_to_anybody() -> None:
    house = House.of(1)
    entered(house, OURS).leave()
    assert fetched(house, OURS) == fetched(house, RIVAL, known=False) == b"abc"
