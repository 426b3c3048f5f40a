"""What the writer itself insists on (FMT-003), whatever the claim rules let through.

Every fault of a claim is told at once, by the path of its field; what a field holds never stands in an error.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from billing.rules.tables.filing_codes import FILING_CODES
from billing.rules.tables.places_of_service import PLACES_OF_SERVICE
from billing.rules.tables.states import ZIP_PREFIXES
from claims.x12.characters import BASIC_TEXT

if TYPE_CHECKING:
    from claims.x12.claim import (
        Address,
        BillingProvider,
        Envelope,
        ProfessionalClaim,
        ServiceLine,
        Subscriber,
    )

Fault = tuple[str, str]

ORIGINAL_MEDICARE = "MB"
MOST_DIAGNOSES = 12
MOST_POINTERS = 4
MOST_MODIFIERS = 4
MOST_LINES = 50
HIGHEST_CHARGE = Decimal("9999999.99")
EARLIEST_YEAR = 1880
_NOT_TAKEN = "is missing or not of the form or codes that this element takes"

_NPI = re.compile(r"[0-9]{10}")  # rule PRV-001 judges the rest of it
_TAX_ID = re.compile(r"[0-9]{9}")
_TAXONOMY = re.compile(r"[A-Z0-9]{9}X")
_ZIP_9 = re.compile(r"[0-9]{9}")
_ZIP = re.compile(r"[0-9]{5}(?:[0-9]{4})?")
_PHONE = re.compile(r"[2-9][0-9]{2}[2-9][0-9]{6}")
_IDENTIFIER = re.compile(r"""[A-Z0-9!"&'()+,\-./;?=]+""")
_MEMBER_ID = re.compile(r"""[A-Z0-9!"&'()+,./;?=]+""")
_PATIENT_CONTROL_NUMBER = re.compile(r"[A-Z0-9]{1,14}")
_LINE_CONTROL_NUMBER = re.compile(r"[A-Z0-9]{1,30}")
_DIAGNOSIS = re.compile(r"[A-Z][0-9][A-Z0-9]{1,5}")
_PROCEDURE = re.compile(r"[A-Z0-9]{5}")
_MODIFIER = re.compile(r"[A-Z0-9]{2}")
_BATCH_ID = re.compile(r"[A-Z0-9\-]{1,30}")
# The payer's own name for a claim goes back to it as it came: the extended characters, but no delimiter.
_PAYER_CONTROL_NUMBER = re.compile(r"""(?! )[A-Za-z0-9 !"&'()+,\-./;?=%@\[\]_{}\\|<>#$]{1,50}(?<! )""")
_DELAY_REASON_CODE = re.compile(r"[1-9]|1[015]")
_GENDER = re.compile(r"[FMU]")


class ClaimFormatError(ValueError):
    """A claim or envelope can't be written; `faults` pair the path of a field with what is wrong there."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Take the faults; the message lists them all and holds no content."""
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{path}: {words}" if path else words for path, words in self.faults))


def check_claim(claim: ProfessionalClaim) -> None:
    """Raise ClaimFormatError with all that the 837P can't carry."""
    if faults := list(_claim_faults(claim)):
        raise ClaimFormatError(faults)


def check_envelope(envelope: Envelope) -> None:
    """Raise ClaimFormatError with all that the envelope can't carry."""
    if faults := list(_envelope_faults(envelope)):
        raise ClaimFormatError(faults)


def _claim_faults(claim: ProfessionalClaim) -> Iterator[Fault]:
    yield from _pattern("patient_control_number", claim.patient_control_number, _PATIENT_CONTROL_NUMBER)
    yield from _listed("place_of_service_code", claim.place_of_service_code, PLACES_OF_SERVICE)
    if claim.date_of_service.year < EARLIEST_YEAR:
        yield "date_of_service", "lies too far back"
    if claim.delay_reason_code:
        yield from _pattern("delay_reason_code", claim.delay_reason_code, _DELAY_REASON_CODE)
    yield from _reference_faults(claim)
    yield from _billing_faults(claim.billing_provider)
    yield from _rendering_faults(claim)
    yield from _subscriber_faults(claim.subscriber)
    if claim.subscriber.date_of_birth > claim.date_of_service:
        yield "subscriber.date_of_birth", "lies after the date of service"
    yield from _text("payer.name", claim.payer.name, 60)
    yield from _identifier("payer.payer_id", claim.payer.payer_id, 80)
    yield from _listed("payer.claim_filing_code", claim.payer.claim_filing_code, FILING_CODES)
    yield from _diagnosis_faults(claim.diagnosis_codes)
    yield from _line_faults(claim)


