"""Writes the sandbox's 835 (005010X221A1), balanced to the cent at line, claim and transaction level.

BPR02 = sum of CLP04 - sum of PLB amounts, and never below zero: what a payer can't take at once it carries
forward (PLB FB).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby

from claims.clearinghouse.sandbox.adjudication import REVERSAL, AdjudicatedClaim, AdjudicatedLine
from claims.clearinghouse.sandbox.interchange import (
    AnswerEnvelope,
    Composite,
    Segment,
    digits_of,
    write_group,
)
from claims.clearinghouse.sandbox.received import Party, ReceivedClaim
from claims.x12.writing import amount_text, date_text

GUIDE = "005010X221A1"
RECOUPMENT, FORWARD_BALANCE = "WO", "FB"
PREFERRED_PROVIDER_PLAN = "12"

# CLP06 knows fewer codes than SBR09: commercial and Blue plans have none of their own.
_FILING_CODES = frozenset(
    (
        "12",
        "13",
        "14",
        "15",
        "16",
        "17",
        "AM",
        "CH",
        "DS",
        "HM",
        "LM",
        "MA",
        "MB",
        "MC",
        "OF",
        "TV",
        "VA",
        "WC",
        "ZZ",
    )
)
_LONGEST_PAYER_ID = 50


@dataclass(frozen=True, slots=True)
class ProviderAdjustment:
    """A PLB reason, reference and amount; a positive amount is taken from the provider."""

    reason: str
    reference: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Remittance:
    """What one 835 says; `subject` is the claim that names payer and payee."""

    subject: ReceivedClaim
    claims: tuple[AdjudicatedClaim, ...] = ()
    provider_adjustments: tuple[ProviderAdjustment, ...] = ()

    @property
    def total(self) -> Decimal:
        """What is paid: the claims' payments less what is taken from the provider."""
        paid = sum((claim.paid for claim in self.claims), Decimal(0))
        return paid - sum((adjustment.amount for adjustment in self.provider_adjustments), Decimal(0))


def write_835(envelope: AnswerEnvelope, remittance: Remittance, *, trace: str) -> str:
    """Write one remittance; `trace` is TRN02, the payment's own number."""
    carried = _carry_forward(remittance, trace)
    return write_group(envelope, "HP", GUIDE, _body(envelope, carried, trace))


def _carry_forward(remittance: Remittance, trace: str) -> Remittance:
    if remittance.total >= 0:
        return remittance
    forward = ProviderAdjustment(FORWARD_BALANCE, trace, remittance.total)
    return replace(remittance, provider_adjustments=(*remittance.provider_adjustments, forward))


def _body(envelope: AnswerEnvelope, remittance: Remittance, trace: str) -> Iterator[Segment]:
    subject, date = remittance.subject, date_text(envelope.at)
    yield _payment(remittance.total, date)
    yield ("TRN", "1", trace, f"1{digits_of(subject.payer.identifier, length=9)}")
    yield ("DTM", "405", date)
    yield from _payer(subject.payer)
    yield ("N1", "PE", _payee_name(subject.billing), "XX", subject.billing.identifier)
    yield ("REF", "TJ", subject.billing_tax_id)
    if remittance.claims:
        yield ("LX", "1")
    for claim in remittance.claims:
        yield from _claim(claim)
    if remittance.provider_adjustments:
        yield _provider_adjustments(remittance, fiscal_year_end=f"{envelope.at:%Y}1231")


def _payment(total: Decimal, date: str) -> Segment:
    handling, method = ("I", "CHK") if total else ("H", "NON")
    return ("BPR", handling, amount_text(total), "C", method, *("",) * 11, date)


def _payer(payer: Party) -> Iterator[Segment]:
    yield ("N1", "PR", payer.name or "SANDBOX PAYER")
    yield ("N3", "1 SANDBOX WAY")
    yield ("N4", "AUSTIN", "TX", "78701")
    if 0 < len(payer.identifier) <= _LONGEST_PAYER_ID:
        yield ("REF", "2U", payer.identifier)
    yield ("PER", "BL", "SANDBOX PROVIDER SERVICES", "TE", "5125550100")


def _payee_name(billing: Party) -> str:
    return f"{billing.name} {billing.first_name}".strip()[:60].strip()


def _claim(claim: AdjudicatedClaim) -> Iterator[Segment]:
    received = claim.claim
    is_reversal = claim.status == REVERSAL
    yield (
        "CLP",
        received.patient_control_number,
        claim.status,
        amount_text(claim.charge),
        amount_text(claim.paid),
        # The patient's share is not reported when a claim is reversed.
        "" if is_reversal else amount_text(claim.patient_share),
        received.filing_code if received.filing_code in _FILING_CODES else PREFERRED_PROVIDER_PLAN,
        claim.payer_control_number,
        received.place_of_service,
        received.frequency,
    )
    yield _person("QC", received.patient)
    if received.rendering is not None:
        yield _person("82", received.rendering)
    for line in claim.lines:
        yield from _line(line)


def _person(code: str, person: Party) -> Segment:
    name = (person.entity, person.name, person.first_name, "", "", "")
    return ("NM1", code, *name, person.qualifier, person.identifier)


def _line(decided: AdjudicatedLine) -> Iterator[Segment]:
    line = decided.line
    yield ("SVC", line.procedure, amount_text(decided.charge), amount_text(decided.paid), "", line.units)
    yield ("DTM", "472", line.service_date)
    for group, reasons in groupby(decided.adjustments, key=lambda adjustment: adjustment.group):
        pairs = [value for reason in reasons for value in (reason.reason, amount_text(reason.amount), "")]
        yield ("CAS", group, *pairs)
    if line.control_number:
        yield ("REF", "6R", line.control_number)
    if decided.allowed is not None:
        yield ("AMT", "B6", amount_text(decided.allowed))
    if decided.remark:
        yield ("LQ", "HE", decided.remark)


def _provider_adjustments(remittance: Remittance, *, fiscal_year_end: str) -> Segment:
    values: Sequence[str | Composite] = [
        value
        for adjustment in remittance.provider_adjustments
        for value in ((adjustment.reason, adjustment.reference), amount_text(adjustment.amount))
    ]
    return ("PLB", remittance.subject.billing.identifier, fiscal_year_end, *values)
