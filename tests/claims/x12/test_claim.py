"""The frozen claim: what it refuses, by which path, and how it lives in a JSON column."""

import json
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from claims.x12.claim import ClaimFormatError, ClaimFrequency, Envelope, ProfessionalClaim
from tests.claims.x12.cast import (
    GROUP,
    LINE,
    OFFICE,
    PAYER,
    SOLO,
    SUBSCRIBER,
    THERAPIST,
    envelope,
    group_claim,
    solo_claim,
)


def faulty_paths(changes: dict[str, Any], build: Any = group_claim) -> list[str]:
    """Build with the changes, and give the paths that are refused."""
    with pytest.raises(ClaimFormatError) as refusal:
        build(**changes)
    return [path for path, _ in refusal.value.faults]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"patient_control_number": ""}, "patient_control_number"),
        ({"patient_control_number": "A" * 15}, "patient_control_number"),
        ({"patient_control_number": "HL-1041"}, "patient_control_number"),
        ({"place_of_service_code": "00"}, "place_of_service_code"),
        ({"delay_reason_code": "12"}, "delay_reason_code"),
        ({"payer_control_number": "E1"}, "payer_control_number"),
        ({"frequency": ClaimFrequency.REPLACEMENT}, "payer_control_number"),
        ({"frequency": ClaimFrequency.VOID}, "payer_control_number"),
        ({"date_of_service": date(1800, 1, 1)}, "date_of_service"),
        ({"rendering_provider": None}, "rendering_provider"),
        ({"rendering_provider": replace(THERAPIST, npi=GROUP.npi)}, "rendering_provider.npi"),
        ({"rendering_provider": replace(THERAPIST, taxonomy_code="123")}, "rendering_provider.taxonomy_code"),
        ({"billing_provider": replace(GROUP, npi="199999998")}, "billing_provider.npi"),
        ({"billing_provider": replace(GROUP, npi="１９９９９９９９８４")}, "billing_provider.npi"),
        ({"billing_provider": replace(GROUP, tax_id="12-3456789")}, "billing_provider.tax_id"),
        ({"billing_provider": replace(GROUP, last_name="RIVERA")}, "billing_provider.last_name"),
        ({"billing_provider": replace(GROUP, contact_name="")}, "billing_provider.contact_name"),
        ({"billing_provider": replace(GROUP, phone="0125550123")}, "billing_provider.phone"),
        (
            {"billing_provider": replace(GROUP, organization_name="C" * 61)},
            "billing_provider.organization_name",
        ),
        (
            {"billing_provider": replace(GROUP, address=replace(OFFICE, zip_code="78701"))},
            "billing_provider.address.zip_code",
        ),
        (
            {"billing_provider": replace(GROUP, address=replace(OFFICE, state="ZZ"))},
            "billing_provider.address.state",
        ),
        (
            {"billing_provider": replace(GROUP, address=replace(OFFICE, street="S" * 56))},
            "billing_provider.address.street",
        ),
        (
            {"billing_provider": replace(GROUP, address=replace(OFFICE, city="A"))},
            "billing_provider.address.city",
        ),
        ({"subscriber": replace(SUBSCRIBER, member_id="W 1234")}, "subscriber.member_id"),
        ({"subscriber": replace(SUBSCRIBER, member_id="W-1234")}, "subscriber.member_id"),
        ({"subscriber": replace(SUBSCRIBER, member_id="W")}, "subscriber.member_id"),
        ({"subscriber": replace(SUBSCRIBER, last_name="")}, "subscriber.last_name"),
        ({"subscriber": replace(SUBSCRIBER, first_name="Jane")}, "subscriber.first_name"),
        ({"subscriber": replace(SUBSCRIBER, gender="X")}, "subscriber.gender"),
        ({"subscriber": replace(SUBSCRIBER, date_of_birth=date(2026, 1, 3))}, "subscriber.date_of_birth"),
        ({"subscriber": replace(SUBSCRIBER, date_of_birth=date(1500, 1, 3))}, "subscriber.date_of_birth"),
        ({"payer": replace(PAYER, claim_filing_code="")}, "payer.claim_filing_code"),
        ({"payer": replace(PAYER, payer_id="6")}, "payer.payer_id"),
        ({"payer": replace(PAYER, name="")}, "payer.name"),
        ({"diagnosis_codes": ()}, "diagnosis_codes"),
        ({"diagnosis_codes": ("F411", "F411")}, "diagnosis_codes"),
        ({"diagnosis_codes": tuple(f"F{number}" for number in range(10, 23))}, "diagnosis_codes"),
        ({"diagnosis_codes": ("F411", "Z63.0")}, "diagnosis_codes[1]"),
        ({"service_lines": ()}, "service_lines"),
        ({"service_lines": (LINE, LINE)}, "service_lines"),
        ({"service_lines": (replace(LINE, procedure_code="9083"),)}, "service_lines[0].procedure_code"),
        ({"service_lines": (replace(LINE, charge=Decimal(0)),)}, "service_lines[0].charge"),
        ({"service_lines": (replace(LINE, charge=Decimal("-1")),)}, "service_lines[0].charge"),
        ({"service_lines": (replace(LINE, charge=Decimal("1.005")),)}, "service_lines[0].charge"),
        ({"service_lines": (replace(LINE, charge=Decimal("NaN")),)}, "service_lines[0].charge"),
        ({"service_lines": (replace(LINE, charge=Decimal("1E+9")),)}, "service_lines[0].charge"),
        ({"service_lines": (replace(LINE, units=0),)}, "service_lines[0].units"),
        ({"service_lines": (replace(LINE, modifiers=("95", "95")),)}, "service_lines[0].modifiers"),
        ({"service_lines": (replace(LINE, modifiers=("1", "95")),)}, "service_lines[0].modifiers[0]"),
        (
            {"service_lines": (replace(LINE, modifiers=("1A", "2A", "3A", "4A", "5A")),)},
            "service_lines[0].modifiers",
        ),
        ({"service_lines": (replace(LINE, diagnosis_pointers=()),)}, "service_lines[0].diagnosis_pointers"),
        ({"service_lines": (replace(LINE, diagnosis_pointers=(3,)),)}, "service_lines[0].diagnosis_pointers"),
        (
            {"service_lines": (replace(LINE, diagnosis_pointers=(1, 1)),)},
            "service_lines[0].diagnosis_pointers",
        ),
        ({"service_lines": (replace(LINE, control_number="A" * 31),)}, "service_lines[0].control_number"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_837p_cannot_carry_is_refused_by_its_path(changes: dict[str, Any], path: str) -> None:
    assert faulty_paths(changes)[0] == path


def test_all_faults_are_told_at_once() -> None:
    changes = {
        "patient_control_number": "",
        "diagnosis_codes": ("F411", "Z63.0"),
        "payer": replace(PAYER, name=""),
    }
    assert faulty_paths(changes) == ["patient_control_number", "payer.name", "diagnosis_codes[1]"]


def test_a_therapist_who_bills_alone_has_a_name_and_no_rendering_provider() -> None:
    assert faulty_paths({"rendering_provider": THERAPIST}, solo_claim) == [
        "rendering_provider",
        "rendering_provider.npi",
    ]
    assert faulty_paths({"billing_provider": replace(SOLO, first_name="")}, solo_claim) == [
        "billing_provider.first_name"
    ]


def test_original_medicare_is_replaced_without_the_payers_number() -> None:
    medicare = replace(PAYER, claim_filing_code="MB")
    assert group_claim(frequency=ClaimFrequency.REPLACEMENT, payer=medicare).payer_control_number == ""
    changes = {"frequency": ClaimFrequency.VOID, "payer": medicare, "payer_control_number": "E1"}
    assert faulty_paths(changes) == ["payer_control_number"]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"sender_id": "S" * 16}, "sender_id"),
        ({"receiver_id": "A B"}, "receiver_id"),
        ({"interchange_control_number": 0}, "interchange_control_number"),
        ({"group_control_number": 10**9}, "group_control_number"),
        ({"transaction_control_number": 0}, "transaction_control_number"),
        ({"batch_id": "batch 1"}, "batch_id"),
        ({"submitter_phone": "555-0100"}, "submitter_phone"),
        ({"created_at": datetime(2026, 1, 3, 9, 5)}, "created_at"),  # noqa: DTZ001 - which is what is refused
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_envelope_cannot_carry_is_refused_by_its_path(changes: dict[str, Any], path: str) -> None:
    assert faulty_paths(changes, envelope) == [path]


