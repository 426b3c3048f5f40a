"""Hands a built claim over: lease, send, record. The one step that nobody can take back.

The lease is taken in one transaction, the network is spoken to in none, and what came of it lands in another,
on the lease alone. Each content goes out under one key however often it is tried, and after an unknown
outcome the clearinghouse is asked before anything is sent again.
"""

import logging
import random
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from claims import gateways, inbound, lifecycle
from claims.clearinghouse.port import (
    ClearinghouseError,
    EditError,
    NotFound,
    Outcome,
    Receipt,
    Refusal,
    Submission,
    Unknown,
)
from claims.drafting import partner_path
from claims.landing import Item
from claims.models import Claim, Transmission, TransmittedClaim, WorkItem
from claims.signals import ClaimStatus
from claims.x12.claim import Envelope, ProfessionalClaim, Usage
from claims.x12.write_837p import write_837p

logger = logging.getLogger(__name__)
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
ATTEMPTS_BEFORE_STAFF = 3


@dataclass(frozen=True, slots=True)
class Lease:
    """One claim that this worker alone may hand over now."""

    token: UUID
    claim_id: UUID
    gateway: str
    submission: Submission
    ask_first: bool


def send(claim_id: UUID) -> None:
    """Hand a claim over if it is due and nobody else is doing so."""
    lease = _take(claim_id)
    if lease is None:
        return
    try:
        answer = _hand_over(lease)
    except ClearinghouseError as error:
        _record_failure(lease, error)
    else:
        _record_answer(lease, answer)


def _take(claim_id: UUID) -> Lease | None:
    """Lease a due claim, writing its interchange if this content has none yet."""
    with transaction.atomic():
        claim = (
            Claim.objects.select_for_update(of=("self",), skip_locked=True)
            .filter(pk=claim_id, step=Claim.Step.SEND, next_step_at__lte=timezone.now())
            .first()
        )
        if claim is None or claim.snapshot is None:
            return None
        ask_first = claim.status in (ClaimStatus.DISPATCHING, ClaimStatus.DISPATCH_UNKNOWN)
        transmission = _current_transmission(claim) or _write_transmission(claim)
        token = uuid4()
        lifecycle.begin_dispatch(claim, lease=token)
    return Lease(
        token=token,
        claim_id=claim.pk,
        gateway=claim.gateway,
        ask_first=ask_first,
        submission=Submission(
            key=str(transmission.pk),
            usage=_usage(claim),
            x12=transmission.content,
            claims=(ProfessionalClaim.from_json(claim.draft()),),
            file_name=transmission.file_name,
            attempt=claim.attempts + 1,
            first_attempt_at=transmission.first_attempt_at or transmission.created_at,
        ),
    )


def _hand_over(lease: Lease) -> Receipt | Refusal:
    """Speak to the clearinghouse; an outcome that is still unknown is asked about first."""
    clearinghouse = gateways.gateway(lease.gateway)
    if lease.ask_first:
        found = clearinghouse.find(lease.submission)
        if isinstance(found, Unknown):
            raise ClearinghouseError("still_unknown", outcome=Outcome.UNKNOWN, retry_after=found.retry_after)
        if not isinstance(found, NotFound):
            return found
    return clearinghouse.submit(lease.submission)


def _current_transmission(claim: Claim) -> Transmission | None:
    """The interchange that already carries this content and was not answered yet."""
    return Transmission.objects.filter(
        claims__claim=claim, created_at__gte=claim.built_at, handed_over_at=None
    ).first()


