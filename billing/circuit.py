"""A circuit breaker: after failures in a row, nobody calls for a while, and then one call tries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from threading import Lock
from time import monotonic


class CircuitBreaker:
    """Counts failures in a row; shared by the threads of a process."""

    def __init__(
        self,
        *,
        failures: int = 5,
        rest: timedelta = timedelta(seconds=30),
        monotonic: Callable[[], float] = monotonic,
    ) -> None:
        """Open after `failures` in a row, for `rest`."""
        self._failures = failures
        self._rest = rest.total_seconds()
        self._monotonic = monotonic
        self._lock = Lock()
        self._in_a_row = 0
        self._closed_again_at = 0.0

    def wait(self) -> timedelta | None:
        """Return how long not to call; None lets the caller through.

        When the rest is over one caller is let through, and the others wait for what it meets.
        """
        with self._lock:
            if self._in_a_row < self._failures:
                return None
            now = self._monotonic()
            if now < self._closed_again_at:
                return timedelta(seconds=self._closed_again_at - now)
            self._closed_again_at = now + self._rest
            return None

    def succeeded(self) -> None:
        """Close the circuit."""
        with self._lock:
            self._in_a_row = 0

    def failed(self) -> None:
        """Count a failure; the last of the row opens the circuit."""
        with self._lock:
            self._in_a_row += 1
            if self._in_a_row >= self._failures:
                self._closed_again_at = self._monotonic() + self._rest
