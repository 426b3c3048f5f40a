"""Which answers come, in which order, number and delay."""

from datetime import timedelta

import pytest

from tests.claims.clearinghouse.cast import claim_of
from tests.claims.clearinghouse.sandbox.stage import FOR_EVER, Stage, gist_of, named, segments_of
from tests.claims.x12.referee import complaints

ACCEPTED = ["999 A", "277 AY A1 WQ", "277 PR A2 WQ"]
PAID = "835 1:180/180/0"
SCRIPTS = {
    "W123456789": [*ACCEPTED, PAID],
    "HELD": [*ACCEPTED, PAID],
    "PAID": [*ACCEPTED, PAID],
    "PARTIAL": [*ACCEPTED, "835 1:180/119/25"],
    "DEDUCTIBLE": [*ACCEPTED, "835 1:180/0/180"],
    "DENIED": [*ACCEPTED, "835 1:180/0/0"],
    "UNKNOWN": [*ACCEPTED, "835 4:180/0/0"],
    "REJECTED": ["999 A", "277 AY A1 WQ", "277 PR A7 U"],
    "REJECTEDA3": ["999 A", "277 AY A1 WQ", "277 PR A3 U"],
    "CHREJECT": ["999 A", "277 AY A3 U"],
    "BAD999": ["999 R"],
    "SILENT": [],
    "TWICE": [answer for answer in (*ACCEPTED, PAID) for _ in range(2)],
    "OUTOFORDER": [PAID, "277 PR A2 WQ", "277 AY A1 WQ", "999 A"],
    "REVERSED": [*ACCEPTED, PAID, "835 22:-180/-180/ 1:180/0/0 FB:-180"],
    "TAKEBACK": [*ACCEPTED, PAID, "835 1:180/0/0"],
    "PLB": [*ACCEPTED, PAID, "835 WO:180"],
    "LATE": [*ACCEPTED, "277 PR A7 U"],
}


@pytest.mark.parametrize("member_id", SCRIPTS)
def test_the_rehearsal_table(member_id: str) -> None:
    assert [gist_of(answer) for answer in Stage().answers_to(claim_of(member_id))] == SCRIPTS[member_id]


def test_a_validator_accepts_every_answer() -> None:
    stage = Stage()
    for member_id in SCRIPTS:
        stage.send(claim_of(member_id, charges=("180.00", "45.55")))
    assert complaints("".join(file.content.decode() for file in stage.wait(FOR_EVER))) == []


def test_answers_take_as_long_as_in_the_world() -> None:
    stage = Stage()
    stage.send(claim_of())
    waits = [timedelta(minutes=5), timedelta(minutes=25), timedelta(hours=23.5), timedelta(days=13)]
    assert [[gist_of(segments_of(file)) for file in stage.wait(wait)] for wait in waits] == [
        ["999 A"],
        ["277 AY A1 WQ"],
        ["277 PR A2 WQ"],
        [PAID],
    ]


def test_speed_lets_a_month_pass_in_seconds() -> None:
    stage = Stage(speed=timedelta(days=30) / timedelta(seconds=3))
    stage.send(claim_of("REVERSED"))
    assert len(stage.wait(timedelta(seconds=1.3))) == 3
    assert len(stage.wait(timedelta(seconds=1.7))) == 2


def test_speed_must_be_positive() -> None:
    with pytest.raises(ValueError, match="speed"):
        Stage(speed=0)


def test_answers_that_come_twice_differ_in_their_envelope_only() -> None:
    first, second, *_ = Stage().answers_to(claim_of("TWICE"))
    assert first[0] != second[0]
    assert first[3:-2] == second[3:-2]


def test_two_copies_of_a_remittance_are_one_payment() -> None:
    *_, first, second = Stage().answers_to(claim_of("TWICE"))
    assert named(first, "TRN") == named(second, "TRN")


def test_each_claim_of_a_batch_gets_its_own_answers() -> None:
    answers = Stage().answers_to(claim_of("PAID"), claim_of("DENIED"), claim_of("BAD999"))
    assert sorted(gist_of(answer) for answer in answers) == [
        "277 AY A1 WQ",
        "277 AY A1 WQ",
        "277 PR A2 WQ",
        "277 PR A2 WQ",
        "835 1:180/0/0",
        PAID,
        "999 A A R",
    ]


@pytest.mark.parametrize("other", ["PAID", "BAD999", "TWICE", "OUTOFORDER", "SILENT"])
def test_in_a_batch_silence_stays_silence_and_what_comes_last_comes_last(other: str) -> None:
    """A 999 says nothing of a set that it does not list, unless its outcome is the whole group's."""
    answers = Stage().answers_to(claim_of("SILENT"), claim_of("OUTOFORDER"), claim_of(other))
    told = [
        ([each[2] for each in named(answer, "AK2")], named(answer, "AK9")[0][1:4])
        for answer in answers
        if named(answer, "AK9")
    ]
    assert told[-1][0] == (["0002", "0003"] if other == "OUTOFORDER" else ["0002"])
    assert all("0001" not in listed and outcome == ["P", "3", "3"] for listed, outcome in told)


def test_a_denial_carries_the_reason_that_was_asked_for() -> None:
    *_, remittance = Stage().answers_to(claim_of("DENIED29"))
    assert [cas[1:4] for cas in named(remittance, "CAS")] == [["CO", "29", "180"]]


def test_a_small_claim_is_still_paid_in_part() -> None:
    *_, remittance = Stage().answers_to(claim_of("PARTIAL", charges=("10.00",)))
    assert gist_of(remittance) == "835 1:10/4/4"


def test_a_reason_that_needs_a_remark_gets_one() -> None:
    *_, remittance = Stage().answers_to(claim_of("DENIED16"))
    assert named(remittance, "LQ") == [["LQ", "HE", "N290"]]


def test_answers_name_the_claim_the_batch_and_the_lines() -> None:
    claim = claim_of(charges=("150.00", "30.00"))
    _, clearinghouse, payer, remittance = Stage().answers_to(claim)
    assert ["TRN", "2", claim.patient_control_number] in clearinghouse
    assert named(payer, "REF")[0][2] == named(remittance, "CLP")[0][7]
    assert [ref[2] for ref in named(remittance, "REF") if ref[1] == "6R"] == [
        line.control_number for line in claim.service_lines
    ]
