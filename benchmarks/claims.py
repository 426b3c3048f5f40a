"""What the claims process costs: applying a large remittance, and the way from POST to handed over.

    python -m benchmarks.claims [--claims 5000] [--sessions 1500]

Runs on a database of its own on this checkout's private servers, with the Procfile's own commands for web and
worker. Writing and reading X12 beside pyx12 is `benchmarks.x12`.
"""

import argparse
import json
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from queue import Empty, Queue
from typing import Any

from benchmarks.database import CHECKOUT, fresh_database
from benchmarks.patient import patient
from config.local.procfile import environment_for, read_procfile, shell_command

MOST_SECONDS_APPLYING = 15
LEAST_SESSIONS_A_SECOND = 100
PORT = 18700
POSTERS = 4


def submission(number: int) -> dict[str, Any]:
    """One invented session; every patient is another one."""
    return {
        "externalSessionId": f"bench-{number}",
        "patient": patient(f"W{number:09}"),
        "providerNpi": "1234567893",
        "session": {
            "dateOfService": (datetime.now(UTC).date() - timedelta(days=7)).isoformat(),
            "durationMinutes": 55,
            "diagnosisCodes": [{"code": "F41.1"}],
        },
    }


ONBOARDING = {
    "provider": {"firstName": "Ana", "lastName": "Rivera", "npi": "1234567893", "specialty": "counselor"},
    "practice": {
        "name": "Calm Harbor Counseling",
        "npi": "1999999984",
        "taxId": "123456789",
        "address": {"street": "100 Main St", "city": "Austin", "state": "TX", "zip": "787011234"},
    },
}


def call(method: str, path: str, key: str, body: Any = None) -> Any:
    """One request to the web process."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}{path}",
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


@contextmanager
def processes(environment: dict[str, str], *names: str) -> Iterator[None]:
    """Web and worker by the Procfile's own commands, stopped at the end."""
    commands = read_procfile(CHECKOUT / "Procfile")
    full = environment_for(
        {**environment, "PORT": str(PORT), "BIND_ADDRESS": "127.0.0.1", "WEB_WORKERS": "1"}, checkout=CHECKOUT
    )
    quiet = subprocess.DEVNULL
    started = [
        subprocess.Popen(shell_command(commands[name]), cwd=CHECKOUT, env=full, stdout=quiet, stderr=quiet)
        for name in names
    ]
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/healthz", timeout=1).close()
                break
            except OSError:
                time.sleep(0.2)
        time.sleep(3)
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(30)


def partner_key() -> str:
    """The key of a new test organization whose claims wait for no corrections."""
    from partners.keys import issue_key
    from partners.models import Mode, Partner

    partner = Partner.objects.create(
        name="Bench", slug="bench", mode=Mode.TEST, submission_delay=timedelta(), rate_limit=0
    )
    return issue_key(partner).text


def pipeline(environment: dict[str, str], sessions: int) -> float:
    """Sessions a second from the first POST until the last claim is handed over."""
    from django.db import connection

    from claims.models import Claim

    key = partner_key()
    with processes(environment, "web", "worker", "gateways"):
        call("POST", "/api/v1/partner/providers", key, ONBOARDING)
        for number in range(20):
            call("POST", "/api/v1/partner/sessions", key, submission(number))
        _wait_for(20)
        waiting: Queue[int] = Queue()
        for number in range(20, 20 + sessions):
            waiting.put(number)

        def post() -> None:
            while True:
                try:
                    number = waiting.get_nowait()
                except Empty:
                    return
                call("POST", "/api/v1/partner/sessions", key, submission(number))

        began = time.perf_counter()
        posters = [threading.Thread(target=post) for _ in range(POSTERS)]
        for poster in posters:
            poster.start()
        for poster in posters:
            poster.join()
        posted = time.perf_counter() - began
        _wait_for(20 + sessions)
        took = time.perf_counter() - began
    print(f"  posting alone took {posted:.1f} s of {took:.1f} s; {Claim.objects.count()} claims in all")
    connection.close()
    return sessions / took


def _wait_for(handed_over: int) -> None:
    from claims.models import Claim

    deadline = time.monotonic() + 300
    while Claim.objects.filter(submitted_at__isnull=False).count() < handed_over:
        if time.monotonic() > deadline:
            raise SystemExit("the pipeline did not hand everything over within five minutes")
        time.sleep(0.1)


def remittance_for(numbers: list[tuple[str, str]]) -> bytes:
    """An 835 that pays these claims (patient control number, line control number) less a copay."""
    from claims.x12.writing import segment_of as segment

    paid = 155 * len(numbers)
    body = [
        segment("BPR", "I", str(paid), "C", "ACH", *[""] * 11, date(2026, 1, 20).strftime("%Y%m%d")),
        segment("TRN", "1", "BENCH1", "1525350500"),
        segment("DTM", "405", "20260120"),
        segment("N1", "PR", "AETNA"),
        segment("REF", "2U", "60054"),
        segment("N1", "PE", "CALM HARBOR COUNSELING", "XX", "1999999984"),
        segment("LX", "1"),
    ]
    for position, (number, line) in enumerate(numbers):
        body += [
            segment("CLP", number, "1", "180", "155", "25", "CI", f"P{position:09}", "11", "1"),
            segment("SVC", "HC:90837", "180", "155", "", "1"),
            segment("DTM", "472", "20260102"),
            segment("CAS", "PR", "3", "25"),
            segment("REF", "6R", line),
        ]
    text = "~".join(
        [
            f"ISA*00*{'':10}*00*{'':10}*ZZ*{'CLEARINGHOUSE':15}*ZZ*{'PARTNERBILLING':15}*260120*1200*^*00501"
            "*000000001*0*T*:",
            "GS*HP*CLEARINGHOUSE*PARTNERBILLING*20260120*1200*1*X*005010X221A1",
            "ST*835*0001",
            *(part.rstrip("~") for part in body),
            f"SE*{len(body) + 2}*0001",
            "GE*1*1",
            "IEA*1*000000001",
        ]
    )
    return (text + "~").encode()


def applying(claims: int) -> tuple[float, int]:
    """Seconds to apply an 835 of so many stored claims, and the statements that it took."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from claims import inbound
    from claims.clearinghouse.port import FileKind
    from claims.clearinghouse.port import InboundFile as Fetched
    from claims.models import ClaimLine

    numbers = list(
        ClaimLine.objects.order_by("id").values_list("claim__patient_control_number", "line_control_number")[
            :claims
        ]
    )
    content = remittance_for(numbers)
    (file_id,) = inbound.store("sandbox", [Fetched("bench.835", content, FileKind.X12, "bench")])
    with CaptureQueriesContext(connection) as queries:
        began = time.perf_counter()
        report = inbound.apply(file_id)
        took = time.perf_counter() - began
    applied = report["sets"][0]
    if applied.get("new") != len(numbers):
        raise SystemExit(f"not every claim was applied: {applied}")
    return took, len(queries)


def main() -> None:
    """Run, print, and fail where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=5000)
    parser.add_argument("--sessions", type=int, default=5000)
    options = parser.parse_args()
    with fresh_database("claims") as environment:
        rate = pipeline(environment, max(options.sessions, options.claims))
        print(f"pipeline: {rate:,.0f} sessions a second from POST to handed over")
        took, statements = applying(options.claims)
        print(f"835 of {options.claims:,} claims: applied in {took:.1f} s, {statements} statements")
    if rate < LEAST_SESSIONS_A_SECOND or took > MOST_SECONDS_APPLYING:
        sys.exit(1)


if __name__ == "__main__":
    main()
