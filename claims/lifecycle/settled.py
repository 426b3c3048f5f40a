"""Where a claim stands once it is sent: the fold of its signals."""

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from uuid import UUID

import structlog
from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from claims import allowed, meters, timeline, work_queue
from claims.fold.claim import Outcome
from claims.fold.messages import set_aside_message
from claims.fold.readings import Stage
from claims.lifecycle.locks import lock_versions
from claims.models import Claim, ClaimSignal, Transmission, TransmittedClaim
from claims.settlement import SETTLED_QUEUES, SettledSession, settle_sessions
from claims.signals import UNSETTLED, ClaimStatus, EventType

log = structlog.get_logger()
LONGEST_WAIT = 9999
"""Days; a date of service may be mistyped."""
REFUSALS = frozenset({EventType.CLAIM_REJECTED, EventType.CLAIM_DENIED, EventType.CLAIM_REVERSED})
SETTLE_CLAIMS = """
UPDATE claims_claim AS claim SET
    status_changed_at = CASE WHEN claim.status = new.status THEN claim.status_changed_at ELSE now() END,
    status = new.status,
    step = CASE WHEN new.is_out THEN 'follow' ELSE claim.step END,
    next_step_at = CASE WHEN new.is_out THEN NULL ELSE claim.next_step_at END,
    submitted_at = CASE WHEN new.delivered THEN coalesce(claim.submitted_at, now())
                   ELSE claim.submitted_at END,
    payer_control_number = new.payer_control_number,
    allowed = new.allowed, paid = new.paid, patient_owes = new.patient_owes,
    paid_after_days = new.paid_after_days, last_updated_at = %s
FROM unnest(%s::uuid[], %s::text[], %s::boolean[], %s::boolean[], %s::text[], %s::numeric[], %s::numeric[],
            %s::numeric[], %s::smallint[])
    AS new (id, status, delivered, is_out, payer_control_number, allowed, paid, patient_owes, paid_after_days)
WHERE claim.id = new.id
"""
SETTLE_SESSIONS = """
UPDATE sessions_app_session AS session SET status = new.status, message = new.message, updated_at = %s
FROM unnest(%s::uuid[], %s::text[], %s::text[]) AS new (id, status, message)
WHERE session.id = new.id
"""


def settle(session_ids: Sequence[UUID]) -> list[SettledSession]:
    """Fold the stored signals of these sessions and write where their claims stand, in few statements."""
    with transaction.atomic():
        claims = lock_versions(session_ids)
        now = timezone.now()
        signals = ClaimSignal.objects.filter(claim__in=[claim.pk for claim in claims], dismissed_at=None)
        settled = settle_sessions(claims, signals.order_by("id"))
        _write_claims(settled, at=now)
        finished = work_queue.finished_of(settled)
        work_queue.bring_back([each for each in settled if _is_refused_anew(each)])
        aside = work_queue.set_aside_of(settled)
        with connection.cursor() as cursor:
            cursor.execute(
                SETTLE_SESSIONS,
                [
                    now,
                    [each.session_id for each in settled],
                    [each.outcome.session_status for each in settled],
                    [_message(each, finished=finished, aside=aside) for each in settled],
                ],
            )
        entries = [(entry, each) for each in settled for entry in each.entries]
        timeline.append([*entries, *allowed.take_in(settled)], at=now)
        told = [pk for each in settled for pk in each.told]
        if told:
            ClaimSignal.objects.filter(pk__in=told).update(settled_at=now)
            work_queue.wake(each.session_id for each in settled if each.told)
        _look_again(settled)
        work_queue.replace_items(settled, finished=finished)
        if out := [each.session_id for each in settled if _was_held_and_is_out(each)]:
            work_queue.close_items(out, keep=Q(queue__in=SETTLED_QUEUES))
    return settled


def _message(settled: SettledSession, *, finished: work_queue.Finished, aside: Set[UUID]) -> str:
    if settled.session_id in aside:
        return set_aside_message(settled.outcome.session_status)
    return settled.message(given_up=work_queue.given_up_of(settled, finished))


