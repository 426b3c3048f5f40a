"""Metrics: who may see them, what they count across processes, what they read from the database."""

import logging
import os
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path
from time import thread_time
from typing import Any

import pytest
import structlog
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from claims import gauges
from claims.models import Claim, PollCursor
from config import logs, metrics_folder, request_log
from config.metrics import registry
from config.request_log import RequestLogMiddleware
from tests.cast import Api
from tests.claims.process import run_until_quiet
from tests.operations.running import nothing_can_be_written, result

pytestmark = pytest.mark.django_db
MOST_LINES = 2.5


@pytest.fixture(autouse=True)
def _read_now() -> None:
    gauges.waiting.kept_until = 0.0


def samples(text: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """Values by name and label values, in the order of the labels' names."""
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scrape() -> dict[tuple[str, tuple[str, ...]], float]:
    answer = Client().get("/metrics")
    assert answer.status_code == 200
    return samples(answer.content.decode())


def test_with_a_token_only_its_bearer_sees_them(settings: Any) -> None:
    settings.METRICS_TOKEN = "for-the-scraper"
    assert Client().get("/metrics").status_code == 404
    assert Client().get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 404
    assert Client().get("/metrics", headers={"Authorization": "Bearer for-the-scraper"}).status_code == 200


@pytest.mark.parametrize("production", [True, False])
def test_without_a_token_only_this_machine_sees_them_and_never_in_production(
    settings: Any, production: bool
) -> None:
    settings.METRICS_TOKEN, settings.PRODUCTION = "", production
    assert Client().get("/metrics").status_code == (404 if production else 200)
    assert Client(REMOTE_ADDR="192.0.2.7").get("/metrics").status_code == 404
    assert Client().get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 404


def test_requests_are_counted_by_route_and_status(api: Api) -> None:
    key = "billing_requests_total", ("GET", "api/v1/partner/sessions", "200")
    before = scrape().get(key, 0)
    api.get("/sessions")
    assert scrape()[key] >= before + 1


def test_the_process_counts_steps_holds_and_outcomes(ready_api: Api) -> None:
    ready_api.submitted()
    ready_api.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    found = scrape()
    assert found["billing_steps_total", ("send",)] >= 1
    assert found["billing_holds_total", ("TEST-001",)] >= 1
    assert found["billing_claims_handed_over_total", ("sandbox",)] >= 1
    assert found["billing_claim_outcomes_total", ("paid",)] >= 1
    assert found["billing_first_answer_seconds_count", ("sandbox",)] >= 1
    assert found["billing_gateway_call_seconds_count", ("send", "sandbox", "taken")] >= 1
    assert found["billing_gateway_call_seconds_count", ("fetch", "sandbox", "answered")] >= 1


def test_what_waits_is_read_from_the_database(ready_api: Api) -> None:
    ready_api.submitted()
    ready_api.submitted(patient__insurance__memberId="HELD")
    found = scrape()
    assert found["billing_claims_due", ("code",)] == 2
    assert found["billing_claims_due_oldest_seconds", ("code",)] >= 0
    assert found["billing_sessions_open", ("processing",)] == 2
    run_until_quiet()
    gauges.waiting.kept_until = 0.0
    assert scrape()["billing_work_items", ("held", "TEST-001")] == 1


@pytest.mark.parametrize(("since", "failing"), [(0, 0), (1, 1)], ids=["files left", "failed"])
def test_files_that_a_poll_left_are_no_failing_clearinghouse(db: None, since: int, failing: int) -> None:
    polled = timezone.now()
    failed_at = polled + timedelta(seconds=since)
    PollCursor.objects.create(pk="sandbox", polled_at=polled, failed_at=failed_at, failure="…")
    assert scrape()["billing_gateway_failing", ("sandbox",)] == failing


def test_a_refusal_counts_for_the_payer_of_our_directory_and_never_by_a_partners_words(
    ready_api: Api,
) -> None:
    unknown = {"patient__insurance__payerId": "JANE DOE 1990", "patient__insurance__payerName": "Jane Doe"}
    for changes in ({}, {"patient__insurance__payerId": None}, unknown):
        session_id = ready_api.submitted(**changes)
        Claim.objects.filter(session=session_id).update(status="denied")
    found = scrape()
    assert found["billing_refused_last_hour", ("60054", "denied")] == 2
    assert found["billing_refused_last_hour", ("other", "denied")] == 1
    assert not [name for name, labels in found.items() if "jane" in str(labels).lower()]


def test_a_database_that_takes_no_writes_is_not_up(ready_api: Api) -> None:
    assert scrape()["billing_database_up", ()] == 1
    gauges.waiting.kept_until = 0.0
    with nothing_can_be_written():
        assert scrape()["billing_database_up", ()] == 0


def test_a_clearinghouse_that_is_out_of_use_is_not_missed(api: Api) -> None:
    for name in ("sandbox", "sftp"):
        PollCursor.objects.create(pk=name)
    found = scrape()
    assert found["billing_gateway_polled_seconds", ("sandbox",)] == -1
    assert ("billing_gateway_polled_seconds", ("sftp",)) not in found
    assert ("billing_gateway_failing", ("sftp",)) not in found


def test_an_answer_is_kept_for_some_seconds(ready_api: Api, django_assert_num_queries: Any) -> None:
    scrape()
    with django_assert_num_queries(0):
        list(gauges.waiting.collect())


def test_processes_count_together(tmp_path: Path) -> None:
    folder = tmp_path / "counts"
    environment = {**os.environ, "METRICS_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    program = (
        "import os, django; django.setup(); from claims.meters import STEPS; STEPS.labels('trial').inc(2);"
        "print(os.environ['PROMETHEUS_MULTIPROC_DIR'], flush=True); input()"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    try:
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == str(folder)
        os.environ[metrics_folder.VARIABLE], kept = str(folder), os.environ[metrics_folder.VARIABLE]
        try:
            value = registry(with_database=False).get_sample_value("billing_steps_total", {"step": "trial"})
        finally:
            os.environ[metrics_folder.VARIABLE] = kept
        assert value == 4
    finally:
        for process in started:
            process.communicate("\n", timeout=20)


def test_counts_of_processes_that_are_all_gone_are_forgotten(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv(metrics_folder.VARIABLE, "")
    (tmp_path / "counter_999999999.db").write_bytes(b"")
    (tmp_path / "note.txt").write_bytes(b"")
    metrics_folder.prepare(tmp_path, must_be_ours=True)
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]
    (tmp_path / "counter_999999999.db").write_bytes(b"")
    (tmp_path / f"counter_{os.getpid()}.db").write_bytes(b"")
    metrics_folder.prepare(tmp_path, must_be_ours=True)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_process_that_starts_where_no_room_is_counts_by_itself(
    api: Api, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of a shared count that finds no block ends its process."""
    monkeypatch.setenv(metrics_folder.VARIABLE, "")
    monkeypatch.setattr(metrics_folder, "LEAST_FREE", 1 << 60)
    metrics_folder.prepare(tmp_path, must_be_ours=True)
    assert metrics_folder.VARIABLE not in os.environ
    assert scrape()["billing_database_up", ()] == 1
    settings.METRICS_DIR = tmp_path
    [told] = [line for line in result("doctor").document if "METRICS_DIR" in line["words"]]
    assert told["state"] == "warn"
    assert "room" in told["remedy"]


def test_the_line_and_the_counts_of_a_request_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """In JSON, as in production, beside a line of the standard library's logging in the same breath."""
    before = structlog.get_config()
    logs.configure(level="INFO", form="json")
    monkeypatch.setattr(request_log, "log", structlog.get_logger().bind())
    structlog.configure(**before)
    request = RequestFactory().get("/api/v1/partner/sessions")
    request.resolver_match = resolve("/api/v1/partner/sessions")
    answer = HttpResponse(b"{}")

    def bare(_request: HttpRequest) -> HttpResponse:
        return answer

    plain = logging.Logger("a line of the standard library")
    plain.addHandler(logging.StreamHandler(StringIO()))

    def line(_request: HttpRequest) -> HttpResponse:
        plain.info("%s %s %s", "GET", "/api/v1/partner/sessions", 200)
        return answer

    middleware = RequestLogMiddleware(bare)
    ratios = [_seconds(middleware, request) / _seconds(line, request) for _ in range(15)]
    assert min(ratios) < MOST_LINES


def _seconds(call: Any, request: HttpRequest) -> float:
    started = thread_time()
    for _ in range(300):
        call(request)
    return thread_time() - started


def test_a_folder_that_somebody_took_away_leaves_this_process_its_own_counts_and_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(metrics_folder.VARIABLE, str(tmp_path / "gone"))
    assert scrape()["billing_database_up", ()] == 1.0
