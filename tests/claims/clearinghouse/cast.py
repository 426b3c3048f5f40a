"""The claims that the gateway tests send; every person in them is invented."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import count
from uuid import uuid4

from claims.clearinghouse.port import Submission
from claims.x12.claim import (
    Address,
    BillingProvider,
    ClaimFrequency,
    Envelope,
    Payer,
    ProfessionalClaim,
    RenderingProvider,
    ServiceLine,
    Subscriber,
    Usage,
    line_control_number,
)
from claims.x12.write_837p import write_837p

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
PRACTICE = Address(
    street="100 MAIN ST", street_line_2="STE 200", city="AUSTIN", state="TX", zip_code="787011234"
)
HOME = Address(street="1 ELM ST", city="AUSTIN", state="TX", zip_code="78702")
GROUP = BillingProvider(
    organization_name="CALM HARBOR COUNSELING LLC",
    npi="1999999984",
    tax_id="123456789",
    taxonomy_code="101YM0800X",
    address=PRACTICE,
    contact_name="BILLING OFFICE",
    phone="5125550123",
)
SOLO = BillingProvider(
    last_name="RIVERA", first_name="ANA", npi="1234567893", tax_id="123456789", address=PRACTICE
)
THERAPIST = RenderingProvider(
    npi="1234567893", last_name="RIVERA", first_name="ANA", taxonomy_code="101YM0800X"
)
PATIENT = Subscriber(
    member_id="W123456789",
    last_name="DOE",
    first_name="JANE",
    date_of_birth=date(1990, 1, 1),
    gender="F",
    address=HOME,
    group_number="GRP001",
)

_numbers = count(1)


def claim_of(
    member_id: str = "W123456789",
    *,
    charges: tuple[str, ...] = ("180.00",),
    frequency: str = "1",
    payer_control_number: str = "",
    filing_code: str = "CI",
    billing: BillingProvider = GROUP,
) -> ProfessionalClaim:
    """A telehealth claim with a patient control number of its own."""
    number = f"K7QX2M{next(_numbers):06}1"
    lines = tuple(
        ServiceLine(
            procedure_code="90837",
            modifiers=("95",) if n == 1 else ("95", "59"),
            charge=Decimal(charge),
            control_number=line_control_number(number, n),
            diagnosis_pointers=(1, 2),
        )
        for n, charge in enumerate(charges, start=1)
    )
    return ProfessionalClaim(
        patient_control_number=number,
        frequency=ClaimFrequency(frequency),
        place_of_service_code="10",
        date_of_service=date(2026, 2, 27),
        billing_provider=billing,
        rendering_provider=THERAPIST if billing.is_group else None,
        subscriber=replace(PATIENT, member_id=member_id),
        payer=Payer(name="AETNA", payer_id="60054", claim_filing_code=filing_code),
        diagnosis_codes=("F411", "Z630"),
        service_lines=lines,
        payer_control_number=payer_control_number,
    )


def envelope_of(*, usage: Usage = Usage.TEST) -> Envelope:
    number = next(_numbers)
    return Envelope(
        sender_id="PARTNERBILLING",
        receiver_id="SANDBOX",
        submitter_name="PARTNER BILLING INC",
        submitter_contact_name="EDI DESK",
        submitter_phone="5125550100",
        receiver_name="SANDBOX CLEARINGHOUSE",
        usage=usage,
        interchange_control_number=number,
        group_control_number=number,
        batch_id=f"B{number}",
        created_at=NOON,
    )


def submission_of(*claims: ProfessionalClaim, usage: Usage = Usage.TEST, at: datetime = NOON) -> Submission:
    key = str(uuid4())
    return Submission(
        key=key,
        usage=usage,
        x12=write_837p(claims, envelope=envelope_of(usage=usage)),
        claims=claims,
        file_name=f"837P_{key}.edi",
        attempt=1,
        first_attempt_at=at,
    )
