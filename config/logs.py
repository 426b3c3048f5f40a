"""One line for each thing that happened, on standard error: JSON for machines, columns for a terminal.

`structlog.get_logger()` is for lines with fields; the standard library's loggers end up in the same form.
No line has the text of an exception, or the path of a request: they may quote a patient. It has the kind of
error and where it was, and the route.
"""

import logging
import sys
from collections.abc import Callable
from typing import Any

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from partners.outages import for_log
from partners.request_ids import current_request_id

FORMS = ("json", "text")
QUIET = {
    "axes": "CRITICAL",  # it prints what was typed as a user name; config.admin_site says the same without
    "celery.app.trace": "CRITICAL",  # it prints the text of exceptions; config.task_log says the same without
    "celery.worker.strategy": "WARNING",
    "celery.beat": "WARNING",
    "django.security.DisallowedHost": "CRITICAL",
    "anthropic": "WARNING",  # below, both SDKs print what they send
    "httpcore": "WARNING",
    "httpcore2": "WARNING",
    "httpx": "WARNING",
    "httpx2": "WARNING",
    "openai": "WARNING",
    "paramiko": "WARNING",
}


class StandardError:
    """Writes finished lines to wherever standard error goes now."""

    def msg(self, line: bytes) -> None:
        """Write one line at once."""
        stream = sys.stderr.buffer
        stream.write(line)
        stream.flush()

    debug = info = warning = error = critical = exception = msg


def add_request_id(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Say which request a line belongs to, where there is one."""
    if "request_id" not in event and (request_id := current_request_id.get()):
        event["request_id"] = request_id
    return event


def name_request(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Status and route template where Django tells of a request, in place of its words and its path."""
    if (request := event.pop("request", None)) is not None:
        match = getattr(request, "resolver_match", None)
        event["event"] = "request failed"
        event["route"] = match.route if match else "none"
        event["status"] = event.pop("status_code", None)
    return event


def name_error(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """The kind of an exception and the places it came through, in place of its text."""
    found = event.pop("exc_info", None)
    event.pop("stack_info", None)
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        event.update(for_log(error))
    return event


def configure(*, level: str, form: str) -> dict[str, Any]:
    """Set structlog up, and give Django's LOGGING for everything that logs by the standard library."""
    number = logging.getLevelNamesMapping()[level]
    shared: list[Processor] = [
        add_request_id,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        name_request,
        name_error,
    ]
    structlog.configure(
        processors=[*shared, renderer(form)],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: StandardError(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    _without_newline(renderer(form)),
                ],
                "foreign_pre_chain": [
                    structlog.stdlib.ExtraAdder(),
                    structlog.stdlib.add_logger_name,
                    *shared,
                ],
                "use_get_message": True,
            }
        },
        "filters": {"raised": {"()": "django.utils.log.CallbackFilter", "callback": _was_raised}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            **{name: {"level": quiet} for name, quiet in QUIET.items()},
            "django.request": {"level": "ERROR", "filters": ["raised"]},
        },
    }


def _was_raised(record: logging.LogRecord) -> bool:
    """An error that nobody answered; an answer of a view has its line already, and so has its error."""
    return bool(record.exc_info)


def renderer(form: str) -> Callable[[WrappedLogger, str, EventDict], bytes]:
    """The last step: bytes of one line."""
    if form == "json":
        return lambda _logger, _method, event: orjson.dumps(
            event, default=str, option=orjson.OPT_APPEND_NEWLINE
        )
    columns = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), sort_keys=False)
    return lambda logger, method, event: (str(columns(logger, method, event)) + "\n").encode()


def _without_newline(render: Callable[[WrappedLogger, str, EventDict], bytes]) -> Processor:
    return lambda logger, method, event: render(logger, method, event).decode().rstrip("\n")
