"""A diagnosis that the note changes, a list beneath another, a crisis somewhere in the story."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
CRISIS = (
    "Ms. Toller rang the front desk this morning and said that she could not be sure of herself. She"
    " came over with her sister, who sat in the waiting room with the dog. {} She has had thoughts of"
    " killing herself since Sunday and had put the tablets on the table. We went through what had set it"
    " off, called her husband to take the tablets out of the house, and wrote a safety plan. Major"
    " depressive disorder, recurrent, severe without psychotic features."
)


@pytest.mark.parametrize(
    "changed",
    [
        "Up to today I had carried her under F32.1, a single moderate episode. I have changed the diagnosis,"
        " and from this session on it reads major depressive disorder, recurrent, mild.",
        "His chart has said F32.1 since March; with what he told me today the right one is major depressive"
        " disorder, recurrent, mild.",
        "She had been carried as F32.1. From now on it reads major depressive disorder, recurrent, mild.",
    ],
)
def test_a_code_that_was_carried_until_today_is_not_billed(code: Coder, changed: str) -> None:
    result = code(f"Individual therapy, 45 minutes. {changed}")
    assert result.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize("heading", ["Inactive", "Resolved", "Ruled out", "Historical"])
@pytest.mark.parametrize("stop", ["", "."])
def test_a_list_beneath_takes_nothing_back_of_the_line_above(code: Coder, heading: str, stop: str) -> None:
    result = code(
        f"Problem: Panic disorder. MDD, recurrent, moderate{stop}\n  {heading}: PTSD{stop}\n"
        "Individual therapy\nSession length 56 min"
    )
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F41.0", "F33.1"]


@pytest.mark.parametrize("state", ["Resolved: 3/2024", "Removed: duplicate entry", "Inactive: see old list"])
def test_a_state_beneath_a_diagnosis_still_speaks_of_it(code: Coder, state: str) -> None:
    result = code(f"Problem: MDD, recurrent, moderate\n  {state}\nIndividual therapy\nSession length 56 min")
    assert result.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "said",
    [
        "I provided psychotherapy for crisis for 65 minutes.",
        "Crisis psychotherapy was provided for 65 minutes.",
        "The crisis session lasted 65 minutes.",
        "We met for a crisis session from 10:00 to 11:05.",
        "She was seen for an emergency session from 10:00 to 11:05.",
    ],
)
def test_a_crisis_told_of_in_the_story_is_never_billed_as_an_ordinary_session(code: Coder, said: str) -> None:
    result = code(CRISIS.format(said))
    assert result.outcome is Outcome.NEEDS_REVIEW or result.procedures[0].code == "90839"


def test_a_crisis_psychotherapy_session_in_the_office_is_billed_as_one(code: Coder) -> None:
    said = "She was in my office for a crisis psychotherapy session from 4:11 p.m. until 5:15 p.m."
    result = code(CRISIS.format(said))
    assert (result.outcome, result.procedures[0].code) == (Outcome.CODED, "90839")


def test_no_need_of_a_crisis_session_leaves_a_session_what_it_is(code: Coder) -> None:
    result = code(CRISIS.format("We met individually for 50 minutes. There was no need of a crisis visit."))
    assert (result.outcome, result.procedures[0].code) == (Outcome.CODED, "90834")


@pytest.mark.parametrize("none", ["psychotherapy only visit, no E/M today", "psychotherapy without E/M"])
def test_a_prescriber_who_did_no_evaluation_bills_psychotherapy(code: Coder, none: str) -> None:
    result = code(f"PMHNP - {none}\nDx: Binge-eating disorder, moderate\nFace-to-face 2:35-3:20p")
    assert (result.outcome, result.procedures[0].code) == (Outcome.CODED, "90834")


def test_what_may_also_prove_to_be_is_not_left_unread(code: Coder) -> None:
    result = code(
        "My diagnosis is post-traumatic stress disorder. She may also prove to have a panic disorder, but the"
        " attacks all began with a smell. Individual therapy, 50 minutes."
    )
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F43.10"]
    assert result.outcome is Outcome.CODED


def test_an_eating_disorder_that_is_named_says_what_the_abbreviation_means(code: Coder) -> None:
    result = code("ED Dx: Bulimia nervosa, moderate (F50.22)\nIndividual therapy 50 min.")
    assert (result.outcome, result.diagnoses[0].code) == (Outcome.CODED, "F50.22")


def test_what_i_record_is_no_old_record(code: Coder) -> None:
    result = code(
        "Individual therapy 50 min. It is uncomplicated bereavement, and I record it as such (Z63.4). The"
        " treated condition remains dysthymic disorder (F34.1)."
    )
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F34.1", "Z63.4"]


@pytest.mark.parametrize(
    ("apart", "code_of_it"),
    [
        ("From 10:25 to 10:45 she rested in the quiet room and I was not with her.", "90834"),
        ("Between 10:20 and 10:40 he slept on the couch.", "90834"),
        ("10:20-10:40 client was alone with the coloring book.", "90834"),
        ("From 10:25 to 10:45 we rested on the bench together.", "90837"),
    ],
)
def test_a_stretch_without_the_therapist_is_taken_off(code: Coder, apart: str, code_of_it: str) -> None:
    result = code(f"Individual session. Arrived 10:00, left 11:10. {apart} Dx: GAD")
    assert result.outcome is Outcome.NEEDS_REVIEW or result.procedures[0].code == code_of_it


@pytest.mark.parametrize(
    "said",
    [
        "Her mother was severely depressed when she was small.",
        "Mood: not severely depressed today.",
        "MSE: mildly depressed, congruent.",
        "In 2010 she was severely depressed.",
    ],
)
def test_only_how_depressed_the_patient_is_now_questions_an_unspecified_code(code: Coder, said: str) -> None:
    result = code(f"Individual therapy 45 min. Dx: F32.9 Major depressive disorder, unspecified. {said}")
    assert (result.outcome, result.diagnoses[0].code) == (Outcome.CODED, "F32.9")


def test_an_evaluation_on_somebody_of_an_age_is_this_visit(code: Coder) -> None:
    result = code(
        "This is an initial diagnostic evaluation on a 36-year-old woman. I met with her for 75 minutes."
        " Impression. Bipolar II disorder."
    )
    assert (result.outcome, result.procedures[0].code) == (Outcome.CODED, "90791")


def test_who_is_in_this_group_for_a_condition_has_it(code: Coder) -> None:
    result = code(
        "Carmen is in this group for chronic posttraumatic stress disorder. Group therapy, 90 minutes."
    )
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F43.12"]


@pytest.mark.parametrize(
    "told",
    [
        "Professor Ueda's major depressive disorder, recurrent, is in full remission.",
        "Her depression has been in full remission since June.",
        "The depression, which is now in partial remission, came up only once.",
        "Depression remains in remission.",
        "She is in full remission since June.",
        "In sustained remission; PHQ-9 of 2.",
    ],
)
def test_a_remission_that_the_story_tells_disputes_an_active_diagnosis(code: Coder, told: str) -> None:
    result = code(f"Dx: Major depressive disorder, recurrent, moderate\nIndividual, 45 minutes\n\n{told}")
    assert result.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "told",
    [
        "Her sister's depression is in remission.",
        "She hopes to see her depression in remission by May.",
        "Her depression is not in remission.",
        "Her depression was in remission last year.",
        "Depression has been in remission twice before.",
        "Goal: depression in remission.",
        "Her uncle is in full remission from lymphoma.",
    ],
)
def test_a_remission_of_another_time_or_person_disputes_nothing(code: Coder, told: str) -> None:
    result = code(f"Dx: Major depressive disorder, recurrent, moderate\nIndividual, 45 minutes\n\n{told}")
    assert (result.outcome, [found.code for found in result.diagnoses]) == (Outcome.CODED, ["F33.1"])


DISPUTED = [
    ("MDD, recurrent, mild", "Her depression is now severe."),
    ("MDD, recurrent, mild", "She meets criteria for severe depression today."),
    ("MDD, recurrent, moderate", "I would now call it severe."),
    ("MDD, single episode, moderate", "This is her third depressive episode."),
    ("MDD, single episode, moderate", "She has had four such episodes since college."),
    ("MDD, recurrent, moderate", "This is her first episode."),
    ("MDD, recurrent, moderate", "She was never depressed before."),
    ("Alcohol use disorder, mild", "He meets 8 of 11 criteria."),
    ("Alcohol use disorder, severe", "No drink in two years; sustained remission."),
    ("Bipolar II disorder", "She was admitted in June for a manic episode."),
    ("Bipolar I, current episode manic, moderate", "She is currently depressed."),
    ("PTSD", "The event was three weeks ago, so acute stress disorder fits better."),
    ("Schizophrenia", "I now consider schizoaffective disorder to be the right diagnosis."),
    ("OCD", "The diagnosis of OCD was changed to OCPD today."),
    ("Social anxiety disorder", "I removed this diagnosis today."),
    ("GAD, PTSD", "PTSD is no longer present."),
    ("GAD, PTSD", "She no longer meets criteria for PTSD."),
]


@pytest.mark.parametrize(("dx", "told"), DISPUTED)
def test_a_story_that_disputes_its_diagnosis_is_asked_about(code: Coder, dx: str, told: str) -> None:
    result = code(f"Dx: {dx}\nIndividual, 45 minutes\n\n{told}")
    assert result.outcome is Outcome.NEEDS_REVIEW


UNDISPUTED = [
    ("MDD, recurrent, severe", "Her depression is now severe, as it was in May."),
    ("MDD, recurrent, mild", "PHQ-9 of 20, in the severe range; she was tired."),
    ("MDD, recurrent, mild", "Her pain is now severe."),
    ("MDD, recurrent, moderate", "This is her third depressive episode."),
    ("MDD, single episode, moderate", "She has had four such arguments since college."),
    ("MDD, single episode, moderate", "This is her first episode."),
    ("Alcohol use disorder, severe", "He meets 8 of 11 criteria."),
    ("Bipolar II disorder", "There was never a manic episode."),
    ("Bipolar II disorder", "No manic episode, a hypomanic episode in June."),
    ("GAD", "CBT fits better than EMDR for her."),
    ("PTSD", "PTSD fits better than acute stress disorder now."),
    ("PTSD", "The diagnosis was changed to PTSD in May."),
    ("OCD", "She changed the dial to the right setting."),
    ("GAD", "Her sister's panic disorder is no longer present."),
    ("GAD", "She no longer meets criteria for panic disorder."),
]


@pytest.mark.parametrize(("dx", "told"), UNDISPUTED)
def test_a_story_that_agrees_or_tells_of_something_else_disputes_nothing(
    code: Coder, dx: str, told: str
) -> None:
    result = code(f"Dx: {dx}\nIndividual, 45 minutes\n\n{told}")
    assert result.outcome is Outcome.CODED


@pytest.mark.parametrize(
    "cause", ["related to the move", "triggered by the crash", "exacerbated by job loss"]
)
def test_what_brought_it_about_speaks_against_nothing(code: Coder, cause: str) -> None:
    text = f"A: Adjustment disorder with anxiety {cause}. Sleeps better.\nP: Individual session, 48 minutes."
    assert (code(text).outcome, [each.code for each in code(text).diagnoses]) == (Outcome.CODED, ["F43.22"])


def test_perhaps_so_many_hours_speaks_against_nothing(code: Coder) -> None:
    text = "Her OCD continues to occupy perhaps two hours of her day. Individual session, 53 minutes."
    assert code(text).outcome is Outcome.CODED
