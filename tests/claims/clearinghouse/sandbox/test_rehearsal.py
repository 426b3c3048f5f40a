"""What member IDs ask for, and how soon it comes."""

from datetime import timedelta

import pytest
from django.conf import settings

from claims.clearinghouse.sandbox.rehearsal import Rehearsal, Scenario, delays_of, rehearsal_of


@pytest.mark.parametrize("scenario", list(Scenario))
def test_each_word_is_understood(scenario: Scenario) -> None:
    assert rehearsal_of(scenario.value).scenario is scenario


@pytest.mark.parametrize("member_id", ["W123456789", "", "HELD1", "XPAID", "DENIE", "1DENIED"])
def test_any_other_member_id_is_paid(member_id: str) -> None:
    assert rehearsal_of(member_id) == Rehearsal(Scenario.PAID)


def test_case_blanks_and_dashes_do_not_matter() -> None:
    assert rehearsal_of("out-of Order-7").scenario is Scenario.OUT_OF_ORDER


@pytest.mark.parametrize(
    ("member_id", "code"),
    [
        ("DENIED", "197"),
        ("DENIED29", "29"),
        ("DENIED197", "197"),
        ("DENIEDB7", "B7"),
        ("DENIED-29", "29"),
        ("DENIEDJOHN", "197"),
        ("DENIED0", "197"),
        ("DENIED16001", "160"),
        ("REJECTED", "A7"),
        ("REJECTEDA3", "A3"),
        ("rejected-a8", "A8"),
        ("REJECTEDA2", "A7"),
        ("PAID29", ""),
    ],
)
def test_the_characters_after_the_word_choose_the_code(member_id: str, code: str) -> None:
    assert rehearsal_of(member_id).code == code


@pytest.mark.parametrize("scenario", list(Scenario))
def test_unless_an_operator_says_otherwise_it_is_over_in_the_ten_minutes_of_the_guide(
    scenario: Scenario,
) -> None:
    polled = timedelta(seconds=settings.POLL_SECONDS)
    for delay in delays_of(scenario).values():
        assert delay / settings.SANDBOX_SPEED + polled < timedelta(minutes=10)
