"""A process that has the service's code in memory, and forks the service's processes from there.

A cold start reads and runs a thousand modules; forty of them would be most of a short run. What a forked
process does from its first line on is what the command of the Procfile does: the same program, the same
arguments, the same variables. `python -m tests.faults.warm SOCKET` takes orders on that file descriptor,
each a line of JSON, `{"words": […], "environment": {…}, "log": "…"}`, and answers with the process's id.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from celery.__main__ import main as celery_program
from granian.cli import entrypoint as granian_program

from config.local import processes

MODULES = (
    "config.wsgi",
    "config.urls",
    "config.celery",
    "billing.notes.coder",
    "tests.faults.prepare",
    "tests.faults.auditor",
)
"""What the warm process has in memory; the first sets Django up."""
LATE = (
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.worker.consumer",
    "celery.worker.strategy",
    "cffi.cparser",
    "config.broker",
    "httpcore",
)
"""What those of its forks import only once they run."""


class Forked:
    """A process of the warm one, held as `subprocess.Popen` holds one of ours."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._handle = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Something where it has ended; how, its parent knows alone."""
        return 0 if select.select([self._handle], [], [], 0)[0] else None

    def wait(self, timeout: float | None = None) -> int:
        if not select.select([self._handle], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired([], timeout or 0)
        return 0

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            signal.pidfd_send_signal(self._handle, number)


class Warm:
    """The warm process, as whoever starts the service's processes sees it."""

    def __init__(self, *, checkout: Path, environment: dict[str, str]) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.warm", str(theirs.fileno())],
                cwd=checkout,
                env=environment,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                preexec_fn=processes.die_with_parent(signal.SIGKILL),
            )
        self._socket, self._orders = ours, ours.makefile("rw")
        self._lock = threading.Lock()

    def start(self, command: str, *, log: Path, environment: dict[str, str]) -> Forked:
        """Start a command of the Procfile, its words as the shell reads them."""
        words = subprocess.run(
            ["/bin/sh", "-c", f"printf '%s\\0' {command}"],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout.split("\0")[:-1]
        return self.run(words, log=log, environment=environment)

    def run(self, words: list[str], *, log: Path, environment: dict[str, str]) -> Forked:
        """Start a program by its words: variables first, then its name and its arguments."""
        order = {"words": words, "environment": environment, "log": str(log)}
        with self._lock:
            self._orders.write(json.dumps(order) + "\n")
            self._orders.flush()
            return Forked(int(self._orders.readline()))

    def stop(self) -> None:
        self._orders.close()
        self._socket.close()
        self.process.wait()


def main() -> None:
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        orders = connection.makefile("rw")
        programs = load()
        gc.freeze()  # what is the same in all forks stays in memory once
        signal.signal(signal.SIGCHLD, bury)
        while order := orders.readline():
            pid = os.fork()
            if pid == 0:
                break
            orders.write(f"{pid}\n")
            orders.flush()
        else:
            return
    become(json.loads(order), programs)


def bury(*_: object) -> None:
    """Whoever asked for a process watches it by itself; here it only has to go."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def load() -> dict[str, Callable[[], Any]]:
    """Import what the service's processes import, prepare what they prepare; by name, what they are."""
    _, _, celery, coder, prepare, auditor = map(importlib.import_module, MODULES)
    celery.app.loader.import_default_modules()
    coder.prepare()
    for name in LATE:
        importlib.import_module(name)
    return {
        "celery": celery_program,
        "granian": granian_program,
        prepare.__name__: prepare.main,
        auditor.__name__: auditor.main,
    }


def become(order: dict[str, Any], programs: dict[str, Callable[[], Any]]) -> None:
    """Be a session of its own, with the environment and the log that were asked for, and run."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    if ask_kernel := processes.die_with_parent(signal.SIGKILL):
        ask_kernel()
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for descriptor in (1, 2):
        os.dup2(log, descriptor)
    words = iter(order["words"])
    os.environ.update(order["environment"])
    for word in words:
        name, is_variable, value = word.partition("=")
        if is_variable:
            os.environ[name] = value
        elif word != "env":
            break
    settle_settings()
    sys.argv = [word, *words]
    sys.exit(programs[word]())


def settle_settings() -> None:
    """The settings that differ from process to process, read again."""
    from django.conf import settings

    options = settings.DATABASES["default"]["OPTIONS"]
    options["application_name"] = os.environ.get("DATABASE_APPLICATION_NAME", "test")
    if role := os.environ.get("DATABASE_ROLE"):
        options["options"] = f"-c role={role}"
    if "STEPPED_CLOCK" in os.environ:
        importlib.import_module("tests.faults.stepped.sitecustomize")  # it begins by being imported


if __name__ == "__main__":
    main()
