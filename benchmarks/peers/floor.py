"""The floor: psycopg alone in the thinnest WSGI application, with our own statements.

`application` sees every row; `isolated` makes each transaction the caller's, in the message of the statement.
"""

import os
import threading
from typing import Any
from uuid import UUID

import django
import orjson
import psycopg
from psycopg.adapt import Transformer

django.setup()

from benchmarks.peers import common_ground as ground  # noqa: E402
from benchmarks.peers.shapes import Submission  # noqa: E402
from claims.intake import RECEIVE  # noqa: E402
from partners.one_message import Step, run  # noqa: E402
from partners.statements import message_of  # noqa: E402
from sessions_app.api import shapes, statements  # noqa: E402

LIST = statements.page(frozenset(), name_words=0, keyed_words=0, continued=False)
ASSUME = ground.ASSUME.format("$1").encode()
STATUS = {200: "200 OK", 201: "201 Created", 401: "401 Unauthorized", 404: "404 Not Found"}
_of_thread = threading.local()


def connection() -> psycopg.Connection:
    if not hasattr(_of_thread, "connection"):
        _of_thread.connection = psycopg.connect(
            os.environ["DATABASE_URL"], autocommit=True, prepare_threshold=2
        )
    return _of_thread.connection


def rows(statement: str, parameters: Any, caller: ground.Caller | None = None) -> list[Any]:
    return connection().execute(statement, parameters).fetchall()


def own_rows(statement: str, parameters: Any, caller: ground.Caller) -> list[Any]:
    assume = Step(ASSUME, [str(caller.partner_id).encode()])
    result = run(connection(), [assume, *message_of(statement).steps(parameters)])[1]
    read = Transformer(connection())
    read.set_pgresult(result)
    return read.load_rows(0, result.ntuples, tuple)


def answer(caller: ground.Caller, environ: dict[str, Any], rows: Any) -> tuple[int, Any]:
    path = environ["PATH_INFO"]
    if environ["REQUEST_METHOD"] == "POST":
        sent = orjson.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        body = _unchecked(sent)
        values = {**ground.values_of(body, caller), **ground.json_codes(body)}
        rows(RECEIVE, values, caller)
        return 201, ground.result_of(values["session"], values["external"])
    if path.endswith("/sessions"):
        found = rows(LIST, {**caller.reading, "limit": 26}, caller)
        return 200, {"items": [shapes.list_item(row) for row in found[:25]], "nextPageToken": None}
    session_id = UUID(path.rpartition("/")[2])
    found = rows(statements.detail(session_id), {**caller.reading, "session": session_id}, caller)
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


def respond(environ: dict[str, Any], start_response: Any, ask: Any) -> list[bytes]:
    token = environ.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer ")
    caller = ground.remembered(token)
    if caller is None:
        found = rows(ground.KEY_ROW.format("%s"), [token[:20]])
        caller = ground.admit(token, found[0] if found else None)
    status, body = answer(caller, environ, ask) if caller else (401, {"error": "no"})
    content = orjson.dumps(body)
    start_response(
        STATUS[status], [("Content-Type", "application/json"), ("Content-Length", str(len(content)))]
    )
    return [content]


def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    return respond(environ, start_response, rows)


def isolated(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    return respond(environ, start_response, own_rows)
