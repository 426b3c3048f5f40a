"""`make run`: brings the whole service up on this machine, does its main job once, and goes on serving."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from config.local import processes, servers
from config.local.demonstration import DemonstrationError, PartnerClient, curl_line, rehearse
from config.local.memory import ADMIN_NAME, AT_ONCE_LABEL, LOG_FOLDER, Memory
from config.local.place import LocalServersError, hold_at_once, make_folder, place_of, prepare, server_account
from config.local.procfile import Processes, environment_for, read_procfile

CHECKOUT = Path(__file__).resolve().parents[2]
ADDRESS = "127.0.0.1"
# The sandbox clearinghouse is asked every second here, a real one every minute; its day takes 0.3 seconds.
SANDBOX_PACE = {
    "POLL_SECONDS": "1",
    "SWEEP_SECONDS": "1",
    "FIGURES_SECONDS": "5",
    "SANDBOX_SPEED": "288000",
}
SERVING = ("web", "worker", "gateways", "beat")
START_SECONDS = 60


class AskedToStop(BaseException):
    """Ctrl-C, SIGTERM, or the terminal has gone."""


@dataclass(frozen=True)
class Run:
    """Where this run serves and keeps its things."""

    port: int
    data_folder: Path | None
    memory_folder: Path
    started: float

    @property
    def base(self) -> str:
        return f"http://{ADDRESS}:{self.port}"

    @property
    def log_folder(self) -> Path:
        return self.memory_folder / LOG_FOLDER


def main() -> int:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop_on_signal)
    try:
        with ExitStack() as cleanup:
            try:
                serve(plan_run(), cleanup=cleanup)
            finally:
                _ignore_signals()
    except AskedToStop:
        say("stopped", "everything that was started has ended; the data stay, `make clean` forgets them")
        return 0
    except (LocalServersError, DemonstrationError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.strerror}: {error.filename or 'no file'}.", file=sys.stderr)
        return 1
    return 0


def plan_run() -> Run:
    """Read PORT and DATA_DIR; refuse a port that is taken before anything is started."""
    place = place_of(CHECKOUT, purpose="demo")
    prepare(place, account=server_account())
    text = os.environ.get("PORT", "8000")
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise LocalServersError(f"PORT is {text!r}; it must be a number from 1 to 65535.")
    refuse_taken_port(int(text))
    asked = os.environ.get("DATA_DIR")
    data_folder = Path(asked).expanduser().resolve() if asked else None
    if data_folder:
        try:
            data_folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LocalServersError(f"DATA_DIR {asked} can't be created: {error.strerror}.") from error
    run = Run(
        port=int(text),
        data_folder=data_folder,
        memory_folder=data_folder or place.folder,
        started=float(os.environ.get("STARTED", time.time())),
    )
    make_folder(run.log_folder, mode=0o711)
    return run


def hold_port(port: int) -> socket.socket:
    """Hold a port against another `make run` of this machine that is starting meanwhile."""
    held = socket.socket(socket.AF_UNIX)
    try:
        held.bind(f"\0partner-billing-port-{port}")  # a name that no file system knows, gone with the process
    except OSError as error:
        held.close()
        raise LocalServersError(
            f"Port {port} is another `make run`'s; choose another one: make run PORT=8001"
        ) from error
    return held


def refuse_taken_port(port: int) -> None:
    """Servers may share a port, and then nobody knows which of them answers."""
    with socket.socket() as probe:
        # Connections that the last run closed keep its port for a minute, which hinders no server.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError as error:
            raise LocalServersError(
                f"Port {port} can't be used ({(error.strerror or 'taken').lower()}); "
                f"choose another one: make run PORT=8001"
            ) from error


def serve(run: Run, *, cleanup: ExitStack) -> None:
    """Bring everything up, show the main job, and keep the processes running until asked to stop."""
    lock = hold_at_once(place_of(CHECKOUT, purpose="demo").folder / "run.lock")
    if lock is None:
        raise LocalServersError("`make run` of this checkout is going on already; end it first.")
    cleanup.callback(lock.close)
    cleanup.enter_context(hold_port(run.port))
    addresses = bring_servers_up(run, cleanup=cleanup)
    environment = environment_for(
        {**SANDBOX_PACE, **os.environ, **addresses, "PORT": str(run.port), "BIND_ADDRESS": ADDRESS},
        checkout=CHECKOUT,
    )
    prepare_data(run, environment=environment)
    memory = Memory.read(run.memory_folder)
    serving = Processes(checkout=CHECKOUT, environment=environment, log_folder=run.log_folder)
    cleanup.callback(serving.stop)
    commands = read_procfile(CHECKOUT / "Procfile")
    started = time.monotonic()
    refuse_taken_port(run.port)
    for name in SERVING:
        serving.start(name, commands[name])
    wait_until_ready(run, serving)
    say("processes", f"web, worker, gateways and beat are up, logs in {run.log_folder}", started)
    partner = next(one for one in memory.partners.values() if one.label == AT_ONCE_LABEL)
    client = PartnerClient(base=run.base, api_key=partner.api_key)
    say("main job", f"as {partner.name}, whose sessions lock at once")
    payer = rehearse(client, say=lambda line: print(f"  {line}", flush=True))
    print_addresses(run, memory, curl=curl_line(client, payer=payer))
    print(f"READY base={run.base} seconds={time.time() - run.started:.1f}", flush=True)
    parent = os.getppid()
    while os.getppid() == parent:  # another parent: `make` was killed, and the terminal with it perhaps
        time.sleep(0.5)
        for sentence in serving.restart_ended():
            say("processes", sentence)
    raise AskedToStop


def bring_servers_up(run: Run, *, cleanup: ExitStack) -> dict[str, str]:
    """Return the addresses of database and broker: those of the environment, else private servers."""
    given = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)}
    if len(given) == 2:
        say("servers", "DATABASE_URL and REDIS_URL are set; no private servers are started")
        return given
    started = time.monotonic()
    lease = servers.start(CHECKOUT, purpose="demo", data_folder=run.data_folder)
    cleanup.callback(lease.release)
    say("servers", f"private PostgreSQL and Redis are up, data in {lease.data}", started)
    return {"DATABASE_URL": lease.located.database_url, "REDIS_URL": lease.located.redis_url, **given}


def prepare_data(run: Run, *, environment: dict[str, str]) -> None:
    """Migrate and load in a process of its own; its progress lines are shown as they come."""
    finished = subprocess.run(
        [sys.executable, "-m", "config.local.prepare", str(run.memory_folder)],
        cwd=CHECKOUT,
        env={**environment, "LOG_LEVEL": os.environ.get("LOG_LEVEL", "WARNING")},
        preexec_fn=processes.die_with_parent(signal.SIGKILL),
        check=False,
    )
    if finished.returncode != 0:
        raise LocalServersError("The database could not be prepared; the reason stands above.")


def wait_until_ready(run: Run, serving: Processes) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers_ready(run.port):
        ended = serving.ended()
        if ended or time.monotonic() > deadline:
            name = ended or "web"
            log = serving.log_of(name)
            reason = "ended" if ended else f"did not get ready within {START_SECONDS} s"
            raise LocalServersError(f"{name} {reason}: {processes.last_line(log)} (log: {log}).")
        time.sleep(0.1)


def answers_ready(port: int) -> bool:
    connection = http.client.HTTPConnection(ADDRESS, port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def print_addresses(run: Run, memory: Memory, *, curl: str) -> None:
    print(f"\nBase address     {run.base}")
    print(f"API description  {run.base}/api/v1/docs")
    print(f"Back office      {run.base}/admin/  user {ADMIN_NAME}, password {memory.admin_password}")
    print("API keys")
    for partner in memory.partners.values():
        print(f"  {partner.name:<20} {partner.api_key}  {partner.label}")
    print(f"Submit one more session:\n{curl}\n", flush=True)


def say(topic: str, sentence: str, started: float | None = None) -> None:
    took = "" if started is None else f" ({time.monotonic() - started:.1f} s)"
    print(f"{topic:<10} {sentence}{took}", flush=True)


def _stop_on_signal(_number: int, _frame: FrameType | None) -> None:
    raise AskedToStop


def _ignore_signals() -> None:
    """Let nothing interrupt the clean-up once it has begun; each part of it ends by itself."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(main())
