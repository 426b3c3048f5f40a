"""Who promises a body and sends none: nobody but itself waits for it."""

import http.client
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit
from urllib.request import urlopen

import orjson
import pytest

from tests.cast import Api, partner_api, submission
from tests.flows.test_web_server import SESSIONS, ask

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 8
LONG_SECONDS = 12
JSON = {"Content_Type": "application/json"}


@pytest.fixture
def rival(release) -> Api:
    return partner_api("Rival").onboarded()


@pytest.fixture
def silent() -> Iterator[ExitStack]:
    with ExitStack() as connections:
        yield connections


def promise(base: str, silent: ExitStack, path: str, *, key: str | None = None) -> socket.socket:
    """A connection whose request announces a body."""
    address = urlsplit(base)
    caller = silent.enter_context(socket.create_connection((address.hostname, address.port), timeout=20))
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n"
    if key is not None:
        head += f"Authorization: Bearer {key}\r\n"
    caller.sendall(f"{head}\r\n{{".encode())
    return caller


def waited_for(callers: list[socket.socket], *, most: int) -> None:
    """Of these so many are waited for; the others were told to come again."""
    turned_away = [caller.recv(65536) for caller in _answered(callers, MANY - most)]
    assert [each[:13] for each in turned_away] == [b"HTTP/1.1 503 "] * (MANY - most)


def _answered(callers: list[socket.socket], number: int) -> list[socket.socket]:
    """Who has an answer within three seconds, or once so many have."""
    until = time.monotonic() + 3
    answered: list[socket.socket] = []
    while len(answered) < number and (left := until - time.monotonic()) > 0:
        answered = select.select(callers, [], [], left)[0]
        time.sleep(0.05)
    return answered


def submitted(base: str, partner: Api) -> int:
    return ask(base, partner, "POST", SESSIONS, orjson.dumps(submission()), **JSON)[0]


def test_without_a_key_in_force_no_body_is_waited_for(base: str, silent: ExitStack) -> None:
    for key in (None, "bk_test_nobody"):
        assert promise(base, silent, SESSIONS, key=key).recv(65536).startswith(b"HTTP/1.1 401 ")


def test_silent_connections_of_one_partner_keep_no_other_from_submitting(
    base: str, silent: ExitStack, rival: Api
) -> None:
    ours = partner_api("Ours")
    waited_for([promise(base, silent, SESSIONS, key=ours.key) for _ in range(MANY)], most=2)
    assert submitted(base, rival) == 201


def test_silent_sign_ins_keep_nobody_from_submitting(base: str, silent: ExitStack, rival: Api) -> None:
    waited_for([promise(base, silent, "/admin/login/") for _ in range(MANY)], most=1)
    assert submitted(base, rival) == 201


def test_who_stays_silent_for_long_keeps_nobody_waiting(base: str, silent: ExitStack, rival: Api) -> None:
    promise(base, silent, SESSIONS, key=partner_api("Ours").key)
    promise(base, silent, "/admin/login/")
    until = time.monotonic() + LONG_SECONDS
    while time.monotonic() < until:
        with urlopen(f"{base}/healthz", timeout=2) as answer:
            assert answer.status == 200
        assert submitted(base, rival) == 201
        time.sleep(0.5)


def test_a_body_that_comes_slowly_is_read(base: str, silent: ExitStack, rival: Api) -> None:
    address = urlsplit(base)
    caller = http.client.HTTPConnection(address.netloc, timeout=20)
    body = orjson.dumps(submission())
    caller.putrequest("POST", SESSIONS)
    for name, value in {"Authorization": f"Bearer {rival.key}", "Content-Length": str(len(body))}.items():
        caller.putheader(name, value)
    caller.endheaders()
    for at in range(0, len(body), 400):
        caller.send(body[at : at + 400])
    assert caller.getresponse().status == 201
    caller.close()
