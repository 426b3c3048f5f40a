"""What the service knows without any partner: payers and their habits, code sets, the NPI registry."""

from billing.models.codes import CodeSetRelease, CodeSystem, DiagnosisCode
from billing.models.edits import NcciPair, NcciUnits
from billing.models.payers import (
    ClaimFilingCode,
    Payer,
    PayerAlias,
    PayerClass,
    PayerProfile,
    TelehealthModifierPolicy,
    validate_pattern,
)
from billing.models.registry import NpiRecord

__all__ = [
    "ClaimFilingCode",
    "CodeSetRelease",
    "CodeSystem",
    "DiagnosisCode",
    "NcciPair",
    "NcciUnits",
    "NpiRecord",
    "Payer",
    "PayerAlias",
    "PayerClass",
    "PayerProfile",
    "TelehealthModifierPolicy",
    "validate_pattern",
]
