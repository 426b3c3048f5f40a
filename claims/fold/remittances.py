"""What all remittances for one claim version together say: rules 17 to 24, 26 and 27 of the status table.

A reversal takes back the remittance it belongs to, whichever of them came first; what still stands then
decides, the latest payment date first. One 835 is read as one statement, so that a reversal and its
correction are never seen apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from claims.fold.amounts import (
    BEHIND_ANOTHER,
    DENIED_BY_CODE,
    NOTHING,
    OTHER_PAYER,
    PREDETERMINATION,
    REVERSAL,
    agrees_on_patient,
    denied_of,
    is_adjudication,
    paid_by,
    reasons_of,
    status_of,
    without_duplicates,
)
from claims.fold.by_line import Payment
from claims.fold.payments import (
    Ended,
    allowed_by_line,
    awaiting_correction,
    deciding_of,
    duplicates_among,
    each_line_once,
    pair_reversals,
    payments_of,
    standing,
    without_awaited,
)
from claims.fold.readings import RECORD_ONLY, ReviewKind, ReviewTask
from claims.fold.typed import counting
from claims.signals import Adjustment, ClaimStatus, Signal

CORRECTION_EXPECTED_WITHIN = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the remittances come to: `claim_status` is None where none of them moves the claim.

    `paid` is what all of them paid less what they took back, `ever_paid` is the former alone,
    `first_paid_on` the day of the first of them; the other amounts, with `decided` as what they paid, also
    by adding to former ones, and `unreturned` as what was paid for lines for which they pay nothing, the
    reasons and remarks are those of the deciding remittances, which stand and are the latest. `decided_by`
    are their natural keys, or that of the reversal or forwarding that left nothing standing. `behind` are
    those of what a second insurer said behind the first, `paid_behind` is what it paid; `typed` are those
    that staff typed and that count.
    """

    claim_status: ClaimStatus | None
    decided_by: tuple[str, ...]
    decided: Decimal
    unreturned: Decimal
    paid: Decimal
    ever_paid: Decimal
    first_paid_on: date | None
    allowed: Decimal | None
    allowed_by_line: dict[str, Decimal]
    patient_owes: Decimal | None
    behind: tuple[str, ...]
    paid_behind: Decimal
    payer_control_number: str
    reasons: tuple[Adjustment, ...]
    remarks: tuple[str, ...]
    typed: tuple[str, ...]
    rules: dict[str, int]
    tasks: tuple[ReviewTask, ...]


def settle(remittances: Iterable[Signal], *, billed: Decimal | None = None) -> Settlement | None:
    """Fold the remittances of one claim version, with what it charged; None where there is none."""
    said = sorted(map(_dated, remittances), key=_order)
    if not said:
        return None
    ordered = counting(said)
    own = _without_second_insurers(ordered)
    behind = [each for each in ordered if each not in own]
    adjudications = [each for each in own if is_adjudication(each)]
    reversals = [each for each in own if each.claim_status_code == REVERSAL]
    ended, unreversed = pair_reversals(adjudications, reversals)
    stood = standing(unreversed, ended)
    duplicates = duplicates_among(stood)
    left = [without_duplicates(each, stood) for each in stood if each not in duplicates]
    payments = payments_of(left)
    deciding, history, tasks = deciding_of(payments)
    deciding, awaited = without_awaited(deciding, awaiting_correction(payments, ended))
    status, rule = _verdict(deciding, history, adjudications, reversals, unreversed=unreversed, ended=ended)
    rules = dict.fromkeys((each.natural_key for each in said), RECORD_ONLY) | _rules(ordered, adjudications)
    rules |= dict.fromkeys((each.natural_key for each in duplicates), RECORD_ONLY)
    decided_by = tuple(dict.fromkeys(part.natural_key for payment in deciding for part in payment.parts))
    counted = each_line_once(deciding, billed=billed)
    parts = [part for payment in counted for part in payment.parts]
    if deciding:
        status = ClaimStatus.PARTIALLY_PAID if awaited and status is ClaimStatus.PAID else status
        tasks += _tasks(status, deciding, history, ordered, awaited=awaited, billed=billed)
        tasks += [_awaits_correction(each) for each in dict.fromkeys(each.reversal for each in awaited)]
        rules |= dict.fromkeys(decided_by, rule)
    elif reversals or any(each.claim_status_code == OTHER_PAYER for each in ordered):
        last, status = _without_adjudication(ordered)
        decided_by = (last.natural_key,)
        if status is ClaimStatus.REVERSED:
            tasks.append(_awaits_correction(last))
    decided = sum((payment.before + payment.paid for payment in counted), NOTHING)
    paid = _net(ordered)
    adds_up = status in {ClaimStatus.PAID, ClaimStatus.PARTIALLY_PAID}
    collected = [payment for payment in counted if not (adds_up and payment.unreturned)]
    owed = _owed(collected, behind=behind) if counted else None
    unpaid = billed - paid if billed is not None and adds_up else None
    is_too_much = owed is not None and unpaid is not None and owed > unpaid >= 0
    if is_too_much or ((paid < decided) if parts else (decided_by and paid)):
        tasks.append(ReviewTask(ReviewKind.UNEXPECTED_AMOUNT, decided_by[-1]))
    tasks += [
        ReviewTask(ReviewKind.UNKNOWN_ANSWER, each.natural_key) for each in ordered if not _is_known(each)
    ]
    second = _second_insurers(ordered)
    named = [
        each
        for each in (*own, *parts)
        if each.payer_control_number
        and each not in duplicates
        and each.source not in second
        and each.claim_status_code not in {OTHER_PAYER, PREDETERMINATION}
    ]
    return Settlement(
        claim_status=status,
        decided_by=decided_by,
        decided=decided,
        unreturned=sum((payment.unreturned for payment in counted), NOTHING),
        paid=paid,
        ever_paid=sum((max(paid_by(each), NOTHING) for each in ordered if is_adjudication(each)), NOTHING),
        first_paid_on=min((each.effective_date for each in adjudications if paid_by(each) > 0), default=None),
        allowed=sum((payment.allowed for payment in counted), NOTHING) if counted else None,
        allowed_by_line=allowed_by_line(counted),
        patient_owes=unpaid if is_too_much else owed,
        behind=tuple(each.natural_key for each in behind),
        paid_behind=_net(behind),
        payer_control_number=named[-1].payer_control_number if named else "",
        reasons=reasons_of(parts),
        remarks=tuple(dict.fromkeys(remark for part in parts for remark in part.every_remark)),
        typed=tuple(each.natural_key for each in ordered if each.origin),
        rules=rules,
        tasks=tuple(tasks),
    )


