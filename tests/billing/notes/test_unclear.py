"""What a note says that no stage can weigh sends it to a person; beside it, what is clear and does not."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
DX = "\nDx: Generalized anxiety disorder."
TWO = "\nAssessment: 1. Panic disorder 2. Generalized anxiety disorder\n"
ASKED = {
    "an alarm in the session": (
        "Individual session, 2:00 pm - 2:55 pm. We went out for the fire alarm and came back." + DX,
        "time_conflict",
    ),
    "family in front, individual by time": ("Family-based work, week 3, 50 minutes." + DX, "service_unknown"),
    "parents without the patient": (
        "Family therapy session, 50 minutes. Met with both parents." + DX,
        "service_conflict",
    ),
    "no service that the note names": (
        "Individual session, 50 minutes. No clinical service was given." + DX,
        "service_unknown",
    ),
    "a diagnosis taken back": (
        "Individual session, 50 minutes.\nA: Panic disorder. The line above is wrong; PTSD it was not." + DX,
        "conflict_codes",
    ),
    "an entry withdrawn by its number": (
        "Individual session, 50 minutes.\nDx: 1. GAD 2. Panic disorder\nAddendum: I withdraw number 2.",
        "conflict_codes",
    ),
    "an entry struck by its number": (
        "Individual session, 50 minutes.\nDx: 1. GAD 2. Panic disorder\nAddendum: removed item 2.",
        "conflict_codes",
    ),
    "a correction that opens with what was": (
        "Individual session, 50 min.\nDx change: was MDD, recurrent, mild; now MDD, recurrent, moderate",
        "conflict_codes",
    ),
    "a remission behind a colon": (
        "Individual session, 50 minutes.\nP: Alcohol use disorder, severe. For five months now he has met no"
        " criterion except craving, so the plan was amended today to: in early remission.",
        "specifier_unclear",
    ),
    "an order that can't be placed": (
        "Individual session, 50 minutes." + TWO + "Treatment of worry is primary this month.",
        "order_unclear",
    ),
    "two diagnoses told, one found": (
        "Individual session, 50 minutes. She carries two diagnoses." + DX,
        "diagnosis_unread",
    ),
    "a diagnosis that fits no more": (
        "Individual, 45 min.\nDx: GAD\nHe doesn't think that the old diagnosis fits, nor do I.",
        "conflict_codes",
    ),
    "a label that fits no more": (
        "Individual, 45 min.\nDx: GAD\nWe agree that the label no longer fits.",
        "conflict_codes",
    ),
}


@pytest.mark.parametrize(("text", "reason"), ASKED.values(), ids=ASKED.keys())
def test_it_is_asked(code: Coder, text: str, reason: str) -> None:
    result = code(text)
    assert (result.outcome, result.reasons) == (Outcome.NEEDS_REVIEW, (reason,))


def test_telehealth_that_took_place_in_a_room_is_asked(code: Coder) -> None:
    result = code("Individual session, 50 minutes; client drove in." + DX, place="telehealth")
    assert result.reasons == ("place_conflict",)


def test_telehealth_by_telephone_is_not_billed_as_video(code: Coder) -> None:
    result = code("Individual work by telephone, landline, 50 minutes." + DX, place="telehealth")
    assert result.reasons == ("place_conflict",) or result.procedures[0].modifier == "93"


MINUTES = {
    "halves put together": ("Individual session, 10:00-10:25, resumed 10:40-11:08.", 53),
    "minutes taken off": ("Individual session, 2:03 pm - 2:50 pm. Ten of those minutes were lost.", 37),
    "a break of so long": ("Individual session 11:00-12:02, with a break of 12 minutes.", 50),
    "both ends in words": ("Individual session; we started at ten past two and finished at three.", 50),
}


@pytest.mark.parametrize(("text", "minutes"), MINUTES.values(), ids=MINUTES.keys())
def test_the_note_accounts_for_its_minutes(code: Coder, text: str, minutes: int) -> None:
    result = code(text + DX)
    assert (result.outcome, result.procedures[0].minutes) == (Outcome.CODED, minutes)


FIRST = {
    "by number": "Number 2 is the primary diagnosis.",
    "by rank": "The second is the main diagnosis.",
    "by sign": "Focus of today's visit is #2.",
}


@pytest.mark.parametrize("words", FIRST.values(), ids=FIRST.keys())
def test_what_the_note_calls_the_main_one_comes_first(code: Coder, words: str) -> None:
    result = code("Individual session, 50 minutes." + TWO + words)
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F41.1", "F41.0"]


def test_a_circumstance_follows_the_condition_that_it_accompanies(code: Coder) -> None:
    result = code("Individual session, 50 minutes.\nDx: Z63.0 partner discord; F41.1 GAD")
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F41.1", "Z63.0"]


OTHERS = {
    "queried": "A: GAD. ADHD was queried by his wife.",
    "relative's own, told of him": "A: GAD.\nD: Husband started paroxetine for his OCD.",
    "old records": "A: GAD. PTSD in old records, not assessed.",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_it_is_not_coded(code: Coder, text: str) -> None:
    result = code(text + "\nIndividual session, 50 minutes.")
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F41.1"]


def test_a_second_condition_told_far_from_the_first_is_asked_about(code: Coder) -> None:
    said = (
        "Individual session, 45 minutes. She has PTSD, and we went back to the ferry. They came twice,"
        " and she stayed with them. I also see her for hoarding disorder."
    )
    assert code(said).reasons == ("diagnosis_unread",)


@pytest.mark.parametrize(
    "line",
    ["Episode type: recurrent", "Severity as judged today: moderate", "Where we are now ...... severe"],
)
def test_a_severity_told_lines_below_an_unspecified_diagnosis_is_asked_about(code: Coder, line: str) -> None:
    said = f"Individual, 50 min.\nDiagnosis: MDD\nWalked the ladder, second rung.\nPlan: weekly\n{line}"
    assert code(said).reasons == ("specifier_unclear",)
    assert code(said.partition("\nPlan")[0]).outcome == Outcome.CODED


@pytest.mark.parametrize(
    "line",
    [
        "Current functioning: moderate impairment",
        "Current sleep disturbance: moderate",
        "Current distress: moderate",
        "Current PHQ-9 severity: moderate",
    ],
)
def test_a_severity_of_something_else_is_not_asked_about(code: Coder, line: str) -> None:
    assert code(f"Individual, 50 min.\nDiagnosis: MDD (F32.9)\nPlan: weekly\n{line}").outcome == Outcome.CODED


@pytest.mark.parametrize("ending", ["dep. Individual, 50 min", "dep. and adj. Individual, 50 min"])
def test_a_short_form_at_the_end_of_a_note_is_read_as_any_other(code: Coder, ending: str) -> None:
    assert [diagnosis.code for diagnosis in code(f"Dx: Bipolar 2, {ending}").diagnoses] == ["F31.81"]


@pytest.mark.parametrize("word", ["sleep", "step", "now", "shift", "brief"])
def test_a_word_that_ends_like_a_short_form_ends_its_sentence(code: Coder, word: str) -> None:
    result = code(f"A: No change since the last {word}. Panic disorder. Individual, 50 min.")
    assert ([d.code for d in result.diagnoses], result.outcome) == (["F41.0"], Outcome.CODED)


def test_a_circumstance_in_the_next_row_of_an_unnamed_list_is_asked_about(code: Coder) -> None:
    said = "Couple session, 50 min, both present.\nOn the bill\n 1  Panic disorder\n 2  Relationship distress"
    assert code(f"{said} with spouse").reasons == ("diagnosis_unread",)


def test_a_second_condition_in_the_next_sentence_is_coded(code: Coder) -> None:
    result = code("Individual session, 45 minutes. PTSD, chronic. Hoarding disorder.")
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F43.12", "F42.3"]


def test_a_condition_that_only_the_story_names_is_asked_about(code: Coder) -> None:
    said = "S: She has panic disorder since May.\nA: Coping better, sleeping well.\nP: Individual, 45 min."
    assert code(said).outcome == Outcome.NEEDS_REVIEW


def test_a_condition_of_the_story_is_stated_where_the_assessment_names_it_too(code: Coder) -> None:
    said = "D: Seventh session of prolonged grief treatment.\nA: Prolonged grief disorder."
    result = code(said + "\nP: Individual, 45 min.")
    assert ([d.code for d in result.diagnoses], result.outcome) == (["F43.81"], Outcome.CODED)


@pytest.mark.parametrize(
    "told",
    [
        "SOCIAL CONFIDENCE GROUP (CBT)  4:00 - 5:30 PM  # attending: 6\nIndividual response\nHe went second.",
        "4:00 - 5:30 PM\nGroup summary (same for all members)\nTalks.\nIndividual notes\nHe went second.",
        "4:00 - 5:30 PM\nIndividual participation\nHe went second.",
        "4:00 - 5:30 PM, individual work in front of all. Another member spoke about her depression.",
    ],
)
def test_a_note_of_a_group_without_the_words_of_its_service_is_no_individual_session(
    code: Coder, told: str
) -> None:
    assert code(f"{told}\nDiagnosis: F40.11", minutes=90).outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "listed",
    [
        "Dx: GAD; oppos. defi. disorder",
        "Dx: 1. GAD\n2. mixed pers. features disord",
        "Dx: GAD\nhexamine dependence",
        "Problem list\n#1  GAD\n#2  Avoid. persty. disorder, long standing",
        "Dx: GAD\nMDD, recurrent, mild, better since the change of job in March.",
    ],
)
def test_an_entry_of_a_list_that_is_unread_is_asked_about(code: Coder, listed: str) -> None:
    assert code(f"{listed}\n\nIndividual session, 45 minutes.").reasons == ("diagnosis_unread",)


@pytest.mark.parametrize(
    "listed", ["Dx: GAD; no depressive disorder", "Dx: GAD\nNo other disorder.", "Dx: 1. GAD\n2. none"]
)
def test_an_entry_that_says_of_no_other_asks_nothing(code: Coder, listed: str) -> None:
    assert code(f"{listed}\n\nIndividual session, 45 minutes.").outcome == Outcome.CODED


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("major depr. disorder, recurrent, mild", ["F33.0"]),
        ("borderline pers. disorder", ["F60.3"]),
        ("schizoaff. d/o, depr. type", ["F25.1"]),
    ],
)
def test_short_forms_with_a_point_are_read(code: Coder, listed: str, expected: list[str]) -> None:
    result = code(f"Dx: {listed}\nIndividual session, 45 minutes.")
    assert [each.code for each in result.diagnoses] == expected
