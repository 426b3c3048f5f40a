"""Hands built claims over: lease, send, record. The one step that nobody can take back.

The lease is taken in one transaction, the network is spoken to in none, and what came of it lands in
another, on the lease alone. Each content goes out under one key however often it is tried, and after an
unknown outcome the clearinghouse is asked before anything is sent again.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from claims import gateways, inbound, lifecycle, meters
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
from claims.models import Claim, Transmission, WorkItem
from claims.signals import ClaimStatus
from claims.transmission import open_transmission, usage_of, write_transmission
from claims.x12.claim import ProfessionalClaim

log = structlog.get_logger()
MOST_CLAIMS = 50
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
ATTEMPTS_BEFORE_STAFF = 3
NEXT_DUE = """
SELECT due.id
FROM partners_partner AS partner
CROSS JOIN LATERAL (
    SELECT id FROM claims_claim
    WHERE partner_id = partner.id AND step = 'send' AND gateway = %s AND next_step_at <= statement_timestamp()
    ORDER BY next_step_at LIMIT 1
) AS due
ORDER BY random() LIMIT 1
"""
"""Any partner's longest waiting claim: one partner's many don't keep another's few waiting."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Claims of one interchange that this worker alone may hand over now."""

    token: UUID
    gateway: str
    submission: Submission
    ask_first: bool


def send(gateway_name: str) -> bool:
    """Hand over what is due at one clearinghouse, one interchange of it; False when nothing was."""
    lease = _take(gateway_name)
    if lease is None:
        return False
    started = perf_counter()
    try:
        answer = _hand_over(lease)
    except ClearinghouseError as error:
        _tell(lease, _record_failure(lease, error), outcome=error.outcome, started=started, error=error.code)
    else:
        outcome = "taken" if isinstance(answer, Receipt) else "refused"
        _tell(lease, _record_answer(lease, answer), outcome=outcome, started=started)
    return True


def gateways_with_work() -> list[str]:
    """The clearinghouses for which a claim is due."""
    due = Claim.objects.filter(step=Claim.Step.SEND, next_step_at__lte=timezone.now())
    return list(due.values_list("gateway", flat=True).distinct().order_by())


def _take(gateway_name: str) -> Lease | None:
    """Lease due claims that go out together, writing their interchange if they have none yet."""
    with transaction.atomic():
        chosen = _next_due(gateway_name)
        if chosen is None:
            return None
        ask_first = chosen.status in (ClaimStatus.DISPATCHING, ClaimStatus.DISPATCH_UNKNOWN)
        transmission = open_transmission(chosen) if chosen.times_sent else None
        first_time = transmission is None
        if transmission is None:
            claims = _companions(chosen)
            transmission = write_transmission(claims)
        else:
            claims = _locked(transmission)
        token = uuid4()
        lifecycle.begin_dispatch(claims, lease=token, first_time=first_time)
    return Lease(
        token=token,
        gateway=gateway_name,
        ask_first=ask_first,
        submission=Submission(
            key=str(transmission.pk),
            usage=usage_of(chosen),
            x12=transmission.content,
            claims=tuple(ProfessionalClaim.from_json(claim.draft()) for claim in claims),
            file_name=transmission.file_name,
            attempt=chosen.attempts + 1,
            first_attempt_at=transmission.first_attempt_at or transmission.created_at,
        ),
    )


def _next_due(gateway_name: str) -> Claim | None:
    with connection.cursor() as cursor:
        cursor.execute(NEXT_DUE, [gateway_name])
        row = cursor.fetchone()
    if row is None:
        return None
    due = Claim.objects.filter(pk=row[0], step=Claim.Step.SEND, next_step_at__lte=timezone.now())
    return due.select_for_update(skip_locked=True).first()


def _companions(chosen: Claim) -> list[Claim]:
    """The claims that go out with this one: of the same partner, due, as many as the clearinghouse takes."""
    room = min(gateways.gateway(chosen.gateway).capabilities.max_claims_per_interchange, MOST_CLAIMS)
    if room == 1 or chosen.send_alone or chosen.times_sent:
        return [chosen]
    others = Claim.objects.filter(
        partner_id=chosen.partner_id,
        step=Claim.Step.SEND,
        gateway=chosen.gateway,
        mode=chosen.mode,
        status=ClaimStatus.QUEUED,
        times_sent=0,
        send_alone=False,
        next_step_at__lte=timezone.now(),
    ).exclude(pk=chosen.pk)
    return [chosen, *others.order_by("next_step_at").select_for_update(skip_locked=True)[: room - 1]]


