"""The published shape of a claim submission, written down strictly: only what we use, and nothing unknown."""

from __future__ import annotations

from typing import Any


def closed(required: str, optional: str = "", **properties: Any) -> dict[str, Any]:
    names = required.split() + optional.split()
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required.split(),
        "properties": {name: properties.get(name, TEXT) for name in names},
    }


def matching(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{pattern}$"}


TEXT = {"type": "string", "minLength": 1}
DATE = matching(r"\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
MONEY = matching(r"\d+\.\d\d")
NPI = matching(r"\d{10}")
CONTACT = closed("name phoneNumber", phoneNumber=matching(r"\d{10}"))
ADDRESS = closed(
    "address1 city state postalCode",
    "address2",
    address1={"type": "string", "minLength": 1, "maxLength": 55},
    address2={"type": "string", "minLength": 1, "maxLength": 55},
    city={"type": "string", "minLength": 2, "maxLength": 30},
    state=matching("[A-Z]{2}"),
    postalCode=matching(r"(\d{5}|\d{9})"),
)
BILLING = {
    **closed(
        "npi employerId address",
        "taxonomyCode organizationName lastName firstName contactInformation",
        npi=NPI,
        employerId=matching(r"\d{9}"),
        address=ADDRESS,
        contactInformation=CONTACT,
    ),
    "oneOf": [{"required": ["organizationName"]}, {"required": ["lastName", "firstName"]}],
}
SERVICE = closed(
    "procedureIdentifier procedureCode lineItemChargeAmount measurementUnit serviceUnitCount"
    " compositeDiagnosisCodePointers",
    "procedureModifiers",
    procedureIdentifier={"const": "HC"},
    procedureCode=matching("[0-9A-Z]{5}"),
    procedureModifiers={"type": "array", "minItems": 1, "maxItems": 4, "items": matching("[0-9A-Z]{2}")},
    lineItemChargeAmount=MONEY,
    measurementUnit={"const": "UN"},
    serviceUnitCount=matching(r"\d+"),
    compositeDiagnosisCodePointers=closed(
        "diagnosisCodePointers",
        diagnosisCodePointers={
            "type": "array",
            "minItems": 1,
            "maxItems": 4,
            "items": matching(r"([1-9]|1[0-2])"),
        },
    ),
)
CLAIM = closed(
    "claimFilingCode patientControlNumber claimChargeAmount placeOfServiceCode claimFrequencyCode"
    " signatureIndicator planParticipationCode benefitsAssignmentCertificationIndicator"
    " releaseInformationCode healthCareCodeInformation serviceLines",
    "claimSupplementalInformation delayReasonCode",
    patientControlNumber={"type": "string", "minLength": 1, "maxLength": 20},
    claimChargeAmount=MONEY,
    placeOfServiceCode=matching(r"\d\d"),
    claimFrequencyCode={"enum": ["1", "7", "8"]},
    signatureIndicator={"enum": ["Y", "N"]},
    planParticipationCode={"enum": ["A", "B", "C"]},
    benefitsAssignmentCertificationIndicator={"enum": ["Y", "N", "W"]},
    releaseInformationCode={"enum": ["Y", "I"]},
    claimSupplementalInformation=closed("claimControlNumber"),
    healthCareCodeInformation={
        "type": "array",
        "minItems": 1,
        "maxItems": 12,
        "prefixItems": [closed("diagnosisTypeCode diagnosisCode", diagnosisTypeCode={"const": "ABK"})],
        "items": closed(
            "diagnosisTypeCode diagnosisCode",
            diagnosisTypeCode={"const": "ABF"},
            diagnosisCode=matching("[A-Z][0-9A-Z]{2,6}"),
        ),
    },
    serviceLines={
        "type": "array",
        "minItems": 1,
        "maxItems": 50,
        "items": closed(
            "serviceDate professionalService",
            "providerControlNumber",
            serviceDate=DATE,
            providerControlNumber={"type": "string", "minLength": 1, "maxLength": 30},
            professionalService=SERVICE,
        ),
    },
)
SUBMISSION = closed(
    "tradingPartnerServiceId usageIndicator submitter receiver subscriber billing claimInformation",
    "tradingPartnerName rendering",
    usageIndicator={"enum": ["T", "P"]},
    submitter=closed("organizationName contactInformation", contactInformation=CONTACT),
    receiver=closed("organizationName"),
    subscriber=closed(
        "memberId firstName lastName gender dateOfBirth address paymentResponsibilityLevelCode",
        "groupNumber",
        memberId={"type": "string", "minLength": 2, "maxLength": 80},
        gender={"enum": ["M", "F", "U"]},
        dateOfBirth=DATE,
        address=ADDRESS,
        paymentResponsibilityLevelCode={"const": "P"},
    ),
    billing=BILLING,
    rendering=closed("npi firstName lastName", "taxonomyCode", npi=NPI),
    claimInformation=CLAIM,
)