def _reference_faults(claim: ProfessionalClaim) -> Iterator[Fault]:
    """A replacement or void names the payer's claim, an original none; Original Medicare never takes one."""
    refers = claim.frequency != "1" and claim.payer.claim_filing_code != ORIGINAL_MEDICARE
    if refers:
        yield from _pattern("payer_control_number", claim.payer_control_number, _PAYER_CONTROL_NUMBER)
    elif claim.payer_control_number:
        yield "payer_control_number", "belongs only to a replacement or void, and never to Original Medicare"


def _billing_faults(billing: BillingProvider) -> Iterator[Fault]:
    yield from _pattern("billing_provider.npi", billing.npi, _NPI)
    yield from _pattern("billing_provider.tax_id", billing.tax_id, _TAX_ID)
    if billing.taxonomy_code:
        yield from _pattern("billing_provider.taxonomy_code", billing.taxonomy_code, _TAXONOMY)
    if billing.is_group:
        yield from _text("billing_provider.organization_name", billing.organization_name, 60)
        if billing.last_name or billing.first_name:
            yield (
                "billing_provider.last_name",
                "stands beside an organization name; a biller is one or the other",
            )
    else:
        yield from _text("billing_provider.last_name", billing.last_name, 60)
        yield from _text("billing_provider.first_name", billing.first_name, 35)
    yield from _address_faults("billing_provider.address", billing.address, _ZIP_9)
    if billing.contact_name:
        yield from _text("billing_provider.contact_name", billing.contact_name, 60)
    if billing.phone:
        yield from _pattern("billing_provider.phone", billing.phone, _PHONE)
        if not billing.contact_name:
            yield "billing_provider.contact_name", "is missing beside the phone number"


def _rendering_faults(claim: ProfessionalClaim) -> Iterator[Fault]:
    rendering = claim.rendering_provider
    if rendering is None:
        if claim.billing_provider.is_group:
            yield "rendering_provider", "is missing: a group's claim names its therapist"
        return
    if not claim.billing_provider.is_group:
        yield "rendering_provider", "is left out when the therapist bills alone"
    yield from _pattern("rendering_provider.npi", rendering.npi, _NPI)
    if rendering.npi == claim.billing_provider.npi:
        yield "rendering_provider.npi", "is that of the billing provider"
    yield from _text("rendering_provider.last_name", rendering.last_name, 60)
    yield from _text("rendering_provider.first_name", rendering.first_name, 35)
    if rendering.taxonomy_code:
        yield from _pattern("rendering_provider.taxonomy_code", rendering.taxonomy_code, _TAXONOMY)


def _subscriber_faults(subscriber: Subscriber) -> Iterator[Fault]:
    member_id = subscriber.member_id
    if not 2 <= len(member_id) <= 80 or not _MEMBER_ID.fullmatch(member_id):
        yield "subscriber.member_id", "must be 2 to 80 basic characters without blanks or dashes"
    yield from _text("subscriber.last_name", subscriber.last_name, 60)
    yield from _text("subscriber.first_name", subscriber.first_name, 35)
    yield from _pattern("subscriber.gender", subscriber.gender, _GENDER)
    if subscriber.date_of_birth.year < EARLIEST_YEAR:
        yield "subscriber.date_of_birth", "lies too far back"
    yield from _address_faults("subscriber.address", subscriber.address, _ZIP)
    if subscriber.group_number:
        yield from _text("subscriber.group_number", subscriber.group_number, 50)


def _address_faults(path: str, address: Address, zip_pattern: re.Pattern[str]) -> Iterator[Fault]:
    yield from _text(f"{path}.street", address.street, 55)
    if address.street_line_2:
        yield from _text(f"{path}.street_line_2", address.street_line_2, 55)
    yield from _text(f"{path}.city", address.city, 30, shortest=2)
    yield from _listed(f"{path}.state", address.state, ZIP_PREFIXES)
    yield from _pattern(f"{path}.zip_code", address.zip_code, zip_pattern)


