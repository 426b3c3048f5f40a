"""How a note may tell the length of its session, and which of several lengths it is."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
DX = "\nDx: Generalized anxiety disorder."


def check(code: Coder, text: str, minutes: int) -> None:
    result = code(text + DX)
    assert [procedure.minutes for procedure in result.procedures] == [minutes]
    assert result.outcome is Outcome.CODED


TOLD = {
    "a name and I": ("Individual. Mr. Amari and I had thirty minutes.", 30),
    "knelt": ("Individual. We sat (and knelt) for fifty-five minutes.", 55),
    "a meeting with points": ("Individual. Meeting ran 11.05 to 11.53.", 48),
    "the half-hour": ("Individual. In the half-hour we had, we went through the sleep diary.", 30),
    "for so long we read": ("Individual. For three quarters of an hour we read the letters.", 45),
    "set aside but left": (
        "Individual. An hour had been set aside for the exposure, and she had to leave after 35 minutes.",
        35,
    ),
    "what is not counted": (
        "Individual. We talked 42 minutes, not counting ten minutes of tech trouble.",
        42,
    ),
    "what is excluded": ("Individual, 50 minutes, excluding 10 minutes of charting.", 50),
    "the ticked one": ("Individual.\n[ ] 30 min   [x] 45 min   [ ] 60 min", 45),
    "the ticked service": (
        "[ ] Psychotherapy 30 min   [x] Psychotherapy 45 min   [ ] Psychotherapy 60 min",
        45,
    ),
    "ticked below each other": ("Individual.\n[ ] 30 minutes\n[ ] 45 minutes\n[x] 60 minutes", 60),
    "the second column": ("Individual.\nDOS : 03/17/2026       Therapy Time (min) : 45", 45),
    "left before the end": (
        "Individual. An hour was set aside, she nearly left after 20 minutes but stayed for all 60 minutes.",
        60,
    ),
    "an appointment with its year": (
        "Individual.\nAppointment: May 4, 2026 11:00 AM - 12:00 PM\nSession start: 11:03 AM   Session end: "
        "11:52 AM",
        49,
    ),
    "alone": ("D: Leopold (8) seen alone for 42 minutes after five minutes with aunt in waiting area.", 42),
    "today": ("Individual.\nP: No driving on the bridge yet. 50 min today, weekly.", 50),
    "in office": ("Individual.\n60 MIN IN OFFICE, PT BROUGHT 2 BOXES TO SORT.", 60),
    "the opening": ("Quick one w Jo, thirty minutes bc the sitter couldn't stay.", 30),
    "the opening of play": (
        "Play session, Wren, blue room, forty minutes. Played at something else for six minutes by my watch.",
        40,
    ),
    "the opening of a name": (
        "Mrs. Adeyemi, second visit, forty-five minutes in the room. Awake since five.",
        45,
    ),
    "by the clock": ("Session with T., an hour by the clock on the bookcase.", 60),
    "a worry appointment": ("Individual, 50 minutes.\nP: Worry appointment 5:30-5:50, pen and paper.", 50),
    "calls not counted above": (
        "Psychotherapy, individual. Start 11:14 AM, stop 12:36 PM (82 minutes).\nCalled the unit. (Calls"
        " after client left the room took about 25 minutes and are not counted in the time above.)",
        82,
    ),
}


@pytest.mark.parametrize(("text", "minutes"), TOLD.values(), ids=TOLD.keys())
def test_the_minutes_of_the_session_are_read(code: Coder, text: str, minutes: int) -> None:
    check(code, text, minutes)


def test_a_length_of_its_own_behind_the_visit_speaks_against_the_request(code: Coder) -> None:
    result = code(f"Bereavement service, individual, ninth visit. 45 minutes.{DX}", minutes=60)
    assert result.reasons == (Reason.DURATION_AGAINST_NOTE,)


POINTS = {
    "on and off": ("Individual. On at 2:00, off at 2:50.", 50),
    "connected": ("Individual. Connected 09:58, disconnected 10:44", 46),
    "sat down": ("Individual. We sat down at 1:02 and wrapped up at 1:50.", 48),
    "had begun": ("Individual. We had begun at 9:02 and stopped at 9:50.", 48),
    "an export": ("type=individual; start=14:05;end=14:50", 45),
    "in words": ("Individual. We started at nine and finished at nine forty-five.", 45),
    "oh three": ("Individual session. Started ten oh three, ended ten forty-five.", 42),
    "half of the day": ("Individual session. Start three oh five p.m., finish three forty-five p.m.", 40),
    "bare hour in words": ("Individual. We started at eleven and stopped at eleven fifty-two.", 52),
    "words with a hyphen": ("Individual, eleven-ten to eleven fifty-five.", 45),
    "to noon in words": ("Individual, from eleven to noon.", 60),
    "to noon in digits": ("Individual, 11:10 to noon.", 50),
    "since noon": ("Individual, noon - 12:50.", 50),
    "ten to ten": ("Individual, from ten to ten until twenty to eleven.", 50),
    "sat down again": (
        "Individual. We had begun at 9:02 and stopped at 9:24 for the alarm. We sat down again at 9:41 and "
        "finished at 10:02.",
        43,
    ),
    "two pieces": ("Individual, in two pieces because he asked for a walk: 3:05-3:29 and 3:41-4:03.", 46),
}


@pytest.mark.parametrize(("text", "minutes"), POINTS.values(), ids=POINTS.keys())
def test_what_opens_and_closes_a_session_makes_its_range(code: Coder, text: str, minutes: int) -> None:
    check(code, text, minutes)


@pytest.mark.parametrize(
    "text",
    [
        "Her class began at 2:00 and ended at 3:15.",
        "Panic started at 2:15 and was over at 2:40.",
        "His wife's shift started at seven thirty and ended at ten.",
        "Rated herself from two to ten most days.",
        "Sleeps seven to eight thirty-minute naps' worth.",
    ],
)
def test_what_begins_and_ends_elsewhere_is_no_session(code: Coder, text: str) -> None:
    check(code, f"Individual session, 45 minutes. {text}", 45)


UNITLESS = {
    "a breakdown": ("Individual. Total visit 75 / psychotherapy 56 / phone 11 / note 8", 56),
    "all told": ("Individual.\nMinutes: 58 all told = 38 psychotherapy, then 20 on the phone to school.", 38),
    "of which": ("Total contact 60 minutes, of which 44 individual psychotherapy.", 44),
    "of the scheduled": ("Individual. Met 45 of the scheduled 60 minutes.", 45),
    "instead of": ("Individual. Ran over: 58 instead of 50 minutes.", 58),
    "actual": ("Individual. Scheduled 60 / actual 45", 45),
    "used": ("Individual. 60 minutes were booked, 45 were used.", 45),
    "stopped at": ("Individual. Scheduled for 60, client asked to stop at 40 minutes; we did.", 40),
    "ended at": ("Individual session was to be 60 min but ended at 40.", 40),
    "at the mark": ("Individual. Booked for an hour; she left at the 35 minute mark.", 35),
    "face to face": ("Individual. Face-to-face time 45, non-face-to-face 15", 45),
    "a form's dots": ("Individual\nMinutes of counseling . 53", 53),
    "platform": ("Individual. Duration 00:47:12", 47),
    "minutes and seconds": ("Individual. Call length 52:10", 52),
    "hour and minutes": ("Individual.\nLength: one hour and five minutes.", 65),
    "hours of an export": ("enc_type=individual ; enc_hours=0.9 ; next_hours=0.75", 54),
}


@pytest.mark.parametrize(("text", "minutes"), UNITLESS.values(), ids=UNITLESS.keys())
def test_a_number_is_a_length_where_its_words_say_so(code: Coder, text: str, minutes: int) -> None:
    check(code, text, minutes)


def test_units_of_an_authorization_are_no_minutes(code: Coder) -> None:
    check(code, "Individual, 45 minutes. Authorization: 18 of 24 used. Therapy 20 sessions approved.", 45)


OTHERS = {
    "charting beside it": ("Individual, in person. Face to face 50 min + 8 min charting (not counted).", 50),
    "not counted": (
        "Individual, 74 minutes. Not counted: 20 minutes in the lobby, and 35 minutes typing.",
        74,
    ),
    "total and therapy": ("Individual.\nTime: 55 min in all: 45 min psychotherapy, then 10 min charting", 45),
    "spent elsewhere": ("Individual, 45 minutes. She spent 3 hours in the emergency room.", 45),
    "had spent": ("Individual, 45 minutes. Her husband had spent twenty minutes in the wrong lot.", 45),
    "a part": ("Individual, 50 minutes. The imaginal part ran thirty minutes.", 50),
    "an exposure": (
        "O: 25 minutes with the unlocked door.\nP: Individual session, a full hour together.",
        60,
    ),
    "another's group": ("Individual, 45 minutes. Group lasted 90 minutes with another therapist.", 45),
    "out of class": ("Out of class 10:20-11:15, per the pass. With me for 45 minutes, individually.", 45),
    "on a weekday": (
        "Individual, session 31, 52 minutes. On Tuesday she stayed on the line for 40 minutes.",
        52,
    ),
    "a meeting told of": ("Individual session, 45 minutes. Laid off in a meeting of nine minutes.", 45),
    "a worry period": ("Individual session, 45 minutes.\nP: Worry period 5:15-5:35 pm.", 45),
    "hours on something": (
        "About two hours at the sink.\nIndividual session today was 44 minutes.",
        44,
    ),
    "a corrected time": (
        "Individual. Time in: 10:30 AM  Time out: 11:25 AM\nCORRECTION 11/04: Time out was wrong. Time of "
        "service is 45 minutes.",
        45,
    ),
    "before the bus": ("Individual session, unscheduled, 28 minutes before the school bus left.", 28),
    "the last one": ("Individual, 45 minutes. The last session was 60 minutes.", 45),
}


@pytest.mark.parametrize(("text", "minutes"), OTHERS.values(), ids=OTHERS.keys())
def test_other_lengths_do_not_dispute_the_sessions(code: Coder, text: str, minutes: int) -> None:
    check(code, text, minutes)


TAKEN_OFF = {
    "take out": ("Individual, 2:00-2:54, the picture froze, so take out seven minutes altogether.", 47),
    "subtract": ("Individual. 2:00-2:54; subtract 10 for the dropped call.", 44),
    "of that": ("Individual. 2:00-2:54, ten minutes of that on hold with the pharmacy.", 44),
    "of it": ("Individual. 60 minutes total, 15 of it collateral with her school.", 45),
    "past a title": (
        "Individual, arrived 11:00, left 11:50. For 15 of these minutes Mr. Lee was outside and no therapy "
        "took place.",
        35,
    ),
    "two breaks": ("Individual session, 9:30-10:45, with two breaks (5 min inside, 10 min outside).", 60),
    "breaks of so much each": ("Individual session, 9:30-10:35, with two breaks of 5 minutes each.", 55),
    "twice": (
        "Individual. We met from 8:00 to 8:55, but she was paged twice, six minutes the first time and"
        " four the "
        "second, and those are not therapy minutes.",
        45,
    ),
}


@pytest.mark.parametrize(("text", "minutes"), TAKEN_OFF.values(), ids=TAKEN_OFF.keys())
def test_what_the_note_takes_off_is_taken_off(code: Coder, text: str, minutes: int) -> None:
    check(code, text, minutes)


@pytest.mark.parametrize(
    "text",
    [
        "Individual, start 1:00 PM, end 1:50 PM.\nI certify 45 minutes of face-to-face time with this"
        " client.",
        "Individual, 2:00-2:50. Total time: 40 minutes.",
        "Individual session, booked for 60 minutes.",
        "Individual session, 9:30-10:45, with three breaks (5 min inside, 10 min outside).",
        "Together at the sink for 25 minutes. Together at the stove for 40 minutes.",
    ],
)
def test_lengths_that_do_not_agree_are_asked(code: Coder, text: str) -> None:
    assert "time_conflict" in code(text + DX).reasons


def test_a_few_minutes_of_something_are_no_short_session(code: Coder) -> None:
    result = code("In person, individual. The track ran 12 minutes without a pause, twice." + DX)
    assert (result.outcome, result.reasons) == (Outcome.NEEDS_REVIEW, ("no_time",))


def test_a_family_session_cut_short_is_asked(code: Coder) -> None:
    result = code("Family therapy, Wes and his dads together. 25 minutes, because Wes was sick." + DX)
    assert result.reasons == ("family_under_26",)


@pytest.mark.parametrize(
    "text",
    [
        "Wrote a script for the next fire drill.",
        "He has dropped out of the league.",
        "The shift has broken his sleep in two pieces.",
        "Tells of hours lost to the mirror.",
        "The stove was disconnected in May.",
        "Resumed taking sertraline on Monday.",
    ],
)
def test_what_breaks_off_elsewhere_interrupts_no_session(code: Coder, text: str) -> None:
    check(code, f"Individual session, 45 minutes. {text}", 45)


def test_the_sent_minutes_are_held_against_any_named_session(code: Coder) -> None:
    result = code("Individual exposure session, 40 minutes, in person." + DX, minutes=60)
    assert result.reasons == ("duration_against_note",)


@pytest.mark.parametrize(
    "said",
    [
        "We stopped early, and I let him go after 40 minutes.",
        "He left after 40 minutes.",
        "He asked to stop after 40 minutes and we did.",
        "He was done after forty minutes and I did not keep him.",
        "He walked out after 40 minutes.",
        "He stayed for 40 minutes and then had to get the bus.",
    ],
)
def test_the_sent_minutes_are_held_against_a_session_that_ended_early(code: Coder, said: str) -> None:
    result = code(f"Individual session. {said} Back on Thursday." + DX, minutes=60)
    assert result.reasons == ("duration_against_note",)


@pytest.mark.parametrize(
    "said",
    [
        "He stopped the worksheet after 40 minutes.",
        "Her mother left after 40 minutes.",
        "He left the party after 40 minutes.",
        "He left after 40 minutes and came back for the rest.",
        "He walked out after 40 minutes of his brother's wedding.",
    ],
)
def test_the_sent_minutes_are_not_held_against_what_else_ended(code: Coder, said: str) -> None:
    result = code(f"Individual session. {said} Back on Thursday." + DX, minutes=60)
    assert result.reasons == ()


def test_an_end_that_may_be_of_anything_else_gives_no_length(code: Coder) -> None:
    result = code("Individual session. He walked out after 40 minutes. Back on Thursday." + DX)
    assert result.reasons == ("time_conflict",)


TOLD = {
    "a stay": ("Individual. He came at eleven and stayed the customary fifty minutes.", 50),
    "start and stop, left early": ("Individual. Start 3:00 PM, stop 3:16 PM (client left early).", 16),
    "the playroom": ("Play therapy, individual. 40 minutes in the playroom.", 40),
    "on foot": ("Walk-and-talk session, 50 minutes, on the trail.", 50),
    "what was had": ("We therefore had 47 minutes and not the 55 he pays for.", 47),
    "had at the end": ("He allows me half an hour, no more, and half an hour is what we had.", 30),
    "cut short": ("Couples therapy with patient and husband. Cut short, his pager: 28 minutes.", 28),
}


@pytest.mark.parametrize(("said", "minutes"), TOLD.values(), ids=TOLD.keys())
def test_a_length_is_read_as_told(code: Coder, said: str, minutes: int) -> None:
    assert code(f"{said}\nDx: GAD").procedures[0].minutes == minutes


def test_what_was_left_of_a_session_is_not_its_length(code: Coder) -> None:
    result = code("We had 20 minutes left when he spoke of his father." + DX)
    assert result.reasons == ("no_time",)


def test_two_lengths_round_an_alarm_are_one_session(code: Coder) -> None:
    check(code, "Individual. Fire alarm, so we met 20 minutes before it and 22 minutes after it.", 42)


@pytest.mark.parametrize("way", ["by video", "via telehealth", "by telephone"])
def test_the_sent_minutes_are_held_against_a_session_by_video(code: Coder, way: str) -> None:
    result = code(f"Individual psychotherapy {way}, 50 minutes." + DX, place="telehealth", minutes=30)
    assert "duration_against_note" in result.reasons


CAME_TO = {
    "cut": ("60-minute individual session cut to 35 because she was ill.", 35),
    "cut, with its unit": ("Individual 60 min session cut to 35 min.", 35),
    "shortened": ("Individual 50 minute session shortened to 30 min per client request.", 30),
    "extended": ("Individual session, 45 minutes extended to 60 because of distress.", 60),
    "a call afterwards": (
        "50 min individual. Then 20 min phone call with school counselor (not billed).",
        50,
    ),
}


@pytest.mark.parametrize(("said", "minutes"), CAME_TO.values(), ids=CAME_TO.keys())
def test_a_length_is_what_the_session_came_to(code: Coder, said: str, minutes: int) -> None:
    check(code, said, minutes)


CONTESTED = {
    "only so much used": "60 min session, only 35 used.",
    "left early": "Client left 20 min into the 50 min individual session.",
    "a total that differs": "Individual. Start: 0855 Stop: 0940 Total: 55",
    "one then another": "Individual. Met with client 30 min then mother joined for 20 min. Total 50.",
    "alone and together": "Saw client alone for 25 minutes and together with mother for 25 minutes.",
    "scored in it": "Individual psychotherapy 45 min. 15 min of that used for PHQ-9 scoring.",
    "forms in it": "Individual session (50 min). The first 20 minutes were spent on forms.",
}


@pytest.mark.parametrize("said", CONTESTED.values(), ids=CONTESTED.keys())
def test_a_length_that_the_note_contests_is_asked(code: Coder, said: str) -> None:
    assert code(said + DX).reasons == ("time_conflict",)


UNCONTESTED = {
    "a movie": "Individual session, 45 minutes. He left 20 minutes into the movie.",
    "a score": "Individual, 3:00 pm - 3:45 pm. PHQ-9 total: 12.",
    "its own total": "Individual. Start: 0855 Stop: 0940 Total: 45",
    "hours cut at work": "Individual session, 45 minutes. Her shift at work was cut to 20 hours.",
    "part of therapy": "Individual session, 45 minutes. 15 minutes of that was used for imaginal exposure.",
    "seen on a day": "Individual session, 45 minutes. Last seen 9:30 by his doctor.",
}


@pytest.mark.parametrize("said", UNCONTESTED.values(), ids=UNCONTESTED.keys())
def test_what_is_told_of_something_else_contests_no_length(code: Coder, said: str) -> None:
    check(code, said, 45)


@pytest.mark.parametrize(
    "told",
    [
        "Next appointment: May 11, 2026 11:00 AM - 12:00 PM",
        "Follow-up appointment: 05/11/2026, 11:00 AM - 12:00 PM",
        "RTC: May 11, 2026 11:00 AM - 12:00 PM",
        "For 45 minutes I wrote the report.",
        "For 50 minutes I discussed the case with her psychiatrist.",
        "Mother and I had 45 minutes.",
        "We waited (no link) for 40 minutes.",
        "We argued (she and her husband) for 50 minutes.",
    ],
)
def test_a_length_that_is_not_the_sessions_alone_is_asked_about(code: Coder, told: str) -> None:
    assert code(f"Individual psychotherapy.\n{told}\nDx: F41.1").outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize("boxes", ["30 [ ] 45 [x] 60 [ ]", "30 ( ) 45 (x) 60 ( )", "30___ 45_x_ 60___"])
@pytest.mark.parametrize("label", ["Duration", "Minutes", "Session length (min)"])
def test_the_first_of_several_boxed_numbers_is_not_the_length(code: Coder, label: str, boxes: str) -> None:
    told = code(f"Individual psychotherapy.\n{label}: {boxes}\nDx: F41.1")
    assert told.outcome is Outcome.NEEDS_REVIEW or [each.code for each in told.procedures] == ["90834"]
