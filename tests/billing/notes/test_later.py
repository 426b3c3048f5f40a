"""A pattern that is compiled when it is first needed does what the compiled one does."""

import re
from typing import cast

import pytest

from billing.notes.coder import prepare
from billing.notes.later import _PATTERNS, _Later, later


def test_it_finds_what_the_compiled_pattern_finds() -> None:
    found = later(r"(?P<n>\d+) min").search("met 45 min")
    assert found is not None
    assert found["n"] == "45"


def test_a_pattern_is_compiled_on_its_first_use() -> None:
    broken = cast(re.Pattern[str], _Later(r"(", re.NOFLAG))
    with pytest.raises(re.error):
        broken.search("")


def test_its_flags_hold() -> None:
    assert later("name", re.IGNORECASE).match("NAME") is not None


def test_after_the_preparation_every_pattern_is_compiled() -> None:
    prepare()
    assert all(pattern._compiled for pattern in _PATTERNS)
