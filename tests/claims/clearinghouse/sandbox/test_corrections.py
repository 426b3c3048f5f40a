"""Replacement and void claims."""

import pytest

from claims.x12.claim import ProfessionalClaim
from tests.claims.clearinghouse.cast import claim_of
from tests.claims.clearinghouse.sandbox.stage import Stage, gist_of, named

ACCEPTED = ["999 A", "277 AY A1 WQ", "277 PR A2 WQ"]
UNKNOWN_ORIGINAL = ["999 A", "277 AY A1 WQ", "277 PR A7 U"]


def payer_number_of(stage: Stage, claim: ProfessionalClaim) -> str:
    """The payer's number in the newest answer that has one."""
    answers = stage.answers_to(claim)
    remitted = [clp[7] for answer in answers for clp in named(answer, "CLP")]
    return remitted[-1] if remitted else named(answers[2], "REF")[0][2]


def correct(original: str, correction: str, frequency: str) -> list[str]:
    stage = Stage()
    number = payer_number_of(stage, claim_of(original))
    answers = stage.answers_to(claim_of(correction, frequency=frequency, payer_control_number=number))
    return [gist_of(answer) for answer in answers]


def test_a_replacement_reverses_and_pays_anew() -> None:
    assert correct("PAID", "PARTIAL", "7") == [*ACCEPTED, "835 22:-180/-180/ 1:180/119/25 FB:-61"]


def test_a_replacement_of_a_denial_reverses_nothing_paid() -> None:
    assert correct("DENIED", "PAID", "7") == [*ACCEPTED, "835 22:-180/0/ 1:180/180/0"]


def test_a_replacement_undoes_the_last_decision() -> None:
    assert correct("REVERSED", "PAID", "7") == [*ACCEPTED, "835 22:-180/0/ 1:180/180/0"]


def test_a_void_of_a_paid_claim_reverses_the_payment() -> None:
    assert correct("PAID", "PAID", "8") == [*ACCEPTED, "835 22:-180/-180/ FB:-180"]


@pytest.mark.parametrize("member_id", ["DENIED", "DEDUCTIBLE", "REVERSED", "TAKEBACK", "PLB", "LATE"])
def test_a_void_of_what_is_not_paid_is_only_accepted(member_id: str) -> None:
    assert correct(member_id, member_id, "8") == ACCEPTED


def test_a_reversal_carries_the_control_numbers_of_what_it_reverses() -> None:
    stage, original = Stage(), claim_of("PAID")
    number = payer_number_of(stage, original)
    *_, remittance = stage.answers_to(claim_of(frequency="7", payer_control_number=number))
    reversal, correction = named(remittance, "CLP")
    assert (reversal[1], reversal[7]) == (original.patient_control_number, number)
    assert correction[1] != original.patient_control_number
    assert correction[7] != number


@pytest.mark.parametrize("frequency", ["7", "8"])
def test_a_correction_of_an_unknown_claim_is_rejected(frequency: str) -> None:
    answers = Stage().answers_to(claim_of(frequency=frequency, payer_control_number="NOSUCH"))
    assert [gist_of(answer) for answer in answers] == UNKNOWN_ORIGINAL


@pytest.mark.parametrize("frequency", ["7", "8"])
def test_a_void_can_be_neither_replaced_nor_voided(frequency: str) -> None:
    stage = Stage()
    number = payer_number_of(stage, claim_of())
    void = stage.answers_to(claim_of(frequency="8", payer_control_number=number))
    (voids_number,) = [ref[2] for ref in named(void[2], "REF") if ref[1] == "1K"]
    answers = stage.answers_to(claim_of(frequency=frequency, payer_control_number=voids_number))
    assert [gist_of(answer) for answer in answers] == UNKNOWN_ORIGINAL


def test_a_late_rejection_needs_an_acceptance() -> None:
    answers = Stage().answers_to(claim_of("LATE", frequency="7", payer_control_number="NOSUCH"))
    assert [gist_of(answer) for answer in answers] == UNKNOWN_ORIGINAL


def test_medicare_takes_a_replacement_without_the_payers_number() -> None:
    claim = claim_of(frequency="7", filing_code="MB")
    assert [gist_of(answer) for answer in Stage().answers_to(claim)] == [*ACCEPTED, "835 1:180/180/0"]
