"""The ledger: what one 835 moves, split so that it adds up again to what the 835 itself says.

    claim       its entries sum up to its charge: payments, what is written off, the patient's share, the rest
    835         payments, reversals and provider-level entries sum up to the amount of the transfer

An 835 whose own totals disagree is not posted at all; the reasons are for the staff's queue:

    posting = Posting(remittance.header)
    for claim in remittance:
        entries = posting.post(claim, billed=...)
    entries += posting.post_provider_adjustments(remittance.provider_adjustments)
    reasons = posting.reasons_to_refuse(remittance.imbalances)
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from claims.fold.amounts import NOTHING, PATIENT_SHARE, PREDETERMINATION, REDUCTIONS
from claims.x12.remittance import (
    BalanceScope,
    Imbalance,
    ProviderAdjustment,
    RemittanceHeader,
    RemittedClaim,
    RemittedLine,
)


class EntryKind(StrEnum):
    """What kind of money an entry moves."""

    PAYMENT = "payment"
    REVERSAL = "reversal"
    CONTRACTUAL = "contractual"
    PATIENT_SHARE = "patient_share"
    OTHER_ADJUSTMENT = "other_adjustment"
    PROVIDER_LEVEL = "provider_level"


MONEY = frozenset({EntryKind.PAYMENT, EntryKind.REVERSAL, EntryKind.PROVIDER_LEVEL})
"""The kinds that are part of the transfer; the others explain what is not."""


class _Adjustment(Protocol):
    """What adjustments in files and in signals have in common."""

    @property
    def group(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def amount(self) -> Decimal: ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One movement, in dollars; `line_number` is ours, None for the claim as a whole.

    `reference` is what PLB03-2 names of a provider-level entry: usually a payer control number.
    """

    kind: EntryKind
    amount: Decimal
    line_number: int | None = None
    group: str = ""
    reason: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class BilledLine:
    """A service line as we sent it."""

    number: int
    control_number: str
    procedure_code: str
    modifiers: tuple[str, ...]
    charge: Decimal


class Posting:
    """The entries of one 835, made claim by claim, with the totals that they must add up to."""

    def __init__(self, header: RemittanceHeader) -> None:
        """Begin with nothing posted."""
        self.transferred = NOTHING
        self._header = header
        self._broken: list[str] = []

    def post(self, claim: RemittedClaim, *, billed: Sequence[BilledLine] = ()) -> list[Entry]:
        """Split a claim into entries; without `billed` (an unmatched claim) its lines have no number."""
        entries = entries_of_claim(claim, billed=billed)
        self.transferred += sum((each.amount for each in entries if each.kind in MONEY), NOTHING)
        total = sum((each.amount for each in entries), NOTHING)
        if claim.status_code != PREDETERMINATION and total != claim.charge:
            self._broken.append(
                f"Claim {claim.position}: entries come to {total:.2f}, but {claim.charge:.2f} was charged."
            )
        return entries

    def post_provider_adjustments(self, adjustments: Iterable[ProviderAdjustment]) -> list[Entry]:
        """Turn provider-level adjustments into entries; a positive PLB amount lowers the transfer."""
        entries = [
            Entry(EntryKind.PROVIDER_LEVEL, -each.amount, reason=each.reason, reference=each.reference)
            for each in adjustments
            if each.amount
        ]
        self.transferred += sum((each.amount for each in entries), NOTHING)
        return entries

    def reasons_to_refuse(self, imbalances: Iterable[Imbalance]) -> list[str]:
        """Say, once all is posted, why this 835 may not be kept; empty where it balances.

        `imbalances` are those that the reader of the 835 found in it.
        """
        reasons = [explain_imbalance(each) for each in imbalances]
        if not reasons:
            reasons = list(self._broken)
        if not reasons and self.transferred != self._header.amount:
            payment = Imbalance(BalanceScope.PAYMENT, self._header.amount, self.transferred)
            reasons.append(explain_imbalance(payment))
        return reasons


def entries_of_claim(claim: RemittedClaim, *, billed: Sequence[BilledLine] = ()) -> list[Entry]:
    """Split a remitted claim into entries that sum up to its charge; a predetermination moves nothing."""
    if claim.status_code == PREDETERMINATION:
        return []
    money = EntryKind.REVERSAL if claim.is_reversal else EntryKind.PAYMENT
    entries = []
    for line, number in zip(claim.lines, match_lines(claim.lines, billed=billed), strict=True):
        entries.append(Entry(money, line.paid, number))
        entries += _adjusted(line.adjustments, number, allowed=is_allowed(line.paid, line.adjustments))
    # Adjustments of the claim as a whole lower its payment below what its lines say was paid.
    beside_lines = claim.paid - sum((line.paid for line in claim.lines), NOTHING)
    entries.append(Entry(money, beside_lines))
    entries += _adjusted(claim.adjustments, None, allowed=is_allowed(claim.paid, claim.all_adjustments))
    return [entry for entry in entries if entry.amount]


