"""What the codes of one answer mean by themselves, whatever else is known of its claim, without amounts."""

from collections.abc import Iterator
from dataclasses import replace

from billing.adjustment_words import explain_adjustment, explain_remark
from claims.fold.amounts import PREDETERMINATION, REVERSAL
from claims.fold.claim import fold
from claims.fold.statements import SOME_PAYER, tell
from claims.fold.words import PROVIDER_ADJUSTMENTS, reasons_in_words, with_capital
from claims.signals import MONEY_SIGNALS, Signal, SignalKind, WorkflowState

DECISIONS = {
    "1": "decided as the first insurer",
    "2": "decided as the second insurer",
    "3": "decided as the third insurer",
    "4": "denied",
    "19": "decided as the first insurer and passed on",
    "20": "decided as the second insurer and passed on",
    "21": "decided as the third insurer and passed on",
    "22": "an earlier decision is taken back",
    "23": "not this payer's; passed on to another one",
    "25": "an estimate: nothing is decided or paid",
}
"""CLP02 of an 835."""
UNKNOWN = "a code that we don't know"


def meaning_of(signal: Signal, *, payer: str = "") -> str:
    """Say what an answer says, in a sentence or two."""
    if signal.kind not in MONEY_SIGNALS:
        alone = replace(fold(WorkflowState.SENT, [signal]), deciding=(signal.natural_key,))
        return with_capital(tell(signal, alone, alone, payer=payer or SOME_PAYER)[1])
    if signal.kind is SignalKind.PROVIDER_ADJUSTMENT:
        return with_capital(f"{'; '.join(_provider_level(signal))}.")
    return _decision(signal)


def _provider_level(signal: Signal) -> Iterator[str]:
    """A PLB: what was kept from the payment or added to it."""
    for each in signal.adjustments:
        yield f"{PROVIDER_ADJUSTMENTS.get(each.reason, UNKNOWN)} ({each.reason})"


def _decision(signal: Signal) -> str:
    """An 835: how it was decided, and why not all was paid."""
    decided = with_capital(DECISIONS.get(signal.claim_status_code, UNKNOWN))
    pairs = dict.fromkeys((each.group, each.reason) for each in signal.every_adjustment)
    explained = [explain_adjustment(group, reason) for group, reason in pairs]
    explained += [explain_remark(each) for each in signal.every_remark]
    if not explained:
        return f"{decided}."
    unpaid = signal.claim_status_code not in (REVERSAL, PREDETERMINATION)
    lead = "Not paid in full, because" if unpaid else "The reasons that stand with it:"
    return f"{decided}. {lead} {reasons_in_words(explained)}."
