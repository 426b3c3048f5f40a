"""Minutes into psychotherapy codes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from billing.rules.cpt import procedure_for_minutes, units_for_minutes
from billing.rules.registry import check
from tests.billing.rules.cast import lines


@pytest.mark.parametrize(
    ("minutes", "code"),
    [
        (0, None),
        (15, None),
        (15.9, None),
        (16, "90832"),
        (37, "90832"),
        (37.9, "90832"),
        (38, "90834"),
        (52, "90834"),
        (52.99, "90834"),
        (53, "90837"),
        (1440, "90837"),
    ],
)
def test_whole_completed_minutes_choose_the_code(minutes: float, code: str | None) -> None:
    assert procedure_for_minutes(minutes) == code


@given(st.floats(0, 1440), st.floats(0, 1440))
@settings(max_examples=100)
def test_more_minutes_never_give_a_smaller_code(first: float, second: float) -> None:
    shorter, longer = sorted((first, second))
    assert (procedure_for_minutes(shorter) or "") <= (procedure_for_minutes(longer) or "")


@pytest.mark.parametrize(
    ("codes", "minutes", "units"),
    [
        (["H0004"], 60, {"H0004": 4}),
        (["H0004"], 59, {"H0004": 3}),
        (["H0004"], 14, {"H0004": 0}),
        (["H0050"], 60, {"H0050": 4}),
        (["H2032"], 45, {"H2032": 3}),
        (["S9482"], 45, {"S9482": 3}),
        (["0373T"], 45, {"0373T": 3}),
        (["97153"], 120, {"97153": 8}),
        (["90839", "90840"], 104, {"90840": 1}),
        (["90840", "90839"], 105, {"90840": 2}),
        (["90839", "90840"], 74, {"90840": 0}),
        (["90837"], 120, {}),
        (["96130", "96131"], 240, {}),
        (["H0004", "H0038"], 60, {}),
        (["H0004", "H0004"], 60, {}),
        (["90839", "90840", "99213"], 105, {}),
        ([], 60, {}),
    ],
)
def test_minutes_give_units_where_no_other_code_shares_them(
    codes: list[str], minutes: int, units: dict[str, int]
) -> None:
    assert units_for_minutes(codes, minutes) == units


@pytest.mark.parametrize(("code", "minutes"), [("90837", 30), ("90832", 10), ("90839", 20), ("90847", 20)])
def test_a_code_that_claims_more_minutes_says_what_helps_where_these_are_wrong(
    code: str, minutes: int
) -> None:
    found = check(lines(code, session={"minutes": minutes})).blocking
    assert [each.message.partition("; ")[2] for each in found] == [
        "if the minutes are wrong, tell billing staff, who let it go on."
    ]
