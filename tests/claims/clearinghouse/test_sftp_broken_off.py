"""Polls of an SFTP clearinghouse that break off in the middle of a file."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from claims.clearinghouse.port import ClearinghouseError
from claims.clearinghouse.sftp import SftpClearinghouse
from tests.claims.clearinghouse.rigs import SftpRig
from tests.claims.clearinghouse.sftp_server import SftpServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SftpServer]:
    with SftpServer(tmp_path).running() as server:
        server.endless.add("b.999")
        yield server


@pytest.fixture
def gateway(server: SftpServer) -> Iterator[SftpClearinghouse]:
    rig = SftpRig(server)
    gateway = SftpClearinghouse(replace(rig.settings, timeout=0.5))
    yield gateway
    gateway.close()


def put(server: SftpServer, *names: str) -> None:
    for place, name in enumerate(names):
        server.put(name, name.encode(), age=100 - place)


def names_fetched(gateway: SftpClearinghouse) -> list[str]:
    fetched = gateway.fetch("")
    for file in fetched.files:
        gateway.acknowledge(file)
    return [file.name for file in fetched.files]


def test_what_was_read_before_is_handed_over(server: SftpServer, gateway: SftpClearinghouse) -> None:
    put(server, "a.999", "b.999", "c.999")
    fetched = gateway.fetch("")
    assert [file.name for file in fetched.files] == ["a.999"]
    assert fetched.more


def test_the_others_go_before_it_from_then_on(server: SftpServer, gateway: SftpClearinghouse) -> None:
    put(server, "b.999", "c.999", "d.999")
    with pytest.raises(ClearinghouseError):
        gateway.fetch("")
    assert names_fetched(gateway) == ["c.999", "d.999"]
    with pytest.raises(ClearinghouseError):
        gateway.fetch("")
    server.endless.clear()
    assert names_fetched(gateway) == ["b.999"]


def test_they_do_where_the_polls_time_was_over(
    server: SftpServer, gateway: SftpClearinghouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    class TimeIsOver(Exception):
        """Raised from outside in the middle of a read, as Celery's limit is."""

    def read(*arguments: object) -> list[object]:
        raise TimeIsOver

    put(server, "b.999", "c.999")
    with monkeypatch.context() as patch:
        patch.setattr(SftpClearinghouse, "_read", read)
        with pytest.raises(TimeIsOver):
            gateway.fetch("")
    assert names_fetched(gateway) == ["c.999"]
