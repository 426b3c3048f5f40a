"""The invented people and practices that X12 tests write claims for."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

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
)

OFFICE = Address(
    street="100 MAIN ST", street_line_2="STE 200", city="AUSTIN", state="TX", zip_code="787011234"
)
GROUP = BillingProvider(
    npi="1999999984",
    tax_id="123456789",
    organization_name="CALM HARBOR COUNSELING LLC",
    taxonomy_code="101YM0800X",
    contact_name="BILLING OFFICE",
    phone="5125550123",
    address=OFFICE,
)
SOLO = BillingProvider(
    npi="1234567893",
    tax_id="987654321",
    last_name="RIVERA",
    first_name="ANA",
    taxonomy_code="1041C0700X",
    address=Address(street="7 QUIET LANE", city="PORTLAND", state="ME", zip_code="041010000"),
)
THERAPIST = RenderingProvider(
    npi="1234567893", last_name="RIVERA", first_name="ANA", taxonomy_code="101YM0800X"
)
SUBSCRIBER = Subscriber(
    member_id="W123456789",
    last_name="DOE",
    first_name="JANE",
    date_of_birth=date(1990, 1, 1),
    gender="F",
    group_number="GRP001",
    address=Address(street="1 ELM ST", city="AUSTIN", state="TX", zip_code="78702"),
)
PAYER = Payer(name="AETNA", payer_id="60054", claim_filing_code="CI")
LINE = ServiceLine(
    procedure_code="90837",
    charge=Decimal("180.00"),
    control_number="K7QX2M9ZB4TD1L1",
    diagnosis_pointers=(1, 2),
)
SOLO_LINE = ServiceLine(
    procedure_code="90834",
    modifiers=("95",),
    charge=Decimal("109.20"),
    control_number="P0SOLO0000011L1",
    diagnosis_pointers=(1,),
)


def group_claim(**changes: Any) -> ProfessionalClaim:
    """Build an office visit with a group's therapist, with the given fields changed."""
    fields: dict[str, Any] = {
        "patient_control_number": "K7QX2M9ZB4TD1",
        "frequency": ClaimFrequency.ORIGINAL,
        "place_of_service_code": "11",
        "date_of_service": date(2026, 1, 2),
        "billing_provider": GROUP,
        "rendering_provider": THERAPIST,
        "subscriber": SUBSCRIBER,
        "payer": PAYER,
        "diagnosis_codes": ("F411", "Z630"),
        "service_lines": (LINE,),
    }
    return ProfessionalClaim(**(fields | changes))


def solo_claim(**changes: Any) -> ProfessionalClaim:
    """Build a telehealth visit with a therapist who bills alone, with the given fields changed."""
    fields: dict[str, Any] = {
        "patient_control_number": "P0SOLO0000011",
        "place_of_service_code": "10",
        "billing_provider": SOLO,
        "rendering_provider": None,
        "diagnosis_codes": ("F3181",),
        "service_lines": (SOLO_LINE,),
    }
    return group_claim(**(fields | changes))


def envelope(**changes: Any) -> Envelope:
    """Build the envelope of a test file, with the given fields changed."""
    fields: dict[str, Any] = {
        "sender_id": "HARBORLT",
        "receiver_id": "CLEARHOUSE",
        "submitter_name": "PARTNER BILLING LLC",
        "submitter_contact_name": "EDI DESK",
        "submitter_phone": "5125550100",
        "receiver_name": "EXAMPLE CLEARINGHOUSE",
        "usage": Usage.TEST,
        "interchange_control_number": 77,
        "group_control_number": 78,
        "batch_id": "B77",
        "created_at": datetime(2026, 1, 3, 9, 5, tzinfo=UTC),
    }
    return Envelope(**(fields | changes))
