"""Hands built claims over: lease, send, record. The one step that nobody can take back.

The lease is taken in one transaction, the network is spoken to in none, and what came of it lands in
another, on the lease alone. Each content goes out under one key however often it is tried, and after an
unknown outcome the clearinghouse is asked before anything is sent again. A receipt counts whoever holds the
lease by then.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from claims import gateways, heartbeats, inbound, lifecycle, meters, work_queue
from claims.clearinghouse.port import (
    ClearinghouseError,
    NotFound,
    Outcome,
    Receipt,
    Refusal,
    Submission,
    Unknown,
    mode_of,
)
from claims.drafting import edit_of, sentence_of
from claims.landing import Item
from claims.models import Claim, Transmission, TransmittedClaim, WorkItem
from claims.signals import UNSETTLED, ClaimStatus
from claims.transmission import (
    begin_attempt,
    claims_inside,
    open_transmission,
    usage_of,
    write_transmission,
)
from claims.x12.claim import ProfessionalClaim
from partners.outages import is_outage

log = structlog.get_logger()
MOST_CLAIMS = 50
OF_ONE_PAYER = 2
LEFT_TO_OTHERS = 2
TAKE_TURNS = "SELECT pg_advisory_xact_lock(hashtext('claims.send ' || %s))"
PAUSES_TO_RECORD = (0.2, 0.5, 1, 2, 4, 8)
LONGEST_WAIT = timedelta(hours=1)
ATTEMPTS_BEFORE_STAFF = 3
NEXT_DUE = """
WITH busy AS (
    SELECT lower(coalesce(nullif(session.payer_id, ''), session.payer_name)) AS payer
    FROM claims_claim AS claim JOIN sessions_app_session AS session ON session.id = claim.session_id
    WHERE claim.status IN ('dispatching', 'dispatch_unknown') AND claim.gateway = %(gateway)s
    AND claim.next_step_at > statement_timestamp() AND claim.attempts <= %(early)s
    GROUP BY payer HAVING count(DISTINCT coalesce(claim.lease, claim.id)) >= %(of_one_payer)s
), speaking AS (
    SELECT count(DISTINCT lease) AS count FROM claims_claim
    WHERE status = 'dispatching' AND gateway = %(gateway)s AND next_step_at > statement_timestamp()
)
SELECT due.id
FROM (SELECT id FROM partners_partner WHERE (SELECT count FROM speaking) < %(of_one_gateway)s) AS partner
CROSS JOIN LATERAL (
    SELECT claim.id
    FROM claims_claim AS claim JOIN sessions_app_session AS session ON session.id = claim.session_id
    WHERE claim.partner_id = partner.id AND step = 'send' AND gateway = %(gateway)s
    AND next_step_at <= statement_timestamp()
    AND lower(coalesce(nullif(session.payer_id, ''), session.payer_name)) NOT IN (SELECT payer FROM busy)
    ORDER BY next_step_at LIMIT 1
) AS due
ORDER BY random() LIMIT 1
"""
"""Any partner's longest waiting claim: one partner's many don't keep another's few waiting.

