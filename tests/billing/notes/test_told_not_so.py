"""What a note says of its services, its minutes and its diagnoses that is not this visit's, or not so."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
SESSION = "\nIndividual psychotherapy, 45 minutes."


def coded(result: NoteResult) -> list[str]:
    return [diagnosis.code for diagnosis in result.diagnoses] if result.outcome is Outcome.CODED else []


@pytest.mark.parametrize(
    ("field", "procedure"),
    [
        ("Session type: Group", "90853"),
        ("Service: Group", "90853"),
        ("Modality: Group", "90853"),
        ("Visit type: Group", "90853"),
        ("Service: Family", "90847"),
        ("Treatment modality: Family", "90847"),
        ("Session type: Couples", "90847"),
        ("Type of session: Collateral", "90846"),
        ("Session type: Family without client", "90846"),
        ("Service: Assessment", "90791"),
        ("Session type: Individual", "90837"),
        ("Modality: CBT", "90837"),
        ("Visit type: Follow-up", "90837"),
    ],
)
def test_a_field_names_the_service_in_a_word(code: Coder, field: str, procedure: str) -> None:
    result = code(f"{field}\nDuration: 60 minutes\nDx: F60.3")
    assert (result.outcome, [each.code for each in result.procedures]) == (Outcome.CODED, [procedure])


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("Session Type: Crisis", Reason.SERVICE_CONFLICT),
        ("Service: Consultation", Reason.SERVICE_UNKNOWN),
        ("Session type: Case management", Reason.SERVICE_UNKNOWN),
    ],
)
def test_a_field_with_a_service_that_is_unread_or_unproven_is_asked_about(
    code: Coder, field: str, reason: Reason
) -> None:
    assert code(f"{field}\nDuration: 60 minutes\nDx: F60.3").reasons == (reason,)


@pytest.mark.parametrize(
    "said",
    [
        "CPT: 90833\nPsychotherapy time 20 min.",
        "99213 + 90833. Psychotherapy 20 min.",
        "99214, 90836. Psychotherapy 40 minutes.",
        "CPT 99214. Met for 30 minutes.",
        "96136. 45 minutes.",
    ],
)
def test_a_written_code_of_another_service_is_asked_about(code: Coder, said: str) -> None:
    assert code(f"{said}\nDx: F33.1").reasons == (Reason.PROCEDURE_CONFLICT,)


@pytest.mark.parametrize(
    "said",
    [
        "90785 not applicable.",
        "90785 not warranted.",
        "Did not bill 90785.",
        "Insurance does not cover 90785.",
        "Consider billing 90785 next time.",
        "Interactive complexity last session only.",
        "Interactive complexity (90785): N/A.",
        "Interactive complexity: [ ] yes [x] no.",
        "Interactive complexity: yes [ ] no [x].",
        "Interactive complexity: [ ] yes [ ] no.",
        "Interactive complexity (90785): [ ].",
        "Interactive complexity (Y/N): N.",
        "Interactive complexity  Yes__ No_x_",
        "90785 Interactive complexity  Yes__ No_x_",
        "Interactive complexity factors: none present.",
        "Interactive complexity criteria were not met today.",
        "Interactive complexity considered; criteria not met.",
        "Interactive complexity: no factors identified.",
        "Interactive complexity was reviewed and not used.",
    ],
)
def test_interactive_complexity_that_does_not_apply_is_not_billed(code: Coder, said: str) -> None:
    result = code(f"Individual psychotherapy 45 min. {said} Dx F43.12")
    assert (result.outcome, [each.code for each in result.procedures]) == (Outcome.CODED, ["90834"])


@pytest.mark.parametrize(
    "said",
    [
        "90785 billed.",
        "Interactive complexity (90785) applies: play equipment.",
        "Interactive complexity: [x] yes [ ] no. Parents had to be separated.",
        "Interactive complexity: yes [x] no [ ]. Parents had to be separated.",
        "Interactive complexity (Y/N): Y, parents had to be separated.",
        "Interactive complexity  Yes_x_ No__ Puppets used.",
        "Interactive complexity criteria were met: puppets used, he has no words.",
        "Interactive complexity: no expressive language, puppets used throughout.",
    ],
)
def test_interactive_complexity_that_is_named_is_billed(code: Coder, said: str) -> None:
    result = code(f"Individual psychotherapy 45 min. {said} Dx F43.12")
    assert [each.code for each in result.procedures] == ["90834", "90785"]


@pytest.mark.parametrize(
    "said",
    [
        "Family session went well last week. Individual session 45 min.",
        "Client attended DBT group yesterday. Individual session 45 min.",
        "Client refused family therapy. Individual session 45 min.",
        "Reviewed intake. Individual session 45 min.",
        "Couples session scheduled; husband no-showed, so met with client individually for 50 min.",
        "Family session was cancelled; saw client individually 50 min.",
    ],
)
def test_a_service_that_is_only_mentioned_is_not_the_visits(code: Coder, said: str) -> None:
    result = code(f"{said} Dx F41.1")
    assert (result.outcome, [each.code for each in result.procedures]) == (Outcome.CODED, ["90834"])


def test_an_individual_session_that_is_only_planned_leaves_the_family_session(code: Coder) -> None:
    result = code("Family session 50 min. Individual session next week. Dx F41.1")
    assert [each.code for each in result.procedures] == ["90847"]


@pytest.mark.parametrize(
    "said",
    [
        "Individual 60-min session ended 15 min early.",
        "Individual session 3:00-4:00; client left 15 min early.",
        "Individual 60 min appointment. Client left after about 40.",
        "Individual 45-minute session extended by 10 minutes.",
    ],
)
def test_a_length_that_was_cut_or_extended_is_asked_about(code: Coder, said: str) -> None:
    assert code(f"{said} Dx F41.1").reasons == (Reason.TIME_CONFLICT,)


@pytest.mark.parametrize(
    "said", ["Client arrived 10 minutes early.", "She left after 10 years of marriage.", "Ended on time."]
)
def test_what_changed_no_length_is_not_asked_about(code: Coder, said: str) -> None:
    assert code(f"Individual session 50 min. {said} Dx F41.1").reasons == ()


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("A: GAD. Client was misdiagnosed with bipolar II disorder.", "F41.1"),
        ("Dx updated today from F43.23 to F33.1", "F33.1"),
        ("Dx upgraded from F43.23 to F33.1", "F33.1"),
        ("Dx: F43.23 -> F33.1", "F33.1"),
        ("Dx: F43.23 progressed to F33.1", "F33.1"),
        ("Dx: F43.23, diagnosis changed to F33.1", "F33.1"),
        ("Dx: F43.23. Diagnosis changed to F33.1.", "F33.1"),
        ("Dx: Adjustment disorder with anxiety -> GAD", "F41.1"),
        ("A: Presentation better accounted for by GAD than PTSD.", "F41.1"),
    ],
)
def test_what_a_diagnosis_was_before_or_was_weighed_against_is_not_coded(
    code: Coder, said: str, expected: str
) -> None:
    assert coded(code(f"{said}{SESSION}")) == [expected]


@pytest.mark.parametrize("said", ["MDQ positive for bipolar disorder.", "Screened positive for PTSD."])
def test_a_positive_screen_on_the_line_of_the_diagnosis_is_none(code: Coder, said: str) -> None:
    assert coded(code(f"{said} Dx: F41.1. 45 min individual")) == ["F41.1"]


def test_a_positive_screen_alone_is_asked_about(code: Coder) -> None:
    result = code(f"Impression: Screened positive for PTSD on PCL-5.{SESSION}")
    assert result.reasons == (Reason.ONLY_UNCERTAIN,)


@pytest.mark.parametrize(
    "said",
    [
        "Phone call with client's PO, 20 min.\nDx: F10.20",
        "Attended Ben's IEP meeting at school, 60 min.\nDx: F90.2",
        "Authorization request: 12 units of individual therapy 45 minutes. Dx F33.1",
        "Session held with mother and father to discuss tantrums. Ben was not in session.\nA: F91.3 ODD\n"
        "Time 4-4:50 pm",
        "Session with parents for 20 min, client not present. Dx F91.3",
    ],
)
def test_a_contact_without_the_patient_is_asked_about(code: Coder, said: str) -> None:
    assert code(said).reasons == (Reason.SERVICE_UNKNOWN,)


def test_a_call_beside_an_individual_session_is_not_asked_about(code: Coder) -> None:
    result = code(f"Phone call with client's PO, 20 min. Individual session 45 min.{SESSION}\nDx: F10.20")
    assert Reason.SERVICE_UNKNOWN not in result.reasons


@pytest.mark.parametrize(
    ("minutes", "expected"), [(20, ((), (Reason.FAMILY_UNDER_26,))), (40, (("90846",), ()))]
)
def test_the_length_of_a_collateral_session_is_read(
    code: Coder, minutes: int, expected: tuple[tuple[str, ...], tuple[Reason, ...]]
) -> None:
    result = code(f"Collateral session with parents, {minutes} min, client not present. Dx F91.3")
    assert (tuple(each.code for each in result.procedures), result.reasons) == expected


@pytest.mark.parametrize(
    "said",
    [
        "I haven't diagnosed PTSD.",
        "I have not diagnosed PTSD.",
        "I couldn't confirm PTSD.",
        "I didn't find PTSD.",
        "She hasn't met criteria for PTSD.",
        "She hasn't got PTSD.",
        "We aren't treating PTSD.",
        "PTSD isn't present.",
        "PTSD wasn't diagnosed.",
        "I have yet to diagnose PTSD.",
        "I didn't give a diagnosis of PTSD.",
        "I avoided diagnosing PTSD.",
        "I'm reluctant to diagnose PTSD.",
        "I decided against a diagnosis of PTSD.",
        "I havent diagnosed PTSD.",
        "I dont think it is PTSD.",
        "She doesnt meet criteria for PTSD.",
        "PTSD isnt present.",
        "PTSD hasnt been established.",
        "She doesn't quite meet criteria for PTSD.",
        "She fails to meet criteria for PTSD.",
        "I won't be billing PTSD.",
        "I withhold a diagnosis of PTSD.",
        "No one here has diagnosed PTSD.",
        "It would be wrong to call it PTSD.",
        "I would call it anything but PTSD.",
        "PTSD shouldn't be coded.",
        "PTSD won't hold.",
        "PTSD would be premature.",
        "PTSD is out of the question.",
        "PTSD has not been shown.",
    ],
)
def test_not_is_read_in_full_and_in_short(code: Coder, said: str) -> None:
    assert coded(code(f"Assessment: GAD. {said}{SESSION}")) == ["F41.1"]


@pytest.mark.parametrize("joined", ["", " since the separation", " due to the separation"])
def test_since_when_a_condition_is_there_is_no_condition(code: Coder, joined: str) -> None:
    said = f"Dx: Adjustment disorder with depressed mood (F43.21){joined}."
    assert coded(code(f"{said}{SESSION}")) == ["F43.21"]


@pytest.mark.parametrize("who", ["Parents only today", "Mother only"])
def test_relatives_alone_without_a_service_are_asked_about(code: Coder, who: str) -> None:
    assert Reason.SERVICE_UNKNOWN in code(f"{who}, 50 minutes.\nDx: F91.3").reasons


@pytest.mark.parametrize(
    "said",
    [
        "F32.1 or F41.1",
        "F32.1 or F41.1?",
        "either F32.1 or F41.1",
        "GAD or PTSD",
        "GAD (F41.1) or PTSD (F43.10)?",
    ],
)
def test_one_condition_or_another_is_asked_about(code: Coder, said: str) -> None:
    for label in ("A", "Dx"):
        assert code(f"{label}: {said}{SESSION}").outcome is Outcome.NEEDS_REVIEW


def test_what_is_denied_with_or_takes_no_diagnosis_back(code: Coder) -> None:
    assert coded(code(f"Dx: F41.1. Denies PTSD or panic disorder. Mother has OCD or ADHD.{SESSION}")) == [
        "F41.1"
    ]


@pytest.mark.parametrize(
    "said",
    ["Phone call of 40 minutes, audio only.", "Spoke by phone for 40 minutes.", "Telephone session, 40 min."],
)
def test_the_length_of_a_call_is_held_against_the_length_sent(code: Coder, said: str) -> None:
    told = code(f"Individual psychotherapy. {said}\nDx: F41.1", place="telehealth", minutes=55)
    assert Reason.DURATION_AGAINST_NOTE in told.reasons


def test_what_stood_in_a_note_by_mistake_is_not_coded(code: Coder) -> None:
    said = (
        "The adjustment disorder with depressed mood holds as the diagnosis.\n\nCORRECTION: a sentence that "
        "stood here about panic disorder belonged to another client's record and was entered here in error."
    )
    assert coded(code(f"{said}{SESSION}")) == ["F43.21"]


@pytest.mark.parametrize(
    "said",
    [
        "I doubt it is PTSD.",
        "I used to call it PTSD.",
        "I was tempted to call it PTSD.",
        "I would call it PTSD only if the nightmares persisted.",
        "I would call it PTSD, but it has only been three weeks.",
        "PTSD would be a stretch.",
    ],
)
def test_what_a_clinician_would_call_it_otherwise_is_not_billed(code: Coder, said: str) -> None:
    assert "F43.10" not in coded(code(f"Assessment: GAD. {said}{SESSION}"))


@pytest.mark.parametrize("written", ["hasn't", "hasn\u2019t", "hasnt", "HASN'T"])
def test_what_stands_behind_a_shortened_not_keeps_its_place(code: Coder, written: str) -> None:
    note = f"She {written} slept. Assessment: generalized anxiety disorder.{SESSION}"
    told = code(note).diagnoses[0].evidence[0]
    assert note[told.start : told.end].lower() == "generalized anxiety disorder"
