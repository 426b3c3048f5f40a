"""Remittances that staff typed because no 835 came: they count until the payer's own word is there."""

from collections.abc import Iterable, Sequence

from claims.fold.amounts import (
    BEHIND_ANOTHER,
    PAID_BEFORE,
    REVERSAL,
    can_be_split,
    denies_duplicate,
    is_adjudication,
    paid_by,
    with_lines,
)
from claims.fold.by_line import Payment, alone, same_lines, split
from claims.fold.payments import could_end, pair_reversals, taken_from
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
    """Leave out what staff typed and the payer has said itself since, line by line.

    An 835 that adds to a payment, or only denies a duplicate, speaks of a decision before it: of the typed
    one, where there is no other. One that came after a reversal of what was typed is its correction; and what
    was typed after a reversal that left nothing of one is the correction of that.
    """
    known = list(signals)
    told = [each for each in known if not each.origin]
    typed = [each for each in known if each.origin]
    return [left for each in known for left in ([each] if not each.origin else _untold_of(each, told, typed))]


def _untold_of(one: Signal, told: Sequence[Signal], typed: Sequence[Signal]) -> list[Signal]:
    """What was typed of lines on which no 835 decides between the same reversals; empty where there is none.

    One that names none of the lines as they were typed decides on all of them.
    """
    left: Payment | None = alone(one)
    for decision in _decisions_on(one, told, typed):
        if not same_lines(alone(one), alone(decision)):
            return []
        for part in _by_line(decision):
            if left is not None and _decides(part, one) and same_lines(left, alone(part)):
                left = split(left, alone(part))[1]
    return list(left.parts) if left is not None else []


def _by_line(decision: Signal) -> list[Signal]:
    return [with_lines(decision, [line]) for line in decision.lines] if can_be_split(decision) else [decision]


def _decisions_on(one: Signal, told: Sequence[Signal], typed: Sequence[Signal]) -> list[Signal]:
    """The decisions of 835s between the same reversals as what was typed."""
    behind = {each.source for each in told if _is_behind(each, one)}
    reversals = [each for each in told if each.claim_status_code == REVERSAL and each.source not in behind]
    decisions = [each for each in told if is_adjudication(each) and _decides(each, one)]
    _, left = pair_reversals(decisions, sorted(reversals, key=lambda each: each.effective_date))
    standing = {each.natural_key for each in left}
    stated = (*decisions, *typed)
    after = [each for each in reversals if _is_after(one, each, stated)]
    found = []
    for decision in decisions:
        after_decision = [each for each in reversals if _is_after(decision, each, stated)]
        is_later = any(each not in after for each in after_decision)
        is_earlier = any(each not in after_decision for each in after)
        if not is_later and (decision.natural_key in standing or not is_earlier):
            found.append(decision)
    return found


def _is_after(decision: Signal, reversal: Signal, stated: Sequence[Signal]) -> bool:
    """Tell whether a decision came after a reversal: on its day, unless that takes back just this."""
    if decision.effective_date != reversal.effective_date:
        return decision.effective_date > reversal.effective_date
    earlier = [each for each in stated if could_end(reversal, each)]
    alike = [each for each in earlier if paid_by(taken_from(each, reversal)[0]) == -paid_by(reversal)]
    first = min((each.effective_date for each in alike), default=decision.effective_date)
    return decision not in alike or first < decision.effective_date


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
