"""What staff type where no 835 comes: it counts as one would, until the payer's own word is there."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import pytest

from claims.fold.claim import Outcome, fold
from claims.fold.entries import entries_for
from claims.fold.versions import ClaimVersion, fold_session
from claims.signals import ClaimStatus, LineOutcome, SessionStatus, Signal, WorkflowState
from tests.claims.fold_cast import (
    claim_answer,
    denial,
    inquiry,
    line,
    money,
    recoupment,
    remittance,
    reversal,
    typed,
)

TAKEN = claim_answer("PR", "A2", 1)
COPAY = (money("CO", "45", "35"), money("PR", "3", "25"))
WHOLE = typed(lines=(line(1, "180", "120", *COPAY),), pccn="AET1")
OWN = remittance("1", "120", 12, lines=(line(1, "180", "120", *COPAY),))


def whatever_the_order(*signals: Signal) -> Outcome:
    """Where the claim stands, the same in every order."""
    outcomes = [
        fold(WorkflowState.SENT, each, billed=Decimal(180)) for each in permutations((TAKEN, *signals))
    ]
    assert all(each == outcomes[0] for each in outcomes)
    return outcomes[0]


def told(*before: Signal, arrived: Signal) -> str:
    """The last line of the timeline."""
    version = ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=before, billed=Decimal(180))
    _, entries = entries_for([version], [arrived], number=1, payer="Aetna")
    return entries[-1].summary


def test_what_staff_typed_counts_as_an_835_would() -> None:
    by_hand, by_file = whatever_the_order(WHOLE), whatever_the_order(OWN)
    assert by_hand.session_status is SessionStatus.PAID
    for name in ("claim_status", "paid", "allowed", "patient_owes", "payer_control_number", "tasks"):
        assert getattr(by_hand, name) == getattr(by_file, name), name


def test_it_is_stored_as_an_835_is_so_that_the_release_before_reads_it() -> None:
    assert set(WHOLE.as_json()) < set(OWN.as_json())


def test_it_is_told_with_its_source() -> None:
    assert told(TAKEN, arrived=WHOLE) == (
        "Aetna paid $120.00 of $180.00; the patient owes $25.00. No remittance had come: billing staff "
        "posted it from the payer's portal."
    )


def test_a_denial_that_staff_typed_is_a_denial() -> None:
    outcome = whatever_the_order(typed("0", adjustments=(money("CO", "197", "180"),)))
    assert (outcome.session_status, outcome.claim_status) == (SessionStatus.DENIED, ClaimStatus.DENIED)
    assert [each.kind for each in outcome.tasks] == ["claim_denied"]


def test_it_goes_before_what_the_payer_said_when_asked() -> None:
    assert whatever_the_order(WHOLE, inquiry("F0", day=20)).claim_status is ClaimStatus.PAID


@pytest.mark.parametrize("day", [5, 10, 30])
def test_the_payers_own_835_counts_in_its_place_whenever_it_comes(day: int) -> None:
    outcome = whatever_the_order(WHOLE, remittance("1", "100", day, adjustments=(money("CO", "45", "80"),)))
    assert (outcome.paid, outcome.decided, outcome.ever_paid) == (100, 100, 100)
    assert (outcome.allowed, outcome.patient_owes, outcome.typed) == (100, 0, ())
    assert outcome.tasks == ()


def test_that_it_counts_no_more_is_told() -> None:
    assert told(TAKEN, WHOLE, arrived=OWN) == (
        "Aetna paid $120.00 of $180.00; the patient owes $25.00. It takes the place of what billing staff "
        "had posted by hand, which counts no more."
    )


def test_the_payers_own_denial_counts_in_its_place_and_takes_nothing_back() -> None:
    outcome = whatever_the_order(WHOLE, denial(day=12))
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.DENIED, 0)
    assert [each.kind for each in outcome.tasks] == ["claim_denied"]


def test_a_reversal_of_what_came_in_no_file_takes_back_what_was_typed() -> None:
    outcome = whatever_the_order(WHOLE, reversal())
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.REVERSED, 0)


def test_a_reversal_with_its_correction_comes_to_what_the_payer_paid_in_all() -> None:
    anew = remittance("1", "130", 20, batch="EFT2", adjustments=(money("CO", "45", "50"),))
    outcome = whatever_the_order(WHOLE, reversal(), anew)
    assert (outcome.claim_status, outcome.paid, outcome.decided) == (ClaimStatus.PAID, 130, 130)


def test_a_reversal_of_the_835_that_came_after_all_leaves_nothing_of_what_was_typed() -> None:
    outcome = whatever_the_order(WHOLE, OWN, reversal())
    assert (outcome.claim_status, outcome.paid, outcome.typed) == (ClaimStatus.REVERSED, 0, ())


def test_an_835_that_two_reversals_take_back_in_parts_leaves_nothing_of_what_was_typed() -> None:
    whole = remittance("1", "120", 12, adjustments=COPAY)
    halves = [reversal("-60", batch=batch) for batch in ("EFT2", "EFT3")]
    outcome = whatever_the_order(WHOLE, whole, *halves)
    assert (outcome.claim_status, outcome.paid, outcome.typed) == (ClaimStatus.REVERSED, 0, ())


def test_a_decision_typed_after_a_reversal_is_the_correction_that_was_due() -> None:
    anew = typed("130", 25, adjustments=(money("CO", "45", "50"),))
    outcome = whatever_the_order(OWN, reversal(), anew)
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.PAID, 130)


def test_a_further_reversal_takes_back_what_was_typed_after_the_first() -> None:
    anew = typed("130", 25, adjustments=(money("CO", "45", "50"),))
    outcome = whatever_the_order(OWN, reversal(), anew, reversal("-130", 30, batch="EFT3"))
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.REVERSED, 0)


@pytest.mark.parametrize("day", [30, 40])
def test_a_further_reversal_takes_it_back_also_where_the_payer_decides_anew(day: int) -> None:
    anew = typed("130", 25, adjustments=(money("CO", "45", "50"),))
    own = remittance("1", "100", day, batch="EFT3", adjustments=(money("CO", "45", "80"),))
    outcome = whatever_the_order(OWN, reversal(), anew, reversal("-130", 30, batch="EFT3"), own)
    assert (outcome.claim_status, outcome.paid, outcome.decided) == (ClaimStatus.PAID, 100, 100)


@pytest.mark.parametrize("day", [20, 25])
@pytest.mark.parametrize("first", [OWN, WHOLE], ids=["an 835", "typed"])
@pytest.mark.parametrize("paid", ["120", "130"])
def test_a_correction_may_bear_the_day_of_its_reversal(first: Signal, day: int, paid: str) -> None:
    anew = typed(paid, day, adjustments=(money("CO", "45", str(180 - int(paid))),))
    outcome = whatever_the_order(first, reversal(), anew)
    assert (outcome.claim_status, outcome.paid, outcome.patient_owes) == (ClaimStatus.PAID, int(paid), 0)
    assert outcome.tasks == ()


@pytest.mark.parametrize(
    "first",
    [OWN, WHOLE, replace(WHOLE, payer_control_number="")],
    ids=["an 835", "typed", "typed without a number"],
)
@pytest.mark.parametrize(("day", "batch"), [(20, "EFT2"), (20, "EFT3"), (22, "EFT3")])
def test_the_payers_own_correction_takes_its_place_whatever_its_day(
    first: Signal, day: int, batch: str
) -> None:
    anew = typed("130", 20, adjustments=(money("CO", "45", "50"),))
    own = remittance("1", "100", day, batch=batch, adjustments=(money("CO", "45", "80"),))
    outcome = whatever_the_order(first, reversal(), anew, own)
    assert (outcome.claim_status, outcome.paid, outcome.decided) == (ClaimStatus.PAID, 100, 100)


def test_a_reversal_of_what_was_typed_on_its_day_takes_it_back() -> None:
    outcome = whatever_the_order(typed("120", 20, adjustments=COPAY), reversal())
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.REVERSED, 0)


def test_an_835_of_which_a_reversal_leaves_a_line_still_counts_in_its_place() -> None:
    lines = (line(1, "155", "120", money("CO", "45", "35")), line(2, "25", "20", money("CO", "45", "5")))
    own = remittance("1", "140", 12, lines=lines)
    back = replace(
        reversal("-20", lines=(replace(lines[1], charge=Decimal(-25), paid=Decimal(-20)),)), charge=-25
    )
    outcome = whatever_the_order(own, back, typed("140", 25, lines=lines))
    assert (outcome.paid, outcome.typed) == (120, ())


@pytest.mark.parametrize("day", [22, 30])
def test_the_payers_own_correction_takes_the_place_of_one_that_was_typed(day: int) -> None:
    anew = typed("130", 25, adjustments=(money("CO", "45", "50"),))
    own = remittance("1", "100", day, batch="EFT3", adjustments=(money("CO", "45", "80"),))
    outcome = whatever_the_order(OWN, reversal(), anew, own)
    assert (outcome.claim_status, outcome.paid, outcome.typed) == (ClaimStatus.PAID, 100, ())


def test_an_835_that_adds_to_what_was_typed_leaves_it() -> None:
    further = remittance(
        "1", "20", 20, lines=(line(1, "180", "20", money("OA", "B13", "145"), money("CO", "45", "15")),)
    )
    outcome = whatever_the_order(WHOLE, further)
    assert (outcome.claim_status, outcome.paid, outcome.typed) == (
        ClaimStatus.PAID,
        140,
        (WHOLE.natural_key,),
    )


def test_the_denial_of_a_duplicate_leaves_it() -> None:
    duplicate = remittance("1", "0", 20, lines=(line(1, "180", "0", money("OA", "18", "180")),))
    outcome = whatever_the_order(WHOLE, duplicate)
    assert (outcome.claim_status, outcome.paid) == (ClaimStatus.PAID, 120)


def test_a_second_insurer_adds_to_what_was_typed_of_the_first() -> None:
    second = replace(
        remittance("2", "25", 20, pccn="SEC1", adjustments=(money("OA", "23", "155"),)),
        source="99999",
        payer_name="Second",
    )
    outcome = whatever_the_order(WHOLE, second)
    assert (outcome.paid, outcome.paid_behind, outcome.patient_owes) == (145, 25, 0)


def test_a_second_insurer_that_takes_back_its_own_keeps_nothing_of_what_was_typed() -> None:
    paid = replace(
        remittance("2", "25", 20, batch="SEC1", pccn="SEC1", adjustments=(money("OA", "23", "155"),)),
        source="99999",
        payer_name="Second",
    )
    taken = replace(reversal("-25", 30, batch="SEC2", pccn="SEC1"), source="99999", payer_name="Second")
    outcome = whatever_the_order(WHOLE, paid, taken, remittance("1", "120", 35, adjustments=COPAY))
    assert (outcome.paid, outcome.typed) == (120, ())


def test_the_denial_of_a_second_insurer_leaves_it() -> None:
    second = replace(denial(day=20, pccn="SEC1"), claim_status_code="2", source="99999", payer_name="Second")
    outcome = whatever_the_order(WHOLE, second)
    assert (outcome.claim_status, outcome.paid, outcome.behind) == (
        ClaimStatus.PAID,
        120,
        (second.natural_key,),
    )


@pytest.mark.parametrize("code", ["23", "25"])
def test_what_decides_nothing_leaves_it(code: str) -> None:
    assert whatever_the_order(WHOLE, remittance(code, "0", 20)).paid == 120


def test_money_that_is_recovered_of_what_was_typed_is_off_what_is_left() -> None:
    outcome = whatever_the_order(WHOLE, recoupment("-120"))
    assert (outcome.paid, outcome.left) == (120, 0)


def test_what_an_835_has_replaced_moves_the_session_no_more() -> None:
    first = ClaimVersion(
        number=1,
        workflow_state=WorkflowState.SENT,
        signals=(TAKEN, WHOLE, denial(day=12)),
        billed=Decimal(180),
    )
    known = frozenset({TAKEN.natural_key, first.signals[2].natural_key})
    again = ClaimVersion(
        number=2,
        workflow_state=WorkflowState.SENT,
        frequency="7",
        replaces=1,
        billed=Decimal(180),
        known_before=known,
    )
    assert fold_session([first, again]).session_status is SessionStatus.SUBMITTED


def test_its_names_and_number_go_with_it() -> None:
    later = replace(
        WHOLE, payer_control_number="TYPED9", payer_name="As typed", effective_date=OWN.effective_date
    )
    outcome = whatever_the_order(later, replace(OWN, payer_control_number=""))
    assert (outcome.payer_name, outcome.payer_control_number) == (OWN.payer_name, "")


HALF = money("CO", "45", "30")
HALVES = typed("120", lines=(line(1, "90", "60", HALF), line(2, "90", "60", HALF)))


@pytest.mark.parametrize("says_of_the_first", [(), (line(1, "90", "0", money("OA", "B13", "90")),)])
def test_of_a_line_that_an_835_does_not_name_or_calls_paid_before_what_was_typed_stays(
    says_of_the_first: tuple[LineOutcome, ...],
) -> None:
    lines = (*says_of_the_first, line(2, "90", "75", money("CO", "45", "15")))
    charge = str(sum(each.charge for each in lines))
    outcome = whatever_the_order(HALVES, remittance("1", "75", 20, charge=charge, lines=lines))
    assert (outcome.claim_status, outcome.paid, outcome.allowed) == (ClaimStatus.PAID, 135, 135)
    assert (outcome.typed, outcome.tasks) == ((HALVES.natural_key,), ())


def test_the_835_of_the_other_line_takes_the_rest_of_its_place() -> None:
    parts = [
        remittance("1", paid, day, batch=batch, charge="90", lines=(line(number, "90", paid),))
        for number, paid, day, batch in ((1, "90", 12, "EFT1"), (2, "75", 20, "EFT2"))
    ]
    outcome = whatever_the_order(HALVES, *parts)
    assert (outcome.paid, outcome.typed) == (165, ())


def taken(number: int, paid: str, *, pccn: str = "AET1") -> Signal:
    """The reversal of one of the two lines."""
    back = replace(line(number, "-90", paid), charge=Decimal(-90))
    return replace(reversal(paid, pccn=pccn, lines=(back,)), charge=Decimal(-90))


def test_a_reversal_of_one_line_takes_back_what_was_typed_of_it_and_no_835_of_another() -> None:
    own = remittance("1", "80", 12, charge="90", lines=(line(1, "90", "80"),))
    outcome = whatever_the_order(replace(HALVES, payer_control_number=""), own, taken(2, "-60"))
    assert (outcome.claim_status, outcome.paid, outcome.decided) == (ClaimStatus.PARTIALLY_PAID, 80, 80)


def test_the_correction_of_one_line_on_the_day_of_its_reversal_leaves_the_other_as_typed() -> None:
    own = remittance(
        "1", "60", 20, batch="EFT3", charge="90", lines=(line(2, "90", "60", money("PR", "3", "30")),)
    )
    outcome = whatever_the_order(HALVES, taken(2, "-60"), own)
    assert (outcome.claim_status, outcome.paid, outcome.patient_owes) == (ClaimStatus.PAID, 120, 30)


def test_an_835_whose_lines_have_other_names_takes_its_place() -> None:
    other = replace(line(1, "90", "75"), control_number="X1", procedure_code="90785")
    outcome = whatever_the_order(HALVES, remittance("1", "75", 20, charge="90", lines=(other,)))
    assert (outcome.paid, outcome.typed) == (75, ())


@pytest.mark.parametrize("code", ["2", "3", "20"])
def test_an_835_that_counts_no_insurer_before_it_is_the_payers_own_whatever_it_calls_itself(
    code: str,
) -> None:
    own = replace(
        remittance(code, "120", 12, pccn="X", adjustments=COPAY), source="99999", payer_name="Other"
    )
    outcome = whatever_the_order(WHOLE, own)
    assert (outcome.paid, outcome.typed) == (120, ())


def test_a_payers_own_number_tells_that_an_835_is_its_own() -> None:
    adjustments = (money("OA", "23", "60"),)
    own = replace(remittance("2", "120", 12, adjustments=adjustments), source="99999", payer_name="Other")
    assert whatever_the_order(WHOLE, own).paid == 120
