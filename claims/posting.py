"""Posts an 835: signals to its claims, money to the ledger; all of it or, where it doesn't balance, nothing.

A payment (payer, trace number, originator) is posted once, however many files carry it. The same trace number
with other content is a person's business, unless no money moves: payers give all such 835s one number, and
what a further one says is posted with the first, also where it says the same of a claim on another day.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet

from claims.candidates import Remitted
from claims.fold.amounts import NOTHING
from claims.fold.words import dollars
from claims.ledger import MONEY, BilledLine, Entry, Posting
from claims.models import ClaimLine, ClaimSignal, InboundFile, LedgerEntry, Remittance
from claims.reading import SetRefused, Statement
from claims.signal_filing import Filed, batched, file_batch
from claims.signal_keys import key_of_day
from claims.signals import Adjustment, Signal
from claims.signals_from_x12 import signals_of_provider_adjustments, signals_of_remittance
from claims.x12.remittance import RemittanceHeader, RemittedClaim

MOST_REASONS = 10


@dataclass(slots=True)
class Posted:
    """What became of one 835."""

    filed: Filed
    remittance_id: int
    claims: int
    repeated: bool = False

    def as_json(self) -> dict[str, Any]:
        """Counts for the file's report."""
        return self.filed.as_json() | {
            "claims": self.claims,
            "remittance": self.remittance_id,
            "repeated remittance": self.repeated,
        }


def post(statement: Statement, *, file: InboundFile) -> Posted:
    """Post one 835 inside the caller's transaction; SetRefused rolls it back and says why."""
    assert statement.remittance is not None
    assert statement.header is not None
    header, reader = statement.header, statement.remittance
    _refuse_what_moves_nothing(header)
    earlier = _earlier(header)
    if earlier is not None and header.amount:
        return _count_again(earlier, statement, file=file)
    remittance = earlier or _open(header, file)
    posting, filed = Posting(header), Filed()
    pairs = signals_of_remittance(header, reader, received_on=statement.received_on)
    moved = NOTHING
    for stated in batched(pairs):
        batch = _told_apart(stated, header, earlier=earlier) if earlier else stated
        if earlier and _explains_otherwise([signal for _, signal in batch]):
            raise _other_content(earlier)
        _file(batch, header, file=file, filed=filed)
        moved += _write_entries(batch, posting=posting, remittance=remittance, filed=filed)
    new_claims = filed.new
    adjustments = signals_of_provider_adjustments(
        header, reader.provider_adjustments, received_on=statement.received_on
    )
    if earlier is not None and _of_another_day(adjustments, header):
        raise _other_content(earlier)
    if adjustments:
        file_batch(
            adjustments,
            file=file,
            filed=filed,
            remitted=Remitted(header.payer_id, header.payee_npi, header.payee_tax_id),
        )
    entries = posting.post_provider_adjustments(reader.provider_adjustments)
    moved += _write(
        _row(entry, remittance, signal=filed.rows[signal.natural_key])
        for entry, signal in zip(entries, adjustments, strict=True)
        if signal.natural_key in filed.rows
    )
    if statement.refusal:
        raise SetRefused(statement.refusal)
    if reasons := posting.reasons_to_refuse(reader.imbalances):
        raise SetRefused("The remittance doesn't balance. " + " ".join(reasons[:MOST_REASONS]))
    if moved != header.amount:
        raise _other_content(remittance)
    if earlier is None or not earlier.amount:
        Remittance.objects.filter(pk=remittance.pk).update(claim_count=F("claim_count") + new_claims)
    return Posted(filed, remittance.pk, reader.claim_count, repeated=earlier is not None and not filed.new)


def _refuse_what_moves_nothing(header: RemittanceHeader) -> None:
    if header.is_trial:
        raise SetRefused(
            "It only tries out a bank account (BPR01 is P), and neither pays nor denies anything."
        )
    if header.amount and header.moves_nothing:
        said = f"BPR01 is {header.handling} and BPR04 {header.method}"
        raise SetRefused(
            f"It states a payment of {dollars(header.amount)}, and that no money moves ({said}). "
            "Ask the payer which it is."
        )


def keep_refused(statement: Statement, *, file: InboundFile, why: str) -> None:
    """Keep what was refused where staff see it, once for a file, after the transaction was rolled back."""
    header = statement.header
    if header is None or _said(header).filter(inbound_file=file, state=Remittance.State.REFUSED).exists():
        return
    remittance = _open(header, file, state=Remittance.State.REFUSED)
    Remittance.objects.filter(pk=remittance.pk).update(report={"refused": why})


def _earlier(header: RemittanceHeader) -> Remittance | None:
    return _said(header).select_for_update().filter(state=Remittance.State.POSTED).first()


def _said(header: RemittanceHeader) -> QuerySet[Remittance]:
    """What is kept of this payment."""
    return Remittance.objects.filter(
        payer_id=header.payer_id, trace_number=header.trace_number, originator=header.trace_company_id
    )


def _open(
    header: RemittanceHeader, file: InboundFile, *, state: Remittance.State = Remittance.State.POSTED
) -> Remittance:
    return Remittance.objects.create(
        inbound_file=file,
        payer_id=header.payer_id,
        payer_name=header.payer.name[:60],
        trace_number=header.trace_number,
        originator=header.trace_company_id,
        payee_npi=header.payee_npi[:10],
        paid_on=header.payment_date or header.production_date,
        amount=header.amount,
        method=header.method[:3],
        state=state,
    )


