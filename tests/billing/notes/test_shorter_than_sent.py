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


@pytest.mark.parametrize(
    "sentence",
    [
        "Session lasted 58 minutes.",
        "We met for 58 minutes.",
        "She stayed 58 minutes.",
        "The meeting took 58 minutes.",
        "We got 58 minutes in.",
        "I saw her for 58 minutes.",
    ],
)
def test_what_was_sent_is_billed_where_the_note_tells_the_same(code: Coder, sentence: str) -> None:
    result = code(NOTES[0].format(sentence), minutes=58)
    assert (result.outcome, result.procedures[0].code) == (Outcome.CODED, "90837")


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
