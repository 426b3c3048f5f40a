"""A database whose machine is gone without a word is given up within half a minute."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from django.db import connection

LONGEST_SECONDS = 30


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while some := source.recv(65536):
            target.sendall(some)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)


@contextmanager
def by_tcp() -> Iterator[int]:
    """A port of this machine behind which the tests' database is, which listens on no address itself."""
    folder = connection.get_connection_params()["host"]
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket(socket.AF_UNIX) as there:
        there.connect(str(Path(folder) / ".s.PGSQL.5432"))

        def forward() -> None:
            here, _ = listening.accept()
            threading.Thread(target=_pump, args=(here, there), daemon=True).start()
            _pump(there, here)

        threading.Thread(target=forward, daemon=True).start()
        yield listening.getsockname()[1]


@pytest.mark.django_db
def test_a_connection_to_a_machine_that_is_gone_is_given_up_whether_it_waits_or_sends() -> None:
    with by_tcp() as port:
        parameters = {**connection.get_connection_params(), "host": "127.0.0.1", "port": port}
        with psycopg.connect(**parameters) as reached, socket.socket(fileno=reached.fileno()) as ours:
            option = {
                name: ours.getsockopt(socket.IPPROTO_TCP, getattr(socket, f"TCP_{name}"))
                for name in ("KEEPIDLE", "KEEPINTVL", "KEEPCNT", "USER_TIMEOUT")
            }
            ours.detach()
    assert option["KEEPIDLE"] + option["KEEPINTVL"] * option["KEEPCNT"] <= LONGEST_SECONDS
    assert 0 < option["USER_TIMEOUT"] <= LONGEST_SECONDS * 1000
