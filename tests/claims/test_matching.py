"""Which claim an answer is about, when its number is not one of ours."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from claims.matching import (
    Answer,
    Candidate,
    Fact,
    answer_of_remittance,
    answer_of_status,
    certain_match,
    compare,
    only_fit,
    rank,
)
from claims.x12.read_277ca import read_277ca
from claims.x12.read_835 import Remittance835
from claims.x12.segments import X12File

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "edi"
OURS = Candidate(
    claim_id="a",
    patient_control_number="K7QX2M9ZB4TD1",
    payer_control_number="AET1",
    member_id="W123456789",
    last_name="Doe",
    first_name="Jane",
    date_of_service=date(2026, 1, 2),
    charge=Decimal(180),
)
OTHER = replace(
    OURS, claim_id="b", patient_control_number="P3RX8M2ZB4TD1", payer_control_number="AET2", member_id="W9"
)
PERSON = Answer(
    patient_control_number="UNKNOWN",
    member_id="W12-345 6789",
    last_name="DOE",
    first_name="JANE",
    service_from=date(2026, 1, 2),
    charge=Decimal("180.00"),
)


def best(answer: Answer, *candidates: Candidate) -> str | None:
    match = certain_match(rank(answer, candidates or (OURS, OTHER)))
    return match.candidate.claim_id if match else None


@pytest.mark.parametrize("number", ["K7QX2M9ZB4TD1", "k7qx2m9zb4td1", " K7QX-2M9Z-B4TD1 "])
def test_our_own_number_is_certain(number: str) -> None:
    assert best(Answer(patient_control_number=number)) == "a"


def test_our_own_number_is_certain_whatever_else_differs() -> None:
    assert best(Answer(patient_control_number="K7QX2M9ZB4TD1", charge=Decimal(1), member_id="X")) == "a"


@pytest.mark.parametrize(
    ("number", "fact"),
    [
        ("K7QX2M9ZB4TD1001", Fact.EXTENDED_CONTROL_NUMBER),
        ("K7QX2M9ZB4TD", Fact.TRUNCATED_CONTROL_NUMBER),
    ],
)
def test_a_number_with_more_or_less_is_certain_if_nothing_differs(number: str, fact: Fact) -> None:
    answer = Answer(patient_control_number=number, charge=Decimal(180))
    assert fact in compare(answer, OURS).agreeing
    assert best(answer) == "a"


def test_a_changed_number_with_another_charge_needs_a_person() -> None:
    assert best(Answer(patient_control_number="K7QX2M9ZB4TD", charge=Decimal(90))) is None


def test_a_truncated_number_of_two_versions_needs_a_person() -> None:
    second = replace(OURS, claim_id="c", patient_control_number="K7QX2M9ZB4TD2", payer_control_number="")
    assert best(Answer(patient_control_number="K7QX2M9ZB4TD"), OURS, second) is None


def test_too_short_a_number_says_nothing() -> None:
    assert rank(Answer(patient_control_number="K7QX2M9"), [OURS]) == []


def test_the_beginning_of_a_number_agrees_and_is_certain_by_nothing() -> None:
    answer = Answer(patient_control_number="K7QX2M9ZB4T", charge=Decimal(180))
    match = compare(answer, OURS)
    assert match.agreeing == (Fact.BEGINNING_OF_NUMBER, Fact.CHARGE)
    assert (match.is_named, match.fits_on_every_fact) == (True, False)
    assert best(replace(PERSON, patient_control_number="K7QX2M9ZB4T"), OURS) is None
    assert only_fit(rank(replace(PERSON, patient_control_number="K7QX2M9ZB4T"), [OURS]))


def test_the_payers_own_number_is_certain() -> None:
    assert best(Answer(patient_control_number="0", payer_control_number="AET2")) == "b"


def test_our_line_number_is_certain() -> None:
    assert best(Answer(line_control_numbers=("K7QX2M9ZB4TD1L1",))) == "a"


def test_member_date_and_charge_only_make_a_proposal() -> None:
    matches = rank(PERSON, [OURS, OTHER])
    assert certain_match(matches) is None
    proposed = only_fit(matches)
    assert proposed is not None
    assert proposed.candidate.claim_id == "a"
    assert proposed.agreeing == (Fact.MEMBER_ID, Fact.NAME, Fact.DATE_OF_SERVICE, Fact.CHARGE)


def test_two_sessions_on_one_day_are_not_told_apart() -> None:
    assert only_fit(rank(PERSON, [OURS, replace(OURS, claim_id="c")])) is None


@pytest.mark.parametrize(
    "different",
    [
        {"service_from": date(2026, 1, 3)},
        {"charge": Decimal(181)},
        {"member_id": "W0"},
        {"last_name": "Roe"},
        {"first_name": "Karl"},
    ],
)
def test_any_fact_against_it_spoils_the_fit(different: dict[str, object]) -> None:
    assert only_fit(rank(replace(PERSON, **different), [OURS])) is None


def test_a_date_within_the_stated_period_agrees() -> None:
    period = replace(PERSON, service_from=date(2026, 1, 1), service_to=date(2026, 1, 31))
    assert Fact.DATE_OF_SERVICE in compare(period, OURS).agreeing


def test_the_better_fit_comes_first() -> None:
    assert [match.candidate.claim_id for match in rank(PERSON, [OTHER, OURS])] == ["a", "b"]


def test_what_has_nothing_in_common_is_no_candidate() -> None:
    assert rank(Answer(patient_control_number="X", charge=Decimal(1)), [OURS]) == []


def test_silence_is_neither_for_nor_against() -> None:
    match = compare(Answer(payer_control_number="AET1"), OURS)
    assert (match.agreeing, match.differing) == ((Fact.PAYER_CONTROL_NUMBER,), ())


def test_a_reversal_is_compared_by_its_charge_without_the_sign() -> None:
    assert Fact.CHARGE in compare(Answer(charge=Decimal(-180)), OURS).agreeing


def test_no_person_shows_in_the_representation() -> None:
    shown = repr(rank(PERSON, [OURS]))
    assert not any(word in shown for word in ("Doe", "DOE", "Jane", "W123456789", "W12-345"))


def test_the_facts_of_a_remitted_sample() -> None:
    path = SAMPLES / "835" / "own_therapy_paid_copay_deductible.edi"
    if not path.exists():
        pytest.skip("the sample files are not beside this checkout")
    transaction_set = next(iter(X12File(path.read_bytes())))
    answers = [answer_of_remittance(claim) for claim in Remittance835(transaction_set)]
    assert len(answers) == 3
    assert all(each.patient_control_number and each.member_id and each.service_from for each in answers)


def test_the_facts_of_an_acknowledged_sample() -> None:
    path = SAMPLES / "277ca" / "own_payer_all_accepted_therapy.edi"
    if not path.exists():
        pytest.skip("the sample files are not beside this checkout")
    transaction_set = next(iter(X12File(path.read_bytes())))
    answers = [answer_of_status(each) for each in read_277ca(transaction_set) if each.patient_control_number]
    assert len(answers) == 2
    assert all(each.payer_control_number and each.last_name and each.charge for each in answers)
