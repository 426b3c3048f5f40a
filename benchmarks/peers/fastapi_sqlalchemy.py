"""FastAPI with SQLAlchemy 2 (async, on asyncpg): mapped classes, eager loading, response models."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import Annotated, Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import django
from fastapi import Depends, FastAPI, Header, HTTPException, Query, Request
from sqlalchemy import ForeignKey, LargeBinary, Uuid, desc, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY, INTERVAL
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, joinedload, mapped_column, relationship, selectinload

django.setup()

from benchmarks.peers import common_ground as ground  # noqa: E402
from benchmarks.peers.mapping import history_of, item_of  # noqa: E402
from benchmarks.peers.shapes import SessionDetail, SessionPage, Submission, SubmissionResult  # noqa: E402
from partners.keyring import decrypt  # noqa: E402

NOW = text("now()")
ASSUME = text(ground.ASSUME.format(":partner"))


class Base(DeclarativeBase):
    pass


class Partner(Base):
    __tablename__ = "partners_partner"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    mode: Mapped[str]
    active: Mapped[bool]
    submission_delay: Mapped[timedelta] = mapped_column(INTERVAL)


class ApiKey(Base):
    __tablename__ = "partners_apikey"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    partner_id: Mapped[UUID] = mapped_column(ForeignKey("partners_partner.id"))
    prefix: Mapped[str]
    pepper_id: Mapped[str]
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    partner: Mapped[Partner] = relationship()


class Provider(Base):
    __tablename__ = "providers_provider"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    partner_id: Mapped[UUID]
    mode: Mapped[str]
    npi: Mapped[str]
    first_name: Mapped[str]
    last_name: Mapped[str]
    specialty: Mapped[str]
    credentials: Mapped[str]


class Claim(Base):
    __tablename__ = "claims_claim"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    partner_id: Mapped[UUID]
    session_id: Mapped[UUID] = mapped_column(ForeignKey("sessions_app_session.id"))
    version: Mapped[int] = mapped_column(default=1)
    frequency: Mapped[str] = mapped_column(default="1")
    step: Mapped[str] = mapped_column(default="code")
    revision: Mapped[int] = mapped_column(default=1)
    attempts: Mapped[int] = mapped_column(default=0)
    status: Mapped[str] = mapped_column(default="queued")
    mode: Mapped[str] = mapped_column(default="")
    gateway: Mapped[str] = mapped_column(default="")
    patient_control_number: Mapped[str | None]
    payer_control_number: Mapped[str] = mapped_column(default="")
    next_step_at: Mapped[datetime | None] = mapped_column(server_default=NOW)
    window_ends_at: Mapped[datetime]
    built_at: Mapped[datetime | None]
    submitted_at: Mapped[datetime | None]
    last_updated_at: Mapped[datetime] = mapped_column(server_default=NOW)
    status_changed_at: Mapped[datetime] = mapped_column(server_default=NOW)
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Code(Base):
    __tablename__ = "sessions_app_sessioncode"
    id: Mapped[int] = mapped_column(primary_key=True)
    partner_id: Mapped[UUID]
    session_id: Mapped[UUID] = mapped_column(ForeignKey("sessions_app_session.id"))
    kind: Mapped[str]
    position: Mapped[int]
    code: Mapped[str]
    description: Mapped[str]
    modifier: Mapped[str]
    modifier_added: Mapped[bool] = mapped_column(default=False)
    units: Mapped[int] = mapped_column(default=1)
    source: Mapped[str] = mapped_column(default="sent")


class Note(Base):
    __tablename__ = "sessions_app_sessionnote"
    session_id: Mapped[UUID] = mapped_column(ForeignKey("sessions_app_session.id"), primary_key=True)
    partner_id: Mapped[UUID]
    text: Mapped[bytes] = mapped_column(LargeBinary)


class Event(Base):
    __tablename__ = "sessions_app_sessionevent"
    id: Mapped[int] = mapped_column(primary_key=True)
    partner_id: Mapped[UUID]
    session_id: Mapped[UUID] = mapped_column(ForeignKey("sessions_app_session.id"))
    type: Mapped[str]
    status: Mapped[str]
    summary: Mapped[str]
    timestamp: Mapped[datetime] = mapped_column(server_default=NOW)


class AccessRecord(Base):
    __tablename__ = "partners_accessrecord"
    id: Mapped[int] = mapped_column(primary_key=True)
    partner_id: Mapped[UUID]
    key_id: Mapped[UUID]
    what: Mapped[str]
    session_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))
    request_id: Mapped[str] = mapped_column(default="")


class Session(Base):
    __tablename__ = "sessions_app_session"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    partner_id: Mapped[UUID]
    provider_id: Mapped[UUID] = mapped_column(ForeignKey("providers_provider.id"))
    external_session_id: Mapped[str | None]
    status: Mapped[str] = mapped_column(default="processing")
    message: Mapped[str]
    patient_first_name: Mapped[str]
    patient_last_name: Mapped[str]
    patient_search_name: Mapped[str]
    patient_date_of_birth: Mapped[date]
    patient_gender: Mapped[str]
    patient_street: Mapped[str]
    patient_line2: Mapped[str]
    patient_city: Mapped[str]
    patient_state: Mapped[str]
    patient_zip: Mapped[str]
    member_id: Mapped[bytes] = mapped_column(LargeBinary)
    member_id_index: Mapped[bytes] = mapped_column(LargeBinary)
    payer_name: Mapped[str]
    payer_id: Mapped[str]
    group_number: Mapped[str]
    date_of_service: Mapped[date]
    place_of_service: Mapped[str]
    duration_minutes: Mapped[int | None]
    version: Mapped[int] = mapped_column(default=1)
    request_id: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
    updated_at: Mapped[datetime] = mapped_column(server_default=NOW)
    provider: Mapped[Provider] = relationship()
    codes: Mapped[list[Code]] = relationship()
    claims: Mapped[list[Claim]] = relationship(order_by=desc(Claim.version))
    events: Mapped[list[Event]] = relationship(order_by=Event.id)
    note: Mapped[Note | None] = relationship()


def engine_address() -> tuple[str, dict[str, Any]]:
    parts = urlsplit(os.environ["DATABASE_URL"])
    host = parse_qs(parts.query)["host"][0]
    return f"postgresql+asyncpg://{parts.username}@/{parts.path[1:]}", {"host": host}


ADDRESS, ARGUMENTS = engine_address()
engine = create_async_engine(ADDRESS, connect_args=ARGUMENTS, pool_size=8, max_overflow=0)
open_session = async_sessionmaker(engine, expire_on_commit=False)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with open_session() as database:
        app.state.billable = {row[0] for row in await database.execute(text(ground.BILLABLE))}
    yield
    await engine.dispose()


app = FastAPI(lifespan=lifespan)


async def a_session() -> AsyncIterator[AsyncSession]:
    async with open_session() as database:
        yield database


Database = Annotated[AsyncSession, Depends(a_session)]


async def caller_of(database: Database, authorization: Annotated[str, Header()] = "") -> ground.Caller:
    token = authorization.removeprefix("Bearer ")
    caller = ground.remembered(token)
    if caller is None:
        key = await database.scalar(
            select(ApiKey).options(joinedload(ApiKey.partner)).where(ApiKey.prefix == token[:20])
        )
        row = key and (
            key.digest,
            key.pepper_id,
            key.revoked_at,
            key.expires_at,
            key.partner.id,
            key.partner.mode,
            key.partner.submission_delay,
            key.id,
        )
        caller = ground.admit(token, row)
    if caller is None:
        raise HTTPException(401)
    return caller


async def act_as(database: AsyncSession, caller: ground.Caller) -> None:
    """Make the session's transaction the caller's."""
    await database.execute(ASSUME, {"partner": str(caller.partner_id)})


CallerOf = Annotated[ground.Caller, Depends(caller_of)]
COLUMNS = [
    column.name
    for column in Session.__table__.columns
    if column.name.startswith(("patient_", "member_", "payer_", "group"))
]


@app.post("/api/v1/partner/sessions", status_code=201)
async def submit(
    body: Submission, caller: CallerOf, database: Database, request: Request
) -> SubmissionResult:
    if any(
        ground.normalized(each.code) not in request.app.state.billable for each in body.session.diagnosisCodes
    ):
        raise HTTPException(400)
    await act_as(database, caller)
    provider = await database.scalar(
        select(Provider).where(
            Provider.mode == caller.mode,
            Provider.npi == body.providerNpi,
            Provider.partner_id == caller.partner_id,
        )
    )
    if provider is None:
        raise HTTPException(404)
    values = ground.values_of(body, caller)
    made = Session(
        id=values["session"],
        partner_id=caller.partner_id,
        provider_id=provider.id,
        external_session_id=values["external"],
        message=values["message"],
        patient_search_name=values["search_name"],
        date_of_service=values["date_of_service"],
        place_of_service=values["place_of_service"],
        duration_minutes=values["minutes"],
        **{name: values[name] for name in COLUMNS if name != "patient_search_name"},
    )
    made.codes = [Code(partner_id=caller.partner_id, **code) for code in ground.codes_of(body)]
    if values["note"] is not None:
        made.note = Note(partner_id=caller.partner_id, text=values["note"])
    made.claims = [
        Claim(id=values["claim"], partner_id=caller.partner_id, window_ends_at=func.now() + caller.delay)
    ]
    made.events = [
        Event(
            partner_id=caller.partner_id,
            type="session.received",
            status="processing",
            summary=values["summary"],
        )
    ]
    database.add(made)
    try:
        await database.commit()
    except IntegrityError as error:
        raise HTTPException(409) from error
    return SubmissionResult(**ground.result_of(made.id, made.external_session_id))


async def record(database: AsyncSession, caller: ground.Caller, what: str, ids: list[UUID]) -> None:
    database.add(AccessRecord(partner_id=caller.partner_id, key_id=caller.key_id, what=what, session_ids=ids))
    await database.commit()


def shown(session: Session) -> dict[str, Any]:
    return item_of(session, session.claims, member_id=decrypt(session.member_id).decode())


@app.get("/api/v1/partner/sessions")
async def list_sessions(
    caller: CallerOf, database: Database, limit: Annotated[int, Query(ge=1, le=100)] = 25
) -> SessionPage:
    await act_as(database, caller)
    rows = await database.scalars(
        select(Session)
        .options(joinedload(Session.provider), selectinload(Session.claims))
        .where(Session.partner_id == caller.partner_id)
        .order_by(Session.created_at.desc(), Session.id.desc())
        .limit(limit + 1)
    )
    page = rows.all()[:limit]
    await record(database, caller, "list", [row.id for row in page])
    return SessionPage(items=[shown(row) for row in page], nextPageToken=None)


@app.get("/api/v1/partner/sessions/{session_id}")
async def read(session_id: UUID, caller: CallerOf, database: Database) -> SessionDetail:
    await act_as(database, caller)
    session = await database.scalar(
        select(Session)
        .options(joinedload(Session.provider), selectinload(Session.claims), selectinload(Session.events))
        .where(Session.partner_id == caller.partner_id, Session.id == session_id)
    )
    if session is None:
        raise HTTPException(404)
    await record(database, caller, "detail", [session.id])
    return SessionDetail(**shown(session), **history_of(session, session.events))
