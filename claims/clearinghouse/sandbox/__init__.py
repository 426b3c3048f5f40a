"""A clearinghouse for rehearsals, in process: see `gateway`."""

from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.clearinghouse.sandbox.mailbox import (
    AnswerFile,
    Delivery,
    KeyReusedError,
    Mailbox,
)

__all__ = [
    "AnswerFile",
    "Delivery",
    "KeyReusedError",
    "Mailbox",
    "SandboxClearinghouse",
]
