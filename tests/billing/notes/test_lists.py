"""The headings of diagnosis lists, and which of several lists and numbers comes first."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
SESSION = "\nIndividual psychotherapy, 45 minutes."


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    "heading",
    [
        "Encounter Diagnoses",
        "Encounter Diagnosis",
        "Primary Encounter Diagnosis",
        "Visit Diagnoses",
        "Today's Diagnosis",
        "ICD-10 Codes",
        "Mental Health Diagnoses",
        "Session Diagnosis",
        "Diagnoses for this visit",
        "Associated Diagnoses",
        "Diagnosis/Problem",
        "Diagnosis and Codes",
        "Impression/Diagnosis",
        "Medical Necessity / Diagnosis",
        "Client's diagnoses",
    ],
)
def test_a_heading_opens_the_diagnoses_of_the_visit(code: Coder, heading: str) -> None:
    lists = f"{heading}\n1.  Panic disorder\n2.  Insomnia disorder\n\nProblem List\n Hyperlipidemia\n GAD\n"
    assert coded(code(lists + SESSION)) == ["F41.0", "F51.01", "F41.1"]


@pytest.mark.parametrize(
    "heading",
    [
        "Past Visit Diagnoses",
        "Last Encounter Diagnoses",
        "Prior Diagnosis and Codes",
        "Old Billing Diagnosis",
        "Previous Diagnosis Codes",
    ],
)
def test_a_heading_of_an_earlier_visit_opens_none(code: Coder, heading: str) -> None:
    assert coded(code(f"{heading}\nPanic disorder\n\nDx: GAD{SESSION}")) == ["F41.1"]


@pytest.mark.parametrize(
    ("lists", "leaves"),
    [
        (
            "Active Problem List:\n  Hypertension\n  Bipolar I disorder\n\nDiagnosis: Panic disorder F41.0",
            ["F41.0", "F31.9"],
        ),
        ("Problem List: Bipolar I disorder\nDx: Panic disorder", ["F41.0", "F31.9"]),
        ("Problem List:\n GAD\n PTSD\n\nAssessment: PTSD, improving.", ["F43.10", "F41.1"]),
        ("Problem List:\n GAD\n PTSD\n", ["F41.1", "F43.10"]),
        ("Dx at closing: Panic disorder\nDiagnosis at opening: PTSD", ["F41.0", "F43.10"]),
        ("Problem List: GAD (primary)\nDx: PTSD", ["F41.1", "F43.10"]),
        ("Dx: PTSD\nProblem List: GAD", ["F43.10", "F41.1"]),
    ],
)
def test_what_is_on_file_comes_behind_the_diagnosis_of_the_visit(
    code: Coder, lists: str, leaves: list[str]
) -> None:
    assert coded(code(lists + SESSION)) == leaves


NUMBERED = [
    ("F33.1 F41.1", "Diagnoses:\n2. F41.1 GAD\n1. F33.1 MDD recurrent moderate"),
    ("F33.1 F41.1", "Diagnoses: 2. F41.1 GAD 1. F33.1 MDD recurrent moderate"),
    ("F33.1 F41.1", "Dx: F41.1 (2°), F33.1 (1°)"),
    ("F33.1 F41.1", "Dx: F41.1 [secondary] F33.1 [primary]"),
    ("F33.1 F41.1", "Diagnosis 2: F41.1\nDiagnosis 1: F33.1"),
    ("F33.1 F41.1", "Dx: F41.1 (secondary), F33.1 (primary)"),
    ("F33.1 F41.1", "Dx: 2) GAD; 1) MDD, recurrent, moderate"),
    ("F33.1 F41.1", "Dx: 2° GAD, 1° MDD, recurrent, moderate"),
    ("F33.1 F41.1", "Dx #2: F41.1\nDx #1: F33.1"),
    ("F41.1 F33.1", "Diagnoses:\n1. F41.1 GAD\n2. F33.1 MDD recurrent moderate"),
    ("F41.1 F33.1 F43.10", "Diagnoses:\n1. F41.1 GAD\n2. F33.1 MDD recurrent moderate\n3. PTSD"),
    ("F33.1 F41.1 F43.10", "Diagnoses:\n3. PTSD\n1. MDD recurrent moderate\n2. GAD"),
    ("F41.1 F33.1", "Diagnoses:\nGAD\nMDD, recurrent, moderate"),
    ("F41.1 F33.1", "Dx: GAD [2 years], MDD, recurrent, moderate [1 year]"),
    ("F41.1 F33.1", "Goals: 2. GAD\n1. MDD\nDx: GAD; MDD, recurrent, moderate"),
    ("F41.1 F33.1", "Dx: 5. GAD 6. MDD, recurrent, moderate"),
    ("F33.1 F41.1", "Dx: (2) F41.1 (1) F33.1"),
    ("F41.1 F33.1", "Dx: F41.1 (1°), F33.1 (2°)"),
]


@pytest.mark.parametrize(("leaves", "listed"), NUMBERED)
def test_the_numbers_of_a_list_are_its_order(code: Coder, leaves: str, listed: str) -> None:
    assert " ".join(coded(code(listed + SESSION))) == leaves


def test_what_the_fourth_axis_names_without_a_code_is_a_stressor(code: Coder) -> None:
    axes = "Axis I: F43.23 Adjustment disorder with mixed mood\nAxis II: deferred\nAxis IV: "
    assert coded(code(f"{axes}Occupational problems\nAxis V: GAF 64{SESSION}")) == ["F43.23"]
    assert coded(code(f"{axes}Z63.0 Relationship distress with spouse{SESSION}")) == ["F43.23", "Z63.0"]
