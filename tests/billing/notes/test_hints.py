"""The words for which a pattern is tried at all stand in all that it matches."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from billing.notes import (
    instead,
    interruptions,
    losses,
    modality,
    numbered,
    pieces,
    points,
    ranking,
    scene,
    spoken,
    times,
    unclear,
    undiagnosed,
    unlike,
    unseen,
    worded,
)
from billing.notes.hints import LITERALS

PATTERNS = {
    "rank": (ranking._PRIMARY, ranking._SECONDARY),
    "lost": (losses._LOST,),
    "broken_off": (interruptions._EVENT, interruptions._BROKE),
    "main": (unclear._MAIN,),
    "main_by_number": (numbered._MAIN_BY_NUMBER, numbered._MAIN_BY_ORDER),
    "pieces": (pieces._AROUND, pieces._HALVES, pieces._AGAIN),
    "understood": (worded._BY_CLOCK,),
    "unit": (worded._WORD_MINUTES, worded._WORD_HOURS, worded._SHORT_OF),
    "noon": (times._TO_NOON, times._FROM_NOON),
    "taken_back": (unclear._TAKEN_BACK,),
    "interrupted": (unclear._INTERRUPTED,),
    "in_the_room": (unclear._IN_THE_ROOM,),
    "by_voice": (unclear._BY_VOICE,),
    "all_by_voice": (modality._ALL_BY_VOICE,),
    "prescribing": (unlike._PRESCRIBERS_TOO,),
    "missed": (unclear._MISSED,),
    "not_kept": (unseen.NOT_KEPT,),
    "screen": (scene._SCREEN,),
    "room": (scene._ROOM,),
    "shared": (unclear._NOT_ALONE,),
    "without_patient": (unclear._WITHOUT_PATIENT,),
    "several": (unclear._SEVERAL,),
    "undiagnosed": (undiagnosed._NOTHING,),
}


# With what letters they begin, so that they are tried at few words.
LETTERS = (
    points._FIRST_LETTERS,
    spoken._FIRST_LETTERS,
    losses._LOST_BEGINS,
    instead._ONE_CAME_BEGINS,
    instead._SINGLY_BEGINS,
)
LETTERED = (
    points._LEAD,
    spoken._WORD_RANGE,
    spoken._TO_NO_HOUR,
    losses._LOST,
    instead._ONE_CAME,
    instead._SEEN_SINGLY,
)


def _of_any_letter(pattern: re.Pattern[str]) -> str:
    text = pattern.pattern
    for letters in LETTERS:
        text = text.replace(letters, "")
    return text


def test_a_spoken_range_contains_one_of_its_words() -> None:
    @settings(max_examples=60, deadline=None, database=None, derandomize=True)
    @given(st.from_regex(spoken._WORD_RANGE.pattern.replace(spoken._FIRST_LETTERS, ""), fullmatch=True))
    def holds(text: str) -> None:
        if spoken.spoken_ranges(text, 0, len(text)):
            assert any(word in text for word in LITERALS["spoken"]), text

    holds()


def test_every_set_of_words_is_held_against_its_pattern() -> None:
    # The short forms are replaced as they stand: they are their own pattern. A spoken hour is no pattern.
    assert PATTERNS.keys() | {"spoken", "spoken_at", "short_form"} == LITERALS.keys()


@pytest.mark.parametrize("name", PATTERNS)
def test_all_that_a_pattern_matches_contains_one_of_its_words(name: str) -> None:
    @settings(
        max_examples=30,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(*(st.from_regex(_of_any_letter(pattern), fullmatch=True) for pattern in PATTERNS[name])))
    def holds(text: str) -> None:
        if any(pattern.search(text) for pattern in PATTERNS[name]):
            assert any(word in text for word in LITERALS[name]), text

    holds()


@pytest.mark.parametrize("pattern", LETTERED)
def test_all_that_a_pattern_matches_begins_with_its_first_letters(pattern: re.Pattern[str]) -> None:
    plainly = _of_any_letter(pattern)
    assert plainly != pattern.pattern

    @settings(
        max_examples=100,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.from_regex(plainly, fullmatch=True))
    def holds(text: str) -> None:
        assert pattern.search(text) is not None, text

    holds()
