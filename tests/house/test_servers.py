"""The private servers: found, shared, gone with their last owner however it ends."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from config.local import servers
from config.local.place import LocalServersError, place_of

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkout of its own, so that nothing here touches the servers this very test run stands on."""
    folder = tmp_path_factory.mktemp("checkout")
    yield folder
    shutil.rmtree(place_of(folder, purpose="test").base, ignore_errors=True)


@pytest.fixture
def lease(checkout: Path) -> Iterator[servers.Lease]:
    with servers.start(checkout, purpose="test") as lease:
        yield lease


def answers(located: servers.Located) -> bool:
    try:
        with psycopg.connect(located.database_url) as database:
            database.execute("SELECT 1")
        with redis.Redis.from_url(located.redis_url) as broker:
            return bool(broker.ping())
    except (psycopg.OperationalError, redis.ConnectionError):
        return False


def wait_until(condition: Callable[[], bool], *, seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def redis_process(located: servers.Located) -> int:
    with redis.Redis.from_url(located.redis_url) as broker:
        return int(broker.info("server")["process_id"])


def test_a_pair_is_found_while_it_runs_and_not_after(checkout: Path) -> None:
    assert servers.locate(checkout, purpose="test") is None
    with servers.start(checkout, purpose="test") as lease:
        located = servers.locate(checkout, purpose="test")
        assert located == lease.located
        assert answers(located)
    assert servers.locate(checkout, purpose="test") is None
    assert not answers(located)


def test_purposes_share_nothing(checkout: Path, lease: servers.Lease) -> None:
    assert servers.locate(checkout, purpose="demo") is None


def test_a_second_owner_gets_a_slot_of_its_own_and_keeps_the_servers_up(checkout: Path) -> None:
    first = servers.start(checkout, purpose="test")
    second = servers.start(checkout, purpose="test")
    assert first.located == second.located
    assert first.database_url_of_run() != second.database_url_of_run()
    first.release()
    assert answers(second.located)
    second.release()
    assert not answers(second.located)


def test_redis_databases_of_runs_and_workers_differ() -> None:
    urls = {
        servers.redis_url_of_worker("redis://h:1/0", slot=slot, worker=worker)
        for slot in range(3)
        for worker in range(servers.REDIS_DATABASES_PER_RUN)
    }
    assert len(urls) == 3 * servers.REDIS_DATABASES_PER_RUN


def test_the_servers_stop_when_their_owner_is_killed(checkout: Path) -> None:
    owner = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from pathlib import Path; from config.local import servers\n"
            "lease = servers.start(Path(sys.argv[1]), purpose='test')\n"
            "print('up', flush=True); time.sleep(60)",
            str(checkout),
        ],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout is not None
    assert owner.stdout.readline() == "up\n"
    located = servers.locate(checkout, purpose="test")
    assert located
    owner.kill()
    owner.wait()
    owner.stdout.close()
    assert wait_until(lambda: servers.locate(checkout, purpose="test") is None)
    assert not answers(located)


def test_a_killed_broker_comes_back_at_its_address(lease: servers.Lease) -> None:
    killed = redis_process(lease.located)
    os.kill(killed, signal.SIGKILL)
    assert wait_until(lambda: answers(lease.located))
    assert redis_process(lease.located) != killed


def test_a_killed_supervisor_takes_its_servers_along_and_the_next_start_works(checkout: Path) -> None:
    lease = servers.start(checkout, purpose="test")
    broker = redis_process(lease.located)
    supervisor = int(Path(f"/proc/{broker}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(supervisor, signal.SIGKILL)
    assert wait_until(lambda: not answers(lease.located))
    assert servers.locate(checkout, purpose="test") is None
    lease.release()
    with servers.start(checkout, purpose="test") as second:
        assert answers(second.located)


def test_the_socket_lies_in_a_closed_folder_and_the_server_has_no_address(
    checkout: Path, lease: servers.Lease
) -> None:
    private = place_of(checkout, purpose="test").private
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert len(str(private / ".s.PGSQL.5432")) <= 107
    with psycopg.connect(lease.located.database_url) as database:
        assert database.execute("SHOW listen_addresses").fetchone() == ("",)


def test_the_broker_wants_its_password(lease: servers.Lease) -> None:
    _user, _at, address = lease.located.redis_url.partition("@")
    with redis.Redis.from_url(f"redis://{address}") as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_text_is_folded_beyond_ascii(lease: servers.Lease) -> None:
    with psycopg.connect(lease.located.database_url) as database:
        assert database.execute("SELECT lower('ÉÑ')").fetchone() == ("éñ",)


def test_programs_that_are_not_there_are_named_in_a_sentence(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PG_BIN", str(tmp_path))
    with pytest.raises(LocalServersError, match="there is no initdb in it"):
        servers.start(checkout, purpose="test")


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    place = place_of(tmp_path, purpose="test")
    place.base.symlink_to(tmp_path)
    try:
        with pytest.raises(LocalServersError, match="somebody else"):
            servers.start(tmp_path, purpose="test")
    finally:
        place.base.unlink()
