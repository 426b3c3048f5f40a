"""Everything that the claim rules look at, as plain values.

Whoever checks a session maps its rows to `ClaimFacts` once; the rules never see a model. What is not known
is None (or empty), and a rule about it stays silent. Texts are as stored, codes and identifiers are strings,
money is `Decimal` in dollars, and dates are dates in the practice's own zone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from billing.rules.kinds import (
    CodeSource,
    DiagnosisStatus,
    DiscrepancySeverity,
    EnrollmentStatus,
    Mode,
    NoteOutcome,
    OriginalState,
    OtherClaimState,
    PayerClass,
    PayerMatchOutcome,
    PlaceOfService,
    Table,
    TelehealthModifier,
)

__all__ = [
    "Address",
    "ClaimFacts",
    "CodePair",
    "CodeSource",
    "Coverage",
    "Diagnosis",
    "DiagnosisStatus",
    "Discrepancy",
    "DiscrepancySeverity",
    "Enrollment",
    "EnrollmentStatus",
    "Format",
    "Mode",
    "NcciEdits",
    "Note",
    "NoteOutcome",
    "NppesRecord",
    "OriginalState",
    "OtherClaim",
    "OtherClaimState",
    "Patient",
    "PayerCandidate",
    "PayerClass",
    "PayerMatch",
    "PayerMatchOutcome",
    "PayerProfile",
    "PlaceOfService",
    "Practice",
    "Procedure",
    "Provider",
    "Session",
    "Table",
    "TelehealthModifier",
    "Version",
]


@dataclass(frozen=True, slots=True)
class Address:
    street: str
    city: str
    state: str
    zip: str
    """Digits only: 5 or 9."""
    line2: str | None = None


@dataclass(frozen=True, slots=True)
class Patient:
    first_name: str = field(repr=False)
    last_name: str = field(repr=False)
    date_of_birth: date = field(repr=False)
    gender: str
    address: Address = field(repr=False)


@dataclass(frozen=True, slots=True)
class Coverage:
    member_id: str = field(repr=False)
    payer_name: str
    payer_id: str | None = None
    group_number: str | None = field(default=None, repr=False)
    filing_code: str | None = None
    """SBR09; filled in by the repairs."""
    member_id_on_card: str | None = field(default=None, repr=False)
    """The member ID before the repairs took blanks and dashes out; filled in by them."""


@dataclass(frozen=True, slots=True)
class NppesRecord:
    """What the NPPES copy says of an NPI."""

    found: bool
    deactivated: bool = False
    taxonomies: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Enrollment:
    """How far the provider's enrollment with this payer is."""

    claims: EnrollmentStatus = EnrollmentStatus.NONE
    remittances: EnrollmentStatus = EnrollmentStatus.NONE


@dataclass(frozen=True, slots=True)
class Provider:
    first_name: str
    last_name: str
    npi: str
    taxonomy_code: str | None = None
    taxonomy_inferred: bool = False
    """The taxonomy comes from specialty or credentials, not from the partner."""
    specialty: str | None = None
    credentials: str | None = None
    onboarded_on: date | None = None
    nppes: NppesRecord | None = None
    enrollment: Enrollment | None = None
    share_of_90837: float | None = None
    """Of this provider's individual psychotherapy of late, the share billed as 90837 (0 to 1)."""


@dataclass(frozen=True, slots=True)
class Practice:
    name: str
    tax_id: str
    address: Address
    npi: str | None = None
    """The organization's NPI; None bills the therapist as a person (solo)."""
    taxonomy_code: str | None = None
    phone: str | None = None
    contact_name: str | None = None
    zip_plus_four: str | None = None
    """The 9-digit ZIP of this address from the ZIP+4 table."""
    nppes: NppesRecord | None = None


@dataclass(frozen=True, slots=True)
class Session:
    date_of_service: date
    place_of_service: PlaceOfService = PlaceOfService.OFFICE
    minutes: int | None = None
    place_of_service_code: str | None = None
    """CLM05-1; filled in by the repairs."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    code: str
    """With its dot, as stored: F41.1."""
    status: DiagnosisStatus | None = None
    known_in_newest_release: bool | None = None
    """Only for NOT_COVERED: whether the newest release has it as billable; None where none is loaded."""
    billable_under: tuple[str, ...] = ()
    """Only for HEADING: codes under it that can be billed."""
    source: CodeSource = CodeSource.SENT


@dataclass(frozen=True, slots=True)
class Procedure:
    code: str
    modifiers: tuple[str, ...] = ()
    units: int = 1
    charge: Decimal | None = None
    """The line's charge, all units together."""
    source: CodeSource = CodeSource.SENT
    diagnosis_pointers: tuple[int, ...] | None = None
    """Positions in the diagnoses, from 1; None lets the claim point at the first four."""
    place_of_service_code: str | None = None
    """A line's own place; None means the claim's."""
    schedule_median: Decimal | None = None
    """The median of the schedule's prices for this code, times the line's units."""
    last_allowed: Decimal | None = None
    """What this payer allowed the last time for this code, times the line's units."""


