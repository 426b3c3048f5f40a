"""One private PostgreSQL: a throw-away set-up, reached only through a socket in a mode-700 folder."""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.local import processes
from config.local.place import Account, LocalServersError
from config.local.programs import PostgresPrograms

SUPERUSER = "billing"
# Speed instead of durability is right only because these servers hold tests and demonstrations.
SERVER_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "max_wal_size": "1GB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    # A statement or a detail may hold what a patient said; the message alone is enough for a log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}


@dataclass(frozen=True)
class PrivatePostgres:
    """A PostgreSQL data folder and how to run it; `discardable` data are made anew where they don't start."""

    programs: PostgresPrograms
    data: Path
    socket_folder: Path
    log: Path
    account: Account | None
    database: str
    discardable: bool

    @property
    def url(self) -> str:
        return database_url(self.socket_folder, database=self.database)

    def start(self) -> subprocess.Popen[bytes]:
        """Set the data folder up if need be, and return the running server once it takes connections."""
        if self.discardable and self._version_of_data() not in (None, self.programs.major):
            shutil.rmtree(self.data)
        version = self._version_of_data()
        if version is None:
            self._initialize()
        elif version != self.programs.major:
            raise LocalServersError(
                f"The data in {self.data} are PostgreSQL {version}'s and the programs found are "
                f"{self.programs.major}'s: set PG_BIN, or forget the data with `make clean`."
            )
        self._end_orphan()
        try:
            return self._launch()
        except LocalServersError:
            if not self.discardable:
                raise
        shutil.rmtree(self.data)
        self._initialize()
        return self._launch()

    def stop(self, process: subprocess.Popen[bytes]) -> None:
        processes.stop(process, signal.SIGINT, signal.SIGQUIT, seconds_each=15)

    def _launch(self) -> subprocess.Popen[bytes]:
        options = [part for name, value in SERVER_SETTINGS.items() for part in ("-c", f"{name}={value}")]
        process = processes.start(
            [str(self.programs.postgres), "-D", str(self.data), "-k", str(self.socket_folder), *options],
            log=self.log,
            death_signal=signal.SIGQUIT,
            cwd=self.socket_folder,
            env=_environment(),
            **self._as_account,
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if process.poll() is not None:
                break
            if self._reports_ready(process.pid):
                return process
            time.sleep(0.05)
        self.stop(process)
        raise LocalServersError(
            f"PostgreSQL did not start: {processes.last_line(self.log)} (log: {self.log})."
        )

    def _reports_ready(self, pid: int) -> bool:
        """Read what the server writes about itself: first line its process id, eighth its state."""
        lines = self._pid_file_lines()
        return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"

    def _pid_file_lines(self) -> list[str]:
        try:
            return (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return []

    def _end_orphan(self) -> None:
        """Stop a server on this data folder whose supervisor was killed; it clears stale files itself."""
        if self._pid_file_lines():
            self._run(
                [str(self.programs.folder / "pg_ctl"), "-D", str(self.data), "-m", "fast", "-w", "stop"]
            )

    def _version_of_data(self) -> int | None:
        try:
            return int((self.data / "PG_VERSION").read_text().strip())
        except FileNotFoundError:
            return None

    def _initialize(self) -> None:
        """Make the data folder under another name first: an interrupted set-up leaves nothing half done."""
        unfinished = self.data.with_name(self.data.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        attempts = [["--locale-provider=builtin", "--locale=C", "--builtin-locale=C.UTF-8"]]
        if self.programs.major < 17:
            attempts = [["--locale=C.UTF-8"], ["--locale=en_US.UTF-8"]]
        initdb = [str(self.programs.initdb), "-A", "trust", "-U", SUPERUSER, "-E", "UTF8", "--no-sync"]
        for locale in attempts:
            if self._run([*initdb, *locale, "-D", str(unfinished)]):
                break
        else:
            raise self._setup_failed()
        single_user = [str(self.programs.postgres), "--single", "-F", "-D", str(unfinished), "postgres"]
        if not self._run(single_user, standard_input=f"CREATE DATABASE {self.database}\n"):
            raise self._setup_failed()
        unfinished.rename(self.data)

    def _setup_failed(self) -> LocalServersError:
        return LocalServersError(
            f"PostgreSQL could not be set up: {processes.last_line(self.log)} (log: {self.log})."
        )

    def _run(self, command: list[str], *, standard_input: str = "") -> bool:
        with self.log.open("ab") as output:
            finished = subprocess.run(
                command,
                input=standard_input.encode(),
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.socket_folder,
                env=_environment(),
                check=False,
                **self._as_account,
            )
        return finished.returncode == 0

    @property
    def _as_account(self) -> dict[str, Any]:
        return self.account.popen_arguments if self.account else {}


def database_url(socket_folder: Path, *, database: str) -> str:
    """Write the URL that both libpq and django-environ read, the socket's folder as a parameter."""
    return f"postgres://{SUPERUSER}@/{database}?host={socket_folder}"


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
