"""A payer's pattern is kept only where matching it comes to an end."""

import time

import pytest

from billing.rules.member_id_form import FormError, form_of

ODD_ID = "A" * 79 + "!"


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "W[0-9]{9}(?:[0-9]{2})?|1[0-9]{11}",
        "[A-Z]{3}[0-9]+",
        "[A-Z]+[0-9]*",
        r"[(+*\]]{0,40}\(+",
        "(A|B)[0-9]{,9}",
        "A*A*",
    ],
)
def test_a_usual_pattern_is_read_and_matched_soon(pattern: str):
    begun = time.monotonic()
    form_of(pattern).fullmatch(ODD_ID)
    assert time.monotonic() - begun < 0.5


@pytest.mark.parametrize(
    "pattern",
    [
        "(A+)+$",
        "([A-Z]|A){40}",
        "(A|AA)*",
        "A*A*A*A*!",
        "A{0,80}A{0,80}A{,80}!",
        "(A|A)" * 30,
        "A?" * 40 + "!",
    ],
)
def test_a_pattern_that_could_be_tried_for_ever_is_refused(pattern: str):
    with pytest.raises(FormError):
        form_of(pattern)


@pytest.mark.parametrize("pattern", ["(", "[", "A{5,2}", "A{99999999999}", r"(A)\2", "(?=A+)B"])
def test_what_cannot_be_read_is_refused_in_words(pattern: str):
    with pytest.raises(FormError, match=r"\.$"):
        form_of(pattern)
