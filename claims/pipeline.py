"""Runs a claim's next steps until it must wait, is held, or is ready to be handed over."""

import logging
from uuid import UUID

from django.utils import timezone

from claims import lifecycle, steps
from claims.fold_messages import message_for
from claims.landing import Landing, Work
from claims.models import Claim
from claims.signals import ClaimStatus, SessionStatus
from sessions_app.facts import SessionRecord

logger = logging.getLogger(__name__)
MOST_DUE = 1000
RUN_BY_PIPELINE = (Claim.Step.CODE, Claim.Step.CHECK, Claim.Step.WINDOW, Claim.Step.BUILD)


def advance(claim_id: UUID) -> bool:
    """Run the steps that are due and land what they found; True when the claim is ready to be handed over.

    A run that finds the claim changed under it writes nothing: whoever changed it has hinted at another run.
    """
    work = _load(claim_id)
    if work is None:
        return Claim.objects.filter(pk=claim_id, step=Claim.Step.SEND).exists()
    landing = _run(work)
    landed = lifecycle.land(work, landing)
    logger.info("claim %s: %s -> %s%s", claim_id, work.claim.step, landing.step, "" if landed else " (stale)")
    return landed and landing.step == Claim.Step.SEND


def _load(claim_id: UUID) -> Work | None:
    claim = (
        Claim.objects.select_related(
            "session__partner", "session__provider__practice", "session__note", "replaces"
        )
        .prefetch_related("session__codes", "session__overrides", "findings")
        .filter(pk=claim_id, step__in=RUN_BY_PIPELINE, next_step_at__lte=timezone.now())
        .first()
    )
    if claim is None:
        return None
    session = claim.session
    record = SessionRecord(
        session=session,
        partner=session.partner,
        provider=session.provider,
        practice=session.provider.practice,
        codes=list(session.codes.all()),
    )
    return Work(
        claim=claim,
        record=record,
        note=getattr(session, "note", None),
        overrides=list(session.overrides.all()),
    )


def _run(work: Work) -> Landing:
    """Code, check, and - once the correction window is over - check again and build."""
    landing = Landing()
    now = timezone.now()
    if work.claim.frequency == Claim.Frequency.VOID:
        steps.build_void(work, landing=landing)
        return landing
    record = steps.code(work, landing) if work.claim.step == Claim.Step.CODE else work.record
    if landing.item is not None:
        return landing
    checked, result = steps.check_claim(work, record, landing=landing, now=now)
    if result.blocking:
        return landing
    leaves_at = steps.wait_until(work)
    if leaves_at > now:
        landing.step, landing.next_step_at = Claim.Step.WINDOW, leaves_at
        landing.message = message_for(SessionStatus.PROCESSING, ClaimStatus.QUEUED, leaves_after=leaves_at)
        return landing
    steps.build(work, checked, result, landing=landing)
    return landing


def due_claims() -> list[tuple[UUID, str]]:
    """Claims whose time has come, with the step that waits; the longest waiting first."""
    due = Claim.objects.filter(next_step_at__lte=timezone.now()).order_by("next_step_at")
    return list(due.values_list("pk", "step")[:MOST_DUE])
