"""The lexicon is sound, and what is packaged is what the readable files say."""

import pytest

from billing.notes.build_lexicon import (
    GENERATED,
    LexiconError,
    compile_lexicon,
    expand,
    official_terms,
    parse_rule,
    read_yaml,
)
from billing.notes.codeset import CodeSet
from billing.notes.lexicon import load_lexicon
from billing.notes.linter import lint, lint_readings


def test_the_packaged_lexicon_is_compiled_from_the_files() -> None:
    assert compile_lexicon()["sha"] == load_lexicon().sha


def test_the_linter_finds_nothing(codes: CodeSet) -> None:
    assert lint(codes) == []


@pytest.mark.timeout(300)
def test_every_wording_is_read_and_its_denial_is_not_coded(codes: CodeSet) -> None:
    assert lint_readings(codes) == []


def test_the_linter_names_codes_that_a_release_lacks(codes: CodeSet) -> None:
    fewer = CodeSet.from_rows((row for row in codes.rows() if row[0] != "F41.1"), release="cut short")
    assert "generalized_anxiety_disorder: F41.1 is unknown in cut short" in lint(fewer)


def test_the_generated_terms_are_those_of_the_tabular_list() -> None:
    import simple_icd_10_cm as tabular

    codes = ["F98.4", "F94.0", "Z63.0"]
    rows = [(code, tabular.get_description(code), tabular.get_inclusion_term(code)) for code in codes]
    stored = read_yaml(GENERATED.name)
    assert {code: stored[code] for code in codes} == official_terms(rows)


def test_a_form_is_written_out() -> None:
    assert list(expand("(mild|severe) [alcohol] use")) == [
        "mild use",
        "mild alcohol use",
        "severe use",
        "severe alcohol use",
    ]


def test_nested_groups_are_refused() -> None:
    with pytest.raises(LexiconError):
        list(expand("(a [b]) c"))


def test_a_rule_is_parsed() -> None:
    assert parse_rule("recurrent + mild|moderate", "F33.1 ? reason") == [
        [["recurrent"], ["mild", "moderate"]],
        "F33.1",
        "reason",
    ]
