"""The 837P as a whole: golden files for the main shapes, counts, batches, refusals."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from claims.x12.claim import ClaimFormatError, ClaimFrequency, Envelope, Payer, ProfessionalClaim, ServiceLine
from claims.x12.segments import X12File
from claims.x12.write_837p import batch_reference, write_837p
from tests.claims.x12.cast import GROUP, LINE, SOLO_LINE, SUBSCRIBER, envelope, group_claim, solo_claim
from tests.claims.x12.referee import complaints

GOLDEN = Path(__file__).parent / "golden"

REPLACEMENT = group_claim(
    patient_control_number="K7QX2M9ZB4TD2",
    frequency=ClaimFrequency.REPLACEMENT,
    payer_control_number="E1013A0001",
    service_lines=(replace(LINE, control_number="K7QX2M9ZB4TD2L1"),),
)
VOID = solo_claim(
    patient_control_number="P0SOLO0000012",
    frequency=ClaimFrequency.VOID,
    payer_control_number="EA0002",
    service_lines=(replace(SOLO_LINE, control_number="P0SOLO0000012L1"),),
)
FULL = group_claim(
    patient_control_number="FULL000000001",
    place_of_service_code="02",
    delay_reason_code="10",
    diagnosis_codes=tuple(
        f"F{number}" for number in (411, 3181, 4310, 6381, 900, 200, 10, 111, 121, 131, 141, 151)
    ),
    service_lines=(
        ServiceLine(
            procedure_code="99214",
            modifiers=("25", "95", "GT", "HO"),
            charge=Decimal("150"),
            control_number="FULL000000001L1",
            diagnosis_pointers=(1, 2, 11, 12),
        ),
        ServiceLine(
            procedure_code="90840",
            charge=Decimal("99.50"),
            units=2,
            control_number="FULL000000001L2",
            diagnosis_pointers=(3,),
        ),
    ),
)
BARE = group_claim(
    patient_control_number="BARE000000001",
    billing_provider=replace(GROUP, taxonomy_code="", contact_name="", phone=""),
    subscriber=replace(SUBSCRIBER, group_number=""),
    payer=Payer(name="MEDICARE PART B", payer_id="SMTX0", claim_filing_code="MB"),
    frequency=ClaimFrequency.REPLACEMENT,
    service_lines=(replace(LINE, control_number="BARE000000001L1"),),
)
SHAPES: dict[str, tuple[list[ProfessionalClaim], Envelope]] = {
    "group_office": ([group_claim()], envelope()),
    "solo_telehealth": ([solo_claim()], envelope()),
    "replacement": ([REPLACEMENT], envelope()),
    "void": ([VOID], envelope()),
    "two_lines_twelve_diagnoses": ([FULL], envelope()),
    "medicare_without_optional_parts": ([BARE], envelope()),
    "batch_of_three_sent_again": (
        [group_claim(), solo_claim(), FULL],
        envelope(transaction_control_number=9998, is_resend=True),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_its_golden_file(shape: str) -> None:
    claims, around = SHAPES[shape]
    written = write_837p(claims, envelope=around)
    assert written.replace("~", "~\n") == (GOLDEN / f"{shape}.837").read_text()


def test_the_referee_finds_nothing_in_any_shape() -> None:
    together = "".join(
        write_837p(claims, envelope=replace(around, interchange_control_number=number))
        for number, (claims, around) in enumerate(SHAPES.values(), start=1)
    )
    assert complaints(together) == []


def test_the_referee_would_find_a_missing_billing_street_in_any_interchange() -> None:
    written = write_837p([group_claim()], envelope=envelope())
    faulty = write_837p([group_claim()], envelope=envelope(interchange_control_number=2))
    assert complaints(written + faulty) == []
    assert complaints(written + faulty.replace("N3*100 MAIN ST*STE 200~", ""))


def test_every_claim_has_a_transaction_set_of_its_own_numbered_upward() -> None:
    around = envelope(transaction_control_number=41)
    written = write_837p([group_claim(), solo_claim()], envelope=around)
    sets = list(X12File(written))
    assert [transaction_set.control_number for transaction_set in sets] == ["0041", "0042"]
    assert f"*{batch_reference(around, 42)}*" in written


def test_counts_are_those_of_what_was_written() -> None:
    file = X12File(write_837p([group_claim(), solo_claim(), FULL], envelope=envelope()))
    problems = [problem for transaction_set in file for problem in transaction_set.problems]
    assert problems == []
    assert file.problems == []


def test_the_same_claims_and_envelope_give_the_same_bytes_from_their_snapshots() -> None:
    claims, around = SHAPES["batch_of_three_sent_again"]
    again = write_837p(
        [ProfessionalClaim.from_json(claim.as_json()) for claim in claims],
        envelope=Envelope.from_json(around.as_json()),
    )
    assert again == write_837p(claims, envelope=around)


def test_the_total_is_the_exact_sum_of_the_lines() -> None:
    lines = tuple(
        replace(LINE, charge=Decimal("0.10"), control_number=f"K7QX2M9ZB4TD1L{number}")
        for number in range(1, 4)
    )
    assert "CLM*K7QX2M9ZB4TD1*0.3*" in write_837p([group_claim(service_lines=lines)], envelope=envelope())


def test_a_batch_of_none_is_refused() -> None:
    with pytest.raises(ClaimFormatError, match="claims: are none"):
        write_837p([], envelope=envelope())


def test_two_claims_with_one_patient_control_number_are_refused() -> None:
    with pytest.raises(ClaimFormatError, match="share a patient control number"):
        write_837p([group_claim(), group_claim(date_of_service=date(2026, 1, 9))], envelope=envelope())


def test_a_batch_that_would_run_out_of_control_numbers_is_refused() -> None:
    with pytest.raises(ClaimFormatError, match="transaction_control_number"):
        write_837p([group_claim(), solo_claim()], envelope=envelope(transaction_control_number=999_999_999))