def _locked(transmission: Transmission) -> list[Claim]:
    """The claims of an interchange that was tried before, in its order."""
    claims = Claim.objects.filter(transmissions__transmission=transmission)
    in_order = sorted(transmission.claims.all(), key=lambda sent: int(sent.transaction_control_number))
    by_id = {claim.pk: claim for claim in claims.select_for_update(of=("self",))}
    return [by_id[sent.claim_id] for sent in in_order]


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


def _tell(
    lease: Lease, claims: Sequence[Claim], *, outcome: str, started: float, error: str | None = None
) -> None:
    """Write a line for each claim that was in the call, with the request that its session came by."""
    seconds = perf_counter() - started
    meters.GATEWAY_CALLS.labels(lease.gateway, "send", outcome).observe(seconds)
    if outcome == "taken":
        meters.HANDED_OVER.labels(lease.gateway).inc(len(claims))
    for claim in claims:
        log.info(
            "sent to clearinghouse",
            claim=str(claim.pk),
            session=str(claim.session_id),
            request_id=claim.session.request_id,
            gateway=lease.gateway,
            key=lease.submission.key,
            file=lease.submission.file_name,
            attempt=lease.submission.attempt,
            asked_first=lease.ask_first,
            outcome=outcome,
            error=error,
            ms=round(seconds * 1000, 1),
        )


def _record_answer(lease: Lease, answer: Receipt | Refusal) -> list[Claim]:
    with transaction.atomic():
        claims = _still_leased(lease)
        now = timezone.now()
        sent = Transmission.objects.filter(pk=lease.submission.key)
        sent.update(reference=answer.reference, answer=answer.raw_answer, handed_over_at=now)
        if isinstance(answer, Receipt):
            lifecycle.record_receipt(claims, at=now)
            lifecycle.settle([claim.session_id for claim in claims])
        elif len(lease.submission.claims) == 1:
            for claim in claims:
                sentences = [_sentence(error) for error in answer.errors]
                lifecycle.record_refusal(claim, sentences=sentences, at=now)
        else:
            # Which of them it refuses is told by sending each by itself.
            _put_back(claims, again_at=now, alone=True, at=now)
    if isinstance(answer, Receipt):
        inbound.store(lease.gateway, answer.inbound)
    return claims


def _record_failure(lease: Lease, error: ClearinghouseError) -> list[Claim]:
    """Try again later; what can never work, or fails for long, is shown to a person."""
    with transaction.atomic():
        claims = _still_leased(lease)
        now = timezone.now()
        again_at = now + _wait(lease, error)
        item = _item(lease, error)
        if error.outcome is Outcome.UNKNOWN:
            lifecycle.record_failure(
                claims,
                status=ClaimStatus.DISPATCH_UNKNOWN,
                again_at=again_at,
                alone=False,
                item=item,
                at=now,
            )
            return claims
        Transmission.objects.filter(pk=lease.submission.key).update(given_up_at=now)
        _put_back(claims, again_at=again_at, alone=error.outcome is Outcome.PERMANENT, at=now, item=item)
    return claims


def _put_back(
    claims: Sequence[Claim], *, again_at: datetime, alone: bool, at: datetime, item: Item | None = None
) -> None:
    """Certainly not taken: the claims wait for another interchange, open for correction meanwhile."""
    lifecycle.record_failure(
        claims, status=ClaimStatus.QUEUED, again_at=again_at, alone=alone, item=item, at=at
    )


def _item(lease: Lease, error: ClearinghouseError) -> Item | None:
    permanent = error.outcome is Outcome.PERMANENT
    if not permanent and lease.submission.attempt < ATTEMPTS_BEFORE_STAFF:
        return None
    words = "can't work until somebody changes something" if permanent else "fails again and again"
    return Item(
        queue=WorkItem.Queue.TRANSPORT,
        reason=error.code,
        summary=f"Handing the claim over to {lease.gateway} {words}: {error.code}.",
    )


def _sentence(error: EditError) -> str:
    path = partner_path(error.location)
    return f"{path}: {error.text}" if path else error.text


def _still_leased(lease: Lease) -> list[Claim]:
    """The claims, locked in the order that everybody takes, but for those whose lease ended meanwhile."""
    claims = Claim.objects.filter(lease=lease.token).select_related("session")
    return list(claims.order_by("session_id", "version").select_for_update(of=("self",)))


def _wait(lease: Lease, error: ClearinghouseError) -> timedelta:
    """As long as the clearinghouse asks, else doubling with jitter; the sandbox's time is compressed."""
    if error.retry_after:
        return error.retry_after
    backoff: timedelta = min(FIRST_WAIT * 2 ** min(lease.submission.attempt - 1, 10), LONGEST_WAIT)
    backoff *= random.uniform(0.8, 1.2)  # noqa: S311 (spreads retries, keeps no secret)
    return backoff / settings.SANDBOX_SPEED if lease.gateway == gateways.SANDBOX else backoff
