"""What isolation and the access record cost: submit, list of 25 and detail, in process.

    python -m benchmarks.isolation [--requests 300] [--sessions 20000] [--partners 10]

The same requests four ways: as the service does it, without the access record, without the role and the
partner (so that no policy applies), and without either. Milliseconds a request: CPU of this process, and
elapsed with one caller. The ways take turns, so that a busy machine treats them alike; the median counts.
"""

import argparse
import io
import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from benchmarks.database import fresh_database

ROUNDS = 12
WAYS = ("as it is", "no access record", "no isolation", "neither")
RECORD = re.compile(r", seen AS \(.*?HAVING count\(\*\) > 0\s*\)", re.DOTALL)
Environ = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=300, help="A round.")
    parser.add_argument("--sessions", type=int, default=20_000, help="Of each partner.")
    parser.add_argument("--partners", type=int, default=10)
    options = parser.parse_args()
    with fresh_database("isolation"):
        requests = _prepare(partners=options.partners, sessions=options.sessions)
        measured: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for _round in range(ROUNDS):
            for operation, write in requests.items():
                for way in WAYS:
                    with _way(way):
                        _measure(write, 5)
                        figures = _measure(write, options.requests)
                    measured.setdefault((way, operation), []).append(figures)
    print(f"{'CPU / elapsed, ms a request':<30}" + "".join(f"{name:>18}" for name in requests))
    for way in WAYS:
        cells = []
        for operation in requests:
            cpu, elapsed = zip(*measured[way, operation], strict=True)
            cells.append(f"{median(cpu):.3f} / {median(elapsed):.3f}")
        print(f"{way:<30}" + "".join(f"{cell:>18}" for cell in cells))


def _prepare(*, partners: int, sessions: int) -> dict[str, Callable[[], Environ]]:
    """Partners with so many sessions each; what makes the next request of the last of them, by operation."""
    from django.db import connection

    from billing.rules.npi import npi_is_valid
    from tests.cast import partner_api, submission

    fill = (Path(__file__).parent / "fill.sql").read_text()
    for partner in range(partners):
        npi = next(text for digit in range(10) if npi_is_valid(text := f"1{partner:08d}{digit}"))
        client = partner_api(f"Benchmark {partner}", rate_limit=0).onboarded(provider__npi=npi)
        session_id = client.submitted(providerNpi=npi)
        with connection.cursor() as cursor:
            cursor.execute(fill, {"id": session_id, "sessions": sessions})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    run, number = uuid4().hex, count()
    body = json.dumps(submission(externalSessionId="MARK", providerNpi=npi))
    path = "/api/v1/partner/sessions"

    def submit() -> Environ:
        content = body.replace("MARK", f"{run}-{next(number)}").encode()
        return _environ("POST", path, key=client.key, body=content)

    return {
        "submit": submit,
        "list 25": lambda: _environ("GET", path, key=client.key, query="limit=25"),
        "detail": lambda: _environ("GET", f"{path}/{session_id}", key=client.key),
        "by status": lambda: _environ("GET", path, key=client.key, query="status=accepted"),
        "by name": lambda: _environ("GET", path, key=client.key, query="patientName=doe"),
        "by unknown name": lambda: _environ("GET", path, key=client.key, query="patientName=zebulon"),
    }


def _environ(method: str, path: str, *, key: str | None, query: str = "", body: bytes = b"") -> Environ:
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "benchmark",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_AUTHORIZATION": f"Bearer {key}",
        "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http",
        "wsgi.errors": io.StringIO(),
    }


def _measure(write: Callable[[], Environ], requests: int) -> tuple[float, float]:
    """Milliseconds a request: CPU of this process, and elapsed."""
    from config.wsgi import application

    statuses: list[str] = []
    cpu, elapsed = time.process_time(), time.perf_counter()
    for _request in range(requests):
        application(write(), lambda status, headers: statuses.append(status[:3]))
    cpu, elapsed = time.process_time() - cpu, time.perf_counter() - elapsed
    assert set(statuses) <= {"200", "201"}, set(statuses)
    return cpu * 1000 / requests, elapsed * 1000 / requests


def _unrecorded(write: Callable[..., str]) -> Callable[..., str]:
    """What writes the same statements without the access record; once each, as the service does."""

    @lru_cache
    def without(statement: str) -> str:
        found = RECORD.sub("", statement)
        assert found != statement
        return found

    return lambda *args, **options: without(write(*args, **options))


@contextmanager
def _way(way: str) -> Iterator[None]:
    """Take parts of the service away for a while."""
    from partners import statements as running
    from sessions_app.api import statements

    with ExitStack() as changes:
        if way in ("no isolation", "neither"):
            changes.enter_context(
                patch.object(running, "steps_around", lambda database, partner_id, **_: ([], []))
            )
        if way in ("no access record", "neither"):
            for name in ("page", "detail"):
                changes.enter_context(patch.object(statements, name, _unrecorded(getattr(statements, name))))
        yield


if __name__ == "__main__":
    main()
