"""Lengths other than were sent, told in passing: what is learned from sentences, and what it does."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from billing.notes.decision.length_words import whole
from billing.notes.learn_length_words import learn, read_lines, read_note
from billing.notes.result import NoteResult, Outcome, SuppliedCodes, SuppliedProcedure

Coder = Callable[..., NoteResult]
NOTE = (
    "S: Slept badly after the move. {}\nO: Calm, engaged.\n"
    "A: PTSD, chronic, improving. She denies thoughts of suicide.\nI: We practiced the breathing.\nP: weekly."
)
SHORTER = "Y\t60\tThe bus was late and she had only thirty minutes with me."
ELSEWHERE = "N\t60\tThe bus ride to work takes her thirty minutes."


def note(text: str, *, review: bool, minutes: int | None = 60, tags: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"text": text, "duration_minutes": minutes, "gold": {"review": review}, "tags": list(tags)}


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (60, "Her ride pulled up at 2:30, half an hour into our time, and we had to stop there."),
        (60, "Her bus broke down; she was in my office by half past and we had to end on the hour."),
        (50, "Paperwork for the clinic took up 20 minutes of the session, and we used what was left."),
        (45, "She got here at 3:25 for her 3:00 and left at 3:45."),
        (53, "Only about half of the appointment was ours; the nurse had him for the second half of it."),
        (60, "Front desk kept her with the insurance forms for the first 25 minutes of the appointment."),
        (45, "We lost the connection at the 20 minute mark and could not get it back."),
    ],
)
def test_another_length_told_in_passing_is_asked_about(code: Coder, minutes: int, said: str) -> None:
    result = code(NOTE.format(said), minutes=minutes)
    assert (result.outcome, result.reasons) == (Outcome.NEEDS_REVIEW, ("length_unclear",))
    [told] = [each for each in result.discrepancies if each.type == "duration_field_vs_note"]
    assert (told.severity, told.supplied, told.found) == ("warn", str(minutes), None)
    assert told.evidence[0].quote in said


def test_codes_that_were_sent_are_compared_with_a_length_told_in_passing(code: Coder) -> None:
    sent = SuppliedCodes(diagnoses=("F43.12",), procedures=(SuppliedProcedure("90837"),))
    said = "Her ride pulled up at 2:30, half an hour into our time, and we had to stop there."
    result = code(NOTE.format(said), minutes=60, supplied=sent)
    assert [(each.type, each.severity, each.found) for each in result.discrepancies] == [
        ("duration_field_vs_note", "warn", None)
    ]


@pytest.mark.parametrize(
    "said",
    [
        "She walked in two minutes late and we went the full time.",
        "Her ride was half an hour late yesterday and she waited in the rain.",
        "He works from 7:00 to 3:30 and eats at his desk for ten minutes.",
        "She left the party after twenty minutes because it was loud.",
        "She stayed with the image for fifteen minutes and her distress fell by half.",
        "The bus ride to work takes thirty minutes and she got off early once.",
        "The first ten minutes went to the homework, which she had done.",
    ],
)
def test_what_else_is_told_of_times_asks_nothing(code: Coder, said: str) -> None:
    assert code(NOTE.format(said), minutes=60).outcome is Outcome.CODED


def test_a_length_is_told_beside_the_minutes_sent() -> None:
    # Thirty of sixty are another band whether they were held or lost; five are when they were held, alone.
    said = "it was {} minutes"
    kinds = {told: whole(said.format(told), 60) for told in (58, 30, 5, 75)}
    assert {
        told: [kind for kind in ("<same>", "<cut>", "<few>") if kind in kinds[told]] for told in kinds
    } == {
        58: ["<same>"],
        30: ["<cut>"],
        5: ["<few>"],
        75: ["<same>"],
    }


@pytest.mark.parametrize(
    ("said", "apart"),
    [
        ("in 2:05 out 2:35", "apart <cut>"),
        ("from 1405 to 1500", "apart <same>"),
        ("came at quarter past two and left at ten to three", "apart <cut>"),
        ("from eleven thirty on, at 11:30 am and at 12:28", "apart <same>"),
    ],
)
def test_two_times_of_day_are_so_far_apart(said: str, apart: str) -> None:
    assert apart in whole(said, 60)


def test_only_notes_that_contradict_the_minutes_or_nothing_are_learned_from() -> None:
    text = "She had only thirty minutes with me."
    labelled = [
        note(text, review=True, tags=("contradiction_time",)),
        note(text, review=True),
        note(text, review=False),
        note(text, review=False, minutes=None),
    ]
    read = [read_note(each) for each in labelled]
    assert [None if each is None else each.contradicts for each in read] == [True, None, False, None]


def test_the_same_files_make_the_same_table(tmp_path: Path) -> None:
    lines = tmp_path / "lines.tsv"
    lines.write_text(f"{SHORTER}\n{ELSEWHERE}\n" * 20, encoding="utf-8")
    held = read_note(note("The bus ride takes her ten minutes. We met as usual.", review=False))
    short = read_note(note("She had only thirty minutes.", review=True, tags=("contradiction_time",)))
    assert held is not None
    assert short is not None
    files = {f"file {number}": [held] * 5 + [short] for number in range(4)}
    made = [json.dumps(learn(read_lines(lines), files)) for _ in range(2)]
    assert made[0] == made[1]
    assert json.loads(made[0])["weights"]["only <cut>"] > 0
