"""Keys that are not in force: counted by address, and after too many in a minute refused unseen.

A refusal costs a guesser's address one look-up in the database at first, and none later, so that nobody else
waits for it. A key that this process has known in force is looked up all the same: a partner behind the same
address goes on.
"""

import math
import time

from django.conf import settings
from prometheus_client import Counter

from partners.counting import counter_at

MOST_A_MINUTE = 60
_MOST_ADDRESSES = 10_000
REFUSED_KEYS = Counter("billing_refused_keys", "Requests whose key is not in force.", ["why"])
_guessing_until: dict[str, float] = {}


def rests_for(address: str) -> int:
    """For how many seconds this address's unknown keys are not looked up; 0 where they are."""
    until = _guessing_until.get(address)
    if until is None:
        return 0
    left = until - time.monotonic()
    if left > 0:
        return math.ceil(left)
    _guessing_until.pop(address, None)
    return 0


def count_refused(address: str, *, looked_up: bool) -> None:
    """Count one more key that nobody knows, or that was not looked up."""
    REFUSED_KEYS.labels("unknown" if looked_up else "unseen").inc()
    if not looked_up:
        return
    counted = counter_at(settings.REDIS_URL).count(f"refused:{address}")
    if counted is not None and counted[0] >= MOST_A_MINUTE:
        if len(_guessing_until) >= _MOST_ADDRESSES:
            _guessing_until.clear()
        _guessing_until[address] = time.monotonic() + max(counted[1], 1000) / 1000


def forget_guessers() -> None:
    """Look every address's keys up again."""
    _guessing_until.clear()
