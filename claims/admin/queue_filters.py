"""The filters of a queue: plain query strings, so that a list can be sent to a colleague."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from claims.models import WorkItem
from claims.work_list import asleep, awake, last_due_day

if TYPE_CHECKING:
    from django.contrib.auth.models import User

AGES = (("1", "over 1 day"), ("7", "over 7 days"), ("30", "over 30 days"), ("90", "over 90 days"))
SHOWN = ("", "mine", "nobody", "due", "snoozed")


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a filter."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is narrowed to; an odd value narrows to nothing of its kind."""

    show: str = ""
    payer: str = ""
    partner: str = ""
    reason: str = ""
    age: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "Filters":
        """Read a query string; what is too long or unknown is left out."""
        taken = {name: query.get(name, "")[:80].replace("\x00", "") for name in cls.__slots__}
        if taken["show"] not in SHOWN:
            taken["show"] = ""
        if taken["age"] not in dict(AGES):
            taken["age"] = ""
        return cls(**taken)

    def query(self, **changes: str) -> str:
        """Write the query string with these changes, without what is empty."""
        values = {name: changes.get(name, getattr(self, name)) for name in self.__slots__}
        return urlencode({name: value for name, value in values.items() if value})

    def narrow(self, items: QuerySet[WorkItem], *, user: "User") -> QuerySet[WorkItem]:
        """Apply them."""
        items = items.filter(asleep() if self.show == "snoozed" else awake())
        shown = {
            "mine": Q(assignee=user),
            "nobody": Q(assignee=None),
            "due": Q(file_by__lte=last_due_day()),
        }
        items = items.filter(shown.get(self.show, Q()))
        if self.payer:
            items = items.filter(payer_name=self.payer)
        if self.partner:
            items = items.filter(partner__slug=self.partner)
        if self.reason:
            items = items.filter(reason=self.reason)
        if self.age:
            items = items.filter(opened_at__lt=timezone.now() - timedelta(days=int(self.age)))
        return items


def choices(items: QuerySet[WorkItem], filters: Filters) -> dict[str, list[Choice]]:
    """What the filters of this list can be set to, from one grouped query."""
    rows = items.values_list("payer_name", "partner__slug", "partner__name", "reason").annotate(Count("id"))
    payers, partners, reasons = set(), {}, set()
    for payer, slug, name, reason, _ in rows.order_by():
        payers.add(payer)
        partners[slug] = name
        reasons.add(reason)
    return {
        "payer": [Choice(each, each, each == filters.payer) for each in sorted(payers) if each],
        "partner": [
            Choice(slug, name, slug == filters.partner)
            for slug, name in sorted(partners.items(), key=lambda pair: pair[1] or "")
            if slug
        ],
        "reason": [Choice(each, each, each == filters.reason) for each in sorted(reasons) if each],
        "age": [Choice(value, words, value == filters.age) for value, words in AGES],
    }
