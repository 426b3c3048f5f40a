"""One private PostgreSQL and one private Redis for a checkout: start, share, find and stop them.

Servers have a purpose. `demo` keeps its data from one `make run` to the next; `test` is for test runs, any
number of them at once, each with database names and Redis databases of its own.
"""

import json
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from config.local import processes
from config.local.place import LocalServersError, Place, held, is_held, place_of, prepare, server_account

PACKAGE_ROOT = Path(__file__).resolve().parents[2]
REDIS_DATABASES_PER_RUN = 16


@dataclass(frozen=True)
class Located:
    """The addresses of a running pair, as `DATABASE_URL` and `REDIS_URL` take them."""

    database_url: str
    redis_url: str


@dataclass
class Lease:
    """One owner's hold on a running pair; the last one to release it, end or be killed stops the servers."""

    located: Located
    data: Path
    slot: int
    connection: socket.socket
    supervisor: subprocess.Popen[bytes] | None = None

    def release(self) -> None:
        """Let go; returns after the servers have stopped if this was the last owner."""
        with self.connection:
            try:
                self.connection.shutdown(socket.SHUT_WR)
                self.connection.settimeout(60)
                stopped = self.connection.recv(1) != b""
            except OSError:
                stopped = True
        if stopped and self.supervisor:
            self.supervisor.wait(timeout=30)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def database_url_of_run(self) -> str:
        """Return a database address that no other test run shares.

        The database of that name need not exist: Django's test runner makes its own beside it.
        """
        return self.located.database_url.replace("/billing?", f"/run_{self.slot}?")


def redis_url_of_worker(redis_url: str, *, slot: int, worker: int) -> str:
    """Return the address of the Redis database of one worker (0: the run itself) of the run in this slot."""
    server, _slash, _database = redis_url.rpartition("/")
    return f"{server}/{slot * REDIS_DATABASES_PER_RUN + worker % REDIS_DATABASES_PER_RUN}"


def locate(checkout: Path, *, purpose: str = "demo") -> Located | None:
    """Return the addresses of this checkout's running servers, or None; starts nothing."""
    place = place_of(checkout, purpose=purpose)
    try:
        state = json.loads(place.state_file.read_text())
    except (OSError, ValueError):
        return None
    if not is_held(place.running_lock):
        return None  # a supervisor that was killed could not remove its state file
    return Located(database_url=state["database_url"], redis_url=state["redis_url"])


def start(checkout: Path, *, purpose: str, data_folder: Path | None = None) -> Lease:
    """Return a lease on this checkout's servers, started first where they don't run yet.

    `data_folder` holds the data of `demo` servers; None means the private folder of the checkout.
    Raises LocalServersError with one sentence that says what is missing.
    """
    place = place_of(checkout, purpose=purpose)
    prepare(place, account=server_account())
    for _attempt in range(5):
        connection, supervisor = _reach(place, data_folder=data_folder)
        lease = _take_lease(connection, supervisor=supervisor)
        if lease:
            return lease
        # A supervisor whose last owner had just left closed its door: the next one waits until it is gone.
    raise LocalServersError("The private servers stopped each time they were asked for; try again.")


def _reach(place: Place, *, data_folder: Path | None) -> tuple[socket.socket, subprocess.Popen[bytes] | None]:
    """Connect to the supervisor, started first where there is none; one starter at a time.

    Returns the process too where it is this one's child.
    """
    with held(place.start_lock):
        connection = _connect(place)
        if connection:
            return connection, None
        supervisor = _start_supervisor(place, data_folder=data_folder)
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            ended = supervisor.poll() is not None
            connection = _connect(place)
            if connection:
                return connection, supervisor
            if ended:
                break
            time.sleep(0.02)
    log = place.log_folder / "supervisor.log"
    raise LocalServersError(f"The private servers did not start: {processes.last_line(log)} (log: {log}).")


def _connect(place: Place) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(place.control_socket))
    except OSError:
        connection.close()
        return None
    return connection


def _start_supervisor(place: Place, *, data_folder: Path | None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "config.local.supervisor"]
    command += ["--base", str(place.base), "--purpose", place.purpose]
    command += ["--data", str(data_folder.resolve())] if data_folder else []
    with (place.log_folder / "supervisor.log").open("ab") as log:
        return subprocess.Popen(
            command,
            cwd=PACKAGE_ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C at the terminal is its owners' business
        )


def _take_lease(connection: socket.socket, *, supervisor: subprocess.Popen[bytes] | None) -> Lease | None:
    """Read the supervisor's one line; None where it was stopping already."""
    connection.settimeout(120)
    try:
        with connection.makefile("r") as lines:
            state = json.loads(lines.readline() or "{}")
    except ConnectionError:
        state = {}
    if "slot" not in state:
        connection.close()
        if "error" in state:
            raise LocalServersError(state["error"])
        return None
    located = Located(database_url=state["database_url"], redis_url=state["redis_url"])
    return Lease(
        located=located,
        data=Path(state["data"]),
        slot=state["slot"],
        connection=connection,
        supervisor=supervisor,
    )
