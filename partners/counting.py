"""Counting in Redis within a window, by all web processes together; never in anybody's way."""

import logging
import time
from functools import cache

import redis

logger = logging.getLogger(__name__)

WINDOW_SECONDS = 60
_PAUSE_SECONDS = 1.0
"""How long nothing is asked of a Redis that did not answer."""
_COUNT = """
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
"""


class Counter:
    """Counts in Redis; says nothing while Redis is away."""

    def __init__(self, address: str) -> None:
        self._redis = redis.Redis.from_url(
            address, socket_connect_timeout=0.1, socket_timeout=0.1, retry=None, protocol=2
        )
        self._count = self._redis.register_script(_COUNT)
        self._ask_again_at = 0.0

    def count(self, key: str, *, amount: int = 1, seconds: int = WINDOW_SECONDS) -> tuple[int, int] | None:
        """How many in this window, and the milliseconds it still lasts; None when Redis does not say."""
        if time.monotonic() < self._ask_again_at:
            return None
        try:
            count, milliseconds = self._count(keys=[key], args=[seconds * 1000, amount])
        except (redis.RedisError, OSError) as error:
            self._ask_again_at = time.monotonic() + _PAUSE_SECONDS
            logger.warning("not counted: %s", type(error).__name__)
            return None
        return count, milliseconds


@cache
def counter_at(address: str) -> Counter:
    """The process's counter for this Redis."""
    return Counter(address)
