"""How long the session was, told in prose, and the times that are of something else."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
DX = "\nDx: Generalized anxiety disorder."

READ = {
    "sharp": ("Individual. He logged in at 1400 sharp from his shed and stayed until 1455, one on one.", 55),
    "arrival and departure": ("Individual, face to face.\nArrival 11:02 AM      Departure 11:48 AM", 46),
    "login and logout": ("Individual.\nLogin 10:03, logout 10:55", 52),
    "reached": ("Individual. I reached her at one o'clock sharp and we said goodbye at 1:46 p.m.", 46),
    "it was": (
        "Individual. Anders appeared on my screen at four minutes past three, and when we said goodbye it"
        " was four o'clock exactly.",
        56,
    ),
    "a timer": ("Individual. We talked from ten past four until the kitchen timer went at five.", 50),
    "for the first time": (
        "Individual with Maeve, from five to two until ten to three, and for the first time she was calm.",
        55,
    ),
    "a number twice": (
        "Individual.\nPlan: Radio off. Individual contact today lasted fifty-one (51) minutes. Weekly.",
        51,
    ),
    "good minutes": ("Individual. She gave me forty-two good minutes.", 42),
    "full minutes": ("Individual. We had 45 full minutes.", 45),
    "a solid hour": ("Individual. For one solid hour we did only the exposure.", 60),
    "of my afternoon": ("Individual. She sat with them in her lap for a whole hour of my afternoon.", 60),
    "over it": ("Individual. We took thirty-three minutes over it this time.", 33),
    "a baby asleep": ("Individual. Seen for 54 minutes with the baby asleep on her.", 54),
    "to go back": (
        "Individual. Client logged in at 12:04 and logged off at 12:57 to go back to her desk.",
        53,
    ),
    "a parked car": ("Individual therapy, she sat in her parked car, 44 minutes.", 44),
    "next to the plan": (
        "Individual, 45 minutes.\nPlan: Next appointment Tuesday 3/24, 2:00, 60 minutes.",
        45,
    ),
    "next to an interview": (
        "Psychotherapy, individual: 53 minutes. A clinician in 1995 gave him a label after a fifteen-minute"
        " interview.",
        53,
    ),
    "next to envy": (
        "I met with Ms. Alder alone for a full hour. Her cousin sees someone on Wednesdays, ninety minutes"
        " each time, and she is a little envious of the ninety minutes.",
        60,
    ),
}

# None of these is the session's length.
ELSEWHERE = [
    "Plan: Next appointment Tuesday 3/24, 2:00, 60 minutes; after that return to 45.",
    "To be seen again Thursday at 4:00, 60 minutes.",
    "The VA will see him for his ears on the ninth, thirty minutes, nothing to do with me.",
    "In college a counselor told her so after one 50-minute session.",
    "The judge gave him custody after a twenty-minute interview.",
    "A 50-minute session with her last therapist once ended in tears.",
    "He stood in line from ten past four until the bell rang at five.",
    "He sat in the car from 4:10 until 5:00.",
    "He ran forty minutes on Sunday.",
    "He cooked for forty minutes.",
    "Her mother saw her for 45 minutes.",
    "She met with the lawyer for 50 minutes.",
    "On Tuesday he met the landlord, 4:00 to 4:45.",
    "Supervised visit lasted 50 minutes.",
    "We plan to meet for 50 minutes on Tuesday.",
    "His evaluation at the VA took 90 minutes and he left angry.",
    "Neuropsych on the 12th, 9:00 to 12:00.",
    "His fiancee has a session on Friday, 60 minutes.",
    "She asked if we could meet for 90 minutes before the wedding.",
    "Therapist offered a 90-minute session for the trauma work.",
    "Her lunch is an hour.",
    "Client slept from 11:00 to 3:30 and was up from 3:30 to 5:00.",
    "Client's shift: 4:00-12:00. Break 30 min.",
    "Client met with DBT coach 30 min Wed.",
    "Bus arrival 7:10, departure 7:55.",
]


@pytest.mark.parametrize(("text", "minutes"), READ.values(), ids=READ.keys())
def test_the_minutes_told_in_prose_are_read(code: Coder, text: str, minutes: int) -> None:
    result = code(text + DX)
    assert [procedure.minutes for procedure in result.procedures] == [minutes]
    assert {Reason.NO_TIME, Reason.TIME_CONFLICT}.isdisjoint(result.reasons)


@pytest.mark.parametrize("text", ELSEWHERE)
def test_the_time_of_something_else_is_no_length_of_the_session(code: Coder, text: str) -> None:
    result = code(f"Individual psychotherapy. Mood low, affect full. {text}{DX}")
    assert result.procedures == ()
    assert Reason.NO_TIME in result.reasons


def test_a_few_minutes_beside_a_disputed_length_lose_no_session(code: Coder) -> None:
    result = code(f"Individual. Start 10:00, stop 10:14. Session length 45 min.{DX}")
    assert result.outcome is Outcome.NEEDS_REVIEW
    assert code(f"Individual. Seen for 14 minutes.{DX}").outcome is Outcome.NOT_BILLABLE
