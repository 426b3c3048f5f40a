"""What a sentence says in passing of a diagnosis, an order, a length or of who came."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


def procedures(result: NoteResult) -> list[str]:
    return [each.code for each in result.procedures] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    "assessment",
    [
        "Today client meets full remission of her recurrent major depressive disorder.",
        "In partial remission from recurrent major depressive disorder.",
    ],
)
@pytest.mark.parametrize("carried", ["", "Dx (from previous note): MDD, recurrent, moderate, F33.1\n\n"])
def test_a_remission_told_before_its_condition_is_asked_about(
    code: Coder, assessment: str, carried: str
) -> None:
    assert coded(code(f"Individual, 45 min.\n{carried}Assessment: {assessment}")) == []


def test_a_remission_that_is_a_goal_leaves_the_diagnosis(code: Coder) -> None:
    note = "Individual, 45 min.\nDx: MDD, recurrent, moderate\nGoal: full remission of depression."
    assert coded(code(note)) == ["F33.1"]


def test_what_is_not_to_be_diagnosed_is_not_coded(code: Coder) -> None:
    note = "Diagnosis: social phobia. An avoidant personality is not to be diagnosed. Individual, 40 minutes."
    assert coded(code(note)) == ["F40.10"]


def test_the_second_axis_of_an_old_form_takes_nothing_back(code: Coder) -> None:
    note = "Individual, 45 min.\nAx I: 309.81 posttraumatic stress disorder\nAx II: V71.09 no dx"
    assert coded(code(note)) == ["F43.10"]


def test_what_a_clinician_has_a_complaint_down_as_is_the_diagnosis(code: Coder) -> None:
    note = "Individual, 45 min. His mood, which I have down as major depressive disorder, recurrent, mild."
    assert coded(code(note)) == ["F33.0"]


def test_ranks_between_commas_order_the_diagnoses(code: Coder) -> None:
    note = "Individual, 45 min. Diagnoses are PTSD (F43.10), secondary, and BPD (F60.3), primary."
    assert coded(code(note)) == ["F60.3", "F43.10"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("F41.1 GAD", "F33.0 MDD", ["F41.1", "F33.0"]), ("F33.0 MDD", "F41.1 GAD", [])],
)
def test_a_complaint_that_is_the_focus_is_of_the_first_diagnosis(
    code: Coder, first: str, second: str, expected: list[str]
) -> None:
    page = f"Dx: {first}\n{second}, recurrent, mild" if "GAD" in first else f"Dx: {first}, mild\n{second}"
    note = f"Individual, 45 min.\n{page}\nAssessment: Anxiety remains moderate and is the main focus."
    assert coded(code(note)) == expected


@pytest.mark.parametrize(
    "told",
    [
        "SUDS 70, down to 50 in eighteen min.",
        "He got here eighteen minutes past three, out of breath.",
    ],
)
def test_minutes_of_a_score_or_past_the_hour_are_no_length(code: Coder, told: str) -> None:
    assert code(f"Individual. Dx: OCD. {told}").reasons == (Reason.NO_TIME,)


@pytest.mark.parametrize(
    ("told", "procedure"),
    [
        (
            "She was scheduled for sixty minutes today but left after 40 minutes because school called.",
            "90834",
        ),
        ("I sat with him in the consult room for half an hour while the others did treadmills.", "90832"),
    ],
)
def test_a_length_told_in_passing_is_read(code: Coder, told: str, procedure: str) -> None:
    assert procedures(code(f"Individual psychotherapy. {told}\nDx: GAD")) == [procedure]


@pytest.mark.parametrize(
    "told",
    [
        "Waited. Nobody in the lobby at 4:00. At 4:30 closed the room.",
        "The late fee will be charged to the card on file.",
    ],
)
def test_a_visit_that_nobody_came_to_is_asked_about_whatever_was_sent(code: Coder, told: str) -> None:
    assert code(f"Individual. Dx: F33.1\n{told}", minutes=60).outcome is not Outcome.CODED


def test_nobody_at_a_party_is_no_missed_visit(code: Coder) -> None:
    assert coded(code("Individual. Dx: F33.1\nNobody came to her party.", minutes=60)) == ["F33.1"]


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ("I would call it GAD.", ["F41.1"]),
        ("I hold this to be prolonged grief disorder and not a depression.", ["F43.81"]),
        ("I now describe the binge-eating disorder as mild.", ["F50.810"]),
        ("This occurs in the course of a major depressive disorder, recurrent, mild.", ["F33.0"]),
        (
            "What I am treating is chronic PTSD, now in its eleventh year, and alongside it an alcohol use "
            "disorder, moderate, in sustained remission.",
            ["F43.12", "F10.21"],
        ),
        (
            "Borderline personality disorder, primary, with a fear of being left, and under it a recurrent "
            "major depression, mild at present.",
            ["F60.3", "F33.0"],
        ),
        (
            "Her principal diagnosis is borderline personality disorder, and beneath it, or alongside it, "
            "runs a recurrent major depressive disorder that is moderate at the moment.",
            ["F60.3", "F33.1"],
        ),
        (  # the second is asked about
            "I treat her for severe alcohol use disorder, in sustained remission. The low mood behind it, "
            "a recurrent major depressive disorder, is in partial remission.",
            [],
        ),
        ("If the panic returned I would call it panic disorder.", []),
        ("I'd call it GAD if it lasted.", []),
    ],
)
def test_what_a_clinician_calls_it_is_the_diagnosis(code: Coder, told: str, wanted: list[str]) -> None:
    assert coded(code(f"Individual session, 45 minutes.\n{told}")) == wanted


@pytest.mark.parametrize(
    "told",
    [
        "Alex is 34, and sleeps well.",
        "34-year-old trans man.",
        "She is a thirty-four-year-old woman.",
        "Age: 34",
        "Sam, 15, seen alone.",
    ],
)
def test_gender_dysphoria_of_one_who_is_no_child_needs_no_question(code: Coder, told: str) -> None:
    assert coded(code(f"Individual, 45 min. {told}\nDx: Gender dysphoria")) == ["F64.0"]


@pytest.mark.parametrize(
    "told",
    [
        "Sam, age 8.",
        "Her son is 34 years old.",
        "With her 40-year-old brother.",
        "Session 12.",
        "Pt is 12 y/o.",
    ],
)
def test_gender_dysphoria_of_one_who_may_be_a_child_is_asked_about(code: Coder, told: str) -> None:
    assert code(f"Individual, 45 min. {told}\nDx: Gender dysphoria").reasons == (Reason.SPECIFIER_UNCLEAR,)


def test_a_second_condition_that_is_on_the_chart_is_asked_about(code: Coder) -> None:
    told = "PTSD is on his chart, and he'd be the first to agree."
    note = f"Individual, 45 min. Mr. Lee has generalized anxiety disorder. {told}"
    assert code(note).reasons == (Reason.DIAGNOSIS_UNREAD,)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("In vivo exposure at the park next to the office, 50 minutes face to face.", "90834"),
        ("Over fifty-six minutes we practiced turning toward the fog.", "90837"),
        ("He came ten minutes late; we used the remaining forty minutes for individual therapy.", "90834"),
        (
            "She stayed with me for twenty minutes, door closed. Our session took forty minutes in all.",
            "90834",
        ),
        ("Our session ran forty-five minutes. She tried it with me for about six minutes.", "90834"),
    ],
)
def test_the_length_of_a_session_is_told_among_others(code: Coder, said: str, expected: str) -> None:
    result = code(f"Dx: GAD. {said}")
    assert (result.outcome, [each.code for each in result.procedures]) == (Outcome.CODED, [expected])


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I saw her for 50 minutes of crisis psychotherapy.", ["90839"]),
        ("I cleared my schedule and provided 65 minutes of psychotherapy for crisis.", ["90839"]),
        ("This was psychotherapy for crisis, 9:45 to 11:10.", ["90839", "90840"]),
    ],
)
def test_a_crisis_by_the_name_of_its_service_needs_one_sign(
    code: Coder, said: str, expected: list[str]
) -> None:
    assert code(f"Dx: acute stress disorder. {said}").outcome is Outcome.NEEDS_REVIEW
    result = code(f"Dx: acute stress disorder. {said} We wrote a safety plan with her sister.")
    assert (result.outcome, [each.code for each in result.procedures]) == (Outcome.CODED, expected)


def test_what_has_gone_on_since_is_no_other_visit(code: Coder) -> None:
    said = (
        "Note on Mr. Halloway. His internet has been out since the storm so this was by telephone, audio"
        " only, and we talked for 25 minutes. He is seen for panic disorder."
    )
    assert [each.modifier for each in code(said, place="telehealth").procedures] == ["93"]


@pytest.mark.parametrize(
    "said",
    [
        "As a second problem we are addressing threat of job loss.",
        "I also keep personal history of suicide attempt on the diagnosis list.",
    ],
)
def test_a_circumstance_that_is_taken_along_is_not_left_out_unasked(code: Coder, said: str) -> None:
    result = code(f"We are treating major depressive disorder, recurrent, moderate. {said}", minutes=45)
    assert (result.outcome, result.reasons) == (Outcome.NEEDS_REVIEW, ("diagnosis_unread",))
