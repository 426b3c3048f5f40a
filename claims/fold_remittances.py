"""What all remittances for one claim version together say: rules 17 to 24, 26 and 27 of the status table.

A reversal takes back the remittance it belongs to, whichever of them came first; what still stands then
decides, the latest payment date first. One 835 is read as one statement, so that a reversal and its
correction are never seen apart.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import partial

from claims.fold_amounts import (
    DENIED_BY_CODE,
    NOTHING,
    OTHER_PAYER,
    PREDETERMINATION,
    REVERSAL,
    allowed_by,
    is_adjudication,
    owed_by_patient,
    paid_by,
    reasons_of,
    status_of,
)
from claims.fold_readings import RECORD_ONLY, SESSION_STATUS, ReviewKind, ReviewTask
from claims.signals import Adjustment, ClaimStatus, SessionStatus, Signal

CORRECTION_EXPECTED_WITHIN = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the remittances come to: `claim_status` is None where none of them moves the claim.

    `paid` is what all of them paid less what they took back, `ever_paid` is the former alone; the other
    amounts, the reasons and remarks are those of the `deciding` remittances, which stand and are the latest.
    """

    claim_status: ClaimStatus | None
    deciding: tuple[Signal, ...]
    paid: Decimal
    ever_paid: Decimal
    allowed: Decimal | None
    patient_owes: Decimal | None
    payer_control_number: str
    reasons: tuple[Adjustment, ...]
    remarks: tuple[str, ...]
    rules: dict[str, int]
    tasks: tuple[ReviewTask, ...]


@dataclass(frozen=True, slots=True)
class _Payment:
    """The claims of one 835 that still stand and belong to one claim version."""

    batch: str
    paid_on: date
    parts: tuple[Signal, ...]

    @property
    def status(self) -> ClaimStatus:
        return status_of(self.parts)

    @property
    def refuses(self) -> bool:
        return SESSION_STATUS[self.status] is SessionStatus.DENIED


def settle(remittances: Iterable[Signal]) -> Settlement | None:
    """Fold the remittances of one claim version; None where there is none."""
    ordered = sorted(remittances, key=_order)
    if not ordered:
        return None
    adjudications = [each for each in ordered if is_adjudication(each)]
    reversals = [each for each in ordered if each.claim_status_code == REVERSAL]
    reversed_by = pair_reversals(adjudications, reversals)
    payments = _payments([each for each in adjudications if each.natural_key not in reversed_by])
    deciding, history, tasks = _deciding(payments)
    status, rule = _verdict(deciding, history, adjudications, reversed_by)
    rules = _rules(ordered, adjudications)
    if deciding:
        tasks += _tasks(status, deciding)
        rules |= dict.fromkeys((part.natural_key for payment in deciding for part in payment.parts), rule)
    elif reversals or any(each.claim_status_code == OTHER_PAYER for each in ordered):
        status, pending = _without_adjudication(ordered)
        tasks += pending
    if status is ClaimStatus.REVERSED and sum((paid_by(each) for each in ordered), NOTHING):
        tasks.append(ReviewTask(ReviewKind.UNEXPECTED_AMOUNT, reversals[-1].natural_key))
    tasks += [
        ReviewTask(ReviewKind.UNKNOWN_ANSWER, each.natural_key) for each in ordered if not _is_known(each)
    ]
    parts = [part for payment in deciding for part in payment.parts]
    named = [each for each in ordered if each.payer_control_number]
    money = [each for each in ordered if each.claim_status_code != PREDETERMINATION]
    return Settlement(
        claim_status=status,
        deciding=tuple(parts),
        paid=sum((paid_by(each) for each in money), NOTHING),
        ever_paid=sum((max(paid_by(each), NOTHING) for each in adjudications), NOTHING),
        allowed=allowed_by(parts),
        patient_owes=sum((owed_by_patient(part) for part in parts), NOTHING) if parts else None,
        payer_control_number=named[-1].payer_control_number if named else "",
        reasons=reasons_of(parts),
        remarks=tuple(dict.fromkeys(remark for part in parts for remark in part.every_remark)),
        rules=rules,
        tasks=tuple(tasks),
    )


def pair_reversals(adjudications: Sequence[Signal], reversals: Sequence[Signal]) -> dict[str, Signal]:
    """Find what each reversal takes back: the natural key of the adjudication, with its reversal.

    A reversal belongs to an earlier 835, never to a later one, and in its own 835 stands the correction. The
    same payer control number counts most, then the same amount paid, then the same charge, then the oldest.
    """
    taken: dict[str, Signal] = {}
    for reversal in reversals:
        candidates = [
            each
            for each in adjudications
            if each.natural_key not in taken
            and each.effective_date <= reversal.effective_date
            and (each.batch or each.natural_key) != (reversal.batch or reversal.natural_key)
        ]
        if candidates:
            best = max(candidates, key=partial(_likeness, reversal=reversal))
            taken[best.natural_key] = reversal
    return taken


def _payments(standing: Sequence[Signal]) -> list[_Payment]:
    by_batch: dict[str, list[Signal]] = defaultdict(list)
    for each in standing:
        by_batch[each.batch or each.natural_key].append(each)
    payments = [
        _Payment(batch, max(part.effective_date for part in parts), tuple(parts))
        for batch, parts in by_batch.items()
    ]
    return sorted(payments, key=lambda payment: (payment.paid_on, payment.refuses, payment.batch))


