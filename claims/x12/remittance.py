"""What an 835 says, as values: the payment, the claims it pays, and what the payer keeps or adds besides.

Amounts are dollars, exact. Codes and numbers are kept as they were sent, without blanks at their ends. Names
and member ids serve to find a claim that no number matches; they stay out of `repr`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

LONGEST_PAYER_ID = 80
PATIENT_RESPONSIBILITY = "PR"
REVERSAL = "22"
PRENOTIFICATION, NOTIFICATION = "P", "H"
"""Transaction handling (BPR01); however else the two travel, money moves."""
NO_PAYMENT = "NON"
"""The payment method (BPR04) of what moves no money."""
KNOWN_STATUSES = frozenset({"1", "2", "3", "4", "19", "20", "21", "22", "23", "25"})


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One reason within a CAS: why this much of the charge was not paid."""

    group: str
    reason: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Party:
    """The payer (N1*PR) or the payee (N1*PE)."""

    name: str = ""
    qualifier: str = ""
    identifier: str = ""
    references: tuple[tuple[str, str], ...] = ()

    def reference(self, qualifier: str) -> str:
        """Give the number of that kind, or an empty string."""
        return next((value for name, value in self.references if name == qualifier), "")


@dataclass(frozen=True, slots=True)
class RemittanceName:
    """One NM1 of a claim: QC patient, IL subscriber, 74 corrected patient, 82 therapist, TT crossover."""

    entity: str
    last_name: str = field(repr=False)
    first_name: str = field(repr=False)
    identifier: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RemittanceHeader:
    """The payment itself: one check or transfer (BPR, TRN), from whom and to whom.

    `amount` is negative where money is taken from the payee.
    """

    amount: Decimal
    method: str
    payment_date: date | None
    trace_number: str
    trace_company_id: str
    production_date: date | None
    payer: Party
    payee: Party
    handling: str = ""

    @property
    def is_trial(self) -> bool:
        """Tell whether it only tries out an account before the first transfer."""
        return self.handling == PRENOTIFICATION

    @property
    def moves_nothing(self) -> bool:
        """Tell whether it says of itself that no money moves; its amount should say the same."""
        return self.handling == NOTIFICATION or self.method == NO_PAYMENT

    @property
    def payer_id(self) -> str:
        """Name the payer: its id, else its additional id, else the company id of TRN03."""
        stated = self.payer.identifier or self.payer.reference("2U") or self.trace_company_id
        return stated[:LONGEST_PAYER_ID]

    @property
    def payee_npi(self) -> str:
        """Who is paid; empty where the payer names the payee otherwise than by NPI."""
        return self.payee.identifier if self.payee.qualifier == "XX" else ""

    @property
    def payee_tax_id(self) -> str:
        """The payee's tax ID, as digits; empty where the payer doesn't give it."""
        stated = self.payee.identifier if self.payee.qualifier == "FI" else self.payee.reference("TJ")
        return stated.replace("-", "")


@dataclass(frozen=True, slots=True)
class RemittedLine:
    """One service line (SVC); `control_number` is the one we gave it (REF*6R).

    `submitted_procedure_code` differs from `procedure_code` where the payer paid another code than billed.
    """

    procedure_code: str
    modifiers: tuple[str, ...]
    charge: Decimal
    paid: Decimal
    submitted_procedure_code: str
    service_from: date | None
    service_to: date | None
    control_number: str
    allowed: Decimal | None
    adjustments: tuple[Adjustment, ...]
    remark_codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RemittedClaim:
    """One CLP with everything below it; `position` counts the claims of the set from 1.

    `patient_responsibility` is what CLP05 says.
    """

    position: int
    patient_control_number: str
    status_code: str
    charge: Decimal
    paid: Decimal
    patient_responsibility: Decimal
    payer_control_number: str
    adjustments: tuple[Adjustment, ...]
    names: tuple[RemittanceName, ...]
    lines: tuple[RemittedLine, ...]
    remark_codes: tuple[str, ...]
    service_from: date | None
    service_to: date | None

    @property
    def is_reversal(self) -> bool:
        """Tell whether this takes an earlier payment back."""
        return self.status_code == REVERSAL

    @property
    def all_adjustments(self) -> tuple[Adjustment, ...]:
        """Give the adjustments of the claim, then those of its lines."""
        return self.adjustments + tuple(adjustment for line in self.lines for adjustment in line.adjustments)

    @property
    def patient_share(self) -> Decimal:
        """Sum what the adjustments of group PR leave to the patient."""
        shares = (item.amount for item in self.all_adjustments if item.group == PATIENT_RESPONSIBILITY)
        return sum(shares, Decimal(0))

    @property
    def allowed(self) -> Decimal | None:
        """Sum what the payer allowed for the lines, where it says so for each of them."""
        amounts = [line.allowed for line in self.lines]
        known = [amount for amount in amounts if amount is not None]
        return sum(known, Decimal(0)) if known and len(known) == len(amounts) else None

    def name(self, entity: str) -> RemittanceName | None:
        """Give the first name of that kind."""
        return next((name for name in self.names if name.entity == entity), None)


@dataclass(frozen=True, slots=True)
class ProviderAdjustment:
    """One reason and amount of a PLB; a positive amount lowers the payment."""

    provider_id: str
    reason: str
    reference: str
    amount: Decimal


class BalanceScope(StrEnum):
    """Which of an 835's totals does not add up."""

    LINE = "line"
    CLAIM = "claim"
    CLAIM_LINES = "claim_lines"
    PAYMENT = "payment"


@dataclass(frozen=True, slots=True)
class Imbalance:
    """A total that the parts do not make: what was stated, what they make, at which claim and line."""

    scope: BalanceScope
    stated: Decimal
    computed: Decimal
    claim_position: int = 0
    line_position: int = 0


def imbalances_of(claim: RemittedClaim) -> list[Imbalance]:
    """Check a claim: charge less adjustments is paid, for it and each line; its lines make up its charge."""
    found = []
    computed_claim = claim.charge
    for adjustment in claim.adjustments:
        computed_claim -= adjustment.amount
    line_charges = Decimal(0)
    for number, line in enumerate(claim.lines, start=1):
        computed_line = line.charge
        for adjustment in line.adjustments:
            computed_line -= adjustment.amount
        if computed_line != line.paid:
            found.append(Imbalance(BalanceScope.LINE, line.paid, computed_line, claim.position, number))
        computed_claim -= line.charge - computed_line
        line_charges += line.charge
    if computed_claim != claim.paid:
        found.append(Imbalance(BalanceScope.CLAIM, claim.paid, computed_claim, claim.position))
    if claim.lines and line_charges != claim.charge:
        found.append(Imbalance(BalanceScope.CLAIM_LINES, claim.charge, line_charges, claim.position))
    return found
