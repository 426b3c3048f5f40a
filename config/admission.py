"""The door of a web process: while every place is taken for long, whoever comes is told to come later.

A request that waits for a database that hangs keeps its thread. One thread more than there are places is left
to answer the others, and `/healthz`; a process with a single thread has none to spare.

The server hands a request over at its headers, and reading the body has no deadline there: half of the places
at most wait for bodies, so that silent senders keep nobody from reading. Behind a proxy that hands over whole
requests they keep nobody from anything.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from http import HTTPStatus
from io import BytesIO
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

import orjson
from django.conf import settings

from config.request_log import METHODS, REQUESTS, UNNAMED
from partners.api.errors import BUSY
from partners.request_ids import request_id_from

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)
PATIENCE_SECONDS = 1.0
RETRY_AFTER = "2"
ALWAYS = "/healthz"
WORDS = {
    HTTPStatus.SERVICE_UNAVAILABLE: orjson.dumps({"error": BUSY}),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: orjson.dumps({"error": "That is too large. Nothing was done."}),
}
INTERFACE = "/api/"
LONGEST_LENGTH = 9
MOST_UPLOADED = 4
"""How many times MAX_BODY_BYTES are read of what comes elsewhere: up to there a form says what it takes."""


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


class _Places:
    """So many at once: who finds none waits; once one has in vain, the others don't until there is one."""

    def __init__(self, number: int, *, told: str) -> None:
        self._free = BoundedSemaphore(number)
        self._full = False
        self._told = told
        self.leave = self._free.release

    def enter(self) -> bool:
        if self._free.acquire(timeout=0 if self._full else PATIENCE_SECONDS):
            self._full = False
            return True
        if not self._full:
            self._full = True
            logger.warning(self._told)
        return False


class Admission:
    """Lets so many requests in at once; 503 with `Retry-After` to those that no place became free for.

    413 to what no form takes: left empty, a form would look like a forged one.
    """

    def __init__(self, application: "WSGIApplication", *, places: int) -> None:
        self._application = application
        self._places = _Places(places, told="every place is taken; requests are turned away")
        self._readers = _Places(
            max(places // 2, 1), told="bodies are slow to come; requests with one are turned away"
        )

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if environ["PATH_INFO"] == ALWAYS:
            return self._application(environ, start_response)
        if not self._places.enter():
            return self._turn_away(environ, start_response)
        with ExitStack() as place:
            place.callback(self._places.leave)
            if refused := self._refused(environ):
                return self._turn_away(environ, start_response, status=refused)
            response: Any = self._application(environ, start_response)
            if getattr(response, "streaming", True):
                return _Stream(response, place.pop_all())
            content: bytes = response.content
            response.close()
            return [content]  # the server sends a list at once, all else piece by piece

    def _refused(self, environ: "WSGIEnvironment") -> HTTPStatus | None:
        """Read the body, or tell why not; the interface says itself that one is too large, and gets none."""
        stated = environ.get("CONTENT_LENGTH", "")
        if not stated.isdecimal() or stated == "0":
            return None
        by_partner = environ["PATH_INFO"].startswith(INTERFACE)
        most = settings.MAX_BODY_BYTES * (1 if by_partner else MOST_UPLOADED)
        if len(stated) > LONGEST_LENGTH or int(stated) > most:
            environ["wsgi.input"] = BytesIO()
            return None if by_partner else HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        if not self._readers.enter():
            return HTTPStatus.SERVICE_UNAVAILABLE
        try:
            environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(int(stated)))
        finally:
            self._readers.leave()
        return None

    @staticmethod
    def _turn_away(
        environ: "WSGIEnvironment",
        start_response: "StartResponse",
        *,
        status: HTTPStatus = HTTPStatus.SERVICE_UNAVAILABLE,
    ) -> Iterable[bytes]:
        method, words = environ["REQUEST_METHOD"], WORDS[status]
        REQUESTS.labels(method if method in METHODS else "other", UNNAMED, status.value).inc()
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(words))),
            ("Cache-Control", "no-store"),
            ("X-Request-Id", request_id_from(environ.get("HTTP_X_REQUEST_ID"))),
        ]
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            headers.append(("Retry-After", RETRY_AFTER))
        start_response(f"{status.value} {status.phrase}", headers)
        return [words]
