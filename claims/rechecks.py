"""Sessions that are held go through the checks again: what held them may be mended elsewhere."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from billing.rules.rule import Severity
from claims import gateways, history, lifecycle, pipeline, timeline
from claims.drafting import NO_GATEWAY
from claims.fold.entries import TimelineEntry
from claims.fold.messages import NOTHING_TO_DO
from claims.landing import Work
from claims.models import Claim, Finding, NoteReview, WorkItem
from claims.signals import ClaimStatus, EventType, SessionStatus
from partners.models import Mode
from sessions_app.lookups import look_up
from sessions_app.models import Session

MESSAGE = f"The session is being coded and checked again. {NOTHING_TO_DO}"
ABOUT_ANOTHER = Q(severity=Severity.BLOCK, detail__about_another=True)
"""Findings about other sessions of the day; the same rules speak of a claim's own lines too."""
UNPRICED_RULE = "CHG-001"
UNPRICED = Q(severity=Severity.BLOCK, rule=UNPRICED_RULE)
AT_ONCE = 100
Queue = WorkItem.Queue


def check_again(claims: Sequence[Claim], *, words: str) -> None:
    """Take locked held claims back to their first step, and say on their sessions why."""
    now = timezone.now()
    lifecycle.reopen(claims, at=now)
    sessions = [claim.session_id for claim in claims]
    Session.objects.filter(pk__in=sessions, status=SessionStatus.PROCESSING).update(
        message=MESSAGE, updated_at=now
    )
    timeline.append(
        (
            (TimelineEntry(EventType.SESSION_UPDATED, words, SessionStatus(claim.session.status)), claim)
            for claim in claims
        ),
        at=now,
    )


def after_other_sessions() -> int:
    """Check again what is held for another session of its day, once none stands there; how many that are.

    The other was rejected, voided, moved to another day or ended: nothing then looks from there to here.
    """
    return sum(map(_free, _held_by(ABOUT_ANOTHER)))


def after_new_rates() -> int:
    """Check again what no rate priced, once each of its lines has one; how many that are."""
    return sum(map(_price, _held_by(UNPRICED)))


def after_a_gateway() -> int:
    """Check again what no clearinghouse took, once every live payer has one; how many that are."""
    payers = ("", *settings.LIVE_GATEWAY_BY_PAYER)
    if not all(gateways.name_for(Mode.LIVE, payer_id=payer_id) for payer_id in payers):
        return 0
    asked = WorkItem.objects.filter(
        session=OuterRef("session"), queue=Queue.TRANSPORT, reason=NO_GATEWAY.rule_id, closed_at=None
    )
    held = Claim.objects.filter(Exists(asked), status=ClaimStatus.HELD, step=Claim.Step.HELD)
    return sum(map(_hand_on, _some_at_a_time(held)))


def _held_by(finding: Q) -> Iterator[Sequence[UUID]]:
    """Some at a time, claims that such a finding holds and nobody has set aside."""
    holding = Finding.objects.filter(finding, claim=OuterRef("pk"))
    asked_otherwise = WorkItem.objects.filter(
        session=OuterRef("session"), queue__in=(Queue.REFUSED, Queue.TRANSPORT), closed_at=None
    )
    held = Claim.objects.filter(
        Exists(holding), ~Exists(asked_otherwise), status=ClaimStatus.HELD, step=Claim.Step.HELD
    ).annotate(review=Coalesce(history.last_review("session"), Value("")))
    return _some_at_a_time(held.exclude(~history.is_asked("session"), review=NoteReview.Outcome.NOT_BILLABLE))


def _some_at_a_time(held: QuerySet[Claim]) -> Iterator[Sequence[UUID]]:
    ids, last = held.order_by("pk").values_list("pk", flat=True), UUID(int=0)
    while waiting := list(ids.filter(pk__gt=last)[:AT_ONCE]):
        yield waiting
        last = waiting[-1]


def _locked(claim_ids: Sequence[UUID]) -> list[Work]:
    held = Claim.objects.filter(pk__in=claim_ids, step=Claim.Step.HELD)
    locked = held.select_for_update(of=("self",), skip_locked=True).order_by("session_id", "version")
    return [pipeline.work_of(claim) for claim in pipeline.with_rows(locked)]


def _free(claim_ids: Sequence[UUID]) -> int:
    with transaction.atomic():
        works = _locked(claim_ids)
        others = history.other_claims(works) if works else {}
        free = [
            work.claim
            for work in works
            if not any(other.stands for other in history.of_day(work, others[work.claim.session_id]))
        ]
        if free:
            check_again(free, words="No other session of this day stands in its way any more.")
        return len(free)


def _hand_on(claim_ids: Sequence[UUID]) -> int:
    with transaction.atomic():
        claims = [work.claim for work in _locked(claim_ids)]
        if claims:
            check_again(claims, words="There is a clearinghouse for it now.")
        return len(claims)


def _price(claim_ids: Sequence[UUID]) -> int:
    with transaction.atomic():
        works = _locked(claim_ids)
        found = look_up([work.record for work in works]) if works else []
        priced = [
            work.claim
            for work, tables in zip(works, found, strict=True)
            if tables.prices and None not in tables.prices
        ]
        if priced:
            check_again(priced, words="There is a rate for it now.")
        return len(priced)
