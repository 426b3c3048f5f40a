"""The one module that writes a claim's and a session's status; a test over the syntax tree says so.

Before a claim is sent, the process moves it by conditional updates: `land`, `begin_dispatch` and what a
hand-over brought. After that its status is the fold of its signals: `settle`. Sessions follow in the same
transaction.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from claims import timeline, work_queue
from claims.fold_messages import message_for
from claims.fold_readings import Stage
from claims.landing import Entry, Item, Landing, Work
from claims.models import Claim, ClaimLine, ClaimSignal, Finding
from claims.settlement import SETTLED_QUEUES, SettledSession, settle_sessions
from claims.signals import ClaimStatus, EventType, SessionStatus
from sessions_app.models import Session, SessionCode, SessionNote

LEASE = timedelta(minutes=3)
"""Longer than any hand-over may take; afterwards whoever held it is taken for dead."""
OPEN_FOR_CORRECTION = (
    Claim.Step.CODE,
    Claim.Step.CHECK,
    Claim.Step.WINDOW,
    Claim.Step.BUILD,
    Claim.Step.SEND,
    Claim.Step.HELD,
)


def land(work: Work, landing: Landing) -> bool:
    """Write what the steps found, all of it or - if the claim is no longer as they read it - nothing."""
    claim, now = work.claim, timezone.now()
    with transaction.atomic():
        changes: dict[str, object] = {
            "step": landing.step,
            "status": landing.status,
            "next_step_at": landing.next_step_at if landing.step != Claim.Step.SEND else now,
            "last_updated_at": now,
        }
        if landing.status != claim.status:
            changes["status_changed_at"] = now
        if landing.file_by:
            changes["file_by"] = landing.file_by
        if built := landing.built:
            changes |= {
                "patient_control_number": built.patient_control_number,
                "snapshot": built.snapshot,
                "total_charge": built.total_charge,
                "mode": built.mode,
                "gateway": built.gateway,
                "built_at": now,
                "attempts": 0,
            }
        unchanged = Claim.objects.filter(pk=claim.pk, step=claim.step, revision=claim.revision)
        if not unchanged.update(**changes):
            return False
        _write_codes(work, landing)
        if landing.findings is not None:
            if claim.findings.all():
                Finding.objects.filter(claim=claim).delete()
            Finding.objects.bulk_create(landing.findings)
        if landing.built:
            ClaimLine.objects.filter(claim=claim).delete()
            ClaimLine.objects.bulk_create(landing.built.lines)
        Session.objects.filter(pk=claim.session_id).update(message=landing.message, updated_at=now)
        timeline.append(
            landing.entries,
            partner_id=claim.partner_id,
            session_id=claim.session_id,
            at=now,
            status=SessionStatus(work.record.session.status),
        )
        if claim.status == ClaimStatus.HELD or landing.item:
            keep = Q(queue=landing.item.queue) if landing.item else None
            work_queue.close_items([claim.session_id], keep=keep)
        if landing.item:
            work_queue.open_item(landing.item, claim=claim)
    return True


def _write_codes(work: Work, landing: Landing) -> None:
    if landing.taken_codes is not None:
        of_ours = [row for row in work.record.codes if row.source in ("derived", "note")]
        if of_ours:
            SessionCode.objects.filter(pk__in=[row.pk for row in of_ours]).delete()
        if landing.taken_codes:
            SessionCode.objects.bulk_create(landing.taken_codes)
    for row in landing.modifiers:
        SessionCode.objects.filter(pk=row.pk).update(modifier=row.modifier, modifier_added=row.modifier_added)
    if landing.coding is not None:
        SessionNote.objects.filter(pk=work.claim.session_id).update(
            coding=landing.coding, coded_at=timezone.now()
        )


def reopen(claim: Claim, *, step: Claim.Step, at: datetime) -> None:
    """Put a locked claim that has not left back into the pipeline."""
    Claim.objects.filter(pk=claim.pk).update(
        step=step,
        status=ClaimStatus.QUEUED,
        status_changed_at=at,
        next_step_at=at,
        last_updated_at=at,
        revision=F("revision") + 1,
    )
    work_queue.close_items([claim.session_id])


def start_again(claim: Claim, *, delay: timedelta) -> None:
    """Take a locked claim back to its first step; what a running step found can't land any more."""
    now = timezone.now()
    Claim.objects.filter(pk=claim.pk).update(
        step=Claim.Step.CODE,
        status=ClaimStatus.QUEUED,
        status_changed_at=now,
        next_step_at=now,
        window_ends_at=now + delay,
        revision=F("revision") + 1,
        attempts=0,
        snapshot=None,
        built_at=None,
        total_charge=None,
        last_updated_at=now,
    )


def resend_envelope(claim: Claim, *, at: datetime) -> None:
    """Let a locked claim, whose file the receiver couldn't read, go out again as it was frozen."""
    Claim.objects.filter(pk=claim.pk).update(
        step=Claim.Step.SEND,
        status=ClaimStatus.QUEUED,
        status_changed_at=at,
        next_step_at=at,
        last_updated_at=at,
    )
    work_queue.close_items([claim.session_id])


def begin_dispatch(claim: Claim, *, lease: UUID) -> None:
    """Take the lease on a locked claim that is due: from here on a correction gets a 409."""
    now = timezone.now()
    Claim.objects.filter(pk=claim.pk).update(
        status=ClaimStatus.DISPATCHING,
        status_changed_at=now,
        lease=lease,
        lease_until=now + LEASE,
        next_step_at=now + LEASE,
        attempts=F("attempts") + 1,
    )


