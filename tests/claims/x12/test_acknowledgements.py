"""TA1 and 999: what became of an interchange, a group and each of its sets."""

import re

import pytest

from claims.x12.read_999 import GroupAcknowledgement, SyntaxOutcome, read_999
from claims.x12.read_ta1 import InterchangeAcknowledgement, InterchangeOutcome, read_ta1
from claims.x12.segments import ProblemCode, TransactionSet, X12File
from claims.x12.write_837p import write_837p
from tests.claims.x12.cast import envelope, group_claim
from tests.claims.x12.envelopes import in_group, in_interchange
from tests.claims.x12.referee import acknowledgement_by_referee


def ta1_of(segment: str) -> tuple[InterchangeAcknowledgement | None, TransactionSet]:
    for transaction_set in X12File(in_interchange(segment)):
        return read_ta1(transaction_set), transaction_set
    raise AssertionError("no acknowledgement was found")


def acknowledgement_of(body: str) -> tuple[GroupAcknowledgement | None, list[ProblemCode]]:
    for transaction_set in X12File(in_group("999", body, functional_id="FA", version="005010X231A1")):
        found = read_999(transaction_set)
        return found, [problem.code for problem in transaction_set.problems]
    raise AssertionError("no set was found")


def test_ta1_names_our_interchange_and_its_outcome() -> None:
    found, _ = ta1_of("TA1*000000077*260102*0905*R*025~")
    assert found == InterchangeAcknowledgement(
        interchange_control_number=77,
        outcome=InterchangeOutcome.REJECTED,
        note_code="025",
    )


@pytest.mark.parametrize("segment", ["TA1*000000077*260102*0905*Z*000~", "TA1**260102*0905*A*000~", "TA1~"])
def test_a_ta1_without_number_or_outcome_is_refused(segment: str) -> None:
    found, transaction_set = ta1_of(segment)
    assert found is None
    assert transaction_set.refusal is not None


def test_a_bad_date_does_not_spoil_a_ta1() -> None:
    found, transaction_set = ta1_of("TA1*000000077*269999*0905*A*000~")
    assert found is not None
    assert transaction_set.problems == []


ACCEPTED = "AK1*HC*78*005010X222A1~AK2*837*0001*005010X222A1~IK5*A~AK9*A*1*1*1~"
PARTLY = (
    "AK1*HC*78*005010X222A1~AK2*837*0001~IK5*E*I5~"
    "AK2*837*0002~IK3*SV1*31*2400*8~CTX*CLM01:K7QX~IK4*1:2*234*7*9083X~CTX*SITUATIONAL TRIGGER*CLM*22~"
    "IK3*N3*9**3~IK5*R*4*5~AK9*P*3*3*2*1~"
)


def test_an_accepted_group_accepts_its_sets() -> None:
    found, problems = acknowledgement_of(ACCEPTED)
    assert found is not None
    assert (found.control_number, found.outcome) == (78, SyntaxOutcome.ACCEPTED)
    assert found.outcome_of(1) is SyntaxOutcome.ACCEPTED
    assert problems == []


def test_a_partly_accepted_group_speaks_for_each_set_alone() -> None:
    found, problems = acknowledgement_of(PARTLY)
    assert found is not None
    assert found.outcome is SyntaxOutcome.PARTLY_ACCEPTED
    assert found.outcome_of(1) is SyntaxOutcome.ACCEPTED_WITH_ERRORS
    assert found.outcome_of(2) is SyntaxOutcome.REJECTED
    assert found.outcome_of(3) is None
    assert problems == []


def test_a_rejected_set_tells_segment_and_element() -> None:
    found, _ = acknowledgement_of(PARTLY)
    assert found is not None
    assert found.faults_of(1) == ()
    assert found.faults_of(2) == ("segment 31 SV101-2 error 7", "segment 9 N3 error 3")


def test_a_rejected_group_without_sets_rejects_all_of_them() -> None:
    found, _ = acknowledgement_of("AK1*HC*78~AK9*R*3*3*0~")
    assert found is not None
    assert found.outcome_of(2) is SyntaxOutcome.REJECTED
    assert found.outcome is SyntaxOutcome.REJECTED


def test_a_copy_of_what_we_sent_is_not_kept() -> None:
    wrong = PARTLY.replace("IK3*SV1*31", "IK3*JANE ROE*31").replace("234*7*9083X", "234*W123456789*9083X")
    found, _ = acknowledgement_of(wrong)
    assert found is not None
    assert found.faults_of(2)[0] == "segment 31 ?01-2 error ?"
    assert not [word for word in ("9083X", "K7QX", "ROE", "W123456789") if word in repr(found)]


def test_of_many_faults_the_first_are_kept() -> None:
    many = "".join(f"IK3*N3*{number}**3~" for number in range(1, 50))
    found, _ = acknowledgement_of(f"AK1*HC*78~AK2*837*0001~{many}IK5*R*5~AK9*R*1*1*0~")
    assert found is not None
    assert len(found.faults_of(1)) == 20


@pytest.mark.parametrize(
    "body", ["AK9*A*1*1*1~", "AK1*HC*78~", "AK1*HC*X~AK9*A*1*1*1~", "AK1*HC*78~AK9*?*1*1*1~"]
)
def test_a_999_without_group_or_outcome_is_refused(body: str) -> None:
    found, problems = acknowledgement_of(body)
    assert found is None
    assert problems == [ProblemCode.MISSING_ELEMENT]


def test_a_set_without_outcome_is_told_and_left_out() -> None:
    found, problems = acknowledgement_of("AK1*HC*78~AK2*837*0001~AK2*837*0002~IK5*?~AK9*P*2*2*1~")
    assert found is not None
    assert found.sets == ()
    assert problems == [ProblemCode.MISSING_ELEMENT, ProblemCode.MALFORMED_ELEMENT]


def test_what_is_wrong_in_a_set_without_outcome_is_not_said_of_the_next() -> None:
    found, _ = acknowledgement_of(
        "AK1*HC*78~AK2*837*0001~IK3*N3*9**3~IK4*1**1~AK2*837*0002~IK5*A~AK9*P*2*2*1~"
    )
    assert found is not None
    assert found.faults_of(2) == ()


def test_an_unknown_segment_is_told_and_skipped() -> None:
    found, problems = acknowledgement_of(ACCEPTED.replace("AK9", "ZZZ*1~AK9"))
    assert found is not None
    assert problems == [ProblemCode.UNKNOWN_SEGMENT]


def test_the_999_that_an_independent_validator_answers_us_with_is_understood() -> None:
    written = write_837p([group_claim()], envelope=envelope(transaction_control_number=12))
    answer = acknowledgement_by_referee(written)
    [again] = [read_999(found) for found in X12File(answer)]
    assert again is not None
    assert again.control_number == 78
    assert again.outcome_of(12) is SyntaxOutcome.ACCEPTED
    rejected = acknowledgement_by_referee(
        written.replace("N3*100 MAIN ST*STE 200~", "").replace("SE*28", "SE*27")
    )
    [refused] = [read_999(found) for found in X12File(rejected)]
    assert refused is not None
    assert refused.outcome_of(12) is SyntaxOutcome.REJECTED
    [fault] = refused.faults_of(12)
    assert re.fullmatch(r"segment [0-9]+ N3 error 3", fault)
