"""What a note tells in another clause, sentence or place than the condition or the visit it speaks of."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
SESSION = "\nIndividual psychotherapy, 45 minutes."


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    "told",
    [
        "She came with her husband (Grady). Grady, who has PTSD, waited outside.",
        "Her sister Petra drove her. Petra has bulimia nervosa and would not eat.",
        "Ana (sister) called twice. Ana has schizophrenia.",
    ],
)
def test_a_relative_is_known_by_name_from_then_on(code: Coder, told: str) -> None:
    assert coded(code(f"{told}\nDx: Generalized anxiety disorder.{SESSION}")) == ["F41.1"]


def test_a_name_that_opens_the_note_stays_the_patients(code: Coder) -> None:
    said = "Petra, 31, has bulimia nervosa, mild. Her sister Petra Ann drove her."
    assert coded(code(f"{said}{SESSION}")) == ["F50.21"]


@pytest.mark.parametrize("whom", ["J.W. has", "For J.W. only: J.W. has"])
def test_a_patient_may_be_called_by_initials(code: Coder, whom: str) -> None:
    assert coded(code(f"Note on J.W., seen today. {whom} alcohol use disorder, moderate.{SESSION}")) == [
        "F10.20"
    ]


@pytest.mark.parametrize(
    "said",
    [
        "She has bulimia nervosa. At five episodes a week we are calling it moderate.",
        "The depression, a single major depressive episode, for which she came is now in partial remission.",
        "Seen today for recurrent major depressive disorder. The episode is a severe one.",
        "Diagnosis: major depressive disorder, single episode, moderate, no, strike that, severe.",
    ],
)
def test_a_specifier_told_apart_or_taken_back_is_asked_about(code: Coder, said: str) -> None:
    assert Reason.SPECIFIER_UNCLEAR in code(f"{said}{SESSION}").reasons


def test_two_conditions_of_one_family_are_a_question(code: Coder) -> None:
    said = "Header problem: Bipolar II disorder\n\nA: Bipolar I disorder, current episode depressed, mild."
    assert Reason.CONFLICT_CODES in code(f"{said}{SESSION}").reasons


@pytest.mark.parametrize(
    "said",
    [
        "Dx: 1) Avoidant personality disorder 2) Social anxiety disorder - primary",
        "Dx: avoidant personality disorder and social anxiety disorder, which is the primary diagnosis.",
        "Dx: avoidant personality disorder. The primary diagnosis, and the focus today, is social "
        "anxiety disorder.",
    ],
)
def test_what_is_called_primary_comes_first_wherever_it_stands(code: Coder, said: str) -> None:
    assert coded(code(f"{said}{SESSION}")) == ["F40.10", "F60.6"]


def test_what_is_ruled_out_in_brackets_is_not_what_they_stand_behind(code: Coder) -> None:
    said = "Dx: Adjustment disorder with disturbance of conduct (oppositional defiant disorder ruled out)"
    assert coded(code(f"{said}{SESSION}")) == ["F43.24"]


@pytest.mark.parametrize(
    "behind",
    [
        ", on the list of that program, has since been withdrawn as an error",
        ", which came before all of this, resolved four years ago",
        " is in the old problem list from 2016 and is closed",
        " has been struck off by his psychiatrist",
        ": does not meet",
    ],
)
def test_a_diagnosis_may_be_taken_back_from_far_behind(code: Coder, behind: str) -> None:
    said = f"A: Bipolar II disorder. Alcohol use disorder, mild{behind}."
    assert coded(code(f"{said}{SESSION}")) in (["F31.81"], [])


def test_a_family_session_is_as_long_as_it_was_not_as_the_next_one(code: Coder) -> None:
    said = "Family psychotherapy, patient and mother together. 20 minutes; she had to be in court."
    result = code(f"{said}\nDx: Conduct disorder\nPlan: full 50-minute family session Tuesday.")
    assert Reason.FAMILY_UNDER_26 in result.reasons


def test_no_video_in_the_room_is_no_telephone(code: Coder) -> None:
    said = "Client was seen in person at the walk-in office. No video used. Individual, 45 minutes."
    result = code(f"{said}\nDx: Social anxiety disorder", place="telehealth")
    assert [procedure.modifier for procedure in result.procedures] == [None]
    assert Reason.PLACE_CONFLICT in result.reasons


@pytest.mark.parametrize(
    "told",
    [
        "Bipolar was on the ER sheet and has no basis.",
        "The schizophrenia of the old summaries was a reading of those years.",
        "St. Brendan's discharged her in 2018 as schizophrenia and I do not hold that.",
        "Bipolar raised by the group home in the spring was ruled out by psychiatry.",
    ],
)
def test_an_assessment_that_tells_of_a_diagnosis_does_not_make_it(code: Coder, told: str) -> None:
    result = code(f"A: Generalized anxiety disorder. {told}{SESSION}")
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F41.1"]


@pytest.mark.parametrize(
    "told",
    [
        '"Conduct disorder" is still on the transfer form.',
        "The bipolar disorder in the file is her mother's, who does not attend.",
        "When another member disclosed a relapse and a new diagnosis of bipolar disorder, she was quiet.",
    ],
)
def test_a_sentence_behind_a_diagnosis_line_is_none_of_it(code: Coder, told: str) -> None:
    assert coded(code(f"Dx: Generalized anxiety disorder. {told}{SESSION}")) == ["F41.1"]


def test_a_row_of_a_table_is_named_by_what_stands_before_its_dash(code: Coder) -> None:
    rows = (
        "| Secondary | F90.2 | ADHD, combined presentation |\n"
        "| Primary - focus of today | F33.0 | Major depressive disorder, recurrent, mild |"
    )
    assert coded(code(f"{rows}{SESSION}")) == ["F33.0", "F90.2"]


def test_the_rows_of_a_table_of_diagnoses_are_its_diagnoses(code: Coder) -> None:
    table = (
        "| Dx | Status | Rank |\n"
        "| Alcohol use disorder, mild, in early remission | current | secondary |\n"
        "| Gambling disorder | current | PRIMARY |\n"
        "| Cocaine use disorder | ruled out at intake | - |"
    )
    assert coded(code(f"{table}\n{SESSION}")) == ["F63.0", "F10.11"]


def test_a_row_that_ended_is_history(code: Coder) -> None:
    rows = "8/02  ASD (acute stress, after the robbery)  -- ended 9/04\n9/04  PTSD  -- current"
    assert coded(code(f"Diagnoses\n{rows}\n{SESSION}")) == ["F43.10"]


def test_boxes_behind_a_title_stand_before_their_options(code: Coder) -> None:
    boxes = "PROGRESS NOTE   [X] video  [ ] audio only   Pt location: home   Consent on file: [X]"
    result = code(f"{boxes}\nDx: GAD{SESSION}", place="telehealth")
    assert [procedure.modifier for procedure in result.procedures] == ["95"]


def test_an_option_that_is_not_ticked_disputes_no_place(code: Coder) -> None:
    boxes = "Contact type: [ ] Office  [X] Video  [ ] Phone only"
    result = code(f"{boxes}\nDx: GAD{SESSION}", place="telehealth")
    assert (result.outcome, result.reasons) == (Outcome.CODED, ())


def test_a_length_in_the_note_is_held_against_the_requests(code: Coder) -> None:
    said = "Dx: GAD. Individual. The session itself was 40 minutes."
    assert Reason.DURATION_AGAINST_NOTE in code(said, minutes=60).reasons


def test_prose_that_excludes_the_diagnosis_line_disputes_it(code: Coder) -> None:
    said = "In the assessment I give here, this is major depressive disorder, recurrent, moderate."
    assert Reason.CONFLICT_CODES in code(f"Diagnosis: Bipolar II disorder\n\n{said}{SESSION}").reasons


def test_a_code_that_a_dictation_repeats_is_held_against_the_time(code: Coder) -> None:
    said = "Face to face 45 minutes. Bill as CPT nine zero eight three seven. That's 90837. Next week."
    assert Reason.PROCEDURE_CONFLICT in code(f"Dx: GAD. {said}").reasons


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("Client tardy 8 min, so our 53-min session became 45.", 45),
        ("Psychotherapy (excluding 10 min of scheduling and copay): 47 min", 47),
        ("I logged on at 12:55, she joined at 1:01 and we talked until 1:50.", 49),
        ("In 10:20, back to class 10:55.", 35),
        ("Ct in 1315, out 1340, walked over from day program.", 25),
        ("Scheduled: 1.0 hr     Face-to-face therapy: 0.6 hr     Documentation: 0.3 hr", 36),
        ("Client was to have an hour, but was called in early and stayed on for 16 minutes of therapy.", 16),
    ],
)
def test_a_length_is_what_was_used(code: Coder, said: str, minutes: int) -> None:
    result = code(f"Individual psychotherapy. {said}\nDx: GAD.")
    assert result.procedures[0].minutes == minutes
    assert Reason.TIME_CONFLICT not in result.reasons


@pytest.mark.parametrize(
    "said",
    [
        "Total time today 75 min, including chart review, psychotherapy and a call to the PCP.",
        "Session 10:00-11:00, with a break while client took a call in the hall.",
        "60 min appt: first 30 family with parents (separate note), then 30 individual.",
        "Started on time and stayed twenty minutes past the end of our hour.",
    ],
)
def test_a_length_that_holds_more_than_the_session_is_asked_about(code: Coder, said: str) -> None:
    assert code(f"Individual psychotherapy. {said}\nDx: GAD.").outcome is Outcome.NEEDS_REVIEW


def test_a_code_billed_against_its_clock_times_is_asked_about(code: Coder) -> None:
    result = code("Service code: 90837\nIn 3:02 pm / out 3:49 pm, individual\nA: MDD, recurrent, mild.")
    assert result.reasons == (Reason.PROCEDURE_CONFLICT,)


def test_a_second_diagnosis_after_a_spoken_stop_is_read(code: Coder) -> None:
    said = (
        "Seen in person, individual, period. New paragraph. Impression, posttraumatic stress disorder, "
        "period, and nightmare disorder, period. New paragraph. Face to face forty-two minutes, period."
    )
    assert [each.code for each in code(said).diagnoses] == ["F43.10", "F51.5"]


@pytest.mark.parametrize(
    "said",
    [
        "The puppet whispered to the turtle at min 20.",
        "The county's organizer spent two hours with him on Tuesday and sends her own report.",
    ],
)
def test_minutes_of_a_moment_or_of_another_day_dispute_no_session(code: Coder, said: str) -> None:
    result = code(f"Individual session, 10:00 AM - 10:45 AM.\n{said}\nDx: GAD.")
    assert (result.procedures[0].minutes, result.reasons) == (45, ())


def test_the_onset_of_a_disorder_is_no_second_diagnosis(code: Coder) -> None:
    result = code(
        "Individual psychotherapy, 55 minutes.\n"
        "Diagnosis: Adjustment disorder with disturbance of conduct (onset with father's arrest)"
    )
    assert [each.code for each in result.diagnoses] == ["F43.24"]


@pytest.mark.parametrize(
    "said",
    [
        "PTSD (F43.10) resolved",
        "PTSD (F43.10) - provisional",
        "PTSD (F43.10) rule out",
        "PTSD (F43.10) denied",
        "PTSD (F43.10) suspected",
        "PTSD (F43.10) by history",
        "PTSD (F43.10) Inactive",
        "MDD (age 12) resolved",
        "MDD (PHQ-9 10) ruled out",
    ],
)
def test_what_stands_behind_a_bracketed_number_counts(code: Coder, said: str) -> None:
    result = code(f"Dx: GAD (F41.1); {said}{SESSION}")
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F41.1"])


def test_a_condition_behind_a_code_continues_its_list(code: Coder) -> None:
    assert coded(code(f"Tourette's disorder (F95.2) and OCD, both current.{SESSION}")) == ["F95.2", "F42.2"]


@pytest.mark.parametrize(
    "line",
    [
        "Topic: ghosted. Dx GAD (F41.1).",
        "P: Continue. Dx F41.1",
        "HW: breathing. Dx F41.1",
        "Plan: rest. Dx F41.1.",
    ],
)
def test_a_sentence_behind_a_label_gives_the_diagnosis(code: Coder, line: str) -> None:
    assert coded(code(f"{line}{SESSION}")) == ["F41.1"]


@pytest.mark.parametrize(
    "line",
    [
        "P: Refer. Dx from the old chart F31.9.",
        "P: Continue. Dx was F31.9.",
        "P: Continue. Dx discussed with mother, F31.9.",
        "Topic: sleep. Her sister's dx F31.9.",
        "Topic: sleep. Dx rule out bipolar disorder F31.9.",
    ],
)
def test_a_sentence_behind_a_label_that_tells_of_another_diagnosis_gives_none(code: Coder, line: str) -> None:
    assert coded(code(f"{line}\nDx: GAD{SESSION}")) == ["F41.1"]
