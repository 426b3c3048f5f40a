"""Which request this thread, or this task, works for: for the logs, and for the rows that say so."""

import re
from contextvars import ContextVar
from secrets import token_hex

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")


def request_id_from(sent: object) -> str:
    """The caller's id, if well-formed, or a new one."""
    return sent if isinstance(sent, str) and _WELL_FORMED.fullmatch(sent) else token_hex(16)
