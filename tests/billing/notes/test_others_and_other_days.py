"""Diagnoses in a diagnosis field that are another person's, of another day, or not so."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
SESSION = "Individual psychotherapy, 45 minutes.\n"


def codes(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses]


OF_OTHERS = {
    "a bracket": ("Dx for billing: F43.22. (Patient's husband carries the F33.1.)", "F43.22"),
    "a label of its own": ("Dx: F33.1\nDx (spouse): F41.1", "F33.1"),
    "two labels in a line": ("Client dx: F33.1. Spouse dx: F41.1.", "F33.1"),
    "behind the list": ("Dx child: F93.0; mother in tx for F33.1.", "F93.0"),
    "a short sentence": ("Dx: Selective mutism (F94.0). DH has MDD.", "F94.0"),
    "in short": ("Dx: Selective mutism (F94.0). Pt's mo w/ MDD, recurrent, severe.", "F94.0"),
    "an aside": ("Dx: Selective mutism (F94.0). Cousin, bipolar, staying w/ them.", "F94.0"),
    "a relative's grief": ("Dx: ODD F91.3. Mother's own grief (lost daughter) surfaced.", "F91.3"),
    "a relative's divorce": ("Dx: ODD F91.3. Mother's divorce discussed.", "F91.3"),
    "a relative's work": ("Dx: ODD F91.3. Discussed unemployment of husband.", "F91.3"),
    "a verb in capitals": ("Dx: F41.1. Client DID the homework.", "F41.1"),
}


@pytest.mark.parametrize(("field", "expected"), OF_OTHERS.values(), ids=OF_OTHERS.keys())
def test_what_others_have_is_not_coded(code: Coder, field: str, expected: str) -> None:
    assert codes(code(SESSION + field)) == [expected]


OWN = {
    "a relationship": ("Dx: GAD F41.1. Parent-child conflict Z62.820.", ["F41.1", "Z62.820"]),
    "the second of a list": ("Dx: GAD F41.1. PTSD F43.10.", ["F41.1", "F43.10"]),
    "a client's": ("Client's dx: GAD. Pt's MDD is F33.1.", ["F41.1", "F33.1"]),
    "the diagnosis in capitals": ("Dx: DID", ["F44.81"]),
}


@pytest.mark.parametrize(("field", "expected"), OWN.values(), ids=OWN.keys())
def test_what_the_patient_has_is_coded(code: Coder, field: str, expected: list[str]) -> None:
    assert codes(code(SESSION + field)) == expected


TAKEN_BACK = {
    "discontinued": "Dx: F41.1, GAD. F33.1 d/c'd 3/2026.",
    "in short": "Dx: GAD. MDD dc'd.",
    "was": "Dx: GAD. MDD was d/c last month.",
    "deleted": "Dx: GAD F41.1; delete F33.1",
    "removed": "Diagnosis: I am removing social anxiety disorder and adding GAD.",
    "dropped": "Diagnosis: drop social anxiety disorder, add GAD.",
    "criteria": "Criteria met: GAD. Criteria not met: MDD, PTSD.",
    "rejected": "Dx considered and rejected: PTSD, ADHD\nDiagnosis: GAD F41.1",
    "watched": "Dx to monitor: MDD\nDiagnosis: GAD F41.1",
    "evaluated": "Dx under evaluation: ADHD\nDiagnosis: GAD F41.1",
    "self-reported": "Self-reported diagnoses: ADHD, autism\nDiagnosis: GAD F41.1",
    "as the client says": "Diagnosis (per client report): ADHD, autism\nDiagnosis: GAD F41.1",
}


@pytest.mark.parametrize("field", TAKEN_BACK.values(), ids=TAKEN_BACK.keys())
def test_what_is_taken_back_or_only_watched_is_not_coded(code: Coder, field: str) -> None:
    assert codes(code(SESSION + field)) == ["F41.1"]


@pytest.mark.parametrize("aside", ["D/c planning started.", "Zoloft d/c'd.", "D/C in June if stable."])
def test_a_discharge_takes_nothing_back(code: Coder, aside: str) -> None:
    result = code(f"{SESSION}Dx: GAD. {aside}")
    assert (codes(result), result.outcome) == (["F41.1"], Outcome.CODED)


OTHERWISE = {
    "remission of use": "Dx: Alcohol use disorder, F10.20 - sober since May, sustained remission.",
    "remission": "Dx: F33.1. In full remission since June.",
    "severity": "Dx: F33.1; severity now mild",
    "now": "Dx: F33.1 - MDD. Currently mild.",
}


@pytest.mark.parametrize("field", OTHERWISE.values(), ids=OTHERWISE.keys())
def test_a_code_that_the_words_behind_it_contradict_is_asked_about(code: Coder, field: str) -> None:
    assert Reason.CODE_TEXT_MISMATCH in code(SESSION + field).reasons


AGREEING = {
    "its own severity": "Dx: F33.1 - MDD. Currently moderate.",
    "a goal": "Dx: F33.1. Goal: stay well until in full remission.",
    "of something else": "Dx: F33.1. Currently mild cough.",
    "its own remission": "Dx: F33.42 MDD, recurrent, in full remission.",
}


@pytest.mark.parametrize("field", AGREEING.values(), ids=AGREEING.keys())
def test_words_that_agree_are_not_asked_about(code: Coder, field: str) -> None:
    assert code(SESSION + field).outcome is Outcome.CODED
