"""The staff's queues: items open and close in the transaction that changes what they are about."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from claims.landing import Item
from claims.models import Claim, WorkItem

Queue = WorkItem.Queue


def open_item(item: Item, *, claim: Claim) -> None:
    """Open an item for a session, or bring its open one in that queue up to date."""
    session = claim.session
    WorkItem.objects.bulk_create(
        [
            WorkItem(
                queue=item.queue,
                partner_id=claim.partner_id,
                session_id=claim.session_id,
                reason=item.reason[:40],
                summary=item.summary,
                payer_name=session.payer_name,
                charge=claim.total_charge,
                file_by=claim.file_by,
            )
        ],
        ignore_conflicts=True,
    )
    WorkItem.objects.filter(session_id=claim.session_id, queue=item.queue, closed_at=None).update(
        reason=item.reason[:40], summary=item.summary, file_by=claim.file_by
    )


def close_items(session_ids: Iterable[UUID], *, keep: Q | None = None) -> None:
    """Close what is open for these sessions, apart from what `keep` matches."""
    items = WorkItem.objects.filter(session_id__in=list(session_ids), closed_at=None)
    if keep is not None:
        items = items.exclude(keep)
    items.update(closed_at=timezone.now())
