"""Claim rules that elsewhere only warn and hold the claims of one payer: a billing lead says so."""

from collections.abc import Mapping

from django.db import transaction

from billing.models import Payer, PayerProfile
from billing.rules.registry import CATALOGUE, Severity

CAN_BE_HELD = frozenset(rule.id for rule in CATALOGUE if Severity.WARN in rule.severities)


class NotAWarning(Exception):
    """No such rule, or one that never warns."""


def hold_for(payer: Payer, *, rule: str) -> None:
    """From now on what this rule warns of holds the payer's claims; those that are checked already stay."""
    if rule not in CAN_BE_HELD:
        raise NotAWarning
    _write(payer, rule, holds=True)


def warn_for(payer: Payer, *, rule: str) -> None:
    """Let the rule only warn again, as it does for every other payer."""
    _write(payer, rule, holds=False)


def payers_by_held_rule() -> Mapping[str, list[Payer]]:
    """By rule, the payers whose claims its warnings hold, by name."""
    found: dict[str, list[Payer]] = {}
    profiles = PayerProfile.objects.exclude(held_rules=[]).select_related("payer")
    for profile in profiles.order_by("payer__name"):
        for rule in profile.held_rules:
            found.setdefault(rule, []).append(profile.payer)
    return found


@transaction.atomic
def _write(payer: Payer, rule: str, *, holds: bool) -> None:
    Payer.objects.select_for_update().get(pk=payer.pk)  # whoever saves its page writes the whole profile
    profile, _ = PayerProfile.objects.get_or_create(payer=payer)
    others = {each for each in profile.held_rules if each != rule}
    profile.held_rules = sorted(others | {rule} if holds else others)
    profile.save(update_fields=["held_rules", "updated_at"])
