"""A second diagnosis beside the first: read with it, or asked about, and never left out in silence."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
FAR = "Backup phone verified; privacy ok with headphones; consent to this way of meeting is on file.\n\n"


def read(code: Coder, text: str) -> tuple[list[str], bool]:
    result = code(f"{text}\nIndividual session, 50 minutes.", minutes=50)
    return [diagnosis.code for diagnosis in result.diagnoses], result.outcome is Outcome.CODED


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("A: PTSD, chronic, together with an opioid use disorder, severe.", ["F43.12", "F11.20"]),
        ("A: PTSD, chronic, alongside a moderate alcohol use disorder.", ["F43.12", "F10.20"]),
        ("A: Panic disorder in addition to ADHD, combined presentation.", ["F41.0", "F90.2"]),
        ("A: Panic disorder, along with a recurrent major depression that is mild.", ["F41.0", "F33.0"]),
        ("A: Panic disorder, accompanied by agoraphobia.", ["F41.0", "F40.00"]),
        ("A: Panic disorder, and secondarily binge eating disorder, mild.", ["F41.0", "F50.810"]),
        ("A: Social anxiety disorder, and with it a persistent depressive disorder.", ["F40.10", "F34.1"]),
        ("A: Panic disorder; problems in relationship w/ spouse (Z63.0).", ["F41.0", "Z63.0"]),
        ("A: Panic disorder. Also treating social anxiety disorder.", ["F41.0", "F40.10"]),
        ("A: Panic disorder. Comorbid social anxiety disorder, stable.", ["F41.0", "F40.10"]),
        ("Problems today: panic disorder; nicotine dependence, vaping product.", ["F41.0", "F17.290"]),
        ("I see Lena for panic disorder. We also treat her social anxiety disorder.", ["F41.0", "F40.10"]),
        ("She is treated for panic disorder and comorbid OCD.", ["F41.0", "F42.2"]),
        ("The diagnosis is panic disorder, and beneath it OCD.", ["F41.0", "F42.2"]),
        ("Panic disorder is what we treat; insomnia disorder is listed second.", ["F41.0", "F51.01"]),
        (
            "On the plan: autism spectrum disorder without intellectual disability (primary), generalized"
            " anxiety disorder (secondary).",
            ["F84.0", "F41.1"],
        ),
    ],
)
def test_a_second_diagnosis_is_read_with_the_first(code: Coder, text: str, both: list[str]) -> None:
    assert read(code, text) == (both, True)


@pytest.mark.parametrize(
    "text",
    [
        "A: Panic disorder. There is also a social anxiety disorder, which we leave for the fall.",
        "A: Panic disorder. In second place, social anxiety disorder.",
        "A: Panic disorder with, as before, social anxiety disorder.",
        "Panic disorder is the primary diagnosis; a mild alcohol use disorder follows it.",
        "The panic disorder is better, and so is the social anxiety disorder.",
        "I see Lena for panic disorder. A second diagnosis, social anxiety disorder, is on the plan.",
        "Panic disorder is the diagnosis. There is a social anxiety disorder as well.",
        "We treat panic disorder first. Social anxiety disorder comes after it.",
        "Met with Mr. F. for his panic disorder. Kaylee's mother reports fewer tantrums; oppositional"
        " defiant disorder remains the diagnosis.",
        "Panic disorder, for which she comes weekly, and social anxiety disorder, for which she has a class.",
        f"{FAR}Our focus: Panic disorder, worse at night. Social anxiety disorder.\n\nHomework was done.",
    ],
)
def test_a_second_condition_that_is_not_read_as_stated_is_asked_about(code: Coder, text: str) -> None:
    assert not read(code, text)[1]


@pytest.mark.parametrize(
    "text",
    [
        "A: Panic disorder; zolpidem use disorder, mild.",
        "A: Panic disorder and a moderate gabapentin use disorder.",
        "Dx: moderate gabapentin use disorder; panic disorder",
        "A: Panic disorder, along with laxative dependence.",
    ],
)
def test_a_disorder_that_the_lexicon_does_not_know_is_asked_about(code: Coder, text: str) -> None:
    assert not read(code, text)[1]


@pytest.mark.parametrize(
    "text",
    [
        "A: Panic disorder and a seizure disorder.",
        "A: Panic disorder, no other disorder.",
        "A: Panic disorder, worsened by alcohol use.",
        "A: Panic disorder. ADHD was floated by the school and does not fit.",
        "A: Panic disorder, with a symptom diary kept daily.",
        "A: Panic disorder and the eating disorders group.",
    ],
)
def test_what_is_none_of_the_patients_disorders_raises_no_question(code: Coder, text: str) -> None:
    assert read(code, text) == (["F41.0"], True)


@pytest.mark.parametrize(
    "text",
    [
        "OCD was floated by her last therapist and does not fit: there are no rituals.",
        "PTSD had been entertained at the emergency room; nothing supports it.",
        "ADHD was put forward by the school and was not borne out by testing.",
        "Bipolar II disorder, which the urgent care doctor raised, could not be confirmed.",
        "Social anxiety disorder was weighed by the intake team and dropped.",
        "Illness anxiety disorder was entertained by the PCP and does not describe someone like this.",
        "ADHD from the elementary school records, not replicated on testing.",
        "Borderline personality disorder from the jail chart was not carried over.",
        "GAD as suggested by the online quiz: not met.",
        "Anxiety disorder NOS from the high school file: not found on evaluation.",
        "OCD appears in the imported list and was not found on interview.",
        "Hoarding disorder (the landlord's word) is not supported.",
        "PTSD, as the lawyer's letter has it, is not my finding.",
        "The low mood does not amount to a depressive disorder.",
        "Looked for agoraphobia; there is none.",
        "Cyclothymia was our question in spring and the charts rule it out.",
        "Nothing today points to a major depressive episode.",
        "The school's form says ADHD.",
    ],
)
def test_what_others_thought_of_and_the_note_does_not_find_is_not_coded(code: Coder, text: str) -> None:
    assert read(code, f"A: Panic disorder. {text}") == (["F41.0"], True)


@pytest.mark.parametrize(
    "text",
    [
        "She talked mostly about her son. He has schizophrenia and lives in a group home. She worries.",
        "She talked about her husband, a welder. He has PTSD from the service, and she walks on eggshells.",
        "Came about his mother. She has bipolar disorder and stopped her pills; he drives her. He yawns.",
        "She is the guardian of a nephew, 19. He has autism spectrum disorder. She filled out forms.",
        "She told me of her father. In May he was diagnosed with alcohol use disorder, severe. She sighed.",
        "She sat with her brother on Sunday. Since then he is seen for panic disorder, which pleases her.",
        "He spoke of his wife. She has OCD and checks the stove; he checks it after her. He is tired.",
    ],
)
def test_a_pronoun_of_the_other_sex_takes_up_the_relative(code: Coder, text: str) -> None:
    assert read(code, text) == ([], False)


@pytest.mark.parametrize(
    "text",
    [
        "He reports that his wife left. He has panic disorder and did well with his exposures.",
        "Cody has a brother. He has panic disorder, and I see him weekly for it. He did his stairs.",
        "She moved in with her sister. She has panic disorder, and I see her weekly for it.",
    ],
)
def test_a_pronoun_that_fits_the_patient_is_the_patients(code: Coder, text: str) -> None:
    assert read(code, text) == (["F41.0"], True)


@pytest.mark.parametrize(
    "text",
    [
        "Dx: Panic disorder. Exposure, stage 1: did it twice, skipped once.",
        "Diagnoses: Panic disorder\n- Stairs: did them twice",
    ],
)
def test_a_small_word_that_a_sentence_goes_on_with_is_no_abbreviation(code: Coder, text: str) -> None:
    assert read(code, text)[0] == ["F41.0"]


@pytest.mark.parametrize(
    "text",
    [
        "Diagnosis selected: Panic disorder\n  also offered in list, not selected: PTSD | OCD | GAD",
        "Problem 1 [active] Panic disorder\nProblem 2 [resolved 2018] Major depressive disorder",
        "A: Panic disorder. [entered in error] Bipolar disorder.",
        "Diagnosis: [x] panic disorder   [ ] OCD   [ ] in full remission",
    ],
)
def test_what_a_list_offers_or_has_closed_is_not_coded(code: Coder, text: str) -> None:
    assert read(code, text)[0] == ["F41.0"]


@pytest.mark.parametrize(
    "text",
    [
        "I: 50 minutes of one-to-one therapy directed at panic disorder. Stairs, twice.\nR: Calm.",
        "P: Client works with me on panic disorder. Lost an afternoon.\nI: Stairs.\nE: Calmer.",
        "G: Stairs.\nI: Breath hold.\nR: Grinned. Diagnosed with panic disorder; reviewed today.",
        "B: Jumpy.\nI: Breath hold.\nR: Calm.\nP: Stairs daily. Panic disorder, on track with plan. Weekly.",
        "A: OCD.\nAddendum, same day: the diagnosis above was carried over from another chart by mistake. The"
        " correct diagnosis, today and since intake, is panic disorder.",
        "Panic disorder is what she is in treatment for here. She took the stairs.",
    ],
)
def test_other_plain_statements_are_read(code: Coder, text: str) -> None:
    assert read(code, text) == (["F41.0"], True)


@pytest.mark.parametrize(
    "label",
    [
        "Visit diagnosis (carried forward from encounter 08/14)",
        "Encounter diagnosis (pulled from the visit of 3/2)",
        "Header diagnosis (copied)",
    ],
)
def test_a_diagnosis_copied_from_another_visit_is_held_against_the_assessment(
    code: Coder, label: str
) -> None:
    copied = f"{label}: Major depressive disorder, single episode, mild"
    assert read(code, f"{copied}\nA: Major depressive disorder, recurrent, moderate.") == (["F33.1"], False)


@pytest.mark.parametrize(
    "label", ["Family diagnoses (maternal side)", "Partner's diagnosis (for context)", "Past dx (by report)"]
)
def test_a_label_with_a_bracket_says_whose_and_when(code: Coder, label: str) -> None:
    assert read(code, f"{label}: schizophrenia\nA: Panic disorder.") == (["F41.0"], True)


@pytest.mark.parametrize("number", ["Item 2", "Problem 2", "Entry two", "Line 2", "#2"])
def test_the_number_of_an_item_says_what_is_primary(code: Coder, number: str) -> None:
    text = f"A: 1) Panic disorder. 2) PTSD, chronic. {number} is the primary diagnosis."
    assert read(code, text) == (["F43.12", "F41.0"], True)


@pytest.mark.parametrize("person", ["counselor", "care provider", "team", "caregiver"])
def test_a_primary_person_orders_no_diagnoses(code: Coder, person: str) -> None:
    text = f"Visit with the primary {person}.\nA: Panic disorder. PTSD, chronic."
    assert read(code, text) == (["F41.0", "F43.12"], True)
