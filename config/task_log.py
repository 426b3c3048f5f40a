"""One line a task, and the request id that travels with it from whoever enqueued it."""

import logging
from time import perf_counter
from typing import Any

import structlog
from celery import signals

from partners.outages import for_log
from partners.request_ids import current_request_id, request_id_from

log = structlog.get_logger()
HEADER = "request_id"
STARTED = "_started"


@signals.setup_logging.connect
def keep_logging(**_: object) -> None:
    """Keep Django's logging: a receiver here stops Celery from setting up its own."""
    logging.captureWarnings(True)


@signals.before_task_publish.connect
def send_request_id(headers: dict[str, Any] | None = None, **_: object) -> None:
    """Put the request that a task is enqueued for into its headers."""
    if headers is not None and (request_id := current_request_id.get()):
        headers[HEADER] = request_id


@signals.task_prerun.connect
def take_request_id(task: Any = None, **_: object) -> None:
    """Work for the request that the task came from; one that beat started is a beginning of its own."""
    current_request_id.set(request_id_from(getattr(task.request, HEADER, None) or task.request.id))
    setattr(task.request, STARTED, perf_counter())


@signals.task_postrun.connect
def tell(task: Any = None, state: str | None = None, **_: object) -> None:
    """Write the task's line."""
    started = getattr(task.request, STARTED, None)
    milliseconds = round((perf_counter() - started) * 1000, 2) if started else None
    log.info("task", task=task.name, state=state, ms=milliseconds)
    current_request_id.set("")


@signals.task_failure.connect
def tell_failure(sender: Any = None, exception: BaseException | None = None, **_: object) -> None:
    """Write what kind of error ended a task, and where; its text may quote a patient."""
    if exception is not None:
        log.error("task failed", task=getattr(sender, "name", ""), **for_log(exception))
