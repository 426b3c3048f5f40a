"""A clearinghouse for rehearsals, in process: see `gateway`."""

from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.clearinghouse.sandbox.mailbox import (
    AnswerFile,
    Delivery,
    InMemoryMailbox,
    KeyReusedError,
    Mailbox,
)

__all__ = [
    "AnswerFile",
    "Delivery",
    "InMemoryMailbox",
    "KeyReusedError",
    "Mailbox",
    "SandboxClearinghouse",
]
