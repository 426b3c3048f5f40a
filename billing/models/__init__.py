"""What the service knows without any partner: payers and their habits, code-set releases, diagnosis codes."""

from billing.models.codes import CodeSetRelease, CodeSystem, DiagnosisCode
from billing.models.payers import (
    ClaimFilingCode,
    Payer,
    PayerAlias,
    PayerClass,
    PayerProfile,
    TelehealthModifierPolicy,
    validate_pattern,
)

__all__ = [
    "ClaimFilingCode",
    "CodeSetRelease",
    "CodeSystem",
    "DiagnosisCode",
    "Payer",
    "PayerAlias",
    "PayerClass",
    "PayerProfile",
    "TelehealthModifierPolicy",
    "validate_pattern",
]
