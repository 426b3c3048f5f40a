"""The door of a web process: while every place is taken for long, whoever comes is told to come later.

A request that waits for a database that hangs keeps its thread. One thread more than there are places is left
to answer the others, and `/healthz`; a process with a single thread has none to spare.

The server hands a request over at its headers. Its body is read further in, by whoever knows whose it is
(`partners.visits`); to everybody else it is empty.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import orjson

from config.request_log import METHODS, REQUESTS, UNNAMED
from partners.api.errors import BUSY
from partners.request_ids import request_id_from
from partners.visits import House, Visit

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

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
    """Lets so many requests in at once; 503 with `Retry-After` to those that no place became free for."""

    def __init__(self, application: "WSGIApplication", *, places: int) -> None:
        self._application = application
        self._house = House.of(places)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if environ["PATH_INFO"] == ALWAYS:
            return self._application(environ, start_response)
        visit = Visit(self._house, environ)

        def begin(status: str, headers: list[tuple[str, str]], *failed: Any) -> Any:
            if visit.leaves_body:  # the server hangs up then; who isn't told sends the next request into it
                headers.append(("Connection", "close"))
            return start_response(status, headers, *failed)

        if not visit.enter():
            return self._turn_away(environ, begin)
        with ExitStack() as place:
            place.callback(visit.leave)
            response: Any = self._application(environ, begin)
            if getattr(response, "streaming", True):
                return _Stream(response, place.pop_all())
            content: bytes = response.content
            response.close()
            return [content]  # the server sends a list at once, all else piece by piece

    @staticmethod
    def _turn_away(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        method, status = environ["REQUEST_METHOD"], HTTPStatus.SERVICE_UNAVAILABLE
        REQUESTS.labels(method if method in METHODS else "other", UNNAMED, status.value).inc()
        start_response(
            f"{status.value} {status.phrase}",
            [
                ("Content-Type", "application/json"),
                ("Content-Length", str(len(WORDS))),
                ("Cache-Control", "no-store"),
                ("Retry-After", RETRY_AFTER),
                ("X-Request-Id", request_id_from(environ.get("HTTP_X_REQUEST_ID"))),
            ],
        )
        return [WORDS]
