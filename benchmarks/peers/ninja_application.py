"""django-ninja on the same models: the ORM with select_related and prefetch, pydantic in and out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import IntegrityError, connection, transaction
from django.db.models import Prefetch
from django.http import HttpRequest
from django.utils import timezone

settings.ROOT_URLCONF = __name__
settings.MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
]
django.setup()

from django.urls import path  # noqa: E402
from ninja import NinjaAPI, Query  # noqa: E402
from ninja.errors import HttpError  # noqa: E402
from ninja.security import HttpBearer  # noqa: E402

from benchmarks.peers import common_ground as ground  # noqa: E402
from benchmarks.peers.mapping import history_of, item_of  # noqa: E402
from benchmarks.peers.shapes import SessionDetail, SessionPage, Submission, SubmissionResult  # noqa: E402
from claims.models import Claim  # noqa: E402
from partners.models import AccessRecord, ApiKey  # noqa: E402
from providers.models import Provider  # noqa: E402
from sessions_app.models import Session, SessionCode, SessionEvent, SessionNote  # noqa: E402

_billable: set[str] = set()
NEWEST_FIRST = Prefetch("claims", queryset=Claim.objects.order_by("-version").defer("snapshot"))


class Bearer(HttpBearer):
    """The caller behind a key."""

    def authenticate(self, request: HttpRequest, token: str) -> ground.Caller | None:
        if (caller := ground.remembered(token)) is not None:
            return caller
        key = ApiKey.objects.select_related("partner").filter(prefix=token[:20], partner__active=True).first()
        row = key and (
            key.digest,
            key.pepper_id,
            key.revoked_at,
            key.expires_at,
            key.partner_id,
            key.partner.mode,
            key.partner.submission_delay,
            key.pk,
        )
        return ground.admit(token, row)


@contextmanager
def as_caller(request: HttpRequest) -> Iterator[ground.Caller]:
    """A transaction of the caller's."""
    caller: ground.Caller = request.auth  # type: ignore[attr-defined]
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(ground.ASSUME.format("%s"), [str(caller.partner_id)])
        yield caller


api = NinjaAPI(auth=Bearer())
COLUMNS = ("date_of_service", "place_of_service", "member_id_index", "payer_name", "payer_id", "group_number")


def billable() -> set[str]:
    if not _billable:
        with connection.cursor() as cursor:
            cursor.execute(ground.BILLABLE)
            _billable.update(row[0] for row in cursor.fetchall())
    return _billable


def store(body: Submission, caller: ground.Caller) -> dict[str, Any]:
    provider = Provider.objects.filter(
        mode=caller.mode, npi=body.providerNpi, partner_id=caller.partner_id
    ).first()
    if provider is None:
        raise HttpError(404, "Not onboarded.")
    values = ground.values_of(body, caller)
    owner = {"partner_id": caller.partner_id, "session_id": values["session"]}
    now = timezone.now()
    Session.objects.create(
        id=values["session"],
        partner_id=caller.partner_id,
        provider=provider,
        external_session_id=values["external"],
        message=values["message"],
        patient_search_name=values["search_name"],
        member_id=body.patient.insurance.memberId,
        duration_minutes=values["minutes"],
        created_at=now,
        updated_at=now,
        **{name: value for name, value in values.items() if name.startswith("patient_") or name in COLUMNS},
    )
    if body.session.noteText:
        SessionNote.objects.create(text=body.session.noteText, **owner)
    SessionCode.objects.bulk_create(SessionCode(**code, **owner) for code in ground.codes_of(body))
    Claim.objects.create(id=values["claim"], window_ends_at=now + caller.delay, **owner)
    SessionEvent.objects.create(
        type="session.received",
        status="processing",
        summary=values["summary"],
        timestamp=now,
        **owner,
    )
    return values


@api.post("/sessions", response={201: SubmissionResult})
def submit(request: HttpRequest, body: Submission) -> tuple[int, Any]:
    if any(ground.normalized(each.code) not in billable() for each in body.session.diagnosisCodes):
        raise HttpError(400, "A diagnosis code does not exist.")
    try:
        with as_caller(request) as caller:
            values = store(body, caller)
    except IntegrityError as error:
        raise HttpError(409, "Duplicate.") from error
    return 201, ground.result_of(values["session"], values["external"])


def record(caller: ground.Caller, what: str, ids: list[UUID]) -> None:
    AccessRecord.objects.create(
        partner_id=caller.partner_id, key_id=caller.key_id, what=what, session_ids=ids
    )


@api.get("/sessions", response=SessionPage)
def list_sessions(request: HttpRequest, limit: int = Query(25, ge=1, le=100)) -> dict[str, Any]:
    with as_caller(request) as caller:
        rows = list(
            Session.objects.filter(partner_id=caller.partner_id)
            .select_related("provider")
            .prefetch_related(NEWEST_FIRST)
            .order_by("-created_at", "-id")[: limit + 1]
        )
        record(caller, "list", [row.pk for row in rows[:limit]])
    shown = [item_of(row, row.claims.all(), member_id=row.member_id) for row in rows[:limit]]
    return {"items": shown, "nextPageToken": None}


@api.get("/sessions/{session_id}", response=SessionDetail)
def read(request: HttpRequest, session_id: UUID) -> dict[str, Any]:
    with as_caller(request) as caller:
        found = (
            Session.objects.filter(partner_id=caller.partner_id, pk=session_id)
            .select_related("provider")
            .prefetch_related(NEWEST_FIRST, Prefetch("events", queryset=SessionEvent.objects.order_by("id")))
            .first()
        )
        if found is None:
            raise HttpError(404, "Not found.")
        record(caller, "detail", [found.pk])
    return {
        **item_of(found, found.claims.all(), member_id=found.member_id),
        **history_of(found, found.events.all()),
    }


urlpatterns = [path("api/v1/partner/", api.urls)]
application = WSGIHandler()