def record_receipt(claim: Claim, *, at: datetime) -> None:
    """The clearinghouse has the claim: it is locked for good, and the session is `submitted`."""
    Claim.objects.filter(pk=claim.pk).update(
        step=Claim.Step.FOLLOW,
        submitted_at=F("submitted_at") if claim.submitted_at else at,
        next_step_at=None,
        lease=None,
        lease_until=None,
        last_updated_at=at,
    )
    timeline.append(
        [Entry(EventType.CLAIM_SUBMITTED, "Handed over to the clearinghouse.", changes_status=True)],
        partner_id=claim.partner_id,
        session_id=claim.session_id,
        at=at,
        status=SessionStatus.SUBMITTED,
    )


def record_refusal(claim: Claim, *, sentences: list[str], at: datetime) -> None:
    """The clearinghouse refused the claim at its door: held, still open for correction."""
    Claim.objects.filter(pk=claim.pk).update(
        step=Claim.Step.HELD,
        status=ClaimStatus.HELD,
        status_changed_at=at,
        next_step_at=None,
        lease=None,
        lease_until=None,
        last_updated_at=at,
    )
    words = " ".join(sentences)
    Session.objects.filter(pk=claim.session_id).update(
        message=message_for(SessionStatus.PROCESSING, ClaimStatus.HELD, findings=sentences), updated_at=at
    )
    timeline.append(
        [Entry(EventType.SESSION_HELD, f"The clearinghouse refused the claim: {words}", changes_status=True)],
        partner_id=claim.partner_id,
        session_id=claim.session_id,
        at=at,
    )
    work_queue.open_item(
        Item(queue=work_queue.Queue.REFUSED, reason="clearinghouse edit", summary=words), claim=claim
    )


def record_failure(
    claim: Claim, *, status: ClaimStatus, again_at: datetime | None, item: Item | None, at: datetime
) -> None:
    """A hand-over failed: not taken (open again), or its outcome is unknown (locked until it is known)."""
    Claim.objects.filter(pk=claim.pk).update(
        status=status,
        status_changed_at=at,
        next_step_at=again_at,
        lease=None,
        lease_until=None,
        last_updated_at=at,
    )
    Session.objects.filter(pk=claim.session_id, status=SessionStatus.PROCESSING).update(
        message=message_for(SessionStatus.PROCESSING, status), updated_at=at
    )
    if item:
        work_queue.open_item(item, claim=claim)


SETTLE_CLAIMS = """
UPDATE claims_claim AS claim SET
    status_changed_at = CASE WHEN claim.status = new.status THEN claim.status_changed_at ELSE now() END,
    status = new.status,
    step = CASE WHEN new.delivered AND claim.status LIKE 'dispatch%%' THEN 'follow' ELSE claim.step END,
    next_step_at = CASE WHEN new.delivered AND claim.status LIKE 'dispatch%%'
                   THEN NULL ELSE claim.next_step_at END,
    submitted_at = CASE WHEN new.delivered THEN coalesce(claim.submitted_at, now())
                   ELSE claim.submitted_at END,
    payer_control_number = coalesce(nullif(new.payer_control_number, ''), claim.payer_control_number),
    allowed = new.allowed, paid = new.paid, patient_owes = new.patient_owes,
    last_updated_at = now()
FROM unnest(%s::uuid[], %s::text[], %s::boolean[], %s::text[], %s::numeric[], %s::numeric[], %s::numeric[])
    AS new (id, status, delivered, payer_control_number, allowed, paid, patient_owes)
WHERE claim.id = new.id
"""
SETTLE_SESSIONS = """
UPDATE sessions_app_session AS session SET status = new.status, message = new.message, updated_at = now()
FROM unnest(%s::uuid[], %s::text[], %s::text[]) AS new (id, status, message)
WHERE session.id = new.id
"""


def settle(session_ids: Sequence[UUID]) -> list[SettledSession]:
    """Fold the stored signals of these sessions and write where their claims stand, in few statements."""
    with transaction.atomic():
        claims = list(
            Claim.objects.select_for_update(of=("self",))
            .select_related("session")
            .filter(session_id__in=session_ids)
            .order_by("session_id", "version")
        )
        signals = ClaimSignal.objects.filter(claim__in=[claim.pk for claim in claims], dismissed_at=None)
        settled = settle_sessions(claims, signals.order_by("id"))
        _write_claims(settled)
        with connection.cursor() as cursor:
            cursor.execute(
                SETTLE_SESSIONS,
                [
                    [each.session_id for each in settled],
                    [each.outcome.session_status for each in settled],
                    [each.message for each in settled],
                ],
            )
        now = timezone.now()
        timeline.append_many(
            ((entry, each.partner_id, each.session_id) for each in settled for entry in each.entries), at=now
        )
        told = [pk for each in settled for pk in each.told]
        if told:
            ClaimSignal.objects.filter(pk__in=told).update(settled_at=now)
        work_queue.replace_items(settled, queues=SETTLED_QUEUES)
    return settled


def _write_claims(settled: Sequence[SettledSession]) -> None:
    rows = [
        (
            claim.pk,
            each.outcome.claim_status if claim is each.claims[-1] else outcome.claim_status,
            outcome.delivered,
            outcome.payer_control_number,
            outcome.allowed,
            outcome.paid if outcome.stage is Stage.REMITTANCE or outcome.ever_paid else None,
            outcome.patient_owes,
        )
        for each in settled
        for claim, outcome in zip(each.claims, each.outcome.outcomes, strict=True)
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(SETTLE_CLAIMS, [list(column) for column in zip(*rows, strict=True)])
