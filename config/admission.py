"""The door of a web process: while every place is taken for long, whoever comes is told to come later.

A request that waits for a database that hangs keeps its thread. One thread more than there are places is left
to answer the others, and `/healthz`; a process with a single thread has none to spare.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

import orjson

from config.request_log import METHODS, REQUESTS, UNNAMED
from partners.api.errors import BUSY
from partners.request_ids import request_id_from

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)
PATIENCE_SECONDS = 1.0
RETRY_AFTER = "2"
ALWAYS = "/healthz"
WORDS = orjson.dumps({"error": BUSY})


class _Stream:
    """A body that keeps its place until it is closed, for it may ask the database until then."""

    def __init__(self, body: Any, place: ExitStack) -> None:
        self._body, self._place = body, place

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)

    def close(self) -> None:
        """End the request."""
        with self._place:
            if (close := getattr(self._body, "close", None)) is not None:
                close()


class Admission:
    """Lets so many requests in at once; 503 with `Retry-After` to those that no place became free for.

    The first waits for a place; once it has waited in vain, the others don't until there is one again.
    """

    def __init__(self, application: "WSGIApplication", *, places: int) -> None:
        self._application = application
        self._places = BoundedSemaphore(places)
        self._full = False

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if environ["PATH_INFO"] == ALWAYS:
            return self._application(environ, start_response)
        if not self._places.acquire(timeout=0 if self._full else PATIENCE_SECONDS):
            return self._turn_away(environ, start_response)
        self._full = False
        with ExitStack() as place:
            place.callback(self._places.release)
            response: Any = self._application(environ, start_response)
            if getattr(response, "streaming", True):
                return _Stream(response, place.pop_all())
            content: bytes = response.content
            response.close()
            return [content]  # the server sends a list at once, all else piece by piece

    def _turn_away(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if not self._full:
            self._full = True
            logger.warning("every place is taken; requests are turned away")
        method = environ["REQUEST_METHOD"]
        REQUESTS.labels(method if method in METHODS else "other", UNNAMED, 503).inc()
        request_id = request_id_from(environ.get("HTTP_X_REQUEST_ID"))
        start_response(
            "503 Service Unavailable",
            [
                ("Content-Type", "application/json"),
                ("Content-Length", str(len(WORDS))),
                ("Cache-Control", "no-store"),
                ("Retry-After", RETRY_AFTER),
                ("X-Request-Id", request_id),
            ],
        )
        return [WORDS]