def _diagnosis_faults(codes: tuple[str, ...]) -> Iterator[Fault]:
    if not 1 <= len(codes) <= MOST_DIAGNOSES:
        yield "diagnosis_codes", f"must hold 1 to {MOST_DIAGNOSES} codes"
    if len(set(codes)) < len(codes):
        yield "diagnosis_codes", "hold the same code twice"
    for index, code in enumerate(codes):
        yield from _pattern(f"diagnosis_codes[{index}]", code, _DIAGNOSIS)


def _line_faults(claim: ProfessionalClaim) -> Iterator[Fault]:
    lines = claim.service_lines
    if not 1 <= len(lines) <= MOST_LINES:
        yield "service_lines", f"must be 1 to {MOST_LINES} lines"
    if len({line.control_number for line in lines}) < len(lines):
        yield "service_lines", "share a control number"
    for index, line in enumerate(lines):
        yield from _service_line_faults(f"service_lines[{index}]", line, len(claim.diagnosis_codes))


def _service_line_faults(path: str, line: ServiceLine, diagnoses: int) -> Iterator[Fault]:
    yield from _pattern(f"{path}.procedure_code", line.procedure_code, _PROCEDURE)
    yield from _pattern(f"{path}.control_number", line.control_number, _LINE_CONTROL_NUMBER)
    charge = line.charge
    if not charge.is_finite() or not 0 < charge <= HIGHEST_CHARGE or charge != round(charge, 2):
        yield f"{path}.charge", "must be above 0, in whole cents"
    if not 1 <= line.units <= 999:
        yield f"{path}.units", "must be 1 to 999"
    if len(line.modifiers) > MOST_MODIFIERS or len(set(line.modifiers)) < len(line.modifiers):
        yield f"{path}.modifiers", f"must be at most {MOST_MODIFIERS}, none twice"
    for index, modifier in enumerate(line.modifiers):
        yield from _pattern(f"{path}.modifiers[{index}]", modifier, _MODIFIER)
    pointers = line.diagnosis_pointers
    if not 1 <= len(pointers) <= MOST_POINTERS or len(set(pointers)) < len(pointers):
        yield f"{path}.diagnosis_pointers", f"must be 1 to {MOST_POINTERS}, none twice"
    if any(not 1 <= pointer <= diagnoses for pointer in pointers):
        yield f"{path}.diagnosis_pointers", "point at a diagnosis that the claim does not have"


def _envelope_faults(envelope: Envelope) -> Iterator[Fault]:
    yield from _identifier("sender_id", envelope.sender_id, 15)
    yield from _identifier("receiver_id", envelope.receiver_id, 15)
    yield from _text("submitter_name", envelope.submitter_name, 60)
    yield from _text("submitter_contact_name", envelope.submitter_contact_name, 60)
    yield from _pattern("submitter_phone", envelope.submitter_phone, _PHONE)
    yield from _text("receiver_name", envelope.receiver_name, 60)
    yield from _pattern("batch_id", envelope.batch_id, _BATCH_ID)
    for path in ("interchange_control_number", "group_control_number", "transaction_control_number"):
        if not 1 <= getattr(envelope, path) <= 999_999_999:
            yield path, "must have 1 to 9 digits and not be 0"
    if envelope.created_at.utcoffset() is None:
        yield "created_at", "must carry its time zone"


def _text(path: str, value: str, longest: int, *, shortest: int = 1) -> Iterator[Fault]:
    if not value:
        yield path, "is missing"
    elif not shortest <= len(value) <= longest:
        yield path, f"must have {shortest} to {longest} characters"
    elif not BASIC_TEXT.fullmatch(value):
        yield path, "holds characters outside X12's basic set, or blanks at its ends"


def _identifier(path: str, value: str, longest: int) -> Iterator[Fault]:
    if not 2 <= len(value) <= longest or not _IDENTIFIER.fullmatch(value):
        yield path, f"must be 2 to {longest} basic characters without blanks"


def _pattern(path: str, value: str, pattern: re.Pattern[str]) -> Iterator[Fault]:
    if not pattern.fullmatch(value):
        yield path, _NOT_TAKEN


def _listed(path: str, value: str, codes: Container[str]) -> Iterator[Fault]:
    if value not in codes:
        yield path, _NOT_TAKEN
