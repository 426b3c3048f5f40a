"""Writes a claim as the JSON that Stedi's professional claim submission takes."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from claims.x12.claim import Address, BillingProvider, ProfessionalClaim, ServiceLine, Usage
from claims.x12.writing import date_text


@dataclass(frozen=True, slots=True)
class Submitter:
    """Who we are to the clearinghouse: our legal name, and the EDI desk's ten-digit phone."""

    organization_name: str
    phone: str


def payload_of(claim: ProfessionalClaim, *, usage: Usage, submitter: Submitter) -> dict[str, Any]:
    """Give the request body; a subscriber without a dependent beside it is the patient."""
    payload: dict[str, Any] = {
        "tradingPartnerServiceId": claim.payer.payer_id,
        "tradingPartnerName": claim.payer.name,
        "usageIndicator": usage.value,
        "submitter": {
            "organizationName": submitter.organization_name,
            "contactInformation": {"name": submitter.organization_name, "phoneNumber": submitter.phone},
        },
        "receiver": {"organizationName": claim.payer.name},
        "subscriber": _subscriber(claim),
        "billing": _billing(claim.billing_provider),
        "claimInformation": _claim_information(claim),
    }
    if (rendering := claim.rendering_provider) is not None:
        payload["rendering"] = _filled(
            npi=rendering.npi,
            firstName=rendering.first_name,
            lastName=rendering.last_name,
            taxonomyCode=rendering.taxonomy_code,
        )
    return payload


def _subscriber(claim: ProfessionalClaim) -> dict[str, Any]:
    subscriber = claim.subscriber
    return _filled(
        memberId=subscriber.member_id,
        paymentResponsibilityLevelCode="P",
        firstName=subscriber.first_name,
        lastName=subscriber.last_name,
        gender=subscriber.gender,
        dateOfBirth=date_text(subscriber.date_of_birth),
        groupNumber=subscriber.group_number,
        address=_address(subscriber.address),
    )


def _billing(billing: BillingProvider) -> dict[str, Any]:
    contact = _filled(name=billing.contact_name, phoneNumber=billing.phone) if billing.phone else None
    return _filled(
        npi=billing.npi,
        employerId=billing.tax_id,
        taxonomyCode=billing.taxonomy_code,
        organizationName=billing.organization_name,
        lastName=billing.last_name,
        firstName=billing.first_name,
        address=_address(billing.address),
        contactInformation=contact,
    )


def _address(address: Address) -> dict[str, Any]:
    return _filled(
        address1=address.street,
        address2=address.street_line_2,
        city=address.city,
        state=address.state,
        postalCode=address.zip_code,
    )


def _claim_information(claim: ProfessionalClaim) -> dict[str, Any]:
    principal, *others = claim.diagnosis_codes
    diagnoses = [("ABK", principal), *(("ABF", code) for code in others)]
    original = {"claimControlNumber": claim.payer_control_number} if claim.payer_control_number else None
    return _filled(
        claimFilingCode=claim.payer.claim_filing_code,
        patientControlNumber=claim.patient_control_number,
        claimChargeAmount=_money(claim.total_charge),
        placeOfServiceCode=claim.place_of_service_code,
        claimFrequencyCode=claim.frequency.value,
        signatureIndicator="Y",
        planParticipationCode="A",
        benefitsAssignmentCertificationIndicator="Y",
        releaseInformationCode="Y",
        delayReasonCode=claim.delay_reason_code,
        claimSupplementalInformation=original,
        healthCareCodeInformation=[
            {"diagnosisTypeCode": kind, "diagnosisCode": code} for kind, code in diagnoses
        ],
        serviceLines=[_service_line(claim, line) for line in claim.service_lines],
    )


def _service_line(claim: ProfessionalClaim, line: ServiceLine) -> dict[str, Any]:
    return {
        "serviceDate": date_text(claim.date_of_service),
        "providerControlNumber": line.control_number,
        "professionalService": _filled(
            procedureIdentifier="HC",
            procedureCode=line.procedure_code,
            procedureModifiers=list(line.modifiers),
            lineItemChargeAmount=_money(line.charge),
            measurementUnit="UN",
            serviceUnitCount=str(line.units),
            compositeDiagnosisCodePointers={
                "diagnosisCodePointers": [str(pointer) for pointer in line.diagnosis_pointers]
            },
        ),
    }


def _money(amount: Decimal) -> str:
    return f"{amount:.2f}"


def _filled(**fields: Any) -> dict[str, Any]:
    """Leave out what is empty: the schema takes no empty strings."""
    return {name: value for name, value in fields.items() if value}
