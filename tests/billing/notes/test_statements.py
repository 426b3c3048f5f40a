"""What states a diagnosis in plain prose, and what only speaks of one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
HERE = Path(__file__).parent
STATED = [
    tuple(line.split("\t"))
    for line in (HERE / "stated.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
MENTIONED = [
    line
    for line in (HERE / "mentioned.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
# So many of the plain statements are coded; the rest are asked about, most for specifiers told apart.
FEWEST_CODED = 0.9


def coded(code: Coder, text: str) -> list[str]:
    result = code(f"{text}\nIndividual session, 50 minutes.", minutes=50)
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


def test_a_plain_statement_is_never_coded_as_anything_else(code: Coder) -> None:
    found = {sentence: coded(code, sentence) for _, sentence in STATED}
    assert {s: found[s] for leaf, s in STATED if found[s] not in ([], [leaf])} == {}
    assert sum(found[s] == [leaf] for leaf, s in STATED) >= FEWEST_CODED * len(STATED)


def test_a_mention_alone_is_not_coded(code: Coder) -> None:
    assert {sentence: codes for sentence in MENTIONED if (codes := coded(code, sentence))} == {}


def test_a_mention_beside_a_diagnosis_is_not_coded_with_it(code: Coder) -> None:
    found = {sentence: coded(code, f"Dx: Pyromania\n\n{sentence}") for sentence in MENTIONED}
    assert {sentence: codes for sentence, codes in found.items() if codes not in ([], ["F63.1"])} == {}


def test_a_mention_in_the_assessment_is_not_coded_with_its_diagnosis(code: Coder) -> None:
    found = {sentence: coded(code, f"A: Pyromania. {sentence}") for sentence in MENTIONED}
    # A circumstance is coded where it opens a sentence of the assessment.
    wrong = {
        sentence: codes
        for sentence, codes in found.items()
        if any(leaf[0] == "F" and leaf != "F63.1" for leaf in codes)
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "plan",
    [
        "P: Panic disorder. RTC one week.",
        "P: Breathing nightly. Shop at five. Panic disorder. RTC one week.",
        "P: F41.0 panic disorder. Weekly.",
        "P: Dx panic disorder. Weekly.",
        "P: Diagnosis is and has been panic disorder. Weekly.",
        "P: Panic disorder; ladder, item 3.",
        "P: Panic disorder, continue. Weekly.",
    ],
)
def test_a_sentence_of_its_own_in_the_plan_is_the_diagnosis_where_no_other_place_has_one(
    code: Coder, plan: str
) -> None:
    note = f"B: Four attacks in the grocery line.\nI: Individual. Breath hold.\nR: Fear 7 to 2.\n{plan}"
    assert coded(code, note) == ["F41.0"]


@pytest.mark.parametrize("plan", ["P: PTSD handout.", "P: R/O PTSD. Weekly.", "P: PTSD group on Tuesday."])
def test_what_the_plan_only_provides_is_not_the_diagnosis(code: Coder, plan: str) -> None:
    assert coded(code, f"B: Jumpy.\nI: Grounding.\nR: Calmer.\n{plan}") == []


@pytest.mark.parametrize(
    "field",
    [
        "Diagnoses (inactive): panic disorder, 2011",
        "Dx (resolved): panic disorder",
        "Diagnosis (rule out): panic disorder",
        "Denied today: panic disorder, OCD",
        "Client denies: panic disorder, OCD",
        "Partner's dx (for coordination): panic disorder",
        "Husband's diagnosis: panic disorder",
    ],
)
def test_a_field_whose_name_takes_it_back_lists_no_diagnosis(code: Coder, field: str) -> None:
    assert coded(code, f"Dx: Pyromania\n{field}") == ["F63.1"]


@pytest.mark.parametrize("label", ["A (ticked items are current):", "Dx (tick what is current):"])
def test_a_remark_in_the_label_of_ticked_diagnoses_changes_nothing(code: Coder, label: str) -> None:
    assert coded(code, f"S: Worries.\n{label}\n [x] Panic disorder\n [ ] PTSD\nP: Weekly.") == ["F41.0"]


def test_a_code_and_its_description_in_the_next_field_are_held_against_each_other(code: Coder) -> None:
    fields = "Diagnosis Code: {}\nDiagnosis Description: Specific phobia, fear of blood\n"
    assert coded(code, fields.format("F40.230")) == ["F40.230"]
    assert coded(code, fields.format("F40.240")) == []


def test_a_code_against_the_specifier_beside_it_is_asked_about(code: Coder) -> None:
    assert coded(code, "A: F44.4 Functional neurological symptom disorder with seizures") == []
    assert coded(code, "A: F44.5 Functional neurological symptom disorder with seizures") == ["F44.5"]


@pytest.mark.parametrize(
    "line",
    [
        "Adjustment disorder with anxiety due to job loss",
        "Adjustment disorder with anxiety related to her divorce",
        "Adjustment disorder with anxiety following job loss",
        "Adjustment disorder with anxiety in response to unemployment",
    ],
)
def test_what_brought_a_condition_on_is_no_diagnosis_of_its_own(code: Coder, line: str) -> None:
    assert coded(code, f"Dx: {line}") == ["F43.22"]


def test_the_condition_of_a_spouse_in_the_bracket_of_a_circumstance_is_not_the_patients(code: Coder) -> None:
    assert coded(code, "Dx: Caregiver burden (spouse w/ dementia)") == ["Z63.6"]


def test_a_circumstance_listed_beside_the_condition_is_one(code: Coder) -> None:
    assert coded(code, "Dx: Adjustment disorder with anxiety; job loss") == ["F43.22", "Z56.0"]


@pytest.mark.parametrize(
    "where", ["in the ED until four", "went to the ED twice", "The ED doctor called", "saw ED staff"]
)
def test_the_emergency_department_is_no_condition(code: Coder, where: str) -> None:
    assert coded(code, f"S: Client sat with him; {where}.\nA: GAD.") == ["F41.1"]


@pytest.mark.parametrize(
    "told",
    [
        "seen for PTSD dating to a robbery in 1994",
        "seen for PTSD from a crash in 2019",
        "seen for PTSD after the fire in 2020",
    ],
)
def test_the_year_of_what_happened_makes_no_history(code: Coder, told: str) -> None:
    assert coded(code, f"B: Retired letter carrier, 66, {told}.") == ["F43.10"]


@pytest.mark.parametrize(
    "past",
    [
        "In her twenties she was treated for bulimia.",
        "In 2019 treated for bulimia.",
        "He used to come here for bulimia.",
        "As a girl she was seen for bulimia.",
    ],
)
def test_treatment_long_ago_states_nothing(code: Coder, past: str) -> None:
    assert coded(code, past) == []


def test_a_name_told_as_a_relative_is_not_the_patient(code: Coder) -> None:
    assert coded(code, "Met with Ana and her son Leo. Leo has ADHD.") == []
    assert coded(code, "Met with Leo, 9. Leo has ADHD.") == ["F90.9"]


def test_a_diagnosis_from_the_wrong_line_of_a_menu_is_asked_about(code: Coder) -> None:
    note = (
        "Diagnoses: autism spectrum disorder; OCPD.\n\nCORRECTION: the second diagnosis was picked from "
        "the wrong line of the menu. It should read obsessive-compulsive disorder."
    )
    assert coded(code, note) == []


@pytest.mark.parametrize("told", ["He has early dementia, he says", "She has ADHD, she thinks"])
def test_what_somebody_says_of_themselves_is_no_statement(code: Coder, told: str) -> None:
    assert coded(code, f"{told}.") == []


@pytest.mark.parametrize(
    "note",
    [
        "GAD | 50 min | indiv | office\nWorry log.",
        "RE: 34F / GAD / session 12\nWorry log.",
        "Progress note - individual - GAD\nWorry log.",
        "Individual psychotherapy note (GAD)\nWorry log.",
        "#4 of 12, GAD. Worry log.",
        "Kim, 41. GAD. Worry log.",
        "Tx for: GAD\nWorry log.",
        "Seen re GAD. Worry log.",
        "Problem #1: GAD\nWorry log.",
        "Reason for visit: GAD\nWorry log.",
        "Treatment plan problem: GAD\nWorry log.",
        "Clinical focus: GAD\nWorry log.",
        "Assessed problem: GAD\nWorry log.",
        "50 min ind tx GAD. Worry log.",
        "D: Worry log.\nA: Making gains w/ GAD.\nP: weekly",
        "D: Worry log.\nA: Progress on GAD continues.\nP: weekly",
        "B: Worry log.\nI: CBT.\nR: Calmer.\nP: Continue CBT for GAD, weekly.",
        "B: Worry log.\nI: CBT.\nR: Calmer.\nP: Continue to treat GAD weekly.",
        "B: 34 yo F, indiv, GAD since June. Worry log.\nI: CBT.\nR: Calmer.\nP: weekly",
    ],
)
def test_a_header_a_first_line_or_what_goes_on_states_the_diagnosis(code: Coder, note: str) -> None:
    assert coded(code, note) == ["F41.1"]


@pytest.mark.parametrize(
    "note",
    [
        "Couples session. Ana and Ruben, whose ADHD is a sore point.",
        "Carla cried about Nico. Nico has bipolar disorder and is in jail.",
        "Parent session, mother (PTSD).",
        "Psychoeducation hour - panic disorder -",
        "Topic: psychosis",
        "Group: Living with bipolar disorder",
        "Client is a nurse with PTSD patients on her hall.",
        "Her husband is seen here by a colleague for panic disorder.",
        "A psychiatrist in Reno treated him for bipolar disorder for a year.",
        "He came to ask about ADHD.",
        "What brings her here is fear of dementia.",
        "PTSD is what the lawyer needs.",
        "Schizophrenia is the name of her uncle's illness.",
        "I find panic disorder hard to support here.",
        "The team concluded it was not schizophrenia.",
        "It is bipolar disorder that she dreads.",
        "Criteria for PTSD are met in part.",
        "Discharged from treatment for bulimia nervosa.",
        "D: Quiet.\nA: Making progress with her son's ADHD.\nP: weekly",
        "B: Quiet.\nI: Listening.\nR: Calm.\nP: Continue evaluation for ADHD.",
        "B: Quiet.\nI: Listening.\nR: Calm.\nP: If no better, PTSD. Weekly.",
        "She follows an account about OCD.",
    ],
)
def test_what_looks_like_a_statement_and_is_of_something_else(code: Coder, note: str) -> None:
    assert coded(code, note) == []


@pytest.mark.parametrize(
    ("told", "found"),
    [
        (
            "Attention-deficit/hyperactivity disorder, predominantly inattentive, is the primary diagnosis. "
            "The generalized anxiety disorder is secondary and is still very much there.",
            ["F90.0", "F41.1"],
        ),
        (
            "Insomnia disorder is first on the list for now, since that is what we are treating, with "
            "generalized anxiety disorder second.",
            ["F51.01", "F41.1"],
        ),
        (
            "Social anxiety disorder is what brought him in, and mild cannabis use disorder is on the plan "
            "as of last month.",
            ["F40.10", "F12.10"],
        ),
        ("We are treating generalized anxiety first and insomnia second.", []),
    ],
)
def test_several_told_in_their_order_are_all_read_or_asked_about(
    code: Coder, told: str, found: list[str]
) -> None:
    assert coded(code, told) == found


def test_a_relationship_that_is_worked_on_with_the_diagnosis_is_asked_about(code: Coder) -> None:
    told = (
        "Claire has generalized anxiety disorder. I put it to them that the anxiety is one thing and the "
        "relationship distress with the spouse is another, and that I mean to work with both.\n"
        "The conjoint hour was fifty minutes long, with both present throughout."
    )
    assert Reason.DIAGNOSIS_UNREAD in code(told).reasons


def test_interactive_complexity_that_the_plan_adds_is_added(code: Coder) -> None:
    told = (
        "Individual, 40 min total. Being treated for oppositional defiant disorder.\n\nPlan: chart goes on. "
        "I'm adding 90785 because his mother got into it over the chart in front of him."
    )
    assert [procedure.code for procedure in code(told).procedures] == ["90834", "90785"]
