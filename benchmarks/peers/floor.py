"""The floor: psycopg alone in the thinnest WSGI application, with our own statements."""

import os
import threading
from typing import Any

import django
import orjson
import psycopg

django.setup()

from benchmarks.peers import common_ground as ground  # noqa: E402
from benchmarks.peers.shapes import Submission  # noqa: E402
from claims.intake import RECEIVE  # noqa: E402
from sessions_app.api import shapes, statements  # noqa: E402

LIST = statements.page(frozenset(), name_words=0, continued=False)
STATUS = {200: "200 OK", 201: "201 Created", 401: "401 Unauthorized", 404: "404 Not Found"}
_of_thread = threading.local()


def connection() -> psycopg.Connection:
    if not hasattr(_of_thread, "connection"):
        _of_thread.connection = psycopg.connect(
            os.environ["DATABASE_URL"], autocommit=True, prepare_threshold=2
        )
    return _of_thread.connection


def rows(statement: str, parameters: Any) -> list[Any]:
    return connection().execute(statement, parameters).fetchall()


def answer(caller: ground.Caller, environ: dict[str, Any]) -> tuple[int, Any]:
    path = environ["PATH_INFO"]
    if environ["REQUEST_METHOD"] == "POST":
        sent = orjson.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        values = ground.values_of(_unchecked(sent), caller)
        rows(RECEIVE, values)
        return 201, ground.result_of(values["session"], values["external"])
    if path.endswith("/sessions"):
        found = rows(LIST, {**caller.reading, "limit": 26})
        return 200, {"items": [shapes.list_item(row) for row in found[:25]], "nextPageToken": None}
    found = rows(statements.DETAIL, {**caller.reading, "session": path.rpartition("/")[2]})
    return (200, shapes.detail(found[0])) if found else (404, {"error": "unknown"})


def _unchecked(sent: dict[str, Any]) -> Any:
    return Submission.model_construct(**{name: _thing(value) for name, value in sent.items()})


class _Thing:
    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        return () if name.endswith("Codes") else None


def _thing(value: Any) -> Any:
    if isinstance(value, dict):
        return _Thing({name: _thing(each) for name, each in value.items()})
    return [_thing(each) for each in value] if isinstance(value, list) else value


def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    token = environ.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer ")
    caller = ground.remembered(token)
    if caller is None:
        found = rows(ground.KEY_ROW.format("%s"), [token[:20]])
        caller = ground.admit(token, found[0] if found else None)
    status, body = answer(caller, environ) if caller else (401, {"error": "no"})
    content = orjson.dumps(body)
    start_response(
        STATUS[status], [("Content-Type", "application/json"), ("Content-Length", str(len(content)))]
    )
    return [content]
