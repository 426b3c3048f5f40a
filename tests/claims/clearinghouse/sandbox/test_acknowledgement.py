"""The sandbox's TA1 and 999."""

import re
from dataclasses import replace

import pytest

from claims.clearinghouse.port import Submission
from tests.claims.clearinghouse.cast import claim_of, submission_of
from tests.claims.clearinghouse.sandbox.stage import FOR_EVER, Stage, gist_of, segments_of
from tests.claims.x12.referee import acknowledgement_by_referee


def acknowledge(submission: Submission) -> list[str]:
    """The AK and IK segments of the sandbox's 999, with nothing else answered."""
    stage = Stage()
    stage.sandbox.submit(submission)
    (file,) = [file for file in stage.wait(FOR_EVER) if file.name.startswith("999")]
    return ["*".join(segment) for segment in segments_of(file) if segment[0][:2] in ("AK", "IK")]


def acknowledgement_of(text: str) -> list[str]:
    """The same segments of pyx12's 999."""
    segments = acknowledgement_by_referee(text).replace("\n", "").split("~")
    return [segment for segment in segments if segment[:2] in ("AK", "IK")]


@pytest.mark.parametrize("lost", ["N3", "N4", "REF", "SBR", "HI", "SV1", "DTP", "PER"])
def test_a_lost_segment_is_reported_as_a_validator_reports_it(lost: str) -> None:
    whole = submission_of(claim_of())
    broken = replace(whole, x12=re.sub(rf"~{lost}\*[^~]*", "", whole.x12, count=1))
    assert acknowledge(broken) == acknowledgement_of(broken.x12)


def test_a_whole_file_is_accepted_as_a_validator_accepts_it() -> None:
    submission = submission_of(claim_of(), claim_of())
    assert acknowledge(submission) == acknowledgement_of(submission.x12)


def test_bad999_rejects_the_set_for_a_lost_street() -> None:
    assert acknowledge(submission_of(claim_of("BAD999")))[2:] == ["IK3*N3*9**3", "IK5*R*4*5", "AK9*R*1*1*0"]


def test_a_batch_with_one_bad_set_is_partly_accepted() -> None:
    segments = acknowledge(submission_of(claim_of(), claim_of("BAD999")))
    assert segments[-1] == "AK9*P*2*2*1"


def test_a_set_without_a_claim_loop_is_rejected() -> None:
    whole = submission_of(claim_of())
    headless = replace(whole, x12=re.sub(r"~CLM\*.*?~SE\*", "~SE*", whole.x12))
    assert "IK3*CLM*20*2300*3" in acknowledge(headless)


def test_an_interchange_that_asks_for_it_gets_a_ta1() -> None:
    plain = submission_of(claim_of("BAD999"))
    asking = replace(plain, x12=plain.x12.replace("*0*T*:~", "*1*T*:~"))
    stage = Stage()
    stage.sandbox.submit(asking)
    assert sorted(gist_of(segments_of(file)) for file in stage.wait(FOR_EVER)) == ["999 R", "TA1 A"]
