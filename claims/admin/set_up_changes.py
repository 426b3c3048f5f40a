"""Changes of the set-up in words: who did what to which partner, key, rate, payer or person."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from django.contrib.auth.models import Group, User
from django.db.models import Model

from billing.models import Payer
from claims.models import SetUpChange
from partners.models import Partner
from providers.models import ChargeSchedule, Practice

KINDS = {
    "partners_partner": "partner",
    "partners_apikey": "API key",
    "providers_practice": "practice",
    "providers_provider": "provider",
    "providers_chargeschedule": "charge schedule",
    "providers_chargerate": "charge rate",
    "billing_payer": "payer",
    "billing_payeralias": "payer alias",
    "billing_payerprofile": "payer profile",
    "billing_codesetrelease": "code set",
    "billing_npirecord": "NPI record",
    "providers_enrollment": "enrollment",
    "auth_user": "member of staff",
    "auth_user_groups": "role",
    "claims_authenticator": "second factor",
    "claims_unconfirmed": "account that one administrator set up",
    "otp_totp_totpdevice": "second factor",  # as the table was once
}
OF_A_PERSON = ("auth_user_groups", "claims_authenticator", "claims_unconfirmed", "otp_totp_totpdevice")
"""Tables whose rows are named by the person that they belong to."""
BY = "by_id"
"""The column that is the key of a person."""
REFERENCES: Mapping[type[Model], Collection[tuple[str, str]]] = {
    Partner: {("", "partner_id")},
    Practice: {("", "practice_id")},
    ChargeSchedule: {("", "schedule_id")},
    Payer: {
        (table, "payer_id")
        for table in ("providers_enrollment", "billing_payeralias", "billing_payerprofile")
    },
}
"""The columns that are keys of what has a name, by table; no table: of any."""
DAYS = re.compile(r"\[(\d{4}-\d\d-\d\d)?,(\d{4}-\d\d-\d\d)?\)")
Names = dict[tuple[str, str], str]
FEW = 3
"""More of one kind in one go are one line."""
LONGEST = 80
HIDDEN = "…"
"""What the trigger writes in place of a secret."""


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One line: who did what, and each field before and after; of what was added or removed, what it says."""

    at: datetime
    user: User | None
    did: str
    of: str
    fields: Sequence[tuple[str, str, str]] = field(default=())


def in_words(rows: Sequence[SetUpChange]) -> list[ChangeLine]:
    """Tell rows, the newest first; what one import did many times is told once."""
    names = _names(rows)
    lines: list[ChangeLine] = []
    for _, together in groupby(rows, key=lambda row: (row.at, row.user_id, row.table_name, row.what)):
        alike = list(together)
        first = alike[0]
        kind = KINDS.get(first.table_name, first.table_name)
        if len(alike) > FEW:
            lines.append(ChangeLine(first.at, first.user, first.get_what_display(), f"{len(alike)} {kind}s"))
            continue
        lines += [_line(row, kind, names) for row in alike]
    return lines


def _line(row: SetUpChange, kind: str, names: Names) -> ChangeLine:
    name = names.get((row.table_name, row.name), row.name)
    if row.table_name == "auth_user_groups":
        group = str((row.was or row.became).get("group_id") or row.became.get("group_id"))
        return ChangeLine(
            row.at, row.user, row.get_what_display(), f"role {names.get(('role', group), group)} of {name}"
        )
    told = _changed if row.what == SetUpChange.What.CHANGED else _whole
    return ChangeLine(row.at, row.user, row.get_what_display(), f"{kind} {name}", list(told(row, names)))


def _changed(row: SetUpChange, names: Names) -> Iterator[tuple[str, str, str]]:
    for column, was in row.was.items():
        became = row.became[column]
        yield (
            _title(column),
            "" if was == HIDDEN else _plain(row, column, was, names),
            "a new one" if became == HIDDEN else _plain(row, column, became, names),
        )


def _whole(row: SetUpChange, names: Names) -> Iterator[tuple[str, str, str]]:
    """What an added row says, or a removed one said: what is set in it, apart from keys and its name."""
    added = row.what == SetUpChange.What.ADDED
    for column, value in (row.became if added else row.was).items():
        if value in (None, "", False, HIDDEN, [], {}) or column == "id" or str(value) == row.name:
            continue
        words = _plain(row, column, value, names)
        yield (_title(column), "", words) if added else (_title(column), words, "")


def _title(column: str) -> str:
    return column.removesuffix("_id").replace("_", " ")


def _names(rows: Sequence[SetUpChange]) -> Names:
    """What people call what rows are about or point to."""
    names: Names = {}
    people = {row.name for row in rows if row.table_name in OF_A_PERSON}
    people |= {str(kept[BY]) for row in rows for kept in (row.was, row.became) if kept.get(BY)}
    if people:
        for user in User.objects.filter(pk__in=people):
            names |= {(place, str(user.pk)): user.username for place in (*OF_A_PERSON, BY)}
    if any(row.table_name == "auth_user_groups" for row in rows):
        names |= {("role", str(group.pk)): group.name for group in Group.objects.all()}
    for model, columns in REFERENCES.items():
        keys = {
            str(value)
            for row in rows
            for table, column in columns
            if table in ("", row.table_name)
            for value in (row.was.get(column), row.became.get(column))
            if value
        }
        if keys:
            found = model._default_manager.filter(pk__in=keys).values_list("pk", "name")
            names |= {(model.__name__, str(pk)): name for pk, name in found}
    names |= {
        ("billing_payerprofile", pk): name for (kind, pk), name in list(names.items()) if kind == "Payer"
    }
    return names


def _plain(row: SetUpChange, column: str, value: Any, names: Names) -> str:
    if column == BY:
        return names.get((BY, str(value)), str(value))
    for model, columns in REFERENCES.items():
        if ("", column) in columns or (row.table_name, column) in columns:
            return names.get((model.__name__, str(value)), str(value))
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if isinstance(value, float):  # an amount
        value = f"{value:.2f}"
    if days := DAYS.fullmatch(str(value)):
        value = " ".join(filter(None, [days[1] and f"from {days[1]}", days[2] and f"until before {days[2]}"]))
    return ("none" if value in (None, "") else str(value))[:LONGEST]
