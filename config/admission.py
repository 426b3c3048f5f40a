"""The door of a web process: while every place is taken for long, whoever comes is told to come later.

A request that waits for a database that hangs keeps its thread. One thread more than there are places is left
to answer the others, and `/healthz`.
"""

import logging
from collections.abc import Iterable
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

import orjson

from config.request_log import METHODS, REQUESTS, UNNAMED

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)
PATIENCE_SECONDS = 1.0
RETRY_AFTER = "2"
ALWAYS = "/healthz"
WORDS = orjson.dumps({"error": "The service is busy or restarting; try again."})


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
        try:
            return self._application(environ, start_response)
        finally:
            self._places.release()

    def _turn_away(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if not self._full:
            self._full = True
            logger.warning("every place is taken; requests are turned away")
        method = environ["REQUEST_METHOD"]
        REQUESTS.labels(method if method in METHODS else "other", UNNAMED, 503).inc()
        start_response(
            "503 Service Unavailable",
            [
                ("Content-Type", "application/json"),
                ("Content-Length", str(len(WORDS))),
                ("Cache-Control", "no-store"),
                ("Retry-After", RETRY_AFTER),
            ],
        )
        return [WORDS]
