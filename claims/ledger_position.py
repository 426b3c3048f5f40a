"""A claim's net position: where its charge has gone after all remittances so far."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from claims.fold import distinct
from claims.fold_amounts import NOTHING
from claims.fold_remittances import settle
from claims.ledger import EntryKind, is_allowed, kind_of_adjustment
from claims.signals import Signal, SignalKind


@dataclass(frozen=True, slots=True, kw_only=True)
class NetPosition:
    """Dollars: `charge` is paid, written off by contract, the patient's, or still open.

    `provider_level` is what was kept from or added to other payments on this claim's account; it is not part
    of `paid`. `denied` is the part of what is open that the payer has refused so far. `open` is negative
    where more was paid than charged.
    """

    charge: Decimal
    paid: Decimal = NOTHING
    contractual: Decimal = NOTHING
    patient_owes: Decimal = NOTHING
    denied: Decimal = NOTHING
    provider_level: Decimal = NOTHING

    @property
    def open(self) -> Decimal:
        """What nobody has paid, owes or has written off."""
        return self.charge - self.paid - self.contractual - self.patient_owes

    @property
    def kept(self) -> Decimal:
        """What the practice holds of the payer's money after provider-level adjustments."""
        return self.paid + self.provider_level


def net_position(signals: Iterable[Signal], *, charge: Decimal) -> NetPosition:
    """Add up a claim's remittances and the provider-level adjustments that were linked to it.

    Every payment and reversal counts. Of adjustments only those count that still stand: each adjudication
    accounts for the whole charge again, so that adding up the adjustments of two would count it twice.
    """
    known = distinct(signals)
    settlement = settle(each for each in known if each.kind is SignalKind.REMITTANCE)
    provider_level = sum(
        (
            adjustment.amount
            for each in known
            if each.kind is SignalKind.PROVIDER_ADJUSTMENT
            for adjustment in each.adjustments
        ),
        NOTHING,
    )
    if settlement is None:
        return NetPosition(charge=charge, provider_level=provider_level)
    sums = dict.fromkeys(EntryKind, NOTHING)
    for each in settlement.deciding:
        for line in each.lines:
            allowed = is_allowed(line.paid, line.adjustments)
            for adjustment in line.adjustments:
                sums[kind_of_adjustment(adjustment.group, allowed=allowed)] += adjustment.amount
        allowed = is_allowed(each.paid or NOTHING, each.every_adjustment)
        for adjustment in each.adjustments:
            sums[kind_of_adjustment(adjustment.group, allowed=allowed)] += adjustment.amount
    return NetPosition(
        charge=charge,
        paid=settlement.paid,
        contractual=sums[EntryKind.CONTRACTUAL],
        patient_owes=sums[EntryKind.PATIENT_SHARE],
        denied=sums[EntryKind.OTHER_ADJUSTMENT],
        provider_level=provider_level,
    )
