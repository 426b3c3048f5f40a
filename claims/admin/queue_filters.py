"""The filters of a queue: plain query strings, so that a list can be sent to a colleague."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from billing.adjustment_reasons import GROUPS
from billing.adjustment_words import explain_adjustment, explain_status
from billing.rules.catalogue import CATALOGUE
from claims.models import WorkItem
from claims.work_list import asleep, awake, due, over

if TYPE_CHECKING:
    from django.contrib.auth.models import User

AGES = (("1", "over 1 day"), ("7", "over 7 days"), ("30", "over 30 days"), ("90", "over 90 days"))
NAMED = """
SELECT payer_name, reason, partner.name, partner.slug, {left} FROM ({different}) AS item
LEFT JOIN partners_partner AS partner ON partner.id = item.partner_id
"""
"""Names after the rows that differ are found: they are few, whatever the list's length."""
RULES = {rule.id: rule.title for rule in CATALOGUE}
"""What each rule asks for."""
STATUS = re.compile(r"[A-Z][0-9]{1,2}:[0-9]{1,4}(:[A-Z0-9]+)?")
"""A claim status of a 277: category, status, perhaps the entity that it speaks of."""
COUNTED = "(SELECT count(*) FROM ({}) AS narrowed)"
SHOWN = {
    "": "All",
    "mine": "Mine",
    "nobody": "Nobody's",
    "due": "Due in 14 days",
    "over": "Time to file is over",
    "snoozed": "Snoozed",
}


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

    @property
    def words(self) -> str:
        """What it is narrowed to, for the way back to the list."""
        reason = _said(self.reason) if self.reason.islower() else self.reason
        said = (SHOWN[self.show] if self.show else "", self.payer, self.partner, reason)
        return ", ".join(filter(None, (*said, dict(AGES).get(self.age, ""))))

    def narrow(self, items: QuerySet[WorkItem], *, user: "User") -> QuerySet[WorkItem]:
        """Apply them."""
        items = items.filter(asleep() if self.show == "snoozed" else awake())
        if self.show == "due":
            items = due(items)
        if self.show == "over":
            items = over(items)
        items = items.filter({"mine": Q(assignee=user), "nobody": Q(assignee=None)}.get(self.show, Q()))
        if self.payer:
            items = items.filter(payer_name=self.payer)
        if self.partner:
            items = items.filter(partner__slug=self.partner)
        if self.reason:
            items = items.filter(reason=self.reason)
        if self.age:
            items = items.filter(opened_at__lt=timezone.now() - timedelta(days=int(self.age)))
        return items


def choices(
    items: QuerySet[WorkItem], filters: Filters, *, user: "User"
) -> tuple[dict[str, list[Choice]], int | None]:
    """What the filters of this list can be set to, from what is in it; how much they leave, where any is."""
    different, left = items.order_by().values("payer_name", "partner_id", "reason").distinct(), "NULL"
    statement, values = different.query.sql_with_params()
    if filters.query():
        narrowed, counted = filters.narrow(items, user=user).order_by().values("pk").query.sql_with_params()
        left, values = COUNTED.format(narrowed), (*counted, *values)
    with connection.cursor() as cursor:
        cursor.execute(NAMED.format(different=statement, left=left), values)
        rows = cursor.fetchall()
    payers, reasons = {row[0] for row in rows}, {row[1] for row in rows}
    partners = sorted({(name, slug) for _, _, name, slug, _ in rows if slug})
    count = (rows[0][4] if rows else 0) if filters.query() else None
    return {
        "payer": [Choice(each, each, each == filters.payer) for each in sorted(payers) if each],
        "partner": [Choice(slug, name, slug == filters.partner) for name, slug in partners],
        "reason": sorted(
            (Choice(each, _said(each), each == filters.reason) for each in reasons if each),
            key=lambda choice: choice.words,
        ),
        "age": [Choice(value, words, value == filters.age) for value, words in AGES],
    }, count


def _said(reason: str) -> str:
    """A reason as people read it: in words, with the code of the field or the rule behind them."""
    if reason in RULES:
        return f"Not met: {RULES[reason]} ({reason})"
    if reason.islower():
        return reason.replace("_", " ").capitalize()
    return _explained(reason) or reason


def _explained(reason: str) -> str:
    """What a payer's code means (CO-197, A7:164:IL); empty for one without words."""
    group, dash, carc = reason.rpartition("-")
    if dash and group in GROUPS:
        explained = explain_adjustment(group, carc)
    elif STATUS.fullmatch(reason):
        category, status, *entity = reason.split(":")
        explained = explain_status(category, status, "".join(entity))
    else:
        return ""
    return explained.sentence.removesuffix(".") if explained.known else ""
