"""How the lines of a page belong together: what is joined, what goes on a list, and what does not."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
SESSION = "Individual psychotherapy, 45 minutes."


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize("ticked", ["[x]", "(x)", "\u2611"])
def test_boxes_behind_their_options_stay_there(code: Coder, ticked: str) -> None:
    empty = "\u2610" if ticked == "\u2611" else ticked.replace("x", " ")
    options = (
        ("Generalized anxiety disorder", ticked),
        ("Posttraumatic stress disorder", empty),
        ("OCD", empty),
    )
    page = "\n".join(f"{option:60}{box}" for option, box in options)
    assert coded(code(f"{SESSION}\n{page}")) == ["F41.1"]


@pytest.mark.parametrize("line", ["Kid has ADHD", "PCP says MDD", "MDD in college", "PTSD, treated in 2010"])
@pytest.mark.parametrize("apart", ["\n", "\n\n"])
def test_a_line_that_tells_of_something_is_no_entry(code: Coder, line: str, apart: str) -> None:
    page = apart.join([SESSION, "Dx: GAD", line, "Plan: weekly", "signed"])
    assert coded(code(page)) == ["F41.1"]


def test_fields_in_small_letters_stay_apart(code: Coder) -> None:
    page = (
        "individual psychotherapy 45 min in office today, client on time\n"
        "dx: generalized anxiety disorder, stable on present care plan\n"
        "mother: ptsd, in treatment\n"
        "worry most days, sleeps six hours a night and eats well\nplan: weekly cbt"
    )
    assert coded(code(page)) == ["F41.1"]


def test_items_that_are_bare_conditions_go_on_with_the_list(code: Coder) -> None:
    page = (
        "- Individual 45 min\n- Diagnosis: GAD\n- Panic disorder\n- Social anxiety disorder\n- Plan: weekly"
    )
    assert coded(code(page)) == ["F41.1", "F41.0", "F40.10"]


def test_an_item_about_a_relative_does_not(code: Coder) -> None:
    page = "- Individual 45 min\n- Diagnosis: GAD\n- Sister has OCD and sees someone for it\n- Plan: weekly"
    assert coded(code(page)) == ["F41.1"]


def test_a_note_whose_line_ends_are_gone_has_its_sections_again(code: Coder) -> None:
    page = (
        "S: Sleeps better; her mother was told that she has bipolar disorder, and it worries her at night."
        " O: On time. A: Generalized anxiety disorder and panic disorder, both less. P: Weekly, breathing."
        " Time: 2:05 PM - 2:55 PM, individual"
    )
    assert coded(code(page)) == ["F41.1", "F41.0"]


def test_an_answer_does_not_go_on_with_the_next_line(code: Coder) -> None:
    page = (
        "Individual 45 minutes.\nNew trauma, new losses or new stressors since last time? no\n"
        "PTSD (F43.10)\nGAD (F41.1)"
    )
    assert coded(code(page)) == ["F43.10", "F41.1"]


@pytest.mark.parametrize(
    ("head", "service"),
    [
        ("Hope Associates, Reno NV 89501\nClient: J.D.\nAge: 30\nInsurance: BCBS", "90791"),
        ("Smith Family Clinic", "90791"),
        ("", "90791"),
    ],
)
def test_a_letterhead_hides_no_title(code: Coder, head: str, service: str) -> None:
    result = code(f"{head}\nIntake\n60 minutes\nDx: GAD")
    assert [procedure.code for procedure in result.procedures] == [service]


def test_what_names_a_visit_of_another_kind_is_no_letterhead(code: Coder) -> None:
    result = code("Medication check, phone 555-123-4567\nDx: GAD. 30 minutes")
    assert result.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "said", ["Cannabis use disorder, meth, severe.", "Opioid use disorder (Xanax), severe."]
)
def test_a_substance_of_another_class_is_asked_about(code: Coder, said: str) -> None:
    assert code(f"Dx: {said}\n{SESSION}").outcome is Outcome.NEEDS_REVIEW