Nor does a payer, by its ID or else its name, whose claims take long or fail: two of them may be on their way,
or wait after such a try, at a time. A claim that fails for long is no sign of its payer's health any more.
Nothing is begun while all processes but two speak to this clearinghouse, so that another one's find somebody.
"""


@dataclass(frozen=True, slots=True)
class Lease:
    """Claims of one interchange that this worker alone may hand over now."""

    token: UUID
    gateway: str
    submission: Submission
    ask_first: bool
    is_proven: bool
    """An answer has said meanwhile that it is there."""


def send(gateway_name: str) -> bool:
    """Hand over what is due at one clearinghouse, one interchange of it; False when nothing was."""
    lease = _take(gateway_name)
    if lease is None:
        return False
    started = perf_counter()
    try:
        answer = _hand_over(lease)
    except ClearinghouseError as error:
        failure = error
    except Exception as error:
        # A fault of ours, or the task's time is over: perhaps it is there.
        failure = ClearinghouseError(type(error).__name__, outcome=Outcome.UNKNOWN)
    else:
        outcome = "taken" if isinstance(answer, Receipt) else "refused"
        claims = _insist(lambda: _record_answer(lease, answer))
        _tell(lease, claims, outcome=outcome, started=started)
        return True
    claims = _insist(lambda: _record_failure(lease, failure))
    _tell(lease, claims, outcome=failure.outcome, started=started, error=failure.code)
    return True


def gateways_with_work() -> list[str]:
    """The clearinghouses for which a claim is due."""
    due = Claim.objects.filter(step=Claim.Step.SEND, next_step_at__lte=Now())
    return list(due.values_list("gateway", flat=True).distinct().order_by())


def _insist(record: Callable[[], list[Claim]]) -> list[Claim]:
    """What came of a hand-over must not be lost to a database that is away for a moment."""
    for pause in PAUSES_TO_RECORD:
        try:
            return record()
        except (DatabaseError, InterfaceError) as error:
            if connection.in_atomic_block or not is_outage(error):
                raise
            connection.close()
            time.sleep(pause)
    return record()


def _take(gateway_name: str) -> Lease | None:
    """Lease due claims that go out together, writing their interchange if they have none yet."""
    with transaction.atomic():
        chosen = _next_due(gateway_name)
        if chosen is None:
            return None
        try:
            with transaction.atomic():
                return _lease(chosen)
        except DatabaseError:
            raise
        except Exception as error:
            log.error("claim can't be written", **Claim.trace_of(chosen.pk), error=type(error).__name__)
            _put_aside(chosen, error)
            return None


def _lease(chosen: Claim) -> Lease:
    transmission = open_transmission(chosen) if chosen.status in UNSETTLED else None
    first_time = transmission is None
    ask_first = False
    if transmission is None:
        begun = claims = _companions(chosen)
        transmission = write_transmission(claims)
    else:
        ask_first = begin_attempt(transmission)
        claims = claims_inside(transmission)
        here = [each for each in claims if each.step == Claim.Step.SEND and each.status in UNSETTLED]
        # One that went into another interchange since has the larger number.
        begun = [each for each in here if each.times_sent == chosen.times_sent]
    lease = Lease(
        token=uuid4(),
        gateway=chosen.gateway,
        ask_first=ask_first,
        is_proven=transmission.handed_over_at is not None,
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
    lifecycle.begin_dispatch(begun, lease=lease.token, first_time=first_time)
    if chosen.status == ClaimStatus.DISPATCHING and chosen.attempts >= ATTEMPTS_BEFORE_STAFF:
        words = "Handing the claim over was broken off again and again, and nobody knows by what."
        item = Item(queue=WorkItem.Queue.TRANSPORT, reason="broken off", summary=words)
        work_queue.put_items([(item, claim) for claim in begun])
    return lease


def _put_aside(chosen: Claim, error: Exception) -> None:
    """Of several that can't be written each is tried by itself at once; one that fails alone is shown."""
    if not chosen.times_sent and len(together := _companions(chosen)) > 1:
        _put_back(together, wait=timedelta(0), alone=True)
        return
    words = f"The claim could not be written as it must be to leave: {type(error).__name__}."
    lifecycle.record_failure(
        [chosen],
        status=ClaimStatus(chosen.status),
        wait=_backoff(chosen.attempts + 1),
        alone=True,
        item=Item(queue=WorkItem.Queue.TRANSPORT, reason=type(error).__name__, summary=words),
    )
    Claim.objects.filter(pk=chosen.pk).update(attempts=chosen.attempts + 1)


def _next_due(gateway_name: str) -> Claim | None:
    processes = settings.GATEWAY_PROCESSES * max(heartbeats.living("gateways"), 1)
    with connection.cursor() as cursor:
        cursor.execute(TAKE_TURNS, [gateway_name])
        cursor.execute(
            NEXT_DUE,
            {
                "gateway": gateway_name,
                "early": ATTEMPTS_BEFORE_STAFF,
                "of_one_payer": OF_ONE_PAYER,
                "of_one_gateway": max(processes - LEFT_TO_OTHERS, 1),
            },
        )
        row = cursor.fetchone()
    if row is None:
        return None
    due = Claim.objects.filter(pk=row[0], step=Claim.Step.SEND, next_step_at__lte=Now())
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
        next_step_at__lte=Now(),
    ).exclude(pk=chosen.pk)
    return [chosen, *others.order_by("next_step_at").select_for_update(skip_locked=True)[: room - 1]]


