"""How far a made session has come, by its age: most are paid, some wait, some were refused."""

import random
from dataclasses import dataclass

from claims.fold.readings import SESSION_STATUS
from claims.models import Claim, WorkItem
from claims.signals import ClaimStatus, EventType, SessionStatus

IN_HOUSE = (EventType.SESSION_RECEIVED, EventType.CODES_DERIVED, EventType.SESSION_VALIDATED)
SENT = (*IN_HOUSE, EventType.CLAIM_CREATED, EventType.CLAIM_SUBMITTED)


@dataclass(frozen=True, slots=True)
class Life:
    """A state that sessions rest in, and what led there; `answers` is how many came back."""

    status: ClaimStatus
    step: Claim.Step
    events: tuple[EventType, ...]
    answers: int = 0
    queue: WorkItem.Queue | None = None
    paid_share: int = 0
    """Of the charge, in hundredths."""

    @property
    def session_status(self) -> SessionStatus:
        """What the partner sees."""
        return SESSION_STATUS[self.status]

    @property
    def sent(self) -> bool:
        """Whether a clearinghouse has it."""
        return self.step is Claim.Step.FOLLOW


def _followed(
    status: ClaimStatus,
    *events: EventType,
    answers: int,
    queue: WorkItem.Queue | None = None,
    paid_share: int = 0,
) -> Life:
    return Life(status, Claim.Step.FOLLOW, (*SENT, *events), answers, queue, paid_share)


ACCEPTED = (EventType.CLAIM_ACKNOWLEDGED, EventType.CLAIM_ACCEPTED)
WINDOW = Life(ClaimStatus.QUEUED, Claim.Step.WINDOW, IN_HOUSE)
HELD = Life(
    ClaimStatus.HELD,
    Claim.Step.HELD,
    (*IN_HOUSE[:2], EventType.SESSION_HELD),
    queue=WorkItem.Queue.HELD,
)
UNANSWERED = _followed(ClaimStatus.SENT, answers=0)
AT_CLEARINGHOUSE = _followed(ClaimStatus.CLEARINGHOUSE_ACCEPTED, EventType.CLAIM_ACKNOWLEDGED, answers=1)
AT_PAYER = _followed(ClaimStatus.PAYER_ACCEPTED, *ACCEPTED, answers=2)
REFUSED_THERE = _followed(
    ClaimStatus.CLEARINGHOUSE_REJECTED,
    EventType.CLAIM_REJECTED,
    answers=1,
    queue=WorkItem.Queue.REJECTED,
)
REFUSED = _followed(
    ClaimStatus.PAYER_REJECTED,
    EventType.CLAIM_ACKNOWLEDGED,
    EventType.CLAIM_REJECTED,
    answers=2,
    queue=WorkItem.Queue.REJECTED,
)
DENIED = _followed(
    ClaimStatus.DENIED, *ACCEPTED, EventType.CLAIM_DENIED, answers=3, queue=WorkItem.Queue.DENIED
)
PAID = _followed(ClaimStatus.PAID, *ACCEPTED, EventType.CLAIM_PAID, answers=3, paid_share=80)
PATIENT_OWES = _followed(ClaimStatus.PATIENT_RESPONSIBILITY, *ACCEPTED, EventType.CLAIM_PAID, answers=3)
LIVES = (
    WINDOW,
    HELD,
    UNANSWERED,
    AT_CLEARINGHOUSE,
    AT_PAYER,
    REFUSED_THERE,
    REFUSED,
    DENIED,
    PAID,
    PATIENT_OWES,
)
# Younger than so many days: how many of a thousand are where.
BY_AGE: tuple[tuple[float, dict[Life, int]], ...] = (
    (0.02, {WINDOW: 900, HELD: 100}),
    (1, {UNANSWERED: 500, AT_CLEARINGHOUSE: 400, HELD: 70, REFUSED_THERE: 30}),
    (14, {AT_PAYER: 880, AT_CLEARINGHOUSE: 20, REFUSED: 40, HELD: 30, DENIED: 10, PAID: 20}),
    (45, {PAID: 600, AT_PAYER: 300, DENIED: 50, PATIENT_OWES: 40, REFUSED: 10}),
    (float("inf"), {PAID: 895, DENIED: 50, PATIENT_OWES: 50, REFUSED: 5}),
)


def life_at(days: float, chance: random.Random) -> Life:
    """Where a session of that age is."""
    shares = next(shares for limit, shares in BY_AGE if days < limit)
    return chance.choices(list(shares), weights=list(shares.values()))[0]
