"""What a speaker takes back in the same breath: only what he says instead may be billed."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
SESSION = "\nIndividual session, 45 minutes."


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    "instead",
    [
        "scratch that",
        "strike that",
        "no wait",
        "correction",
        "I mean",
        "sorry",
        "or rather",
        "let me correct that",
        "no, make that",
        "uh, excuse me, it's",
        "change that to",
    ],
)
def test_the_diagnosis_said_instead_is_coded_alone(code: Coder, instead: str) -> None:
    said = f"Diagnosis is panic disorder, {instead}, generalized anxiety disorder."
    assert coded(code(said + SESSION)) == ["F41.1"]


def test_a_code_put_right_is_coded_alone(code: Coder) -> None:
    assert coded(code(f"Dx F41.0, correction F41.1.{SESSION}")) == ["F41.1"]


def test_two_of_one_list_are_both_coded(code: Coder) -> None:
    assert coded(code(f"Diagnosis is panic disorder, and generalized anxiety disorder.{SESSION}")) == [
        "F41.0",
        "F41.1",
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Diagnosis is panic disorder, no, generalized anxiety disorder.",
        "Diagnosis is MDD, single, moderate, no, make that recurrent, moderate.",
        "Diagnosis is adjustment disorder with anxiety, excuse me, with mixed anxiety and depressed mood.",
        "Diagnosis is adjustment disorder with anxiety, no, correction, please type adjustment disorder with"
        " mixed anxiety and depressed mood.",
    ],
)
def test_what_is_not_clear_is_asked_about(code: Coder, said: str) -> None:
    assert code(said + SESSION).outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize("instead", ["correction", "scratch that", "I mean", "sorry", "no wait"])
def test_a_length_put_right_is_asked_about(code: Coder, instead: str) -> None:
    result = code(f"Dx: GAD.\nIndividual session of 45 minutes, {instead}, 55 minutes.")
    assert result.reasons == (Reason.TIME_CONFLICT,)
