"""A severity, course or remission told far from its condition: never billed as unspecified."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
CONDITIONS = {
    "F43.10": ("posttraumatic stress disorder", "chronic"),
    "F33.9": ("major depressive disorder, recurrent", "moderate"),
    "F50.20": ("bulimia nervosa", "severe"),
    "F31.30": ("bipolar I disorder, current episode depressed", "mild"),
    "F31.9": ("bipolar I disorder", "in full remission"),
}
NOTES = (
    "Individual psychotherapy, 45 minutes.\nDx: {}\nSession: We reviewed the log. {}\nPlan: weekly.",
    "Individual psychotherapy, 45 minutes, in the office. I am treating her for {}. She slept badly after "
    "the move and called her sister twice. We planned the weekend. {} She will come again next week.",
    "S: ok, tired.\nA: {}. Doing her homework. {}\nP: Individual psychotherapy, 45 minutes. Weekly.",
)


@pytest.mark.parametrize(
    "said",
    [
        "This is {}.",
        "Severity: {}.",
        "Course: {}.",
        "My rating: {}.",
        "The current rating is {}.",
        "By my count the severity specifier is {}.",
        "Severity at this time is best described as {}.",
        "Right now it is {}.",
        "It has become {}.",
        "It has been {} since the spring.",
        "The disorder is {} at this point.",
        "The picture is {}.",
        "I would call it {} now.",
        "If I had to grade it I would write {}, and I do.",
        "I am putting it at {}.",
        "I have it down as {}.",
        "We are at {} today.",
        "By criteria count that makes it {}.",
        "It now meets the {} specifier.",
        "She is in the {} range.",
        "{} by my rating.",
    ],
)
def test_it_is_never_billed_without_it(code: Coder, said: str) -> None:
    for unspecified, (name, specifier) in CONDITIONS.items():
        sentence = said.format(specifier)
        for note in NOTES:
            result = code(note.format(name, sentence[0].upper() + sentence[1:]))
            codes = [each.code for each in result.diagnoses]
            assert result.outcome is not Outcome.CODED or codes != [unspecified], (name, note)


def test_a_ticked_severity_below_other_lines_is_asked_about(code: Coder) -> None:
    note = (
        "Individual psychotherapy, 53 minutes.\nDiagnosis: F50.2 bulimia nervosa\n\nBinges in 28 days: 19\n"
        "Current severity for above dx:  ( ) mild   (X) moderate   ( ) severe   ( ) in remission\n"
    )
    assert "specifier_unclear" in code(note).reasons


def test_of_an_adjustment_disorder_what_is_part_of_it_is_asked_about(code: Coder) -> None:
    note = (
        "Diagnostic evaluation, 65 minutes.\n"
        "Impression: this is an adjustment disorder; both anxiety and depressed mood are part of it.\n"
    )
    assert "specifier_unclear" in code(note).reasons


@pytest.mark.parametrize(
    "said",
    [
        "Her headache is severe.",
        "Risk is moderate.",
        "Her mother's depression is severe.",
        "On the PHQ-9 it is moderate.",
        "Pain level: severe.",
        "Her distress in traffic was rated severe.",
    ],
)
def test_the_grade_of_something_else_asks_nothing(code: Coder, said: str) -> None:
    note = f"Individual psychotherapy, 45 minutes.\nDx: MDD, recurrent\nS: Slept badly. {said}\nPlan: weekly."
    result = code(note)
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F33.9"])
