"""Submit, list of 25 and detail: this service beside a floor and the usual alternatives, in one run.

    python -m benchmarks.api [--rounds 5] [--seconds 1.5] [--sessions 20000] [--connections 8] [--only …]

One web process each, on the same private PostgreSQL, loopback only; they take turns, round after round, so
that a busy machine treats them alike, and the median round counts. The peers need packages of their own
(`benchmarks/peers/requirements.txt`): an environment under `.data/` is made for them the first time. CPU is
that of the web process; the database's and the loader's are not in it.

All do the same work: key (remembered alike), validation, code sets, encryption, one transaction that
row-level security binds to the partner, the same rows, and a record of each read. Only the first floor goes
without row-level security, and both without validation. The service alone counts and times its requests.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from uuid import uuid4

from benchmarks.database import CHECKOUT, fresh_database
from benchmarks.loader import run_load

PEERS = CHECKOUT / ".data" / "benchmark-peers"
SESSIONS_PATH = "/api/v1/partner/sessions"
GRANIAN = ["-m", "granian", "--interface", "wsgi", "--http", "1", "--no-ws", "--workers", "1"]
GRANIAN += ["--blocking-threads", "4", "--host", "127.0.0.1", "--port"]
UVICORN = ["-m", "uvicorn", "--no-access-log", "--log-level", "warning", "--host", "127.0.0.1", "--port"]


@dataclass(frozen=True)
class Contender:
    """One server to measure."""

    name: str
    words: str
    server: list[str]
    application: str
    own_environment: bool = True


CONTENDERS = [
    Contender(
        "floor",
        "psycopg alone, no row-level security, granian",
        GRANIAN,
        "benchmarks.peers.floor:application",
    ),
    Contender("isolated", "psycopg alone, granian", GRANIAN, "benchmarks.peers.floor:isolated"),
    Contender("service", "this service, granian", GRANIAN, "config.wsgi:application", own_environment=False),
    Contender("asyncpg", "FastAPI, raw asyncpg, uvicorn", UVICORN, "benchmarks.peers.fastapi_asyncpg:app"),
    Contender(
        "sqlalchemy", "FastAPI, SQLAlchemy 2, uvicorn", UVICORN, "benchmarks.peers.fastapi_sqlalchemy:app"
    ),
    Contender("ninja", "django-ninja, granian", GRANIAN, "benchmarks.peers.ninja_application:application"),
]


@dataclass
class Measured:
    """One operation of one contender, round by round."""

    rates: list[float] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    cpu_seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Requests a second in the median round."""
        return median(self.rates)

    @property
    def cpu_milliseconds(self) -> float:
        """CPU of the web process a request."""
        return self.cpu_seconds * 1000 / len(self.latencies)

    def percentile(self, share: float) -> float:
        """Milliseconds within which that share of the answers came."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.5, help="Of each operation in a round.")
    parser.add_argument("--sessions", type=int, default=20_000)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--only", nargs="*", choices=[each.name for each in CONTENDERS])
    options = parser.parse_args()
    chosen = [each for each in CONTENDERS if not options.only or each.name in options.only]
    python = _peers_python() if any(each.own_environment for each in chosen) else Path(sys.executable)
    with fresh_database("api") as environment:
        key, session_id = _prepare(options.sessions)
        requests = _requests(key, session_id)
        results = _measure(chosen, python, environment, requests, options)
    _print(chosen, results)


def _peers_python() -> Path:
    """The interpreter of the peers' environment, made on first use."""
    python = PEERS / "bin" / "python"
    if not (PEERS / "ready").exists():
        uv = str(Path(sys.executable).with_name("uv"))
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(PEERS)], check=True)
        install = [uv, "pip", "install", "--quiet", "--system-certs", "--python", str(python)]
        subprocess.run([*install, "-r", str(CHECKOUT / "requirements/production.txt")], check=True)
        wanted = CHECKOUT / "benchmarks/peers/requirements.txt"
        subprocess.run([*install, "-r", str(wanted)], check=True)
        (PEERS / "ready").touch()
    return python


