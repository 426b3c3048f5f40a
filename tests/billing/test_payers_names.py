import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.payers.names import MAXIMUM_NAME, MAXIMUM_WORDS, fit_name, readings_of, search_text, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("BCBS of Texas", "Blue Cross and Blue Shield of Texas, Inc."),
        ("BCBSTX", "blue cross blue shield texas"),
        ("BC/BS of Alabama", "BlueCross BlueShield Alabama"),
        ("UHC", "UnitedHealthcare"),
        ("U.H.C.", "UHC"),
        ("B.C.B.S of Texas", "BCBS Texas"),
        ("United Health Care", "UnitedHealthcare"),
        ("Aétna", "AETNA"),
        ("Ætna", "aetna"),
        ("Ｃｉｇｎａ", "cigna"),
        ("PA Medicaid", "Pennsylvania Medicaid"),
        ("Children's Health", "Childrens Health"),
        ("The Health Plan Co.", "health plan"),
    ],
)
def test_two_spellings_of_one_name_read_the_same(one: str, other: str):
    assert search_text(one) == search_text(other)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("L.A. Care", ("la", "care")),
        ("VA Community Care", ("va", "community", "care")),
        ("La Salle Health", ("la", "salle", "health")),
        ("Blue Cross in Texas", ("blue", "cross", "texas")),
        ("The", ("the",)),
        ("%_*?!", ()),
    ],
)
def test_what_is_no_abbreviation_stays_a_word(name: str, words: tuple[str, ...]):
    assert words_of(name) == words


def test_a_query_can_be_read_with_its_states_spelt_out_and_with_two_words_run_together():
    assert readings_of("care first ma") == [
        ("care", "first", "ma"),
        ("care", "first", "massachusetts"),
        ("carefirst", "ma"),
        ("care", "firstma"),
    ]


@given(st.text(max_size=400))
def test_words_are_few_and_hold_letters_and_digits_only(name: str):
    words = words_of(name)
    assert len(words) <= MAXIMUM_WORDS
    assert all(word.isalnum() for word in words)


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=80))
def test_reading_what_was_read_changes_nothing_more(name: str):
    once = search_text(name)
    assert search_text(search_text(once)) == search_text(once)


@given(st.text(min_size=1, max_size=200))
def test_a_name_fits_a_claim(name: str):
    assert 0 < len(fit_name(name)) <= MAXIMUM_NAME


def test_a_long_name_is_cut_at_a_word():
    name = "Blue Cross Blue Shield of Michigan and Blue Care Network of Michigan"
    assert fit_name(name) == "Blue Cross Blue Shield of Michigan and Blue Care Network of"
