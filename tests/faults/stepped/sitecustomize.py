"""A process whose clock steps an hour back while the file that STEPPED_CLOCK names is there.

The clock itself belongs to the whole machine; so it is stepped one layer up, where Python asks for the time.
"""

import os
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import time_machine

STEP = timedelta(hours=1)


def _watch() -> None:
    travel = None
    flag = Path(os.environ["STEPPED_CLOCK"])
    while True:
        if flag.exists() and travel is None:
            travel = time_machine.travel(datetime.now(UTC) - STEP, tick=True)
            travel.start()
        elif not flag.exists() and travel is not None:
            travel.stop()
            travel = None
        threading.Event().wait(0.05)


def _begin() -> None:
    threading.Thread(target=_watch, daemon=True).start()


if "STEPPED_CLOCK" in os.environ:
    os.register_at_fork(after_in_child=_begin)
    _begin()
