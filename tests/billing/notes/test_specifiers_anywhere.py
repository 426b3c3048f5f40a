"""A specifier is read however it is written behind its condition."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
CONDITIONS = {
    "F33.1": ("MDD", "recurrent", "moderate"),
    "F33.42": ("MDD", "recurrent", "in full remission"),
    "F43.12": ("PTSD", "chronic"),
    "F10.20": ("alcohol use disorder", "severe"),
    "F10.11": ("alcohol use disorder", "mild", "in early remission"),
    "F90.0": ("ADHD", "predominantly inattentive"),
    "F50.22": ("bulimia nervosa", "moderate"),
    "F50.012": ("anorexia nervosa", "restricting type", "severe"),
    "F91.1": ("conduct disorder", "childhood onset"),
    "F31.32": ("bipolar I disorder", "current episode depressed", "moderate"),
    "F43.23": ("adjustment disorder", "with mixed anxiety and depressed mood"),
    "F25.0": ("schizoaffective disorder", "bipolar type"),
}
WRITTEN: dict[str, Callable[[str, list[str]], str]] = {
    "commas": lambda name, said: ", ".join([name, *said]),
    "a bracket": lambda name, said: f"{name} ({', '.join(said)})",
    "a square bracket": lambda name, said: f"{name} [{', '.join(said)}]",
    "a dash": lambda name, said: f"{name} - {', '.join(said)}",
    "dashes": lambda name, said: " - ".join([name, *said]),
    "semicolons": lambda name, said: "; ".join([name, *said]),
    "slashes": lambda name, said: " / ".join([name, *said]),
    "nothing": lambda name, said: " ".join([name, *said]),
    "a colon": lambda name, said: f"{name}: {', '.join(said)}",
    "capitals": lambda name, said: ", ".join([name, *said]).upper(),
    "behind an aside": lambda name, said: f"{name} (since 2019), {', '.join(said)}",
    "currently": lambda name, said: f"{name}, currently {', '.join(said)}",
    "which is": lambda name, said: f"{name}, which is {', '.join(said)}",
}
BELOW: dict[str, Callable[[str, list[str]], str]] = {
    "on the next line": lambda name, said: f"{name}\n   {', '.join(said)}",
    "in a field of its own": lambda name, said: f"{name}\n   Severity/course: {', '.join(said)}",
}
NOTES = {
    "a field": "Individual psychotherapy, 45 minutes.\nDx: {}",
    "an assessment": "S: ok\nA: {}. Doing better.\nP: Individual psychotherapy, 45 minutes.",
    "prose": "Individual psychotherapy, 45 minutes. I am treating her for {}. She did well.",
}


def wrong(code: Coder, note: str, write: Callable[[str, list[str]], str]) -> dict[str, list[str]]:
    found = {}
    for leaf, (name, *said) in CONDITIONS.items():
        result = code(note.format(write(name, said)))
        codes = [each.code for each in result.diagnoses] if result.outcome is Outcome.CODED else []
        if codes != [leaf]:
            found[leaf] = codes
    return found


@pytest.mark.parametrize("note", NOTES.values(), ids=NOTES.keys())
@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN.keys())
def test_in_one_line(code: Coder, write: Callable[[str, list[str]], str], note: str) -> None:
    assert wrong(code, note, write) == {}


@pytest.mark.parametrize("write", BELOW.values(), ids=BELOW.keys())
def test_below(code: Coder, write: Callable[[str, list[str]], str]) -> None:
    assert wrong(code, NOTES["a field"], write) == {}


def test_words_of_an_episode_years_ago_specify_nothing(code: Coder) -> None:
    before = "S: One manic episode with psychosis and a long admission in 2019.\n"
    result = code(before + NOTES["an assessment"].format("Bipolar I, current episode depressed, moderate"))
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F31.32"])


@pytest.mark.parametrize(
    "said",
    ["PTSD\nChronic pain, seen by PCP.", "PTSD [chronic pain clinic notified]", "PTSD; chronic back pain."],
)
def test_words_of_something_else_specify_nothing(code: Coder, said: str) -> None:
    result = code(NOTES["a field"].format(said))
    assert [each.code for each in result.diagnoses] == ["F43.10"]


@pytest.mark.parametrize(
    "said",
    ["which I continue to place in the moderate range: she reads again", "which we still judge moderate"],
)
def test_a_clause_that_grades_it_is_read(code: Coder, said: str) -> None:
    result = code(
        f"I am treating her for recurrent major depression, {said}. Individual session, 45 minutes."
    )
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F33.1"])
