"""What a signal says, in words for the partner, with the type of event that it is."""

from claims.fold.amounts import (
    OTHER_PAYER,
    PREDETERMINATION,
    REVERSAL,
    denies_duplicate,
    is_adjudication,
    owed_by_patient,
    paid_before,
    paid_by,
    reasons_of,
)
from claims.fold.claim import Outcome
from claims.fold.readings import FINAL_BY_INQUIRY, Reading, ReviewKind, Stage, Verdict, read
from claims.fold.typed import ORIGINS
from claims.fold.words import (
    asked_for,
    asks_patient,
    dollars,
    explain_denial,
    explain_rejection,
    knows_the_patient,
    not_returned,
    provider_adjustment_in_words,
    reasons_in_words,
    remedy,
)
from claims.signals import NOT_PAID, ClaimStatus, EventType, SessionStatus, Signal, SignalKind

SOME_PAYER = "the payer"
UNKNOWN = "{payer} answered something that changes nothing. Billing staff look at it."
NO_CHANGE = "This changes nothing."
TO_COME = "The remittance says how; where none comes, billing staff post what it decided."
TYPED = "No remittance had come: billing staff posted it from {origin}."
SETTLED = "Asked, {payer} says that the claim is settled"
QUIET: dict[ReviewKind | None, str] = {
    ReviewKind.CLAIM_NOT_FOUND: "{payer} can't find the claim. Billing staff look into it. Nothing to do.",
    ReviewKind.QUESTION_UNANSWERED: (
        "Asked, {payer} didn't say how the claim stands. Billing staff ask again. Nothing to do."
    ),
    ReviewKind.SETTLED_WITHOUT_REMITTANCE: (
        f"{SETTLED}, but not how; no remittance comes from it. Billing staff find out."
    ),
}


def tell(
    signal: Signal, before: Outcome, after: Outcome, *, payer: str, superseded: bool = False
) -> tuple[EventType, str]:
    """Tell what a signal says, between the outcomes of its claim version before and after it.

    `superseded`: a newer version speaks for the session, and no new decision on this one is waited for.
    """
    if superseded and signal.claim_status_code == REVERSAL:
        return EventType.CLAIM_REVERSED, f"{payer} took back {_what_was_decided(signal)}."
    if signal.kind is SignalKind.REMITTANCE:
        kind, words = _remittance(signal, before, after, payer=payer, superseded=superseded)
        return kind, f"{words} {TYPED.format(origin=ORIGINS[signal.origin])}" if signal.origin else words
    return _answer(read(signal), after, payer=payer)


def _answer(reading: Reading, after: Outcome, *, payer: str) -> tuple[EventType, str]:
    """Tell an acknowledgement, an inquiry's answer or a provider-level adjustment."""
    signal = reading.signal
    if signal.kind is SignalKind.PROVIDER_ADJUSTMENT:
        return EventType.CLAIM_ADJUSTED, " ".join(
            provider_adjustment_in_words(each, payer=payer) for each in signal.adjustments
        )
    decides = signal.natural_key in after.deciding
    if reading.review is ReviewKind.CLAIM_NOT_FOUND and not _is_asked_about(signal, after):
        return EventType.CLAIM_NOTED, f"{_sender(reading, payer=payer)} can't find the claim. {NO_CHANGE}"
    is_final = reading.rule == FINAL_BY_INQUIRY and reading.verdict is Verdict.SILENT
    if is_final and not _is_asked_about(signal, after):
        is_told = after.stage is Stage.REMITTANCE or after.claim_status is ClaimStatus.PER_INQUIRY
        return EventType.CLAIM_NOTED, f"{SETTLED.format(payer=payer)}. {NO_CHANGE if is_told else TO_COME}"
    kind, words = _statement(reading, payer=payer, decides=decides)
    if reading.verdict is Verdict.SILENT or decides:
        return kind, words
    if reading.claim_status is ClaimStatus.PER_INQUIRY is not after.claim_status:
        return EventType.CLAIM_NOTED, f"{words} The remittance decides."
    return EventType.CLAIM_NOTED, f"{words} {NO_CHANGE}"


def _is_asked_about(signal: Signal, after: Outcome) -> bool:
    return any(task.natural_key == signal.natural_key for task in after.tasks)


def _sender(reading: Reading, *, payer: str) -> str:
    return "the clearinghouse" if reading.stage is Stage.CLEARINGHOUSE else payer