def match_lines(remitted: Sequence[RemittedLine], *, billed: Sequence[BilledLine]) -> list[int | None]:
    """Find our line number for each remitted line; None where nothing tells.

    Our own line control number goes first, since payers drop modifiers; then code, modifiers and charge; then
    code and charge, where only one line on either side has them.
    """
    found: list[int | None] = [None] * len(remitted)
    by_control_number = {line.control_number.upper(): line.number for line in billed if line.control_number}
    for index, line in enumerate(remitted):
        found[index] = by_control_number.get(line.control_number.upper())
    _match_by(_exactly, remitted, billed, found)
    _match_by(_roughly, remitted, billed, found, only_if_unambiguous=True)
    return found


def explain_imbalance(imbalance: Imbalance) -> str:
    """Say which total does not add up, by the place in the file and the amounts."""
    stated, computed = f"{imbalance.stated:.2f}", f"{imbalance.computed:.2f}"
    claim = f"Claim {imbalance.claim_position}"
    match imbalance.scope:
        case BalanceScope.LINE:
            return (
                f"{claim}, line {imbalance.line_position}: charge less adjustments is {computed}, "
                f"but {stated} is stated as paid."
            )
        case BalanceScope.CLAIM:
            return f"{claim}: charge less adjustments is {computed}, but {stated} is stated as paid."
        case BalanceScope.CLAIM_LINES:
            return f"{claim}: its lines charge {computed}, but {stated} is stated as its charge."
        case BalanceScope.PAYMENT:
            return (
                f"Payment: claims less provider-level adjustments come to {computed}, "
                f"but the transfer is {stated}."
            )


def kind_of_adjustment(group: str, reason: str, *, allowed: bool) -> EntryKind:
    """Sort an adjustment; what was denied is never written off, it may still be corrected or appealed."""
    if group == "PR":
        return EntryKind.PATIENT_SHARE
    if group == "CO" and allowed and reason in REDUCTIONS:
        return EntryKind.CONTRACTUAL
    return EntryKind.OTHER_ADJUSTMENT


def is_allowed(paid: Decimal, adjustments: Iterable[_Adjustment]) -> bool:
    """Tell whether anything of a charge was paid or left to the patient; of a reversal, had been."""
    return bool(paid) or any(
        each.group == "PR" and each.reason in PATIENT_SHARE and each.amount for each in adjustments
    )


def _adjusted(adjustments: Iterable[_Adjustment], number: int | None, *, allowed: bool) -> list[Entry]:
    return [
        Entry(
            kind_of_adjustment(each.group, each.reason, allowed=allowed),
            each.amount,
            number,
            group=each.group,
            reason=each.reason,
        )
        for each in adjustments
    ]


def _match_by(
    identity: Callable[[RemittedLine | BilledLine], tuple[object, ...]],
    remitted: Sequence[RemittedLine],
    billed: Sequence[BilledLine],
    found: list[int | None],
    *,
    only_if_unambiguous: bool = False,
) -> None:
    """Match what is left by what both sides say of a line; equal lines go in their order."""
    free: dict[tuple[object, ...], list[int]] = defaultdict(list)
    open_lines: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for line in billed:
        if line.number not in found:
            free[identity(line)].append(line.number)
    for index, remitted_line in enumerate(remitted):
        if found[index] is None:
            open_lines[identity(remitted_line)].append(index)
    for named, indexes in open_lines.items():
        numbers = free[named]
        if only_if_unambiguous and not len(numbers) == len(indexes) == 1:
            continue
        for index, number in zip(indexes, numbers, strict=False):
            found[index] = number


def _exactly(line: RemittedLine | BilledLine) -> tuple[object, ...]:
    return _procedure(line), frozenset(line.modifiers), abs(line.charge)


def _roughly(line: RemittedLine | BilledLine) -> tuple[object, ...]:
    return _procedure(line), abs(line.charge)


def _procedure(line: RemittedLine | BilledLine) -> str:
    return line.procedure_code if isinstance(line, BilledLine) else line.submitted_procedure_code
