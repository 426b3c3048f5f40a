"""What an answer asks of a person, in words: what it says, and what to do about it."""

from claims.fold.amounts import denied_of
from claims.fold.readings import ReviewKind, ReviewTask
from claims.fold.words import (
    asked_for,
    asks_patient,
    dollars,
    explain_denial,
    provider_adjustment_in_words,
    provider_adjustment_moved,
    provider_adjustment_reason,
    reasons_in_words,
    unanswered,
)
from claims.matching import Doubt
from claims.signals import Signal, SignalKind

TASK_WORDS = {
    ReviewKind.TRANSPORT_ERRORS: "The receiver took our file, but noted errors in it.",
    ReviewKind.CONFLICTING_ANSWERS: "Two answers contradict each other; the claim goes by one of them.",
    ReviewKind.CLAIM_SPLIT: "The payer split the claim in two; each part is answered by itself.",
    ReviewKind.LINE_REFUSED: "The claim was taken, but a line of it was refused.",
    ReviewKind.LINE_DENIED: "The payer allows the claim, but denies a part of it.",
    ReviewKind.CLAIM_NOT_FOUND: "The payer can't find the claim.",
    ReviewKind.INFORMATION_REQUESTED: "The payer asks for more information.",
    ReviewKind.QUESTION_UNANSWERED: "The payer didn't say how the claim stands.",
    ReviewKind.SETTLED_WITHOUT_REMITTANCE: "The payer has settled the claim, and sends no remittance.",
    ReviewKind.UNKNOWN_ANSWER: "An answer came that means nothing to us.",
    ReviewKind.PROVIDER_ADJUSTMENT: "The payer moved money of this claim at the provider's level.",
    ReviewKind.UNEXPECTED_AMOUNT: "The amounts of the remittance don't fit the claim.",
    ReviewKind.ANSWER_BEFORE_DISPATCH: "An answer came to a claim that we have no record of handing over.",
    ReviewKind.EARLIER_VERSION_TAKEN: "A payer has an earlier version of the claim too, and decides on it.",
    ReviewKind.PAYMENT_NOT_RETURNED: "The payer pays nothing now, and its payment hasn't gone back.",
    ReviewKind.PAYMENT_ON_EARLIER_VERSION: "An earlier version of the claim was paid.",
    ReviewKind.PAYMENT_ON_VOIDED_CLAIM: "A voided claim was paid.",
    ReviewKind.VOID_REFUSED: "The payer refused to void the claim.",
}
NEXT_STEPS = {
    ReviewKind.TRANSPORT_ERRORS: "Read the answer raw: what it notes can refuse the next file.",
    ReviewKind.CONFLICTING_ANSWERS: "Ask the payer which of the two counts.",
    ReviewKind.CLAIM_SPLIT: "See that each part is answered.",
    ReviewKind.LINE_REFUSED: "See what the payer decides on the rest, and correct the line then.",
    ReviewKind.LINE_DENIED: "Correct the claim where that helps, else appeal or settle it with the practice.",
    ReviewKind.CLAIM_NOT_FOUND: "Ask the payer, or send it again. Whatever it answers next ends this.",
    ReviewKind.INFORMATION_REQUESTED: (
        "Send the payer what it asks for, or have the patient answer it, and snooze this meanwhile: "
        "its decision ends it."
    ),
    ReviewKind.QUESTION_UNANSWERED: (
        "Correct what the question names wrongly, or ask again later. What the payer answers next ends this."
    ),
    ReviewKind.SETTLED_WITHOUT_REMITTANCE: (
        "Get its decision on paper, by phone or from its portal; a lead posts it (Post a payment), and the "
        "partner sees what was paid and what the patient owes."
    ),
    ReviewKind.UNKNOWN_ANSWER: "Read the answer raw, and ask its sender what it means.",
    ReviewKind.PROVIDER_ADJUSTMENT: "Check it with its remittance, and book it with the practice.",
    ReviewKind.UNEXPECTED_AMOUNT: "Compare it with the claim, and ask the payer where it is wrong.",
    ReviewKind.ANSWER_BEFORE_DISPATCH: "Compare the claim with the clearinghouse's list of what it took.",
    ReviewKind.EARLIER_VERSION_TAKEN: "Void one of the two: as they are, both may be paid.",
    ReviewKind.PAYMENT_NOT_RETURNED: "Ask the payer which counts. A reversal or a recoupment ends this.",
    ReviewKind.PAYMENT_ON_EARLIER_VERSION: (
        "See which version counts: void what another payer paid, or ask the payer which payment goes back."
    ),
    ReviewKind.PAYMENT_ON_VOIDED_CLAIM: "Ask the payer to take its payment back.",
    ReviewKind.VOID_REFUSED: "Ask the payer why: the claim stands until it takes it back.",
}
DOUBT_WORDS = {
    (
        Doubt.PAYEE,
        SignalKind.REMITTANCE,
    ): "An 835 names a claim of ours, and pays somebody who doesn't bill for it.",
    (Doubt.PATIENT, SignalKind.REMITTANCE): "An 835 names a claim of ours, and another patient.",
    (Doubt.PATIENT, SignalKind.CLAIM_ACKNOWLEDGEMENT): "A 277CA names a claim of ours, and another patient.",
    (Doubt.PATIENT, SignalKind.STATUS_INQUIRY): "A 277 names a claim of ours, and another patient.",
}
ENDED_BY_ANSWERS = frozenset(
    {ReviewKind.LINE_REFUSED, ReviewKind.CLAIM_NOT_FOUND, ReviewKind.INFORMATION_REQUESTED}
)
ENDED_BY_PEOPLE = frozenset(kind.value for kind in TASK_WORDS if kind not in ENDED_BY_ANSWERS)
"""Reasons of items that no later answer need end: a person says that they are done."""


