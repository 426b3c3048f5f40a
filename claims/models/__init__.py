"""The rows of the claims process, one module a subject."""

from claims.models.claim import Claim, ClaimLine, Finding, Override, Transmission, TransmittedClaim
from claims.models.files import InboundFile, PollCursor, SandboxAnswer, SandboxSubmission
from claims.models.remittance import LedgerEntry, Remittance
from claims.models.signal import ClaimSignal
from claims.models.work import WorkItem

__all__ = [
    "Claim",
    "ClaimLine",
    "ClaimSignal",
    "Finding",
    "InboundFile",
    "LedgerEntry",
    "Override",
    "PollCursor",
    "Remittance",
    "SandboxAnswer",
    "SandboxSubmission",
    "Transmission",
    "TransmittedClaim",
    "WorkItem",
]
