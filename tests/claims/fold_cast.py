"""Signals for the fold's tests, by day: day 0 is the day on which the claim was sent."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from claims.signal_keys import (
    acknowledgement_key,
    claim_acknowledgement_key,
    interchange_key,
    provider_adjustment_key,
    remittance_key,
)
from claims.signals import TYPED, Adjustment, LineOutcome, Signal, SignalKind, StatusCode

SENT_ON = date(2026, 1, 5)
PCN = "K7QX2M9ZB4TD1"
PAYER = "Aetna"


def on(day: int) -> date:
    return SENT_ON + timedelta(days=day)


def ta1(verdict: str, day: int = 0, *, transmission: int = 1) -> Signal:
    return Signal(
        kind=SignalKind.INTERCHANGE_ACKNOWLEDGEMENT,
        source="AY",
        natural_key=interchange_key(interchange=f"{transmission:09}", verdict=verdict),
        effective_date=on(day),
        patient_control_number=PCN,
        transmission=transmission,
        verdict=verdict,
    )


def acknowledgement(verdict: str, day: int = 0, *, transmission: int = 1) -> Signal:
    """A 999 for our transaction set."""
    return Signal(
        kind=SignalKind.IMPLEMENTATION_ACKNOWLEDGEMENT,
        source="AY",
        natural_key=acknowledgement_key(group=str(transmission), transaction_set="0001", verdict=verdict),
        effective_date=on(day),
        patient_control_number=PCN,
        transmission=transmission,
        verdict=verdict,
    )


def claim_answer(
    source: str,
    category: str,
    day: int = 1,
    *,
    action: str = "",
    status: str = "20",
    kind: SignalKind = SignalKind.CLAIM_ACKNOWLEDGEMENT,
    pccn: str = "",
) -> Signal:
    """A claim of a 277CA (source AY or PR); the action defaults to what the category means."""
    statuses = (StatusCode(category=category, status=status),)
    return Signal(
        kind=kind,
        source=source,
        natural_key=claim_acknowledgement_key(
            kind=kind,
            source_id=f"{source}1",
            trace="1",
            patient_control_number=PCN,
            status_date=on(day),
            statuses=statuses,
        ),
        effective_date=on(day),
        patient_control_number=PCN,
        payer_control_number=pccn,
        verdict=action or ("U" if category in {"A3", "A4", "A6", "A7", "A8"} else "WQ"),
        statuses=statuses,
    )


def inquiry(category: str, day: int = 5) -> Signal:
    return claim_answer("PR", category, day, kind=SignalKind.STATUS_INQUIRY)


def money(group: str, reason: str, amount: str) -> Adjustment:
    return Adjustment(group=group, reason=reason, amount=Decimal(amount))


def remittance(
    code: str = "1",
    paid: str = "120",
    day: int = 10,
    *,
    batch: str = "EFT1",
    pccn: str = "AET1",
    adjustments: tuple[Adjustment, ...] = (),
    lines: tuple[LineOutcome, ...] = (),
    charge: str = "180",
    occurrence: int = 1,
    remarks: tuple[str, ...] = (),
    pcn: str = PCN,
) -> Signal:
    """One claim of an 835."""
    return Signal(
        kind=SignalKind.REMITTANCE,
        source="60054",
        natural_key=remittance_key(
            payer_id="60054",
            trace=batch,
            originator="1512345678",
            patient_control_number=pcn,
            payer_control_number=pccn,
            claim_status_code=code,
            paid=Decimal(paid),
            occurrence=occurrence,
        ),
        effective_date=on(day),
        patient_control_number=pcn,
        payer_name=PAYER,
        payer_control_number=pccn,
        batch=f"60054|{batch}|1512345678",
        claim_status_code=code,
        charge=Decimal(charge),
        paid=Decimal(paid),
        adjustments=adjustments,
        remarks=remarks,
        lines=lines,
    )


def typed(paid: str = "120", day: int = 10, *, origin: str = "portal", **more: object) -> Signal:
    """What staff typed of a decision that came in no file."""
    told = remittance("1", paid, day, **more)
    return replace(told, natural_key=f"{TYPED}{origin}:{day}:{paid}", batch="")


def denial(reason: str = "197", day: int = 10, **more: object) -> Signal:
    return remittance("1", "0", day, adjustments=(money("CO", reason, "180"),), **more)


def reversal(paid: str = "-120", day: int = 20, *, batch: str = "EFT2", **more: object) -> Signal:
    return remittance("22", paid, day, batch=batch, charge="-180", **more)


def line(number: int, charge: str, paid: str, *adjustments: Adjustment, **more: object) -> LineOutcome:
    return LineOutcome(
        control_number=f"{PCN}L{number}",
        procedure_code="90837",
        charge=Decimal(charge),
        paid=Decimal(paid),
        adjustments=adjustments,
        **more,
    )


def recoupment(amount: str = "-120", day: int = 30, *, reason: str = "WO") -> Signal:
    """A provider-level adjustment that names the claim."""
    return Signal(
        kind=SignalKind.PROVIDER_ADJUSTMENT,
        source="60054",
        natural_key=provider_adjustment_key(
            payer_id="60054",
            trace="EFT9",
            originator="1512345678",
            provider="1999999984",
            reason=reason,
            reference="AET1",
            amount=Decimal(amount),
            occurrence=1,
        ),
        effective_date=on(day),
        patient_control_number=PCN,
        payer_name=PAYER,
        payer_control_number="AET1",
        batch="60054|EFT9|1512345678",
        adjustments=(Adjustment(group="PLB", reason=reason, amount=Decimal(amount)),),
    )
