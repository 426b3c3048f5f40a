"""What a sentence says of several conditions at once, what a correction says of the one above, and what a
couple comes for."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
SESSION = " Individual psychotherapy, 45 minutes."
COUPLE = "Couples session, both in the room, 50 minutes. "


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    "said",
    [
        "OCD and GAD were gone over with him at the second visit and neither fits.",
        "OCD, GAD and panic disorder were each considered in turn and none was supported.",
        "PTSD, panic disorder and social anxiety disorder were each reviewed and criteria for none were met.",
        "OCD and GAD do not fit.",
        "Panic disorder and GAD were weighed; neither of them is met.",
        "The worry is too new for GAD.",
        "An anxiety disorder was not in evidence.",
    ],
)
def test_what_is_taken_back_of_several_is_taken_back_of_each(code: Coder, said: str) -> None:
    assert coded(code(f"A: Illness anxiety disorder. {said}{SESSION}")) == ["F45.21"]


@pytest.mark.parametrize(
    "said",
    [
        "OCD and GAD, and neither is better than in May.",
        "OCD and GAD are both treated with sertraline. Agoraphobia was ruled out.",
        "OCD; GAD. Neither of her parents was present.",
    ],
)
def test_what_is_said_of_others_takes_none_back(code: Coder, said: str) -> None:
    assert coded(code(f"A: {said}{SESSION}")) == ["F42.2", "F41.1"]


@pytest.mark.parametrize(
    "said",
    [
        "LATE ENTRY: The diagnosis in A is withdrawn and replaced by F32.0, Major depressive disorder, "
        "single episode, mild.",
        "LATE ENTRY / CORRECTION, signed by the therapist the following day: The code above is wrong. "
        "Correct diagnosis for this date and for all prior sessions: F32.0 MDD, single episode, mild.",
    ],
)
def test_a_late_entry_puts_the_diagnosis_right(code: Coder, said: str) -> None:
    note = f"A: F43.21 Adjustment disorder with depressed mood.\nP: Seen alone for 45 minutes.\n{said}"
    assert coded(code(note)) == ["F32.0"]


def test_a_correction_whose_diagnosis_is_in_doubt_asks(code: Coder) -> None:
    result = code(
        "Dx this visit: F43.10\nSeen alone for 45 minutes.\n"
        "CORRECTION: The code above is wrong. Earlier diagnosis, adjustment disorder with anxiety."
    )
    assert Reason.CONFLICT_CODES in result.reasons


@pytest.mark.parametrize(
    "said",
    [
        "Presenting problem and focus: relationship distress with partner. No mental disorder in either.",
        "The presenting problem is relationship distress between spouses and that is what I am treating; "
        "neither of them has a diagnosis of their own.",
        "I'm seeing them for partner relational distress; I have found no mental disorder in either.",
        "The only thing I am treating is distress in the relationship between the spouses.",
    ],
)
def test_what_a_couple_comes_for_is_its_diagnosis(code: Coder, said: str) -> None:
    assert coded(code(COUPLE + said)) == ["Z63.0"]


def test_what_a_couple_comes_for_stays_beside_a_diagnosis_with_a_question(code: Coder) -> None:
    said = "Presenting problem: relationship distress with spouse. Dx: F43.23."
    assert Reason.DIAGNOSIS_UNREAD in code(COUPLE + said).reasons


def test_a_couples_diagnosis_alone_asks_who_was_there(code: Coder) -> None:
    note = "Dx: Z63.0 Relationship distress with spouse. 50 minutes on video."
    assert Reason.SERVICE_UNKNOWN in code(note, place="telehealth").reasons
    assert coded(code(f"Seen alone. {note}", place="telehealth")) == ["Z63.0"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "I am treating GAD chiefly, with a recurrent major depressive disorder that is in partial "
            "remission.",
            ["F41.1", "F33.41"],
        ),
        ("I am treating GAD mainly, and secondly a panic disorder.", ["F41.1", "F41.0"]),
        ("I am treating GAD chiefly, with her husband's depression in the background.", ["F41.1"]),
        ("A: Generalized anxiety disorder in the third trimester.", ["F41.1"]),
        ("A: PTSD in the old chart. GAD.", ["F41.1"]),
        (
            "The diagnoses I am treating are his erectile disorder and his insomnia disorder.",
            ["F52.21", "F51.01"],
        ),
        ("The diagnoses are GAD, and the relationship distress with his spouse.", ["F41.1", "Z63.0"]),
    ],
)
def test_the_second_behind_the_main_one_is_read(code: Coder, said: str, expected: list[str]) -> None:
    assert coded(code(said + SESSION)) == expected


def test_a_condition_told_with_its_severity_is_not_left_out_in_silence(code: Coder) -> None:
    result = code(
        "I see a social anxiety disorder, and I told her that the joints make up a cannabis use disorder in "
        f"the mild range.{SESSION}"
    )
    assert Reason.DIAGNOSIS_UNREAD in result.reasons


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("adjustment disorder in which both feelings and behavior are disturbed", True),
        ("adjustment disorder that shows mostly in her conduct at school", True),
        ("adjustment disorder in the context of a move", False),
        ("adjustment disorder, unspecified; mood low", False),
    ],
)
def test_an_adjustment_disorder_told_in_words_of_its_own_asks_which(
    code: Coder, said: str, asks: bool
) -> None:
    assert (Reason.SPECIFIER_UNCLEAR in code(f"Dx: {said}.{SESSION}").reasons) is asks


def test_commas_in_a_labels_list_make_no_row_of_it(code: Coder) -> None:
    note = (
        "Client: R (they), 24, from Madison, WI\n"
        "Dx: F64.0 Gender dysphoria in adults; F12.11 Cannabis use disorder, mild, in early remission\n"
        "Individual, 45 minutes."
    )
    assert coded(code(note)) == ["F64.0", "F12.11"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Alcohol use disorder, moderate, not yet in remission", "F10.20"),
        ("Opioid use disorder, severe, on maintenance therapy, not in sustained remission", "F11.20"),
        ("Amphetamine-type use disorder, severe - early remission not yet met (under 3 months)", "F15.20"),
        ("MDD, single episode, moderate, not in full remission", "F32.1"),
        ("MDD, recurrent, moderate, full remission criteria not met", "F33.1"),
        ("MDD, recurrent, in partial remission; full remission not yet reached", "F33.41"),
        ("Alcohol use disorder, moderate, in early remission", "F10.21"),
    ],
)
def test_a_remission_that_is_denied_is_none(code: Coder, said: str, expected: str) -> None:
    assert coded(code(f"A: {said}.{SESSION}")) == [expected]


@pytest.mark.parametrize(
    "said",
    [
        "MDD, recurrent, severe, improved to moderate",
        "MDD, recurrent, severe at intake, moderate today",
        "MDD, recurrent, severe, which has come down to moderate",
        "Alcohol use disorder, severe, reduced to mild by count of criteria",
    ],
)
def test_a_severity_that_changed_asks(code: Coder, said: str) -> None:
    assert Reason.SPECIFIER_UNCLEAR in code(f"A: {said}.{SESSION}").reasons


@pytest.mark.parametrize("said", ["; risk mild", ". PHQ-9 down from severe to mild range"])
def test_a_severity_of_something_else_changes_none(code: Coder, said: str) -> None:
    assert coded(code(f"A: MDD, recurrent, moderate{said}.{SESSION}")) == ["F33.1"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Diagnoses today are MDD, single episode, mild, and suicidal ideation", ["F32.0", "R45.851"]),
        ("Diagnoses are GAD, and secondarily disruption of family by divorce", ["F41.1", "Z63.5"]),
        ("Diagnoses are GAD and PTSD. Suicidal ideation denied", ["F41.1", "F43.10"]),
        (
            "Two diagnoses: autism spectrum disorder, level 1, and unspecified anxiety disorder",
            ["F84.0", "F41.9"],
        ),
        ("We treat GAD and recurrent major depression, the latter in partial remission", ["F41.1", "F33.41"]),
        ("I am diagnosing ADHD, predominantly inattentive, and panic disorder", ["F90.0", "F41.0"]),
        ("Patient is a retired band teacher with PTSD", ["F43.10"]),
        ("He is autistic and has generalized anxiety disorder", ["F84.0", "F41.1"]),
        ("Jo is 8 and in treatment for ODD, with ADHD as his second diagnosis", ["F91.3", "F90.9"]),
        ("The focus is trichotillomania, the first diagnosis, and GAD comes second", ["F63.3", "F41.1"]),
        ("She came to talk about her brother. He is bipolar. We work on her PTSD", ["F43.10"]),
        ("I see Lena for panic disorder. She also has social anxiety disorder", ["F41.0", "F40.10"]),
        ("I see Lena for panic disorder. Her sister was here and she also has PTSD", ["F41.0"]),
        ("Dx GAD; separation worries of first grade are gone", ["F41.1"]),
        ("Conclusions\n PTSD\n Autism spectrum disorder: rule out\n", ["F43.10"]),
    ],
)
def test_what_a_working_sentence_names_is_read(code: Coder, said: str, expected: list[str]) -> None:
    assert coded(code(f"{said}.{SESSION}")) == expected


def test_a_teacher_who_is_someone_elses_stays_another_person(code: Coder) -> None:
    said = "Her boss is a retired teacher with bipolar I disorder. She has GAD."
    assert coded(code(said + SESSION)) == ["F41.1"]


@pytest.mark.parametrize("said", ["Smokes 1/2 ppd", "Tobacco: 1 ppd x 20 yrs", "Down to 2 PPD", "PPD smoker"])
def test_packs_per_day_are_no_depression(code: Coder, said: str) -> None:
    assert coded(code(f"{said}. Dx: GAD.{SESSION}")) == ["F41.1"]


def test_ppd_among_the_diagnoses_is_postpartum_depression(code: Coder) -> None:
    assert coded(code(f"Dx: GAD, PPD.{SESSION}")) == ["F41.1", "F53.0"]


def test_another_illness_that_was_ruled_out_takes_nothing_back(code: Coder) -> None:
    result = code(f"Dx: GAD, and thyroid disease was ruled out by her PCP.{SESSION}")
    assert coded(result) == ["F41.1"]
    assert coded(code(f"Her diagnosis was PTSD, and was ruled out in May.{SESSION}")) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Dx: F33.1, F41.1, r/o F60.3", ["F33.1", "F41.1"]),
        ("Dx: F33.1, F41.1 [r/o F60.3]", ["F33.1", "F41.1"]),
        ("Dx: F33.1, F41.1 (Z63.0 removed 3/1)", ["F33.1", "F41.1"]),
        ("Dx: F33.1 MDD, recurrent, moderate; F41.1 GAD (F43.10 ruled out)", ["F33.1", "F41.1"]),
        ("Dx: MDD, recurrent, moderate; GAD (PTSD removed 3/1)", ["F33.1", "F41.1"]),
        ("Dx: F33.1, F41.1, Z63.0 (removed 3/1)", ["F33.1", "F41.1"]),
        ("A: Illness anxiety disorder. F42.2 and F41.1 were ruled out", ["F45.21"]),
        ("Dx: GAD. PTSD F43.10 was charted in error, disregard", ["F41.1"]),
        ("Dx: Adjustment d/o w mixed emotions/conduct", ["F43.25"]),
    ],
)
def test_what_is_said_of_one_code_of_a_list_is_said_of_it_alone(
    code: Coder, said: str, expected: list[str]
) -> None:
    assert coded(code(f"{said}.{SESSION}")) == expected


def test_a_list_of_the_third_axis_is_medical(code: Coder) -> None:
    note = f"Axis I: GAD\nAxis II: deferred\nAxis III: OSA, asthma\nAxis IV: job\n{SESSION}"
    assert coded(code(note)) == ["F41.1"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "He is in treatment for cocaine use disorder, severe, in early remission, the last use having"
            " been on 2 February by his account, and for a depressive disorder, not otherwise specified.",
            ["F14.21", "F32.A"],
        ),
        (
            "She is treated here for severe opioid use disorder, methadone 85 mg, no missed doses since"
            " March, and for generalized anxiety disorder.",
            ["F11.20", "F41.1"],
        ),
        (
            "She is in treatment with me for inattentive-type ADHD, found at last at twenty-nine, and since"
            " her transfer for an adjustment disorder with anxiety.",
            ["F90.0", "F43.22"],
        ),
        ("He has Tourette's disorder, which is what we worked on, and OCD as well.", ["F95.2", "F42.2"]),
        (
            "He has gender dysphoria in adulthood, persistent and well documented, and a generalized anxiety"
            " disorder which is well managed.",
            ["F64.0", "F41.1"],
        ),
        (
            "The problems assessed today are major depressive disorder, recurrent, moderate, and sheltered"
            " homelessness.",
            ["F33.1", "Z59.01"],
        ),
    ],
)
def test_a_sentence_that_tells_more_of_the_first_goes_on_to_the_second(
    code: Coder, said: str, expected: list[str]
) -> None:
    assert coded(code(f"{said}{SESSION}")) == expected


BIPOLAR = "A: Bipolar I disorder, current episode depressed, moderate.\nIndividual therapy 56 minutes.\n\n"


@pytest.mark.parametrize(
    "addendum",
    [
        "ADDENDUM: F33.1 (MDD, recurrent, moderate) was on my notes until last week. It was wrong; the"
        " diagnosis above stands.",
        "ADDENDUM: My earlier notes list MDD, recurrent, moderate (F33.1). That is superseded by the"
        " diagnosis above.",
        "ADDENDUM: In the notes of March and April I coded F33.1 (MDD, recurrent, moderate). With the Reno"
        " history this no longer holds, see assessment.",
    ],
)
def test_an_addendum_that_puts_old_entries_right_leaves_the_diagnosis(code: Coder, addendum: str) -> None:
    assert coded(code(BIPOLAR + addendum)) == ["F31.32"]


def test_what_an_addendum_says_not_to_bill_is_not_billed(code: Coder) -> None:
    result = code(
        f"{BIPOLAR}ADDENDUM: The header of my notes through last week carried F33.1 (MDD, recurrent,"
        " moderate). It was wrong and is replaced by the diagnosis above, effective today. Do not bill F33.1."
    )
    assert [diagnosis.code for diagnosis in result.diagnoses] == ["F31.32"]


def test_what_an_addendum_names_and_says_not_to_bill_is_not_billed_beside_the_right_one(code: Coder) -> None:
    note = (
        f"Dx: F42.9 Obsessive-compulsive disorder, unspecified\n{SESSION}\n"
        "ADDENDUM: dx above should read F42.3 Hoarding disorder. F42.9 was the first that the box offered."
        " Please do not bill F42.9."
    )
    assert coded(code(note)) == ["F42.3"]


@pytest.mark.parametrize(
    "said",
    ["Disregard F32.1 above, pulled in from another chart.", "Please ignore the code F32.1."],
)
def test_a_code_that_a_late_entry_says_to_disregard_is_not_billed(code: Coder, said: str) -> None:
    note = f"A: F32.1. Flare-ups follow busy days.\n{SESSION}\nLATE ENTRY: {said} Correct diagnosis: OCD."
    assert coded(code(note)) == ["F42.2"]


@pytest.mark.parametrize("carried", ["Diagnosis per treatment plan", "Diagnosis on file"])
def test_another_condition_than_the_one_on_file_asks(code: Coder, carried: str) -> None:
    said = "\n\nAs I see it he has an adjustment disorder with anxiety.\n\n"
    assert Reason.CONFLICT_CODES in code(f"{carried}: PTSD.{said}{SESSION}").reasons


def test_another_member_of_the_group_is_somebody_else(code: Coder) -> None:
    said = "A third, who has diabetes and a diagnosis of PTSD from the Gulf, got up and brought him water. "
    assert Reason.NO_STATED_DIAGNOSIS in code(f"The mill-closing group met. {said}{SESSION}").reasons


def test_a_dictated_list_goes_on_with_its_next_number(code: Coder) -> None:
    said = "Impression, one, generalized anxiety disorder, worse since the move and the new job, two, mild "
    assert coded(code(f"{said}alcohol use disorder. {SESSION}")) == ["F41.1", "F10.10"]


@pytest.mark.parametrize(
    "said",
    [
        "Note to biller: I may have picked the wrong diagnosis above and have to look at my intake first.",
        "Addendum: Dx of 4/02 may not be right either.",
        "Addendum: reviewed with supervisor - unsigned draft",
    ],
)
def test_a_clinician_who_is_unsure_of_the_entry_is_asked(code: Coder, said: str) -> None:
    result = code(f"A: Adjustment disorder with depressed mood (F43.21)\n{SESSION}\n{said}")
    assert result.outcome is Outcome.NEEDS_REVIEW


def test_what_the_last_review_listed_is_not_billed_for_today(code: Coder) -> None:
    result = code(
        f"Diagnosis: last review listed MDD, recurrent, in partial remission (F33.41). Well.{SESSION}"
    )
    assert coded(result) == []
