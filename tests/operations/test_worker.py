"""A worker gets over a broker that was away, and ends where it can't go on."""

import os
import time
from types import SimpleNamespace
from uuid import uuid4

import psycopg
import pytest
import redis
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import worker_init
from django.conf import settings
from django.db import connection
from kombu import Queue

from config import celery


def test_a_connection_that_was_lost_in_the_middle_of_a_task_can_be_closed() -> None:
    with celery.app.connection_for_read() as connection, redis.Redis.from_url(settings.REDIS_URL) as broker:
        tasks, control = (Queue(f"{name}-{uuid4()}") for name in ("tasks", "control"))
        begun: list[object] = []
        connection.Consumer(tasks, callbacks=[lambda _, message: begun.append(message)]).consume()
        connection.Consumer(control, channel=connection.channel()).consume()
        connection.Producer().publish("hint", routing_key=tasks.name)
        connection.drain_events(timeout=5)
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=0.05)  # waits for the next
        ours = str(broker.connection_pool.connection_kwargs["db"])
        waiting = [each for each in broker.client_list() if (each["cmd"], each["db"]) == ("brpop", ours)]
        for client in waiting:
            broker.client_kill(client["addr"])
        connection.collect()  # what Celery does before it connects again
        connection.close()
    assert begun
    assert len(waiting) == 2


@pytest.mark.parametrize(("exit_code", "ends"), [(1, True), (0, False), (None, False)])
def test_only_a_worker_that_an_error_stopped_is_given_no_time(
    monkeypatch: pytest.MonkeyPatch, exit_code: int | None, ends: bool
) -> None:
    monkeypatch.setattr(celery, "ENDS_WITHIN_SECONDS", 0.05)
    worker = os.fork()
    if worker == 0:
        os.close(2)
        celery.LastWord(None).close(SimpleNamespace(exitcode=exit_code))
        time.sleep(0.3)  # a task that doesn't end
        os._exit(0)
    _, status = os.waitpid(worker, 0)
    assert os.waitstatus_to_exitcode(status) == (1 if ends else 0)


def backend_of_a_task(fixup: DjangoWorkerFixup) -> int:
    """The database process that a task of a worker speaks with."""
    task = SimpleNamespace(request=SimpleNamespace(is_eager=False))
    fixup.on_task_prerun(sender=task)
    celery.keep_usable_connections(task)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    fixup.on_task_postrun(sender=task)
    celery.keep_usable_connections(task)
    return int(backend)


@pytest.mark.django_db(transaction=True)
def test_a_worker_keeps_its_database_connection_from_task_to_task_while_it_is_usable() -> None:
    fixup = DjangoWorkerFixup(celery.app)
    first = backend_of_a_task(fixup)
    assert backend_of_a_task(fixup) == first
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [first])
    assert backend_of_a_task(fixup) != first


@pytest.mark.parametrize(
    ("queues", "prepared"),
    [
        (["notes"], 1),
        (["gateways", "notes"], 1),
        (["periodic", "claims"], 1),
        (["gateways"], 0),
        (["periodic"], 0),
    ],
)
def test_a_worker_that_reads_notes_prepares_for_them_before_it_forks(
    monkeypatch: pytest.MonkeyPatch, queues: list[str], prepared: int
) -> None:
    calls: list[None] = []
    monkeypatch.setattr("billing.notes.coder.prepare", lambda: calls.append(None))
    amqp = SimpleNamespace(queues=SimpleNamespace(consume_from=dict.fromkeys(queues)))
    celery.prepare_note_coder(sender=SimpleNamespace(app=SimpleNamespace(amqp=amqp)))
    assert len(calls) == prepared


def test_a_worker_is_prepared_when_it_knows_its_queues_and_has_not_forked() -> None:
    assert celery.prepare_note_coder in [receiver() for _, receiver in worker_init.receivers]
