"""A service, a patient, a length or a doubt that only the sentence round it gives away."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
INDIVIDUAL = "Individual, 45 minutes. "


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


def procedures(result: NoteResult) -> list[str]:
    return [procedure.code for procedure in result.procedures] if result.outcome is Outcome.CODED else []


def minutes(result: NoteResult) -> list[int | None]:
    return [procedure.minutes for procedure in result.procedures] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    "said",
    [
        "Panic disorder and social anxiety disorder are still on the table.",
        "Panic disorder and an adjustment disorder remain possible.",
        "Cyclothymia and a cannabis-induced mood disorder remain on the differential.",
        "Cyclothymia and some kind of head injury remain on the differential.",
        "PTSD and panic disorder are both candidates.",
        "Rule-outs that remain: panic disorder, agoraphobia.",
        "Panic disorder and agoraphobia are being looked at.",
    ],
)
def test_what_is_only_possible_of_several_is_not_coded(code: Coder, said: str) -> None:
    assert coded(code(f"{INDIVIDUAL}{said}\nDx: Kleptomania")) == ["F63.2"]


@pytest.mark.parametrize(
    "said",
    [
        "She spoke of her husband's jokes. He is in treatment for PTSD and she has become careful.",
        "She talked about her boss. He has ADHD and forgets what he says.",
    ],
)
def test_a_pronoun_of_the_other_sex_is_not_the_patient(code: Coder, said: str) -> None:
    assert code(f"{INDIVIDUAL}{said}").diagnoses == ()


@pytest.mark.parametrize(
    "said", ["His mother brought him. He has PTSD.", "Her mother called. Sam was at school. He has PTSD."]
)
def test_a_pronoun_of_the_patient_is(code: Coder, said: str) -> None:
    assert coded(code(f"{INDIVIDUAL}{said}")) == ["F43.10"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Diagnosis is uncomplicated bereavement.", ["Z63.4"]),
        ("I am seeing him for uncomplicated bereavement.", ["Z63.4"]),
        ("What we are working on is a phase of life problem, retirement.", ["Z60.0"]),
        (
            "We work with him on schizophrenia, and his other listed problem is sheltered homelessness.",
            ["F20.9", "Z59.01"],
        ),
    ],
)
def test_a_circumstance_is_coded_where_it_is_what_is_treated(
    code: Coder, said: str, expected: list[str]
) -> None:
    assert coded(code(f"{INDIVIDUAL}{said}")) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "He carries autism spectrum disorder, level 1, without intellectual impairment, and an"
            " unspecified anxiety disorder.",
            ["F84.0", "F41.9"],
        ),
        ("She has hoarding disorder, with fair insight, and social anxiety disorder.", ["F42.3", "F40.10"]),
        ("A: 1. ADHD, combined\n2. Unspecified insomnia disorder", ["F90.2", "G47.00"]),
    ],
)
def test_the_second_of_a_list_is_coded_behind_an_aside(code: Coder, said: str, expected: list[str]) -> None:
    assert coded(code(f"{INDIVIDUAL}\n{said}")) == expected


def test_one_that_is_said_to_be_what_is_treated_asks_for_the_order(code: Coder) -> None:
    said = (
        "Diagnoses are OCD and generalized anxiety disorder, the anxiety being what brings him in each week."
    )
    assert Reason.ORDER_UNCLEAR in code(f"{INDIVIDUAL}{said}").reasons


@pytest.mark.parametrize(
    "said",
    [
        "D: Skills group attended Monday w/ other leader.\nP: Labs. DBT individual, 60 min, in office.",
        "D: Attended skills group Monday.\nP: Labs. DBT individual, 60 min, in office.",
        "Axis IV: problems with primary support group\nData: Individual session, 60 min.",
    ],
)
def test_a_group_of_another_day_is_not_this_service(code: Coder, said: str) -> None:
    assert procedures(code(f"{said}\nDx: Borderline personality disorder")) == ["90837"]


@pytest.mark.parametrize(
    "said",
    [
        "Session with Wren (16) and both parents, 60 min.",
        "Met w/ pt & both moms in the room, 60 min.",
        "The entire family came: Wren (16), her moms, her brother. 60 minutes.",
        "Mom, dad and Wren (16) all in session. 60 minutes.",
    ],
)
def test_a_family_in_the_room_without_a_service_is_asked_about(code: Coder, said: str) -> None:
    assert Reason.SERVICE_UNKNOWN in code(f"{said}\nDx: Anorexia nervosa, restricting type, severe").reasons


def test_family_based_treatment_in_short_is_the_family_s(code: Coder) -> None:
    said = (
        "FBT phase 1, meeting 5. Whole household here. One hour.\nDx: Anorexia nervosa, restricting, severe"
    )
    assert procedures(code(said)) == ["90847"]


@pytest.mark.parametrize(
    ("said", "modifier"),
    [
        ("Today's individual session was moved to video on short notice, 50 minutes.", "95"),
        ("Mrs. V. took her 1:00 by telephone. Individual, 25 minutes.", "93"),
        ("Individual, 25 minutes. Landline only; audio the whole way.", "93"),
        ("Individual.\nP: Two weeks.\n25 minutes of individual therapy by phone.", "93"),
    ],
)
def test_a_session_in_the_office_that_was_held_from_afar_is_asked_about(
    code: Coder, said: str, modifier: str
) -> None:
    result = code(f"Dx: Generalized anxiety disorder\n{said}")
    assert Reason.PLACE_CONFLICT in result.reasons
    assert [procedure.modifier for procedure in result.procedures] == [modifier]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Individual session set for 4:00-5:00. She came late; 4:10 to 4:55.", 45),
        ("Individual, 11:03 to 11:55. From 11:55 to 12:23 I spoke with the hospital and wrote this.", 52),
        ("Individual session lasted 55 minutes. One outburst, which went on for about 50 minutes.", 55),
        ("Individual session of 60 minutes, minus 7 minutes for a call, leaving 53 minutes.", 53),
    ],
)
def test_the_length_is_the_session_s(code: Coder, said: str, expected: int) -> None:
    assert minutes(code(f"{said}\nDx: Generalized anxiety disorder")) == [expected]


def test_minutes_that_are_taken_off_already_are_not_taken_off_again(code: Coder) -> None:
    said = (
        "An hour, less the five minutes when she stepped out, so 55 minutes of individual therapy took place."
    )
    result = code(f"{said}\nDx: Generalized anxiety disorder")
    assert [procedure.minutes for procedure in result.procedures] == [55]


def test_far_rows_of_one_table_are_one_list(code: Coder) -> None:
    rows = (
        "| F50.810 | Binge-eating disorder, mild                          | ACTIVE (1)    |\n"
        "| F33.42  | Major depressive disorder, recurrent, in full remission | ACTIVE (2) |\n"
    )
    assert coded(code(f"{rows}\n{INDIVIDUAL}")) == ["F50.810", "F33.42"]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("OCD and agoraphobia", ["F42.2", "F40.00"]),
        ("PTSD with panic disorder", ["F43.10", "F41.0"]),
        ("cannabis use disorder, mild, along with agoraphobia", ["F12.10", "F40.00"]),
        ("panic disorder and agoraphobia", ["F40.01"]),
        ("MDD, recurrent, moderate, with panic attacks", ["F33.1"]),
        ("OCD, unspecified anxiety disorder", ["F42.2", "F41.9"]),
        ("PTSD, chronic, insomnia disorder", ["F43.12", "F51.01"]),
        ("PTSD, chronic / insomnia disorder", ["F43.12", "F51.01"]),
        ("delusional disorder, somatic symptom disorder", ["F22", "F45.1"]),
        ("MDD, single episode, mild / panic disorder", ["F32.0", "F41.0"]),
        ("anxiety disorder, generalized; insomnia disorder, unspecified", ["F41.1", "G47.00"]),
        ("Agoraphobia. No panic attacks now or ever", ["F40.00"]),
    ],
)
def test_no_specifier_swallows_the_next_condition(code: Coder, field: str, expected: list[str]) -> None:
    assert coded(code(f"{INDIVIDUAL}\nDx: {field}")) == expected


# Each is coded by itself, and two of them as both, in this order, however they are joined.
NAMES = {
    "panic disorder": "F41.0", "GAD": "F41.1", "social anxiety disorder": "F40.10", "OCD": "F42.2",
    "PTSD, chronic": "F43.12", "major depressive disorder, recurrent, moderate": "F33.1",
    "ADHD, inattentive type": "F90.0", "autism spectrum disorder": "F84.0", "insomnia disorder": "F51.01",
    "bulimia nervosa, moderate": "F50.22", "alcohol use disorder, mild, in early remission": "F10.11",
    "borderline personality disorder": "F60.3", "adjustment disorder with anxiety": "F43.22",
    "unspecified depressive disorder": "F32.A", "somatic symptom disorder": "F45.1",
}  # fmt: skip
# These exclude or replace each other, so that a person is asked.
APART = ("F33.1", "F32.A", "F43.22")


@pytest.mark.parametrize("joined", [" and ", ", ", "; ", " with ", " / ", " + ", " plus ", " as well as "])
def test_two_conditions_are_two_however_they_are_joined(code: Coder, joined: str) -> None:
    wrong = {
        f"{first}{joined}{second}": found
        for first, left in NAMES.items()
        for second, right in NAMES.items()
        if left != right and not {left, right}.issubset(APART)
        if (found := coded(code(f"{INDIVIDUAL}\nDx: {first}{joined}{second}"))) != [left, right]
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "field",
    [
        "F43.23 Adjustment disorder with depressed mood",
        "F90.2 ADHD, inattentive",
        "F32 major depressive disorder, recurrent, moderate",
        "F10.2 alcohol use disorder, mild",
        "F31.3 bipolar I, current episode manic, moderate",
    ],
)
def test_a_code_or_a_heading_of_another_specifier_is_asked_about(code: Coder, field: str) -> None:
    assert Reason.CODE_TEXT_MISMATCH in code(f"{INDIVIDUAL}\nDx: {field}").reasons


def test_a_heading_that_its_words_leave_open_is_asked_about(code: Coder) -> None:
    assert Reason.CODE_NOT_BILLABLE in code(f"{INDIVIDUAL}\nDx: F33 major depressive disorder").reasons


def test_a_code_belongs_to_the_condition_nearest_to_it(code: Coder) -> None:
    assert coded(code(f"{INDIVIDUAL}\nDx: PTSD and panic disorder (F41.0)")) == ["F43.10", "F41.0"]


def test_the_head_of_a_table_of_diagnoses_opens_them(code: Coder) -> None:
    rows = (
        "DX LIST                          Active?\n1  Schizophrenia         [X] Y  [ ] N\n"
        "2  Sheltered homelessness  [X] Y  [ ] N\n3  Panic disorder  [ ] Y  [X] N\n"
    )
    assert coded(code(f"{rows}{INDIVIDUAL}")) == ["F20.9", "Z59.01"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "CRISIS PSYCHOTHERAPY   Start 2:10 PM   Stop 3:20 PM   (continuous; case manager at the end)\n"
            "He stood on the roof, wants to die, voices tell him. Safety plan.",
            ["90839"],
        ),
        ("Individual, 45 min. Client is 34 and partnered; partner did not attend.", ["90834"]),
        ("Family therapy, parents of Gideon (26), fifty-five minutes.", ["90846"]),
        ("Individual therapy today 50 min. Intake of the 5th (75 min) stands.", ["90834"]),
        ("Couples therapy. 75 minutes, both here. Today: twenty minutes on money, then the rest.", ["90847"]),
        ("One to one, 38 minutes of CBT-I. Diary: asleep 5 h.", ["90834"]),
    ],
)
def test_the_service_and_its_minutes_are_of_this_visit(code: Coder, said: str, expected: list[str]) -> None:
    assert procedures(code(f"{said}\nDx: Bulimia nervosa, mild")) == expected


def test_a_group_on_a_conference_line_is_by_voice(code: Coder) -> None:
    said = "Telephone grief group (conference line). Seven callers, 75 minutes.\nDx: Prolonged grief disorder"
    result = code(said, place="telehealth")
    assert [(each.code, each.modifier) for each in result.procedures] == [("90853", "93")]


def test_a_video_visit_that_was_kept_in_the_office_is_asked_about(code: Coder) -> None:
    said = (
        "Booked as a video visit; she rode in. Individual, 45 min.\nO: Face to face, in my office.\nDx: GAD"
    )
    assert Reason.PLACE_CONFLICT in code(said, place="telehealth").reasons


@pytest.mark.parametrize("said", ["Mo: PTSD; Fa: none.", "DH has PTSD.", "Fa w/ PTSD."])
def test_relatives_in_two_letters_are_others(code: Coder, said: str) -> None:
    assert coded(code(f"{INDIVIDUAL}\nA: Kleptomania. {said}\nP: Two weeks.")) == ["F63.2"]


def test_months_are_nobody(code: Coder) -> None:
    assert coded(code(f"{INDIVIDUAL}\nDx: seen x 6 mo, PTSD")) == ["F43.10"]


def test_a_category_in_front_of_an_entry_ends_no_list(code: Coder) -> None:
    listed = (
        "DSM-5-TR DIAGNOSES\n1. Mood: MDD, recurrent, moderate\n2. Tobacco: nicotine dependence, cigarettes"
    )
    assert coded(code(f"{INDIVIDUAL}\n{listed}")) == ["F33.1", "F17.210"]


@pytest.mark.parametrize(
    "said",
    [
        "PTSD, seizure disorder and psychosis have each been excluded.",
        "She sees her own counselor for PTSD and that was left there.",
    ],
)
def test_what_is_excluded_among_others_or_treated_elsewhere_is_not_coded(code: Coder, said: str) -> None:
    assert coded(code(f"{INDIVIDUAL}\nDx: Kleptomania. {said}")) == ["F63.2"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Scheduled as 60 min, individual; patient left after 36 minutes to collect her son.", 36),
        ("CPT 90837 (60 min) // Start 1:00 PM // End 1:55 PM // individual", 55),
        ("Individual. Minutes with pt: 46       Minutes charting: 9       Last visit minutes: 60", 46),
        ("Counseling: IND [X]  GRP [ ]  FAM [ ]      minutes: 34", 34),
        ("Individual. E. Time: 37 minutes counseling; 8 minutes note", 37),
    ],
)
def test_the_minutes_are_those_of_the_session(code: Coder, said: str, expected: int) -> None:
    assert minutes(code(f"{said}\nDx: Generalized anxiety disorder")) == [expected]


@pytest.mark.parametrize(
    "said", ["30 min only - work called.", "Only 30 min today, he had to go.", "35 minutes, individual."]
)
def test_a_length_that_says_it_was_no_more_is_held_against_the_request(code: Coder, said: str) -> None:
    result = code(f"Individual. {said}\nDx: Generalized anxiety disorder", minutes=50)
    assert Reason.DURATION_AGAINST_NOTE in result.reasons


def test_a_family_session_of_parents_only_took_place(code: Coder) -> None:
    said = "Family-based treatment, parents only. Patient (Ana, 16) did not attend.\nDx: Bulimia, mild"
    assert code(said, minutes=50).outcome is not Outcome.NOT_BILLABLE


def test_a_box_that_rules_out_is_not_ticked(code: Coder) -> None:
    boxes = (
        "Dx boxes ( X = current, O = ruled out )\n _X_ Oppositional defiant disorder\n ___ OCD\n _O_ ADHD\n"
    )
    assert coded(code(f"{boxes}{INDIVIDUAL}")) == ["F91.3"]


def test_what_a_child_cannot_say_denies_no_complexity(code: Coder) -> None:
    said = "Puppets used as she can't yet speak here (interactive complexity, 90785).\nDx: Selective mutism"
    assert procedures(code(f"{INDIVIDUAL}{said}")) == ["90834", "90785"]


def test_parents_who_come_without_the_child_they_are_named_by_are_seen_without_the_patient(
    code: Coder,
) -> None:
    result = code(
        "Met with both mothers of Callum (13), without Callum, for family psychotherapy, 52 minutes."
        " Client dx autism spectrum disorder."
    )
    assert procedures(result) == ["90846"]
