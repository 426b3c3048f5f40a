"""Lines that a program filled to a width, wherever that cuts: a label, a bracket, a box, capitals."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "A: ADHD, predominantly inattentive presentation. Attends well to a task. No\n"
            "OCD symptoms endorsed today.",
            ["F90.0"],
        ),
        (
            "A: Depersonalization-derealization disorder. Panic disorder in full\n"
            "retreat since last winter: resolved.",
            ["F48.1"],
        ),
        (
            "A: Opioid use disorder, severe, on maintenance. Tobacco use disorder, moderate\n(cigarettes).",
            ["F11.20", "F17.210"],
        ),
        (
            "A: TOURETTE'S DISORDER. OCD, MIXED THOUGHTS AND ACTS. SEPARATION ANXIETY IN\n"
            "GRADE SCHOOL, RESOLVED, NOT ACTIVE.",
            ["F95.2", "F42.2"],
        ),
        (
            "Dx: 1. Major depressive disorder, recurrent, moderate  2. Posttraumatic stress\n"
            "disorder, chronic",
            ["F33.1", "F43.12"],
        ),
        (
            "DIAGNOSIS\n[ ] Bipolar I disorder   [X] Bipolar II disorder   [ ] PTSD  chronic   [\n"
            "] ADHD, combined",
            ["F31.81"],
        ),
        (
            "Dx: [X] Adjustment disorder with depressed mood   [ ] Adjustment\n"
            "disorder with anxiety   [ ] Major depressive disorder, recurrent   [ ]\n"
            "Generalized anxiety disorder",
            ["F43.21"],
        ),
    ],
)
def test_a_wrapped_line_reads_as_one(code: Coder, page: str, expected: list[str]) -> None:
    shouted = page.isupper()
    session = "Individual psychotherapy, 45 minutes, in the office.\n"
    assert coded(code((session.upper() if shouted else session) + page)) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "Dx: Adjustment disorder with depressed mood F43.21, and no other diagnosis now.\n"
            "Ottilie has OCD and sees somebody for it.",
            ["F43.21"],
        ),
        (
            "Diagnoses:\nAttention-deficit/hyperactivity disorder, combined presentation\n"
            "Rule out developmental coordination disorder",
            ["F90.2"],
        ),
    ],
)
def test_a_line_of_its_own_goes_on_with_nothing(code: Coder, page: str, expected: list[str]) -> None:
    session = (
        "Individual psychotherapy, 45 minutes, in the office, in a room that was quiet\n"
        "and warm. He told of the week, of the bus that was late and of the neighbor's\ndog.\n"
    )
    assert coded(code(session + page)) == expected


@pytest.mark.parametrize("joint", ["and", "&"])
def test_an_ampersand_is_the_word(code: Coder, joint: str) -> None:
    page = f"Diagnoses are alcohol use disorder, severe {joint} major depressive disorder, recurrent, mild."
    assert coded(code(f"Individual, 45 minutes.\n{page}")) == ["F10.20", "F33.0"]


@pytest.mark.parametrize("joint", ["and", "&"])
def test_a_circumstance_joined_to_a_diagnosis_is_not_left_out_in_silence(code: Coder, joint: str) -> None:
    page = f"Diagnoses are dissociative identity disorder {joint} personal history of childhood sexual abuse."
    assert coded(code(f"Individual, 45 minutes.\n{page}")) in ([], ["F44.81", "Z62.810"])


@pytest.mark.parametrize(
    "goes_on", ["seats taken 4:44, then on until 5:10", "in our seats 4:44 & on until 5:10"]
)
def test_a_break_with_a_time_behind_it_is_asked_about(code: Coder, goes_on: str) -> None:
    result = code(f"Individual DBT session, in person: 4:00-4:31, fire drill, {goes_on}.\nA: BPD F60.3")
    assert result.outcome is Outcome.NEEDS_REVIEW
