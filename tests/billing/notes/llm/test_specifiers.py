"""What a model adds to a condition counts only where the note says it."""

from typing import Any

import pytest

from billing.notes.codeset import CodeSet
from billing.notes.llm.engine import Engine
from billing.notes.result import Outcome
from tests.billing.notes.llm.fake_model import answer, clause_of, fake_model, finding, says
from tests.billing.notes.llm.test_engine import run

SESSION = "P: Weekly. Individual session, 45 minutes."


def reading(concept: str, words: str, **specifiers: str) -> Any:
    def reply(request: dict[str, Any]) -> Any:
        said = finding(concept, words, clause_of(request, words), specifiers=specifiers)
        return says(answer(said))(request)

    return reply


@pytest.mark.parametrize("severity", ["severe", "moderate", "mild"])
def test_a_severity_that_the_note_lacks_is_asked(codes: CodeSet, severity: str) -> None:
    words = "Major depressive disorder, recurrent"
    model_says = reading("major_depressive_disorder", words, episode="recurrent", severity=severity)
    with fake_model(model_says) as model:
        result = run(model, codes, Engine.LLM, note=f"A: {words}.\n{SESSION}")
    assert result.outcome is Outcome.NEEDS_REVIEW, result.diagnoses


def test_a_severity_that_the_note_has_is_coded(codes: CodeSet) -> None:
    words = "Major depressive disorder, recurrent, moderate"
    model_says = reading("major_depressive_disorder", words, episode="recurrent", severity="moderate")
    with fake_model(model_says) as model:
        result = run(model, codes, Engine.LLM, note=f"A: {words}.\n{SESSION}")
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F33.1"])


@pytest.mark.parametrize(
    ("note", "severity"),
    [
        ("mild or moderate.", "severe"),
        ("mild. Later: major depressive disorder, recurrent, severe.", "moderate"),
    ],
)
def test_no_severity_of_the_models_own_settles_what_the_note_leaves_open(
    codes: CodeSet, note: str, severity: str
) -> None:
    words = "Major depressive disorder, recurrent"
    model_says = reading("major_depressive_disorder", words, episode="recurrent", severity=severity)
    with fake_model(model_says) as model:
        result = run(model, codes, Engine.LLM, note=f"A: {words}, {note}\n{SESSION}")
    assert result.outcome is Outcome.NEEDS_REVIEW, result.diagnoses