def paired(remittances: Iterable[Signal]) -> tuple[list[Ended], list[Signal]]:
    """What reversals took back of the decisions that count on one claim version, and what they left."""
    own = _without_second_insurers(counting(sorted(map(_dated, remittances), key=_order)))
    reversals = [each for each in own if each.claim_status_code == REVERSAL]
    return pair_reversals([each for each in own if is_adjudication(each)], reversals)


def _second_insurers(ordered: Sequence[Signal]) -> set[str]:
    """The payers that speak only behind another one, which speaks too: the claim didn't go to them."""
    first = {
        each.source
        for each in ordered
        if is_adjudication(each) and each.claim_status_code not in BEHIND_ANOTHER
    }
    behind = {each.source for each in ordered if each.claim_status_code in BEHIND_ANOTHER} - first
    return behind if first else set()


def _without_second_insurers(ordered: Sequence[Signal]) -> list[Signal]:
    """Leave out what another insurer says behind the one that the claim went to: it corrects nothing there.

    Where the first one paid nothing and the second did, both are heard.
    """
    second = _second_insurers(ordered)
    own = [each for each in ordered if each.source not in second]
    behind = sum((paid_by(each) for each in ordered if each.source in second), NOTHING)
    return list(ordered) if behind > 0 >= sum((paid_by(each) for each in own), NOTHING) else own


def _owed(payments: Sequence[Payment], *, behind: Sequence[Signal]) -> Decimal:
    """Sum what is left to the patient, of which a second insurer's last word may leave less, never more."""
    owed = sum((payment.owed for payment in payments), NOTHING)
    said = [each for each in behind if is_adjudication(each)]
    _, left = pair_reversals(said, [each for each in behind if each.claim_status_code == REVERSAL])
    words = payments_of(left)
    return min(owed, words[-1].owed) if words else owed


def _verdict(
    deciding: Sequence[Payment],
    overtaken: Sequence[Payment],
    adjudications: Sequence[Signal],
    reversals: Sequence[Signal],
    *,
    unreversed: Sequence[Signal],
    ended: Sequence[Ended],
) -> tuple[ClaimStatus | None, int]:
    """Judge what stands, in the light of what stood before it."""
    if not deciding:
        return None, RECORD_ONLY
    status = status_of([part for payment in deciding for part in payment.parts])
    if status is ClaimStatus.DENIED:
        is_correction = {payment.batch for payment in deciding} & {each.batch for each in reversals}
        corrected = {each.batch for each in adjudications}
        stood = [each.adjudication for each in ended if each.reversal.batch not in corrected]
        taken_back = not is_correction and _was_paid_before(deciding, [*unreversed, *stood])
        return (ClaimStatus.TAKEN_BACK, 24) if taken_back else (status, 19)
    if status in {ClaimStatus.PAID, ClaimStatus.PARTIALLY_PAID}:
        return status, 23 if any(payment.refuses for payment in overtaken) else 17
    return status, 20 if status is ClaimStatus.MEMBER_UNKNOWN else 18