def _statement(reading: Reading, *, payer: str, decides: bool) -> tuple[EventType, str]:
    """Put an answer into words; what to do about a refusal only where it decides."""
    refusal = explain_rejection(reading.signal.every_status)
    because = f": {reasons_in_words(refusal)}." if refusal else "."
    because += f" {remedy(refusal)}" if decides else ""
    match reading.stage, reading.verdict:
        case Stage.TRANSPORT, Verdict.ACCEPTED:
            return (
                EventType.CLAIM_ACKNOWLEDGED,
                "The clearinghouse received the claim's file and can read it.",
            )
        case Stage.TRANSPORT, Verdict.REJECTED:
            again = " That is our fault, and billing staff send it again. Nothing to do." if decides else ""
            return EventType.CLAIM_ACKNOWLEDGED, f"The clearinghouse can't read the claim's file.{again}"
        case Stage.CLEARINGHOUSE, Verdict.ACCEPTED:
            return (
                EventType.CLAIM_ACKNOWLEDGED,
                "The clearinghouse took the claim and passes it on to the payer.",
            )
        case Stage.CLEARINGHOUSE, Verdict.REJECTED:
            return (
                EventType.CLAIM_REJECTED,
                f"The clearinghouse refused the claim before any payer saw it{because}",
            )
        case Stage.PAYER, Verdict.PASSED_ON:
            return (
                EventType.CLAIM_NOTED,
                f"{payer} passed the claim on inside its house and has neither taken nor refused it yet.",
            )
        case Stage.PAYER, Verdict.ACCEPTED:
            return EventType.CLAIM_ACCEPTED, f"{payer} took the claim and is going to decide on it."
        case Stage.PAYER, Verdict.REJECTED:
            return (
                EventType.CLAIM_REJECTED,
                f"{payer} refused the claim before deciding on it{because}",
            )
        case Stage.INQUIRY, Verdict.ACCEPTED if reading.review is ReviewKind.INFORMATION_REQUESTED:
            of_whom = "asked the patient for" if asks_patient(reading.signal.every_status) else "asked for"
            return (
                EventType.CLAIM_ACCEPTED,
                f"Asked, {payer} says that the claim waits for information that it {of_whom}.",
            )
        case Stage.INQUIRY, Verdict.ACCEPTED:
            return EventType.CLAIM_ACCEPTED, f"Asked, {payer} says that the claim is being decided on."
        case Stage.INQUIRY, Verdict.PASSED_ON:
            return (
                EventType.CLAIM_NOTED,
                f"Asked, {payer} says that it has received the claim.",
            )
        case Stage.INQUIRY, Verdict.PAID:
            return EventType.CLAIM_PAID, f"{SETTLED.format(payer=payer)} and paid."
        case Stage.INQUIRY, Verdict.DENIED:
            return EventType.CLAIM_DENIED, f"Asked, {payer} says that the claim is settled without a payment."
    if reading.review is ReviewKind.INFORMATION_REQUESTED:
        asked = asked_for(reading.signal.every_status)
        return EventType.CLAIM_NOTED, f"{payer} asks for more information: {asked}. Billing staff answer it."
    return EventType.CLAIM_NOTED, QUIET.get(reading.review, UNKNOWN).format(
        payer=_sender(reading, payer=payer)
    )


def _remittance(
    signal: Signal, before: Outcome, after: Outcome, *, payer: str, superseded: bool
) -> tuple[EventType, str]:
    """Tell one claim of an 835."""
    if signal.claim_status_code == REVERSAL:
        return EventType.CLAIM_REVERSED, _reversal(signal, after, payer=payer)
    if signal.claim_status_code == OTHER_PAYER:
        return (
            EventType.CLAIM_NOTED,
            f"{payer} is not the payer for this claim and passed it on to another one. Nothing to do.",
        )
    if signal.claim_status_code == PREDETERMINATION:
        return EventType.CLAIM_NOTED, f"{payer} sent an estimate for the claim; nothing was decided or paid."
    if not is_adjudication(signal):
        return EventType.CLAIM_NOTED, UNKNOWN.format(payer=payer)
    if after.claim_status is ClaimStatus.VOIDED:
        kind = EventType.CLAIM_ADJUSTED if paid_by(signal) else EventType.CLAIM_NOTED
        return kind, f"{_amounts(signal, payer=payer)} But the claim is voided: billing staff look into it."
    if signal.natural_key not in after.deciding:
        return _overtaken(signal, after, payer=payer, superseded=superseded)
    if after.claim_status in NOT_PAID:
        return EventType.CLAIM_DENIED, _denial(signal, before, after, payer=payer)
    further = after.paid - before.paid == paid_by(signal) > 0 and before.session_status is SessionStatus.PAID
    if further and before.paid > 0:
        return (
            EventType.CLAIM_ADJUSTED,
            f"{payer} paid a further {dollars(paid_by(signal))}, {dollars(after.paid)} in all.",
        )
    left = not_returned(after.left) if after.claim_status is ClaimStatus.PATIENT_RESPONSIBILITY else ""
    return EventType.CLAIM_PAID, f"{_amounts(signal, payer=payer)}{left}"


