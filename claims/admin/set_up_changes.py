"""Changes of the set-up in words: who did what to which partner, key, rate, payer or person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from django.contrib.auth.models import Group, User

from billing.models import Payer
from claims.models import SetUpChange

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
    "otp_totp_totpdevice": "second factor",
}
FEW = 3
"""More of one kind in one go are one line."""
LONGEST = 80
HIDDEN = "…"
"""What the trigger writes in place of a secret."""


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One line: who did what, and for a change each field before and after."""

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


def _line(row: SetUpChange, kind: str, names: Mapping[tuple[str, str], str]) -> ChangeLine:
    name = names.get((row.table_name, row.name), row.name)
    if row.table_name == "auth_user_groups":
        group = str((row.was or row.became).get("group_id") or row.became.get("group_id"))
        return ChangeLine(
            row.at, row.user, row.get_what_display(), f"role {names.get(('role', group), group)} of {name}"
        )
    changed = row.what == SetUpChange.What.CHANGED
    fields = [
        (
            column.removesuffix("_id").replace("_", " "),
            "" if row.was[column] == HIDDEN else _plain(row.was[column]),
            "a new one" if row.became[column] == HIDDEN else _plain(row.became[column]),
        )
        for column in (row.was if changed else ())
    ]
    return ChangeLine(row.at, row.user, row.get_what_display(), f"{kind} {name}", fields)


def _names(rows: Sequence[SetUpChange]) -> dict[tuple[str, str], str]:
    """What people call the payers and persons that rows are about."""
    names: dict[tuple[str, str], str] = {}
    people = {row.name for row in rows if row.table_name in ("auth_user_groups", "otp_totp_totpdevice")}
    if people:
        for user in User.objects.filter(pk__in=people):
            names["auth_user_groups", str(user.pk)] = user.username
            names["otp_totp_totpdevice", str(user.pk)] = user.username
    if any(row.table_name == "auth_user_groups" for row in rows):
        names |= {("role", str(group.pk)): group.name for group in Group.objects.all()}
    if payers := {row.name for row in rows if row.table_name == "billing_payerprofile"}:
        named = Payer.objects.filter(pk__in=payers).values_list("pk", "name")
        names |= {("billing_payerprofile", str(pk)): name for pk, name in named}
    return names


def _plain(value: Any) -> str:
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    return ("none" if value in (None, "") else str(value))[:LONGEST]
