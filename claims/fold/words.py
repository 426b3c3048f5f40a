"""Reasons and amounts in plain words, for the timeline and for a session's message."""

from collections.abc import Iterable
from decimal import Decimal

from billing.adjustment_words import (
    Explanation,
    WhoActs,
    explain_adjustment,
    explain_remark,
    explain_status,
)
from claims.fold.readings import ACCEPTING_CATEGORIES, AWAITED_OF_PATIENT, PASSED_ON
from claims.signals import Adjustment, StatusCode
from claims.x12.statuses import REJECTED_CATEGORIES

MOST_REASONS = 2
ASK_THE_PATIENT = "Ask the patient"
"""How it is said what only the patient can do, where that is not to pay."""
NOT_A_REASON = frozenset({"16", "31", "45", "A1", "MA130"})
"""Adjustment reasons and remarks that say no more than that the patient isn't known, or nothing of why."""
LEAVES_IT_TO_OTHERS = frozenset({"", "0", "21"})
"""Status codes that say no more than that something is wrong."""
PROVIDER_ADJUSTMENTS = {
    "72": "a refund that the practice had offered",
    "90": "an early payment's allowance",
    "AM": "an amount applied to a debt",
    "AP": "an advance payment brought to account",
    "B2": "a rebate",
    "CS": "a correction of an earlier payment",
    "FB": "a balance carried over from or to another payment",
    "IR": "tax withheld",
    "J1": "an amount that is not paid out",
    "L3": "a penalty",
    "L6": "interest owed for late payment",
    "LE": "a levy",
    "WO": "an earlier overpayment that it recovers",
    "WU": "money recovered after a correction",
}


def dollars(amount: Decimal) -> str:
    """Write an amount as people read it."""
    return f"{'-' if amount < 0 else ''}${abs(amount):,.2f}"


def not_returned(amount: Decimal) -> str:
    """Say what is left of the payments of a claim that nothing is paid for; empty where that is nothing."""
    if amount <= 0:
        return ""
    return f" {dollars(amount)} of what it paid hasn't gone back; billing staff look into it."


def with_capital(text: str) -> str:
    """Begin with a capital letter, and leave the rest as it is."""
    return text[:1].upper() + text[1:]


def explain_denial(reasons: Iterable[Adjustment], remarks: Iterable[str]) -> list[Explanation]:
    """Explain why a payer did not pay; a remark only where it says more than the reason."""
    explained = [explain_adjustment(each.group, each.reason) for each in reasons][:MOST_REASONS]
    noted = [each for each in (explain_remark(remark) for remark in remarks) if each.known]
    return explained + noted[:MOST_REASONS]


def knows_the_patient(reasons: Iterable[Adjustment], remarks: Iterable[str]) -> bool:
    """Tell whether a denial gives a reason that has to do with a patient whom the payer knows.

    Payers also write CLP02 4, which is for one whom they don't, on any other denial.
    """
    told = [
        explain_adjustment(each.group, each.reason) for each in reasons if each.reason not in NOT_A_REASON
    ]
    noted = [explain_remark(each) for each in remarks if each not in NOT_A_REASON]
    acting = (WhoActs.PARTNER, WhoActs.WE, WhoActs.PATIENT)
    return any(each.known for each in told) or any(each.known and each.who_acts in acting for each in noted)


def refusing(statuses: Iterable[StatusCode]) -> list[StatusCode]:
    """The codes that refuse a claim before adjudication; last those that leave the reason to others."""
    given = [each for each in statuses if each.category not in (*ACCEPTING_CATEGORIES, PASSED_ON)]
    stated = [each for each in given if each.category in REJECTED_CATEGORIES] or given
    return sorted(stated, key=lambda each: each.status in LEAVES_IT_TO_OTHERS)


def explain_rejection(statuses: Iterable[StatusCode]) -> list[Explanation]:
    """Explain why a claim was refused before adjudication."""
    first = refusing(statuses)[:MOST_REASONS]
    return [explain_status(each.category, each.status, each.entity) for each in first]


def asks_patient(statuses: Iterable[StatusCode]) -> bool:
    """Tell whether the payer waits for what it asked the patient."""
    return any(each.category == AWAITED_OF_PATIENT for each in statuses)


def reasons_in_words(explanations: Iterable[Explanation]) -> str:
    """Join explanations to one clause, each with its code; empty where there is none."""
    return "; ".join(
        f"{each.words} ({each.code})" if each.known else f"{each.context or 'reason'} ({each.code})"
        for each in explanations
    )


def asked_for(statuses: Iterable[StatusCode]) -> str:
    """What a payer that asks for more wants to know, as a clause with its codes."""
    asking = [each for each in statuses if each.category.upper().startswith("R")]
    explained = [explain_status(each.category, each.status, each.entity) for each in asking]
    return reasons_in_words(explained[:MOST_REASONS])


def unanswered(statuses: Iterable[StatusCode]) -> str:
    """Why a payer that was asked couldn't answer, as a clause with its codes."""
    failed = [each for each in statuses if each.category.upper().startswith("E")]
    explained = [explain_status(each.category, each.status, each.entity) for each in failed]
    return "; ".join(f"{each.context or 'reason'} ({each.code})" for each in explained)


def remedy(explanations: Iterable[Explanation]) -> str:
    """Say what the partner can do about it, or that there is nothing to do."""
    explained = list(explanations)
    first = next((each for each in explained if each.who_acts is WhoActs.PARTNER), None)
    if first is not None:
        return f"What usually helps: {first.fix} Tell billing staff what you find out."
    if is_for_patient(explained):
        return explained[0].fix
    asked = [each.fix for each in explained if each.who_acts is WhoActs.PATIENT]
    if first_asked := next((fix for fix in asked if fix.startswith(ASK_THE_PATIENT)), None):
        return f"{first_asked} Billing staff take care of the rest."
    return "Billing staff take care of it. Nothing to do."


def is_for_patient(explanations: Iterable[Explanation]) -> bool:
    """Tell whether a claim was refused for nothing but what its patient pays or settles."""
    acting = {each.who_acts for each in explanations}
    return acting == {WhoActs.PATIENT}


def provider_adjustment_in_words(adjustment: Adjustment, *, payer: str) -> str:
    """Say what a provider-level adjustment kept or added, and why."""
    moved = provider_adjustment_moved(adjustment, payer=payer)
    why = provider_adjustment_reason(adjustment)
    return f"{moved} on account of this claim: {why}. The claim stays as it is."


def provider_adjustment_moved(adjustment: Adjustment, *, payer: str) -> str:
    """Say how much a provider-level adjustment kept or added."""
    did = "kept" if adjustment.amount < 0 else "added"
    of = "from" if adjustment.amount < 0 else "to"
    return f"{payer} {did} {dollars(abs(adjustment.amount))} {of} another payment"


def provider_adjustment_reason(adjustment: Adjustment) -> str:
    """Say why there is a provider-level adjustment, with its code."""
    why = PROVIDER_ADJUSTMENTS.get(adjustment.reason, "an adjustment outside single claims")
    return f"{why} ({adjustment.reason})"
