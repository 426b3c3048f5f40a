"""Remittances that staff typed because no 835 came: they count until the payer's own word is there."""

from collections.abc import Iterable, Sequence

from claims.fold.amounts import (
    BEHIND_ANOTHER,
    PAID_BEFORE,
    REVERSAL,
    denies_duplicate,
    is_adjudication,
    paid_by,
)
from claims.fold.payments import could_end, pair_reversals
from claims.signals import Adjustment, Signal

ANOTHER_PAID = "23"
"""The adjustment reason of what another insurer, before this one, paid and took off."""
ORIGINS = {
    "paper": "the payer's letter",
    "phone": "a call to the payer",
    "portal": "the payer's portal",
}
"""From where staff have what they type: the words for the timeline."""


def counting(signals: Iterable[Signal]) -> list[Signal]:
    """Leave out what staff typed and the payer has said itself since."""
    known = list(signals)
    told = [each for each in known if not each.origin]
    return [each for each in known if not each.origin or not is_told(each, told)]


def is_told(typed: Signal, told: Sequence[Signal]) -> bool:
    """Tell whether an 835 decides on what was typed.

    One that adds to a payment, or only denies a duplicate, speaks of a decision before it: of the typed one,
    where there is no other. So does a reversal that none of those that came can be meant by, or that finds
    them all taken back before what was typed.
    """
    decisions = [each for each in told if is_adjudication(each) and _decides(each, typed)]
    behind = {each.source for each in told if _is_behind(each, typed)}
    reversals = [each for each in told if each.claim_status_code == REVERSAL and each.source not in behind]
    since = [each for each in reversals if each.effective_date >= typed.effective_date]
    if not all(any(could_end(each, decision) for decision in decisions) for each in since):
        return False
    ended, left = pair_reversals(decisions, sorted(reversals, key=lambda each: each.effective_date))
    return any(each.reversal in since for each in ended) if since else bool(left)


def _decides(remittance: Signal, typed: Signal) -> bool:
    return not (_adds(remittance) or denies_duplicate(remittance) or _is_behind(remittance, typed))


def _is_behind(remittance: Signal, typed: Signal) -> bool:
    """Tell whether another insurer says it, which counts what was paid before it or pays nothing itself."""
    counts_another = any(
        each.reason == ANOTHER_PAID and each.amount > 0 for each in remittance.every_adjustment
    )
    is_behind = remittance.claim_status_code in BEHIND_ANOTHER
    leaves_it = counts_another or not paid_by(remittance)
    return is_behind and leaves_it and not _is_theirs(remittance, typed)


def _adds(remittance: Signal) -> bool:
    """Tell whether it says of all that it pays that it was paid before."""
    paying = [line for line in remittance.lines if line.paid > 0]
    return _says_before(remittance.every_adjustment) and (
        _says_before(remittance.adjustments) or all(_says_before(line.adjustments) for line in paying)
    )


def _says_before(adjustments: Iterable[Adjustment]) -> bool:
    return any(each.reason == PAID_BEFORE and each.amount > 0 for each in adjustments)


def _is_theirs(remittance: Signal, typed: Signal) -> bool:
    number = remittance.payer_control_number
    is_named = remittance.payer_name.upper() == typed.payer_name.upper()
    return remittance.source == typed.source or is_named or number == typed.payer_control_number != ""
