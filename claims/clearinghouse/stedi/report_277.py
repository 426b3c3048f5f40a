"""Puts one transaction of Stedi's JSON 277CA report back into its segments.

payers[]                                HL 20  NM1 AY or PR
  claimStatusTransactions[]             HL 21  NM1 41, TRN, STC
    claimStatusDetails[]                HL 19  NM1 85, TRN, STC
      patientClaimStatusDetails[]       HL PT  NM1 QC
        claims[].claimStatus                   TRN, STC, REF, DTP
        claims[].serviceLines[]                SVC, STC, REF
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from claims.clearinghouse.stedi.json_tree import Node, child, children, first_of, text, texts
from claims.clearinghouse.stedi.segments import composite_of, name_of, segment_of
from claims.x12.tokens import Segment

_SOURCE_IDS = (
    ("PI", "payerIdentification"),
    ("46", "etin"),
    ("FI", "federalTaxpayerIdentificationNumber"),
    ("XV", "centersForMedicareAndMedicaidServicePlanId"),
)
_PROVIDER_IDS = (("XX", "npi"), ("FI", "tin"), ("SV", "spn"))
_MOST_CODES = 3


def segments_of_277(transaction: Node) -> Iterator[Segment]:
    """Yield the segments in the order of the guide, without the counts that nobody reads again."""
    levels = count(1)
    created = text(transaction, "transactionSetCreationDate")
    reference = text(transaction, "referenceIdentification")
    yield segment_of(
        "BHT", "0085", "08", reference, created, text(transaction, "transactionSetCreationTime"), "TH"
    )
    for payer in children(transaction, "payers"):
        source = _level(levels, "20")
        yield source
        yield name_of(
            text(payer, "entityIdentifierCode"),
            person=False,
            last=text(payer, "organizationName"),
            number=first_of(payer, *_SOURCE_IDS),
        )
        yield segment_of("TRN", "1", reference)
        if created:
            yield segment_of("DTP", "009", "D8", created)
        for batch in children(payer, "claimStatusTransactions"):
            yield from _batch(batch, levels)


def _batch(batch: Node, levels: Iterator[int]) -> Iterator[Segment]:
    yield _level(levels, "21")
    submitter = child(batch, "provider")
    yield _party("41", submitter, ("46", text(submitter, "etin")))
    yield segment_of("TRN", "2", text(batch, "claimTransactionBatchNumber"))
    for status in children(batch, "providerClaimStatuses"):
        yield _status(status, "providerStatuses")
    for detail in children(batch, "claimStatusDetails"):
        yield from _provider(detail, levels)


def _provider(detail: Node, levels: Iterator[int]) -> Iterator[Segment]:
    yield _level(levels, "19")
    provider = child(detail, "serviceProvider")
    yield _party("85", provider, first_of(provider, *_PROVIDER_IDS))
    yield segment_of("TRN", "1", text(detail, "providerOFServiceInformationTraceIdentifier"))
    for status in children(detail, "serviceProviderClaimStatuses"):
        yield _status(status, "serviceProviderStatuses")
    for patient in children(detail, "patientClaimStatusDetails"):
        yield _level(levels, "PT")
        subscriber = child(patient, "subscriber")
        yield _party("QC", subscriber, ("MI", text(subscriber, "memberId")))
        for claim in children(patient, "claims"):
            yield from _claim(claim)


def _claim(claim: Node) -> Iterator[Segment]:
    status = child(claim, "claimStatus")
    yield segment_of("TRN", "2", text(status, "referencedTransactionTraceNumber"))
    for information in children(status, "informationClaimStatuses"):
        yield _status(information, "informationStatuses")
    if number := text(status, "tradingPartnerClaimNumber"):
        yield segment_of("REF", "1K", number)
    if number := text(status, "clearinghouseTraceNumber"):
        yield segment_of("REF", "D9", number)
    begin = text(status, "claimServiceDate") or text(status, "claimServiceBeginDate")
    end = text(status, "claimServiceEndDate")
    if begin:
        period = f"{begin}-{end}" if end else begin
        yield segment_of("DTP", "472", "RD8" if end else "D8", period)
    for line in children(claim, "serviceLines"):
        yield from _line(line)


def _line(line: Node) -> Iterator[Segment]:
    service = child(line, "service")
    procedure = composite_of(
        text(service, "serviceIdQualifierCode"),
        text(service, "procedureCode"),
        *texts(service, "procedureModifiers"),
    )
    yield segment_of("SVC", procedure, text(service, "chargeAmount"))
    for status in children(line, "serviceClaimStatuses"):
        yield _status(status, "serviceStatuses")
    if number := text(line, "lineItemControlNumber"):
        yield segment_of("REF", "FJ", number)


def _status(status: Node, name: str) -> Segment:
    """Make an STC; a line's status has its date under another name."""
    composites = [
        composite_of(
            text(code, "healthCareClaimStatusCategoryCode"),
            text(code, "statusCode"),
            text(code, "entityIdentifierCode"),
        )
        for code in children(status, name)[:_MOST_CODES]
    ]
    first, second, third = (*composites, "", "", "")[:3]
    return segment_of(
        "STC",
        first,
        text(status, "statusInformationEffectiveDate") or text(status, "effectiveDate"),
        text(status, "statusInformationActionCode"),
        text(status, "totalClaimChargeAmount"),
        *("",) * 5,
        second,
        third,
        text(status, "statusMessage"),
    )


def _level(levels: Iterator[int], code: str) -> Segment:
    return segment_of("HL", str(next(levels)), "", code)


def _party(entity: str, party: Node, number: tuple[str, str]) -> Segment:
    organization = text(party, "organizationName")
    last = organization or text(party, "lastName")
    return name_of(entity, person=not organization, last=last, first=text(party, "firstName"), number=number)
