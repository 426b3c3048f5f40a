"""Sessions that are held go through the checks again: what held them may be mended elsewhere."""

from collections.abc import Sequence

from django.utils import timezone

from claims import bell, lifecycle, timeline
from claims.fold_entries import TimelineEntry
from claims.fold_messages import PRACTICE_OR_THERAPIST
from claims.models import Claim
from claims.signals import ClaimStatus, EventType, SessionStatus
from providers.models import Provider
from sessions_app.models import Session

MESSAGE = "The session is being coded and checked again; there is nothing to do."


def check_again(claims: Sequence[Claim], *, words: str) -> None:
    """Take locked held claims back to their first step, and say on their sessions why."""
    now = timezone.now()
    lifecycle.reopen(claims, at=now)
    sessions = [claim.session_id for claim in claims]
    Session.objects.filter(pk__in=sessions, status=SessionStatus.PROCESSING).update(
        message=MESSAGE, updated_at=now
    )
    timeline.append_many(
        (
            (
                TimelineEntry(EventType.SESSION_UPDATED, SessionStatus(claim.session.status), words),
                claim.partner_id,
                claim.session_id,
            )
            for claim in claims
        ),
        at=now,
    )
    bell.ring_after_commit()


def after_provider_update(provider: Provider, paths: Sequence[str]) -> None:
    """In its transaction: what the practice or a therapist of it held is checked again.

    Requests may not read findings; the session's message says to whom they point.
    """
    held = (
        Claim.objects.select_for_update(of=("self",))
        .select_related("session")
        .filter(
            partner=provider.partner_id,
            status=ClaimStatus.HELD,
            step=Claim.Step.HELD,
            session__provider__practice=provider.practice_id,
            session__message__contains=PRACTICE_OR_THERAPIST,
        )
        .order_by("session_id", "version")
    )
    if claims := list(held):
        check_again(claims, words=f"Corrected by the partner: {', '.join(paths)}.")
