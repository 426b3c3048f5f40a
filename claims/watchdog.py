"""Claims that nobody answers: a task for staff once an answer is overdue. It closes itself when one comes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from claims import work_queue
from claims.landing import Item
from claims.models import Claim, ClaimSignal, WorkItem
from claims.signals import ClaimStatus, SignalKind, Source

MOST_AT_ONCE = 1000
WEEK = timedelta(days=7)
"""Five business days."""


@dataclass(frozen=True, slots=True)
class Silence:
    """An answer that should have come: how long after the hand-over, and how one sees that it hasn't."""

    reason: str
    after: timedelta
    summary: str
    answered: Q
    statuses: frozenset[ClaimStatus]


WAITING = frozenset(
    {
        ClaimStatus.SENT,
        ClaimStatus.CLEARINGHOUSE_ACCEPTED,
        ClaimStatus.FORWARDED,
        ClaimStatus.PAYER_ACCEPTED,
        ClaimStatus.FORWARDED_OTHER_PAYER,
        ClaimStatus.REVERSED,
    }
)
ACKNOWLEDGEMENT = Q(kind=SignalKind.CLAIM_ACKNOWLEDGEMENT)
REMITTANCE = Q(kind=SignalKind.REMITTANCE)
SILENCES = (
    Silence(
        "no_remittance",
        timedelta(days=30),
        "No remittance in 30 days. Ask the payer for the claim's status.",
        REMITTANCE,
        WAITING,
    ),
    Silence(
        "no_payer_answer",
        WEEK,
        "The payer hasn't acknowledged the claim in five business days. Ask it whether it has the claim.",
        ACKNOWLEDGEMENT & Q(payload__source=Source.PAYER) | REMITTANCE,
        frozenset({ClaimStatus.SENT, ClaimStatus.CLEARINGHOUSE_ACCEPTED, ClaimStatus.FORWARDED}),
    ),
    Silence(
        "no_clearinghouse_answer",
        timedelta(hours=24),
        "The clearinghouse hasn't answered in a day. Ask it whether it has the file.",
        ACKNOWLEDGEMENT | REMITTANCE,
        frozenset({ClaimStatus.SENT}),
    ),
)


def watch(*, now: datetime | None = None) -> int:
    """Open a task for each claim whose answer is overdue; how many were opened or brought up to date."""
    instant = now or timezone.now()
    opened = 0
    seen: set[object] = set()
    for claim, silence in _silent(instant):
        if claim.session_id not in seen:
            seen.add(claim.session_id)
            work_queue.open_item(
                Item(queue=WorkItem.Queue.SILENT, reason=silence.reason, summary=silence.summary), claim=claim
            )
            opened += 1
    return opened


def _silent(now: datetime) -> Iterator[tuple[Claim, Silence]]:
    for silence in SILENCES:
        for claim in _without(silence, now)[:MOST_AT_ONCE]:
            yield claim, silence


def _without(silence: Silence, now: datetime) -> QuerySet[Claim]:
    """Claims that wait for this answer for too long and have no such task yet."""
    answers = ClaimSignal.objects.filter(silence.answered, claim=OuterRef("pk"))
    told = WorkItem.objects.filter(
        session=OuterRef("session"), queue=WorkItem.Queue.SILENT, reason=silence.reason, closed_at=None
    )
    return (
        Claim.objects.select_related("session")
        .filter(
            ~Exists(answers),
            ~Exists(told),
            step=Claim.Step.FOLLOW,
            status__in=silence.statuses,
            submitted_at__lt=now - silence.after,
        )
        .order_by("submitted_at")
    )
