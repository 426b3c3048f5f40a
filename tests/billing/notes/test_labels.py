"""What the label of a list of diagnoses says of them."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    "said",
    [
        "ruled out",
        "excluded",
        "possible",
        "suspected",
        "history",
        "past",
        "mother",
        "partner",
        "resolved",
        "considered",
    ],
)
@pytest.mark.parametrize("label", ["Dx ({}): ", "Diagnoses, {}: ", "Diagnosis - {}: "])
def test_a_label_takes_its_diagnoses_back_in_what_stands_behind_it(
    code: Coder, label: str, said: str
) -> None:
    assert coded(code(f"Individual, 45 min\nDx: GAD\n{label.format(said)}PTSD")) == ["F41.1"]


@pytest.mark.parametrize(
    "label",
    [
        "Rule out dx",
        "R/O dx",
        "Ruled-out dx",
        "Suspected diagnosis",
        "Probable dx",
        "Tentative diagnosis",
        "Resolved dx",
        "Discontinued diagnoses",
        "Closed diagnosis",
        "Removed dx",
        "Childhood diagnosis",
        "Considered diagnoses",
        "Deferred diagnosis",
        "Erroneous diagnosis",
        "Superseded dx",
    ],
)
def test_a_label_takes_its_diagnoses_back_in_its_first_word(code: Coder, label: str) -> None:
    assert coded(code(f"Individual, 45 min\nDx: GAD\n{label}: PTSD")) == ["F41.1"]


@pytest.mark.parametrize(
    "label",
    ["Diagnosis (secondary)", "Dx (ICD-10)", "Dx, confirmed", "Dx (client)", "Current dx", "Established dx"],
)
def test_a_label_that_states_leaves_its_diagnoses_stated(code: Coder, label: str) -> None:
    assert coded(code(f"Individual, 45 min\nDx: GAD\n{label}: PTSD")) == ["F41.1", "F43.10"]
