"""What submit, list, detail and the pipeline cost in a small database and in a large one.

    python -m benchmarks.scale SMALL_DATABASE_URL LARGE_DATABASE_URL [--rounds 9]

Both hold sessions of `manage.py make_sessions` (10,000 and 1,000,000 in docs/scale.md). Each has a process
of its own, which calls the service inside, without a network. They take turns, call by call, so that a busy
machine treats them alike; the fastest calls of each are compared, and the medians are shown beside.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any
from uuid import uuid4

from benchmarks.patient import patient

CHECKOUT = Path(__file__).resolve().parents[1]
BASE = "/api/v1/partner/sessions"
DEEP_PAGES = 8
BATCH = 64
FEW = 4
"""Of each of the names the small database's first organization has more: a page that both fill."""
MOST = 1.5


@dataclass
class Subject:
    """The service on one database, and what can be measured of it."""

    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="ERROR", RATE_LIMIT_PER_MINUTE="0"
        )
        import django

        django.setup()
        from django.test import Client

        from partners.keys import issue_key
        from partners.models import Partner
        from providers.sample_charges import load_sample_charges
        from sessions_app.models import Session

        load_sample_charges()
        Partner.objects.update(submission_delay=timedelta(0))
        partner = Partner.objects.get(slug="made-organization-1")
        self.client = Client()
        self.headers = {"Authorization": f"Bearer {issue_key(partner).text}"}
        sessions = Session.objects.filter(partner=partner).order_by("-created_at")
        self.session = sessions.select_related("provider")[0]
        month_ago = datetime.now(UTC) - timedelta(days=30)
        self.last_day = sessions.filter(created_at__lt=month_ago)[0].date_of_service
        self.token = self._deep_token()

    def operations(self) -> dict[str, Callable[[], float]]:
        """Seconds of one call, by name."""
        filters: dict[str, dict[str, Any]] = {
            "list, first page": {},
            "list, a deep page": {"pageToken": self.token},
            "list, status paid": {"status": "paid"},
            "list, status processing": {"status": "processing"},
            "list, a provider": {"providerNpi": self.session.provider.npi},
            "list, no such name": {"patientName": "Nobody"},
            "list, a common name": {"patientName": "Goldthorpe", "limit": FEW},
            "list, a rare name": {"patientName": "Vyskocil", "limit": FEW},
            "list, a full name": {"patientName": "Greta Goldthorpe", "limit": FEW},
            "list, common, whole page": {"patientName": "Goldthorpe"},
            "list, rare, whole page": {"patientName": "Vyskocil"},
            "list, ten days": {
                "dateFrom": (self.last_day - timedelta(days=9)).isoformat(),
                "dateTo": self.last_day.isoformat(),
            },
            "list, an external ID": {"externalSessionId": self.session.external_session_id},
        }
        found: dict[str, Callable[[], float]] = {"submit": self.submit}
        for name, query in filters.items():
            found[name] = lambda query=query: self.get(BASE, query)
        found["detail"] = lambda: self.get(f"{BASE}/{self.session.pk}", {})
        found[f"pipeline, a batch of {BATCH}"] = self.pipeline
        return found

    def get(self, path: str, query: dict[str, Any]) -> float:
        started = perf_counter()
        answer = self.client.get(path, query, headers=self.headers)
        seconds = perf_counter() - started
        assert answer.status_code == 200, answer.content
        return seconds

    def submit(self) -> float:
        body = json.dumps(self._submission())
        started = perf_counter()
        answer = self.client.post(BASE, body, content_type="application/json", headers=self.headers)
        seconds = perf_counter() - started
        assert answer.status_code == 201, answer.content
        return seconds

    def pipeline(self) -> float:
        from claims import pipeline

        while len(pipeline.advance()) > 0:
            pass
        for _ in range(BATCH):
            self.submit()
        started = perf_counter()
        taken = len(pipeline.advance())
        seconds = perf_counter() - started
        assert taken > BATCH // 4, taken
        return seconds / taken

    def _deep_token(self) -> str:
        token = ""
        for _ in range(DEEP_PAGES):
            query = {"limit": 100, **({"pageToken": token} if token else {})}
            token = self.client.get(BASE, query, headers=self.headers).json()["nextPageToken"]
        return token

    def _submission(self) -> dict[str, Any]:
        return {
            "externalSessionId": f"scale-{uuid4()}",
            "patient": patient(f"W{uuid4().hex[:10]}"),
            "providerNpi": self.session.provider.npi,
            "session": {
                "dateOfService": (datetime.now(UTC).date() - timedelta(days=3)).isoformat(),
                "placeOfService": "office",
                "durationMinutes": 55,
                "diagnosisCodes": [{"code": "F41.1"}],
            },
        }


def serve() -> None:
    """Name the operations, then run each one asked for and say how long it took."""
    operations = Subject().operations()
    print(json.dumps(list(operations)), flush=True)
    for line in sys.stdin:
        print(operations[json.loads(line)](), flush=True)


class Process:
    """A subject in a process of its own."""

    def __init__(self, database_url: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.scale", "--serve"],
            cwd=CHECKOUT,
            env={**os.environ, "DATABASE_URL": database_url},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.operations: list[str] = json.loads(self._line())

    def run(self, operation: str) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(operation) + "\n")
        self.process.stdin.flush()
        return float(self._line())

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("A subject ended; its words are above.")
        return line


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("small")
    parser.add_argument("large")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--calls", type=int, default=20, help="calls a round; a batch counts as one")
    arguments = parser.parse_args()
    processes = [Process(arguments.small), Process(arguments.large)]
    print(f"{'operation':<28}{'small ms':>10}{'large ms':>10}{'ratio':>7}   medians")
    worst = 0.0
    for operation in processes[0].operations:
        calls = 1 if operation.startswith("pipeline") else arguments.calls
        for process in processes:
            process.run(operation)
        times: list[list[float]] = [[], []]
        for _ in range(arguments.rounds * calls):
            for process, found in zip(processes, times, strict=True):
                found.append(process.run(operation))
        small, large = (_low(found) * 1000 for found in times)
        worst = max(worst, large / small)
        beside = " ".join(f"{median(found) * 1000:.2f}" for found in times)
        print(f"{operation:<28}{small:>10.2f}{large:>10.2f}{large / small:>7.2f}   {beside}", flush=True)
    print(f"The worst ratio is {worst:.2f}; at most {MOST} is asked for.")
    sys.exit(worst > MOST)


def _low(found: list[float]) -> float:
    """The fastest fifth's end: what a call costs when nothing else gets in its way."""
    return quantiles(found, n=5)[0]


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["--serve"] else main()
