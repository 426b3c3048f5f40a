"""A worker waits for a Redis that takes no writes, and works again without being started anew."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from celery.exceptions import OperationalError

from config import celery
from tests.operations.running import redis_takes_no_writes
from tests.operations.test_endings import with_this_database

CHECKOUT = Path(__file__).resolve().parents[2]
QUEUE = "periodic"
LOST, BACK = "takes no writes", "ready."
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(90)]


def eventually(what: Callable[[], bool]) -> bool:
    """Whether it comes true within half a minute."""
    deadline = time.monotonic() + 30
    while not (true := what()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return true


@pytest.fixture
def broker(settings: Any) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(QUEUE)
        client.acl_setuser(
            "bounded", enabled=True, nopass=True, keys=["*"], channels=["*"], commands=["+@all"]
        )
        yield client
        client.acl_deluser("bounded")
        client.delete(QUEUE)


@pytest.fixture
def worker(broker: redis.Redis, settings: Any, tmp_path: Path) -> Iterator[tuple[Any, Path]]:
    parts = urlsplit(settings.REDIS_URL)
    address = parts._replace(netloc=f"bounded:any@{parts.netloc.rpartition('@')[2]}").geturl()
    words = ["worker", "--pool", "solo", "--queues", QUEUE, "--without-gossip", "--without-mingle"]
    log = tmp_path / "worker.log"
    with log.open("w") as lines:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "--quiet", "-A", "config", *words, "--loglevel", "INFO"],
            cwd=CHECKOUT,
            env=with_this_database(REDIS_URL=address),
            stdout=lines,
            stderr=lines,
        )
    assert eventually(lambda: BACK in log.read_text()), log.read_text()
    yield process, log
    process.kill()
    process.wait()


def test_a_worker_outlives_a_redis_that_takes_no_writes(
    broker: redis.Redis, worker: tuple[Any, Path]
) -> None:
    process, log = worker
    broker.execute_command("ACL", "SETUSER", "bounded", "-@all", "+@read", "+@connection")
    assert eventually(lambda: LOST in log.read_text() or process.poll() is not None)
    assert process.poll() is None, log.read_text()
    broker.execute_command("ACL", "SETUSER", "bounded", "+@all")
    celery.app.send_task("claims.figures", queue=QUEUE)
    assert eventually(lambda: "claims.figures" in log.read_text())
    assert process.poll() is None


def test_whoever_comes_to_a_redis_that_takes_no_writes_is_told_so(settings: Any) -> None:
    with (
        redis_takes_no_writes(settings),
        celery.app.connection_for_write(settings.REDIS_URL) as connection,
        pytest.raises(OperationalError, match="takes no writes"),
    ):
        connection.ensure_connection(max_retries=1, interval_start=0)
