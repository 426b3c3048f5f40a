"""Signs of life of workers and beat, in Redis: lost with it, and there again within seconds."""

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache

import redis
from django.conf import settings

logger = logging.getLogger(__name__)
EVERY_SECONDS = 15.0
STALE_SECONDS = 60.0
FORGOTTEN_SECONDS = 86_400.0
HELD_SECONDS = 10.0
"""How long who was killed at something still counts as being at it."""
PATIENCE_SECONDS = 0.5
KEY = "billing:heartbeats"
ASKED = "billing:asked"
KINDS = ("worker", "periodic", "gateways", "notes", "beat")


def broker() -> redis.Redis:
    """A client that doesn't wait long for an answer."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=PATIENCE_SECONDS,
        socket_timeout=PATIENCE_SECONDS,
        retry=None,
        decode_responses=True,
    )


def takes_writes(client: redis.Redis) -> bool:
    """Whether Redis keeps what it is told: one that is full, or a replica, answers and carries no task."""
    try:
        client.set(ASKED, 1, ex=int(STALE_SECONDS))
    except redis.ResponseError:
        return False
    return True


def beat(kind: str, name: str) -> None:
    """Say that this process lives; never fails."""
    try:
        with broker() as client:
            client.hset(KEY, f"{kind}:{name}", repr(time.time()))
    except (redis.RedisError, OSError) as error:
        logger.warning("no heartbeat of %s: %s", kind, type(error).__name__)


def stop(kind: str, name: str) -> None:
    """Say that this process ends in good order; never fails."""
    try:
        with broker() as client:
            client.hdel(KEY, f"{kind}:{name}")
    except (redis.RedisError, OSError) as error:
        logger.warning("heartbeat of %s not taken back: %s", kind, type(error).__name__)


def ages(kind: str, client: redis.Redis) -> Mapping[str, float]:
    """Seconds since each process of that kind was heard of; redis.RedisError while it is away.

    After a day a process is forgotten.
    """
    now = time.time()
    found: dict[str, float] = {}
    for field, value in client.hgetall(KEY).items():
        its_kind, _, name = str(field).partition(":")
        age = now - float(value)
        if age >= FORGOTTEN_SECONDS:
            client.hdel(KEY, field)
        elif its_kind == kind:
            found[name] = max(age, 0.0)
    return found


def living(kind: str) -> int:
    """How many processes of that kind were heard of lately, counted anew every few seconds."""
    return counted(kind, int(time.monotonic() / EVERY_SECONDS))


@lru_cache(maxsize=2)
def counted(kind: str, period: int) -> int:
    """How many lived in that period, whoever asks; 0 while Redis is away."""
    try:
        with broker() as client:
            return sum(age < STALE_SECONDS for age in ages(kind, client).values())
    except (redis.RedisError, OSError):
        return 0


def is_alive(kind: str, client: redis.Redis) -> bool:
    """Whether any process of that kind was heard of lately."""
    return any(age < STALE_SECONDS for age in ages(kind, client).values())


@contextmanager
def alone_at(what: str) -> Iterator[bool]:
    """Whether nobody else is at it, and nobody will be until the end; without Redis each is alone."""
    lost = suppress(redis.RedisError, OSError)
    with broker() as client:
        hold = client.lock(f"billing:alone:{what}", timeout=HELD_SECONDS, thread_local=False)
        taken = False
        with lost:
            taken = not hold.acquire(blocking=False)
        if taken:
            yield False
            return
        done = threading.Event()

        def keep() -> None:
            while not done.wait(HELD_SECONDS / 3):
                with lost:
                    hold.reacquire()

        keeper = threading.Thread(target=keep, daemon=True)
        keeper.start()
        try:
            yield True
        finally:
            done.set()
            keeper.join()
            with lost:
                hold.release()