def _count_again(earlier: Remittance, statement: Statement, *, file: InboundFile) -> Posted:
    """Count the repetition of a posted payment; SetRefused where it says something else this time."""
    assert statement.remittance is not None
    assert statement.header is not None
    filed, claims = Filed(), 0
    pairs = signals_of_remittance(statement.header, statement.remittance, received_on=statement.received_on)
    for batch in batched(pairs):
        if _explains_otherwise([signal for _, signal in batch]):
            raise _other_content(earlier)
        _file(batch, statement.header, file=file, filed=filed)
        claims += len(batch)
    if filed.new or statement.header.amount != earlier.amount or claims != earlier.claim_count:
        raise _other_content(earlier)
    return Posted(filed, earlier.pk, claims, repeated=True)


def _other_content(earlier: Remittance) -> SetRefused:
    return SetRefused(
        f"Payment {earlier.trace_number} was posted before with other content. Compare the two files."
    )


def _explains_otherwise(signals: Sequence[Signal]) -> bool:
    """Tell whether one that is stored has other adjustments now, by which a patient may owe otherwise."""
    stored = ClaimSignal.objects.filter(natural_key__in=[signal.natural_key for signal in signals])
    known = {key: Signal.from_json(payload) for key, payload in stored.values_list("natural_key", "payload")}
    return any(
        _explanation(known[signal.natural_key]) != _explanation(signal)
        for signal in signals
        if signal.natural_key in known
    )


def _explanation(signal: Signal) -> Counter[Adjustment]:
    return Counter(each for each in signal.every_adjustment if each.amount)


def _told_apart(
    batch: list[tuple[RemittedClaim, Signal]], header: RemittanceHeader, *, earlier: Remittance
) -> list[tuple[RemittedClaim, Signal]]:
    """Give what is known of another day a key of its own; SetRefused where it says money again."""
    anew = {signal.natural_key for signal in _of_another_day([signal for _, signal in batch], header)}
    if any(signal.paid for _, signal in batch if signal.natural_key in anew):
        raise _other_content(earlier)
    return [
        (claim, replace(signal, natural_key=key_of_day(signal.natural_key, signal.effective_date)))
        if signal.natural_key in anew
        else (claim, signal)
        for claim, signal in batch
    ]


def _of_another_day(signals: Sequence[Signal], header: RemittanceHeader) -> list[Signal]:
    """Those that are stored as said on another day; what has no date of its own is known by its key alone."""
    if not (header.payment_date or header.production_date):
        return []
    stored = ClaimSignal.objects.filter(natural_key__in=[signal.natural_key for signal in signals])
    known = dict(stored.values_list("natural_key", "effective_date"))
    return [each for each in signals if known.get(each.natural_key) not in (None, each.effective_date)]


def _file(
    batch: list[tuple[RemittedClaim, Signal]], header: RemittanceHeader, *, file: InboundFile, filed: Filed
) -> None:
    claims = {signal.natural_key: claim for claim, signal in batch}
    remitted = Remitted(header.payer_id, header.payee_npi, header.payee_tax_id, claims)
    file_batch([signal for _, signal in batch], file=file, filed=filed, remitted=remitted)


def _write_entries(
    batch: list[tuple[RemittedClaim, Signal]], *, posting: Posting, remittance: Remittance, filed: Filed
) -> Decimal:
    """Write what is new of a batch to the ledger, and give the money that it moves."""
    billed = billed_lines({row.claim_id for row in filed.rows.values() if row.claim_id})
    rows: list[LedgerEntry] = []
    for claim, signal in batch:
        stored = filed.rows.get(signal.natural_key)
        lines = billed.get(stored.claim_id, []) if stored and stored.claim_id else []
        entries = posting.post(claim, billed=lines)
        rows += [_row(entry, remittance, signal=stored) for entry in entries if stored]
    return _write(rows)


def _write(rows: Iterable[LedgerEntry]) -> Decimal:
    written = LedgerEntry.objects.bulk_create(rows)
    return sum((row.amount for row in written if row.kind in MONEY), NOTHING)


def billed_lines(claim_ids: Iterable[UUID]) -> Mapping[UUID, list[BilledLine]]:
    """By claim, its service lines as the ledger takes them."""
    billed: dict[UUID, list[BilledLine]] = {}
    for line in ClaimLine.objects.filter(claim_id__in=list(claim_ids)).order_by("claim_id", "number"):
        billed.setdefault(line.claim_id, []).append(
            BilledLine(
                number=line.number,
                control_number=line.line_control_number,
                procedure_code=line.procedure_code,
                modifiers=tuple(line.modifiers),
                charge=line.charge,
            )
        )
    return billed


def _row(entry: Entry, remittance: Remittance, *, signal: ClaimSignal) -> LedgerEntry:
    return LedgerEntry(
        remittance=remittance,
        signal=signal,
        claim_id=signal.claim_id,
        partner_id=signal.partner_id,
        line_number=entry.line_number,
        kind=entry.kind,
        group=entry.group,
        reason=entry.reason,
        amount=entry.amount,
        reference=entry.reference[:50],
    )
