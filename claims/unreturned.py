"""Hand-overs of which nobody knows how they ended, shown to a person until something comes of them."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from claims import gateways, work_queue
from claims.landing import Item
from claims.models import Claim, WorkItem
from claims.signals import UNSETTLED

COMES_BACK_WITHIN = timedelta(seconds=30)
"""So long a hand-over may take before it is shown to a person; with the sweep's period that is a minute."""
MOST_SHOWN = 1_000
"""Tasks of that kind that one sweep opens; the next one goes on."""


def show_unreturned() -> int:
    """Open a task for each hand-over of which nothing has been heard; what comes of it closes the task."""
    listed = WorkItem.objects.filter(
        session=OuterRef("session"), queue=WorkItem.Queue.TRANSPORT, closed_at=None
    )
    silent = Claim.objects.filter(
        ~Exists(listed),
        status__in=UNSETTLED,
        step=Claim.Step.SEND,
        status_changed_at__lt=Now() - COMES_BACK_WITHIN,
    )
    with transaction.atomic():
        locked = silent.select_related("session").select_for_update(of=("self",), skip_locked=True)
        claims = list(locked.order_by("status_changed_at")[:MOST_SHOWN])
        work_queue.open_items((_not_come_back(claim), claim) for claim in claims)
    return len(claims)


def _not_come_back(claim: Claim) -> Item:
    if gateways.gateway(claim.gateway).capabilities.can_find:
        what_then = (
            "It is asked before anything is sent again, next at "
            f"{claim.next_step_at:%H:%M} UTC; as soon as it can tell, the claim goes on by itself."
        )
    else:
        what_then = "It can't be asked about a file that it may have taken: look whether it has this one."
    words = f"It is not known whether {claim.gateway} has the claim. {what_then}"
    return Item(queue=WorkItem.Queue.TRANSPORT, reason="not come back", summary=words)
