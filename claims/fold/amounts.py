"""The amounts of remittances: what adjudications of a claim come to, apart from any history."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from claims.signals import Adjustment, ClaimStatus, LineOutcome, Signal, SignalKind

PROCESSED = frozenset({"1", "2", "3", "19", "20", "21"})
BEHIND_ANOTHER = frozenset({"2", "3", "20", "21"})
"""Processed by a second or third insurer, after another one."""
DENIED_BY_CODE = "4"
REVERSAL = "22"
OTHER_PAYER = "23"
PREDETERMINATION = "25"
PATIENT_SHARE = frozenset({"1", "2", "3"})
"""Deductible, coinsurance, copayment: the adjustment reasons that mean allowed, and left to the patient."""

REDUCED_OR_COUNTED = frozenset({"45", "23"})
"""The contract's reduction, and another insurer's payment: what they leave unpaid is not denied."""

PAID_BEFORE = "B13"
REDUCTIONS = REDUCED_OR_COUNTED | {
    *("24", "44", "59", "94", "102", "103", "104", "105", "121", "122", "130", "131", "132", "137", "144"),
    *("161", "169", "172", "187", "209", "223", "225", "237", "245", "246", "253", "260", "271"),
    *("B10", "P12"),
}
"""What a contract, a law or another payer takes off what is allowed; any other reason denies a part of it."""

DUPLICATE = frozenset({"18", PAID_BEFORE})
"""The adjustment reasons of a claim or line that the payer has, or paid, already."""

UNPROCESSABLE = "MA130"
"""The remark on what is returned without a decision: it can't be appealed, and a new claim is to follow."""

OVERPAYMENT, OFFERED_BACK = "WO", "72"
"""The reasons for which a payer recovers a payment from another one, at the provider's level."""

NOTHING = Decimal(0)


def is_adjudication(remittance: Signal) -> bool:
    return remittance.claim_status_code in PROCESSED or remittance.claim_status_code == DENIED_BY_CODE


def denies_duplicate(remittance: Signal) -> bool:
    """Tell whether nothing was paid for no other reason than that the payer has the claim already."""
    is_unpaid = is_adjudication(remittance) and not paid_by(remittance)
    return is_unpaid and _only_duplicates(remittance.every_adjustment)


def without_duplicates(remittance: Signal, others: Iterable[Signal]) -> Signal:
    """Leave out the lines that it only denies as duplicates of what others allow, or deny for a reason."""
    known = {
        line.control_number
        for other in others
        if other is not remittance
        for line in other.lines
        if allowed_of_line(line) > 0 or (line.adjustments and not _only_duplicates(line.adjustments))
    } - {""}
    repeated = [
        line
        for line in remittance.lines
        if line.control_number in known and not line.paid and _only_duplicates(line.adjustments)
    ]
    kept = [line for line in remittance.lines if line not in repeated]
    return with_lines(remittance, kept) if repeated and kept and can_be_split(remittance) else remittance


def can_be_split(remittance: Signal) -> bool:
    """Tell whether all that it says of a claim it says by line."""
    in_all = (
        sum((line.charge for line in remittance.lines), NOTHING),
        sum((line.paid for line in remittance.lines), NOTHING),
    )
    agrees = in_all == (remittance.charge, paid_by(remittance)) and agrees_on_patient(remittance)
    return bool(remittance.lines) and not remittance.adjustments and agrees


def with_lines(remittance: Signal, lines: Sequence[LineOutcome]) -> Signal:
    """What a remittance says of some of its lines."""
    allowed = [line.allowed for line in lines if line.allowed is not None]
    return replace(
        remittance,
        lines=tuple(lines),
        charge=sum((line.charge for line in lines), NOTHING),
        paid=sum((line.paid for line in lines), NOTHING),
        patient_responsibility=None,
        allowed=sum(allowed, NOTHING) if len(allowed) == len(lines) else None,
    )


def paid_before(remittance: Signal) -> Decimal:
    """Sum what it doesn't pay because it was paid before, by its own words."""
    return sum((each.amount for each in remittance.every_adjustment if each.reason == PAID_BEFORE), NOTHING)


