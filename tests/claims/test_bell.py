"""The bell: never waits, never lost while the process lives, once for many."""

import threading
import time

import pytest
from django.test import override_settings

from claims import bell, tasks
from tests.cast import Api


def test_the_last_ring_is_followed_by_a_call() -> None:
    called = threading.Event()
    rung = bell.Bell(called.set, rest=0.0)
    for _ in range(3):
        called.clear()
        rung.ring()
        assert called.wait(5)


def test_many_rings_are_few_calls() -> None:
    calls: list[int] = []
    rung = bell.Bell(lambda: calls.append(1), rest=0.05)
    begun = time.monotonic()
    while time.monotonic() - begun < 0.5:
        rung.ring()
        time.sleep(0.001)
    time.sleep(0.1)
    assert 1 <= len(calls) <= 12


def test_ringing_does_not_wait_for_the_call() -> None:
    going = threading.Event()
    rung = bell.Bell(lambda: going.wait(5) and None, rest=0.0)
    begun = time.monotonic()
    rung.ring()
    rung.ring()
    assert time.monotonic() - begun < 1
    going.set()


def test_a_call_that_fails_does_not_silence_it() -> None:
    called = threading.Event()

    def act() -> None:
        called.set()
        raise RuntimeError

    rung = bell.Bell(act, rest=0.0)
    for _ in range(2):
        called.clear()
        rung.ring()
        assert called.wait(5)


@override_settings(CELERY_TASK_ALWAYS_EAGER=True)
@pytest.mark.django_db(transaction=True)
def test_where_tasks_run_eagerly_it_calls_at_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    hinted: list[str] = []
    monkeypatch.setattr(tasks, "hint", lambda task, *arguments: hinted.append(task.name))
    api.onboarded().submitted()
    assert hinted == ["claims.advance"]
