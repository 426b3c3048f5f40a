"""One example of every kind of answer, for the generated page on claim status: nothing else reads it."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from claims.signals import Adjustment, LineOutcome, Signal, SignalKind, Source, StatusCode
from claims.x12.statuses import REJECTED_CATEGORIES

NUMBER = "K7QX2M9ZB4TD1"
SENT_ON = date(2026, 1, 5)
CHARGE = Decimal(180)


@dataclass(frozen=True, slots=True)
class Example:
    """What arrives, at once; `expected` says whether this payer sends remittances."""

    signals: tuple[Signal, ...]
    remittances_expected: bool = True


def _on(day: int) -> date:
    return SENT_ON + timedelta(days=day)


def _envelope(kind: SignalKind, verdict: str) -> Signal:
    return Signal(
        kind=kind,
        source=Source.CLEARINGHOUSE,
        natural_key=f"{kind}|{verdict}",
        effective_date=_on(1),
        patient_control_number=NUMBER,
        verdict=verdict,
    )


def _answer(source: str, category: str, *, day: int, action: str = "") -> Signal:
    refuses = category in REJECTED_CATEGORIES or action == "U"
    reason = ("164", "IL") if refuses else ("20", "")
    return Signal(
        kind=SignalKind.CLAIM_ACKNOWLEDGEMENT,
        source=source,
        natural_key=f"277CA|{source}|{category}|{action}|{day}",
        effective_date=_on(day),
        patient_control_number=NUMBER,
        verdict=action,
        statuses=(StatusCode(category=category, status=reason[0], entity=reason[1]),),
    )


def _inquiry(category: str) -> Signal:
    return Signal(
        kind=SignalKind.STATUS_INQUIRY,
        source=Source.PAYER,
        natural_key=f"277|{category}",
        effective_date=_on(9),
        patient_control_number=NUMBER,
        statuses=(StatusCode(category=category),),
    )


def _remittance(
    code: str,
    paid: str = "0",
    *,
    day: int,
    number: str = "1",
    reason: tuple[str, str] = ("CO", "197"),
    lines: tuple[LineOutcome, ...] = (),
) -> Signal:
    amount = Decimal(paid)
    left = Adjustment(group=reason[0], reason=reason[1], amount=CHARGE - abs(amount))
    return Signal(
        kind=SignalKind.REMITTANCE,
        source="60054",
        natural_key=f"835|{day}|{number}|{code}|{paid}|{left}",
        effective_date=_on(day),
        patient_control_number=NUMBER,
        payer_control_number=number,
        batch=f"{day}",
        claim_status_code=code,
        charge=CHARGE,
        paid=amount,
        adjustments=(left,),
        lines=lines,
    )


def _provider_adjustment() -> Signal:
    return Signal(
        kind=SignalKind.PROVIDER_ADJUSTMENT,
        source="60054",
        natural_key="PLB|WO",
        effective_date=_on(40),
        patient_control_number=NUMBER,
        adjustments=(Adjustment(group="PLB", reason="WO", amount=Decimal(-120)),),
    )


_TWO_LINES = (
    LineOutcome(control_number=f"{NUMBER}L1", charge=Decimal(120), paid=Decimal(120)),
    LineOutcome(control_number=f"{NUMBER}L2", charge=Decimal(60)),
)
_AY, _PR = Source.CLEARINGHOUSE, Source.PAYER

PAID = _remittance("1", "120", day=10, reason=("CO", "45"))
DENIED = _remittance("1", day=10)
VOID_TAKEN = _answer(_PR, "A2", day=40)
NOT_FOUND = _answer(_PR, "A4", day=9)
FILE_REFUSED = _envelope(SignalKind.IMPLEMENTATION_ACKNOWLEDGEMENT, "R")

SITUATIONS: tuple[tuple[Signal, ...], ...] = (
    (),
    (_answer(_AY, "A1", day=2),),
    (_answer(_AY, "A3", day=2),),
    (_answer(_PR, "A0", day=2),),
    (_answer(_PR, "A2", day=2),),
    (_answer(_PR, "A7", day=2),),
    (PAID,),
    (DENIED,),
    (_remittance("1", day=10, reason=("PR", "1")),),
    (PAID, _remittance("22", "-120", day=20)),
)
"""What may be known of a claim before an answer arrives."""

EXAMPLES = (
    *(Example((_envelope(SignalKind.IMPLEMENTATION_ACKNOWLEDGEMENT, each),)) for each in "AEPRMWX"),
    *(Example((_envelope(SignalKind.INTERCHANGE_ACKNOWLEDGEMENT, each),)) for each in "AER"),
    *(
        Example((_answer(source, category, day=5),))
        for source in (_AY, _PR)
        for category in ("A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8")
    ),
    Example((_answer(_PR, "A2", day=5, action="U"),)),
    *(Example((_inquiry(each),)) for each in ("P1", "D0", "E1", "F0", "F1", "F2", "F4", "R3")),
    *(Example((_inquiry(each),), remittances_expected=False) for each in ("F1", "F2", "F4")),
    Example((_remittance("1", "120", day=30, number="2", reason=("CO", "45")),)),
    Example((_remittance("1", "120", day=30, number="3", reason=("CO", "45"), lines=_TWO_LINES),)),
    Example((_remittance("1", day=30, reason=("PR", "3")),)),
    Example((_remittance("1", day=30),)),
    Example((_remittance("4", day=30, reason=("CO", "31")),)),
    Example((_remittance("22", "-120", day=30), _remittance("1", "90", day=30, number="2"))),
    Example((_remittance("22", "-120", day=30), _remittance("1", day=30, number="2"))),
    Example((_remittance("22", "-120", day=30),)),
    Example((_remittance("23", day=30),)),
    Example((_remittance("25", day=30),)),
    Example((_provider_adjustment(),)),
)
"""What may arrive."""
