"""The Celery application: `celery -A config worker`, `celery -A config beat`."""

import faulthandler
import logging
import os
import signal
from contextlib import suppress
from datetime import UTC, datetime
from socket import gethostname
from time import monotonic
from types import FrameType
from typing import Any

from celery import Celery, bootsteps
from celery.beat import Scheduler, SchedulingError
from celery.signals import beat_init, task_postrun, task_prerun, worker_init
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import close_old_connections
from kombu.transport import TRANSPORT_ALIASES

from claims import heartbeats
from config import task_log

__all__ = ["BeatingScheduler", "Heartbeat", "LastWord", "app", "task_log"]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), "config.broker:Transport"))
logger = logging.getLogger(__name__)
MONTHS_SECONDS = 3600.0
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""When what is seldom due ran last: due when beat starts, or a beat started daily would never run it."""
app = Celery("billing")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_finalize.connect
def schedule(sender: Celery, **_: object) -> None:
    """What beat starts, and how often; every entry only looks for work that waits in the database."""
    sender.conf.beat_schedule = {
        "poll": {"task": "claims.poll", "schedule": settings.POLL_SECONDS},
        "sweep": {"task": "claims.sweep", "schedule": settings.SWEEP_SECONDS},
        "watch": {"task": "claims.watch", "schedule": settings.WATCH_SECONDS},
        "figures": {"task": "claims.figures", "schedule": settings.FIGURES_SECONDS},
        "seal": {"task": "partners.seal_access_records", "schedule": settings.SEAL_SECONDS},
        "purge": {"task": "claims.purge", "schedule": settings.PURGE_SECONDS, "last_run_at": LONG_AGO},
        "months": {"task": "partners.keep_months", "schedule": MONTHS_SECONDS, "last_run_at": LONG_AGO},
    }


@task_prerun.connect
@task_postrun.connect
def keep_usable_connections(task: Any = None, **_: object) -> None:
    """Begin and end a task as a request is: its connection is the next one's, unless it is old or broken."""
    if not task.request.is_eager:
        close_old_connections()


KINDS = {"claims": "worker", "periodic": "periodic", "gateways": "gateways", "notes": "notes"}
"""What a worker is by the queues it serves; one that serves all is each of them."""


@worker_init.connect
def check_settings(**_: object) -> None:
    """End a worker of production that would start with a setting that a check refuses."""
    if settings.PRODUCTION:
        try:
            call_command("check", "--deploy", "--fail-level", "ERROR")
        except SystemCheckError as error:
            raise SystemExit(str(error)) from None  # Celery goes on after any other


READS_NOTES = {"claims", "notes"}
"""The queues whose tasks read notes: by the rules alone, or with a language model."""


@worker_init.connect
def prepare_note_coder(sender: Any, **_: object) -> None:
    """Before a worker forks: its processes share what the note coder loads, and none begins slowly."""
    if READS_NOTES.intersection(sender.app.amqp.queues.consume_from):
        from billing.notes.coder import prepare

        prepare()


class Heartbeat(bootsteps.StartStopStep):
    """A worker's signs of life, from its event loop: a loop that hangs falls silent. And its metrics."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, parent: Any, **_: object) -> None:
        self.timers: list[Any] = []

    def start(self, parent: Any) -> None:
        """Begin with a first sign."""
        for kind in _kinds(parent):
            heartbeats.beat(kind, parent.hostname)
            every = heartbeats.EVERY_SECONDS
            self.timers.append(parent.timer.call_repeatedly(every, heartbeats.beat, (kind, parent.hostname)))
        if settings.WORKER_METRICS_PORT:
            # Not before the settings are read: they say in which folder processes count.
            from prometheus_client import start_http_server

            from config.metrics import registry

            with suppress(OSError):  # another worker of this machine serves the same counts there
                start_http_server(
                    settings.WORKER_METRICS_PORT, addr="127.0.0.1", registry=registry(with_database=False)
                )

    def stop(self, parent: Any) -> None:
        """Say goodbye: a worker that was taken away is not missed."""
        for timer in self.timers:
            timer.cancel()
        for kind in _kinds(parent):
            heartbeats.stop(kind, parent.hostname)


def _kinds(parent: Any) -> list[str]:
    return [kind for queue, kind in KINDS.items() if queue in parent.app.amqp.queues.consume_from]


app.steps["worker"].add(Heartbeat)
ENDS_WITHIN_SECONDS = 10


class LastWord(bootsteps.StartStopStep):
    """Ends a worker that stops because of an error, also where its tasks don't: the platform starts another.

    Celery waits for them, and for some that never began, with nobody left to tell it that they are done. The
    processes of the pool die with it; what they were at is found by the sweep, as after any kill.
    """

    def close(self, parent: Any) -> None:
        """Set the clock before anything is stopped; a shutdown that was asked for takes the time it needs."""
        if parent.exitcode:
            faulthandler.dump_traceback_later(ENDS_WITHIN_SECONDS, exit=True)


app.steps["worker"].add(LastWord)


class BeatingScheduler(Scheduler):
    """Beat's own schedule, with a sign of life from the loop that keeps it; a lost broker is one line."""

    last_sign = float("-inf")
    lost_at: float | None = None

    def tick(self, *arguments: Any, **named: Any) -> float:
        """Start what is due, and come again soon enough for the next sign."""
        wait: float = super().tick(*arguments, **named)
        if monotonic() - self.last_sign >= heartbeats.EVERY_SECONDS:
            self.last_sign = monotonic()
            heartbeats.beat("beat", gethostname())
        return min(wait, heartbeats.EVERY_SECONDS)

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Start one task; Celery would print its stack for each that can't be while the broker is away."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            if self.lost_at is None:
                self.lost_at = monotonic()
                logger.error("The broker is away (%s); beat can start no task.", _first_cause(error))
            return
        if self.lost_at is not None:
            away = monotonic() - self.lost_at
            logger.warning("The broker is back after %.0f seconds; beat starts tasks again.", away)
            self.lost_at = None


def _first_cause(error: SchedulingError) -> str:
    """The kind of what the broker's client met: kombu wraps it, and Celery wraps that."""
    met = error.__context__
    return type((met and met.__cause__) or met).__name__


@beat_init.connect
def end_when_told(**_: object) -> None:
    """Have beat end by SIGTERM, whenever that comes.

    Celery raises SystemExit once, and in a `__del__` that is lost; and it closes the connection there and
    then, in the middle of whatever uses it.
    """

    def end(number: int, frame: FrameType | None) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)  # say it again until it is heard
        raise SystemExit

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
        signal.signal(number, end)
