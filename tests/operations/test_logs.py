"""What is logged: a line a request and a step, with its request id; no patient, query, or error's text."""

import io
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog
from celery.signals import task_failure
from django.db import OperationalError
from django.test import Client
from psycopg.errors import DiskFull
from structlog.testing import capture_logs

from claims import meters, tasks
from config import error_reports, logs, task_log
from partners.request_ids import current_request_id
from tests.cast import Api, submission
from tests.claims.process import run_until_quiet

PATIENT = ("Jane", "Doe", "W123456789", "1990-01-01", "Elm St")


@pytest.fixture
def json_lines(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Logs in JSON as in production; call it for the lines written until then."""
    before = structlog.get_config()
    formatter = logs.configure(level="INFO", form="json")["formatters"]["line"]
    handler = logging._StderrHandler(logging.INFO)  # writes to what standard error is at the time
    handler.setFormatter(formatter.pop("()")(**formatter))
    logger = logging.getLogger("trial")
    logger.addHandler(handler)
    logger.propagate = False
    yield lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    logger.removeHandler(handler)
    logger.propagate = True
    structlog.configure(**before)


def test_a_request_has_one_line_without_its_query(api: Api) -> None:
    with capture_logs() as lines:
        api.get("/sessions", {"patientName": "Jane"}, headers={"X-Request-Id": "trace-1"})
    [line] = [line for line in lines if line["event"] == "request"]
    assert line["route"] == "api/v1/partner/sessions"
    assert (line["method"], line["status"], line["partner"]) == ("GET", 200, api.partner.slug)
    assert line["ms"] > 0
    assert "Jane" not in str(line)


def test_the_route_is_a_template_and_not_the_address(api: Api) -> None:
    with capture_logs() as lines:
        api.get("/sessions/0190d3c2-7a51-7cc2-9a41-3a1f6f0c9d11")
    assert lines[-1]["route"] == "api/v1/partner/sessions/<str:sessionId>"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_asked_without_a_line(path: str) -> None:
    with capture_logs() as lines:
        Client().get(path)
    assert not [line for line in lines if line["event"] == "request"]


def test_a_session_s_request_id_is_on_every_step(ready_api: Api) -> None:
    with capture_logs() as lines:
        ready_api.post("/sessions", submission(), headers={"X-Request-Id": "trace-2"})
        run_until_quiet()
    of_claim = [line for line in lines if line["event"] in ("step", "sent to clearinghouse", "answer")]
    assert {line["event"] for line in of_claim} == {"step", "sent to clearinghouse", "answer"}
    assert {line["request_id"] for line in of_claim} == {"trace-2"}


def test_no_line_of_a_whole_life_has_a_patient(ready_api: Api) -> None:
    with capture_logs() as lines:
        ready_api.submitted()
        ready_api.submitted(patient__insurance__memberId="HELD")
        ready_api.submitted(patient__insurance__memberId="REJECTED")
        run_until_quiet()
    assert len(lines) > 10
    assert not [line for line in lines if any(word in str(line) for word in PATIENT)]


def test_json_lines_have_time_level_and_request(json_lines: Callable[[], list[dict[str, Any]]]) -> None:
    token = current_request_id.set("trace-3")
    structlog.get_logger().info("step", step="code")
    current_request_id.reset(token)
    [line] = json_lines()
    assert line | {"timestamp": ""} == {
        "event": "step",
        "level": "info",
        "request_id": "trace-3",
        "step": "code",
        "timestamp": "",
    }
    assert line["timestamp"].endswith("Z")


def test_the_standard_library_s_lines_have_the_same_form(
    json_lines: Callable[[], list[dict[str, Any]]],
) -> None:
    logging.getLogger("trial").warning("no %s", "answer", extra={"gateway": "stedi"})
    [line] = json_lines()
    assert (line["event"], line["level"], line["logger"], line["gateway"]) == (
        "no answer",
        "warning",
        "trial",
        "stedi",
    )


def test_an_exception_is_named_and_placed_without_its_text(
    json_lines: Callable[[], list[dict[str, Any]]],
) -> None:
    try:
        raise ValueError("Jane Doe")
    except ValueError:
        logging.getLogger("trial").exception("it failed")
    [line] = json_lines()
    assert "Jane" not in str(line)
    assert line["error"] == "ValueError"
    assert "test_logs.py" in line["at"]


def test_an_error_of_the_api_is_one_line_with_its_kind_place_and_request(
    api: Api, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise OperationalError("Jane Doe") from DiskFull("Jane Doe")

    formatter = dict(settings.LOGGING["formatters"]["line"])
    handler = logging.StreamHandler(written := io.StringIO())
    handler.setFormatter(formatter.pop("()")(**formatter))
    for name in ("django.request", "partners.api.errors"):
        monkeypatch.setattr(logging.getLogger(name), "handlers", [handler])
    monkeypatch.setattr("sessions_app.api.listing.fetch_all", fail)
    assert api.get("/sessions", headers={"X-Request-Id": "trace-6"}).status_code == 503
    [line] = written.getvalue().splitlines()
    assert "error=OperationalError/DiskFull " in line
    assert "request_id=trace-6" in line
    assert re.search(r"at='.*test_logs\.py", line)
    assert "Jane" not in line


def test_text_lines_are_for_people() -> None:
    text = logs.renderer("text")(None, "info", {"event": "request", "level": "info", "status": 200}).decode()
    assert text.count("\n") == 1
    assert "request" in text
    assert "status" in text


def test_the_request_id_goes_into_a_task_s_headers() -> None:
    headers: dict[str, Any] = {}
    token = current_request_id.set("trace-4")
    task_log.send_request_id(headers=headers)
    current_request_id.reset(token)
    assert headers == {"request_id": "trace-4"}


def test_a_task_works_for_the_request_it_came_from() -> None:
    tasks.watch.push_request(id="task-1", request_id="trace-5")
    try:
        task_log.take_request_id(task=tasks.watch)
        assert current_request_id.get() == "trace-5"
        with capture_logs() as lines:
            task_log.tell(task=tasks.watch, state="SUCCESS")
        assert (lines[0]["task"], lines[0]["state"]) == ("claims.watch", "SUCCESS")
        assert current_request_id.get() == ""
    finally:
        tasks.watch.pop_request()


def test_a_failed_task_is_told_without_the_error_s_text() -> None:
    with capture_logs() as lines:
        task_log.tell_failure(sender=tasks.watch, exception=ValueError("Jane Doe"))
    assert lines[0]["error"] == "ValueError"
    assert "Jane" not in str(lines)


def test_what_postgresql_calls_an_error_is_told_with_its_kind() -> None:
    full = OperationalError("Jane Doe")
    full.__cause__ = DiskFull("Jane Doe")
    with capture_logs() as lines:
        task_log.tell_failure(sender=tasks.watch, exception=full)
    assert lines[0]["error"] == "OperationalError/DiskFull"


def test_a_failed_task_is_counted() -> None:
    counted = meters.TASK_FAILURES.labels("claims.watch")
    before = counted._value.get()
    task_failure.send(sender=tasks.watch, exception=ValueError("Jane Doe"))
    assert counted._value.get() == before + 1


def test_a_report_keeps_kinds_and_places_only() -> None:
    frame = {"filename": "steps.py", "lineno": 7, "vars": {"name": "Jane"}, "context_line": "Jane"}
    event = {
        "message": "Jane",
        "request": {"data": "Jane", "headers": {"Authorization": "Bearer x"}},
        "user": {"username": "Jane"},
        "breadcrumbs": {"values": ["Jane"]},
        "exception": {"values": [{"type": "ValueError", "value": "Jane", "stacktrace": {"frames": [frame]}}]},
    }
    kept = error_reports.scrub(event, {})
    assert "Jane" not in str(kept)
    assert kept["exception"]["values"][0]["stacktrace"]["frames"] == [{"filename": "steps.py", "lineno": 7}]


def test_nothing_is_written_to_standard_output() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import django; django.setup(); import structlog; structlog.get_logger().info('x')",
        ],
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_FORM": "json"},
    )
    assert said.stdout == ""
    assert json.loads(said.stderr)["event"] == "x"
