"""FastAPI on raw asyncpg: our own statements, pydantic for the body, plain dicts for the answer."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Annotated, Any
from uuid import UUID

import asyncpg
import django
from fastapi import Depends, FastAPI, Header, HTTPException, Query, Request
from fastapi.responses import Response

django.setup()

import orjson  # noqa: E402

from benchmarks.peers import common_ground as ground  # noqa: E402
from benchmarks.peers.shapes import Submission  # noqa: E402
from claims.intake import RECEIVE  # noqa: E402
from sessions_app.api import shapes, statements  # noqa: E402

RECEIVE_SQL, RECEIVE_NAMES = ground.positional(RECEIVE)
LIST_SQL, LIST_NAMES = ground.positional(
    statements.page(frozenset(), name_words=0, keyed_words=0, continued=False)
)
ASSUME = ground.ASSUME.format("$1")
positional = lru_cache(ground.positional)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async def prepare(connection: asyncpg.Connection) -> None:
        await connection.set_type_codec("json", schema="pg_catalog", encoder=str, decoder=orjson.loads)

    async with asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=8, max_size=8, init=prepare) as pool:
        app.state.pool = pool
        app.state.billable = {row[0] for row in await pool.fetch(ground.BILLABLE)}
        yield


app = FastAPI(lifespan=lifespan)


async def caller_of(request: Request, authorization: Annotated[str, Header()] = "") -> ground.Caller:
    token = authorization.removeprefix("Bearer ")
    caller = ground.remembered(token)
    if caller is None:
        row = await request.app.state.pool.fetchrow(ground.KEY_ROW.format("$1"), token[:20])
        caller = ground.admit(token, tuple(row) if row else None)
    if caller is None:
        raise HTTPException(401)
    return caller


CallerOf = Annotated[ground.Caller, Depends(caller_of)]


@asynccontextmanager
async def as_caller(request: Request, caller: ground.Caller) -> AsyncIterator[asyncpg.Connection]:
    """A connection in a transaction of the caller's."""
    async with request.app.state.pool.acquire() as connection, connection.transaction():
        await connection.fetchrow(ASSUME, str(caller.partner_id))
        yield connection


def answer(body: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(body), status_code=status, media_type="application/json")


@app.post("/api/v1/partner/sessions")
async def submit(body: Submission, caller: CallerOf, request: Request) -> Response:
    if any(
        ground.normalized(each.code) not in request.app.state.billable for each in body.session.diagnosisCodes
    ):
        raise HTTPException(400)
    values = {**ground.values_of(body, caller), **ground.json_codes(body)}
    async with as_caller(request, caller) as connection:
        row = await connection.fetchrow(RECEIVE_SQL, *(values[name] for name in RECEIVE_NAMES))
    if row is None:
        raise HTTPException(409)
    return answer(ground.result_of(values["session"], values["external"]), 201)


@app.get("/api/v1/partner/sessions")
async def list_sessions(
    caller: CallerOf, request: Request, limit: Annotated[int, Query(ge=1, le=100)] = 25
) -> Response:
    values = {**caller.reading, "limit": limit + 1}
    async with as_caller(request, caller) as connection:
        rows = await connection.fetch(LIST_SQL, *(values[name] for name in LIST_NAMES))
    return answer({"items": [shapes.list_item(tuple(row)) for row in rows[:limit]], "nextPageToken": None})


@app.get("/api/v1/partner/sessions/{session_id}")
async def read(session_id: UUID, caller: CallerOf, request: Request) -> Response:
    values = {**caller.reading, "session": session_id}
    async with as_caller(request, caller) as connection:
        detail, names = positional(statements.detail(session_id))
        row = await connection.fetchrow(detail, *(values[name] for name in names))
    if row is None:
        raise HTTPException(404)
    return answer(shapes.detail(tuple(row)))
