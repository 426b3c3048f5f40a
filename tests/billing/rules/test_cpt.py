"""Minutes into psychotherapy codes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from billing.rules.cpt import procedure_for_minutes


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
