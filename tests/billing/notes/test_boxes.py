"""Diagnoses and specifiers that a form leaves to boxes, to yes and no, and to fields below the condition."""

from collections.abc import Callable
from pathlib import Path

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
SESSION = "Individual psychotherapy, 45 minutes.\n"
LINES = (Path(__file__).parent / "boxes.txt").read_text(encoding="utf-8").splitlines()
FORMS = [tuple(line.replace("\\n", "\n").split("\t")) for line in LINES if not line.startswith("#")]


def coded(code: Coder, form: str) -> str:
    result = code(SESSION + form)
    return " ".join(each.code for each in result.diagnoses) if result.outcome is Outcome.CODED else "?"


def test_a_form_says_by_its_boxes_and_fields_what_there_is(code: Coder) -> None:
    found = {form: coded(code, form) for _, form in FORMS}
    assert {form: found[form] for codes, form in FORMS if found[form] != codes} == {}


def test_criteria_that_were_gone_through_are_no_diagnosis(code: Coder) -> None:
    asked = "Diagnostic criteria reviewed:\nPanic attacks [x] yes [ ] no\n"
    diagnosis = "Diagnosis: Major depressive disorder, single episode, moderate (F32.1)"
    assert coded(code, asked + diagnosis) == "F32.1"
