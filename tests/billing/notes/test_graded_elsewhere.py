"""A specifier told far from its condition: a severity, course or remission is read where its sentence says
what it is of, and everything else is asked about."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
CONDITIONS = {
    "F43.12": ("posttraumatic stress disorder", "chronic"),
    "F33.1": ("major depressive disorder, recurrent", "moderate"),
    "F50.23": ("bulimia nervosa", "severe"),
    "F31.31": ("bipolar I disorder, current episode depressed", "mild"),
    "F31.70": ("bipolar I disorder", "in full remission"),
}
NOTES = (
    "Individual psychotherapy, 45 minutes.\nDx: {}\nSession: We reviewed the log. {}\nPlan: weekly.",
    "Individual psychotherapy, 45 minutes, in the office. I am treating her for {}. She slept badly after "
    "the move and called her sister twice, and we went through the log of the week. "
    "We planned the weekend. {} She will come again next week.",
)


def results(
    code: Coder, said: str, notes: tuple[str, ...] = NOTES
) -> set[tuple[Outcome, tuple[str, ...], str]]:
    found = set()
    for specific, (name, specifier) in CONDITIONS.items():
        sentence = said.format(specifier)
        for note in notes:
            result = code(note.format(name, sentence[0].upper() + sentence[1:]))
            found.add((result.outcome, tuple(each.code for each in result.diagnoses), specific))
    return found


@pytest.mark.parametrize(
    "said",
    [
        "The severity specifier is {}.",
        "Severity of the episode is {}.",
        "The disorder is {} at this point.",
        "Her disorder remains {}.",
    ],
)
def test_it_is_read_where_its_sentence_names_what_it_is_of(code: Coder, said: str) -> None:
    assert results(code, said) == {(Outcome.CODED, (each,), each) for each in CONDITIONS}


@pytest.mark.parametrize(
    "said",
    [
        "Severity: {}.",
        "Course: {}.",
        "My rating: {}.",
        "The current rating is {}.",
        "Severity at this time is best described as {}.",
        "The picture is {}.",
        "This is {}.",
        "Right now it is {}.",
        "It has become {}.",
        "It has been {} since the spring.",
        "I would call it {} now.",
        "If I had to grade it I would write {}, and I do.",
        "I am putting it at {}.",
        "I have it down as {}.",
        "We are at {} today.",
        "By criteria count that makes it {}.",
        "It now meets the {} specifier.",
        "She is in the {} range.",
        "{} by my rating.",
        "Severity: {}, or so it seems.",
    ],
)
def test_it_is_proposed_and_asked_about_otherwise(code: Coder, said: str) -> None:
    assert results(code, said) == {(Outcome.NEEDS_REVIEW, (each,), each) for each in CONDITIONS}


@pytest.mark.parametrize("said", ["Severity: {}.", "Course: {}.", "Current severity is {}."])
def test_in_an_assessment_a_field_for_it_is_read(code: Coder, said: str) -> None:
    note = (
        "S: ok, tired.\nA: {}. Did her homework, all of the steps that we had set for this week and some of "
        "the next, and she sleeps. {}\nP: Individual psychotherapy, 45 minutes."
    )
    assert results(code, said, (note,)) == {(Outcome.CODED, (each,), each) for each in CONDITIONS}


@pytest.mark.parametrize(
    ("said", "outcome", "use"),
    [
        ("The disorder is moderate.", Outcome.CODED, "F10.20"),
        ("The disorder is mild.", Outcome.CODED, "F10.10"),
        ("It is severe.", Outcome.NEEDS_REVIEW, "F10.20"),
    ],
)
def test_a_use_disorder_takes_its_severity_from_there(
    code: Coder, said: str, outcome: Outcome, use: str
) -> None:
    result = code(NOTES[0].format("alcohol use disorder", said))
    assert (result.outcome, [each.code for each in result.diagnoses]) == (outcome, [use])


def test_of_two_severities_neither_is_taken_unasked(code: Coder) -> None:
    note = (
        "Individual psychotherapy, 45 minutes.\nDx: bulimia nervosa\n"
        "S: In the fall the disorder was severe. The disorder is moderate.\n"
    )
    assert "specifier_unclear" in code(note).reasons


def test_what_two_diagnoses_could_have_is_asked_about(code: Coder) -> None:
    note = (
        "Individual psychotherapy, 45 minutes.\nDx: bulimia nervosa; MDD, recurrent\n"
        "S: Slept badly.\nO: Calm.\nThe disorder is moderate.\n"
    )
    assert "specifier_unclear" in code(note).reasons


def test_its_words_are_evidence(code: Coder) -> None:
    note = "Individual psychotherapy, 45 minutes.\nDx: PTSD\nS: Slept badly.\nThe disorder is chronic.\n"
    quotes = [each.quote for each in code(note).diagnoses[0].evidence]
    assert quotes == ["PTSD", "chronic"]


def test_a_ticked_severity_below_other_lines_is_read(code: Coder) -> None:
    note = (
        "Individual psychotherapy, 53 minutes.\nDiagnosis: F50.2 bulimia nervosa\n\nBinges in 28 days: 19\n"
        "Current severity for above dx:  ( ) mild   (X) moderate   ( ) severe   ( ) in remission\n"
    )
    assert [each.code for each in code(note).diagnoses] == ["F50.22"]


def test_of_an_adjustment_disorder_what_is_part_of_it_is_asked_about(code: Coder) -> None:
    note = (
        "Diagnostic evaluation, 65 minutes.\n"
        "Impression: this is an adjustment disorder; both anxiety and depressed mood are part of it.\n"
    )
    assert "specifier_unclear" in code(note).reasons


@pytest.mark.parametrize(
    "said",
    [
        "Her headache is severe.",
        "Risk is moderate.",
        "Her mother's depression is severe.",
        "On the PHQ-9 it is moderate.",
        "Pain level: severe.",
        "Her distress in traffic was rated severe.",
    ],
)
def test_the_grade_of_something_else_asks_nothing(code: Coder, said: str) -> None:
    note = f"Individual psychotherapy, 45 minutes.\nDx: MDD, recurrent\nS: Slept badly. {said}\nPlan: weekly."
    result = code(note)
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F33.9"])


@pytest.mark.parametrize(
    "said",
    [
        "Mood rating: severe",
        "Severity of withdrawal: mild",
        "The back condition is moderate.",
        "Presenting problem: low mood\nDuration: 3 months\nSeverity: moderate",
        "She has migraines. The severity is moderate.",
        "His illness is in remission (lymphoma).",
        "Cancer status: in full remission.",
    ],
)
def test_the_grade_of_something_else_makes_no_code(code: Coder, said: str) -> None:
    note = f"Individual psychotherapy, 45 minutes.\nDx: MDD, recurrent\nS: Slept badly. {said}\nPlan: weekly."
    result = code(note)
    assert result.outcome is not Outcome.CODED or [each.code for each in result.diagnoses] == ["F33.9"]


@pytest.mark.parametrize(
    ("name", "said", "specific"),
    [
        ("bipolar I disorder", "We are looking at a depressed episode, moderate.", "F31.32"),
        ("bipolar I disorder", "The current episode is depressed, severe, with psychotic features.", "F31.5"),
        ("ADHD", "The psychologist gives combined presentation and I agree.", "F90.2"),
        ("adjustment disorder", "So the subtype is mixed anxiety and depressed mood.", "F43.23"),
        ("conduct disorder", "By his grandmother's account, the onset is coded as childhood onset.", "F91.1"),
        ("anorexia nervosa", "It is the restricting type.", "F50.019"),
        ("MDD, recurrent, severe", "This time with psychotic features.", "F33.3"),
        ("schizoaffective disorder", "Depressive type, to be exact.", "F25.1"),
        ("bipolar I disorder", "For the authorization: depressed pole, moderate depth.", "F31.32"),
        ("bipolar I disorder", "The last was in 2024 and has fully remitted.", "F31.70"),
        ("PTSD", "After nine years this has become a chronic condition.", "F43.12"),
        ("ADHD", "Not a guess: it is the combined kind, by both scales.", "F90.2"),
        ("agoraphobia", "His comes with panic disorder, two or three attacks a week.", "F40.01"),
        ("ADHD", "\"Hers is the predominantly inattentive presentation, unchanged.\"", "F90.0"),
        ("adjustment disorder", "As it is with mixed disturbance of emotions and conduct.", "F43.25"),
        ("conduct disorder", "His mother came. It is said that his is the adolescent-onset type.", "F91.2"),
        ("conduct disorder", "\"Onset type is childhood, first at seven.\"", "F91.1"),
        ("MDD, recurrent", "Full care plan kept, so I grade this as moderate.", "F33.1"),
    ],
)  # fmt: skip
def test_what_else_narrows_it_is_proposed_and_asked_about(
    code: Coder, name: str, said: str, specific: str
) -> None:
    for note in NOTES:
        result = code(note.format(name, said))
        assert (result.outcome, [each.code for each in result.diagnoses]) == (
            Outcome.NEEDS_REVIEW,
            [specific],
        )


@pytest.mark.parametrize(
    ("name", "boxes", "specific"),
    [
        ("ADHD", "Presentation:\n   [ ] combined\n   [x] predominantly inattentive", "F90.0"),
        ("agoraphobia", "      with panic disorder [ ]      without panic disorder [X]", "F40.02"),
        ("conduct disorder", "Onset: ( ) childhood  (x) adolescent  ( ) unknown", "F91.9"),
        ("binge-eating disorder", "Course (one):\n___ current\n_X_ in partial remission", "F50.814"),
    ],
)
def test_a_ticked_one_is_proposed_and_asked_about(code: Coder, name: str, boxes: str, specific: str) -> None:
    note = f"Individual psychotherapy, 45 minutes.\nDx: {name}\nMood: fair\n{boxes}\nPlan: weekly."
    result = code(note)
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.NEEDS_REVIEW, [specific])


@pytest.mark.parametrize(
    ("name", "said", "coded"),
    [
        ("ADHD", "Her brother has the inattentive type.", "F90.9"),
        ("agoraphobia", "No panic attack this month.", "F40.00"),
        ("bipolar I disorder", "Never a manic episode since.", "F31.9"),
        ("adjustment disorder", "Wife sees a doctor for anxiety with depressed mood.", "F43.20"),
        ("MDD, recurrent", "The 2023 episode was severe with psychotic features.", "F33.9"),
        ("MDD, recurrent", "A year ago she was in full remission.", "F33.9"),
        ("PTSD", "Acute bronchitis kept her home, and chronic neck pain.", "F43.10"),
        ("MDD, recurrent", "Remission: ( ) partial ( ) full (x) none", "F33.9"),
        ("opioid use disorder, severe", "Read the Early Recovery pages.", "F11.20"),
        ("MDD, recurrent", "Long-term goal: remission.", "F33.9"),
        ("PTSD", "One of the older members says hers is chronic.", "F43.10"),
        ("opioid use disorder, severe", "Last month's wording was early remission.", "F11.20"),
        ("bipolar I disorder", "In 2012 the episode was depressed, severe.", "F31.9"),
        ("MDD, recurrent", "Anxiety: mild [ ] moderate [x] severe [ ]", "F33.9"),
        ("binge-eating disorder", "The scale runs from 1 (mild) to 7 (extreme).", "F50.819"),
    ],
)
def test_what_is_of_something_else_asks_nothing(code: Coder, name: str, said: str, coded: str) -> None:
    for note in NOTES:
        result = code(note.format(name, said))
        assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, [coded])


def test_a_severity_below_another_condition_is_asked_about(code: Coder) -> None:
    note = "Dx: MDD, recurrent\nGAD\nSeverity: moderate\nIndividual session, 45 minutes."
    assert "specifier_unclear" in code(note).reasons


@pytest.mark.parametrize("section", ["Plan", "Goals", "Recommendations", "Risk"])
def test_it_is_found_in_every_section_but_of_the_past_and_of_relatives(code: Coder, section: str) -> None:
    note = f"Individual psychotherapy, 45 minutes.\nDx: PTSD\n{section}: Weekly. This has become chronic."
    assert [each.code for each in code(note).diagnoses] == ["F43.12"]


@pytest.mark.parametrize(
    ("dx", "assessed", "specific"),
    [
        ("MDD, recurrent", "Current episode severe, without psychotic features, no better yet.", "F33.2"),
        ("MDD, recurrent", "The current episode is moderate.", "F33.1"),
        ("Bipolar I disorder, most recent episode depressed", "In partial remission now.", "F31.75"),
        ("MDD, recurrent", "She remains in full remission.", "F33.42"),
    ],
)
def test_the_episode_as_the_assessment_puts_it_is_read(
    code: Coder, dx: str, assessed: str, specific: str
) -> None:
    note = f"Dx: {dx}\n\nS: Tired.\n\nA: {assessed}\n\nP: Individual psychotherapy, 45 minutes."
    result = code(note)
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, [specific])


@pytest.mark.parametrize("assessed", ["Current episode severe, or so it seems.", "In early remission."])
def test_an_assessment_that_leaves_it_open_is_asked_about(code: Coder, assessed: str) -> None:
    note = (
        f"Dx: MDD, recurrent; alcohol use disorder, severe\n\nS: Tired.\n\nA: {assessed}\n\n"
        "P: Individual psychotherapy, 45 minutes."
    )
    assert code(note).outcome is Outcome.NEEDS_REVIEW


def test_what_each_of_two_statements_leaves_out_is_put_together(code: Coder) -> None:
    note = (
        "Dx list: alcohol use disorder; MDD recurrent\nAssessment: AUD severe. MDD current ep moderate.\n"
        "Individual psychotherapy, 45 minutes."
    )
    result = code(note)
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F10.20", "F33.1"])
    assert [each.quote for each in result.diagnoses[1].evidence] == [
        "MDD recurrent",
        "MDD current ep moderate",
    ]


def test_two_statements_that_differ_are_not_put_together(code: Coder) -> None:
    note = (
        "Dx list: MDD, single episode, mild\nAssessment: MDD, recurrent, moderate.\n"
        "Individual psychotherapy, 45 minutes."
    )
    assert "conflict_codes" in code(note).reasons
