"""What a run of pipeline steps found out, gathered in memory until one transaction lands it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from billing.rules.facts import Note, OtherClaim
from claims.fold.entries import TimelineEntry
from claims.models import Claim, ClaimLine, Finding, Override, WorkItem
from claims.signals import ClaimStatus, SessionStatus
from sessions_app.lookups import SessionRecord
from sessions_app.models import SessionCode, SessionNote

MOST_OF_REASON = 40
"""Characters that a work item keeps; what a clearinghouse calls an edit may be longer."""


@dataclass(frozen=True, slots=True)
class Work:
    """A claim whose turn it is, with the rows that its steps read; nothing here is written back by itself."""

    claim: Claim
    record: SessionRecord
    note: SessionNote | None
    overrides: Sequence[Override]

    @property
    def session_status(self) -> SessionStatus:
        """`processing`, but for a later version of the claim: what its payer said of an earlier one."""
        return SessionStatus(self.record.session.status)


@dataclass(frozen=True, slots=True)
class Item:
    """A work item to open: which queue, why, in words."""

    queue: WorkItem.Queue
    reason: str
    summary: str
    signal_id: int | None = None
    """The answer that it is about, where it is about one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", self.reason[:MOST_OF_REASON])


@dataclass(frozen=True, slots=True)
class Built:
    """A claim ready to be handed over."""

    patient_control_number: str
    frequency: str
    replaces: UUID | None
    """The earlier version that it answers or replaces; None leaves what the row says."""
    snapshot: str = field(repr=False)
    lines: Sequence[ClaimLine]
    total_charge: Decimal
    mode: str
    gateway: str
    remittances_expected: bool


@dataclass(slots=True)
class Landing:
    """What will be written, in one transaction, if the claim is still as it was read."""

    step: Claim.Step = Claim.Step.HELD
    status: ClaimStatus = ClaimStatus.QUEUED
    next_step_at: datetime | None = None
    message: str = ""
    file_by: date | None = None
    """The last day to file, where the rules were asked (`findings`); None where no limit is known."""
    charge: Decimal | None = None
    """What its lines come to, in dollars, also where it is held."""
    taken_codes: list[SessionCode] | None = None
    """Codes derived or taken from the note, in place of those that were; None leaves them."""
    settled: list[SessionCode] = field(default_factory=list)
    """Sent codes whose automatic modifier comes or goes, or whose units follow from the minutes."""
    coding: str | None = field(default=None, repr=False)
    note: Note | None = None
    """What reading the note gave, for the claim rules."""
    findings: list[Finding] | None = None
    """None where the rules were not asked."""
    entries: list[TimelineEntry] = field(default_factory=list)
    answers: Claim | None = None
    """The earlier version that this one answers or replaces."""
    built: Built | None = None
    beside: Sequence[OtherClaim] = ()
    """Other sessions of its patient, therapist and day, as they stood when it was checked."""
    item: Item | None = None
