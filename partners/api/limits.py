"""The rate limit: requests a minute and partner, counted in Redis by all web processes together."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpResponse

from partners.auth import Caller
from partners.counting import WINDOW_SECONDS, counter_at


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
