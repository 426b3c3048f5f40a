"""A note that says that no session took place: never billed unasked, whatever minutes were sent with it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
SAID = (Path(__file__).parent / "not_held.txt").read_text(encoding="utf-8").splitlines()
NOTES = (
    "Dx: PTSD. {} Plan: weekly.",
    "S: {}\nO: n/a\nA: PTSD, chronic.\nP: weekly.",
    "I am treating her for PTSD. {} Next week again.",
)
HELD = (
    "Individual session, 45 minutes.\nDx: PTSD\nS: {} Slept badly since.\nI: We read the log and practiced "
    "the breathing; she denied wanting to die.\nP: weekly."
)


@pytest.mark.parametrize("note", NOTES)
def test_it_is_not_billed_by_the_minutes_that_were_sent(code: Coder, note: str) -> None:
    notes = [note.format(said) for said in SAID]
    assert [text for text in notes if code(text, minutes=45).outcome is Outcome.CODED] == []


@pytest.mark.parametrize(
    "said",
    [
        "Session did not take place.",
        "Visit was not held because the office flooded.",
        "We did not meet.",
        "Pt NS.",
        "Late cancel, charged the fee.",
        "Client arrived but refused to come in.",
        "I was out with a fever on the day of this appointment.",
        "He was not seen for therapy.",
        "Psychotherapy is with M. Kerr and not addressed in this visit.",
        "I'd not call this a session with anyone.",
        "Our practicum student sat with him in my place.",
        "We ended it then and there. No bill.",
        "Front desk: please don't charge him.",
    ],
)
def test_plain_words_for_it_are_asked_about_in_a_note_that_tells_of_a_session(code: Coder, said: str) -> None:
    assert code(HELD.format(said), minutes=45).outcome is not Outcome.CODED


@pytest.mark.parametrize(
    "said",
    [
        "Last week's session was cancelled.",
        "Her psychiatry appointment was rescheduled.",
        "The couples session did not take place.",
        "She forgot her keys twice.",
        "He missed one quiz and cancelled the dentist.",
        "The office was closed on Monday.",
        "We did not meet last week.",
        "The home visit was canceled and client came to the office.",
        "The link failed twice on Monday.",
    ],
)
def test_what_was_missed_of_other_things_asks_nothing(code: Coder, said: str) -> None:
    assert code(HELD.format(said), minutes=45).outcome is Outcome.CODED
