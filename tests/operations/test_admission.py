"""The door: whoever finds every place taken gets a 503 that says when to come again, and not silence."""

import io
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest

from config.admission import Admission
from partners import visits

PLACES = 2


class Hanging:
    """An application whose every request hangs until it is let go."""

    def __init__(self) -> None:
        self.entered = [Event(), Event()]
        self.let_go = Event()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] != "/healthz" and not self.let_go.is_set():
            next(event for event in self.entered if not event.is_set()).set()
            self.let_go.wait(10)
        start_response("200 OK", [])
        return [b"done"]


def ask(door: Admission, path: str = "/api/v1/partner/sessions", **also: Any) -> tuple[str, dict[str, str]]:
    told: list[Any] = []
    environ = {"PATH_INFO": path, "REQUEST_METHOD": "POST", "HTTP_X_REQUEST_ID": "mine-1"}
    environ |= {"wsgi.input": io.BytesIO(), **also}
    body: Any = door(environ, lambda *given: told.extend(given))
    list(body)
    if hasattr(body, "close"):
        body.close()
    return told[0], dict(told[1])


@contextmanager
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Admission, Hanging, list[Future[Any]]]]:
    monkeypatch.setattr(visits, "PATIENCE_SECONDS", 0.01)
    application = Hanging()
    door = Admission(application, places=PLACES)
    with ThreadPoolExecutor(PLACES) as threads:
        inside = []
        for event in application.entered:
            inside.append(threads.submit(ask, door))
            assert event.wait(10)
        try:
            yield door, application, inside
        finally:
            application.let_go.set()


def test_who_finds_every_place_taken_is_told_when_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with full(monkeypatch) as (door, _, _):
        status, headers = ask(door)
        assert (status, headers["Retry-After"]) == ("503 Service Unavailable", "2")


def test_who_is_turned_away_has_an_id_to_quote(monkeypatch: pytest.MonkeyPatch) -> None:
    with full(monkeypatch) as (door, _, _):
        assert ask(door)[1]["X-Request-Id"] == "mine-1"


def test_a_stream_keeps_its_place_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def streaming(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        return iter([b"a", b"b"])

    monkeypatch.setattr(visits, "PATIENCE_SECONDS", 0.01)
    door = Admission(streaming, places=1)
    stream: Any = door(
        {"PATH_INFO": "/export", "REQUEST_METHOD": "GET", "wsgi.input": io.BytesIO()}, lambda *given: None
    )
    next(iter(stream))
    assert ask(door)[0] == "503 Service Unavailable"
    stream.close()
    assert ask(door)[0] == "200 OK"


def test_the_process_is_seen_to_live_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with full(monkeypatch) as (door, _, _):
        assert ask(door, "/healthz")[0] == "200 OK"


def test_it_goes_on_once_there_is_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    with full(monkeypatch) as (door, application, inside):
        ask(door)
        application.let_go.set()
        assert [each.result(10)[0] for each in inside] == ["200 OK"] * PLACES
        assert [ask(door)[0] for _ in range(2 * PLACES)] == ["200 OK"] * 2 * PLACES


def test_an_error_frees_its_place() -> None:
    def broken(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        raise ZeroDivisionError

    door = Admission(broken, places=1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            ask(door)


def test_a_body_that_nobody_asks_for_is_empty_and_unread() -> None:
    class Unread:
        def read(self, size: int) -> bytes:
            raise AssertionError("The body was read.")

    def reading(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("X-Read", str(environ["wsgi.input"].read()))])
        return [b""]

    answer = ask(Admission(reading, places=1), CONTENT_LENGTH="4", **{"wsgi.input": Unread()})
    assert answer == ("200 OK", {"X-Read": "b''", "Connection": "close"})
