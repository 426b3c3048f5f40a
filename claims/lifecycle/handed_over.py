"""Where handing over leaves claims: on their way, with the clearinghouse, refused, or not known."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from claims import timeline, work_queue
from claims.fold.entries import TimelineEntry
from claims.fold.messages import message_for
from claims.landing import Item
from claims.lifecycle.landed import move
from claims.lifecycle.settled import settle
from claims.models import Claim, Transmission
from claims.signals import ClaimStatus, EventType, SessionStatus
from sessions_app.models import Session

ENROLLMENT = re.compile(r"\benroll?(?:ment|ed)\b", re.IGNORECASE)
"""In an edit: nothing of the session is wrong, the provider must enroll with the payer first."""
ENROLL = Item(
    queue=work_queue.Queue.REFUSED,
    reason="enrollment",
    summary="The provider must enroll with the payer first; the session's history has the refusal's words.",
)
BUT_TRANSPORT = ~Q(queue=work_queue.Queue.TRANSPORT)


def begin_dispatch(claims: Sequence[Claim], *, lease: UUID, first_time: bool) -> None:
    """Take the lease on locked claims that are due: from here on a correction gets a 409.

    The database's clock alone says when a lease ends; a worker's own may be wrong.
    """
    ends = Now() + timedelta(seconds=settings.LEASE_SECONDS)
    Claim.objects.filter(pk__in=[claim.pk for claim in claims]).update(
        status=ClaimStatus.DISPATCHING,
        status_changed_at=Now(),
        lease=lease,
        lease_until=ends,
        next_step_at=ends,
        attempts=F("attempts") + 1,
        times_sent=F("times_sent") + (1 if first_time else 0),
    )
    _tell(claims, ClaimStatus.DISPATCHING, at=Now())


def record_receipt(claims: Sequence[Claim], *, at: datetime) -> None:
    """The clearinghouse has the claims: they are locked for good, and their sessions stand as that says.

    Those that an answer has proven to be out already stay as it says.
    """
    Claim.objects.filter(pk__in=[claim.pk for claim in claims]).update(
        step=Claim.Step.FOLLOW,
        submitted_at=Coalesce(F("submitted_at"), at),
        next_step_at=None,
        lease=None,
        lease_until=None,
        last_updated_at=at,
    )
    settled = settle([claim.session_id for claim in claims])
    status_of = {each.session_id: each.outcome.session_status for each in settled}
    timeline.append(((_submitted(claim, status_of[claim.session_id]), claim) for claim in claims), at=at)


def _submitted(claim: Claim, status: SessionStatus) -> TimelineEntry:
    """Tell the hand-over of a claim that was read before it; a void, for one, leaves the session's status."""
    moved = None if claim.session.status == status else status
    return TimelineEntry(EventType.CLAIM_SUBMITTED, "Handed over to the clearinghouse.", moved)


def record_refusal(claim: Claim, *, sentences: Sequence[str], edit: str, at: datetime) -> None:
    """The clearinghouse refused the claim at its door: held, still open for correction.

    `edit` says which of its checks it was, without a word of the claim.
    """
    move(
        Claim.objects.filter(pk=claim.pk),
        step=Claim.Step.HELD,
        status=ClaimStatus.HELD,
        at=at,
        next_step_at=None,
        lease=None,
        lease_until=None,
    )
    words = " ".join(sentences)
    status = SessionStatus(claim.session.status)
    message = message_for(status, ClaimStatus.HELD, findings=sentences)
    Session.objects.filter(pk=claim.session_id).update(message=message, updated_at=at)
    held = TimelineEntry(EventType.SESSION_HELD, f"The clearinghouse refused the claim: {words}", status)
    timeline.append([(held, claim)], at=at)
    work_queue.close_items([claim.session_id], keep=BUT_TRANSPORT)
    work_queue.put_items([(ENROLL if ENROLLMENT.search(words) else _refused(edit), claim)])
    if claim.frequency == Claim.Frequency.VOID:
        settle([claim.session_id])


def _refused(edit: str) -> Item:
    summary = f"The clearinghouse refused the claim ({edit}); the session's history says in which words."
    return Item(queue=work_queue.Queue.REFUSED, reason=edit, summary=summary)


def record_failure(
    claims: Sequence[Claim],
    *,
    status: ClaimStatus,
    wait: timedelta,
    alone: bool,
    item: Item | None,
) -> None:
    """A hand-over failed: not taken (open for correction again), or unknown (locked until it is known)."""
    at = timezone.now()
    move(
        Claim.objects.filter(pk__in=[claim.pk for claim in claims]),
        status=status,
        at=at,
        next_step_at=Now() + wait,
        send_alone=alone,
        lease=None,
        lease_until=None,
    )
    _tell(claims, status, at=at)
    if item:
        work_queue.put_items([(item, claim) for claim in claims])
    elif status is ClaimStatus.QUEUED:
        work_queue.close_items([claim.session_id for claim in claims], keep=BUT_TRANSPORT)


def send_unasked(claims: Sequence[Claim], transmission: Transmission, *, at: datetime) -> None:
    """A person has seen that an interchange never arrived: it goes out as it is, and unasked."""
    Transmission.objects.filter(pk=transmission.pk).update(first_attempt_at=None)
    Claim.objects.filter(pk__in=[claim.pk for claim in claims]).update(next_step_at=at, last_updated_at=at)


def _tell(claims: Sequence[Claim], status: ClaimStatus, *, at: datetime | Now) -> None:
    """Write the message of those sessions whose claims have not been at a payer."""
    Session.objects.filter(
        pk__in=[claim.session_id for claim in claims], status=SessionStatus.PROCESSING
    ).update(message=message_for(SessionStatus.PROCESSING, status), updated_at=at)