def as_paid(remittance: Signal, amount: Decimal) -> Signal:
    """One that pays nothing of a line, or of a claim as a whole, as if it paid now what was paid before."""
    allowed = remittance.allowed if (remittance.allowed or NOTHING) >= amount else None
    return replace(
        remittance,
        paid=amount,
        allowed=allowed,
        adjustments=_but_paid_before(remittance.adjustments),
        lines=tuple(
            replace(
                line,
                paid=line.paid or amount,
                allowed=allowed,
                adjustments=_but_paid_before(line.adjustments),
            )
            for line in remittance.lines
        ),
    )


def _but_paid_before(adjustments: Iterable[Adjustment]) -> tuple[Adjustment, ...]:
    return tuple(each for each in adjustments if each.reason != PAID_BEFORE)


def _only_duplicates(adjustments: Iterable[Adjustment]) -> bool:
    reasons = {each.reason for each in adjustments if each.amount}
    return bool(reasons) and reasons <= DUPLICATE


def is_unprocessed(remittance: Signal) -> bool:
    """Tell whether it returns the whole claim undecided, but for one that the payer has already."""
    is_of_all = UNPROCESSABLE in remittance.remarks or (
        bool(remittance.lines) and all(UNPROCESSABLE in line.remarks for line in remittance.lines)
    )
    is_unpaid = is_adjudication(remittance) and not paid_by(remittance)
    return is_of_all and is_unpaid and not denies_duplicate(remittance)


def paid_by(remittance: Signal) -> Decimal:
    return remittance.paid or NOTHING


def recouped_by(signals: Iterable[Signal]) -> Decimal:
    """Sum what payers recovered at the provider's level, beyond what their reversals took off already.

    `signals` are those of every version of a claim: a payer may name one in a reversal and another when it
    recovers. What an 835 reverses and decides anew takes off only the difference. What is put off adds to one
    payment and is taken from a later one. What the practice offered and paid back itself is only
    acknowledged: it adds nothing.
    """
    taken: dict[str, Decimal] = defaultdict(Decimal)
    moved: dict[tuple[str, str, date], Decimal] = defaultdict(Decimal)
    reversing = set()
    for signal in signals:
        if signal.kind is SignalKind.PROVIDER_ADJUSTMENT:
            taken[signal.source] -= sum(
                (each.amount for each in signal.adjustments if _recovers(each)), NOTHING
            )
        elif signal.claim_status_code == REVERSAL or is_adjudication(signal):
            statement = signal.source, signal.batch or signal.natural_key, signal.effective_date
            moved[statement] += paid_by(signal)
            if signal.claim_status_code == REVERSAL:
                reversing.add(statement)
    for statement in reversing:
        taken[statement[0]] += min(moved[statement], NOTHING)
    return sum((max(each, NOTHING) for each in taken.values()), NOTHING)


def left_of(paid: Decimal, signals: Iterable[Signal]) -> Decimal:
    """What is left of net payments once what payers recovered at the provider's level is off them."""
    return paid - min(max(paid, NOTHING), recouped_by(signals))


def _recovers(adjustment: Adjustment) -> bool:
    is_taken = adjustment.amount < 0
    return adjustment.reason == OVERPAYMENT or (adjustment.reason == OFFERED_BACK and is_taken)


def status_of(parts: Sequence[Signal]) -> ClaimStatus:
    """Judge what one or several adjudications of a claim give together, apart from any history."""
    lines = [line for part in parts for line in part.lines if line.charge]
    if sum((paid_by(part) for part in parts), NOTHING) > 0:
        unpaid = any(line.paid <= 0 for line in lines) or any(
            not part.lines and paid_by(part) <= 0 for part in parts
        )
        return ClaimStatus.PARTIALLY_PAID if unpaid else ClaimStatus.PAID
    if all(part.claim_status_code == DENIED_BY_CODE for part in parts):
        return ClaimStatus.MEMBER_UNKNOWN
    if sum((patient_share(part) for part in parts), NOTHING) > 0:
        return ClaimStatus.PATIENT_RESPONSIBILITY
    return ClaimStatus.DENIED


