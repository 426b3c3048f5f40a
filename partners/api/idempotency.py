"""`Idempotency-Key`: the first 2xx to a POST is its answer for 24 hours, however often it is sent."""

import hashlib
import re
from collections.abc import Callable
from datetime import timedelta

from django.db import OperationalError, connection
from django.http import HttpResponse
from django.utils import timezone
from psycopg.errors import LockNotAvailable

from partners.api.errors import Refusal
from partners.auth import Caller
from partners.isolation import as_partner
from partners.models import IdempotencyRecord

KEPT = timedelta(hours=24)
PATIENCE_SECONDS = 10
OTHER_BODY = "This Idempotency-Key was used with another body."
KEY_FORM = re.compile(r"[!-~]{1,255}")


def answer_once(
    key: str, *, caller: Caller, path: str, body: bytes, act: Callable[[], HttpResponse]
) -> HttpResponse:
    """The kept answer, or what `act` answers, in one transaction with whatever it writes.

    422 where the key came with another body; 503 where the first is still running after 10 seconds.
    """
    digest = hashlib.sha256(body).digest()
    with as_partner(caller.partner_id):
        _wait_for_turn(f"{caller.partner_id} POST {path} {key}")
        kept = IdempotencyRecord.objects.filter(
            partner_id=caller.partner_id,
            method="POST",
            path=path,
            key=key,
            created_at__gt=timezone.now() - KEPT,
        ).first()
        if kept is not None:
            if bytes(kept.body_digest) != digest:
                raise Refusal(422, OTHER_BODY)
            return HttpResponse(bytes(kept.answer), status=kept.status_code, content_type="application/json")
        answered = act()
        _keep(
            IdempotencyRecord(
                partner_id=caller.partner_id,
                method="POST",
                path=path,
                key=key,
                body_digest=digest,
                status_code=answered.status_code,
                answer=answered.content,
                created_at=timezone.now(),
            )
        )
        return answered


def _wait_for_turn(name: str) -> None:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{PATIENCE_SECONDS}s"])
        try:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
        except OperationalError as error:
            if isinstance(error.__cause__, LockNotAvailable):
                message = "The first request with this Idempotency-Key is still running; try again."
                raise Refusal(503, message, headers={"Retry-After": "5"}) from None
            raise


def _keep(record: IdempotencyRecord) -> None:
    IdempotencyRecord.objects.bulk_create(
        [record],
        update_conflicts=True,
        unique_fields=["partner", "method", "path", "key"],
        update_fields=["body_digest", "status_code", "answer", "created_at"],
    )