def _deciding(payments: Sequence[_Payment]) -> tuple[list[_Payment], list[_Payment], list[ReviewTask]]:
    """Split payments into those that decide and those that a later one for the same lines has overtaken."""
    deciding: list[_Payment] = []
    overtaken: list[_Payment] = []
    tasks: list[ReviewTask] = []
    for payment in payments:
        for earlier in [each for each in deciding if _same_lines(each, payment)]:
            deciding.remove(earlier)
            overtaken.append(earlier)
            if earlier.paid_on == payment.paid_on and earlier.refuses != payment.refuses:
                tasks.append(ReviewTask(ReviewKind.CONFLICTING_ANSWERS, payment.parts[0].natural_key))
        deciding.append(payment)
    return deciding, overtaken, tasks


def _verdict(
    deciding: Sequence[_Payment],
    overtaken: Sequence[_Payment],
    adjudications: Sequence[Signal],
    reversed_by: dict[str, Signal],
) -> tuple[ClaimStatus | None, int]:
    """Judge what stands, in the light of what stood before it."""
    if not deciding:
        return None, RECORD_ONLY
    status = status_of([part for payment in deciding for part in payment.parts])
    if status is ClaimStatus.DENIED:
        since = max(payment.paid_on for payment in deciding)
        corrected = {each.batch for each in adjudications}
        taken_back = any(
            paid_by(each) > 0 and each.effective_date < since
            for each in adjudications
            if (each.natural_key not in reversed_by or reversed_by[each.natural_key].batch not in corrected)
        )
        return (ClaimStatus.TAKEN_BACK, 24) if taken_back else (status, 19)
    if status in {ClaimStatus.PAID, ClaimStatus.PARTIALLY_PAID}:
        return status, 23 if any(payment.refuses for payment in overtaken) else 17
    return status, 20 if status is ClaimStatus.MEMBER_UNKNOWN else 18


def _without_adjudication(ordered: Sequence[Signal]) -> tuple[ClaimStatus, list[ReviewTask]]:
    """Judge where nothing stands: taken back without a correction, or passed on to another payer."""
    last = max(
        (each for each in ordered if each.claim_status_code in {REVERSAL, OTHER_PAYER}),
        key=lambda each: (each.effective_date, each.claim_status_code == REVERSAL, each.natural_key),
    )
    if last.claim_status_code == OTHER_PAYER:
        return ClaimStatus.FORWARDED_OTHER_PAYER, []
    overdue = last.effective_date + CORRECTION_EXPECTED_WITHIN
    return ClaimStatus.REVERSED, [
        ReviewTask(ReviewKind.REVERSED_WITHOUT_CORRECTION, last.natural_key, overdue)
    ]


def _tasks(status: ClaimStatus | None, deciding: Sequence[_Payment]) -> list[ReviewTask]:
    newest = deciding[-1].parts[0].natural_key
    if status is ClaimStatus.TAKEN_BACK:
        return [ReviewTask(ReviewKind.PAYMENT_TAKEN_BACK, newest)]
    if status in {ClaimStatus.DENIED, ClaimStatus.MEMBER_UNKNOWN}:
        return [ReviewTask(ReviewKind.CLAIM_DENIED, newest)]
    odd = any(
        paid_by(part) < 0 or (part.claim_status_code == DENIED_BY_CODE and paid_by(part) > 0)
        for payment in deciding
        for part in payment.parts
    )
    return [ReviewTask(ReviewKind.UNEXPECTED_AMOUNT, newest)] if odd else []


def _rules(ordered: Sequence[Signal], adjudications: Sequence[Signal]) -> dict[str, int]:
    """Number every remittance by itself; what decides is numbered again by the caller."""
    corrected = {each.batch for each in adjudications}
    rules = {}
    for each in ordered:
        match each.claim_status_code:
            case "22":
                rules[each.natural_key] = 21 if each.batch in corrected else 22
            case "23":
                rules[each.natural_key] = 26
            case "25":
                rules[each.natural_key] = 27
            case _ if is_adjudication(each):
                rules[each.natural_key] = _RULE_OF_STATUS[status_of([each])]
            case _:
                rules[each.natural_key] = RECORD_ONLY
    return rules


_RULE_OF_STATUS = {
    ClaimStatus.PAID: 17,
    ClaimStatus.PARTIALLY_PAID: 17,
    ClaimStatus.PATIENT_RESPONSIBILITY: 18,
    ClaimStatus.DENIED: 19,
    ClaimStatus.MEMBER_UNKNOWN: 20,
}


def _same_lines(one: _Payment, other: _Payment) -> bool:
    """Tell whether two payments speak of the same lines; a payer may split a claim over several payments."""
    for named in (_control_numbers, _procedures):
        left, right = named(one), named(other)
        if left and right:
            return bool(left & right)
    return True


def _control_numbers(payment: _Payment) -> frozenset[str]:
    lines = [line for part in payment.parts for line in part.lines]
    named = frozenset(line.control_number for line in lines)
    return named if lines and "" not in named and all(part.lines for part in payment.parts) else frozenset()


def _procedures(payment: _Payment) -> frozenset[tuple[str, ...]]:
    if not all(part.lines for part in payment.parts):
        return frozenset()
    return frozenset((line.procedure_code, *line.modifiers) for part in payment.parts for line in part.lines)


def _likeness(adjudication: Signal, reversal: Signal) -> tuple[bool, bool, bool, int, str]:
    return (
        bool(reversal.payer_control_number)
        and adjudication.payer_control_number == reversal.payer_control_number,
        paid_by(adjudication) == -paid_by(reversal),
        abs(adjudication.charge or NOTHING) == abs(reversal.charge or NOTHING),
        -adjudication.effective_date.toordinal(),
        adjudication.natural_key,
    )


def _is_known(remittance: Signal) -> bool:
    return is_adjudication(remittance) or remittance.claim_status_code in {
        REVERSAL,
        OTHER_PAYER,
        PREDETERMINATION,
    }


def _order(remittance: Signal) -> tuple[date, str, str]:
    return remittance.effective_date, remittance.batch, remittance.natural_key