def patient_share(remittance: Signal) -> Decimal:
    """Sum deductible, coinsurance and copayment; the stated total serves where no adjustment explains it."""
    to_patient = [each for each in remittance.every_adjustment if each.group == "PR"]
    if not to_patient:
        return remittance.patient_responsibility or NOTHING
    return sum((each.amount for each in to_patient if each.reason in PATIENT_SHARE), NOTHING)


def denied_of(remittance: Signal, *, adds: bool = False) -> tuple[Adjustment, ...]:
    """Collect why lines or parts of them were denied: neither paid, nor the patient's, nor reduced.

    `adds` tells that it adds to a payment that is known. A line that is neither paid nor the patient's is
    denied for whatever reason it gives but the contract's reduction and another insurer's payment.
    """
    places = [(line.charge, line.paid, line.adjustments) for line in remittance.lines]
    denied: list[Adjustment] = []
    for charge, paid, adjustments in [*places, (NOTHING, NOTHING, remittance.adjustments)]:
        to_patient = any(each.group == "PR" and each.amount for each in adjustments)
        is_denied = charge > 0 >= paid and not to_patient
        counted = {*(REDUCED_OR_COUNTED if is_denied else REDUCTIONS), *((PAID_BEFORE,) if adds else ())}
        denied += [
            each
            for each in adjustments
            if each.amount > 0 and each.group != "PR" and each.reason not in counted
        ]
    return tuple(denied)


def owed_by_patient(remittance: Signal) -> Decimal:
    """Sum all that is left to the patient, whatever the reason: of what is stated and explained the less."""
    to_patient = [each.amount for each in remittance.every_adjustment if each.group == "PR"]
    explained, stated = sum(to_patient, NOTHING), remittance.patient_responsibility
    if stated is None:
        return explained
    return min(stated, explained) if to_patient else stated


def agrees_on_patient(remittance: Signal) -> bool:
    """Tell whether what it states in all as the patient's is what its adjustments leave to the patient."""
    to_patient = [each.amount for each in remittance.every_adjustment if each.group == "PR"]
    stated = remittance.patient_responsibility
    return stated is None or stated == sum(to_patient, NOTHING)


def reasons_of(parts: Iterable[Signal]) -> tuple[Adjustment, ...]:
    """Collect why the payer did not pay, largest amount first and the contractual reduction (CO-45) last."""
    sums: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for part in parts:
        for each in part.every_adjustment:
            sums[each.group, each.reason] += each.amount
    merged = [
        Adjustment(group=group, reason=reason, amount=amount) for (group, reason), amount in sums.items()
    ]
    return tuple(
        sorted(
            (each for each in merged if each.amount),
            key=lambda each: (
                (each.group, each.reason) == ("CO", "45"),
                -each.amount,
                each.group,
                each.reason,
            ),
        )
    )


def allowed_by(parts: Sequence[Signal]) -> Decimal | None:
    """Sum what the payer allowed: as stated, else what it paid and left to the patient as his share."""
    return sum(map(_allowed_by_one, parts), NOTHING) if parts else None


def stated_by(parts: Iterable[Signal]) -> Decimal:
    """Sum what the payer says of itself that it allowed."""
    return sum((part.allowed or NOTHING for part in parts), NOTHING)


def _allowed_by_one(part: Signal) -> Decimal:
    if part.allowed is None and can_be_split(part):
        return sum(map(allowed_of_line, part.lines), NOTHING)
    return allowed_as_whole(part)


def allowed_as_whole(part: Signal) -> Decimal:
    """Give what the payer allowed for all lines: as stated, else what it paid and left to the patient."""
    return max(paid_by(part), NOTHING) + patient_share(part) if part.allowed is None else part.allowed


def allowed_of_line(line: LineOutcome) -> Decimal:
    """Give what the payer allowed for a line: as stated, else what it paid and left to the patient."""
    if line.allowed is not None:
        return line.allowed
    to_patient = (
        each.amount for each in line.adjustments if each.group == "PR" and each.reason in PATIENT_SHARE
    )
    return max(line.paid, NOTHING) + sum(to_patient, NOTHING)
