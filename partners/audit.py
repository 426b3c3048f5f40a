"""The access record: who saw which sessions, sealed into a chain that shows any later change."""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from partners.models import AccessRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User

What = AccessRecord.What


def record_view(
    session_ids: Iterable[UUID],
    *,
    user: "User",
    what: What,
    partner_id: UUID | None = None,
    detail: str = "",
    request_id: str = "",
) -> None:
    """Write that this person now sees these sessions, or this thing of them; before it is shown.

    `detail` names a file or a list, never a patient. Partners' own reads are recorded by the statement
    that reads (`recording`).
    """
    AccessRecord.objects.create(
        user=user,
        partner_id=partner_id,
        what=what,
        session_ids=list(dict.fromkeys(session_ids)),
        detail=detail[:120],
        request_id=request_id,
    )