def _prepare(sessions: int) -> tuple[str, str]:
    """A partner with a therapist and so many sessions, most with a claim; its key and one session's id."""
    from django.db import connection

    from tests.cast import partner_api

    client = partner_api("Benchmark", rate_limit=0)
    client.onboarded()
    session_id = client.submitted()
    with connection.cursor() as cursor:
        cursor.execute(
            (Path(__file__).parent / "fill.sql").read_text(), {"id": session_id, "sessions": sessions}
        )
        cursor.execute("ANALYZE")
        cursor.execute(
            "GRANT SELECT ON partners_accessrecord TO billing_api"
        )  # ORMs ask back what they insert
    assert client.key is not None
    return client.key, session_id


def _requests(key: str, session_id: str) -> dict[str, Callable[[], bytes]]:
    """What writes the next request, by operation."""
    from tests.cast import submission

    head = f"Host: benchmark\r\nAuthorization: Bearer {key}\r\n"
    run, number = uuid4().hex, count()
    body = json.dumps(submission(externalSessionId="MARK"))

    def submit() -> bytes:
        content = body.replace("MARK", f"{run}-{next(number)}").encode()
        length = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        return f"POST {SESSIONS_PATH} HTTP/1.1\r\n{head}{length}".encode() + content

    def get(path: str) -> Callable[[], bytes]:
        request = f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()
        return lambda: request

    return {
        "submit": submit,
        "list 25": get(f"{SESSIONS_PATH}?limit=25"),
        "detail": get(f"{SESSIONS_PATH}/{session_id}"),
    }


def _measure(
    chosen: list[Contender],
    python: Path,
    environment: dict[str, str],
    requests: dict[str, Callable[[], bytes]],
    options: argparse.Namespace,
) -> dict[str, dict[str, Measured]]:
    results = {each.name: {operation: Measured() for operation in requests} for each in chosen}
    with ExitStack() as servers:
        running = {
            each.name: servers.enter_context(
                _served(each, python if each.own_environment else Path(sys.executable), environment)
            )
            for each in chosen
        }
        for number in range(options.rounds + 1):  # the first warms up
            for operation, write_request in requests.items():
                for name, (port, process) in running.items():
                    before = _cpu_seconds(process.pid)
                    load = run_load(
                        port,
                        write_request=write_request,
                        connections=options.connections,
                        seconds=options.seconds,
                    )
                    if load.statuses.keys() - {200, 201}:
                        raise SystemExit(f"{name}, {operation}: answered {load.statuses}")
                    if number:
                        measured = results[name][operation]
                        measured.rates.append(load.rate)
                        measured.latencies += load.latencies
                        measured.cpu_seconds += _cpu_seconds(process.pid) - before
    return results


@contextmanager
def _served(
    contender: Contender, python: Path, environment: dict[str, str]
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    process = subprocess.Popen(
        [str(python), *contender.server, str(port), contender.application],
        cwd=CHECKOUT,
        env={**os.environ, **environment},
    )
    try:
        _wait_for(port, process)
        yield port, process
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{SESSIONS_PATH}", timeout=2)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"The server {process.args} did not start.")


def _cpu_seconds(root: int) -> float:
    """Processor time of a process and its descendants so far."""
    parents: dict[int, list[int]] = {}
    times: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
            times[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    total, waiting = 0.0, [root]
    while waiting:
        process = waiting.pop()
        total += times.get(process, 0.0)
        waiting += parents.get(process, [])
    return total


def _print(chosen: list[Contender], results: dict[str, dict[str, Measured]]) -> None:
    operations = list(next(iter(results.values())))
    print("| | " + " | ".join(f"{operation}: req/s (CPU ms) p50 / p99 ms" for operation in operations) + " |")
    print("|---|" + "---|" * len(operations))
    for contender in chosen:
        cells = [
            f"{one.rate:,.0f} ({one.cpu_milliseconds:.2f}) "
            f"{one.percentile(0.5):.1f} / {one.percentile(0.99):.1f}"
            for one in (results[contender.name][operation] for operation in operations)
        ]
        print(f"| {contender.words} | " + " | ".join(cells) + " |")
    ours = results.get("service")
    for name, other in results.items():
        if ours is not None and name != "service":
            ratios = ", ".join(
                f"{operation} {ours[operation].rate / other[operation].rate:.2f}" for operation in operations
            )
            print(f"this service against {name}: {ratios} times the requests a second")


if __name__ == "__main__":
    main()
