"""Early pytest plugin: `python -m pytest` with an empty environment gets servers of its own.

It runs before Django's settings are imported. Runs side by side share one pair of servers and nothing in
it; `DATABASE_URL` and `REDIS_URL` win where they are set.
"""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
import redis

from config.local import servers
from config.local.place import LocalServersError

CHECKOUT = Path(__file__).resolve().parents[2]
SLOT_VARIABLE = "TEST_SERVERS_SLOT"  # tells xdist's workers that the controller started the servers
LEASE: pytest.StashKey[servers.Lease] = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, None, None]:
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and SLOT_VARIABLE in os.environ:
        _use_redis_database(int(os.environ[SLOT_VARIABLE]), worker=1 + int(worker.removeprefix("gw")))
    elif not {"DATABASE_URL", "REDIS_URL"} <= os.environ.keys():
        try:
            lease = servers.start(CHECKOUT, purpose="test")
        except LocalServersError as error:
            raise pytest.UsageError(str(error)) from error
        early_config.stash[LEASE] = lease
        os.environ.setdefault("DATABASE_URL", lease.database_url_of_run())
        if "REDIS_URL" not in os.environ:
            os.environ["REDIS_URL"] = lease.located.redis_url
            os.environ[SLOT_VARIABLE] = str(lease.slot)
            _use_redis_database(lease.slot, worker=0)
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    lease = config.stash.get(LEASE, None)
    if lease:
        lease.release()


def _use_redis_database(slot: int, *, worker: int) -> None:
    """Point this process at an empty Redis database that no other run or worker uses."""
    os.environ["REDIS_URL"] = servers.redis_url_of_worker(os.environ["REDIS_URL"], slot=slot, worker=worker)
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.flushdb()
