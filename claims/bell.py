"""One hint for however many sessions came in just now: the pipeline takes due claims in batches anyway.

Publishing a task costs more than storing a session, and a broker that hangs would make its sender wait. A
thread of each process does it instead, a moment later at most. What a dying process does not get to is found
by the sweep.
"""

import logging
import os
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import transaction

from claims import tasks

logger = logging.getLogger(__name__)
REST_SECONDS = 0.1


class Bell:
    """Calls `act` in a thread of its own after being rung, once for all rings during its rest."""

    def __init__(self, act: Callable[[], None], *, rest: float = REST_SECONDS) -> None:
        self._act, self._rest = act, rest
        self._wanted = threading.Event()
        self._starting = threading.Lock()
        self._started_in: int | None = None

    def ring(self) -> None:
        """Have `act` called soon; never waits."""
        self._wanted.set()
        if self._started_in != os.getpid():  # a fork keeps the flag and loses the thread
            with self._starting:
                if self._started_in != os.getpid():
                    threading.Thread(target=self._serve, name="bell", daemon=True).start()
                    self._started_in = os.getpid()

    def _serve(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            try:
                self._act()
            except Exception as error:  # whatever it is, the next ring must be heard
                logger.warning("A hint failed (%s); the sweep will find what waits.", type(error).__name__)
            time.sleep(self._rest)


def _hint() -> None:
    tasks.hint(tasks.advance)


_bell = Bell(_hint)


def ring_after_commit() -> None:
    """Once the transaction is committed, hint that some claim has something to do."""
    ring = _hint if settings.CELERY_TASK_ALWAYS_EAGER else _bell.ring
    transaction.on_commit(ring, robust=True)
