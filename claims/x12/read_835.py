"""Reads 835 (005010X221A1), claim by claim, so that memory does not grow with the file.

    ST BPR TRN REF*EV DTM*405
    1000A payer      N1*PR N3 N4 REF PER
    1000B payee      N1*PE N3 N4 REF RDM
    2000 header      LX TS3 TS2
      2100 claim     CLP CAS NM1 MIA MOA REF DTM PER AMT QTY
        2110 line    SVC DTM CAS REF AMT QTY LQ
    PLB SE

    remittance = Remittance835(transaction_set)
    remittance.header                 # None where the set is refused
    for claim in remittance: ...
    remittance.provider_adjustments   # these three are complete once all claims have been read
    remittance.imbalances
    transaction_set.refusal

Whoever posts money does so in a transaction, and keeps nothing of a set that is refused or does not balance.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import chain

from claims.x12.problems import ProblemCode
from claims.x12.read_835_claim import LONGEST_REASON, claim_of
from claims.x12.remittance import (
    BalanceScope,
    Imbalance,
    Party,
    ProviderAdjustment,
    RemittanceHeader,
    RemittedClaim,
    imbalances_of,
)
from claims.x12.segments import TransactionSet
from claims.x12.tokens import Segment, component_list, element
from claims.x12.values import ElementReader

_NOTHING = Decimal(0)
_BODY = frozenset({"LX", "TS3", "TS2", "CLP", "PLB", "SE"})
LONGEST_TRACE = 50
_UNREAD_IN_HEADER = frozenset({"ST", "N3", "N4", "PER", "RDM"})
OUR_CURRENCY = "USD"
_AFTER_CLAIM = frozenset({"CLP", "PLB", "SE", "LX", "TS3", "TS2"})


class Remittance835:
    """One 835: iterate over it once for its claims."""

    def __init__(self, transaction_set: TransactionSet) -> None:
        """Read up to the first claim."""
        self.provider_adjustments: list[ProviderAdjustment] = []
        self.imbalances: list[Imbalance] = []
        self.claim_count = 0
        self.paid_total = _NOTHING
        self._set = transaction_set
        self._elements = ElementReader(transaction_set.problems, transaction_set.delimiters)
        self._rest: Iterator[Segment] = iter(())
        self.header = self._read_header() if transaction_set.refusal is None else None

    def __iter__(self) -> Iterator[RemittedClaim]:
        """Yield the claims in order; afterwards the totals have been checked against them."""
        if self.header is None:
            return
        elements = self._elements
        rows: list[Segment] = []
        for segment in self._rest:
            name = segment[0]
            if name in _AFTER_CLAIM:
                if rows:
                    yield self._claim_of(rows)
                    rows = []
                elements.position += 1
                if name == "CLP":
                    rows = [segment]
                elif name == "PLB":
                    self._adjust_provider(segment)
                continue
            elements.position += 1
            if rows:
                rows.append(segment)
            else:
                elements.report(ProblemCode.UNKNOWN_SEGMENT, "a segment that does not stand here", segment)
        if not self.claim_count and not self.provider_adjustments:
            elements.report(ProblemCode.MISSING_ELEMENT, "it holds no claim and no adjustment", loses=True)
        self._check_payment(self.header)

    def _claim_of(self, rows: list[Segment]) -> RemittedClaim:
        self.claim_count += 1
        claim = claim_of(rows, elements=self._elements, position=self.claim_count)
        self.paid_total += claim.paid
        self.imbalances.extend(imbalances_of(claim))
        return claim

    def _check_payment(self, header: RemittanceHeader) -> None:
        withheld = sum((adjustment.amount for adjustment in self.provider_adjustments), _NOTHING)
        computed = self.paid_total - withheld
        if computed != header.amount:
            self.imbalances.append(Imbalance(BalanceScope.PAYMENT, header.amount, computed))

    def _adjust_provider(self, segment: Segment) -> None:
        self._elements.day(segment, 2)  # not kept, but reported where it is no date
        for number in range(3, len(segment), 2):
            if not segment[number] and not element(segment, number + 1):
                continue
            reason, reference = [*component_list(segment[number], self._elements.delimiters), "", ""][:2]
            self.provider_adjustments.append(
                ProviderAdjustment(
                    provider_id=element(segment, 1).strip(),
                    reason=self._elements.whole(reason.strip(), segment, number, most=LONGEST_REASON),
                    reference=reference.strip(),
                    amount=self._elements.amount(segment, number + 1),
                )
            )

    def _read_header(self) -> RemittanceHeader | None:
        """Take the segments before the first claim; None where payment or trace number is not among them."""
        elements = self._elements
        payment: Segment | None = None
        trace: Segment | None = None
        produced: Segment | None = None
        parties: dict[str, list[Segment]] = {}
        party = ""
        for segment in self._set.segments:
            name = segment[0]
            if name in _BODY:
                self._rest = chain((segment,), self._set.segments)
                break
            elements.position += 1
            if name == "BPR":
                payment = segment
            elif name == "TRN":
                trace = segment
            elif name == "DTM" and element(segment, 1) == "405":
                produced = segment
            elif name == "CUR":
                if element(segment, 2).strip() not in ("", OUR_CURRENCY):
                    message = "CUR02 names another currency than dollars of the US"
                    elements.report(ProblemCode.UNSUPPORTED_TRANSACTION, message, segment, refuses=True)
            elif name == "N1":
                party = element(segment, 1)
                parties[party] = [segment]
            elif name == "REF":
                # Those before the first N1 say who receives the file, which the envelope tells already.
                if party:
                    parties[party].append(segment)
            elif name not in _UNREAD_IN_HEADER:
                elements.report(ProblemCode.UNKNOWN_SEGMENT, "a segment that does not stand here", segment)
        if payment is None or trace is None or not element(trace, 2).strip():
            message = "BPR or TRN is missing, so the payment can't be told from others"
            elements.report(ProblemCode.MISSING_ELEMENT, message, refuses=True)
            return None
        amount = elements.amount(payment, 2)
        return RemittanceHeader(
            amount=-amount if element(payment, 3).strip() == "D" else amount,
            method=element(payment, 4).strip(),
            payment_date=elements.day(payment, 16),
            trace_number=elements.whole(element(trace, 2).strip(), trace, 2, most=LONGEST_TRACE),
            trace_company_id=elements.whole(element(trace, 3).strip(), trace, 3, most=LONGEST_TRACE),
            production_date=elements.day(produced, 2) if produced else None,
            payer=_party(parties.get("PR")),
            payee=_party(parties.get("PE")),
            handling=element(payment, 1).strip(),
        )


def _party(segments: list[Segment] | None) -> Party:
    if segments is None:
        return Party()
    name, *references = segments
    return Party(
        name=element(name, 2).strip(),
        qualifier=element(name, 3).strip(),
        identifier=element(name, 4).strip(),
        references=tuple((element(item, 1), element(item, 2).strip()) for item in references),
    )
