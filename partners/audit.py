"""The access record: who saw which sessions, sealed into a chain that shows any later change."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from partners.models import AccessRecord
from partners.request_ids import current_request_id

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from partners.auth import Caller

What = AccessRecord.What


def record_view(
    session_ids: Iterable[UUID],
    *,
    user: "User",
    what: What,
    partner_id: UUID | None = None,
    detail: str = "",
) -> None:
    """Write that this person now sees these sessions, or this thing of them; before it is shown.

    `detail` names a file or a list, never a patient. Partners' own reads are recorded by the statement
    that reads (`recorded`).
    """
    AccessRecord.objects.create(
        user=user,
        partner_id=partner_id,
        what=what,
        session_ids=list(dict.fromkeys(session_ids)),
        detail=detail[:120],
        request_id=current_request_id.get(),
    )


def recorded(what: What, *, shown: str) -> str:
    """The part of a statement that records what it shows: no row leaves without its record.

    `shown` names something with a column `id` of sessions; `reader` gives the parameters.
    """
    return f"""
    INSERT INTO partners_accessrecord (partner_id, key_id, what, session_ids, request_id)
    SELECT %(partner)s, %(reading_key)s, '{what.value}', array_agg(shown.id), %(reading_request)s
    FROM {shown} AS shown HAVING count(*) > 0
"""  # noqa: S608 (names and a choice)


def reader(caller: "Caller") -> dict[str, Any]:
    """The parameters of `recorded`: who reads."""
    return {
        "partner": caller.partner_id,
        "reading_key": caller.key_id,
        "reading_request": current_request_id.get(),
    }
