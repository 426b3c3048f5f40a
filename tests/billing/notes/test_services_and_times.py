"""What the visit was and how long it took: services, times, modality, add-ons."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
DX = "\nDx: Generalized anxiety disorder"


def procedures(result: NoteResult) -> list[str]:
    return [procedure.code for procedure in result.procedures]


TIMES = {
    "minutes": ("Individual session, 45 minutes.", "90834"),
    "minutes hyphen": ("45-minute individual session.", "90834"),
    "min": ("Ind 45 min.", "90834"),
    "minute mark": ("Ind tx 40' in person.", "90834"),
    "x min": ("Individual psychotherapy x 53 min.", "90837"),
    "one hour": ("Individual session lasted 1 hr.", "90837"),
    "decimal hour": ("Duration: 0.75 hr, individual", "90834"),
    "point hour": ("Length of session: .75 hours. Individual", "90834"),
    "h and m": ("Individual session 1h 5m.", "90837"),
    "half an hour": ("Individual check-in, half an hour.", "90832"),
    "words": ("Individual session lasted fifty minutes.", "90834"),
    "hour": ("We met individually for an hour.", "90837"),
    "fifty minute hour": ("Seen individually for the usual 50-minute hour.", "90834"),
    "field number": ("Individual therapy\nDuration: 60", "90837"),
    "field colon": ("Individual therapy\nDuration: 0:53", "90837"),
    "length of session": ("Individual\nLength of session: 50", "90834"),
    "range pm": ("Individual, 2:03 PM - 2:57 PM.", "90837"),
    "range 24h": ("Individual. Time: 14:03-14:57", "90837"),
    "range military": ("Individual, 1300-1353.", "90837"),
    "range slash": ("Individual. Time: 1300/1353", "90837"),
    "range one meridiem": ("Individual. 12:50 - 1:46 pm", "90837"),
    "range p": ("Individual. Seen 2-2:50p.", "90834"),
    "midnight": ("Individual, 11:30 PM to 12:25 AM.", "90837"),
    "start stop lines": ("Individual\nStart: 9:00 AM\nStop: 9:38 AM", "90834"),
    "in out": ("Individual. Time in 3:00 / time out 3:45.", "90834"),
    "start and end words": ("Individual. Session started at 3:15 pm and ended at 4:10 pm.", "90837"),
    "quarter past": ("Seen individually from quarter past three until four.", "90834"),
    "psychotherapy beats total": (
        "60 min total: 40 minutes of individual psychotherapy and 20 min of charting.",
        "90834",
    ),
    "break subtracted": ("Individual, 2:00-3:00 pm, minus 10 minutes for a fire drill.", "90834"),
    "scheduled against actual": (
        "Scheduled for 60 minutes; client left early, individual session lasted 40 minutes.",
        "90834",
    ),
    "floor": ("Individual session 37.9 minutes.", "90832"),
    "boundary 16": ("Individual session 16 minutes.", "90832"),
    "boundary 37": ("Individual session 37 minutes.", "90832"),
    "boundary 38": ("Individual session 38 minutes.", "90834"),
    "boundary 52": ("Individual session 52 minutes.", "90834"),
    "boundary 53": ("Individual session 53 minutes.", "90837"),
}


@pytest.mark.parametrize(("text", "expected"), TIMES.values(), ids=TIMES.keys())
def test_the_documented_time_decides(code: Coder, text: str, expected: str) -> None:
    result = code(text + DX)
    assert procedures(result) == [expected]
    assert result.outcome is Outcome.CODED


OTHER_RANGES = {
    "notes": ("Individual. Start 9:00 End 9:45. Notes 9:50-10:00.", "90834"),
    "documentation": ("Individual 10:00-10:30. Documentation 10:40-11:05", "90832"),
    "charting": ("Individual, 10:00-10:45. Charting 10:50-11:05.", "90834"),
    "charting behind": ("Individual 9:00-9:30, 9:35-9:55 documentation.", "90832"),
    "continued with charting": ("Individual, 10:00-10:45. Continued with charting 10:50-11:10.", "90834"),
    "lunch": ("Lunch 12:00-1:00 pm. 1:00-1:45 pm individual.", "90834"),
    "supervision": ("Individual 10:00-10:45. Supervision 11:00-11:30.", "90834"),
    "travel": ("Individual 10:00-10:45, travel 10:50-11:20", "90834"),
    "next appointment": ("Individual, 10:00-10:45. Next appointment 11:00-11:50.", "90834"),
    "note written": ("Individual session 2:00-2:50 pm (note written 3:00-3:20).", "90834"),
    "gym again": ("Individual 10:00-10:45. Gym again 11:00-11:30.", "90834"),
    "resumed": ("Individual 10:00-10:25, resumed 10:40-11:08.", "90837"),
    "reconnected": ("Individual 10:00-10:25. Connection lost, reconnected by phone 10:40-11:08.", "90837"),
    "after the drill": ("Individual 10:00-10:25 and 10:40-11:08 after the fire drill.", "90837"),
    "two parts": ("Individual session in two parts, 10:00-10:25 and 10:35-11:00.", "90834"),
}


@pytest.mark.parametrize(("text", "expected"), OTHER_RANGES.values(), ids=OTHER_RANGES.keys())
def test_a_second_clock_range_counts_only_where_the_session_went_on(
    code: Coder, text: str, expected: str
) -> None:
    assert procedures(code(text + DX)) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Individual 10:00-10:25 and 10:40-11:08.",
        "Individual 10:00-10:45. Met with parents without patient 10:50-11:10.",
        "Individual 10:00-10:45. She resumed work 10:50-11:10.",
    ],
)
def test_a_second_clock_range_that_nothing_explains_is_asked(code: Coder, text: str) -> None:
    assert "time_conflict" in code(text + DX).reasons


def test_a_range_of_other_work_does_not_dispute_the_sent_minutes(code: Coder) -> None:
    result = code("Individual. Start 9:00 End 9:45. Notes 9:50-10:00." + DX, minutes=45)
    assert result.outcome is Outcome.CODED


LOSSES = {
    "on the bus": (". On the bus she froze for 20 minutes.", "90837"),
    "dropped off": (". Mother dropped her off for 20 minutes.", "90837"),
    "yesterday": (". Her internet was out for 10 minutes yesterday.", "90837"),
    "cigarettes": (". She smokes 20 cigarettes, 5 of those outside.", "90837"),
    "break at work": (". At work she takes a break of 20 minutes.", "90837"),
    "minute break at work": (". She takes a 10 minute break at work.", "90837"),
    "in the story": (", discussed how she froze for 20 minutes in court.", "90837"),
    "connection": (". The connection froze for 10 minutes.", "90834"),
    "hallway": (", 12 of those, in the hallway.", "90834"),
    "fire alarm": (". Ten of those minutes were lost to a fire alarm.", "90834"),
    "own sentence": (", with a break of 10 minutes.", "90834"),
    "client out": (". Client was out of the room for 10 minutes.", "90834"),
}


@pytest.mark.parametrize(("text", "expected"), LOSSES.values(), ids=LOSSES.keys())
def test_only_minutes_of_this_session_are_taken_off(code: Coder, text: str, expected: str) -> None:
    assert procedures(code(f"Individual session, 55 minutes{text}{DX}")) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Her internet was out for 10 minutes.",
        "Mother was out of the room for 10 minutes.",
        "Practiced a 10 minute break between tasks.",
        "After 20 minutes he left the party.",
    ],
)
def test_minutes_that_may_be_the_sessions_are_asked(code: Coder, text: str) -> None:
    assert "time_conflict" in code(f"Individual session, 55 minutes. {text}{DX}").reasons


NOT_TIMES = [
    "Meditates 10 minutes daily.",
    "Slept 5 hours.",
    "Panic lasted 20 min.",
    "Arrived 15 minutes late.",
    "Next session 60 min.",
    "Runs 3-4x/week, drinks 1-2 glasses.",
    "GAD-7 14, PHQ-9 12.",
    "Worry window moved to 6:30-6:50 pm.",
    "Homework: walk 30 minutes each day.",
    "Last week's session was 30 minutes.",
    "She waited 45 minutes for the bus.",
    "Phone: 555-0142.",
    "The store opened at 9:00 and closed at 9:45.",
    "She and her mother talked for 45 minutes last night.",
    "They talked for 45 minutes about it.",
]


@pytest.mark.parametrize("text", NOT_TIMES)
def test_other_times_are_not_the_session(code: Coder, text: str) -> None:
    result = code(f"Individual therapy. {text} Worked on routines.{DX}")
    assert procedures(result) == []
    assert "no_time" in result.reasons


SERVICES = {
    "intake title": ("INTAKE ASSESSMENT\nHistory taken, 60 minutes.", ["90791"]),
    "diagnostic evaluation": ("Psychiatric diagnostic evaluation, 75 minutes.", ["90791"]),
    "intake paperwork": ("Individual session, 45 minutes. Intake paperwork reviewed.", ["90834"]),
    "at intake": ("Individual session, 45 minutes. PHQ-9 was 19 at intake.", ["90834"]),
    "family": ("Family therapy with client and mother, 50 minutes.", ["90847"]),
    "couples": ("Couples session, both partners present, 55 minutes.", ["90847"]),
    "without patient": ("Family session, parents only, client not present, 50 minutes.", ["90846"]),
    "parent joins": (
        "Individual session with client, 45 minutes; mother joined for the last 5 minutes.",
        ["90834"],
    ),
    "family planned": ("Individual session, 45 minutes. Family therapy was offered.", ["90834"]),
    "group": ("Group psychotherapy, 7 members present, 90 minutes.", ["90853"]),
    "group home": ("Individual session, 45 minutes. Group home staff report a good week.", ["90834"]),
    "insurance group": ("Group: GRP001\nIndividual therapy, 50 minutes.", ["90834"]),
    "insurance group number": ("Group number: 884213\nIndividual therapy, 50 minutes.", ["90834"]),
    "insurance group name": ("Group name: Blue Shield PPO\nIndividual therapy, 50 minutes.", ["90834"]),
    "no group": ("Group: n/a\nService: Individual psychotherapy\n50 minutes", ["90834"]),
    "named group": ("Group: Anger management, 7 members present, 50 minutes", ["90853"]),
    "friend group": ("Individual session, 45 minutes. His friend group is supportive.", ["90834"]),
    "group project": ("Individual session, 45 minutes. Worried about a group project.", ["90834"]),
    "cpt therapy": ("CPT session 6, worksheet reviewed. Individual, 50 minutes.", ["90834"]),
    "crisis": (
        "PSYCHOTHERAPY FOR CRISIS, 65 minutes. Suicidal with plan. Safety plan written, mobile crisis "
        "called.",
        ["90839"],
    ),
    "crisis long": (
        "PSYCHOTHERAPY FOR CRISIS, 1:00 PM to 2:30 PM. Suicidal intent. Safety plan, admission arranged.",
        ["90839", "90840"],
    ),
    "complexity named": (
        "Individual session, 45 minutes. Interactive complexity: parents had to be separated.",
        ["90834", "90785"],
    ),
    "interpreter alone": (
        "Individual session, 45 minutes. Interactive complexity: interpreter used.",
        ["90834"],
    ),
    "complexity not billed": ("Individual session, 45 minutes. Add-on code 90785 not billed.", ["90834"]),
    "complexity only suggested": ("Individual session with puppets, 45 minutes.", ["90834"]),
}


@pytest.mark.parametrize(("text", "expected"), SERVICES.values(), ids=SERVICES.keys())
def test_the_documented_service_decides(code: Coder, text: str, expected: list[str]) -> None:
    assert procedures(code(text + DX)) == expected


REVIEWED = {
    "family under 26": ("Family therapy with client and mother, 20 minutes.", [], "family_under_26"),
    "crisis under 30": (
        "CRISIS SESSION, 25 minutes. Suicidal, safety plan, hotline.",
        ["90832"],
        "crisis_under_30",
    ),
    "under 16": ("Individual session, 15 minutes.", [], "under_16"),
    "no time": ("Individual session.", [], "no_time"),
    "no show": ("Client no-showed for the 2:00 PM appointment.", [], "not_rendered"),
    "did not attend": ("Client did not attend today's session.", [], "not_rendered"),
    "late cancel": ("Late cancel. Scheduled 3:00-3:50 PM.", [], "not_rendered"),
    "procedure disagrees": ("CPT 90837. Individual session, 45 minutes.", ["90834"], "procedure_conflict"),
    "group alone": ("Group: Anger management\n50 minutes", ["90834"], "service_unknown"),
    "h code": ("H0004, 4 units. Individual session, 60 minutes.", ["90837"], "procedure_conflict"),
}


@pytest.mark.parametrize(("text", "expected", "reason"), REVIEWED.values(), ids=REVIEWED.keys())
def test_what_cannot_be_billed_as_it_stands_is_asked(
    code: Coder, text: str, expected: list[str], reason: str
) -> None:
    result = code(text + DX)
    assert procedures(result) == expected
    assert reason in result.reasons


def test_under_16_and_missed_visits_are_not_billable(code: Coder) -> None:
    assert code("Individual session, 12 minutes." + DX).outcome is Outcome.NOT_BILLABLE
    assert code("NO SHOW. Client did not attend." + DX).outcome is Outcome.NOT_BILLABLE


def test_an_unticked_no_show_box_is_no_missed_visit(code: Coder) -> None:
    result = code("Status: [x] Kept [ ] No show [ ] Late cancel\nIndividual session 45 minutes" + DX)
    assert result.outcome is Outcome.CODED


def test_sent_minutes_decide_and_the_note_only_checks(code: Coder) -> None:
    agreeing = code("Individual session, 45 minutes." + DX, minutes=45)
    differing = code("Full 60 minute individual session." + DX, minutes=45)
    assert procedures(agreeing) == ["90834"]
    assert agreeing.procedures[0].minutes_source == "request"
    assert procedures(differing) == ["90834"]
    assert differing.reasons == ("duration_against_note",)


@pytest.mark.parametrize(
    ("said", "minutes", "expected"),
    [
        ("Individual session, 60 minutes.", 75, ["90837"]),
        ("Individual session, 90 minutes.", 53, ["90837"]),
        ("Individual session, 20 minutes.", 36, ["90832"]),
        ("Family therapy with client and mother, 50 minutes.", 70, ["90847"]),
    ],
)
def test_other_minutes_that_give_the_same_code_are_only_told(
    code: Coder, said: str, minutes: int, expected: list[str]
) -> None:
    result = code(said + DX, minutes=minutes)
    assert procedures(result) == expected
    assert not {"duration_against_note", "time_conflict"} & set(result.reasons)
    assert [each.type for each in result.discrepancies] == ["duration_field_vs_note"]


def test_minutes_with_another_service_propose_the_service_first_and_the_table_second(code: Coder) -> None:
    result = code("INTAKE ASSESSMENT" + DX, minutes=60)
    assert procedures(result) == ["90791"]
    assert "service_against_duration" in result.reasons
    assert [c.code for c in result.candidates if c.kind == "procedure"] == ["90837"]


MODALITY = {
    "telehealth": ("Individual session, 45 minutes.", "telehealth", "95", None),
    "audio only": ("Telephone session, audio only. Individual, 45 minutes.", "telehealth", "93", None),
    "unticked audio": (
        "Modality: [x] Video [ ] Audio only\nIndividual session, 45 minutes.",
        "telehealth",
        "95",
        None,
    ),
    "office": ("Individual session, 45 minutes.", "office", None, None),
    "office but video": (
        "Session held by video, client at home. Individual, 45 minutes.",
        "office",
        "95",
        "place_conflict",
    ),
    "telehealth but in person": (
        "Seen in person in the office. Individual, 45 minutes.",
        "telehealth",
        None,
        "place_conflict",
    ),
    "no place but video": ("Telehealth video session. Individual, 45 minutes.", None, "95", "place_conflict"),
    "next by video": ("Individual session, 45 minutes. Next session by video.", "office", None, None),
    "called mother": (
        "Individual session, 45 minutes. Called mother by phone afterwards.",
        "office",
        None,
        None,
    ),
    "declined": (
        "Individual session, 45 minutes, in person. Telehealth was offered and declined.",
        "office",
        None,
        None,
    ),
    "in person next week": (
        "Seen by video. Individual, 45 minutes. In person next week.",
        "telehealth",
        "95",
        None,
    ),
}


@pytest.mark.parametrize(("text", "place", "modifier", "reason"), MODALITY.values(), ids=MODALITY.keys())
def test_the_modifier_follows_how_the_patient_was_reached(
    code: Coder, text: str, place: str | None, modifier: str | None, reason: str | None
) -> None:
    result = code(text + DX, place=place)
    assert [p.modifier for p in result.procedures] == [modifier]
    assert (reason in result.reasons) if reason else result.outcome is Outcome.CODED


UNDERSTOOD = {
    "a number without its unit": ("Seen for 50.\nDx: GAD\nIndividual session.", "90834", 50),
    "hours before their number": ("Individual\nSession length (hrs): 1.0\nDx: GAD", "90837", 60),
    "minutes of therapy before something": (
        "Individual. 18 minutes of psychotherapy before transport arrived.\nDx: GAD",
        "90832",
        18,
    ),
    "minutes behind the session's place": (
        "Individual session in the office, forty minutes today.\nDx: GAD",
        "90834",
        40,
    ),
}


@pytest.mark.parametrize(("text", "procedure", "minutes"), UNDERSTOOD.values(), ids=UNDERSTOOD.keys())
def test_a_length_is_read_with_its_unit_elsewhere(
    code: Callable[..., NoteResult], text: str, procedure: str, minutes: int
) -> None:
    result = code(text)
    assert [(p.code, p.minutes) for p in result.procedures] == [(procedure, minutes)]


def test_a_visit_held_by_video_instead_is_asked_with_its_modifier(code: Callable[..., NoteResult]) -> None:
    result = code("Scheduled as in-office. Held by video instead at her request. 45 minutes.\nDx: GAD")
    assert ([p.modifier for p in result.procedures], result.reasons) == (["95"], ("place_conflict",))


def test_a_step_down_clinic_in_the_title_makes_no_group(code: Callable[..., NoteResult]) -> None:
    result = code("Adolescent IOP step-down clinic - individual psychotherapy - 45 min\nDx: GAD")
    assert [p.code for p in result.procedures] == ["90834"]
