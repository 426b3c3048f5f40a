"""The access record: who saw which sessions, sealed into a chain that shows any later change.

Partners' reads are recorded by the statement that reads, staff's by a trigger on the rows that say what their
pages show, and what a command prints by the command.
"""

import getpass
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from partners.models import AccessRecord
from partners.request_ids import current_request_id

if TYPE_CHECKING:
    from partners.auth import Caller

What = AccessRecord.What


def record_command(session_ids: Iterable[UUID], *, command: str) -> None:
    """Write that somebody at a terminal of the service now sees these sessions."""
    AccessRecord.objects.create(
        what=What.EXPORT,
        session_ids=list(dict.fromkeys(session_ids)),
        detail=f"{command} by {getpass.getuser()}"[:120],
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
