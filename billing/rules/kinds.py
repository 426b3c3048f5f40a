"""The kinds of things that the claim rules tell apart."""

from enum import StrEnum


class Mode(StrEnum):
    LIVE = "live"
    TEST = "test"


class PlaceOfService(StrEnum):
    OFFICE = "office"
    TELEHEALTH = "telehealth"


class DiagnosisStatus(StrEnum):
    """What the ICD-10-CM release in force on the date of service says of a code."""

    BILLABLE = "billable"
    HEADING = "heading"
    UNKNOWN = "unknown"
    NOT_COVERED = "not_covered"
    """No loaded release covers the date; `Diagnosis.known_in_newest_release` then decides."""


class CodeSource(StrEnum):
    SENT = "sent"
    DERIVED = "derived"
    NOTE = "note"
    STAFF = "staff"


class PayerClass(StrEnum):
    BLUE = "blue"
    MEDICARE = "medicare"
    MEDICARE_ADVANTAGE = "medicare_advantage"
    MEDICAID = "medicaid"
    MEDICAID_MANAGED = "medicaid_managed"
    TRICARE = "tricare"
    VETERANS = "veterans"
    FEDERAL_EMPLOYEES = "federal_employees"
    OTHER_FEDERAL = "other_federal"
    HMO = "hmo"
    PPO = "ppo"
    POINT_OF_SERVICE = "point_of_service"
    EXCLUSIVE_PROVIDER = "exclusive_provider"
    INDEMNITY = "indemnity"
    COMMERCIAL = "commercial"


class TelehealthModifier(StrEnum):
    """What a payer wants on telehealth lines in place of the automatic 95."""

    NINETY_FIVE = "95"
    GT = "GT"
    NONE = "none"


class PayerMatchOutcome(StrEnum):
    EXACT = "exact"
    CANDIDATES = "candidates"
    UNKNOWN = "unknown"


class OtherClaimState(StrEnum):
    UNCODED = "uncoded"
    """Opened before this one, and its codes are still to be found."""
    WAITING = "waiting"
    """Not sent yet, but opened before this one."""
    SENT = "sent"
    """On its way, with the clearinghouse or payer, or judged (paid or denied)."""
    REJECTED = "rejected"
    VOIDED = "voided"
    LATER = "later"
    """Not sent yet, and opened after this one: it waits for this one."""
    UNBILLABLE = "unbillable"
    """Held because its note speaks of no such service, patient or day, or ended by staff."""


class NoteOutcome(StrEnum):
    CODED = "coded"
    NEEDS_REVIEW = "needs_review"
    NOT_BILLABLE = "not_billable"


class DiscrepancySeverity(StrEnum):
    INFO = "info"
    WARN = "warn"
    BLOCK = "block"


class OriginalState(StrEnum):
    """How far the previous version of this claim came."""

    NONE = "none"
    SENT = "sent"
    REJECTED = "rejected"
    """Refused before adjudication."""
    ADJUDICATED = "adjudicated"
    """Judged by the payer: paid, denied, left to the patient."""
    ADJUDICATED_ELSEWHERE = "adjudicated_elsewhere"
    """Judged by another payer; this one has never seen it."""
    VOIDED = "voided"
    """Voided by the payer, which gets no new one."""


class EnrollmentStatus(StrEnum):
    NONE = "none"
    PENDING = "pending"
    LIVE = "live"


class Table(StrEnum):
    """Tables that an installation may lack; a rule that needs one is then not checked."""

    NPPES = "nppes"
    ENROLLMENT = "enrollment"
    NCCI = "ncci"