def _is_refused_anew(settled: SettledSession) -> bool:
    """Tell whether an answer has just refused an earlier version of a claim whose newest is held."""
    held = settled.outcome.claim_status is ClaimStatus.HELD
    return held and any(entry.type in REFUSALS for entry in settled.entries)


def _write_claims(settled: Sequence[SettledSession], *, at: datetime) -> None:
    rows = [
        (
            claim.pk,
            status,
            outcome.delivered,
            _is_out(outcome, claim),
            outcome.payer_control_number,
            outcome.allowed,
            outcome.paid if outcome.stage is Stage.REMITTANCE or outcome.ever_paid else None,
            outcome.patient_owes,
            _paid_after(outcome, claim),
        )
        for each in settled
        for claim, status, outcome in zip(
            each.claims, each.outcome.claim_statuses, each.outcome.outcomes, strict=True
        )
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(SETTLE_CLAIMS, [at, *(list(column) for column in zip(*rows, strict=True))])
        if out := [row[0] for row in rows if row[3]]:
            _close_interchanges(out)
        _tell(settled, {row[0]: str(row[1]) for row in rows})


def _close_interchanges(claim_ids: Sequence[UUID]) -> None:
    """Note that the interchanges which these claims last went into are there, so none goes out again."""
    carried = TransmittedClaim.objects.filter(claim__in=claim_ids, ordinal=F("claim__times_sent"))
    left_open = Transmission.objects.filter(
        pk__in=carried.values("transmission"), handed_over_at=None, given_up_at=None
    )
    # Whoever holds one is about to close it.
    locked = left_open.select_for_update(no_key=True, skip_locked=True)
    Transmission.objects.filter(pk__in=list(locked.values_list("pk", flat=True))).update(handed_over_at=Now())


def _is_out(outcome: Outcome, claim: Claim) -> bool:
    """Tell whether an answer proves that a claim is out that we thought was still to be handed over."""
    if claim.step not in (Claim.Step.SEND, Claim.Step.HELD):
        return False
    if outcome.claim_status in UNSETTLED:
        # Only an earlier hand-over is known to be out, and this one's follow-up goes on.
        return False
    return outcome.delivered and (claim.status in UNSETTLED or outcome.stage > Stage.TRANSPORT)


def _was_held_and_is_out(settled: SettledSession) -> bool:
    newest = settled.claims[-1]
    return newest.step == Claim.Step.HELD and _is_out(settled.outcome.outcomes[-1], newest)


def _look_again(settled: Sequence[SettledSession]) -> None:
    """Take a correction that waits to leave back to its checks where an earlier version was answered.

    What it replaces, and by which number, may have changed.
    """
    waiting = [
        each.claims[-1]
        for each in settled
        if each.told
        and len(each.claims) > 1
        and (each.claims[-1].step, each.claims[-1].status) == (Claim.Step.SEND, ClaimStatus.QUEUED)
        and each.outcome.claim_status is ClaimStatus.QUEUED
    ]
    for step, is_void in ((Claim.Step.CHECK, False), (Claim.Step.BUILD, True)):
        found = [claim.pk for claim in waiting if (claim.frequency == Claim.Frequency.VOID) is is_void]
        if found:
            Claim.objects.filter(pk__in=found).update(
                step=step, next_step_at=Now(), revision=F("revision") + 1
            )


def _paid_after(outcome: Outcome, claim: Claim) -> int | None:
    """Days from the service to the first payment, while something of it is left."""
    if outcome.first_paid_on is None or outcome.paid <= 0:
        return None
    days = (outcome.first_paid_on - claim.session.date_of_service).days
    return min(max(days, 0), LONGEST_WAIT)


def _tell(settled: Sequence[SettledSession], statuses: Mapping[UUID, str]) -> None:
    """Write a line for each claim that an answer moved, with the request that its session came by."""
    now = timezone.now()
    for claim in (claim for each in settled for claim in each.claims if claim.status != statuses[claim.pk]):
        log.info(
            "answer",
            **claim.trace,
            status=claim.status,
            to=statuses[claim.pk],
        )
        waited = (now - claim.submitted_at).total_seconds() if claim.submitted_at else None
        meters.count_outcome(claim, status=statuses[claim.pk], waited=waited)
