"""What a reversal takes back where several decisions could be meant, and what a part of it leaves open."""

from itertools import permutations

from claims.fold.claim import Outcome, fold
from claims.signals import ClaimStatus, Signal, WorkflowState
from tests.claims.fold_cast import denial, money, remittance, reversal


def whatever_the_order(*signals: Signal, billed: int = 180) -> Outcome:
    """Where the claim stands, the same in every order."""
    outcomes = [fold(WorkflowState.SENT, each, billed=billed) for each in permutations(signals)]
    assert all(each == outcomes[0] for each in outcomes)
    return outcomes[0]


def test_of_two_decisions_without_money_the_one_with_its_reasons_is_taken_back() -> None:
    to_patient = remittance("1", "0", 15, batch="EFT2", adjustments=(money("PR", "1", "180"),))
    taken = reversal("0", 20, batch="EFT3", adjustments=(money("PR", "1", "-180"),))
    outcome = whatever_the_order(denial(), to_patient, taken)
    assert (outcome.claim_status, outcome.patient_owes) == (ClaimStatus.REVERSED, None)


def test_a_claim_told_again_as_paid_before_in_all_stays_paid() -> None:
    paid = remittance("1", "120", 10, adjustments=(money("CO", "45", "35"), money("PR", "3", "25")))
    again = (money("OA", "B13", "120"), money("CO", "45", "35"), money("PR", "3", "25"))
    outcome = whatever_the_order(paid, remittance("1", "0", 15, batch="EFT2", adjustments=again))
    assert (outcome.claim_status, outcome.paid, outcome.patient_owes) == (ClaimStatus.PAID, 120, 25)
    assert outcome.tasks == ()
