"""What therapists type for a diagnosis becomes its code, and nothing where it is denied or another's."""

from collections.abc import Callable
from pathlib import Path

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
ASKED = "?"
_LINES = (Path(__file__).parent / "wordings.txt").read_text(encoding="utf-8").splitlines()
WORDINGS = [tuple(line.split("\t")) for line in _LINES if not line.startswith("#")]
STATED = [(leaf, wording) for leaf, wording in WORDINGS if leaf != ASKED]
OPEN = [wording for leaf, wording in WORDINGS if leaf == ASKED]


def coded(code: Coder, text: str) -> list[str]:
    result = code(f"{text}\nIndividual session, 50 minutes.", minutes=50)
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


def test_a_wording_becomes_its_code_alone(code: Coder) -> None:
    found = {wording: coded(code, f"Dx: {wording}") for _, wording in STATED}
    assert {wording: codes for leaf, wording in STATED if (codes := found[wording]) != [leaf]} == {}


def test_a_wording_that_leaves_the_code_open_is_asked_about(code: Coder) -> None:
    results = {
        wording: code(f"Dx: {wording}\nIndividual session, 50 minutes.", minutes=50) for wording in OPEN
    }
    assert [w for w, result in results.items() if result.outcome is not Outcome.NEEDS_REVIEW] == []


@pytest.mark.parametrize("form", ["No evidence of {}.", "Mother has {}."])
def test_a_wording_that_is_denied_or_of_a_relative_is_not_coded(code: Coder, form: str) -> None:
    wrong = [
        wording
        for _, wording in WORDINGS
        if coded(code, f"Dx: Kleptomania\nA: {form.format(wording)}") != ["F63.2"]
    ]
    assert wrong == []
