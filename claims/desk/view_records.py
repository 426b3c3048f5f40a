"""Writes down who saw which session, before it is shown."""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import connection

from claims.models import ViewRecord
from partners.models import AccessRecord
from sessions_app.models import Session

if TYPE_CHECKING:
    from django.contrib.auth.models import User

What = ViewRecord.What
RECORD = """
INSERT INTO claims_viewrecord (user_id, session_id, what, detail)
SELECT %(user)s, id, %(what)s, %(detail)s FROM sessions_app_session WHERE id = %(session)s
"""


def record_view(user: "User", *, what: What, session_id: UUID | None, detail: str = "") -> None:
    """Write that this person now sees a session, its note, its claim, or a raw file.

    Session.DoesNotExist when there is no such session.
    """
    if session_id is None:
        ViewRecord.objects.create(user=user, what=what, detail=detail[:120])
        return
    with connection.cursor() as cursor:
        cursor.execute(RECORD, {"user": user.pk, "session": session_id, "what": what, "detail": detail[:120]})
        if not cursor.rowcount:
            raise Session.DoesNotExist


UNLESS_OPEN = f"""
{RECORD} AND NOT EXISTS (
    SELECT FROM claims_viewrecord WHERE session_id = %(session)s AND user_id = %(user)s AND what = %(what)s
    AND seen_at > now() - interval '1 hour'
)
"""


def record_unless_open(user: "User", *, session_id: UUID) -> None:
    """Write that this person now sees part of a session's page, unless they opened it within the hour."""
    with connection.cursor() as cursor:
        cursor.execute(UNLESS_OPEN, {"user": user.pk, "session": session_id, "what": What.PAGE, "detail": ""})


def record_list(user: "User", *, session_ids: Iterable[UUID | None], detail: str) -> None:
    """Write that this person now sees a list with these sessions' patients; one record for all of them."""
    shown = [each for each in dict.fromkeys(session_ids) if each is not None]
    if shown:
        AccessRecord.objects.create(
            user=user, what=AccessRecord.What.LIST, session_ids=shown, detail=detail[:120]
        )


def record_export(user: "User", *, session_ids: Iterable[UUID], detail: str) -> None:
    """Write that this person exports these sessions' rows, each once."""
    ViewRecord.objects.bulk_create(
        [
            ViewRecord(user=user, session_id=session_id, what=What.EXPORT, detail=detail[:120])
            for session_id in dict.fromkeys(session_ids)
        ],
        batch_size=1000,
    )


RECORD_FILE = """
INSERT INTO claims_viewrecord (user_id, session_id, what, detail)
SELECT DISTINCT %(user)s::int, claim.session_id, 'raw_file', %(detail)s
FROM claims_claimsignal AS signal LEFT JOIN claims_claim AS claim ON claim.id = signal.claim_id
WHERE signal.inbound_file_id = %(file)s
"""


def record_file(user: "User", *, file_id: int) -> None:
    """Write that this person now reads a raw file, once for each session that it speaks of."""
    values: dict[str, str | int] = {"user": user.pk, "detail": f"inbound file {file_id}", "file": file_id}
    with connection.cursor() as cursor:
        cursor.execute(RECORD_FILE, values)
        written = cursor.rowcount
    if not written:
        record_view(user, what=What.RAW_FILE, session_id=None, detail=f"inbound file {file_id}")
