"""The last days to file of open work follow the payers' limits, which staff correct."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import DateField, ExpressionWrapper, F, OuterRef, QuerySet, Subquery

from billing.models import PayerProfile
from claims.assignment import at_most
from claims.models import Claim, WorkItem

AT_ONCE = 500


def follow_limits() -> int:
    """Move what the limits of today put on another day; how many items that are."""
    moved, last = 0, 0
    while batch := list(_elsewhere().filter(pk__gt=last).values_list("pk", "session")[:AT_ONCE]):
        moved += _move(dict(batch))
        last = batch[-1][0]
    return moved


def _elsewhere() -> QuerySet[Any]:
    """Open items with a last day, and `day`, on which their payer's limit ends, where that is another."""
    limits = PayerProfile.objects.filter(payer__payer_id=OuterRef("session__payer_id"))
    days = Subquery(limits.values("timely_filing_days")[:1])
    day = ExpressionWrapper(F("session__date_of_service") + days, output_field=DateField())
    with_day = WorkItem.objects.filter(closed_at=None, file_by__isnull=False).annotate(day=day)
    return with_day.filter(day__isnull=False).exclude(file_by=F("day")).order_by("pk")


def _move(sessions: dict[int, UUID]) -> int:
    """Move these items, of these sessions; where somebody works on a version now, it comes the next time."""
    with transaction.atomic():
        versions = Claim.objects.filter(session__in=set(sessions.values())).order_by("session_id", "version")
        locked = versions.only("session_id", "file_by").select_for_update(of=("self",), skip_locked=True)
        claims = list(locked)
        busy = versions.exclude(pk__in=[claim.pk for claim in claims]).values_list("session", flat=True)
        still = _elsewhere().filter(pk__in=sessions).exclude(session__in=list(busy))
        items = list(still.select_for_update(of=("self",)))
        days = {item.session_id: item.day for item in items}
        for item in items:
            item.file_by = item.day
            if item.snoozed_until is not None:
                item.snoozed_until = at_most(item.snoozed_until, file_by=item.day)
        claims = [claim for claim in claims if claim.file_by is not None and claim.session_id in days]
        for claim in claims:
            claim.file_by = days[claim.session_id]
        WorkItem.objects.bulk_update(items, ["file_by", "snoozed_until"])
        Claim.objects.bulk_update(claims, ["file_by"])
        return len(items)
