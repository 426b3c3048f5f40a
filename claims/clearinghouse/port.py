"""The port between the claims process and any clearinghouse.

A gateway carries claims out and brings files back, and nothing else: it stores nothing of ours and decides
nothing about a claim. Four verbs: `submit`, `find` (ask what became of a submission whose outcome is
unknown), `fetch`, and `acknowledge` (the caller has stored the file, the gateway may forget it).

What a gateway says about a submission:

    Receipt               taken; it is the clearinghouse's now
    Refusal               not taken, because of what the claim says; it is held for a person
    ClearinghouseError    NOT_TAKEN: certainly not there, send it again later
                          UNKNOWN:   it may be there, call `find` before sending again
                          PERMANENT: sending the same again cannot work (credentials, configuration, format)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from claims.x12.claim import ProfessionalClaim, Usage


def mode_of(usage: Usage) -> str:
    """The word that partners see as `submissionMode`: `test` or `production`."""
    return "test" if usage is Usage.TEST else "production"


@dataclass(frozen=True, slots=True)
class Submission:
    """One interchange on its way out: one claim version, or a batch of them.

    `key` is the idempotency key, the transmission's id. It stays the same on every attempt, and so do `x12`,
    `claims` and `file_name`. `attempt` counts from 1; `first_attempt_at` is the instant at which attempt 1
    began. Texts that carry PHI stay out of `repr`.
    """

    key: str
    usage: Usage
    x12: str = field(repr=False)
    claims: tuple[ProfessionalClaim, ...] = field(repr=False)
    file_name: str
    attempt: int
    first_attempt_at: datetime


class FileKind(StrEnum):
    """How the content of an inbound file is written."""

    X12 = "x12"
    STEDI_277_JSON = "stedi-277-json"
    STEDI_835_JSON = "stedi-835-json"


@dataclass(frozen=True, slots=True)
class InboundFile:
    """One file from the clearinghouse, byte for byte.

    `name` is what a person would call it; `reference` is what the gateway needs to acknowledge it.
    """

    name: str
    content: bytes = field(repr=False)
    kind: FileKind
    reference: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """The clearinghouse has the submission.

    `reference` is the clearinghouse's own id for it, `raw_answer` its answer word for word (it may carry
    PHI), and `inbound` the files that came with the answer; those need no `acknowledge`.
    """

    reference: str
    mode: str
    raw_answer: str = field(default="", repr=False)
    inbound: tuple[InboundFile, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class EditError:
    """One synchronous edit that the claim failed.

    `code` is the clearinghouse's, `text` its explanation (it may quote the claim, so it is shown to the
    partner and to staff but never logged), `location` the field or loop it names, empty where it names
    none.
    """

    code: str
    text: str = field(repr=False)
    location: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The clearinghouse refused the claim at the door; it never reached a payer and may be corrected."""

    errors: tuple[EditError, ...]
    reference: str = ""
    raw_answer: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class NotFound:
    """The submission is not there, for certain."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The clearinghouse could not say; ask again, after `retry_after` where it is given."""

    retry_after: timedelta | None = None


class Outcome(StrEnum):
    """What a failed call means for the submission."""

    NOT_TAKEN = "not_taken"
    UNKNOWN = "unknown"
    PERMANENT = "permanent"


class ClearinghouseError(Exception):
    """A call failed; `outcome` says what that means, `code` what happened in a word.

    Neither the message nor the arguments ever carry claim data or the other side's text.
    """

    def __init__(self, code: str, *, outcome: Outcome, retry_after: timedelta | None = None) -> None:
        super().__init__(f"{code} ({outcome})")
        self.code = code
        self.outcome = outcome
        self.retry_after = retry_after


class FileKept(ClearinghouseError):
    """A file that is stored could not be taken away; it stays, and keeps no other back."""

    def __init__(self, code: str) -> None:
        super().__init__(code, outcome=Outcome.PERMANENT)


def unsettled(error: ClearinghouseError) -> ClearinghouseError:
    """The same failure, where it leaves open whether the submission is there."""
    return ClearinghouseError(error.code, outcome=Outcome.UNKNOWN, retry_after=error.retry_after)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What one `fetch` brought.

    Store every file, acknowledge each, then keep `next_cursor` for the next call. `more` says that another
    call is worth making at once. `left` says which files are left where they are, and why, without their
    names: a sender may name a file after a patient.
    """

    files: tuple[InboundFile, ...]
    next_cursor: str
    more: bool = False
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Capabilities:
    """`can_find` is False where `find` can't tell a submission that was taken from one that never came."""

    max_claims_per_interchange: int
    can_find: bool


class Clearinghouse(Protocol):
    """A gateway: every method may raise `ClearinghouseError`, and the network makes it raise nothing else."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    def submit(self, submission: Submission) -> Receipt | Refusal: ...

    def find(self, submission: Submission) -> Receipt | NotFound | Unknown:
        """Ask what became of a submission; a failure to find out is always UNKNOWN.

        A gateway that sends idempotently may answer by sending: then the receipt is true either way.
        """
        ...

    def fetch(self, cursor: str) -> Fetched:
        """Return files since `cursor` (empty at first); what is not acknowledged may come again."""
        ...

    def acknowledge(self, file: InboundFile) -> None:
        """Let the gateway forget a file that the caller has stored; repeating it does no harm.

        FileKept where this file alone can't be.
        """
        ...
