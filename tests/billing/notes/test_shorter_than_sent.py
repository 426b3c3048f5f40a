"""A note that tells a shorter session than the minutes sent with it: never billed by those unasked."""

from collections.abc import Callable
from pathlib import Path

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
TOLD = (Path(__file__).parent / "shorter.txt").read_text(encoding="utf-8").splitlines()
NOTES = (
    "Dx: PTSD. She slept badly after the move. {} Plan: weekly.",
    "S: Slept badly. {}\nO: Calm.\nA: PTSD, chronic, improving.\nP: weekly.",
    "I am treating her for PTSD. Slept badly, and the log was blank. {} Next week again.",
)


def told(sentence: str, minutes: str) -> str:
    said = sentence.format(minutes)
    return said[0].upper() + said[1:]


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("minutes", ["30", "thirty"])
def test_half_an_hour_is_not_billed_as_the_hour_that_was_sent(code: Coder, note: str, minutes: str) -> None:
    notes = [note.format(told(sentence, minutes)) for sentence in TOLD]
    assert [text for text in notes if code(text, minutes=60).outcome is Outcome.CODED] == []


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize(("minutes", "sent"), [("30", 30), ("thirty", 30), ("58", 58), ("fifty-eight", 58)])
def test_what_was_sent_is_billed_where_the_note_tells_the_same(
    code: Coder, note: str, minutes: str, sent: int
) -> None:
    notes = [note.format(told(sentence, minutes)) for sentence in TOLD]
    assert [text for text in notes if code(text, minutes=sent).outcome is not Outcome.CODED] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "He was stuck in traffic for 30 minutes.",
        "They walked for 30 minutes before supper.",
        "Anxiety came down after 30 minutes.",
        "She practiced the breathing for thirty minutes a day.",
        "The shower ritual took 30 minutes.",
    ],
)
def test_minutes_of_something_else_ask_nothing(code: Coder, sentence: str) -> None:
    assert code(NOTES[0].format(sentence), minutes=60).outcome is Outcome.CODED


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (60, "Had to leave us after half an hour because the school rang."),
        (60, "Finding the key took the first twenty minutes of the appointment."),
        (60, "Of the hour that was set aside only some thirty-five minutes were left for therapy."),
        (60, "We sat down at nine sharp. At 9:45 she put her coat on and wanted to stop, which we did."),
        (30, "The story came out all at once, so we ran over by twenty-five minutes."),
        (60, "Fee slip given: half session, half fee, as arranged."),
        (45, "On checking, we began at 2:00 and she left for her interview at 2:20."),
        (60, "She used 40 minutes of her hour and asked to stop there."),
        (45, "Twelve minutes door to door, then he went for his bus."),
        (30, "Extended session, 75 minutes, since she had come ready to tell it."),
        (60, "He was pulled from shop at 1:05 and had to be back in the gym for the 1:40 assembly."),
        (60, "I spent the last twenty minutes of the sixty on the phone with the lab."),
        (45, "Double session, used back to back to make up the missed week: 90 minutes straight through."),
        (60, "We halted twice so that she could nurse, and those are out of the therapy."),
        (45, "Counseling proper, with the door shut, came to 28 minutes by the wall clock."),
        (30, "We were together a full hour, all of it work."),
        (53, "The picture froze with her mouth open. That was 32 minutes in."),
        (53, "He had a deposition and signed off at minute forty."),
        (60, "She came through my door twenty-six minutes after three."),
        (37, "Direct psychotherapy, this date: 0.75 hr"),
        (50, "The nurse had him for the first 25 of the 50."),
        (60, "Arrived 22 min into her slot; left at the regular end."),
        (45, "We went ten over our time."),
        (30, "Nothing short about it; we stayed on five minutes shy of an hour."),
        (60, "The twins had one hour booked and split it down the middle."),
        (53, "Writer met with Ct for 18 min, at which point the alarm sounded."),
        (60, "The building was emptied and she stood there with everyone else for thirty minutes."),
    ],
)
def test_what_makes_it_another_length_is_asked_about(code: Coder, minutes: int, said: str) -> None:
    result = code(NOTES[0].format(said), minutes=minutes)
    assert (result.outcome, result.reasons) == (Outcome.NEEDS_REVIEW, ("duration_against_note",))


@pytest.mark.parametrize(
    "said",
    [
        "Her mother left after 40 minutes.",
        "Last week we ran over by twenty minutes.",
        "She was out on the sidewalk for forty minutes at the insurer's fire drill.",
        "Half session next week.",
        "He began work at 6:00 and left at 3:30.",
        "We had the first five minutes of breathing.",
    ],
)
def test_what_makes_nothing_of_its_length_asks_nothing(code: Coder, said: str) -> None:
    assert code(NOTES[0].format(said), minutes=60).outcome is Outcome.CODED
