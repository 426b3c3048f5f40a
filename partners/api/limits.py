"""The rate limit: requests a minute and partner, counted in Redis by all web processes together."""

import logging
import time
from dataclasses import dataclass
from functools import cache

import redis
from django.conf import settings
from django.http import HttpResponse

from partners.auth import Caller

logger = logging.getLogger(__name__)

WINDOW_SECONDS = 60
_PAUSE_SECONDS = 1.0
"""How long nothing is asked of a Redis that did not answer: requests pass meanwhile."""
_COUNT = """
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
"""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a partner's minute after this request; a limit of 0 means there is none."""

    limit: int
    remaining: int
    reset: int
    spent: bool = False

    def write_on(self, response: HttpResponse) -> None:
        """Tell the caller."""
        response.headers["RateLimit-Limit"] = str(self.limit)
        response.headers["RateLimit-Remaining"] = str(self.remaining)
        response.headers["RateLimit-Reset"] = str(self.reset)


class Counter:
    """Counts in Redis; lets requests through while Redis is away."""

    def __init__(self, address: str) -> None:
        self._redis = redis.Redis.from_url(
            address, socket_connect_timeout=0.1, socket_timeout=0.1, retry=None, protocol=2
        )
        self._count = self._redis.register_script(_COUNT)
        self._ask_again_at = 0.0

    def count(self, key: str) -> tuple[int, int] | None:
        """How many in this window, and the milliseconds it still lasts; None when Redis does not say."""
        if time.monotonic() < self._ask_again_at:
            return None
        try:
            count, milliseconds = self._count(keys=[key], args=[WINDOW_SECONDS * 1000])
        except (redis.RedisError, OSError) as error:
            self._ask_again_at = time.monotonic() + _PAUSE_SECONDS
            logger.warning("rate limit not counted: %s", type(error).__name__)
            return None
        return count, milliseconds


@cache
def counter_at(address: str) -> Counter:
    """The process's counter for this Redis."""
    return Counter(address)


def count_request(caller: Caller) -> Allowance:
    """Count one more request of this partner."""
    limit = settings.RATE_LIMIT_PER_MINUTE if caller.rate_limit is None else caller.rate_limit
    if limit == 0:
        return Allowance(limit=0, remaining=0, reset=0)
    counted = counter_at(settings.REDIS_URL).count(f"rate:{caller.partner_id}")
    if counted is None:
        return Allowance(limit=limit, remaining=limit, reset=WINDOW_SECONDS)
    count, milliseconds = counted
    reset = max(1, -(-milliseconds // 1000))
    return Allowance(limit=limit, remaining=max(0, limit - count), reset=reset, spent=count > limit)
