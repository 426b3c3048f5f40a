"""A condition that is told by the words of a statement and was not read as one is asked about, by a table of
words that anybody can learn again."""

import json
from collections.abc import Callable

import pytest

from billing.notes.codeset import CodeSet
from billing.notes.decision.stated_words import stated_words
from billing.notes.learn_stated_words import Told, learn, told_in
from billing.notes.result import NoteResult, Outcome, Reason
from tests.billing.notes.conftest import written_notes

Coder = Callable[..., NoteResult]
NOTE = (
    "Mr. Adler is seen here for generalized anxiety disorder. {said} We met for 50 minutes and went over his"
    " week; the worry about the move is smaller. He will keep the log."
)


@pytest.mark.parametrize(
    "said",
    [
        "He avoids his classmates, and I have accordingly diagnosed social anxiety disorder in addition.",
        "It is best that I repeat it, persistent depressive disorder dating from his early twenties.",
        "For anyone reading this, he was diagnosed with excoriation disorder along with the worry.",
    ],
)
def test_what_reads_like_a_statement_beside_a_billed_condition_is_asked_about(code: Coder, said: str) -> None:
    result = code(NOTE.format(said=said))
    assert result.outcome is Outcome.NEEDS_REVIEW
    assert Reason.DIAGNOSIS_UNREAD in result.reasons


@pytest.mark.parametrize(
    "said",
    [
        "His brother's ADHD came up again.",
        "He had panic disorder in college and has had none of it since.",
        "Nothing points to bipolar disorder.",
        "A friend of his is treated for OCD.",
    ],
)
def test_what_is_told_of_others_or_of_the_past_is_not(code: Coder, said: str) -> None:
    result = code(NOTE.format(said=said))
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F41.1"])


def test_the_same_notes_teach_the_same_table(codes: CodeSet) -> None:
    groups = {
        name: [told for note in written_notes(name) for told in told_in(note, codes)]
        for name in ("others_178", "others_180")
    }
    assert json.dumps(learn(groups)) == json.dumps(learn(dict(reversed(groups.items()))))


def test_a_condition_is_labelled_by_the_gold(codes: CodeSet) -> None:
    note = {
        "text": "She is seen for panic disorder. Her mother has bipolar disorder. We met for 45 minutes.",
        "gold": {"dx": ["F41.0"]},
    }
    told = list(told_in(note, codes))
    assert [(each.stated, each.passed_over) for each in told] == [(True, False), (False, False)]
    assert isinstance(told[0], Told)


def test_the_packaged_table_is_small() -> None:
    assert 1000 < len(stated_words().weights) <= 8000
