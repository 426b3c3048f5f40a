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
        "Dx: PTSD. Correction: OCD is not present.",
        "Dx: GAD, scratch that, panic disorder ruled out",
        "Dx: GAD (F41.1). Correction: PTSD (F43.10) was omitted.",
        "Dx: PTSD, I mean GAD too",
        "Dx: PTSD and GAD, scratch that, panic disorder and OCD",
        "Dx: F41.1 (sorry, F41.0)",
        "Dx: GAD scratch that panic disorder",
        "Dx: GAD oops panic disorder",
        "Dx: F41.1, uh no F41.0",
    ],
)
def test_what_is_not_clear_is_asked_about(code: Coder, said: str) -> None:
    assert code(said + SESSION).outcome is Outcome.NEEDS_REVIEW


def test_what_is_no_correction_takes_nothing_back(code: Coder) -> None:
    assert coded(code(f"Dx: PTSD, wait, no OCD.{SESSION}")) == ["F43.10"]
    assert coded(code(f"Dx: GAD. Sorry, PTSD (F43.10) too.{SESSION}")) == ["F41.1", "F43.10"]


@pytest.mark.parametrize(
    "said", ["Correction officer, 52, was discussed.", "Sorry, I was late by ten minutes."]
)
def test_words_of_another_sentence_take_no_length_back(code: Coder, said: str) -> None:
    result = code(f"Dx: GAD.\nIndividual session of 45 minutes. {said}")
    assert (result.outcome, result.procedures[0].minutes) == (Outcome.CODED, 45)


@pytest.mark.parametrize("instead", ["correction", "scratch that", "I mean", "sorry", "no wait"])
def test_a_length_put_right_is_asked_about(code: Coder, instead: str) -> None:
    result = code(f"Dx: GAD.\nIndividual session of 45 minutes, {instead}, 55 minutes.")
    assert result.reasons == (Reason.TIME_CONFLICT,)


@pytest.mark.parametrize(
    "said",
    [
        "GAD, scratch that.",
        "GAD - no, strike that",
        "GAD. Scratch that.",
        "GAD (scratch that)",
        "GAD, never mind",
        "F41.1, disregard",
        "PTSD and GAD, scratch that.",
        "GAD, no wait.",
    ],
)
def test_what_is_taken_back_without_another_in_its_place_is_asked_about(code: Coder, said: str) -> None:
    result = code(f"Individual psychotherapy, 45 minutes.\nA: {said}\nP: Weekly.")
    assert result.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "length",
    [
        "45 minutes (correction: 55)",
        "45 min, oops, 55 min",
        "45 minutes -- make that 55",
        "45 minutes, make it 55.",
        "45 minutes (should be 55)",
        "45 min [55]",
        "45 minutes. Correction, 55.",
        "45 minutes, uh, 55 minutes",
        "10:00-10:45, make that 10:55",
    ],
)
def test_a_length_put_right_in_the_same_breath_is_asked_about(code: Coder, length: str) -> None:
    result = code(f"Dx: GAD\nIndividual psychotherapy {length}")
    assert result.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize("exercise", ["walking", "jogging", "gym", "yoga"])
@pytest.mark.parametrize("head", ["Individual psychotherapy today.", "Individual psychotherapy.\nExercise:"])
def test_minutes_of_exercise_are_no_session(code: Coder, exercise: str, head: str) -> None:
    result = code(f"Dx: GAD\n{head}\n30 min today, {exercise}\nPlan: weekly")
    assert result.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "status",
    [
        "Cancelled",
        "Status: Cancelled",
        "Appointment: canceled by client",
        "CXL",
        "Rescheduled to Friday",
        "Missed",
    ],
)
def test_a_status_alone_says_that_nothing_was_held(code: Coder, status: str) -> None:
    result = code(f"Client: J.D.\n{status}\nIndividual psychotherapy 45 minutes\nDx: GAD")
    assert result.outcome is Outcome.NOT_BILLABLE


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("Diagnosis changed from F33.1 to F33.42; no significant symptoms since spring.", ["F33.42"]),
        ("Diagnosis: F33.42\nAssessment: Diagnosis changed from F33.1 to F33.42.", ["F33.42"]),
        ("Dx revised: F43.20 to F32.0", ["F32.0"]),
        ("In 2019 the diagnosis was changed from F33.1 to F33.42.", []),
        ("Diagnosis changed from F33.1 to F33.42 by her last clinic.", []),
    ],
)
def test_what_a_diagnosis_was_changed_to_counts_unless_it_was_then(
    code: Coder, said: str, now: list[str]
) -> None:
    assert coded(code(f"{said}{SESSION}")) == now
