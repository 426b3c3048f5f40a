"""The whole service on loopback, each part a process of its own, and the means to hurt each of them."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import psycopg
import redis

from config.local import processes
from config.local.broker import PrivateRedis
from config.local.place import place_of, prepare, server_account
from config.local.postgres import PrivatePostgres
from config.local.procfile import end_session, environment_for, read_procfile, shell_command
from config.local.programs import find_postgres, find_redis
from partners.isolation_policies import ROLES
from tests.claims.clearinghouse.sftp_server import PASSWORD, USERNAME
from tests.faults.warm import Forked, Warm

CHECKOUT = Path(__file__).resolve().parents[2]
STEDI_PAYER, SFTP_PAYER, SICK_PAYER = "62308", "60054", "87726"
START_SECONDS = 60
SENT = """
SELECT count(*) FROM claims_claim AS claim JOIN sessions_app_session AS session ON session.id = session_id
WHERE external_session_id = %s AND step = 'follow'
"""
PACE = {
    "POLL_SECONDS": "1",
    "SWEEP_SECONDS": "1",
    "WATCH_SECONDS": "5",
    "SANDBOX_SPEED": "1000000000",
    "LEASE_SECONDS": "6",
    "RETRY_SECONDS": "0.5",
    "GATEWAY_TIMEOUT_SECONDS": "1.5",
    "WORKER_PROCESSES": "2",
    "GATEWAY_PROCESSES": "4",
    "WEB_WORKERS": "1",
    "LOG_LEVEL": "WARNING",
    "STEDI_API_KEY": "test_invented-key",
    "LIVE_GATEWAY": "sftp",
    "LIVE_GATEWAY_BY_PAYER": f"{STEDI_PAYER}=stedi,{SICK_PAYER}=stedi",
}


class Stage:
    """Everything that runs, by name; whoever uses it plays the platform that restarts what ended.

    `migrated`: a database to begin with a copy of. `is_warm`: the service's processes are forked from one
    that has their code, not started by their commands.
    """

    def __init__(self, folder: Path, *, migrated: str, is_warm: bool) -> None:
        self.folder = folder
        self.migrated = migrated
        self.is_warm = is_warm
        self.place = place_of(CHECKOUT, purpose=f"faults-{os.getpid()}")
        self.running: dict[str, subprocess.Popen[bytes] | Forked] = {}
        self.commands: dict[str, str] = {}
        self.more: dict[str, dict[str, str]] = {}
        self.kept_down: set[str] = set()
        self.clock_flag = folder / "clock-steps-back"
        self.stepped_path = f"{Path(__file__).parent / 'stepped'}:{CHECKOUT}"
        self._ending = False
        self._lock = threading.RLock()

    # --- bringing it up and down

    def start(self) -> None:
        account = server_account()
        prepare(self.place, account=account)
        self.postgres = PrivatePostgres(
            programs=find_postgres(self.place, account=account),
            data=self.place.private / "postgresql",
            socket_folder=self.place.private,
            log=self.folder / "postgresql.log",
            account=account,
            database="billing",
            discardable=True,
        )
        self.redis = PrivateRedis(
            program=find_redis(self.place, account=account),
            folder=self.place.private,
            log=self.folder / "redis.log",
            account=account,
        )
        self.running["postgres"] = self.postgres.start()
        self.running["redis"] = self.redis.start()
        with self.database() as database:  # a commit is one, also when the server is killed a moment later
            database.execute("ALTER DATABASE billing SET synchronous_commit = on")
            database.execute(ROLES)
        self._restore(self._dump(self.migrated), into=self.postgres.url)
        self._start_clearinghouse()
        self.port = _free_port()
        self.environment = environment_for(
            {
                **PACE,
                "DATABASE_URL": self.postgres.url,
                "REDIS_URL": self.redis.url,
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "PORT": str(self.port),
                "BIND_ADDRESS": "127.0.0.1",
                "STEDI_HEALTHCARE_URL": self.house["url"],
                "STEDI_CORE_URL": self.house["url"],
                "SFTP_HOST": "127.0.0.1",
                "SFTP_PORT": str(self.house["sftp_port"]),
                "SFTP_HOST_KEY": self.house["host_key"],
                "SFTP_USERNAME": USERNAME,
                "SFTP_PASSWORD": PASSWORD,
                "SFTP_UPLOAD_DIRECTORY": "/upload",
                "SFTP_DOWNLOAD_DIRECTORY": "/download",
                "SFTP_PROCESSED_DIRECTORY": "/processed",
            },
            checkout=CHECKOUT,
        )
        self.warm = Warm(checkout=CHECKOUT, environment=self.environment)
        self.keys: dict[str, str] = self._ask("tests.faults.prepare")
        procfile = read_procfile(CHECKOUT / "Procfile")
        for name in ("web", "worker", "gateways", "beat"):
            self.launch(name, procfile[name])
        threading.Thread(target=self._restart_what_ended, daemon=True).start()
        self.wait_until_ready()

    def _start_clearinghouse(self) -> None:
        root = self.folder / "clearinghouse"
        root.mkdir()
        with (self.folder / "clearinghouse.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.clearinghouse", str(root)],
                cwd=CHECKOUT,
                stdout=subprocess.PIPE,
                stderr=log,
                preexec_fn=processes.die_with_parent(signal.SIGKILL),
            )
        self.running["clearinghouse"] = process
        assert process.stdout is not None
        self.house: dict[str, Any] = json.loads(process.stdout.readline())

    def stop(self) -> None:
        with self._lock:
            self._ending = True
        for name in reversed(list(self.running)):
            process = self.running[name]
            if name == "postgres":
                self.postgres.stop(process)
            elif name == "redis":
                process.send_signal(signal.SIGCONT)
                self.redis.stop(process)
            elif name == "clearinghouse":
                process.kill()
                process.wait()
            else:
                end_session(process)
        self.warm.stop()
        shutil.rmtree(self.place.folder, ignore_errors=True)

    def _ask(self, module: str, *arguments: str) -> Any:
        """What a module prints as its last line, run as a process with the service's settings."""
        said = self.folder / f"{module}.log"
        said.unlink(missing_ok=True)
        self.warm.run([module, *arguments], log=said, environment=self.environment).wait()
        return json.loads(said.read_text().splitlines()[-1])

    # --- processes of the service

    def launch(self, name: str, command: str, **more: str) -> None:
        """Start a process, to be started again whenever it ends."""
        kind = name.partition("-")[0]
        more = self.more.setdefault(name, more)
        with self._lock:
            self.commands[name] = command
            log = self.folder / f"{name}.log"
            environment = {**self.environment, "DATABASE_APPLICATION_NAME": kind, **more}
            if self.is_warm:
                self.running[name] = self.warm.start(command, log=log, environment=environment)
                return
            self.running[name] = processes.start(
                shell_command(command),
                log=log,
                death_signal=signal.SIGKILL,
                cwd=CHECKOUT,
                env=environment,
                stdin=subprocess.DEVNULL,
            )

    def stop_serving(self) -> dict[str, str]:
        """SIGKILL to web, workers and beats at once; the commands that start them again."""
        with self._lock:
            commands, self.commands = self.commands, {}
        for name in commands:
            self.kill(name)
            self.running.pop(name).wait()
        return commands

    def replace_database_by_its_dump(self) -> None:
        """Dump the database, restore the dump into a new one, and let that take the old one's name."""
        url = self.postgres.url
        with psycopg.connect(url.replace("/billing?", "/postgres?"), autocommit=True) as database:
            self._send_home(database)  # what the killed processes left running may still commit
            dump = self._dump(url)
            database.execute("CREATE DATABASE restored")
            self._restore(dump, into=url.replace("/billing?", "/restored?"))
            self._send_home(database)
            database.execute("ALTER DATABASE billing RENAME TO lost")
            database.execute("ALTER DATABASE restored RENAME TO billing")

    def _dump(self, url: str) -> Path:
        dump = self.place.private / "billing.dump"
        self._as_server("pg_dump", "--format=custom", f"--file={dump}", f"--dbname={url}")
        return dump

    def _restore(self, dump: Path, *, into: str) -> None:
        self._as_server("pg_restore", "--no-owner", f"--dbname={into}", str(dump))

    def _send_home(self, database: psycopg.Connection[Any]) -> None:
        """End every session in the service's database, and wait until none is left."""
        while database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('billing', 'restored')"
        ).fetchall():
            time.sleep(0.05)

    def _as_server(self, program: str, *arguments: str) -> None:
        account = server_account()
        command = [str(self.postgres.programs.folder / program), *arguments]
        subprocess.run(command, check=True, cwd="/", **(account.popen_arguments if account else {}))

    def kill(self, name: str) -> None:
        """SIGKILL, to a process and all its children at once, whatever group those put themselves in."""
        children = descendants(self.running[name].pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.running[name].pid, signal.SIGKILL)
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def kill_children(self, name: str) -> int:
        """SIGKILL to the pool of a worker or web process; its parent starts others. How many there were."""
        children = descendants(self.running[name].pid)
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(children)

    def _restart_what_ended(self) -> None:
        while not self._ending:
            with self._lock:
                for name, command in list(self.commands.items()):
                    if not self._ending and self.running[name].poll() is not None:
                        self.launch(name, command)
                for name, server in (("postgres", self.postgres), ("redis", self.redis)):
                    if (
                        not self._ending
                        and name not in self.kept_down
                        and self.running[name].poll() is not None
                    ):
                        self.running[name] = server.start()
            time.sleep(0.05)

    @contextlib.contextmanager
    def down(self, name: str, number: signal.Signals) -> Iterator[None]:
        """A server that ended by this signal, and comes back at the end."""
        self.kept_down.add(name)
        process = self.running[name]
        process.send_signal(number)
        try:
            process.wait(timeout=20)
            yield
        finally:
            self.kept_down.discard(name)

    def wait_for_workers(self, count: int) -> None:
        """Until that many pool processes are there."""
        deadline = time.monotonic() + START_SECONDS
        workers = [name for name in self.running if name.startswith("worker")]
        while sum(len(descendants(self.running[name].pid)) for name in workers) < count:
            assert time.monotonic() < deadline, f"there are no {count} workers"
            time.sleep(0.05)

    def memory(self, name: str) -> int:
        """Resident KiB of a process and its children."""
        return sum(_resident(pid) for pid in (self.running[name].pid, *descendants(self.running[name].pid)))

    # --- looking at it

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                with urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2):
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"The service did not start: {(self.folder / 'web.log').read_text()[-3000:]}")

    def wait_until_sent(self, external_id: str, *, patience: float) -> bool:
        """Whether a session's claim came to the clearinghouse."""
        deadline = time.monotonic() + patience
        with self.database() as database:
            while time.monotonic() < deadline:
                row = database.execute(SENT, [external_id]).fetchone()
                if row and row[0]:
                    return True
                time.sleep(0.05)
        return False

    def database(self) -> psycopg.Connection[Any]:
        """A connection of our own, as soon as the server takes one."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                return psycopg.connect(self.postgres.url, autocommit=True, application_name="test")
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def broker(self) -> redis.Redis:
        return redis.Redis.from_url(self.redis.url)

    def audit(self, external_ids: list[str] | None = None, *, at_rest: bool = False) -> dict[str, Any]:
        """What is stored, and what is not as it must be."""
        question = {"external_ids": external_ids, "at_rest": at_rest}
        answer: dict[str, Any] = self._ask("tests.faults.auditor", json.dumps(question))
        return answer

    def clearinghouse(self, action: str, body: Any = None) -> Any:
        """Ask the clearinghouse's own control."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.house['url']}/control/{action}", data=data)
        with urlopen(request, timeout=15) as answer:
            return json.loads(answer.read())


def descendants(pid: int) -> list[int]:
    """A process's children and theirs."""
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, thread.read_text().split()):
                found += [child, *descendants(child)]
    return found


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return 0


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
