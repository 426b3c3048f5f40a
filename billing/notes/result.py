"""What a coder says about one note: codes with their evidence, or the reasons why a person must look."""

from datetime import date
from enum import StrEnum
from typing import Any

import msgspec
import orjson


class Outcome(StrEnum):
    """What happens to the note; a guess is never an outcome."""

    CODED = "coded"
    NEEDS_REVIEW = "needs_review"
    NOT_BILLABLE = "not_billable"


class Reason(StrEnum):
    """Why a note is not simply coded; stable codes, the words for people live elsewhere."""

    NO_STATED_DIAGNOSIS = "no_stated_diagnosis"
    ONLY_UNCERTAIN = "only_uncertain"
    CONFLICT_CODES = "conflict_codes"
    CODE_TEXT_MISMATCH = "code_text_mismatch"
    CODE_NOT_BILLABLE = "code_not_billable"
    CODE_EXPIRED = "code_expired"
    LEGACY_ONLY = "legacy_only"
    AMBIGUOUS_ABBREVIATION = "ambiguous_abbreviation"
    SEVERITY_MISSING = "severity_missing"
    EPISODE_MISSING = "episode_missing"
    SPECIFIER_UNCLEAR = "specifier_unclear"
    NO_TIME = "no_time"
    TIME_CONFLICT = "time_conflict"
    DURATION_AGAINST_NOTE = "duration_against_note"
    SERVICE_CONFLICT = "service_conflict"
    SERVICE_UNKNOWN = "service_unknown"
    SERVICE_AGAINST_DURATION = "service_against_duration"
    PLACE_CONFLICT = "place_conflict"
    PROCEDURE_CONFLICT = "procedure_conflict"
    FAMILY_UNDER_26 = "family_under_26"
    CRISIS_UNDER_30 = "crisis_under_30"
    UNDER_16 = "under_16"
    NOT_RENDERED = "not_rendered"
    LENGTH_UNCLEAR = "length_unclear"
    HELD_UNCLEAR = "held_unclear"
    LANGUAGE = "language"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    ORDER_UNCLEAR = "order_unclear"
    DIAGNOSIS_UNREAD = "diagnosis_unread"
    LLM_DISAGREES = "llm_disagrees"
    LOW_CONFIDENCE = "low_confidence"


class NoteWarning(StrEnum):
    """What a person may want to know although nothing stops."""

    PRIVATE_NOTE = "private_psychotherapy_note"
    ONLY_Z_CODE = "only_z_code"
    CODESET_OLDER_THAN_DOS = "codeset_older_than_dos"
    ADDON_SUGGESTED = "addon_suggested"
    CRISIS_UNPROVEN = "crisis_unproven"
    UNITS_REPORTED = "units_reported"
    TYPO_CORRECTED = "typo_corrected"
    DIAGNOSES_OVER_TWELVE = "diagnoses_over_twelve"
    AUDIO_ONLY = "audio_only"


class Evidence(msgspec.Struct, frozen=True, gc=False):
    """Words of the note: `text[start:end] == quote`, offsets in Unicode code points."""

    start: int
    end: int
    quote: str
    section: str
    kind: str


class CodedDiagnosis(msgspec.Struct, frozen=True):
    """One diagnosis code in billing order; `tier` A to D and X says how good its evidence is."""

    code: str
    rank: int
    confidence: float
    tier: str
    concept: str
    evidence: tuple[Evidence, ...]


class CodedProcedure(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One procedure code; `minutes_source` is `request`, `note` or None."""

    code: str
    modifier: str | None
    confidence: float
    evidence: tuple[Evidence, ...]
    minutes: int | None
    minutes_source: str | None
    tier: str = "A"
    units: int = 1


class Rejected(msgspec.Struct, frozen=True):
    """A condition or code that the note mentions and that is not coded, with the reason."""

    concept: str
    code: str | None
    why: str
    evidence: tuple[Evidence, ...]


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """A code that a person may choose, best first within its kind; `minutes` where it follows from them."""

    kind: str
    code: str
    modifier: str | None
    confidence: float
    why: str
    evidence: tuple[Evidence, ...]
    minutes: int | None = None
    units: int = 1


class Discrepancy(msgspec.Struct, frozen=True):
    """One difference between the note and what was sent; severity `info`, `warn` or `block`."""

    type: str
    severity: str
    supplied: str | None
    found: str | None
    evidence: tuple[Evidence, ...]


class NoteResult(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The one shape of every engine's answer."""

    outcome: Outcome
    diagnoses: tuple[CodedDiagnosis, ...]
    procedures: tuple[CodedProcedure, ...]
    rejected: tuple[Rejected, ...]
    candidates: tuple[Candidate, ...]
    discrepancies: tuple[Discrepancy, ...]
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    confidence: float
    engine: str
    engine_version: str
    lexicon_sha: str
    code_set_release: str
    llm: dict[str, Any] | None = None

    def as_json(self) -> bytes:
        """The result as JSON with camelCase keys in a fixed order: equal results give equal bytes."""
        return orjson.dumps(self.as_dict())

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values, in the order of the fields; a procedure's tier is told nobody."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        for procedure in plain["procedures"]:
            procedure.pop("tier", None)
        return plain


class SuppliedProcedure(msgspec.Struct, frozen=True):
    """A procedure code as the partner sent it."""

    code: str
    modifiers: tuple[str, ...] = ()
    units: int = 1


class SuppliedCodes(msgspec.Struct, frozen=True):
    """The codes that came with the note; they are used as sent and only compared."""

    diagnoses: tuple[str, ...] = ()
    procedures: tuple[SuppliedProcedure, ...] = ()


class KnownIdentity(msgspec.Struct, frozen=True):
    """The patient of the request, to notice a note that belongs to somebody else."""

    first_name: str
    last_name: str
    date_of_birth: date | None = None
