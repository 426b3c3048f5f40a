"""Claims that nobody answers: a task for staff once an answer is overdue. It closes itself when one comes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from claims import work_queue
from claims.fold.amounts import OTHER_PAYER, PREDETERMINATION, REVERSAL
from claims.fold.readings import ReviewKind
from claims.landing import Item
from claims.models import Claim, ClaimSignal, TransmittedClaim, WorkItem
from claims.settlement import payer_of, settle_sessions
from claims.signals import ClaimStatus, SignalKind, Source
from claims.versions import ANSWERS, ASKED, waits_for_payer

MOST_AT_ONCE = 1000
AT_ONCE = 100
"""Claims that are locked together."""
WEEK = timedelta(days=7)
"""Seven days, of which five are business days, holidays apart."""
LATELY = timedelta(days=90)
PAID_IN_PART = (ClaimStatus.PARTIALLY_PAID, ClaimStatus.PATIENT_RESPONSIBILITY)


@dataclass(frozen=True, slots=True)
class Silence:
    """An answer that should have come: how long after the hand-over, and how one sees that it hasn't."""

    reason: str
    after: timedelta
    summary: str
    answered: Q
    statuses: frozenset[ClaimStatus]


REMITTANCE_DUE = frozenset(
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
        "No remittance in 30 days. Ask the payer for the claim's status; where it has decided and sends "
        "none, a lead posts what it says.",
        REMITTANCE,
        REMITTANCE_DUE,
    ),
    Silence(
        "no_payer_answer",
        WEEK,
        "The payer hasn't acknowledged the claim in five business days. Ask it whether it has the claim.",
        ACKNOWLEDGEMENT & Q(payload__source=Source.PAYER) | REMITTANCE,
        frozenset({ClaimStatus.SENT, ClaimStatus.CLEARINGHOUSE_ACCEPTED, ClaimStatus.FORWARDED}),
    ),
    Silence(
        work_queue.NO_CLEARINGHOUSE_ANSWER,
        timedelta(hours=24),
        "The clearinghouse hasn't answered in a day. Ask it whether it has the file.",
        ACKNOWLEDGEMENT | REMITTANCE,
        frozenset({ClaimStatus.SENT}),
    ),
)
"""The longest first: the task for one is not the task for a shorter one any more."""


NO_CORRECTION = Item(
    queue=WorkItem.Queue.SILENT,
    reason=ReviewKind.REVERSED_WITHOUT_CORRECTION.value,
    summary="The payer took back what it had decided, and in 30 days no correction came. Ask it for one.",
)


def watch(*, now: datetime | None = None) -> int:
    """Open a task for each claim whose answer is overdue; how many were opened or brought up to date."""
    instant = now or timezone.now()
    opened = 0
    told: list[str] = []
    for silence in SILENCES:
        told.append(silence.reason)
        item = Item(queue=WorkItem.Queue.SILENT, reason=silence.reason, summary=silence.summary)
        opened += _open(item, _without(silence, instant, told=told))
    return opened + _open(
        NO_CORRECTION,
        _reversed(instant).filter(~_told([NO_CORRECTION.reason])).order_by("status_changed_at"),
        overdue=lambda claims: _without_correction(claims, instant),
    )


def _open(
    item: Item,
    waiting: QuerySet[Claim],
    *,
    overdue: Callable[[Sequence[Claim]], Sequence[Claim]] = lambda claims: claims,
) -> int:
    """Open this item for claims that wait, some at a time: each is locked, and looked at once more.

    An answer has then either been found or comes after the task, and closes it.
    """
    found = list(waiting.values_list("pk", flat=True)[:MOST_AT_ONCE])
    opened: set[UUID] = set()
    for start in range(0, len(found), AT_ONCE):
        some = waiting.filter(pk__in=found[start : start + AT_ONCE]).select_related("session")
        with transaction.atomic():
            claims = overdue(list(some.select_for_update(of=("self",), skip_locked=True)))
            several = _of_several(claims)
            first = {claim.session_id: claim for claim in sorted(claims, key=_told_first, reverse=True)}
            work_queue.put_items(
                [(_named(item, claim) if claim.pk in several else item, claim) for claim in first.values()]
            )
        opened |= {claim.session_id for claim in claims}
    return len(opened)


def _told_first(claim: Claim) -> tuple[bool, datetime]:
    """The order in which versions of one session are told of: no void first, then what went out first."""
    assert claim.submitted_at is not None
    return claim.frequency == Claim.Frequency.VOID, claim.submitted_at


