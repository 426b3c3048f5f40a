"""What every gateway keeps to, whatever it speaks."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from claims.clearinghouse.port import ClearinghouseError, NotFound, Outcome, Receipt, Submission
from tests.claims.clearinghouse.rigs import Rig, rig_of


@pytest.fixture(params=["sandbox", "stedi", "sftp"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    with rig_of(request.param, tmp_path) as rig:
        yield rig


def lose_the_answer(rig: Rig) -> Submission:
    rig.lose_answers()
    submission = rig.submission()
    with pytest.raises(ClearinghouseError) as failure:
        rig.gateway.submit(submission)
    assert failure.value.outcome is Outcome.UNKNOWN
    return submission


def test_a_claim_that_is_taken_gets_a_reference(rig: Rig) -> None:
    receipt = rig.gateway.submit(rig.submission())
    assert isinstance(receipt, Receipt)
    assert receipt.reference
    assert receipt.mode == "test"
    assert rig.claims_taken() == 1


def test_sending_twice_under_one_key_makes_one_claim(rig: Rig) -> None:
    submission = rig.submission()
    first, second = rig.gateway.submit(submission), rig.gateway.submit(submission)
    assert isinstance(first, Receipt)
    assert isinstance(second, Receipt)
    assert first.reference == second.reference
    assert rig.claims_taken() == 1


def test_two_keys_make_two_claims(rig: Rig) -> None:
    first, second = rig.gateway.submit(rig.submission()), rig.gateway.submit(rig.submission())
    assert isinstance(first, Receipt)
    assert isinstance(second, Receipt)
    assert first.reference != second.reference
    assert rig.claims_taken() == 2


def test_what_is_said_of_a_claim_that_was_never_sent_is_true(rig: Rig) -> None:
    found = rig.gateway.find(rig.submission())
    assert isinstance(found, Receipt | NotFound)
    assert rig.claims_taken() == isinstance(found, Receipt)


def test_a_failure_to_find_out_leaves_it_open(rig: Rig) -> None:
    gateway = rig.unreachable()
    if gateway is None:
        # The sandbox is in process: somebody is always there.
        return
    with pytest.raises(ClearinghouseError) as failure:
        gateway.find(rig.submission())
    assert failure.value.outcome is Outcome.UNKNOWN


def test_asking_and_then_sending_what_is_not_found_ends_with_one_claim(rig: Rig) -> None:
    submission = lose_the_answer(rig)
    rig.recover()
    for _ in range(3):
        found = rig.gateway.find(submission)
        if not isinstance(found, NotFound):
            break
        with suppress(ClearinghouseError):
            found = rig.gateway.submit(submission)
            break
    assert isinstance(found, Receipt)
    assert found.reference
    assert rig.claims_taken() == 1


def test_files_come_until_they_are_acknowledged_or_passed_by_the_cursor(rig: Rig) -> None:
    rig.let_answers_come()
    first = rig.gateway.fetch("")
    assert first.files
    assert rig.gateway.fetch("").files == first.files
    for file in first.files:
        assert file.name
        assert isinstance(file.content, bytes)
        rig.gateway.acknowledge(file)
    assert rig.gateway.fetch(first.next_cursor).files == ()


def test_acknowledging_twice_does_no_harm(rig: Rig) -> None:
    rig.let_answers_come()
    file = rig.gateway.fetch("").files[0]
    rig.gateway.acknowledge(file)
    rig.gateway.acknowledge(file)


def test_no_two_files_of_a_fetch_share_a_name(rig: Rig) -> None:
    rig.let_answers_come()
    names = [file.name for file in rig.gateway.fetch("").files]
    assert len(set(names)) == len(names)


def test_when_nobody_answers_nothing_was_taken(rig: Rig) -> None:
    gateway = rig.unreachable()
    if gateway is None:
        # The sandbox is in process: somebody is always there.
        return
    for call in (lambda: gateway.submit(rig.submission()), lambda: gateway.fetch("")):
        with pytest.raises(ClearinghouseError) as failure:
            call()
        assert failure.value.outcome is Outcome.NOT_TAKEN


def test_failures_and_submissions_show_nothing_of_the_claim(rig: Rig) -> None:
    submission = lose_the_answer(rig)
    rig.lose_answers()
    with pytest.raises(ClearinghouseError) as failure:
        rig.gateway.submit(rig.submission())
    shown = f"{failure.value!r} {failure.value} {submission!r}"
    for secret in ("JANE", "DOE", "W123456789", "DOWN", "19900101", "ISA*"):
        assert secret not in shown


def test_the_gateway_says_what_it_can_do(rig: Rig) -> None:
    assert rig.gateway.name
    assert rig.gateway.capabilities.max_claims_per_interchange >= 1
    assert rig.gateway.capabilities.can_find
