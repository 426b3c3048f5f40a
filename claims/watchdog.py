"""Claims that nobody answers: a task for staff once an answer is overdue. It closes itself when one comes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from claims import work_queue
from claims.fold_amounts import OTHER_PAYER, PREDETERMINATION
from claims.fold_readings import ReviewKind
from claims.landing import Item
from claims.models import Claim, ClaimSignal, WorkItem
from claims.settlement import settle_sessions
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
REMITTANCE = Q(kind=SignalKind.REMITTANCE) & ~Q(
    payload__claim_status_code__in=(OTHER_PAYER, PREDETERMINATION)
)
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


NO_CORRECTION = Item(
    queue=WorkItem.Queue.SILENT,
    reason=ReviewKind.REVERSED_WITHOUT_CORRECTION.value,
    summary="The payer took back what it had decided, and in 30 days no correction came. Ask it for one.",
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
    for claim in _reversed_without_correction(instant):
        work_queue.open_item(NO_CORRECTION, claim=claim)
        opened += 1
    return opened


def _reversed_without_correction(now: datetime) -> Iterator[Claim]:
    """Claims whose reversal has waited for its correction as long as the status table gives it (rule 22)."""
    told = WorkItem.objects.filter(
        session=OuterRef("session"),
        queue=WorkItem.Queue.SILENT,
        reason=NO_CORRECTION.reason,
        closed_at=None,
    )
    waiting = Claim.objects.filter(~Exists(told), status=ClaimStatus.REVERSED)
    sessions = list(waiting.order_by("status_changed_at").values_list("session_id", flat=True)[:MOST_AT_ONCE])
    claims = Claim.objects.select_related("session").filter(session__in=sessions)
    versions = list(claims.order_by("session_id", "version"))
    signals = ClaimSignal.objects.filter(claim__in=versions, dismissed_at=None).order_by("id")
    for each in settle_sessions(versions, signals):
        for task in each.outcome.tasks:
            overdue = task.not_before is not None and task.not_before <= now.date()
            if overdue and task.kind is ReviewKind.REVERSED_WITHOUT_CORRECTION:
                yield each.claims[-1]


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
