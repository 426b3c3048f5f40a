"""The door: whoever finds every place taken gets a 503 that says when to come again, and not silence."""

import io
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest

from config import admission
from config.admission import Admission

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


def ask(
    door: Admission, path: str = "/api/v1/partner/sessions", *, sent: Any = None, **also: str
) -> tuple[str, dict[str, str]]:
    told: list[Any] = []
    environ = {"PATH_INFO": path, "REQUEST_METHOD": "POST", "HTTP_X_REQUEST_ID": "mine-1", **also}
    body: Any = door(environ | {"wsgi.input": sent or io.BytesIO()}, lambda *given: told.extend(given))
    list(body)
    if hasattr(body, "close"):
        body.close()
    return told[0], dict(told[1])


@contextmanager
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Admission, Hanging, list[Future[Any]]]]:
    monkeypatch.setattr(admission, "PATIENCE_SECONDS", 0.01)
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

    monkeypatch.setattr(admission, "PATIENCE_SECONDS", 0.01)
    door = Admission(streaming, places=1)
    stream: Any = door({"PATH_INFO": "/export", "REQUEST_METHOD": "GET"}, lambda *given: None)
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


class Silent:
    """The body of somebody who sends nothing until let go."""

    def __init__(self) -> None:
        self.asked, self.let_go = Event(), Event()

    def read(self, size: int) -> bytes:
        self.asked.set()
        self.let_go.wait(10)
        return b""


def length_seen(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("X-Length", str(len(body)))])
    return [b""]


def test_silent_senders_keep_nobody_from_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "PATIENCE_SECONDS", 0.01)
    door = Admission(length_seen, places=4)
    silent = [Silent(), Silent()]
    with ThreadPoolExecutor(2) as threads:
        for each in silent:
            threads.submit(ask, door, "/admin/login/", CONTENT_LENGTH="100000", sent=each)
            assert each.asked.wait(10)
        try:
            for _ in range(4):
                late = Silent()
                answer = ask(door, CONTENT_LENGTH="10", sent=late)
                assert answer[0] == "503 Service Unavailable"
                assert answer[1]["Retry-After"] == "2"
                assert not late.asked.is_set()
                assert ask(door)[0] == "200 OK"
                empty = ask(door, CONTENT_LENGTH="0", sent=io.BytesIO())
                assert empty[0] == "200 OK"
        finally:
            for each in silent:
                each.let_go.set()
    assert ask(door, CONTENT_LENGTH="3", sent=io.BytesIO(b"abc"))[1]["X-Length"] == "3"


@pytest.mark.parametrize(
    ("path", "stated", "seen"),
    [
        ("/api/v1/partner/sessions", str(2 * 1024 * 1024 + 1), "0"),
        ("/admin/providers/", str(2 * 1024 * 1024 + 1), "4"),
        ("/api/v1/partner/sessions", "x", "4"),
    ],
)
def test_of_a_body_that_states_too_much_nothing_is_read(path: str, stated: str, seen: str) -> None:
    door = Admission(length_seen, places=1)
    answer = ask(door, path, CONTENT_LENGTH=stated, sent=io.BytesIO(b"abcd"))
    assert answer == ("200 OK", {"X-Length": seen})


@pytest.mark.parametrize("stated", [str(8 * 1024 * 1024 + 1), "9" * 40])
def test_a_form_that_is_too_large_to_be_read_is_told_so(stated: str) -> None:
    door = Admission(length_seen, places=1)
    for _ in range(3):
        status, headers = ask(door, "/admin/providers/", CONTENT_LENGTH=stated)
        assert status.startswith("413 ")
        assert "Retry-After" not in headers


def test_a_body_that_breaks_off_frees_its_place() -> None:
    class Broken:
        def read(self, size: int) -> bytes:
            raise ConnectionError

    door = Admission(length_seen, places=1)
    for _ in range(3):
        with pytest.raises(ConnectionError):
            ask(door, CONTENT_LENGTH="3", sent=Broken())