def test_a_snapshot_is_plain_json_with_exact_amounts() -> None:
    stored = json.loads(json.dumps(group_claim().as_json()))
    assert stored["service_lines"][0]["charge"] == "180.00"
    assert stored["date_of_service"] == "2026-01-02"
    assert stored["frequency"] == "1"
    assert ProfessionalClaim.from_json(stored) == group_claim()


def test_an_envelope_comes_back_from_json_with_its_time_zone() -> None:
    stored = json.loads(json.dumps(envelope().as_json()))
    assert Envelope.from_json(stored) == envelope()


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("payer", {"payer": 3}),
        ("date_of_service", {"date_of_service": "yesterday"}),
        ("frequency", {"frequency": "9"}),
        ("service_lines[0]", {"service_lines": [{}]}),
    ],
)
def test_json_that_is_no_snapshot_is_refused_by_its_path(path: str, change: dict[str, Any]) -> None:
    with pytest.raises(ClaimFormatError) as refusal:
        ProfessionalClaim.from_json(group_claim().as_json() | change)
    assert [faulty for faulty, _ in refusal.value.faults] == [path]


def test_a_snapshot_with_a_missing_part_says_which() -> None:
    stored = group_claim().as_json()
    del stored["payer"]
    with pytest.raises(ClaimFormatError, match="missing required field `payer`"):
        ProfessionalClaim.from_json(stored)


def test_nothing_of_a_patient_stands_in_the_repr_of_a_claim() -> None:
    assert repr(group_claim()) == "ProfessionalClaim('K7QX2M9ZB4TD1')"
    assert SUBSCRIBER.last_name not in repr(SUBSCRIBER)


def test_a_claim_and_all_its_parts_are_frozen() -> None:
    claim = group_claim()
    parts = [claim, *(getattr(claim, field.name) for field in fields(claim)), *claim.service_lines]
    frozen = [part for part in parts if is_dataclass(part)]
    assert len(frozen) == 6
    for part in frozen:
        with pytest.raises(FrozenInstanceError):
            setattr(part, fields(part)[0].name, "CHANGED")
