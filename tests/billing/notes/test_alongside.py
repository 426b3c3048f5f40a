"""A condition that its sentence puts beside another, and a sentence that takes one of a list back."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
INDIVIDUAL = "Individual psychotherapy, 45 minutes. "


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        (
            "I see obsessive-compulsive personality disorder as the primary problem, with recurrent major"
            " depressive disorder, moderate, as the second diagnosis.",
            ["F60.5", "F33.1"],
        ),
        (
            "Gender dysphoria (F64.0) remains the main diagnosis, and since spring I've added an adjustment"
            " disorder with anxiety as the second one.",
            ["F64.0", "F43.22"],
        ),
        (
            "The diagnosis remains oppositional defiant disorder, and I am listing parent-child relational"
            " problem second.",
            ["F91.3", "Z62.820"],
        ),
        (
            "He has schizoaffective disorder, depressive type, and he also carries a diagnosis of nicotine"
            " dependence, cigarettes.",
            ["F25.1", "F17.210"],
        ),
        (
            "The two conditions under treatment are gambling disorder and alcohol use disorder, mild.",
            ["F63.0", "F10.10"],
        ),
        ("The referral is for erectile disorder, which is the condition under treatment.", ["F52.21"]),
        (
            "I treat (a) generalized anxiety disorder and (b) posttraumatic stress disorder.",
            ["F41.1", "F43.10"],
        ),
        ("This is acute stress disorder. It may turn into PTSD, but it is too early to say.", ["F43.0"]),
    ],
)
def test_prose_lists_one_condition_beside_another(code: Coder, said: str, listed: list[str]) -> None:
    assert coded(code(INDIVIDUAL + said)) == listed


@pytest.mark.parametrize(
    "said",
    [
        "Her school sees ADHD as the primary problem. I am treating panic disorder.",
        "Her sister has ADHD as the second diagnosis. I am treating panic disorder.",
    ],
)
def test_what_others_put_beside_it_is_not_coded(code: Coder, said: str) -> None:
    assert coded(code(INDIVIDUAL + said)) in ([], ["F41.0"])


@pytest.mark.parametrize("first", [True, False], ids=["before the list", "behind it"])
@pytest.mark.parametrize(
    "said",
    [
        "Panic disorder is ruled out.", "Panic disorder has resolved.", "The panic disorder is his mother's.",
        "Panic disorder remains provisional.", "Panic disorder: not met.", "I took panic disorder off.",
        "No longer meets criteria for panic disorder.", "He does not have panic disorder.",
        "Please disregard the panic disorder.", "We can close out panic disorder.",
    ],
)  # fmt: skip
def test_a_sentence_that_takes_back_what_the_list_has_is_asked_about(
    code: Coder, said: str, first: bool
) -> None:
    listed = "Dx: Panic disorder; Kleptomania"
    told = f"{said}\n{listed}" if first else f"{listed}\n{said}"
    assert code(f"Individual psychotherapy, 45 minutes.\n{told}\n").outcome is Outcome.NEEDS_REVIEW
