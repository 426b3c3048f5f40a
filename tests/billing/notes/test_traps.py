"""Each trap of therapy notes, one short note each: what must be coded and what must not."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]


def diagnoses(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses]


def soap(assessment: str, *, before: str = "", plan: str = "Continue weekly.") -> str:
    return (
        f"S: Rough week. {before}\nO: Oriented, cooperative.\nA: {assessment}\nP: {plan} Individual "
        f"session, 45 minutes."
    )


NOT_CODED = {
    "denied": "Generalized anxiety disorder. Denies panic disorder, OCD and PTSD.",
    "no evidence of": "GAD. No evidence of bipolar disorder or psychosis.",
    "does not meet criteria": "GAD, stable. Does not meet criteria for a major depressive disorder.",
    "ruled out": "GAD. Panic disorder was ruled out.",
    "not better explained by": "GAD, not better explained by hypochondriasis.",
    "screened negative": "GAD. Screened negative for bipolar disorder.",
    "rule out": "GAD; R/O PTSD",
    "r/o in words": "GAD. Rule out autism spectrum disorder.",
    "queried": "GAD. Query OCD, to be looked at later.",
    "probable": "GAD. Probable ADHD.",
    "consistent with": "GAD. Symptoms also consistent with PTSD.",
    "provisional after": "GAD. PTSD, provisional.",
    "question mark before": "GAD, ?ADHD",
    "question mark behind": "GAD. ADHD?",
    "versus": "GAD. OCD vs. OCPD still to be sorted out.",
    "working diagnosis": "GAD. Working diagnosis: borderline personality disorder.",
    "history of": "GAD. History of bulimia nervosa in college.",
    "h/o": "GAD, h/o alcohol use disorder.",
    "resolved": "GAD. Panic disorder, resolved.",
    "no longer meets": "GAD. PTSD no longer meets criteria.",
    "previously diagnosed": "GAD. Previously diagnosed with ADHD by a school psychologist.",
    "by history": "GAD. ADHD by history.",
    "charted in error": "GAD. The diagnosis of bipolar II was charted in error.",
    "mother has": "GAD. Her mother has bipolar disorder.",
    "husband's": "GAD. Husband's PTSD keeps them both up.",
    "son with": "GAD. Stress of raising a son with autism.",
    "works with": "GAD. Client works with adults with schizophrenia.",
    "traits": "GAD with borderline personality traits.",
    "features of": "GAD. Some features of OCPD.",
    "symptoms of": "GAD. A few symptoms of PTSD after the collision.",
    "a bit": "GAD. She calls herself a bit OCD.",
    "if": "GAD. If insomnia disorder emerges, refer.",
    "will evaluate for": "GAD. Will evaluate for ADHD next month.",
    "screening for": "GAD. Screening for autism is scheduled.",
    "psychoeducation about": "GAD. Psychoeducation on panic disorder provided.",
    "handout": "GAD. Gave a handout about PTSD.",
    "suspects": "GAD. Client believes she has ADHD.",
    "differential": "GAD. Differential includes bipolar II disorder.",
    "instead of": "GAD rather than panic disorder.",
    "group of others": "GAD. Another member disclosed opioid use disorder.",
    "deferred": "GAD. Personality disorder diagnosis deferred.",
    "taken off the chart": "GAD. I have taken off the depression from the chart.",
    "another office's label": "GAD. Persistent depressive disorder was last year's label from elsewhere.",
    "not the right name": "GAD. OCD is not the right name for this.",
    "has not been diagnosed": "GAD. Conduct disorder has not been diagnosed in this client.",
    "told as a child": "GAD. The ADHD she was told about in school has never been confirmed by anyone here.",
    "looked for": "GAD. Panic disorder was looked for with care and is not present.",
    "a bracket behind the second": "GAD, panic disorder (rule out)",
    "a bracket behind an older one": "GAD, OCD (by history).",
    "a bracket of both": "GAD. OCD, panic disorder (both ruled out).",
}


@pytest.mark.parametrize("assessment", NOT_CODED.values(), ids=NOT_CODED.keys())
def test_only_the_firm_diagnosis_is_coded(code: Coder, assessment: str) -> None:
    result = code(soap(assessment))
    assert diagnoses(result) == ["F41.1"]
    assert result.outcome is Outcome.CODED


@pytest.mark.parametrize(
    ("field", "leaves"),
    [
        ("GAD, panic disorder (rule out)", ["F41.1"]),
        ("F41.1 GAD, F41.0 panic disorder (provisional)", ["F41.1"]),
        ("GAD, panic disorder (r/o), PTSD", ["F41.1", "F43.10"]),
        ("PTSD, GAD (denied), OCD", ["F43.10", "F42.2"]),
        ("PTSD, (r/o) GAD", ["F43.10"]),
        ("GAD (rule out PTSD, OCD)", ["F41.1"]),
    ],
)
def test_a_bracket_in_a_list_tells_of_the_entry_before_it(code: Coder, field: str, leaves: list[str]) -> None:
    result = code(f"Dx: {field}\nIndividual psychotherapy, 45 minutes.")
    assert diagnoses(result) == leaves
    assert result.outcome is Outcome.CODED


INSTRUMENTS = [
    "GAD-7 14, PHQ-9 16, PCL-5 38.",
    "GAD-7: 14/21. MDQ positive. AUDIT 12.",
    "ASRS elevated, Y-BOCS 20, BDI-II 24.",
    "BPD checklist endorsed 5 items. PTSD Checklist 41. C-SSRS negative.",
]


@pytest.mark.parametrize("measures", INSTRUMENTS)
def test_instruments_never_make_a_diagnosis(code: Coder, measures: str) -> None:
    result = code(
        f"S: Rough week.\nO: {measures}\nA: Some improvement, see scores: {measures}\nP: Weekly. Individual "
        f"45 min."
    )
    assert diagnoses(result) == []
    assert "no_stated_diagnosis" in result.reasons


@pytest.mark.parametrize(
    ("impression", "leaves"),
    [
        ("PTSD, screened positive on PCL-5", ["F43.10"]),
        ("GAD, screened negative for PTSD", ["F41.1"]),
        ("PTSD (PCL-5 positive)", ["F43.10"]),
        ("Screened positive for PTSD on PCL-5", []),
        ("Positive for PTSD on the PCL-5", []),
        ("PTSD screened positive on PCL-5", []),
    ],
)
def test_a_positive_questionnaire_is_no_impression(code: Coder, impression: str, leaves: list[str]) -> None:
    text = f"Individual psychotherapy, 45 minutes.\nImpression: {impression}"
    result = code(text)
    assert diagnoses(result) == leaves
    assert result.outcome is (Outcome.CODED if leaves else Outcome.NEEDS_REVIEW)
    assert all(text[e.start : e.end] == e.quote for d in result.diagnoses for e in d.evidence)


RESOLVED = {
    "order of specifiers": ("Moderate recurrent major depressive disorder", "F33.1"),
    "severity first": ("Severe, recurrent MDD without psychotic features", "F33.2"),
    "of severity": ("Recurrent major depression of moderate severity", "F33.1"),
    "dashes": ("MDD - recurrent - mild", "F33.0"),
    "brackets": ("Major depressive disorder (recurrent, moderate)", "F33.1"),
    "with anxious distress between": ("MDD, single episode, with anxious distress, moderate", "F32.1"),
    "psychotic": ("MDD, recurrent, severe, with mood-congruent psychotic features", "F33.3"),
    "partial remission": ("MDD, recurrent, in partial remission", "F33.41"),
    "full remission": ("Major depressive disorder, single episode, in full remission", "F32.5"),
    "depression nos": ("Depressive disorder NOS", "F32.A"),
    "chronic ptsd": ("Chronic PTSD", "F43.12"),
    "ptsd acute": ("Posttraumatic stress disorder, acute", "F43.11"),
    "aud severe remission": ("Alcohol use disorder, severe, in sustained remission", "F10.21"),
    "severe aud": ("Severe alcohol use disorder", "F10.20"),
    "alcohol dependence": ("Alcohol dependence", "F10.20"),
    "cannabis mild": ("Mild cannabis use disorder", "F12.10"),
    "bipolar depressed": ("Bipolar I disorder, most recent episode depressed, severe", "F31.4"),
    "bipolar full remission": ("Bipolar 1, in full remission, most recent episode manic", "F31.74"),
    "bipolar two": ("BP II", "F31.81"),
    "adjustment mixed": ("Adjustment d/o with mixed anxiety & depressed mood", "F43.23"),
    "adjustment conduct": ("Adjustment disorder, with disturbance of conduct", "F43.24"),
    "adhd order": ("Combined type ADHD", "F90.2"),
    "panic agoraphobia": ("Panic disorder with agoraphobia", "F40.01"),
    "bulimia": ("Bulimia nervosa, severe", "F50.23"),
    "anorexia purging": ("Anorexia nervosa, binge-eating/purging type, moderate", "F50.021"),
    "binge": ("Binge eating disorder", "F50.819"),
    "social phobia generalised": ("Social phobia, generalised", "F40.11"),
    "asperger": ("Asperger's disorder", "F84.0"),
    "dysthymia": ("Dysthymia", "F34.1"),
    "insomnia": ("Insomnia disorder", "F51.01"),
    "intellectual": ("Intellectual disability, moderate", "F71"),
    "tobacco": ("Tobacco use disorder, moderate, vaping", "F17.290"),
    "ocd": ("Obsessive-compulsive disorder", "F42.2"),
    "progress is not severity": ("MDD, recurrent; moderate progress this month", "F33.9"),
    "mild sleep loss is not severity": ("GAD with mild sleep loss", "F41.1"),
    "typo": ("Generalized anxeity disoder", "F41.1"),
    "two typos": ("Adjustmnt disorder with anxietty", "F43.22"),
}


@pytest.mark.parametrize(("words", "leaf"), RESOLVED.values(), ids=RESOLVED.keys())
def test_words_resolve_to_one_leaf(code: Coder, words: str, leaf: str) -> None:
    result = code(f"Dx: {words}\nIndividual psychotherapy, 45 minutes. Worked on routines.")
    assert diagnoses(result) == [leaf]


CODES = {
    "agree": ("F33.1 Major depressive disorder, recurrent, moderate", "F33.1", None),
    "without point": ("F331 MDD recurrent moderate", "F33.1", None),
    "comma": ("F33,1 MDD recurrent moderate", "F33.1", None),
    "space": ("F 33.1 MDD, recurrent, moderate", "F33.1", None),
    "letter o": ("F9O.2 ADHD, combined type", "F90.2", None),
    "code after words": ("PTSD (F43.10)", "F43.10", None),
    "code alone": ("F41.1", "F41.1", None),
    "header code with words": ("F33 Major depressive disorder, recurrent, moderate", "F33.1", None),
    "retired code with words": ("F43.8 Prolonged grief disorder", "F43.81", None),
    "invalid code with words": ("F41.01 Panic disorder", "F41.0", None),
    "legacy with words": ("309.81 PTSD", "F43.10", None),
    "legacy 311": ("311 Depressive disorder NOS", "F32.A", None),
    "legacy alone": ("309.81", "F43.10", "legacy_only"),
    "legacy before its code": ("300.02 (F41.1)", "F41.1", None),
    "legacy before its code and words": ("309.81 (F43.10) PTSD", "F43.10", None),
    "legacy before a symptom's code": ("311 (F32.A) depression", "F32.A", None),
    "legacy before a narrower code": ("309.81 (F43.12) PTSD, chronic", "F43.12", None),
    "legacy behind its code": ("F33.1 (296.32) MDD, recurrent, moderate", "F33.1", None),
    "legacy behind a stroke": ("F41.1 / 300.02", "F41.1", None),
    "legacy of another severity": ("296.32 (F33.0)", None, "conflict_codes"),
    "legacy of another condition": ("300.02 (F43.10)", None, "legacy_only"),
    "header alone": ("F33", None, "code_not_billable"),
    "disagree": ("F40.10 Generalized anxiety disorder", "F41.1", "code_text_mismatch"),
    "code says more": ("F33.1 MDD", "F33.1", None),
    "ocd code": ("F42.9 OCD", "F42.9", None),
}


@pytest.mark.parametrize(("field", "leaf", "reason"), CODES.values(), ids=CODES.keys())
def test_written_codes_are_checked_against_their_words(
    code: Coder, field: str, leaf: str | None, reason: str | None
) -> None:
    result = code(f"Dx: {field}\nIndividual psychotherapy, 45 minutes.")
    if leaf is not None:
        assert diagnoses(result) == [leaf]
    assert (reason in result.reasons) if reason else result.outcome is Outcome.CODED


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("BPD", "ambiguous_abbreviation"),
        ("ASD", "ambiguous_abbreviation"),
        ("MDD, moderate", "episode_missing"),
        ("Alcohol use disorder", "severity_missing"),
        ("Complex PTSD", "specifier_unclear"),
        ("MDD, recurrent, moderate; Bipolar I disorder", "conflict_codes"),
        ("MDD, single episode, mild; MDD, recurrent, severe", "conflict_codes"),
    ],
)
def test_what_is_not_settled_goes_to_review(code: Coder, words: str, reason: str) -> None:
    result = code(f"Dx: {words}\nIndividual psychotherapy, 45 minutes.")
    assert result.outcome is Outcome.NEEDS_REVIEW
    assert reason in result.reasons


@pytest.mark.parametrize(
    ("words", "leaf"),
    [
        ("Borderline personality disorder (BPD)", "F60.3"),
        ("acute stress disorder (ASD)", "F43.0"),
        ("Social anxiety disorder (SAD)", "F40.10"),
        ("BPD F60.3", "F60.3"),
    ],
)
def test_an_abbreviation_is_settled_by_its_full_name_or_code(code: Coder, words: str, leaf: str) -> None:
    result = code(f"Dx: {words}\nIndividual psychotherapy, 45 minutes.")
    assert diagnoses(result) == [leaf]
    assert result.outcome is Outcome.CODED


def test_only_the_ticked_box_counts(code: Coder) -> None:
    text = (
        "Diagnosis (check all that apply)\n[ ] GAD  [x] PTSD  [ ] MDD  ( ) ADHD  ☐ OCD  ☒ Panic "
        "disorder\nIndividual, 45 min"
    )
    assert diagnoses(code(text)) == ["F43.10", "F41.0"]


@pytest.mark.parametrize(
    "words",
    [
        "Focus of session #2: coping.",
        "Main focus exposure (visit #2).",
        "Primary goal number two: sleep.",
        "Primary goal: #2.",
        "Primary care visit #2 on Monday.",
        "Goal #2 is the main focus.",
        "Two worries. The second is the primary one.",
    ],
)
@pytest.mark.parametrize("listed", ["GAD; PTSD", "\n1. GAD\n2. PTSD"])
def test_the_number_of_something_else_orders_no_diagnoses(code: Coder, words: str, listed: str) -> None:
    assert diagnoses(code(f"Individual session, 45 minutes. {words}\nDx: {listed}")) == ["F41.1", "F43.10"]


@pytest.mark.parametrize(
    "words",
    [
        "#2 is the primary diagnosis.",
        "Focus of today's visit is #2.",
        "Number two is the main focus.",
        "Primary diagnosis: #2",
        "The second is the primary diagnosis.",
    ],
)
def test_the_number_in_the_list_says_which_comes_first(code: Coder, words: str) -> None:
    result = code(f"Individual session, 45 minutes.\nA:\n1) GAD\n2) PTSD\n{words}")
    assert diagnoses(result) == ["F43.10", "F41.1"]


def test_the_number_counts_what_the_list_counts(code: Coder) -> None:
    result = code("Individual, 45 minutes.\nDx:\n1. GAD\n2. R/O OCD\n3. PTSD\n#2 is the primary diagnosis.")
    assert diagnoses(result) == ["F41.1", "F43.10"]
    assert result.outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "boxes",
    [
        "Negative screen: [x] PTSD",
        "Handouts: [x] panic disorder [x] PTSD",
        "Screened for today\n[x] PTSD\n[ ] MDD",
        "Family conditions: (x) mother: PTSD (x) panic disorder",
    ],
)
def test_a_box_ticked_elsewhere_states_no_diagnosis(code: Coder, boxes: str) -> None:
    assert diagnoses(code(f"Individual session, 45 minutes\n{boxes}\nDx: GAD")) == ["F41.1"]


@pytest.mark.parametrize(
    "plan", ["PTSD, assess next visit", "Panic disorder, consider\nDx deferred", "- OCD\n- GAD"]
)
def test_a_plan_alone_states_no_diagnosis(code: Coder, plan: str) -> None:
    result = code(f"Individual session, 45 minutes\nPlan:\n{plan}")
    assert result.outcome is Outcome.NEEDS_REVIEW
    assert "no_stated_diagnosis" in result.reasons


@pytest.mark.parametrize(
    "text",
    [
        "She met Ann, 9, panic disorder, at the clinic. A: GAD",
        "Classmates: Ann, 9, panic disorder.\nA: GAD",
        "Step 3, panic disorder.\nA: GAD",
    ],
)
def test_a_name_with_an_age_in_the_story_is_not_the_patient(code: Coder, text: str) -> None:
    assert diagnoses(code(f"Individual session, 45 minutes. {text}")) == ["F41.1"]


@pytest.mark.parametrize(
    ("text", "leaf"),
    [
        ("Ari, 9, ADHD combined type.", "F90.2"),
        ("34f, panic disorder.", "F41.0"),
        ("Met with parents only. Identified client: Ari, 9, panic disorder.", "F41.0"),
    ],
)
def test_a_name_with_an_age_in_front_is_the_patient(code: Coder, text: str, leaf: str) -> None:
    assert diagnoses(code(f"{text} Individual session, 45 minutes.")) == [leaf]


def test_symptom_words_in_prose_are_no_diagnosis(code: Coder) -> None:
    result = code("Client talked about anxiety, depression and trauma.\nIndividual session, 45 minutes.")
    assert diagnoses(result) == []


def test_symptom_words_in_a_diagnosis_field_are_one(code: Coder) -> None:
    assert diagnoses(code("Dx: anxiety, depression\nIndividual session, 45 minutes.")) == ["F41.9", "F32.A"]


def test_a_symptom_beside_its_own_diagnosis_is_dropped(code: Coder) -> None:
    assert diagnoses(code("Dx: GAD, anxiety\nIndividual session, 45 minutes.")) == ["F41.1"]


def test_suicidal_ideation_is_coded_only_where_it_is_listed(code: Coder) -> None:
    prose = code(soap("MDD, recurrent, severe.", before="Reports suicidal ideation without plan."))
    listed = code("Dx: MDD, recurrent, severe; suicidal ideation\nIndividual session, 45 minutes.")
    assert diagnoses(prose) == ["F33.2"]
    assert diagnoses(listed) == ["F33.2", "R45.851"]


@pytest.mark.parametrize("said", ["Ruled out", "Ruled out today", "Considered and set aside"])
def test_every_condition_of_a_list_that_is_ruled_out_is_denied(code: Coder, said: str) -> None:
    text = (
        f"Diagnoses\n  F43.12 PTSD, chronic\n{said}: panic disorder, bipolar disorder.\nIndividual, 45 min."
    )
    assert diagnoses(code(text)) == ["F43.12"]


def test_what_another_place_calls_primary_comes_first(code: Coder) -> None:
    text = (
        "P: Dx are borderline personality disorder and PTSD, chronic. PTSD is primary.\nIndividual, 45 min."
    )
    assert diagnoses(code(text)) == ["F43.12", "F60.3"]


def test_a_length_that_comes_on_top_of_another_is_asked_about(code: Coder) -> None:
    text = "Dx: PTSD\nIndividual. Thirty minutes before, and then after her rest eighteen minutes more."
    assert code(text).outcome is Outcome.NEEDS_REVIEW


def test_a_length_that_its_reason_follows_is_held_against_the_schedule(code: Coder) -> None:
    text = "A: OCD\nIndividual. Session lasted 60 minutes today because the exposure had to come down."
    assert "duration_against_note" in code(text, minutes=45).reasons


def test_a_primary_diagnosis_beside_one_that_is_carried_is_asked_about(code: Coder) -> None:
    text = (
        "He carries PTSD, chronic; but the primary diagnosis is nightmare disorder. Individual, 45 minutes."
    )
    assert code(text).outcome is Outcome.NEEDS_REVIEW


def test_a_count_of_rounds_is_no_code(code: Coder) -> None:
    text = "Dx: Trichotillomania. Competing response drilled x10, 1 min each. Individual, 51 min."
    assert diagnoses(code(text)) == ["F63.3"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MDD  [X] recurrent [ ] single   [ ] mild [X] moderate [ ] severe", ["F33.1"]),
        ("Alcohol use disorder [ ] mild [X] moderate [ ] severe   [X] in early remission", ["F10.21"]),
        ("[X] Cocaine use disorder  [ ] mild [ ] moderate [X] severe  [ ] GAD", ["F14.20"]),
        ("GAD (active)\nPanic disorder (inactive)", ["F41.1"]),
    ],
)
def test_ticked_specifiers_are_those_of_the_condition_before(
    code: Coder, line: str, expected: list[str]
) -> None:
    result = code(f"Dx: {line}\nIndividual, 45 minutes.")
    assert (diagnoses(result), result.outcome) == (expected, Outcome.CODED)


def test_two_criteria_of_several_make_no_diagnosis(code: Coder) -> None:
    text = "Dx: PTSD\nTwo criteria for schizoid personality disorder are met.\nIndividual, 45 minutes."
    assert diagnoses(code(text)) == ["F43.10"]


def test_a_service_named_in_a_sentence_alone_is_asked_about(code: Coder) -> None:
    told = (
        "She slept well, walked to the lake twice and wrote to her father about the house by the mill. " * 3
    )
    text = f"Dx: PTSD\n\n{told}They liked the couples session. Fifty minutes together."
    assert code(text).outcome is Outcome.NEEDS_REVIEW


def test_a_z_code_alone_is_coded_with_a_warning(code: Coder) -> None:
    result = code("Dx: Z63.0 Relationship distress with spouse\nCouples therapy, both present, 55 minutes.")
    assert result.outcome is Outcome.CODED
    assert "only_z_code" in result.warnings


def test_a_copied_list_that_today_contradicts_is_a_conflict(code: Coder) -> None:
    text = (
        "Dx on file: Bipolar II disorder\nIndividual, 45 minutes.\nA: Major depressive disorder, recurrent, "
        "mild."
    )
    result = code(text)
    assert diagnoses(result) == ["F33.0"]
    assert "conflict_codes" in result.reasons


def test_a_list_in_front_that_shares_nothing_with_the_assessment_is_a_conflict(code: Coder) -> None:
    text = (
        "Diagnosis (encounter form): Adjustment disorder with anxiety\nIndividual, 45 minutes.\n"
        "A: MDD, recurrent, mild."
    )
    result = code(text)
    assert diagnoses(result) == ["F33.0"]
    assert "conflict_codes" in result.reasons


def test_a_correction_of_any_heading_governs(code: Coder) -> None:
    text = (
        "Header diagnosis: F43.22 Adjustment disorder with anxiety\nS: Hard week. Individual, 45 minutes.\n\n"
        "ADDENDUM, same day 4:40 pm, electronically signed L. B., LMFT: The diagnosis in the header was "
        "picked by mistake. The correct diagnosis for this visit is acute stress disorder."
    )
    result = code(text)
    assert (diagnoses(result), result.outcome) == (["F43.0"], Outcome.CODED)


BEHIND = {
    "what he has": "Prolonged grief disorder is what he has, and I told him so.",
    "that's the diagnosis": "Prolonged grief disorder, that's the diagnosis.",
    "what she has is": "What she has is prolonged grief disorder.",
    "what is treated": "What is being treated is prolonged grief disorder.",
    "confirmed": "Prolonged grief disorder, confirmed.",
}


@pytest.mark.parametrize("sentence", BEHIND.values(), ids=BEHIND.keys())
def test_a_statement_may_stand_on_either_side(code: Coder, sentence: str) -> None:
    result = code(f"I worked with him for 55 minutes in my office. {sentence} No wish to die.")
    assert (diagnoses(result), result.outcome) == (["F43.81"], Outcome.CODED)


def test_a_count_states_all_that_it_counts(code: Coder) -> None:
    text = (
        "Individual psychotherapy, fifty minutes. Diagnoses, number one, persistent depressive disorder. "
        "Number two, insomnia disorder. End of dictation."
    )
    assert diagnoses(code(text)) == ["F34.1", "F51.01"]


def test_boxes_at_the_right_belong_to_the_words_before_them(code: Coder) -> None:
    text = (
        "Service: individual counseling    In 08:30    Out 09:07\n\nDIAGNOSES - mark box at right\n"
        "  Depressive: MDD, recurrent, mild ................ [x]\n"
        "  Depressive: MDD, recurrent, moderate ............ [ ]\n"
        "  Substance: cannabis use disorder, mild .......... [x]\n"
    )
    result = code(text)
    assert (diagnoses(result), result.outcome) == (["F33.0", "F12.10"], Outcome.CODED)


def test_a_signed_correction_governs(code: Coder) -> None:
    text = (
        "A: F41.1. Slow week.\nP: Weekly. Individual session 45 minutes.\n\n"
        "ADDENDUM: the code above was entered in error. The diagnosis is panic disorder."
    )
    result = code(text)
    assert diagnoses(result) == ["F41.0"]
    assert result.outcome is Outcome.CODED


def test_a_private_psychotherapy_note_is_marked(code: Coder) -> None:
    result = code("Psychotherapy note (private, kept separate)\nDx: GAD\nIndividual 45 min")
    assert "private_psychotherapy_note" in result.warnings


@pytest.mark.parametrize(
    "words", ["A woman with PTSD spoke at church.", "She met a man with bipolar II disorder."]
)
def test_anyone_with_a_condition_is_not_the_patient(code: Coder, words: str) -> None:
    assert code(f"Individual session, 45 minutes. {words}").outcome is Outcome.NEEDS_REVIEW


UNDIAGNOSED = {
    "none assigned": "She works on the anorexia nervosa unit. I have not assigned a diagnosis.",
    "none on the chart": "Suspects panic disorder in herself each week. There is no diagnosis on her chart.",
    "neither of two": "If it holds up, PTSD will be entered. Neither is diagnosed as of today.",
    "a blank": "Talked about the novel's heroine, who has DID.\nDx 1: (blank)",
    "to come": "Sertraline FOR DEPRESSION, methylphenidate FOR ADHD.\nTherapy diagnosis: not yet established",
    "nothing confirmed": "GAD and panic disorder discussed. Impression: nothing confirmed yet.",
}


@pytest.mark.parametrize("said", UNDIAGNOSED.values(), ids=UNDIAGNOSED.keys())
def test_where_no_diagnosis_was_made_no_mention_is_one(code: Coder, said: str) -> None:
    result = code(f"{said}\nIndividual session, 45 minutes.")
    assert (result.outcome, diagnoses(result)) == (Outcome.NEEDS_REVIEW, [])


NOT_SAID_OF_THIS_NOTE = {
    "a second axis": "Axis I: GAD\nAxis II: V71.09 no diagnosis",
    "the second of two fields": "Dx 1: GAD\nDx 2: (blank)",
    "another condition": "Dx: GAD. No diagnosis of OCD.",
    "a screen": "Dx: GAD. Alcohol: AUDIT-C 2, no disorder.",
    "by another": "Dx: GAD. No diagnosis was made by the school.",
}


@pytest.mark.parametrize("said", NOT_SAID_OF_THIS_NOTE.values(), ids=NOT_SAID_OF_THIS_NOTE.keys())
def test_no_diagnosis_of_something_else_takes_nothing_back(code: Coder, said: str) -> None:
    result = code(f"{said}\nIndividual session, 45 minutes.")
    assert (result.outcome, diagnoses(result)) == (Outcome.CODED, ["F41.1"])


SHAPES = {
    "flags": ("dx_flag_gad=FALSE; dx_flag_ptsd=TRUE; dx_flag_hoarding=FALSE", ["F43.10"]),
    "a grid of states": (
        "DX GRID\nGAD ...... [X] C  [ ] R/O  [ ] N\nPTSD ..... [ ] C  [ ] R/O  [X] N",
        ["F41.1"],
    ),
    "a question mark in front": ("Dx: GAD. Three ideas: ? PTSD after the wreck, ? OCD.", ["F41.1"]),
    "letters on lines of their own": (
        "S/ Rough week.\nA/\n1. GAD\n2. PTSD, chronic\nP/ Return.",
        ["F41.1", "F43.12"],
    ),
    "an arrow for a colon": ("DIAGNOSES>> GAD; suicidal ideation", ["F41.1", "R45.851"]),
    "a numbered label": (
        "Svc: x | PtDx(1): F41.1 GAD | PtDx(2): F90.0 ADHD, inattentive",
        ["F41.1", "F90.0"],
    ),
    "words joined by lines": ("presenting_problem_dx: GAD", ["F41.1"]),
    "two, each with its for": (
        "I see her for borderline personality disorder and for GAD.",
        ["F60.3", "F41.1"],
    ),
    "a bed that is no disorder": (
        "Dx: F41.1 GAD; Z59.01 sheltered homelessness (shelter, bed 4)",
        ["F41.1", "Z59.01"],
    ),
    "a kind, and which": ("Dx: Specific phobia, situational type (fear of flying)", ["F40.243"]),
    "what he is here for": ("What he came about is generalized anxiety disorder.", ["F41.1"]),
    "the focus, in the plan": ("P: Cards. Gambling disorder remains the focus of treatment.", ["F63.0"]),
    "the patient in brackets": (
        "The patient (Ari, 9, oppositional defiant disorder) was at chess.",
        ["F91.3"],
    ),
    "his own, not the father's": ("Patient (Ari, 9, GAD). Mr. D. spoke. He has ADHD himself.", ["F41.1"]),
    "a letter too many": ("Dx: F-41.1 GAD ; Z560 unemployment", ["F41.1", "Z56.0"]),
}


@pytest.mark.parametrize(("written", "wanted"), SHAPES.values(), ids=SHAPES.keys())
def test_a_shape_of_writing_is_read(code: Coder, written: str, wanted: list[str]) -> None:
    assert diagnoses(code(f"{written}\nIndividual session, 45 minutes.")) == wanted


def test_spoken_punctuation_is_punctuation(code: Coder) -> None:
    text = (
        "individual visit period here for post traumatic stress disorder comma chronic comma from the wreck"
        " period denies panic disorder period homework colon two drives period we met fifty minutes period"
    )
    result = code(text)
    assert diagnoses(result) == ["F43.12"]
    assert all(text[e.start : e.end] == e.quote for d in result.diagnoses for e in d.evidence)


def test_a_line_of_another_chart_is_asked_about(code: Coder) -> None:
    result = code(
        "A: ADHD, combined presentation.\nIndividual session, 45 minutes.\n"
        "CORRECTION (signed): the line above was pulled in from the previous client's note."
        " No diagnosis has been established for her."
    )
    assert result.outcome == Outcome.NEEDS_REVIEW


SLIPS = {
    "behind its announcement": "Client at camp by phone. Dx gambeling disorder. 19 days without a bet.",
    "opening a jotting": "Indiv. gambleing disorder, in treatment since May.",
}


@pytest.mark.parametrize("said", SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_outside_of_fields_is_read_where_a_diagnosis_is_announced(code: Coder, said: str) -> None:
    assert diagnoses(code(f"{said}\nIndividual session, 45 minutes.")) == ["F63.0"]


@pytest.mark.parametrize(
    "which", ["is primary", "is what we treat and is to be listed first", "goes first on the claim"]
)
def test_the_latter_of_two_is_first_where_the_note_says_so(code: Coder, which: str) -> None:
    said = f"Diagnoses: social anxiety disorder; gender dysphoria in adult. The latter {which}."
    assert diagnoses(code(f"{said}\nIndividual session, 45 minutes.")) == ["F64.0", "F40.10"]


def test_the_latter_of_three_is_asked_about(code: Coder) -> None:
    said = "Diagnoses: social anxiety disorder; PTSD; hoarding disorder. The latter is primary."
    assert code(f"{said}\nIndividual session, 45 minutes.").reasons == ("order_unclear",)


def test_a_late_entry_governs(code: Coder) -> None:
    result = code(
        "A: Social anxiety disorder.\nP: Weekly. Individual session, 45 minutes.\n\n"
        "LATE ENTRY, same clinician: the line under A was pasted in by my mistake. She has no social"
        " anxiety disorder. Her diagnosis is separation anxiety disorder."
    )
    assert diagnoses(result) == ["F93.0"]


def test_a_diagnosis_that_the_plan_names_as_such_is_stated(code: Coder) -> None:
    said = (
        "B: Came in.\nI: Individual session, 45 minutes.\nP: Stairs. Diagnosis as before, hoarding disorder."
    )
    assert diagnoses(code(said)) == ["F42.3"]


FORMS = {
    "a table of diagnoses with their states": (
        "Diagnosis table (status)\n1 | GAD | active\n"
        "2 | Alcohol use disorder, severe, in sustained remission | active\n"
        "3 | Major depressive disorder | resolved 2021\n"
        "4 | Bipolar I disorder | spouse's, wrong line\n5 | ADHD | provisional",
        ["F41.1", "F10.21"],
    ),
    "boxes under a working list": (
        "Working list (tick current only)\n[ ] GAD\n[x] Panic disorder\n[ ] PTSD\n"
        "Imported from the portal: F50.22 bulimia nervosa (1998)",
        ["F41.0"],
    ),
    "a word that begins a sentence": ("Dx: GAD. Did not speak of the flood.", ["F41.1"]),
    "what is on the list": (
        "What I'm treating is GAD, and on the problem list is unemployment.",
        ["F41.1", "Z56.0"],
    ),
    "an uncle among the assessed": (
        "A:\n1. GAD\n2. Alcohol use disorder, severe (late brother, noted for grief)",
        ["F41.1"],
    ),
    "what another told her it was": (
        "Her first therapist told her it was PTSD. I see her for GAD.",
        ["F41.1"],
    ),
    "what it is for": ("Panic disorder is what she is in the group for.", ["F41.0"]),
}


@pytest.mark.parametrize(("written", "wanted"), FORMS.values(), ids=FORMS.keys())
def test_a_form_says_which_of_its_conditions_hold(code: Coder, written: str, wanted: list[str]) -> None:
    assert diagnoses(code(f"{written}\n\nIndividual session, 45 minutes.")) == wanted


def test_a_banner_against_the_assessment_is_asked_about(code: Coder) -> None:
    result = code("Chart banner: Dx GAD\n\nIndividual session, 45 minutes.\n\nAssessment: Panic disorder.")
    assert (diagnoses(result), result.reasons) == (["F41.0"], ("conflict_codes",))


def test_a_possessive_of_the_other_sex_is_somebody_elses(code: Coder) -> None:
    result = code(
        "Problem: Prolonged grief disorder. Since Alma died he parks at the unit on Sundays. Her vascular"
        " dementia took her speech.\nHe spoke of his garden. Individual session, 45 minutes."
    )
    assert diagnoses(result) == ["F43.81"]


def test_a_possessive_of_the_patients_sex_is_the_patients(code: Coder) -> None:
    result = code(
        "He rides again. His binge eating disorder is mild. He eats at noon. Individual, 45 minutes."
    )
    assert diagnoses(result) == ["F50.810"]


TAKEN_BACK = {
    "resolved in the assessment, told in the story": (
        "S: Six weeks after finishing treatment for panic disorder.\nA: Panic disorder resolved. No current"
        " mental disorder found.",
        [],
    ),
    "put right in a correction": (
        "A: Bipolar II disorder. ADHD, combined presentation.\n\nCORRECTION entered today, signed: the ADHD"
        " line belongs in her son's chart. This client does not have ADHD. Bipolar II stands.",
        ["F31.81"],
    ),
    "in a table of problems": (
        "PROBLEM | STATUS\nGAD | ACTIVE\nPTSD | RESOLVED 2019\nAlcohol use disorder, mild | ENTERED IN ERROR",
        ["F41.1"],
    ),
    "an idea about autism": ("A: ADHD, inattentive. The autism idea hasn't been evaluated.", ["F90.0"]),
    "the partner's own": ("Dx (Cor): GAD. Dev has own therapist, own dx (adhd, panic).", ["F41.1"]),
    "done with in high school": ("PTSD, chronic. Eating d/o in hs, done w/ that 10 yrs.", ["F43.12"]),
}


@pytest.mark.parametrize(("written", "wanted"), TAKEN_BACK.values(), ids=TAKEN_BACK.keys())
def test_what_a_note_takes_back_is_not_coded(code: Coder, written: str, wanted: list[str]) -> None:
    assert diagnoses(code(f"{written}\n\nIndividual session, 45 minutes.")) == wanted


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Dx: Depression, unspecified. Naps. She had anorexia nervosa as a teenager, long over.", ["F32.A"]),
        ("A: Primary: GAD, which is what we work on now. He had panic disorder in college.", ["F41.1"]),
        (
            "Diagnoses: MDD, recurrent, mild; GAD. She was treated for bulimia in high school.",
            ["F33.0", "F41.1"],
        ),
        ("Dx: PTSD, chronic. She was assaulted as a teenager.", ["F43.12"]),
    ],
)
def test_a_story_told_behind_the_diagnoses_of_a_line_is_past(
    code: Coder, line: str, expected: list[str]
) -> None:
    assert diagnoses(code(f"Individual psychotherapy, 45 minutes.\n{line}\nReturn in 2 wks.")) == expected