def _was_paid_before(deciding: Sequence[Payment], stood: Sequence[Signal]) -> bool:
    """Tell whether an earlier payment stood until now, or until a reversal without its own correction.

    On the same date the refusal counts as the later of the two, as it does everywhere.
    """
    batches = {payment.batch for payment in deciding}
    return any(paid_by(each) > 0 and each.batch not in batches for each in stood)


def _without_adjudication(ordered: Sequence[Signal]) -> tuple[Signal, ClaimStatus]:
    """Judge where nothing stands: taken back without a correction, or passed on to another payer."""
    last = max(
        (each for each in ordered if each.claim_status_code in {REVERSAL, OTHER_PAYER}),
        key=lambda each: (each.effective_date, each.claim_status_code == REVERSAL, each.natural_key),
    )
    is_reversal = last.claim_status_code == REVERSAL
    return last, ClaimStatus.REVERSED if is_reversal else ClaimStatus.FORWARDED_OTHER_PAYER


def _awaits_correction(reversal: Signal) -> ReviewTask:
    overdue = reversal.effective_date + CORRECTION_EXPECTED_WITHIN
    return ReviewTask(ReviewKind.REVERSED_WITHOUT_CORRECTION, reversal.natural_key, overdue)


def _tasks(
    status: ClaimStatus | None,
    deciding: Sequence[Payment],
    overtaken: Sequence[Payment],
    ordered: Sequence[Signal],
    *,
    awaited: Sequence[Ended],
    billed: Decimal | None,
) -> list[ReviewTask]:
    newest = deciding[-1].parts[0].natural_key
    if status is ClaimStatus.TAKEN_BACK:
        return [ReviewTask(ReviewKind.PAYMENT_TAKEN_BACK, newest)]
    if status in {ClaimStatus.DENIED, ClaimStatus.MEMBER_UNKNOWN}:
        return [ReviewTask(ReviewKind.CLAIM_DENIED, newest)]
    parts = [part for payment in deciding for part in payment.parts]
    odd = any(
        paid_by(part) < 0 or (part.claim_status_code == DENIED_BY_CODE and paid_by(part) > 0)
        for part in parts
    )
    charged = sum((part.charge or NOTHING for part in parts), NOTHING)
    charged += sum((each.adjudication.charge or NOTHING for each in awaited), NOTHING)
    odd = odd or charged != (charged if billed is None else billed) or _net(ordered) > charged
    odd = odd or not all(map(agrees_on_patient, parts)) or any(payment.kept for payment in deciding)
    odd = odd or any(map(_exceeds_charge, deciding))
    odd = odd or _pays_again(parts, [part for payment in overtaken for part in payment.parts])
    tasks = [ReviewTask(ReviewKind.UNEXPECTED_AMOUNT, newest)] if odd else []
    denying = [
        part.natural_key
        for payment in deciding
        for part in payment.parts
        if denied_of(part, adds=payment.before > 0)
    ]
    return tasks + [ReviewTask(ReviewKind.LINE_DENIED, key) for key in denying[:1]]


def _exceeds_charge(payment: Payment) -> bool:
    """Tell whether it, with former payments of its lines, comes to more than was charged for them."""
    return payment.before + payment.paid > sum((part.charge or NOTHING for part in payment.parts), NOTHING)


def _pays_again(parts: Sequence[Signal], overtaken: Sequence[Signal]) -> bool:
    """Tell whether what stands says all that a former payment said: two were made, or one was told twice."""
    former = {_content(part) for part in overtaken}
    return any(paid_by(part) > 0 and _content(part) in former for part in parts)


def _content(part: Signal) -> tuple[object, ...]:
    return (
        part.source,
        part.claim_status_code,
        part.payer_control_number,
        part.charge,
        part.paid,
        part.adjustments,
        part.lines,
    )


def _net(ordered: Iterable[Signal]) -> Decimal:
    """Sum all that was paid, less what was taken back."""
    return sum((paid_by(each) for each in ordered if each.claim_status_code != PREDETERMINATION), NOTHING)


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


def _is_known(remittance: Signal) -> bool:
    return is_adjudication(remittance) or remittance.claim_status_code in {
        REVERSAL,
        OTHER_PAYER,
        PREDETERMINATION,
    }


def _dated(remittance: Signal) -> Signal:
    """Tell 835s of one trace number apart: payers give one to many that move no money."""
    day = remittance.effective_date.isoformat()
    return replace(remittance, batch=f"{remittance.batch}|{day}") if remittance.batch else remittance


def _order(remittance: Signal) -> tuple[date, str, str]:
    return remittance.effective_date, remittance.batch, remittance.natural_key
