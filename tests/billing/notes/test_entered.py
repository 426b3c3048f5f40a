"""What the entry of a diagnosis says of its place on the list."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
SESSION = "\nIndividual psychotherapy, 45 minutes."


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    ("said", "off"),
    [
        (
            "F90.2 ADHD, combined; F91.3 ODD. F84.0 came off the chart in January when testing saw none.",
            "F84.0",
        ),
        ("Dx: F10.21. F14.10 in the old list = history only (none since 2011).", "F14.10"),
        ("Dx: F42.2 OCD. F95.2 pulled from the list last month.", "F95.2"),
        (
            "Dx table\n- F31.81 - Bipolar II\n- F41.9 - Anxiety disorder, unspecified - INACTIVATED 01/09",
            "F41.9",
        ),
        ("A - F50.011 anorexia nervosa. (F32.9 dropped from the list 9/2: lifted w/ refeeding.)", "F32.9"),
        ("Codes F90.0 / F43.10 were put on the superbill as placeholders; none is confirmed.", "F43.10"),
        (
            "Problem list\n- Social anxiety disorder (F40.10)\n- Depression (F32.A): prior, do not bill",
            "F32.A",
        ),
        ("Dx: F84.0. Deleted from list: F60.1, given by a previous clinic.", "F60.1"),
        ("Dx: F40.231. F41.0 carried with a question mark since intake, so not added.", "F41.0"),
        ("Dx: F50.21. Consult team floated F60.3; I see traits only, team agreed to strike it.", "F60.3"),
        ("Dx: nightmare disorder, F51.5. The PTSD of 2022 (F43.12) was retired from the list.", "F43.12"),
    ],
)
def test_a_code_that_its_own_entry_takes_off_the_list_is_not_billed_unasked(
    code: Coder, said: str, off: str
) -> None:
    assert off not in coded(code(f"{said}{SESSION}"))


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("Dx: F42.2 OCD. F95.2 pulled from the list last month.", ["F42.2"]),
        ("Dx: F10.21. F14.10 in the old list = history only (none since 2011).", ["F10.21"]),
        (
            "Dx table\n rank 2 - F10.11 - Alcohol use disorder, mild, in sustained remission\n"
            " rank 1 - F31.81 - Bipolar II disorder\n"
            " n/a    - F41.9 - Anxiety disorder, unspecified - INACTIVATED 01/09",
            ["F31.81", "F10.11"],
        ),
    ],
)
def test_what_stays_on_the_list_is_billed_in_its_order(code: Coder, said: str, rest: list[str]) -> None:
    assert coded(code(f"{said}{SESSION}")) == rest


def test_a_code_off_the_list_can_still_be_chosen(code: Coder) -> None:
    result = code(f"Dx: F42.2 OCD. F95.2 pulled from the list last month.{SESSION}")
    assert "F95.2" in [candidate.code for candidate in result.candidates]


@pytest.mark.parametrize(
    "said",
    [
        "Dx: F42.2 OCD. F95.2 was given by the previous clinic.",
        "Dx: F42.2, pulled from the list last month.",
    ],
)
def test_a_code_that_its_entry_doubts_and_the_only_one_are_asked_about_as_a_conflict(
    code: Coder, said: str
) -> None:
    assert Reason.CONFLICT_CODES in code(f"{said}{SESSION}").reasons


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Dx: F33.1, F41.1 (Z63.0 removed 3/1).", ["F33.1", "F41.1"]),
        ("Dx: F33.1 MDD, recurrent, moderate; he dropped out of school.", ["F33.1"]),
        ("Dx: F41.1. Problem list reviewed, nothing removed.", ["F41.1"]),
        ("Dx: F32.A Depressive disorder NOS (old chart sheet).", ["F32.A"]),
        ("Dx: F43.10; F33.1. Her brother was taken off the transplant list.", ["F43.10", "F33.1"]),
        ("Dx: F63.2 kleptomania | Z65.3 legal circumstances, charge pending", ["F63.2", "Z65.3"]),
        ("Bipolar I, current ep depressed, severe, no psychotic fx - F31.4", ["F31.4"]),
    ],
)
def test_what_is_said_of_something_else_takes_no_code_off_the_list(
    code: Coder, said: str, expected: list[str]
) -> None:
    assert coded(code(f"{said}{SESSION}")) == expected
