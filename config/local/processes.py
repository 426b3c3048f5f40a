"""Starts and ends server processes so that none outlives the process that started it."""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


def die_with_parent(death_signal: signal.Signals) -> Callable[[], None] | None:
    """Return what a child runs before its program: the kernel then signals it when the parent is killed."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)

    def ask_kernel() -> None:
        library.prctl(SET_PARENT_DEATH_SIGNAL, int(death_signal))

    return ask_kernel


def start(
    command: Sequence[str], *, log: Path, death_signal: signal.Signals, **popen_arguments: Any
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own, its output appended to a log file."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=die_with_parent(death_signal),  # noqa: PLW1509  (no threads here)
            **popen_arguments,
        )


def stop(process: subprocess.Popen[bytes], *signals: signal.Signals, seconds_each: float) -> None:
    """End a process: each signal in turn gets its time, and the last word is SIGKILL."""
    for number in (*signals, signal.SIGKILL):
        if process.poll() is not None:
            return
        process.send_signal(number)
        try:
            process.wait(timeout=seconds_each)
        except subprocess.TimeoutExpired:
            continue


def last_line(log: Path) -> str:
    """Return the last line of a log that says something, for a message to a person."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "no output"
