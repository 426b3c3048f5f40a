"""Signals from parsed files: TA1, 999, 277CA and inquiry answers, 835 claims and provider-level adjustments.

A TA1, a 999 and a 277 about a whole batch name no claim. Their signals come without a patient control number;
whoever knows which claims were in the envelope gives each its own with `Signal.of_claim`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from claims.signal_keys import (
    acknowledgement_key,
    claim_acknowledgement_key,
    interchange_key,
    provider_adjustment_key,
    remittance_key,
)
from claims.signals import Adjustment, LineOutcome, Signal, SignalKind, Source, StatusCode
from claims.x12.read_999 import GroupAcknowledgement
from claims.x12.read_ta1 import InterchangeAcknowledgement
from claims.x12.remittance import Adjustment as StatedAdjustment
from claims.x12.remittance import ProviderAdjustment, RemittanceHeader, RemittedClaim, RemittedLine
from claims.x12.statuses import LineStatus, ResponseLevel, Status, StatusGuide, StatusResponse

PROVIDER_LEVEL = "PLB"
NO_ERROR = "000"
TAKEN_IN = frozenset({"A0", "A1", "A2", "A5"})
"""Categories by which a batch as a whole was taken; what became of its claims is said of each."""
LONGEST_NUMBER = 50
"""What is kept of a control number: patient's, of which ours have fourteen characters, or payer's."""
MOST_MESSAGES = 10
"""What is kept of one answer and its lines."""


def signal_of_ta1(acknowledgement: InterchangeAcknowledgement, *, received_on: date) -> Signal:
    """Read what became of one of our interchanges.

    TA1 carries the date of the interchange that it answers, not its own, so the day of receipt counts.
    """
    interchange = str(acknowledgement.interchange_control_number)
    note = acknowledgement.note_code[:3]
    return Signal(
        kind=SignalKind.INTERCHANGE_ACKNOWLEDGEMENT,
        source=Source.CLEARINGHOUSE,
        natural_key=interchange_key(interchange=interchange, verdict=acknowledgement.outcome.value),
        effective_date=received_on,
        interchange=interchange,
        verdict=acknowledgement.outcome.value,
        remarks=() if note in ("", NO_ERROR) else (f"note {note}",),
    )


def signals_of_999(
    acknowledgement: GroupAcknowledgement, transaction_sets: Iterable[int], *, written_on: date
) -> list[Signal]:
    """Read what became of those of our transaction sets (ST02) that were in the acknowledged group.

    A 999 may list only the sets that it complains of; the group's outcome then holds for the others.
    `written_on` is the date of the answer's own GS, or that of receipt.
    """
    group = str(acknowledgement.control_number)
    outcomes = [(str(number), acknowledgement.outcome_of(number)) for number in transaction_sets]
    return [
        Signal(
            kind=SignalKind.IMPLEMENTATION_ACKNOWLEDGEMENT,
            source=Source.CLEARINGHOUSE,
            natural_key=acknowledgement_key(
                group=group, transaction_set=transaction_set, verdict=outcome.value
            ),
            effective_date=written_on,
            group=group,
            transaction_set=transaction_set,
            verdict=outcome.value,
            remarks=acknowledgement.faults_of(int(transaction_set)),
        )
        for transaction_set, outcome in outcomes
        if outcome is not None
    ]


def signals_of_status(response: StatusResponse, *, received_on: date) -> list[Signal]:
    """Read one answer of a 277: a signal for each date on which it states something.

    Answers about a batch or a provider are a claim's business unless they only say that it was taken in: then
    the patient control number is empty. `batch` is our reference of the batch that the answer is about.
    """
    if response.level is not ResponseLevel.CLAIM and not response.is_rejected and _is_taken_in(response):
        return []
    by_date: dict[date, list[Status]] = defaultdict(list)
    for status in response.statuses:
        by_date[status.effective_date or response.source.processed_on or received_on].append(status)
    if not by_date and response.lines:
        by_date[response.source.processed_on or received_on] = []
    return [_claim_answer(response, effective_date, statuses) for effective_date, statuses in by_date.items()]


def signals_of_remittance(
    header: RemittanceHeader, claims: Iterable[RemittedClaim], *, received_on: date
) -> Iterator[tuple[RemittedClaim, Signal]]:
    """Read the claims of one 835, each as it comes; `received_on` serves where the payment has no date."""
    seen: Counter[str] = Counter()
    effective_date = header.payment_date or header.production_date or received_on
    for claim in claims:
        identity = {
            "payer_id": header.payer_id,
            "trace": header.trace_number,
            "originator": header.trace_company_id,
            "patient_control_number": claim.patient_control_number,
            "payer_control_number": claim.payer_control_number,
            "claim_status_code": claim.status_code,
        }
        first = remittance_key(**identity, paid=claim.paid, occurrence=1)
        seen[first] += 1
        key = (
            first if seen[first] == 1 else remittance_key(**identity, paid=claim.paid, occurrence=seen[first])
        )
        yield claim, _remittance(header, claim, natural_key=key, effective_date=effective_date)


def signals_of_provider_adjustments(
    header: RemittanceHeader, adjustments: Iterable[ProviderAdjustment], *, received_on: date
) -> list[Signal]:
    """Read what the provider-level adjustments of one 835 move; PLB03-2 names a payer control number."""
    seen: Counter[ProviderAdjustment] = Counter()
    signals = []
    for adjustment in adjustments:
        if not adjustment.amount:
            continue
        seen[adjustment] += 1
        key = provider_adjustment_key(
            payer_id=header.payer_id,
            trace=header.trace_number,
            originator=header.trace_company_id,
            provider=adjustment.provider_id,
            reason=adjustment.reason,
            reference=adjustment.reference,
            amount=adjustment.amount,
            occurrence=seen[adjustment],
        )
        signals.append(
            Signal(
                kind=SignalKind.PROVIDER_ADJUSTMENT,
                source=header.payer_id,
                natural_key=key,
                effective_date=header.payment_date or header.production_date or received_on,
                payer_name=header.payer.name,
                payer_control_number=adjustment.reference[:LONGEST_NUMBER],
                batch=batch_of(header),
                adjustments=(
                    # A positive PLB amount lowers the payment; here an amount is what it adds to it.
                    Adjustment(group=PROVIDER_LEVEL, reason=adjustment.reason, amount=-adjustment.amount),
                ),
            )
        )
    return signals


def batch_of(header: RemittanceHeader) -> str:
    """Name the payment that all claims of one 835 belong to."""
    return "|".join((header.payer_id, header.trace_number, header.trace_company_id))


def _is_taken_in(response: StatusResponse) -> bool:
    return {status.codes[0].category for status in response.statuses} <= TAKEN_IN


def _claim_answer(response: StatusResponse, effective_date: date, statuses: list[Status]) -> Signal:
    codes = _codes(statuses)
    is_inquiry = response.source.guide is StatusGuide.INQUIRY_RESPONSE
    kind = SignalKind.STATUS_INQUIRY if is_inquiry else SignalKind.CLAIM_ACKNOWLEDGEMENT
    actions = {status.action.value for status in statuses if status.action}
    from_payer = response.source.party == Source.PAYER
    return Signal(
        kind=kind,
        source=response.source.party,
        natural_key=claim_acknowledgement_key(
            kind=kind,
            source_id=response.source.identifier,
            trace=response.source.trace_number,
            patient_control_number=response.patient_control_number,
            status_date=effective_date,
            statuses=codes,
        ),
        effective_date=effective_date,
        patient_control_number=response.patient_control_number[:LONGEST_NUMBER],
        payer_name=response.source.name if from_payer else "",
        payer_control_number=response.payer_control_number[:LONGEST_NUMBER],
        batch=response.batch_reference,
        verdict="U" if "U" in actions else max(actions, default=""),
        statuses=codes,
        charge=next((status.charge for status in statuses if status.charge is not None), None),
        paid=next((status.payment for status in statuses if status.payment is not None), None),
        lines=tuple(_line_answer(line) for line in response.lines),
        words=_messages([*statuses, *(status for line in response.lines for status in line.statuses)]),
    )


def _line_answer(line: LineStatus) -> LineOutcome:
    return LineOutcome(
        control_number=line.control_number,
        procedure_code=line.procedure_code,
        modifiers=line.modifiers,
        charge=line.charge or Decimal(0),
        statuses=_codes(line.statuses),
    )


def _messages(statuses: Iterable[Status]) -> tuple[str, ...]:
    """What the sender wrote, each message once."""
    return tuple(dict.fromkeys(status.message for status in statuses if status.message))[:MOST_MESSAGES]


def _codes(statuses: Iterable[Status]) -> tuple[StatusCode, ...]:
    return tuple(
        dict.fromkeys(
            StatusCode(category=code.category, status=code.status, entity=code.entity)
            for status in statuses
            for code in status.codes
        )
    )


def _remittance(
    header: RemittanceHeader, claim: RemittedClaim, *, natural_key: str, effective_date: date
) -> Signal:
    # CLP05 may be left out, which reads as 0: the adjustments of group PR then know better.
    unstated = not claim.patient_responsibility and claim.patient_share
    return Signal(
        kind=SignalKind.REMITTANCE,
        source=header.payer_id,
        natural_key=natural_key,
        effective_date=effective_date,
        patient_control_number=claim.patient_control_number[:LONGEST_NUMBER],
        payer_name=header.payer.name,
        payer_control_number=claim.payer_control_number[:LONGEST_NUMBER],
        batch=batch_of(header),
        claim_status_code=claim.status_code,
        charge=claim.charge,
        paid=claim.paid,
        patient_responsibility=None if unstated else claim.patient_responsibility,
        allowed=claim.allowed,
        adjustments=_adjustments(claim.adjustments),
        remarks=claim.remark_codes,
        lines=tuple(_line(line) for line in claim.lines),
    )


def _line(line: RemittedLine) -> LineOutcome:
    return LineOutcome(
        control_number=line.control_number,
        procedure_code=line.submitted_procedure_code,
        modifiers=line.modifiers,
        charge=line.charge,
        paid=line.paid,
        allowed=line.allowed,
        adjustments=_adjustments(line.adjustments),
        remarks=line.remark_codes,
    )


def _adjustments(stated: Iterable[StatedAdjustment]) -> tuple[Adjustment, ...]:
    return tuple(Adjustment(group=each.group, reason=each.reason, amount=each.amount) for each in stated)
