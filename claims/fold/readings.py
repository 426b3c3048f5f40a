"""What each signal means by itself: its stage, its rule of the status table, and where it would move a claim.

Rule numbers are those of the status table in `docs/claim-status.md`. Whether a reading decides anything is
for `claims.fold` to say: a higher stage overrules a lower one.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import IntEnum, StrEnum

from claims.signals import ClaimStatus, SessionStatus, Signal, SignalKind, Source
from claims.x12.statuses import REJECTED_CATEGORIES

RECORD_ONLY = 16
FINAL_BY_INQUIRY = 30


class Stage(IntEnum):
    """How far along a claim's way a statement was made; the furthest one counts."""

    DISPATCH = 1
    TRANSPORT = 2
    CLEARINGHOUSE = 3
    PAYER = 4
    INQUIRY = 5
    REMITTANCE = 6


class Verdict(StrEnum):
    """What an answer says of the claim; PASSED_ON is neither yes nor no, SILENT says nothing about it."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    PASSED_ON = "passed on"
    PAID = "paid"
    DENIED = "denied"
    SILENT = "silent"


class ReviewKind(StrEnum):
    """Why a person on the billing staff should look at a claim."""

    TRANSPORT_REJECTED = "transport_rejected"
    TRANSPORT_ERRORS = "transport_errors"
    CONFLICTING_ANSWERS = "conflicting_answers"
    CLAIM_REJECTED = "claim_rejected"
    CLAIM_SPLIT = "claim_split"
    LINE_REFUSED = "line_refused"
    LINE_DENIED = "line_denied"
    CLAIM_NOT_FOUND = "claim_not_found"
    INFORMATION_REQUESTED = "information_requested"
    QUESTION_UNANSWERED = "question_unanswered"
    SETTLED_WITHOUT_REMITTANCE = "settled_without_remittance"
    UNKNOWN_ANSWER = "unknown_answer"
    CLAIM_DENIED = "claim_denied"
    REVERSED_WITHOUT_CORRECTION = "reversed_without_correction"
    PAYMENT_TAKEN_BACK = "payment_taken_back"
    PAYMENT_NOT_RETURNED = "payment_not_returned"
    PROVIDER_ADJUSTMENT = "provider_adjustment"
    UNEXPECTED_AMOUNT = "unexpected_amount"
    ANSWER_BEFORE_DISPATCH = "answer_before_dispatch"
    EARLIER_VERSION_TAKEN = "earlier_version_taken"
    PAYMENT_ON_EARLIER_VERSION = "payment_on_earlier_version"
    PAYMENT_ON_VOIDED_CLAIM = "payment_on_voided_claim"
    VOID_REFUSED = "void_refused"


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A task for staff: why, because of which signal, and not before which day (None: at once).

    `owed` is what a payer has not taken back of what it no longer pays for, in dollars.
    """

    kind: ReviewKind
    natural_key: str = ""
    not_before: date | None = None
    owed: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One signal, understood: `claim_status` is None where it can move nothing."""

    signal: Signal
    rule: int
    stage: Stage
    verdict: Verdict = Verdict.SILENT
    claim_status: ClaimStatus | None = None
    review: ReviewKind | None = None


SESSION_STATUS = {
    ClaimStatus.QUEUED: SessionStatus.PROCESSING,
    ClaimStatus.HELD: SessionStatus.PROCESSING,
    ClaimStatus.DISPATCHING: SessionStatus.PROCESSING,
    ClaimStatus.DISPATCH_UNKNOWN: SessionStatus.PROCESSING,
    ClaimStatus.SENT: SessionStatus.SUBMITTED,
    ClaimStatus.TRANSPORT_REJECTED: SessionStatus.SUBMITTED,
    ClaimStatus.CLEARINGHOUSE_ACCEPTED: SessionStatus.SUBMITTED,
    ClaimStatus.CLEARINGHOUSE_REJECTED: SessionStatus.REJECTED,
    ClaimStatus.FORWARDED: SessionStatus.SUBMITTED,
    ClaimStatus.PAYER_ACCEPTED: SessionStatus.ACCEPTED,
    ClaimStatus.PAYER_REJECTED: SessionStatus.REJECTED,
    ClaimStatus.PAID: SessionStatus.PAID,
    ClaimStatus.PARTIALLY_PAID: SessionStatus.PAID,
    ClaimStatus.PATIENT_RESPONSIBILITY: SessionStatus.PAID,
    ClaimStatus.DENIED: SessionStatus.DENIED,
    ClaimStatus.MEMBER_UNKNOWN: SessionStatus.DENIED,
    ClaimStatus.REVERSED: SessionStatus.ACCEPTED,
    ClaimStatus.TAKEN_BACK: SessionStatus.DENIED,
    ClaimStatus.FORWARDED_OTHER_PAYER: SessionStatus.ACCEPTED,
    ClaimStatus.VOIDED: SessionStatus.REJECTED,
}
"""The session status of each claim status that has only one; `per_inquiry` is paid or denied."""

ACCEPTING_CATEGORIES = frozenset({"A1", "A2", "A5"})
PASSED_ON = "A0"
AWAITED_OF_PATIENT = "P4"
AWAITING = frozenset({"P3", AWAITED_OF_PATIENT})
"""Pending, until the provider or the patient has answered what the payer asked."""
INQUIRY_VERDICTS = {"F1": Verdict.PAID, "F2": Verdict.DENIED, "F4": Verdict.DENIED}


def read(signal: Signal) -> Reading:
    """Understand an acknowledgement, an inquiry's answer or a provider-level adjustment by itself.

    Remittances for a claim mean something only together: `claims.fold.remittances` reads them.
    """
    match signal.kind:
        case SignalKind.INTERCHANGE_ACKNOWLEDGEMENT | SignalKind.IMPLEMENTATION_ACKNOWLEDGEMENT:
            return _transport(signal)
        case SignalKind.CLAIM_ACKNOWLEDGEMENT:
            return _payer(signal) if signal.source == Source.PAYER else _clearinghouse(signal)
        case SignalKind.STATUS_INQUIRY:
            return _inquiry(signal)
        case SignalKind.PROVIDER_ADJUSTMENT:
            return Reading(signal, 25, Stage.REMITTANCE, review=ReviewKind.PROVIDER_ADJUSTMENT)
        case SignalKind.REMITTANCE:
            return Reading(signal, 27 if signal.claim_status_code == "25" else RECORD_ONLY, Stage.REMITTANCE)


def _transport(signal: Signal) -> Reading:
    if signal.verdict in {"A", "E", "P"}:
        review = None if signal.verdict == "A" else ReviewKind.TRANSPORT_ERRORS
        return Reading(signal, 8, Stage.TRANSPORT, Verdict.ACCEPTED, ClaimStatus.SENT, review)
    if signal.verdict in {"R", "M", "W", "X"}:
        return Reading(
            signal,
            9,
            Stage.TRANSPORT,
            Verdict.REJECTED,
            ClaimStatus.TRANSPORT_REJECTED,
            ReviewKind.TRANSPORT_REJECTED,
        )
    return Reading(signal, RECORD_ONLY, Stage.TRANSPORT, review=ReviewKind.UNKNOWN_ANSWER)


def _clearinghouse(signal: Signal) -> Reading:
    categories = _categories(signal)
    if _rejects(signal, categories):
        return Reading(
            signal,
            11,
            Stage.CLEARINGHOUSE,
            Verdict.REJECTED,
            ClaimStatus.CLEARINGHOUSE_REJECTED,
            ReviewKind.CLAIM_REJECTED,
        )
    if categories & (ACCEPTING_CATEGORIES | {PASSED_ON}):
        return Reading(
            signal,
            10,
            Stage.CLEARINGHOUSE,
            Verdict.ACCEPTED,
            ClaimStatus.CLEARINGHOUSE_ACCEPTED,
            _odd(signal, categories),
        )
    return _cannot_find(signal, Stage.CLEARINGHOUSE, not_found="A4" in categories)


def _payer(signal: Signal) -> Reading:
    categories = _categories(signal)
    if _rejects(signal, categories):
        return Reading(
            signal,
            14,
            Stage.PAYER,
            Verdict.REJECTED,
            ClaimStatus.PAYER_REJECTED,
            ReviewKind.CLAIM_REJECTED,
        )
    if categories & ACCEPTING_CATEGORIES:
        return Reading(
            signal, 13, Stage.PAYER, Verdict.ACCEPTED, ClaimStatus.PAYER_ACCEPTED, _odd(signal, categories)
        )
    if PASSED_ON in categories:
        return Reading(signal, 12, Stage.PAYER, Verdict.PASSED_ON, ClaimStatus.FORWARDED)
    return _cannot_find(signal, Stage.PAYER, not_found="A4" in categories)


def _inquiry(signal: Signal) -> Reading:
    categories = _categories(signal)
    final = {INQUIRY_VERDICTS[category] for category in categories if category in INQUIRY_VERDICTS}
    if final:
        verdict = Verdict.DENIED if Verdict.DENIED in final else Verdict.PAID
        untold = ReviewKind.SETTLED_WITHOUT_REMITTANCE if verdict is Verdict.PAID else None
        review = ReviewKind.CONFLICTING_ANSWERS if len(final) > 1 else untold
        return Reading(signal, FINAL_BY_INQUIRY, Stage.INQUIRY, verdict, ClaimStatus.PER_INQUIRY, review)
    letters = {category[:1] for category in categories}
    if "F" in letters:
        untold = ReviewKind.SETTLED_WITHOUT_REMITTANCE
        return Reading(signal, FINAL_BY_INQUIRY, Stage.INQUIRY, review=untold)
    asks = any(each.category[:1] == "R" or each.category in AWAITING for each in signal.every_status)
    review = ReviewKind.INFORMATION_REQUESTED if asks else None
    if "P" in letters or "A2" in categories:
        return Reading(signal, 13, Stage.INQUIRY, Verdict.ACCEPTED, ClaimStatus.PAYER_ACCEPTED, review)
    if "R" in letters:
        return Reading(signal, RECORD_ONLY, Stage.INQUIRY, review=review)
    if categories & {PASSED_ON, "A1"}:
        return Reading(signal, RECORD_ONLY, Stage.INQUIRY, Verdict.PASSED_ON)
    not_found = "D" in letters or "A4" in categories
    if "E" in letters and not not_found:
        return Reading(signal, 15, Stage.INQUIRY, review=ReviewKind.QUESTION_UNANSWERED)
    return _cannot_find(signal, Stage.INQUIRY, not_found=not_found)


def _cannot_find(signal: Signal, stage: Stage, *, not_found: bool) -> Reading:
    if not_found:
        return Reading(signal, 15, stage, review=ReviewKind.CLAIM_NOT_FOUND)
    return Reading(signal, RECORD_ONLY, stage, review=ReviewKind.UNKNOWN_ANSWER)


def _categories(signal: Signal) -> frozenset[str]:
    return frozenset(status.category for status in signal.statuses)


def _rejects(signal: Signal, categories: frozenset[str]) -> bool:
    return (signal.verdict == "U" and "A4" not in categories) or bool(categories & REJECTED_CATEGORIES)


def _odd(signal: Signal, categories: frozenset[str]) -> ReviewKind | None:
    """Why a person should look at a claim that was taken."""
    if any(status.category in REJECTED_CATEGORIES for line in signal.lines for status in line.statuses):
        return ReviewKind.LINE_REFUSED
    return ReviewKind.CLAIM_SPLIT if "A5" in categories else None
