"""Specialty and credentials into taxonomy codes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from billing.rules.taxonomy import _PROFESSIONS, infer_taxonomy, is_known_taxonomy, is_prescriber


@pytest.mark.parametrize(
    ("specialty", "code"),
    [
        ("Psychologist", "103T00000X"),
        ("psychology", "103T00000X"),
        ("Clinical Psychologist", "103TC0700X"),
        ("Psychologist, Clinical", "103TC0700X"),
        ("Addiction Psychologist", "103TA0400X"),
        ("psychologist, addiction", "103TA0400X"),
        ("Child and Adolescent Psychologist", "103TC2200X"),
        ("Counseling Psychology", "103TC1900X"),
        ("Neuropsychologist", "103G00000X"),
        ("Clinical Social Worker", "1041C0700X"),
        ("Licensed Clinical Social Work", "1041C0700X"),
        ("LCSW", "1041C0700X"),
        ("Social Worker", "104100000X"),
        ("Marriage and Family Therapist", "106H00000X"),
        ("Marriage & Family Therapy", "106H00000X"),
        ("LMFT", "106H00000X"),
        ("Mental Health Counselor", "101YM0800X"),
        ("Counselor, mental health", "101YM0800X"),
        ("Mental Health Counselling", "101YM0800X"),
        ("Licensed Professional Counselor", "101YP2500X"),
        ("Counselor, Professional", "101YP2500X"),
        ("LPC", "101YP2500X"),
        ("LMHC", "101YM0800X"),
        ("Counselor", "101Y00000X"),
        ("Addiction", "101YA0400X"),
        ("Substance Use Disorder Counselor", "101YA0400X"),
        ("Psychiatrist", "2084P0800X"),
        ("Child Psychiatry", "2084P0804X"),
        ("Addiction Psychiatry", "2084P0802X"),
        ("Psychiatric Nurse Practitioner", "363LP0808X"),
        ("Psychiatric Mental Health Nurse Practitioner (PMHNP)", "363LP0808X"),
        ("Behavior Analyst", "103K00000X"),
        ("Art Therapist", "221700000X"),
        ("Psychotherapist", None),
        ("Anxiety and trauma", None),
        ("", None),
    ],
)
def test_the_specialty_says_what_someone_is(specialty: str, code: str | None) -> None:
    assert infer_taxonomy(specialty) == code


@pytest.mark.parametrize(
    ("credentials", "code"),
    [
        ("LCSW", "1041C0700X"),
        ("L.C.S.W.-C", "1041C0700X"),
        ("LICSW", "1041C0700X"),
        ("LMFT", "106H00000X"),
        ("LPC", "101YP2500X"),
        ("LMHC", "101YM0800X"),
        ("PsyD", "103TC0700X"),
        ("Psy.D.", "103TC0700X"),
        ("PhD", "103TC0700X"),
        ("Ph.D., LMFT", "106H00000X"),
        ("MD", "2084P0800X"),
        ("PMHNP-BC", "363LP0808X"),
        ("MA, LCPC", "101YP2500X"),
        ("MA", None),
        (None, None),
    ],
)
def test_credentials_serve_where_the_specialty_is_silent(credentials: str | None, code: str | None) -> None:
    assert infer_taxonomy(None, credentials) == code
    assert infer_taxonomy("Anxiety and trauma", credentials) == code


@pytest.mark.parametrize(
    ("specialty", "credentials", "code"),
    [
        ("Marriage and Family Therapist", "LCSW", "106H00000X"),
        ("Psychologist", "PhD", "103T00000X"),
        ("Clinical Psychologist", "LMFT", "103TC0700X"),
    ],
)
def test_the_specialty_comes_first(specialty: str, credentials: str, code: str) -> None:
    assert infer_taxonomy(specialty, credentials) == code


@pytest.mark.parametrize(
    ("specialty", "credentials", "code"),
    [
        ("Social worker", "LCSW", "1041C0700X"),
        ("Counselor", "LPC", "101YP2500X"),
        ("Counselor", "LCSW", "101Y00000X"),
        ("Addiction", "PsyD", "103TA0400X"),
        ("Addiction", "MD", "2084P0802X"),
        ("Addiction", "LCSW", "1041C0700X"),
    ],
)
def test_credentials_make_a_broad_specialty_exact(specialty: str, credentials: str, code: str) -> None:
    assert infer_taxonomy(specialty, credentials) == code


@pytest.mark.parametrize("code", [code for code, _ in _PROFESSIONS])
def test_only_known_codes_are_inferred(code: str) -> None:
    assert is_known_taxonomy(code)


@given(st.text(max_size=60), st.text(max_size=20))
@settings(max_examples=100)
def test_any_words_give_a_known_code_or_none(specialty: str, credentials: str) -> None:
    code = infer_taxonomy(specialty, credentials)
    assert code is None or is_known_taxonomy(code)


@pytest.mark.parametrize(
    ("code", "prescribes"),
    [
        ("2084P0800X", True),
        ("363LP0808X", True),
        ("103TP0016X", True),
        ("103TC0700X", False),
        ("101YM0800X", False),
    ],
)
def test_who_prescribes(code: str, prescribes: bool) -> None:
    assert is_prescriber(code) is prescribes