def _of_several(claims: Sequence[Claim]) -> set[UUID]:
    """The IDs of those claims whose session has other versions too."""
    others = Claim.objects.filter(session=OuterRef("session")).exclude(pk=OuterRef("pk"))
    found = Claim.objects.filter(Exists(others), pk__in=[claim.pk for claim in claims])
    return set(found.values_list("pk", flat=True))


def _named(item: Item, claim: Claim) -> Item:
    """The item, with the version that it is about and who is silent."""
    what = "a void to" if claim.frequency == Claim.Frequency.VOID else "to"
    return replace(item, summary=f"Version {claim.version}, {what} {payer_of(claim)}: {item.summary}")


def silent_claim(items: Iterable[WorkItem]) -> Claim | None:
    """The version, no void, of which open items of its session say that its payer is silent.

    Another version of it may have gone out only yesterday; of several that are overdue it is the one that
    staff were told of, which went out first.
    """
    silent = next((each for each in items if work_queue.is_payer_silent([each])), None)
    silence = next((each for each in SILENCES if silent and each.reason == silent.reason), None)
    if silent is None or silence is None:
        return None
    overdue = _overdue(silence, timezone.now()).filter(session=silent.session_id)
    waiting = (
        overdue.exclude(frequency=Claim.Frequency.VOID).select_related("session").order_by("submitted_at")
    )
    return next((claim for claim in waiting if waits_for_payer(claim)), None)


def _reversed(now: datetime) -> QuerySet[Claim]:
    """Claims that a payer reversed, and those heard of lately of which it may have reversed a part."""
    reversals = ClaimSignal.objects.filter(
        claim=OuterRef("pk"),
        kind=SignalKind.REMITTANCE,
        payload__claim_status_code=REVERSAL,
        dismissed_at=None,
    )
    claims = Claim.objects.alias(reversal=Subquery(reversals.values("pk")[:1]))
    in_part = Q(status__in=PAID_IN_PART, last_updated_at__gt=now - LATELY, reversal__isnull=False)
    return claims.filter(Q(status=ClaimStatus.REVERSED) | in_part)


def _without_correction(claims: Sequence[Claim], now: datetime) -> list[Claim]:
    """Those whose reversal has waited for its correction as long as the status table gives it (rule 22)."""
    sessions = {claim.session_id for claim in claims}
    every = Claim.objects.select_related("session").filter(session__in=sessions)
    versions = list(every.order_by("session_id", "version"))
    signals = ClaimSignal.objects.filter(claim__in=versions, dismissed_at=None).order_by("id")
    return [
        each.claims[-1]
        for each in settle_sessions(versions, signals)
        if any(
            task.kind is ReviewKind.REVERSED_WITHOUT_CORRECTION
            and task.not_before is not None
            and task.not_before <= now.date()
            for task in each.outcome.tasks
        )
    ]


def _without(silence: Silence, now: datetime, *, told: Sequence[str]) -> QuerySet[Claim]:
    """Claims that wait for this answer for too long and have no task yet for one of these reasons."""
    return _overdue(silence, now).filter(~_told(told)).order_by("submitted_at")


def _overdue(silence: Silence, now: datetime) -> QuerySet[Claim]:
    """Claims that wait for this answer for too long.

    One that its payer, asked by staff, doesn't have waits for nothing. The answers are looked up by claim: of
    an EXISTS the planner may make a join that reads those of all claims.
    """
    answers = ClaimSignal.objects.filter(silence.answered, claim=OuterRef("pk"), dismissed_at=None)
    heard = ClaimSignal.objects.filter(claim=OuterRef("pk"), kind__in=ANSWERS, dismissed_at=None)
    handed_over = TransmittedClaim.objects.filter(claim=OuterRef("pk"), ordinal=OuterRef("times_sent"))
    waiting = Claim.objects.alias(
        answer=Subquery(answers.values("pk")[:1]),
        last=Coalesce(heard.order_by("-id").values("natural_key")[:1], Value("")),
        # In a new envelope the claim has gone out once more since.
        gone_out=Coalesce(
            Subquery(handed_over.values("transmission__handed_over_at")[:1]), F("submitted_at")
        ),
    )
    return waiting.filter(
        Q(times_sent__lte=1) | Q(gone_out__lt=now - silence.after),
        ~Q(last__startswith=ASKED),
        answer=None,
        step=Claim.Step.FOLLOW,
        status__in=silence.statuses,
        submitted_at__lt=now - silence.after,
    )


def _told(reasons: Sequence[str]) -> Exists:
    return Exists(
        WorkItem.objects.filter(
            session=OuterRef("session"), queue=WorkItem.Queue.SILENT, reason__in=list(reasons), closed_at=None
        )
    )
