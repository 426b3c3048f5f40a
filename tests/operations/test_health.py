"""Health: named checks; what a request needs makes it unavailable, what work needs makes it degraded."""

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from celery.apps.beat import Beat
from celery.beat import Scheduler, Service
from django.test import Client

from claims import heartbeats
from config import celery, health
from tests.cast import BASE, Api
from tests.operations.running import nothing_can_be_written, redis_takes_no_writes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_heartbeats")]


def ready() -> tuple[int, dict[str, Any]]:
    answer = Client().get("/readyz")
    return answer.status_code, answer.json()


def test_alive_needs_nothing() -> None:
    assert Client().get("/healthz").json() == {"status": "ok"}


def test_ready_names_every_check() -> None:
    for kind in ("worker", "gateways", "beat"):
        heartbeats.beat(kind, "one")
    names = ("database", "migrations", "broker", "worker", "gateways", "beat")
    assert ready() == (200, {"status": "ok", "checks": dict.fromkeys(names, "ok")})


def test_without_a_worker_sessions_are_taken_all_the_same() -> None:
    heartbeats.beat("beat", "one")
    status, body = ready()
    assert (status, body["status"], body["checks"]["worker"]) == (200, "degraded", "silent")


def test_without_the_broker_too(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    status, body = ready()
    assert (status, body["status"], body["checks"]["broker"]) == (200, "degraded", "unreachable")


def test_with_a_broker_that_takes_no_writes_it_is_degraded(settings: Any) -> None:
    with redis_takes_no_writes(settings):
        status, body = ready()
    assert (status, body["status"], body["checks"]["broker"]) == (200, "degraded", "read-only")


def test_with_a_database_that_takes_no_writes_it_is_unavailable() -> None:
    with nothing_can_be_written():
        status, body = ready()
    assert (status, body["status"], body["checks"]["database"]) == (503, "unavailable", "read-only")


def test_requests_are_told_to_come_again_while_nothing_can_be_written(api: Api) -> None:
    with nothing_can_be_written():
        told = Client().get(f"{BASE}/sessions", headers={"Authorization": f"Bearer {api.key}"})
    assert (told.status_code, told.headers["Retry-After"]) == (503, "2")


def test_without_its_migrations_it_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_migrated", False)
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_: ["one"])
    status, body = ready()
    assert (status, body["status"], body["checks"]["migrations"]) == (503, "unavailable", "pending")


def test_a_worker_that_leaves_in_good_order_is_not_missed() -> None:
    heartbeats.beat("worker", "one")
    heartbeats.stop("worker", "one")
    with heartbeats.broker() as client:
        assert heartbeats.ages("worker", client) == {}


def test_the_broker_away_never_stops_a_worker(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    heartbeats.beat("worker", "one")
    heartbeats.stop("worker", "one")


def test_beat_gives_a_sign_and_comes_again_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scheduler, "tick", lambda *_: 300.0)
    scheduler = celery.BeatingScheduler(celery.app, lazy=True)
    assert scheduler.tick() == heartbeats.EVERY_SECONDS
    with heartbeats.broker() as client:
        assert heartbeats.is_alive("beat", client)


def test_beat_says_in_a_line_that_the_broker_is_away_and_in_another_that_it_is_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    celery.app.finalize()
    scheduler = celery.BeatingScheduler(celery.app)
    sweep, poll = scheduler.schedule["sweep"], scheduler.schedule["poll"]
    with celery.app.connection_for_write("redis://127.0.0.1:1/0") as away:
        producer = celery.app.amqp.Producer(away, auto_declare=False)
        scheduler.apply_entry(sweep, producer=producer)
        scheduler.apply_entry(poll, producer=producer)
    monkeypatch.setattr(scheduler, "apply_async", lambda *_, **__: None)
    scheduler.apply_entry(sweep)
    scheduler.apply_entry(poll)
    assert [(each.levelname, each.getMessage()) for each in caplog.records] == [
        ("ERROR", "The broker is away (ConnectionError); beat can start no task."),
        ("WARNING", "The broker is back after 0 seconds; beat starts tasks again."),
    ]


@pytest.mark.parametrize("seldom", ["purge", "months"])
def test_what_is_seldom_due_is_due_when_beat_starts(seldom: str) -> None:
    celery.app.finalize()
    entry = celery.BeatingScheduler(celery.app).schedule[seldom]
    due, _ = entry.is_due()
    again, _ = next(entry).is_due()
    assert (due, again) == (True, False)


class Deaf:
    """Ends as objects of libraries do, in code that Python lets raise nothing; SIGTERM comes just then."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)


@pytest.fixture
def _signals() -> Iterator[None]:
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGALRM)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("_signals")
@pytest.mark.timeout(20)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_beat_ends_though_the_moment_it_is_told_can_raise_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scheduler, "tick", lambda *_: 300.0)
    monkeypatch.setattr(heartbeats, "beat", lambda *_: Deaf() and None)
    service = Service(celery.app, scheduler_cls=celery.BeatingScheduler)
    Beat(app=celery.app, quiet=True).install_sync_handler(service)
    began = time.monotonic()
    service.start()
    assert time.monotonic() - began < 10


def test_a_process_that_was_killed_is_forgotten_after_a_day() -> None:
    with heartbeats.broker() as client:
        client.hset(heartbeats.KEY, "worker:killed", repr(time.time() - heartbeats.FORGOTTEN_SECONDS - 1))
        heartbeats.beat("worker", "one")
        assert list(heartbeats.ages("worker", client)) == ["one"]
        assert client.hkeys(heartbeats.KEY) == ["worker:one"]
