"""The rows of the claims process, one module a subject."""

from claims.models.changes import ClaimChange, SetUpChange
from claims.models.claim import Claim, ClaimLine, Finding, Override, Transmission, TransmittedClaim
from claims.models.figures import DailyFigure, RuleFigure
from claims.models.files import InboundFile, PollCursor, RawFile, SandboxAnswer, SandboxSubmission
from claims.models.remittance import LedgerEntry, Remittance, TypedRemittance
from claims.models.retention import LegalHold
from claims.models.review import AnswerMatch, CorrectionDraft, NoteReview
from claims.models.signal import ClaimSignal
from claims.models.staff import Authenticator, Unconfirmed
from claims.models.views import ViewRecord
from claims.models.work import WorkItem

__all__ = [
    "AnswerMatch",
    "Authenticator",
    "Claim",
    "ClaimChange",
    "ClaimLine",
    "ClaimSignal",
    "CorrectionDraft",
    "DailyFigure",
    "Finding",
    "InboundFile",
    "LedgerEntry",
    "LegalHold",
    "NoteReview",
    "Override",
    "PollCursor",
    "RawFile",
    "Remittance",
    "RuleFigure",
    "SandboxAnswer",
    "SandboxSubmission",
    "SetUpChange",
    "Transmission",
    "TransmittedClaim",
    "TypedRemittance",
    "Unconfirmed",
    "ViewRecord",
    "WorkItem",
]