def _hand_over(lease: Lease) -> Receipt | Refusal:
    """Speak to the clearinghouse; an outcome that is still unknown is asked about first."""
    if lease.is_proven:
        return Receipt(reference="", mode=mode_of(lease.submission.usage))
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
            **claim.trace,
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
        if isinstance(answer, Receipt):
            inbound.store(lease.gateway, answer.inbound)
        claims = _still_ours(lease, taken=isinstance(answer, Receipt))
        if not claims:
            return []
        now, proven = timezone.now(), _is_proven(lease)
        sent = Transmission.objects.filter(pk=lease.submission.key)
        sent.update(reference=answer.reference, answer=answer.raw_answer, handed_over_at=now)
        if isinstance(answer, Receipt):
            lifecycle.record_receipt(claims, at=now)
        elif len(lease.submission.claims) == 1:
            for claim in claims:
                sentences = [sentence_of(each) for each in answer.errors]
                lifecycle.record_refusal(claim, sentences=sentences, edit=edit_of(answer.errors), at=now)
        elif proven:
            _leave_proven(claims)
        else:
            # Which of them it refuses is told by sending each by itself.
            _put_back(claims, wait=timedelta(0), alone=True)
    return claims


def _record_failure(lease: Lease, error: ClearinghouseError) -> list[Claim]:
    """Try again later; what can never work, or fails for long, is shown to a person."""
    with transaction.atomic():
        claims = _still_ours(lease, taken=False)
        if not claims:
            return []  # somebody else is at it, or knows already
        if _is_proven(lease):
            _leave_proven(claims)
            return claims
        wait, item = _wait(lease, error), _item(lease, error)
        if error.outcome is Outcome.UNKNOWN:
            lifecycle.record_failure(
                claims, status=ClaimStatus.DISPATCH_UNKNOWN, wait=wait, alone=False, item=item
            )
            return claims
        Transmission.objects.filter(pk=lease.submission.key).update(given_up_at=timezone.now())
        _put_back(claims, wait=wait, alone=error.outcome is Outcome.PERMANENT, item=item)
    return claims


def _is_proven(lease: Lease) -> bool:
    """Tell whether an answer has said meanwhile that it is there; whoever asks has locked its claims."""
    return Transmission.objects.filter(pk=lease.submission.key, handed_over_at__isnull=False).exists()


def _leave_proven(claims: Sequence[Claim]) -> None:
    """Whatever the hand-over said, it is there: the next lease finds it so, and sends nothing."""
    status = ClaimStatus.DISPATCH_UNKNOWN
    lifecycle.record_failure(claims, status=status, wait=timedelta(0), alone=False, item=None)


def _put_back(claims: Sequence[Claim], *, wait: timedelta, alone: bool, item: Item | None = None) -> None:
    """Certainly not taken: the claims wait for another interchange, open for correction meanwhile."""
    lifecycle.record_failure(claims, status=ClaimStatus.QUEUED, wait=wait, alone=alone, item=item)


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


def _still_ours(lease: Lease, *, taken: bool) -> list[Claim]:
    """The claims, locked with their sessions' other versions, but for those whose lease ended meanwhile.

    That the clearinghouse has them stays true though another holds the lease; nothing else does, nor does it
    where an answer came in meanwhile that proves that they are there.
    """
    rows = TransmittedClaim.objects.filter(transmission=UUID(lease.submission.key))
    sent = {tuple(row): session for *row, session in rows.values_list("claim", "ordinal", "claim__session")}
    versions = lifecycle.lock_versions(sent.values())
    claims = [each for each in versions if (each.pk, each.times_sent) in sent]
    waiting = {each.pk for each in claims if each.step == Claim.Step.SEND}
    ours = {each.pk for each in claims if each.lease == lease.token}
    unsettled = {each.pk for each in claims if each.status in UNSETTLED}
    wanted = ours | (waiting & unsettled) if taken else ours & waiting
    return [each for each in claims if each.pk in wanted]


def _wait(lease: Lease, error: ClearinghouseError) -> timedelta:
    """As long as the clearinghouse asks, an hour at most, else doubling; the sandbox's time is compressed."""
    if error.retry_after:
        return min(error.retry_after, LONGEST_WAIT)
    backoff = _backoff(lease.submission.attempt)
    return backoff / settings.SANDBOX_SPEED if lease.gateway == gateways.SANDBOX else backoff


def _backoff(attempt: int) -> timedelta:
    wait: timedelta = min(timedelta(seconds=settings.RETRY_SECONDS * 2 ** min(attempt - 1, 10)), LONGEST_WAIT)
    return wait * random.uniform(0.8, 1.2)  # noqa: S311 (spreads retries, keeps no secret)
