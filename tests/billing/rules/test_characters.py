"""Texts in the characters of a claim."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from billing.rules.characters import basic_text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("José Núñez", "Jose Nunez"),
        ("Straße", "Strasse"),
        ("Łukasz Ørsted", "Lukasz Orsted"),
        ("O’Neil", "O'Neil"),
        ("Apt #4", "Apt 4"),
        ("a*b:c^d~e", "a b c d e"),
        ("Smith–Jones", "Smith-Jones"),
        ("  two   blanks ", "two blanks"),
        ("李", ""),
        ("line\nbreak", "line break"),
        ("ＡＢＣ", "ABC"),
        ("123½ Main St", "123 1/2 Main St"),
        ("123 ½ Main St", "123 1/2 Main St"),
        ("½ Elm St", "1/2 Elm St"),
        ("12⅞", "12 7/8"),
        ("1⁄2 Elm St", "1/2 Elm St"),
        ("Unit 4½B", "Unit 4 1/2 B"),
        ("5² Main St", "5 2 Main St"),
        ("5₂", "5 2"),
        ("① Elm St", "1 Elm St"),
        ("12① Elm St", "12 1 Elm St"),
        ("Mª José", "Ma Jose"),
        ("2ⁿᵈ Floor", "2nd Floor"),
        ("Ann\u200bie Sm\u00adith", "Annie Smith"),
        ("\ufeff\u202aDana\u202c\u200e", "Dana"),
        ("D\u034fana\ufe0f", "Dana"),
    ],
)
def test_what_becomes_of_a_text(text: str, plain: str) -> None:
    assert basic_text(text) == plain


@given(st.text(max_size=40))
@settings(max_examples=200)
def test_nothing_else_is_left(text: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9 !\"&'()+,\-./;?=]*", basic_text(text))


@given(st.text(max_size=40))
@settings(max_examples=100)
def test_doing_it_twice_changes_nothing(text: str) -> None:
    assert basic_text(basic_text(text)) == basic_text(text)