@dataclass(frozen=True, slots=True)
class PayerProfile:
    """What staff keep about a payer."""

    payer_class: PayerClass | None = None
    filing_code: str | None = None
    telehealth_place_of_service: str | None = None
    telehealth_modifier: TelehealthModifier | None = None
    timely_filing_days: int | None = None
    timely_filing_confirmed: bool = False
    member_id_pattern: str | None = None
    """A regular expression that the whole member ID must match, upper case, without blanks and dashes."""
    member_id_words: str | None = None
    """How such an ID looks, in words: "three letters, then nine digits"."""
    supports_professional_claims: bool | None = None
    enrollment_required: bool | None = None
    remittance_enrollment_required: bool = True
    pays_90887: bool = False
    pays_phone_assessment: bool = False
    phone_codes_without_95: bool = False
    most_units_96127: int | None = None
    """None: the usual number."""
    held_rules: frozenset[str] = frozenset()
    """Rules (ids) whose warnings hold the claims that go to this payer."""


@dataclass(frozen=True, slots=True)
class PayerCandidate:
    payer_id: str
    name: str


@dataclass(frozen=True, slots=True)
class PayerMatch:
    """What the payer directory answered.

    With a payer ID sent: EXACT where the directory has it (leading zeros aside), and the candidates are other
    payers whose very name came with it; else UNKNOWN. Without one:
    EXACT where one payer alone has this name or alias, CANDIDATES where several do or only similar ones, else
    UNKNOWN.
    """

    outcome: PayerMatchOutcome
    payer_id: str | None = None
    payer_name: str | None = None
    candidates: tuple[PayerCandidate, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherClaim:
    """Another session's claim for the same patient: same partner, member ID and birth date.

    Versions of this session's own claim do not belong here.
    """

    date_of_service: date
    provider_npi: str
    procedure_codes: tuple[str, ...]
    state: OtherClaimState
    same_practice: bool = True

    @property
    def stands(self) -> bool:
        """Sent, or to be sent before this one."""
        return self.waits or self.state is OtherClaimState.SENT

    @property
    def waits(self) -> bool:
        """Opened before this one, and still here."""
        return self.state in (OtherClaimState.UNCODED, OtherClaimState.WAITING)


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A point where the note and what was sent differ; `kind` as in the note coder's list."""

    kind: str
    severity: DiscrepancySeverity = DiscrepancySeverity.WARN
    supplied: str | None = field(default=None, repr=False)
    found: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Note:
    """What reading the clinical note gave."""

    outcome: NoteOutcome
    discrepancies: tuple[Discrepancy, ...] = ()
    reasons: tuple[str, ...] = ()
    codes_without_evidence: tuple[str, ...] = ()
    """Codes taken from the note for which no words of it are quoted."""
    confirmed_by_staff: bool = False
    minutes: int | None = None
    """Face-to-face minutes that the note documents."""
    audio_only: bool = False
    kept_separately: bool = False
    """It calls itself a process note or private psychotherapy note."""


@dataclass(frozen=True, slots=True)
class Version:
    """Which version of the claim this is to be, and what became of the one before."""

    frequency: str = "1"
    """CLM05-3: 1 original, 7 replacement, 8 void."""
    original: OriginalState = OriginalState.NONE
    original_is_paid: bool = False
    """Something that was paid for the one before is left."""
    payer_control_number: str | None = None
    delay_reason_code: str | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """What is known once the claim is numbered and written; all empty before."""

    patient_control_number: str | None = None
    line_control_numbers: tuple[str, ...] = ()
    counts_match: bool | None = None
    """SE01, GE01 and IEA01 equal what was written, and each trailer repeats its header's number."""
    writer_complaints: tuple[str, ...] = ()
    """Invariants that the 837P writer found broken, as sentences without values."""
    service_facility: Address | None = None
    """Where the session took place, if that is stated apart from the practice."""


@dataclass(frozen=True, slots=True)
class CodePair:
    """One procedure-to-procedure edit of the quarterly NCCI table."""

    column_one: str
    column_two: str
    modifier_indicator: str
    """0 never together, 1 with a modifier that says they were separate, 9 not in force."""


@dataclass(frozen=True, slots=True)
class NcciEdits:
    """The NCCI edits that touch this claim's codes on its date of service."""

    pairs: tuple[CodePair, ...] = ()
    most_units: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """One session, about to become a claim."""

    mode: Mode
    today: date
    """In the practice's own time zone."""
    patient: Patient
    coverage: Coverage
    provider: Provider
    practice: Practice
    session: Session
    diagnoses: tuple[Diagnosis, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    total_charge: Decimal | None = None
    profile: PayerProfile | None = None
    payer_match: PayerMatch | None = None
    """None where no payer directory is loaded."""
    other_claims: tuple[OtherClaim, ...] = ()
    note: Note | None = None
    version: Version = Version()
    format: Format = Format()
    ncci: NcciEdits | None = None
    tables: frozenset[Table] = frozenset()
    """Which of the optional tables this installation has loaded."""

    @property
    def others_of_day(self) -> tuple[OtherClaim, ...]:
        """The other claims that stand for this patient, therapist and day."""
        return tuple(
            other
            for other in self.other_claims
            if other.stands
            and other.date_of_service == self.session.date_of_service
            and other.provider_npi == self.provider.npi
        )
