"""Celery tasks: an id in, one call. The database is the queue of record; a task only hints at it."""

import logging
import math
import time
from datetime import timedelta

from celery import Task, shared_task
from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import task_failure
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from claims import (
    deadlines,
    figures,
    heartbeats,
    inbound,
    meters,
    pipeline,
    rechecks,
    retention,
    submission,
    unreturned,
    watchdog,
)
from claims.gateways import gateway_names

logger = logging.getLogger(__name__)
FILE_RESTS = timedelta(seconds=10)
"""Whoever stored a file hinted at it; the sweep only comes for those that this did not help."""
BROKER_REST_SECONDS = 5.0
HAND_OVER_LIMIT: int = settings.LEASE_SECONDS * 5 // 6
"""A hand-over's task is ended before its lease is, so that no two workers speak about the same claim."""
FILE_LIMIT: int = max(settings.CELERY_TASK_TIME_LIMIT, 1_800)
"""Files may be long, and what one transaction set says is applied whole; the broker waits for longer."""
_broker_rests_until = 0.0


@shared_task(name="claims.advance")
def advance() -> None:
    """Run the next steps of a batch of due claims; whatever is ready then is handed over."""
    if pipeline.advance() and pipeline.has_due():
        hint(advance)
    if pipeline.has_due_notes():
        hint(advance_note)
    for name in submission.gateways_with_work():
        hint(send, name)


@shared_task(name="claims.advance_note", queue="notes")
def advance_note() -> None:
    """Run the next steps of one claim whose note a language model reads: so slow a call is no batch's."""
    if pipeline.advance_note():
        hint(advance_note)
        for name in submission.gateways_with_work():
            hint(send, name)


@shared_task(
    name="claims.send",
    queue="gateways",
    time_limit=HAND_OVER_LIMIT,
    soft_time_limit=HAND_OVER_LIMIT * 9 // 10,
)
def send(gateway_name: str) -> None:
    """Hand over one interchange of what is due at a clearinghouse."""
    if submission.send(gateway_name):
        hint(send, gateway_name)


@shared_task(name="claims.poll", queue="periodic")
def poll() -> None:
    """Ask each clearinghouse for new files, each in a task of its own."""
    for name in gateway_names():
        hint(poll_gateway, name)


@shared_task(name="claims.poll_gateway", queue="gateways")
def poll_gateway(name: str) -> None:
    """Fetch one clearinghouse's new files, unless another does; store them raw, and have each applied."""
    with heartbeats.alone_at(f"poll {name}") as alone:
        stored = inbound.fetch(name, seconds=settings.POLL_SECONDS) if alone else []
    for file_id in stored:
        hint(apply_file, file_id)


@shared_task(name="claims.apply_file", time_limit=FILE_LIMIT, soft_time_limit=FILE_LIMIT * 9 // 10)
def apply_file(file_id: int) -> None:
    """Read one stored file and apply what it says."""
    inbound.apply(file_id)


@shared_task(name="claims.sweep", queue="periodic")
def sweep() -> None:
    """Enqueue again whatever rested too long: claims that are due, files that nobody applied."""
    if pipeline.has_due():
        meters.RESCUES.labels("claim").inc(pipeline.count_late())
        hint(advance)
    for name in submission.gateways_with_work():
        hint(send, name)
    if rested := inbound.waiting_files(rested=FILE_RESTS):
        meters.RESCUES.labels("file").inc(len(rested))
        hint(apply_waiting)
    unreturned.show_unreturned()


@shared_task(
    name="claims.apply_waiting",
    queue="periodic",
    time_limit=FILE_LIMIT,
    soft_time_limit=FILE_LIMIT * 9 // 10,
)
def apply_waiting() -> None:
    """Apply files that no hint came for, the oldest first, until the next sweep is near."""
    ends = time.monotonic() + settings.SWEEP_SECONDS / 2
    for file_id in inbound.waiting_files(rested=FILE_RESTS):
        inbound.apply(file_id)
        if time.monotonic() > ends:
            return


@shared_task(name="claims.purge", queue="periodic")
def purge() -> None:
    """Remove what is past its time by the retention schedule; what is too much for one task, in another."""
    ends = time.monotonic() + settings.CELERY_TASK_SOFT_TIME_LIMIT / 2
    try:
        retention.purge(ends=ends)
    except SoftTimeLimitExceeded:
        ends = math.inf
        raise
    finally:
        if time.monotonic() >= ends:
            hint(purge)


@shared_task(name="claims.watch", queue="periodic")
def watch() -> None:
    """Open tasks for overdue answers, follow the payers' limits, free what nothing else holds now."""
    watchdog.watch()
    deadlines.follow_limits()
    if rechecks.after_other_sessions() + rechecks.after_new_rates() + rechecks.after_a_gateway():
        hint(advance)


@shared_task(name="claims.figures", queue="periodic")
def count_figures() -> None:
    """Count again the days that the back office's charts show and that changed."""
    figures.rebuild()


@task_failure.connect
def count_failure(sender: Task, **_: object) -> None:
    """Count a task that ended with an error, whichever application's."""
    meters.TASK_FAILURES.labels(sender.name).inc()


def hint_advance() -> None:
    """After commit, hint that some claim has something to do; never fails, the sweep finds it anyway."""
    transaction.on_commit(lambda: hint(advance), robust=True)


def hint(task: Task, *arguments: str | int) -> None:
    """Enqueue a task if the broker is there; while it is away, ask it again only every few seconds."""
    global _broker_rests_until  # noqa: PLW0603 (one clock for this process)
    if time.monotonic() < _broker_rests_until:
        return
    try:
        task.apply_async(arguments, retry=False)
    except (OperationalError, OSError) as error:
        _broker_rests_until = time.monotonic() + BROKER_REST_SECONDS
        logger.warning("The broker is away (%s); the sweep will find what waits.", type(error).__name__)