def _write_transmission(claim: Claim) -> Transmission:
    interchange, group, transaction_set = _next_control_numbers()
    now = timezone.now()
    content = write_837p(
        [ProfessionalClaim.from_json(claim.draft())],
        envelope=Envelope(
            sender_id=settings.SUBMITTER["id"],
            receiver_id=settings.RECEIVER["id"],
            submitter_name=settings.SUBMITTER["name"],
            submitter_contact_name=settings.SUBMITTER["contact"],
            submitter_phone=settings.SUBMITTER["phone"],
            receiver_name=settings.RECEIVER["name"],
            usage=_usage(claim),
            interchange_control_number=interchange,
            group_control_number=group,
            batch_id=f"B{interchange:09d}",
            created_at=now,
            transaction_control_number=transaction_set,
            is_resend=claim.times_sent > 0,
        ),
    )
    transmission = Transmission.objects.create(
        partner_id=claim.partner_id,
        gateway=claim.gateway,
        interchange_control_number=interchange,
        group_control_number=group,
        file_name=f"837P_{now:%Y%m%d}_{interchange:09d}.x12",
        content=content,
        sha256=sha256(content.encode()).digest(),
        first_attempt_at=now,
        created_at=now,
    )
    TransmittedClaim.objects.create(
        partner_id=claim.partner_id,
        transmission=transmission,
        claim=claim,
        transaction_control_number=str(transaction_set),
        ordinal=claim.times_sent + 1,
    )
    Claim.objects.filter(pk=claim.pk).update(times_sent=F("times_sent") + 1)
    return transmission


def _next_control_numbers() -> tuple[int, int, int]:
    """ISA13, GS06 and ST02, never used before: a sequence gives a number once, even to what rolls back."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval('claims_interchange_control_number'), nextval('claims_group_control_number'),"
            " nextval('claims_transaction_control_number')"
        )
        interchange, group, transaction_set = cursor.fetchone()
    return interchange, group, transaction_set


def _usage(claim: Claim) -> Usage:
    return Usage.PRODUCTION if claim.mode == "production" else Usage.TEST


def _record_answer(lease: Lease, answer: Receipt | Refusal) -> None:
    with transaction.atomic():
        claim = _still_leased(lease)
        if claim is None:
            logger.warning("claim %s: its lease ended before the answer came", lease.claim_id)
            return
        now = timezone.now()
        Transmission.objects.filter(pk=lease.submission.key).update(
            reference=answer.reference, answer=answer.raw_answer, handed_over_at=now
        )
        if isinstance(answer, Refusal):
            lifecycle.record_refusal(claim, sentences=[_sentence(error) for error in answer.errors], at=now)
            return
        lifecycle.record_receipt(claim, at=now)
        lifecycle.settle([claim.session_id])
    inbound.store(lease.gateway, answer.inbound)


def _record_failure(lease: Lease, error: ClearinghouseError) -> None:
    """Try again later; what can never work, or fails for long, is shown to a person."""
    logger.warning("claim %s: hand-over to %s failed: %s", lease.claim_id, lease.gateway, error)
    with transaction.atomic():
        claim = _still_leased(lease)
        if claim is None:
            return
        now = timezone.now()
        unknown = error.outcome is Outcome.UNKNOWN
        permanent = error.outcome is Outcome.PERMANENT
        item = None
        if permanent or claim.attempts >= ATTEMPTS_BEFORE_STAFF:
            words = "can't work until somebody changes something" if permanent else "fails again and again"
            item = Item(
                queue=WorkItem.Queue.TRANSPORT,
                reason=error.code,
                summary=f"Handing the claim over to {lease.gateway} {words}: {error.code}.",
            )
        lifecycle.record_failure(
            claim,
            status=ClaimStatus.DISPATCH_UNKNOWN if unknown else ClaimStatus.QUEUED,
            again_at=now + _wait(lease, error),
            item=item,
            at=now,
        )


def _sentence(error: EditError) -> str:
    path = partner_path(error.location)
    return f"{path}: {error.text}" if path else error.text


def _still_leased(lease: Lease) -> Claim | None:
    return (
        Claim.objects.select_for_update(of=("self",))
        .select_related("session")
        .filter(pk=lease.claim_id, lease=lease.token)
        .first()
    )


def _wait(lease: Lease, error: ClearinghouseError) -> timedelta:
    """As long as the clearinghouse asks, else doubling with jitter; the sandbox's time is compressed."""
    if error.retry_after:
        return error.retry_after
    backoff: timedelta = min(FIRST_WAIT * 2 ** min(lease.submission.attempt - 1, 10), LONGEST_WAIT)
    backoff *= random.uniform(0.8, 1.2)  # noqa: S311 (spreads retries, keeps no secret)
    return backoff / settings.SANDBOX_SPEED if lease.gateway == gateways.SANDBOX else backoff
