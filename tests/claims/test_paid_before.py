"""A line that is paid already and told again: without money (B13) its payment stands, with it both count."""

import pytest

from claims.models import Claim
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import ended, newest
from tests.claims.test_paid_in_parts import (
    BOTH_PAID,
    DENIED,
    FIRST,
    SECOND,
    asked,
    owed,
    remitted,
    said,
    told,
)

AGAIN = (1, "0", "CAS*OA*B13*120~CAS*CO*45*35~CAS*PR*3*25~")


@pytest.fixture
def claim(partner: Api) -> Claim:
    """Of 90837 and 90785, of 180 and 25 dollars, of which the first line is paid and the second denied."""
    codes = {"session__procedureCodes": [{"code": "90837"}, {"code": "90785"}]}
    sent = newest(ended(partner, "SILENT", session__durationMinutes=REMOVED, **codes))
    remitted(said(sent, FIRST, (2, "0", DENIED)), total=120, day=20)
    return sent


@pytest.mark.parametrize(
    "again",
    [AGAIN, (1, "0", "CAS*OA*B13*155~CAS*PR*3*25~"), (1, "0", "CAS*CO*B13*145~CAS*CO*45*35~")],
    ids=["all of it", "with the reduction", "silent about the copay"],
)
def test_beside_a_line_that_is_paid_now_it_stays_as_it_was(
    partner: Api, claim: Claim, again: tuple[int, str, str]
) -> None:
    remitted(said(claim, again, SECOND), total=20, day=21)
    assert told(partner, claim) == BOTH_PAID
    assert owed(claim) == (140, 165, 25)
    assert asked() == []


def test_alone_it_changes_nothing_and_says_so(partner: Api, claim: Claim) -> None:
    before = told(partner, claim)
    remitted(said(claim, AGAIN), total=0, day=21)
    assert told(partner, claim) == before
    assert owed(claim) == (120, 145, 25)
    last = partner.get(f"/sessions/{claim.session_id}").json()["timeline"][-1]
    assert (last["type"], last["status"], last["summary"]) == (
        "claim.noted",
        None,
        "Aetna says that it has paid the claim before. What it decided on it stays. Nothing to do.",
    )


def test_what_it_leaves_to_the_patient_now_counts(partner: Api, claim: Claim) -> None:
    remitted(said(claim, (1, "0", "CAS*OA*B13*120~CAS*CO*45*50~CAS*PR*3*10~"), SECOND), total=20, day=21)
    assert told(partner, claim)[2] == (
        "Aetna paid $140.00; the patient owes $10.00. Collect it from the patient."
    )
    assert owed(claim) == (140, 150, 10)
    assert asked() == []


def test_what_it_says_was_paid_short_of_that_has_not_gone_back(partner: Api, claim: Claim) -> None:
    remitted(said(claim, (1, "0", "CAS*OA*B13*100~CAS*CO*45*80~"), SECOND), total=20, day=21)
    assert "$20.00 of what it paid hasn't gone back" in told(partner, claim)[2]
    assert asked() == ["payment_not_returned"]


def test_a_further_payment_after_it_adds_to_what_was_paid(partner: Api, claim: Claim) -> None:
    remitted(said(claim, AGAIN, SECOND), total=20, day=21)
    remitted(said(claim, (1, "10", "CAS*OA*B13*120~CAS*CO*45*25~CAS*PR*3*25~")), total=10, day=22)
    assert owed(claim) == (150, 175, 25)
    assert told(partner, claim)[2] == (
        "Aetna paid $150.00; the patient owes $25.00. Collect it from the patient."
    )
    assert asked() == []


def test_what_it_denies_beside_what_was_paid_is_asked_about(partner: Api, claim: Claim) -> None:
    remitted(said(claim, (1, "0", "CAS*OA*B13*120~CAS*CO*197*60~"), SECOND), total=20, day=21)
    assert told(partner, claim)[:2] == ("paid", "paid")
    assert owed(claim) == (140, 140, 0)
    assert asked() == ["line_denied"]


def test_a_line_that_was_paid_more_than_was_charged_in_all_is_asked_about(partner: Api, claim: Claim) -> None:
    remitted(said(claim, SECOND), total=20, day=21)
    remitted(said(claim, (2, "15", "CAS*CO*45*10~")), total=15, day=22)
    assert owed(claim)[0] == 155
    assert asked() == ["unexpected_amount"]
