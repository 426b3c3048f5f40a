"""Which remittances for a claim still stand, and which of those decide."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from claims.fold.amounts import (
    BEHIND_ANOTHER,
    NOTHING,
    allowed_of_line,
    as_paid,
    can_be_split,
    denied_of,
    denies_duplicate,
    paid_before,
    paid_by,
    patient_share,
    reasons_of,
    stated_by,
)
from claims.fold.by_line import Payment, alone, line_names, lines_of, of_lines, same_lines, split
from claims.fold.readings import ReviewKind, ReviewTask
from claims.signals import Signal


@dataclass(frozen=True, slots=True)
class Ended:
    """What a reversal took back: an adjudication, or what that says of some lines."""

    adjudication: Signal
    reversal: Signal


def pair_reversals(
    adjudications: Sequence[Signal], reversals: Sequence[Signal]
) -> tuple[list[Ended], list[Signal]]:
    """Find what reversals take back, the oldest reversal first, and what they leave as it is.

    A reversal belongs to an earlier 835, never to a later one, and in its own 835 stands the correction. The
    same lines count most, then the same payer control number, then the same amount paid, for its lines alone
    where it names some, then the same charge, then the same reasons, then the oldest. Several adjudications
    end together where their lines and payments come to what one reversal takes back.
    """
    ended: list[Ended] = []
    left = list(adjudications)
    for reversal in reversals:
        candidates = [each for each in left if could_end(reversal, each)]
        if not candidates:
            continue
        best = max(candidates, key=partial(_likeness, reversal=reversal))
        for each in _taken_together(reversal, candidates) or [best]:
            taken, rest = taken_from(each, reversal)
            ended.append(Ended(taken, reversal))
            place = left.index(each)
            left[place : place + 1] = [rest] if rest else []
    return ended, left


def could_end(reversal: Signal, adjudication: Signal) -> bool:
    """Tell whether an adjudication came before a reversal, in another 835."""
    batches = {each.batch or each.natural_key for each in (reversal, adjudication)}
    return adjudication.effective_date <= reversal.effective_date and len(batches) > 1


def _taken_together(reversal: Signal, candidates: Sequence[Signal]) -> list[Signal]:
    """Several payments that come to what one reversal takes back."""
    paid = [each for each in candidates if each.source == reversal.source and paid_by(each) > 0]
    own = [each for each in paid if _is_within(each, reversal)]
    comes_to = sum(map(paid_by, own), NOTHING)
    return own if len(own) > 1 and comes_to == -paid_by(reversal) else []


def taken_from(adjudication: Signal, reversal: Signal) -> tuple[Signal, Signal | None]:
    """What an adjudication says of the lines that a reversal takes back, and of those that it leaves."""
    if not can_be_split(adjudication) or not _is_within(reversal, adjudication):
        return adjudication, None
    taken, rest = split(alone(adjudication), alone(reversal))
    if rest is None or taken.paid != -paid_by(reversal):
        return adjudication, None
    return taken.parts[0], rest.parts[0]


def _is_within(one: Signal, other: Signal) -> bool:
    """Tell whether an 835 speaks of no other lines than another does."""
    shared = lines_of(alone(other), like=alone(one))
    return shared is not None and all(getattr(line, shared[0]) in shared[1] for line in one.lines)


def standing(left: Sequence[Signal], ended: Sequence[Ended]) -> list[Signal]:
    """What no reversal took back, and no refusal that was reversed later, as a new version of the claim does.

    The end of a take-back gives no payment back: what the payer then decides, in the same 835 or a later one,
    speaks for itself.
    """
    refusals = [
        (payment, {each.reversal.batch for each in ended if each.adjudication in payment.parts})
        for payment in payments_of([each.adjudication for each in ended])
        if payment.refuses
    ]
    stood: list[Signal] = []
    for payment in payments_of(left):
        kept: Payment | None = payment
        for refusal, ended_in in refusals:
            is_before = payment.paid_on <= refusal.paid_on and payment.batch not in ended_in
            if kept is not None and is_before and same_lines(kept, refusal):
                former, rest = split(kept, refusal)
                kept = kept if former.refuses else rest
        stood += kept.parts if kept else ()
    return stood


def payments_of(standing: Sequence[Signal]) -> list[Payment]:
    """Put together what one 835 says, the oldest payment first and on the same date a refusal last."""
    by_batch: dict[str, list[Signal]] = defaultdict(list)
    for each in standing:
        by_batch[each.batch or each.natural_key].append(each)
    payments = [
        Payment(batch, max(part.effective_date for part in parts), tuple(parts))
        for batch, parts in by_batch.items()
    ]
    return sorted(payments, key=lambda payment: (payment.paid_on, payment.refuses, payment.batch))


def duplicates_among(standing: Sequence[Signal]) -> list[Signal]:
    """Find what only denies a duplicate of lines that the payer decided on: it takes nothing back."""
    decided = [alone(each) for each in standing if not denies_duplicate(each)]
    return [
        each
        for each in standing
        if denies_duplicate(each) and any(same_lines(alone(each), payment) for payment in decided)
    ]


def awaiting_correction(payments: Sequence[Payment], ended: Sequence[Ended]) -> list[Ended]:
    """Find what was reversed of lines of which no later decision is known."""
    return [each for each in ended if not any(_corrects(payment, each) for payment in payments)]


def without_awaited(
    deciding: Sequence[Payment], awaited: Sequence[Ended]
) -> tuple[list[Payment], list[Ended]]:
    """Leave out refusals of lines that were allowed since, and reversed: they don't come back.

    Awaited is then what nothing else that is allowed speaks of, by its last reversal. Where nothing is
    allowed, only what had been.
    """
    decided, left = list(deciding), list(awaited)
    if all(payment.refuses for payment in deciding):
        left = [each for each in awaited if not alone(each.adjudication).refuses]
        return [] if left else decided, left
    for each in awaited:
        former = alone(each.adjudication)
        parts = [split(payment, former)[0] for payment in decided if same_lines(payment, former)]
        again = [
            other for other in left[left.index(each) + 1 :] if same_lines(alone(other.adjudication), former)
        ]
        if not again and all(part.refuses for part in parts):
            others = [split(each, former)[1] if same_lines(each, former) else each for each in decided]
            decided = [other for other in others if other is not None]
        else:
            left.remove(each)
    return decided, left


def _corrects(payment: Payment, ended: Ended) -> bool:
    """Tell whether a payment decides anew; one that denies a duplicate does so only after the reversal."""
    former = alone(ended.adjudication)
    is_duplicate = all(map(denies_duplicate, payment.parts))
    since = ended.reversal.effective_date if is_duplicate else former.paid_on
    return payment.batch != former.batch and payment.paid_on >= since and same_lines(payment, former)


def deciding_of(payments: Sequence[Payment]) -> tuple[list[Payment], list[Payment], list[ReviewTask]]:
    """Split payments into those that decide and those that a later one for the same lines has overtaken.

    Each line is compared by itself, where all that they say of it is told by line. Of one that speaks of
    other lines too, what it says of those still decides.
    """
    deciding: list[Payment] = []
    overtaken: list[Payment] = []
    tasks: list[ReviewTask] = []
    for whole in payments:
        for payment in _by_line(whole, [each for each in deciding if same_lines(each, whole)]):
            rivals = [each for each in deciding if same_lines(each, payment)]
            newest = payment
            for earlier in rivals:
                former, rest = split(earlier, payment)
                place = deciding.index(earlier)
                deciding[place : place + 1] = [rest] if rest else []
                if len(rivals) == 1 and (stays := _as_paid_before(payment, former)) is not None:
                    newest = stays
                    continue
                overtaken.append(former)
                newest = _after(newest, former, split(payment, earlier)[0])
                if former.paid_on == payment.paid_on and former.refuses != payment.refuses:
                    tasks.append(ReviewTask(ReviewKind.CONFLICTING_ANSWERS, payment.parts[0].natural_key))
            deciding.append(newest)
    return deciding, overtaken, tasks


def _by_line(payment: Payment, rivals: Sequence[Payment]) -> list[Payment]:
    """Take a payment apart by its lines, if it and those that it overtakes name and tell all by line."""
    shared = [lines_of(rival, like=payment) for rival in rivals]
    names = {each[0] if each else "" for each in shared}
    parts = [part for each in (payment, *rivals) for part in each.parts]
    if len(names) != 1 or names == {""} or not all(map(can_be_split, parts)):
        return [payment]
    (name,) = names
    lines = dict.fromkeys(line_names(payment, name))
    return [replace(payment, parts=of_lines(payment, name, frozenset({line}))) for line in lines]


def _after(payment: Payment, former: Payment, again: Payment) -> Payment:
    """Add a payment to a former one that it overtakes; `again` is what it says of the same lines.

    The patient owes what the former left to him where this one says nothing of it, but never more than what
    one of them allowed and isn't paid. Allowed is what this one states, if that can be all of it; else what
    they paid and left to the patient, and no less than was stated before. What is told again, or comes to
    more than was charged, allows no more than one of them did.
    """
    before, kept = former.before + former.paid, NOTHING
    if again.paid <= 0:
        return replace(payment, unreturned=payment.unreturned + former.unreturned + max(before, NOTHING))
    if former.paid <= 0:
        return payment
    if (
        not any(each.group == "PR" for part in again.parts for each in part.every_adjustment)
        and not again.owed
    ):
        kept = min(former.owed, max(former.most_allowed - before - again.paid, NOTHING))
    in_all, stated, stated_before = max(before, NOTHING) + again.paid, stated_by(again.parts), NOTHING
    allowed = stated
    if stated < in_all:
        stated_before = former.stated
        allowed = max(in_all + sum(map(patient_share, again.parts), NOTHING) + kept, stated_before)
        is_told_again = (again.paid, reasons_of(again.parts)) == (former.paid, reasons_of(former.parts))
        if is_told_again or allowed > sum((part.charge or NOTHING for part in again.parts), NOTHING):
            allowed = max(former.allowed, again.allowed)
    return replace(
        payment,
        before=payment.before + before,
        allowed_besides=payment.allowed_besides + allowed - again.allowed,
        most_besides=payment.most_besides + max(former.most_allowed - again.most_allowed, NOTHING),
        stated_before=payment.stated_before + stated_before,
        kept=payment.kept + kept,
    )


def _as_paid_before(payment: Payment, former: Payment) -> Payment | None:
    """What stands of a former payment that one of nothing calls paid before, with what that says anew of it.

    None where it doesn't call it so. What it leaves to the patient is untold where it counts more as paid
    before than was paid.
    """
    before, told = former.before + former.paid, sum(map(paid_before, payment.parts), NOTHING)
    if payment.paid or len(payment.parts) > 1 or min(told, before) <= 0 or split(payment, former)[1]:
        return None
    (part,) = payment.parts
    is_untold = told > before and not any(each.group == "PR" for each in part.every_adjustment)
    is_as_before = told >= before and (is_untold or payment.owed == former.owed)
    if is_as_before and not denied_of(part, adds=True):
        return former
    stays = min(told, before)
    return replace(payment, parts=(as_paid(part, stays),), unreturned=former.unreturned + before - stays)


def allowed_by_line(payments: Iterable[Payment]) -> dict[str, Decimal]:
    """What the first insurer allowed for each line, by its control number; under none, for all of them.

    Of adjustments to a claim as a whole nobody knows the line's part.
    """
    found: dict[str, Decimal] = defaultdict(Decimal)
    for payment in payments:
        if any(part.claim_status_code in BEHIND_ANOTHER for part in payment.parts):
            continue
        found[""] += payment.allowed
        names = set(line_names(payment, "control_number")) - {""}
        if len(names) == 1:
            found[names.pop()] += payment.allowed
        elif not payment.allowed_besides:
            for part in payment.parts:
                for line in part.lines:
                    if line.control_number and (line.allowed is not None or not part.adjustments):
                        found[line.control_number] += allowed_of_line(line)
    return dict(found)


def each_line_once(payments: Sequence[Payment], *, billed: Decimal | None) -> Sequence[Payment]:
    """Leave out of what is said of more than was billed what is said of the same lines again.

    Of two the one that pays more counts; what either leaves to the patient is owed once.
    """
    parts = [part for payment in payments for part in payment.parts]
    if billed is None or sum((part.charge or NOTHING for part in parts), NOTHING) <= billed:
        return payments
    kept: list[Payment] = []
    for part in map(alone, sorted(parts, key=paid_by, reverse=True)):
        if not any(same_lines(part, each) for each in kept):
            kept.append(part)
    return kept


def _likeness(adjudication: Signal, reversal: Signal) -> tuple[bool, bool, bool, bool, bool, int, str]:
    taken, _ = taken_from(adjudication, reversal)
    number = adjudication.payer_control_number
    is_unknown = bool(adjudication.origin) and not number
    return (
        same_lines(alone(adjudication), alone(reversal)),
        bool(reversal.payer_control_number) and (number == reversal.payer_control_number or is_unknown),
        paid_by(taken) == -paid_by(reversal),
        abs(taken.charge or NOTHING) == abs(reversal.charge or NOTHING),
        {(str(each), each.amount) for each in reasons_of([taken])}
        == {(str(each), -each.amount) for each in reasons_of([reversal])},
        -adjudication.effective_date.toordinal(),
        adjudication.natural_key,
    )
