"""What a payer decided on each line of a claim: each amount with its reason in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from billing.adjustment_words import explain_adjustment, explain_remark
from claims.fold.amounts import NOTHING, allowed_by, allowed_of_line
from claims.ledger import EntryKind, is_allowed, kind_of_adjustment
from claims.signals import Adjustment, LineOutcome, Signal, SignalKind

AS_A_WHOLE = "The claim as a whole"


@dataclass(frozen=True, slots=True)
class Kept:
    """An amount that isn't paid, and why: a clause, and the code behind it."""

    amount: Decimal
    words: str
    code: str


@dataclass(frozen=True, slots=True)
class LineDecided:
    """One service line, or what is said of the claim as a whole; amounts of a reversal are below nothing."""

    name: str
    charge: Decimal | None
    allowed: Decimal | None
    is_stated: bool
    """Whether the payer itself says what it allowed."""
    paid: Decimal | None
    kept: Sequence[tuple[EntryKind, Kept]] = ()
    remarks: Sequence[str] = ()

    @property
    def written_down(self) -> list[Kept]:
        """What the contract takes off."""
        return self._of(EntryKind.CONTRACTUAL)

    @property
    def patients(self) -> list[Kept]:
        """What is left to the patient."""
        return self._of(EntryKind.PATIENT_SHARE)

    @property
    def unpaid(self) -> list[Kept]:
        """What was denied or taken off for another reason: neither the contract's nor the patient's."""
        return self._of(EntryKind.OTHER_ADJUSTMENT)

    def _of(self, wanted: EntryKind) -> list[Kept]:
        return [each for kind, each in self.kept if kind is wanted]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of an 835, or one that staff typed."""

    paid_on: date
    trace_number: str
    payer_control_number: str
    lines: Sequence[LineDecided]
    charge: Decimal | None
    allowed: Decimal | None
    paid: Decimal | None
    remarks: Sequence[str] = field(default=())
    """Of the claim as a whole."""

    @property
    def has_unpaid(self) -> bool:
        """Whether anything is neither paid, nor written down, nor the patient's."""
        return any(line.unpaid for line in self.lines)

    @property
    def written_down(self) -> Decimal:
        """In all."""
        return _sum(each for line in self.lines for each in line.written_down)

    @property
    def patients(self) -> Decimal:
        """In all."""
        return _sum(each for line in self.lines for each in line.patients)

    @property
    def unpaid(self) -> Decimal:
        """In all."""
        return _sum(each for line in self.lines for each in line.unpaid)


def decision_of(signal: Signal) -> Decision | None:
    """What an 835 says of a claim; None where the answer is no decision about money."""
    if signal.kind is not SignalKind.REMITTANCE:
        return None
    lines = [_line(each) for each in signal.lines]
    if signal.adjustments or not lines:
        allowed = is_allowed(signal.paid or NOTHING, signal.every_adjustment)
        kept = _kept(signal.adjustments, allowed=allowed)
        alone = not lines
        lines.append(
            LineDecided(
                AS_A_WHOLE,
                signal.charge if alone else None,
                signal.allowed if alone else None,
                is_stated=True,
                paid=signal.paid if alone else None,
                kept=kept,
            )
        )
    return Decision(
        paid_on=signal.effective_date,
        trace_number=signal.trace_number,
        payer_control_number=signal.payer_control_number,
        lines=lines,
        charge=signal.charge,
        allowed=allowed_by([signal]) if _is_forward(signal.charge) else None,
        paid=signal.paid,
        remarks=[explain_remark(each).sentence for each in signal.remarks],
    )


def _line(line: LineOutcome) -> LineDecided:
    return LineDecided(
        name="-".join((line.procedure_code, *line.modifiers)),
        charge=line.charge,
        allowed=allowed_of_line(line) if _is_forward(line.charge) else line.allowed,
        is_stated=line.allowed is not None,
        paid=line.paid,
        kept=_kept(line.adjustments, allowed=is_allowed(line.paid, line.adjustments)),
        remarks=[explain_remark(each).sentence for each in line.remarks],
    )


def _is_forward(charge: Decimal | None) -> bool:
    """Tell a decision from one that takes an earlier one back: what that allowed isn't worked out."""
    return charge is not None and charge >= 0


def _kept(adjustments: Iterable[Adjustment], *, allowed: bool) -> list[tuple[EntryKind, Kept]]:
    found = []
    for each in adjustments:
        explained = explain_adjustment(each.group, each.reason)
        words = explained.words if explained.known else explained.context
        kind = kind_of_adjustment(each.group, explained.code.rpartition("-")[2], allowed=allowed)
        found.append((kind, Kept(each.amount, words, explained.code)))
    return found


def _sum(kept: Iterable[Kept]) -> Decimal:
    return sum((each.amount for each in kept), NOTHING)
