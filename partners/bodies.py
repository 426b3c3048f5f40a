"""A request's body with a deadline, which the server has none for.

The server's own read can't be given up. So a helper does it: when time is over, the helper goes on waiting by
itself until the sender sends or hangs up, and whoever asked does not.
"""

import logging
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Protocol

logger = logging.getLogger(__name__)


class Sent(Protocol):
    """What the server calls `wsgi.input`."""

    def read(self, size: int, /) -> bytes: ...


class _Reading:
    """One body, and the lock that opens when it is read."""

    def __init__(self, sent: Sent, size: int) -> None:
        self._sent, self._size = sent, size
        self._content = b""
        self._ended = Lock()
        self._ended.acquire()
        self.end = self._ended.release

    def read(self) -> None:
        """Read it; of one that breaks off nothing is kept."""
        try:
            self._content = self._sent.read(self._size)
        except Exception as error:
            logger.warning("a body broke off: %s", type(error).__name__)

    def within(self, seconds: float) -> bytes | None:
        """What there is of it once it has ended; None where it has not in time."""
        return self._content if self._ended.acquire(timeout=seconds) else None


class Helpers:
    """Threads that read; one more whenever all others are at it."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[_Reading] = SimpleQueue()
        self._idle = 0
        self._counting = Lock()

    def read(self, sent: Sent, size: int, *, seconds: float) -> bytes | None:
        """The body, of so many bytes or cut; None where it is not there in time."""
        reading = _Reading(sent, size)
        with self._counting:
            hire = self._idle == 0
            self._idle -= not hire
        if hire:
            Thread(target=self._work, name="body", daemon=True).start()
        self._waiting.put(reading)
        return reading.within(seconds)

    def _work(self) -> None:
        while True:
            reading = self._waiting.get()
            reading.read()
            with self._counting:
                self._idle += 1
            reading.end()
