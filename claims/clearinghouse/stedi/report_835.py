"""Puts one transaction of Stedi's JSON 835 report back into its segments.

financialInformation, paymentAndRemitReassociationDetails    BPR, TRN
payer, payee                                                 N1 PR, N1 PE, REF
detailInfo[].paymentInfo[]                                   LX, CLP, CAS, NM1, MOA, REF, DTM, AMT
  serviceLines[]                                             SVC, DTM, CAS, REF, AMT, LQ
providerAdjustments[]                                        PLB
"""

from __future__ import annotations

from collections.abc import Iterator

from claims.clearinghouse.stedi.json_tree import Node, child, children, first_of, text, texts
from claims.clearinghouse.stedi.segments import composite_of, name_of, segment_of
from claims.x12.tokens import Segment

_PAYER_REFERENCES = {
    "2U": "payerIdentificationNumber",
    "EO": "submitterIdentificationNumber",
    "HI": "healthIndustryNumber",
    "NF": "nationalAssociationOfInsuranceCommissioners",
}
_CLAIM_REFERENCES = {
    "1L": "groupOrPolicyNumber",
    "1W": "memberIdentificationNumber",
    "9A": "rePricedClaimReferenceNumber",
    "9C": "adjustedRePricedClaimReferenceNumber",
    "CE": "classOfContractCode",
    "EA": "medicalRecordIdentificationNumber",
    "F8": "originalReferenceNumber",
    "G1": "priorAuthorizationNumber",
    "IG": "insurancePolicyNumber",
}
_PATIENT_IDS = (
    ("MI", "memberId"),
    ("HN", "healthInsuranceClaimNumber"),
    ("MR", "medicaidRecipientIdentificationNumber"),
)
_REASONS_IN_A_GROUP = range(1, 7)
_REMARKS_OF_A_CLAIM = range(1, 6)


def segments_of_835(transaction: Node) -> Iterator[Segment]:
    """Yield the segments in the order of the guide."""
    yield from _payment(transaction)
    if produced := text(transaction, "productionDate"):
        yield segment_of("DTM", "405", produced)
    yield from _payer(child(transaction, "payer"))
    yield from _payee(child(transaction, "payee"))
    for number, detail in enumerate(children(transaction, "detailInfo"), start=1):
        yield segment_of("LX", text(detail, "assignedNumber") or str(number))
        for claim in children(detail, "paymentInfo"):
            yield from _claim(claim)
    for provider in children(transaction, "providerAdjustments"):
        yield _provider_adjustment(provider)
    yield segment_of("SE")


def _payment(transaction: Node) -> Iterator[Segment]:
    payment = child(transaction, "financialInformation")
    if payment:
        yield segment_of(
            "BPR",
            text(payment, "transactionHandlingCode"),
            text(payment, "totalActualProviderPaymentAmount"),
            text(payment, "creditOrDebitFlagCode"),
            text(payment, "paymentMethodCode"),
            text(payment, "paymentFormatCode"),
            *("",) * 4,
            text(payment, "payerIdentifier"),
            *("",) * 5,
            text(payment, "checkIssueOrEFTEffectiveDate"),
        )
    trace = child(transaction, "paymentAndRemitReassociationDetails")
    if trace:
        number, company = text(trace, "checkOrEFTTraceNumber"), text(trace, "originatingCompanyIdentifier")
        yield segment_of("TRN", "1", number, company)


def _payer(payer: Node) -> Iterator[Segment]:
    plan = first_of(payer, ("XV", "centersForMedicareAndMedicaidServicesPlanId"))
    yield segment_of("N1", "PR", text(payer, "name"), *plan)
    yield from _references(payer, _PAYER_REFERENCES)


def _payee(payee: Node) -> Iterator[Segment]:
    tax_id = text(payee, "taxId") or text(payee, "federalTaxPayersIdentificationNumber")
    qualifier, identifier = first_of(payee, ("XX", "npi"))
    yield segment_of("N1", "PE", text(payee, "name"), qualifier or "FI", identifier or tax_id)
    if qualifier and tax_id:
        yield segment_of("REF", "TJ", tax_id)


