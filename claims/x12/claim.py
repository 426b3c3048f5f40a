"""Everything that one professional claim says, frozen: what is sent is built from this and nothing else.

`ProfessionalClaim` refuses what the 837P can't carry, with the path of the field and never its content
(`ClaimFormatError`). `as_json` and `from_json` keep it in a JSON column, and the same bytes are written from
it for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Self

import msgspec

from claims.x12 import invariants
from claims.x12.invariants import ClaimFormatError

__all__ = [
    "Address",
    "BillingProvider",
    "ClaimFormatError",
    "ClaimFrequency",
    "Envelope",
    "Payer",
    "ProfessionalClaim",
    "RenderingProvider",
    "ServiceLine",
    "Subscriber",
    "Usage",
    "line_control_number",
]


class ClaimFrequency(StrEnum):
    """CLM05-3: a first claim, or what becomes of one that the payer has adjudicated."""

    ORIGINAL = "1"
    REPLACEMENT = "7"
    VOID = "8"


class Usage(StrEnum):
    """ISA15: whether the receiver may act on the file."""

    TEST = "T"
    PRODUCTION = "P"


class _Snapshot:
    """What can stand in a JSON column."""

    def as_json(self) -> dict[str, Any]:
        """Give plain JSON values: amounts and dates as strings, enumerations as their codes."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Build it again; raises ClaimFormatError where the data was not made by `as_json`."""
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            if isinstance(error.__cause__, ClaimFormatError):
                raise error.__cause__ from None
            raise ClaimFormatError([_fault_in(str(error))]) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A US address; the ZIP code is digits: nine for the billing provider, five or nine for the patient."""

    street: str
    city: str
    state: str
    zip_code: str
    street_line_2: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillingProvider:
    """Who is paid (2010AA): a group has an organization name, a solo therapist a last and first name."""

    npi: str
    tax_id: str
    address: Address
    organization_name: str = ""
    last_name: str = ""
    first_name: str = ""
    taxonomy_code: str = ""
    contact_name: str = ""
    phone: str = ""

    @property
    def is_group(self) -> bool:
        """Tell a practice with its own NPI from a therapist who bills alone."""
        return bool(self.organization_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderingProvider:
    """The therapist of a group (2310B)."""

    npi: str
    last_name: str
    first_name: str
    taxonomy_code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Subscriber:
    """The insured person, who is the patient (2000B, 2010BA); no `repr`, for that ends up in logs."""

    member_id: str
    last_name: str
    first_name: str
    date_of_birth: date
    gender: str
    address: Address
    group_number: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """Where the claim goes (2010BB), and as what kind of insurance (SBR09)."""

    name: str
    payer_id: str
    claim_filing_code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLine:
    """One billed service (2400); pointers count the claim's diagnoses from 1."""

    procedure_code: str
    charge: Decimal
    control_number: str
    diagnosis_pointers: tuple[int, ...]
    modifiers: tuple[str, ...] = ()
    units: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProfessionalClaim(_Snapshot):
    """One claim of one session, as it is sent.

    Diagnosis codes are without a dot, the principal one first. `payer_control_number` is the payer's own
    number of the claim that a replacement or void refers to. The total charge is the sum of the lines.
    """

    patient_control_number: str
    frequency: ClaimFrequency
    place_of_service_code: str
    date_of_service: date
    billing_provider: BillingProvider
    subscriber: Subscriber
    payer: Payer
    diagnosis_codes: tuple[str, ...]
    service_lines: tuple[ServiceLine, ...]
    rendering_provider: RenderingProvider | None = None
    payer_control_number: str = ""
    delay_reason_code: str = ""

    def __post_init__(self) -> None:
        """Refuse what the 837P can't carry."""
        invariants.check_claim(self)

    def __repr__(self) -> str:
        """Name the claim by its number alone: diagnoses and dates are a patient's too."""
        return f"ProfessionalClaim({self.patient_control_number!r})"

    @property
    def total_charge(self) -> Decimal:
        """The charge of the whole claim (CLM02)."""
        return sum((line.charge for line in self.service_lines), Decimal(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope(_Snapshot):
    """Who sends a file to whom, and under which numbers; the caller draws these from sequences, once.

    Transaction sets are numbered upward from `transaction_control_number`; BHT03 is the batch id with that
    number. `created_at` is written as it stands, in its own time zone.
    """

    sender_id: str
    receiver_id: str
    submitter_name: str
    submitter_contact_name: str
    submitter_phone: str
    receiver_name: str
    usage: Usage
    interchange_control_number: int
    group_control_number: int
    batch_id: str
    created_at: datetime
    transaction_control_number: int = 1
    is_resend: bool = False

    def __post_init__(self) -> None:
        """Refuse what the envelope can't carry."""
        invariants.check_envelope(self)


def _fault_in(message: str) -> tuple[str, str]:
    """Take path and words from msgspec's message, but not the value that it may quote in between."""
    words, marker, path = message.rpartition(" - at `$")
    return path.strip("`."), (words if marker else message).partition("'")[0].strip()


def line_control_number(patient_control_number: str, line_number: int) -> str:
    """Name a service line so that a remittance can be matched to it (REF*6R)."""
    return f"{patient_control_number}L{line_number}"