def task_in_words(task: ReviewTask, signal: Signal | None, *, payer: str) -> str:
    """What the answer says, with its amounts where it is about money."""
    kind = task.kind
    if task.owed is not None and kind is ReviewKind.PAYMENT_NOT_RETURNED:
        return f"{payer} pays nothing now, and {dollars(task.owed)} of what it paid hasn't gone back."
    if task.owed is not None:
        return f"A voided claim was paid: {payer} has {dollars(task.owed)} to take back."
    if signal is not None and kind is ReviewKind.PROVIDER_ADJUSTMENT:
        return " ".join(provider_adjustment_in_words(each, payer=payer) for each in signal.adjustments)
    if signal is not None and kind is ReviewKind.INFORMATION_REQUESTED:
        if asks_patient(signal.every_status):
            return "The payer waits for what it asked the patient for."
        if asked := asked_for(signal.every_status):
            return f"{payer} asks for more information: {asked}."
    if signal is not None and kind is ReviewKind.QUESTION_UNANSWERED:
        return f"{payer} didn't say how the claim stands: {unanswered(signal.every_status)}."
    if signal is not None and kind is ReviewKind.SETTLED_WITHOUT_REMITTANCE:
        paid = f", by its own words with {dollars(signal.paid)} paid" if signal.paid else ""
        return f"{payer} has settled the claim{paid}, and sends no remittance that says how."
    words = TASK_WORDS[kind]
    if signal is not None and kind is ReviewKind.LINE_DENIED:
        why = reasons_in_words(explain_denial(denied_of(signal), signal.every_remark))
        return f"{words.removesuffix('.')}: {why}."
    if signal is not None and kind is ReviewKind.UNEXPECTED_AMOUNT and signal.paid is not None:
        amount = dollars(abs(signal.paid))
        did = f"took {amount} back" if signal.paid < 0 else f"paid {amount}"
        charged = f" of {dollars(abs(signal.charge))} charged" if signal.charge is not None else ""
        return f"{words} {payer} {did}{charged}."
    return words


def unmatched_in_words(signal: Signal, doubt: Doubt | None = None) -> str:
    """What an answer says that finds no claim of ours, or one that it contradicts."""
    if doubt is not None:
        return DOUBT_WORDS[doubt, signal.kind]
    if signal.kind is not SignalKind.PROVIDER_ADJUSTMENT:
        return f"{_named(signal)} names a claim that we can't find."
    payer = signal.payer_name or "A payer"
    said = [
        f"{provider_adjustment_moved(each, payer=payer)}: {provider_adjustment_reason(each)}."
        for each in signal.adjustments
    ]
    named = "a claim that we can't find" if signal.payer_control_number else "no claim"
    return " ".join([*said, f"It names {named}."])


def mistaken_in_words(signal: Signal) -> str:
    """What an answer says whose match was undone."""
    return f"{_named(signal)} was matched by mistake and names a claim that we can't find."


def _named(signal: Signal) -> str:
    return f"{'An' if signal.kind is SignalKind.REMITTANCE else 'A'} {signal.kind}"


def next_step(reason: str) -> str:
    """What to do about an item with this reason; empty where it is none of these."""
    return next((words for kind, words in NEXT_STEPS.items() if kind.value == reason), "")