def _claim(claim: Node) -> Iterator[Segment]:
    payment = child(claim, "claimPaymentInfo")
    yield segment_of(
        "CLP",
        text(payment, "patientControlNumber"),
        text(payment, "claimStatusCode"),
        text(payment, "totalClaimChargeAmount"),
        text(payment, "claimPaymentAmount"),
        text(payment, "patientResponsibilityAmount"),
        text(payment, "claimFilingIndicatorCode"),
        text(payment, "payerClaimControlNumber"),
        text(payment, "facilityTypeCode"),
        text(payment, "claimFrequencyCode"),
    )
    yield from map(_adjustment, children(claim, "claimAdjustments"))
    yield from _names(claim)
    for adjudication in ("outpatientAdjudication", "inpatientAdjudication"):
        remarks = [
            text(child(claim, adjudication), f"claimPaymentRemarkCode{n}") for n in _REMARKS_OF_A_CLAIM
        ]
        if any(remarks):
            yield segment_of("MOA", "", "", *remarks)
    yield from _references(child(claim, "otherClaimRelatedIdentification"), _CLAIM_REFERENCES)
    for code, name in (
        ("232", "claimStatementPeriodStart"),
        ("233", "claimStatementPeriodEnd"),
        ("050", "claimReceivedDate"),
    ):
        if day := text(claim, name):
            # The statement period alone is written with dashes.
            yield segment_of("DTM", code, day.replace("-", ""))
    if amount := text(child(claim, "claimSupplementalInformation"), "coverageAmount"):
        yield segment_of("AMT", "AU", amount)
    for line in children(claim, "serviceLines"):
        yield from _line(line)


def _names(claim: Node) -> Iterator[Segment]:
    for entity, field, ids in (
        ("QC", "patientName", _PATIENT_IDS),
        ("IL", "subscriber", (("MI", "memberId"), ("FI", "taxId"))),
        ("74", "correctedPatientOrInsuredName", (("C", "insuredsChangedUniqueIdentificationNumber"),)),
        ("82", "renderingProvider", (("XX", "npi"), ("FI", "taxId"))),
        ("TT", "crossoverCarrier", (("PI", "payorId"), ("FI", "taxId"))),
        ("PR", "correctedPriorityPayer", (("PI", "payorId"), ("FI", "taxId"))),
    ):
        if name := child(claim, field):
            organization = text(name, "organizationName")
            yield name_of(
                entity,
                person=not organization,
                last=organization or text(name, "lastName"),
                first=text(name, "firstName"),
                number=first_of(name, *ids),
            )


def _line(line: Node) -> Iterator[Segment]:
    service = child(line, "servicePaymentInformation")
    submitted = text(service, "submittedAdjudicatedProcedureCode")
    yield segment_of(
        "SVC",
        composite_of(
            text(service, "productOrServiceIDQualifier"),
            text(service, "adjudicatedProcedureCode"),
            *texts(service, "adjudicatedProcedureModifierCodes"),
        ),
        text(service, "lineItemChargeAmount"),
        text(service, "lineItemProviderPaymentAmount"),
        text(service, "nationalUniformBillingCommitteeRevenueCode"),
        text(service, "unitsOfServicePaidCount"),
        composite_of(text(service, "submittedProductOrServiceIDQualifier"), submitted) if submitted else "",
        text(service, "originalUnitsOfServiceCount"),
    )
    for code, name in (("472", "serviceDate"), ("150", "serviceStartDate"), ("151", "serviceEndDate")):
        if day := text(line, name):
            yield segment_of("DTM", code, day)
    yield from map(_adjustment, children(line, "serviceAdjustments"))
    if number := text(line, "lineItemControlNumber"):
        yield segment_of("REF", "6R", number)
    if amount := text(child(line, "serviceSupplementalAmounts"), "allowedActual"):
        yield segment_of("AMT", "B6", amount)
    for remark in children(line, "healthCareCheckRemarkCodes"):
        yield segment_of("LQ", text(remark, "codeListQualifierCode"), text(remark, "remarkCode"))


def _adjustment(adjustment: Node) -> Segment:
    """Make a CAS of the numbered fields."""
    fields = ("adjustmentReasonCode", "adjustmentAmount", "adjustmentQuantity")
    triples = [text(adjustment, f"{name}{number}") for number in _REASONS_IN_A_GROUP for name in fields]
    return segment_of("CAS", text(adjustment, "claimAdjustmentGroupCode"), *triples)


def _provider_adjustment(provider: Node) -> Segment:
    values = [
        value
        for adjustment in children(provider, "adjustments")
        for value in (
            composite_of(
                text(adjustment, "adjustmentReasonCode"), text(adjustment, "providerAdjustmentIdentifier")
            ),
            text(adjustment, "providerAdjustmentAmount"),
        )
    ]
    return segment_of(
        "PLB", text(provider, "providerIdentifier"), text(provider, "fiscalPeriodDate"), *values
    )


def _references(node: Node, fields: dict[str, str]) -> Iterator[Segment]:
    for qualifier, name in fields.items():
        if number := text(node, name):
            yield segment_of("REF", qualifier, number)