def _overtaken(signal: Signal, after: Outcome, *, payer: str, superseded: bool) -> tuple[EventType, str]:
    """Tell an adjudication that decides nothing."""
    if denies_duplicate(signal) and after.session_status is SessionStatus.PAID:
        why = reasons_in_words(explain_denial(reasons_of([signal]), ()))
        return (
            EventType.CLAIM_NOTED,
            f"{payer} denied a duplicate of the claim: {why}. What it decided on the claim stays. "
            "Nothing to do.",
        )
    kind = EventType.CLAIM_ADJUSTED if paid_by(signal) else EventType.CLAIM_NOTED
    if signal.natural_key in after.behind:
        said = _amounts(signal, payer=signal.payer_name or payer)
        return kind, f"{said} It comes after the first insurer's decision, which stays."
    if paid_before(signal) and not paid_by(signal) and after.session_status is SessionStatus.PAID:
        said = f"{payer} says that it has paid the claim before. What it decided on it stays."
        return kind, f"{said} Nothing to do."
    instead = "A later decision of the payer counts instead."
    if signal.origin and signal.natural_key not in after.typed:
        instead = "The payer's own remittance counts instead."
    if after.claim_status is ClaimStatus.REVERSED:
        due = "" if superseded else ", and a new decision is due"
        instead = f"It took back what it had decided before{due}."
    return kind, f"{_amounts(signal, payer=payer)} {instead}"


def _amounts(signal: Signal, *, payer: str) -> str:
    paid, owed = paid_by(signal), owed_by_patient(signal)
    text = f"{payer} paid {dollars(paid)} of {dollars(signal.charge or paid)}"
    to_patient, withheld, added = [], [], []
    for each in reasons_of([signal]):
        if each.amount < 0:
            added.append(each)
        elif each.group == "PR":
            to_patient.append(each)
        elif str(each) != "CO-45":
            withheld.append(each)
    if owed:
        text += f"; the patient owes {dollars(owed)}"
    if owed and not paid and to_patient:
        text += f": {reasons_in_words(explain_denial(to_patient, ()))}"
    if withheld:
        text += f". Not paid: {reasons_in_words(explain_denial(withheld, ()))}"
    if added:
        text += f". Added to the payment: {reasons_in_words(explain_denial(added, ()))}"
    return f"{text}."


def _denial(signal: Signal, before: Outcome, after: Outcome, *, payer: str) -> str:
    explained = explain_denial(reasons_of([signal]), signal.every_remark)
    because = f": {reasons_in_words(explained)}." if explained else "; it gives no reason."
    way_out = remedy(explained)
    left = not_returned(after.left)
    match after.claim_status:
        case ClaimStatus.TAKEN_BACK:
            if left:
                return f"{payer} decided anew and denies the claim that it had paid{because}{left} {way_out}"
            took = dollars(before.paid or after.ever_paid)
            return f"{payer} decided anew and takes its payment of {took} back{because} {way_out}"
        case ClaimStatus.MEMBER_UNKNOWN if not knows_the_patient(reasons_of([signal]), signal.every_remark):
            return (
                f"Denied by {payer}, which doesn't find the patient among its members{because}"
                f"{left} Check name, birth date and member ID, then tell billing staff what to change."
            )
    return f"Denied by {payer}{because}{left} {way_out}"


def _reversal(signal: Signal, after: Outcome, *, payer: str) -> str:
    took = _what_was_decided(signal)
    if after.claim_status is ClaimStatus.REVERSED:
        return f"{payer} took back {took}. A new decision should follow, and billing staff watch for it."
    awaited = {
        task.natural_key for task in after.tasks if task.kind is ReviewKind.REVERSED_WITHOUT_CORRECTION
    }
    if signal.natural_key in awaited:
        due = "A new decision on that should follow, and billing staff watch for it."
        return f"{payer} took back {took} for a part of the claim. {due}"
    return f"{payer} took back {took} and decided anew."


def _what_was_decided(reversal: Signal) -> str:
    return f"its payment of {dollars(-paid_by(reversal))}" if paid_by(reversal) else "its earlier decision"
