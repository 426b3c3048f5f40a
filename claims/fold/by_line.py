"""One payment of an 835, by its lines: which of them two payments share, and what they say of those."""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from claims.fold.amounts import (
    NOTHING,
    allowed_as_whole,
    allowed_by,
    can_be_split,
    owed_by_patient,
    paid_by,
    stated_by,
    status_of,
    with_lines,
)
from claims.fold.readings import SESSION_STATUS
from claims.signals import ClaimStatus, SessionStatus, Signal


@dataclass(frozen=True, slots=True)
class Payment:
    """The claims of one 835 that still stand and belong to one claim version.

    It adds to `before`, which former payments of its lines came to; `allowed_besides` is what was allowed
    beyond what it says alone, `most_besides` what any of them alone allowed beyond it, `stated_before` what
    these state as such where it states nothing that could be all, and `kept` what they left to the patient
    where it says nothing of that itself. `unreturned` is what they came to where it pays nothing.
    """

    batch: str
    paid_on: date
    parts: tuple[Signal, ...]
    before: Decimal = NOTHING
    allowed_besides: Decimal = NOTHING
    most_besides: Decimal = NOTHING
    stated_before: Decimal = NOTHING
    kept: Decimal = NOTHING
    unreturned: Decimal = NOTHING

    @property
    def status(self) -> ClaimStatus:
        return status_of(self.parts)

    @property
    def refuses(self) -> bool:
        return SESSION_STATUS[self.status] is SessionStatus.DENIED

    @property
    def paid(self) -> Decimal:
        return sum(map(paid_by, self.parts), NOTHING)

    @property
    def owed(self) -> Decimal:
        """What is left to the patient."""
        return sum(map(owed_by_patient, self.parts), self.kept)

    @property
    def allowed(self) -> Decimal:
        return (allowed_by(self.parts) or NOTHING) + self.allowed_besides

    @property
    def most_allowed(self) -> Decimal:
        """The most that it or a former one allowed by itself: more isn't collected from the patient."""
        return sum(map(allowed_as_whole, self.parts), self.most_besides)

    @property
    def stated(self) -> Decimal:
        """What was stated as allowed, by it or else by former ones."""
        return max(stated_by(self.parts), self.stated_before)


def alone(adjudication: Signal) -> Payment:
    """A payment of nothing but this."""
    batch = adjudication.batch or adjudication.natural_key
    return Payment(batch, adjudication.effective_date, (adjudication,))


def same_lines(one: Payment, other: Payment) -> bool:
    """Tell whether two payments speak of the same lines; a payer may split a claim over several payments."""
    shared = lines_of(one, like=other)
    if shared is None:
        return True
    name, lines = shared
    return any(getattr(line, name) in lines for part in other.parts for line in part.lines)


def lines_of(payment: Payment, *, like: Payment) -> tuple[str, frozenset[str]] | None:
    """Name the lines of a payment as another one names its own; None where they have no such name."""
    for name, named in (("control_number", _control_numbers), ("procedure_code", _procedures)):
        if (lines := named(payment)) and named(like):
            return name, lines
    return None


def _control_numbers(payment: Payment) -> frozenset[str]:
    named = frozenset(line_names(payment, "control_number"))
    return named if "" not in named and all(part.lines for part in payment.parts) else frozenset()


def _procedures(payment: Payment) -> frozenset[str]:
    """Name the procedures, without modifiers: payers drop them."""
    if not all(part.lines for part in payment.parts):
        return frozenset()
    return frozenset(line_names(payment, "procedure_code"))


def line_names(payment: Payment, name: str) -> list[str]:
    """What its lines are called, by their control numbers or procedure codes."""
    return [getattr(line, name) for part in payment.parts for line in part.lines]


def split(payment: Payment, other: Payment) -> tuple[Payment, Payment | None]:
    """What a payment says of the lines that another speaks of too, and of those that it doesn't."""
    shared = lines_of(other, like=payment)
    if shared is None or not all(map(can_be_split, payment.parts)):
        return payment, None
    name, lines = shared
    both = of_lines(payment, name, lines)
    rest = of_lines(payment, name, frozenset(line_names(payment, name)) - lines)
    if not rest:
        return payment, None
    return replace(payment, parts=both), Payment(payment.batch, payment.paid_on, rest)


def of_lines(payment: Payment, name: str, lines: frozenset[str]) -> tuple[Signal, ...]:
    """What its parts say of some lines."""
    some = [(part, [line for line in part.lines if getattr(line, name) in lines]) for part in payment.parts]
    return tuple(with_lines(part, kept) for part, kept in some if kept)
