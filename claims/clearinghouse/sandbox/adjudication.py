"""Decides what a rehearsed claim is paid: pure amounts, balanced line by line.

On every line `charge - sum(adjustments) == paid`; a claim's amounts are the sums of its lines'.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from claims.clearinghouse.sandbox.received import ReceivedClaim, ReceivedLine
from claims.clearinghouse.sandbox.rehearsal import USUAL_DENIAL, Rehearsal, Scenario

PROCESSED = "1"
NOT_RECOGNISED = "4"
REVERSAL = "22"

ALLOWED_SHARE = Decimal("0.80")
COPAY = Decimal("25.00")
_CENT = Decimal("0.01")
_ZERO = Decimal(0)

CONTRACTUAL, OTHER, PATIENT = "CO", "OA", "PR"
_REASONS_OF_OTHER_GROUP = {"18": OTHER}
_REMARK_REQUIRED_BY = {"16": "N290", "96": "N130", "226": "N706", "227": "N706", "252": "M127"}
_NOT_IDENTIFIED = "31"
_COVERAGE_ENDED = "27"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One reason and amount of a CAS segment."""

    group: str
    reason: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class AdjudicatedLine:
    """An SVC: `allowed` is None where nothing is said about it."""

    line: ReceivedLine
    charge: Decimal
    paid: Decimal
    adjustments: tuple[Adjustment, ...] = ()
    allowed: Decimal | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class AdjudicatedClaim:
    """A CLP: the claim as received and its lines as decided."""

    claim: ReceivedClaim
    status: str
    payer_control_number: str
    lines: tuple[AdjudicatedLine, ...]

    @property
    def charge(self) -> Decimal:
        """What the lines were charged."""
        return sum((line.charge for line in self.lines), _ZERO)

    @property
    def paid(self) -> Decimal:
        """What the lines are paid; negative on a reversal."""
        return sum((line.paid for line in self.lines), _ZERO)

    @property
    def patient_share(self) -> Decimal:
        """The PR adjustments."""
        return sum((a.amount for line in self.lines for a in line.adjustments if a.group == PATIENT), _ZERO)


def adjudicate(claim: ReceivedClaim, rehearsal: Rehearsal, *, payer_control_number: str) -> AdjudicatedClaim:
    """Decide the first remittance of a claim that its payer accepted."""
    status = NOT_RECOGNISED if rehearsal.scenario is Scenario.UNKNOWN else PROCESSED
    decide: Callable[[ReceivedLine], AdjudicatedLine]
    match rehearsal.scenario:
        case Scenario.PARTIAL:
            return _pay_partly(claim, payer_control_number)
        case Scenario.DEDUCTIBLE:
            decide = _leave_to_patient
        case Scenario.DENIED:
            decide = _denying(rehearsal.code)
        case Scenario.UNKNOWN:
            decide = _denying(_NOT_IDENTIFIED)
        case _:
            decide = _pay_in_full
    return AdjudicatedClaim(claim, status, payer_control_number, tuple(map(decide, claim.lines)))


def decide_again(
    claim: ReceivedClaim, rehearsal: Rehearsal, *, payer_control_number: str
) -> AdjudicatedClaim:
    """Decide the correction that a REVERSED or a TAKEBACK rehearsal brings after its payment."""
    reason = _COVERAGE_ENDED if rehearsal.scenario is Scenario.TAKEN_BACK else USUAL_DENIAL
    lines = tuple(map(_denying(reason), claim.lines))
    return AdjudicatedClaim(claim, PROCESSED, payer_control_number, lines)


def reverse(adjudicated: AdjudicatedClaim) -> AdjudicatedClaim:
    """Undo a decision: every amount negated, under the same control numbers."""
    return replace(adjudicated, status=REVERSAL, lines=tuple(map(_negate, adjudicated.lines)))


def _negate(line: AdjudicatedLine) -> AdjudicatedLine:
    adjustments = tuple(replace(adjustment, amount=-adjustment.amount) for adjustment in line.adjustments)
    return replace(line, charge=-line.charge, paid=-line.paid, adjustments=adjustments, allowed=None)


def _pay_in_full(line: ReceivedLine) -> AdjudicatedLine:
    return AdjudicatedLine(line, line.charge, line.charge, allowed=line.charge)


def _leave_to_patient(line: ReceivedLine) -> AdjudicatedLine:
    deductible = Adjustment(PATIENT, "1", line.charge)
    return AdjudicatedLine(line, line.charge, _ZERO, (deductible,), allowed=line.charge)


def _denying(reason: str) -> Callable[[ReceivedLine], AdjudicatedLine]:
    group = _REASONS_OF_OTHER_GROUP.get(reason, CONTRACTUAL)
    remark = _REMARK_REQUIRED_BY.get(reason, "")

    def deny(line: ReceivedLine) -> AdjudicatedLine:
        return AdjudicatedLine(
            line, line.charge, _ZERO, (Adjustment(group, reason, line.charge),), remark=remark
        )

    return deny


def _pay_partly(claim: ReceivedClaim, payer_control_number: str) -> AdjudicatedClaim:
    """Allow a share of every charge, and take one copay off the first line, at most half of its share."""
    lines = []
    for number, line in enumerate(claim.lines):
        allowed = (line.charge * ALLOWED_SHARE).quantize(_CENT, rounding=ROUND_HALF_UP)
        copay = min(COPAY, (allowed / 2).quantize(_CENT, rounding=ROUND_HALF_UP)) if number == 0 else _ZERO
        parts = (Adjustment(CONTRACTUAL, "45", line.charge - allowed), Adjustment(PATIENT, "3", copay))
        adjustments = tuple(part for part in parts if part.amount)
        lines.append(AdjudicatedLine(line, line.charge, allowed - copay, adjustments, allowed))
    return AdjudicatedClaim(claim, PROCESSED, payer_control_number, tuple(lines))
