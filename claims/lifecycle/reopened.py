"""Held claims that go through the checks again, many at once."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F

from claims import work_queue
from claims.models import Claim
from claims.signals import ClaimStatus


def reopen_held(claims: Sequence[Claim], *, at: datetime) -> None:
    """Put locked held claims back to their first step; their correction windows stay as they are."""
    Claim.objects.filter(pk__in=[claim.pk for claim in claims]).update(
        step=Claim.Step.CODE,
        status=ClaimStatus.QUEUED,
        status_changed_at=at,
        next_step_at=at,
        last_updated_at=at,
        revision=F("revision") + 1,
        attempts=0,
    )
    work_queue.close_items([claim.session_id for claim in claims])
