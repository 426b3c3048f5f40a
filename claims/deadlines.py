"""The last days to file of open work follow the payers' limits, which staff correct."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import (
    Case,
    DateField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce

from billing.models import Payer, PayerProfile
from billing.payers.matching import match_payers
from claims.assignment import at_most
from claims.models import Claim, WorkItem

AT_ONCE = 500


def follow_limits() -> int:
    """Move what the limits of today put on another day; how many items that are."""
    moved, last = 0, 0
    elsewhere = _elsewhere()
    while batch := list(elsewhere.filter(pk__gt=last).values_list("pk", "session")[:AT_ONCE]):
        moved += _move(dict(batch), elsewhere)
        last = batch[-1][0]
    return moved


def _elsewhere() -> QuerySet[Any]:
    """Open items with a last day, and `day`, on which their payer's limit ends, where that is another."""
    dated = WorkItem.objects.filter(closed_at=None, file_by__isnull=False)
    limits = PayerProfile.objects.filter(payer__payer_id=OuterRef("session__payer_id"))
    days = Coalesce(Subquery(limits.values("timely_filing_days")[:1]), _days_of_others(dated))
    day = ExpressionWrapper(F("session__date_of_service") + days, output_field=DateField())
    with_day = dated.annotate(day=day)
    return with_day.filter(day__isnull=False).exclude(file_by=F("day")).order_by("pk")


def _days_of_others(items: QuerySet[Any]) -> Case:
    """The limits for sessions that name their payer without its ID, or write the ID in another way."""
    written = ~Exists(Payer.objects.filter(payer_id=OuterRef("session__payer_id")))
    named = set(items.filter(written).values_list("session__payer_name", "session__payer_id").distinct())
    by_days = defaultdict(list)
    for session, (_, payer) in match_payers(named).items():
        profile = getattr(payer, "profile", None)
        if profile is not None and profile.timely_filing_days is not None:
            by_days[profile.timely_filing_days].append(session)
    return Case(
        *(
            When(
                Q(session__payer_id="", session__payer_name__in=[name for name, sent in sessions if not sent])
                | Q(session__payer_id__in=[sent for _, sent in sessions if sent]),
                then=days,
            )
            for days, sessions in by_days.items()
        ),
        output_field=IntegerField(),
    )


def _move(sessions: dict[int, UUID], elsewhere: QuerySet[Any]) -> int:
    """Move these items, of these sessions; where somebody works on a version now, it comes the next time."""
    with transaction.atomic():
        versions = Claim.objects.filter(session__in=set(sessions.values())).order_by("session_id", "version")
        locked = versions.only("session_id", "file_by").select_for_update(of=("self",), skip_locked=True)
        claims = list(locked)
        busy = versions.exclude(pk__in=[claim.pk for claim in claims]).values_list("session", flat=True)
        still = elsewhere.filter(pk__in=sessions).exclude(session__in=list(busy))
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
