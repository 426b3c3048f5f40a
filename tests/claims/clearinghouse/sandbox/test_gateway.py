"""Handing claims over to the sandbox."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.clearinghouse.port import ClearinghouseError, NotFound, Outcome, Receipt, Refusal
from claims.x12.claim import Usage
from tests.claims.clearinghouse.cast import claim_of, submission_of
from tests.claims.clearinghouse.sandbox.stage import FOR_EVER, Stage


def test_down_fails_twice_and_then_works() -> None:
    stage, submission = Stage(), submission_of(claim_of("DOWN"))
    for _ in range(2):
        with pytest.raises(ClearinghouseError) as failure:
            stage.sandbox.submit(submission)
        assert failure.value.outcome is Outcome.UNKNOWN
        assert stage.sandbox.find(submission) == NotFound()
    receipt = stage.sandbox.submit(submission)
    assert isinstance(receipt, Receipt)
    assert stage.sandbox.find(submission) == receipt
    assert len(stage.wait(FOR_EVER)) == 4


def test_edit_refuses_and_answers_nothing() -> None:
    stage, submission = Stage(), submission_of(claim_of("EDIT"))
    refusal = stage.sandbox.submit(submission)
    assert isinstance(refusal, Refusal)
    assert [(error.code, error.location) for error in refusal.errors] == [("33", "subscriber.memberId")]
    assert stage.sandbox.find(submission) == NotFound()
    assert stage.wait(FOR_EVER) == []


@pytest.mark.parametrize("text", ["", "hello", "ISA*00*", "ST*837*0001~"])
def test_what_is_no_interchange_is_refused_for_good(text: str) -> None:
    with pytest.raises(ClearinghouseError) as failure:
        Stage().sandbox.submit(replace(submission_of(claim_of()), x12=text))
    assert (failure.value.code, failure.value.outcome) == ("unreadable_interchange", Outcome.PERMANENT)


def test_a_file_that_was_cut_off_is_refused() -> None:
    whole = submission_of(claim_of())
    with pytest.raises(ClearinghouseError, match="unreadable_interchange"):
        Stage().sandbox.submit(replace(whole, x12=whole.x12[: len(whole.x12) // 2]))


def test_an_amount_that_is_no_number_is_refused() -> None:
    whole = submission_of(claim_of())
    with pytest.raises(ClearinghouseError, match="unreadable_interchange"):
        Stage().sandbox.submit(replace(whole, x12=whole.x12.replace("*180*", "*NaN*")))


@pytest.mark.parametrize("declared", Usage)
def test_a_real_claim_is_never_taken(declared: Usage) -> None:
    real = submission_of(claim_of(), usage=Usage.PRODUCTION)
    with pytest.raises(ClearinghouseError, match="not_a_test_claim"):
        Stage().sandbox.submit(replace(real, usage=declared))


def test_a_file_with_other_delimiters_is_understood() -> None:
    stage, plain = Stage(), submission_of(claim_of("BAD999"))
    swapped = plain.x12.translate(str.maketrans({"*": "|", ":": ">", "~": "\n"}))
    stage.sandbox.submit(replace(plain, x12=swapped))
    (file,) = stage.wait(FOR_EVER)
    assert b"IK3*N3*9**3~" in file.content


def test_many_answers_come_in_several_fetches() -> None:
    stage = Stage()
    for _ in range(60):
        stage.send(claim_of())
    stage.now += FOR_EVER
    first = stage.sandbox.fetch("")
    for file in first.files:
        stage.sandbox.acknowledge(file)
    rest = stage.sandbox.fetch(first.next_cursor)
    assert (len(first.files), first.more, len(rest.files), rest.more) == (200, True, 40, False)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_whatever_happened_to_a_file_it_is_answered_or_refused(data: st.DataObject) -> None:
    whole = submission_of(claim_of("PARTIAL"), claim_of("TWICE", charges=("1.00", "2.00")))
    segments = whole.x12.split("~")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(1, len(segments) - 1))
        match data.draw(st.sampled_from(["lose", "repeat", "swap", "empty", "cut"])):
            case "lose":
                del segments[place]
            case "repeat":
                segments.insert(place, segments[place])
            case "swap":
                segments[place - 1], segments[place] = segments[place], segments[place - 1]
            case "empty":
                segments[place] = segments[place].partition("*")[0]
            case "cut":
                segments[place] = segments[place][:-2]
    stage = Stage()
    with suppress(ClearinghouseError):
        stage.sandbox.submit(replace(whole, x12="~".join(segments)))
    stage.wait(FOR_EVER)
