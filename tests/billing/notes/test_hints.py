"""The words for which a pattern is tried at all stand in all that it matches."""

import random
import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.notes.conditions import (
    concluding,
    lists,
    numbered,
    ranking,
    sources,
    stating,
    subjects,
    undiagnosed,
)
from billing.notes.decision import (
    another_length,
    asks,
    beside,
    company,
    cut_short,
    disputed,
    not_held,
    put_right,
    scene,
    taken_off,
    unclear,
    unseen,
)
from billing.notes.hints import LITERALS
from billing.notes.length import (
    bare,
    contact,
    doings,
    elsewhen,
    interruptions,
    losses,
    pieces,
    planned,
    points,
    times,
    weighing,
    worded,
)
from billing.notes.text import spoken
from billing.notes.text.letters import words_of
from billing.notes.visit import fields, instead, missed, modality, offered, others_seen, unlike, voice
from tests.billing.notes.matched import texts_of

PATTERNS = {
    "rank": (ranking._PRIMARY, ranking._SECONDARY),
    "lost": (losses._LOST,),
    "by_screen": (unclear._BY_SCREEN,),
    "not_held": (not_held._SAID,),
    "hinted": (not_held._HINTED,),
    "length_told": another_length._LENGTHS,
    "length_lost": another_length._LOSSES,
    "length_more": (*another_length._MORE, another_length._HALF, another_length._BESIDE),
    "began": (another_length._BEGAN,),
    "broken_off": (interruptions._EVENT, interruptions._BROKE),
    "main": (unclear._MAIN,),
    "main_by_number": (numbered._MAIN_BY_NUMBER, numbered._MAIN_BY_ORDER),
    "pieces": (pieces._AROUND, pieces._HALVES, pieces._AGAIN, pieces._THEN),
    "wanting": (lists._WERE_THERE,),
    "counted": (beside._SECOND,),
    "no_part": (unseen._FOR_NO_PART,),
    "understood": (worded._BY_CLOCK,),
    "from_hours": (bare._FROM_HOUR,),
    "unit": (worded._WORD_MINUTES, worded._WORD_HOURS, worded._SHORT_OF),
    "noon": (times._TO_NOON, times._FROM_NOON),
    "taken_back": (put_right._TAKEN_BACK,),
    "outgrown": (put_right._OUTGROWN,),
    "interrupted": (unclear._INTERRUPTED,),
    "graded": (disputed._NOW_SO, disputed._CRITERIA_MET),
    "episode_told": (disputed._AGAIN, disputed._THE_FIRST, disputed._MANIC, disputed._LOW),
    "taken_off": (taken_off._BACK, taken_off._OVER, taken_off._SOBER, taken_off._LEADS),
    "renamed": (disputed._FITS_BETTER, disputed._CHANGED_TO, disputed._REMOVED),
    "in_the_room": (unclear._IN_THE_ROOM,),
    "by_voice": (unclear._BY_VOICE, scene.TO_THE_PHONE),
    "all_by_voice": (voice._ALL_BY_VOICE,),
    "prescribing": (unlike._PRESCRIBERS_TOO,),
    "missed": (unclear._MISSED,),
    "attendance": (missed._ATTENDANCE,),
    "not_kept": (unseen.NOT_KEPT,),
    "screen": (scene._SCREEN,),
    "heard_only": (scene._HEARD_ONLY,),
    "room": (scene._ROOM,),
    "shared": (unclear._NOT_ALONE,),
    "all_of_it": (company._ALL_OF_IT,),
    "others_seen": (re.compile(others_seen._WHO),),
    "without_patient": (unclear._WITHOUT_PATIENT,),
    "offered": (offered._MARKED,),
    "place_code": (fields._PLACE_CODE,),
    "several": (unclear._SEVERAL,),
    "asks_billing": (asks._ASKS,),
    "none_given": (asks._NONE_GIVEN,),
    "not_seen": (asks._NOT_SEEN,),
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
    for text in texts_of(_of_any_letter(spoken._WORD_RANGE)):
        if spoken.spoken_ranges(text, 0, len(text)):
            assert any(word in text for word in LITERALS["spoken"]), text


def test_every_set_of_words_is_held_against_its_pattern() -> None:
    # The short forms are replaced as they stand, the empty box of a row is looked for as it stands: they are
    # their own pattern. A spoken hour is no pattern; what cuts a visit short may name a unit of time instead.
    by_themselves = {"spoken", "spoken_at", "short_form", "row", "cut_short"}
    assert PATTERNS.keys() | by_themselves == LITERALS.keys()


def test_what_tells_of_a_visit_cut_short_contains_one_of_its_words() -> None:
    words = LITERALS["unit"] + LITERALS["cut_short"]
    for pattern in (cut_short._SHARED, cut_short._BROKEN_OFF):
        for text in texts_of(pattern.pattern):
            assert any(word in text for word in words), text


def test_what_tells_of_company_contains_one_of_its_words() -> None:
    for text in texts_of(company._SIDE_BY_SIDE.pattern):
        assert any(word in text for word in company._SIDE_WORDS), text


@pytest.mark.parametrize("name", PATTERNS)
def test_all_that_a_pattern_matches_contains_one_of_its_words(name: str) -> None:
    for text in (text for pattern in PATTERNS[name] for text in texts_of(_of_any_letter(pattern))):
        if any(pattern.search(text) for pattern in PATTERNS[name]):
            assert any(word in text for word in LITERALS[name]), text


@pytest.mark.parametrize("pattern", LETTERED)
def test_all_that_a_pattern_matches_begins_with_its_first_letters(pattern: re.Pattern[str]) -> None:
    plainly = _of_any_letter(pattern)
    assert plainly != pattern.pattern

    for text in texts_of(plainly):
        assert pattern.search(text) is not None, text


# One of these is a whole word of all that the pattern beside them matches.
WHOLE_WORDS = (
    (elsewhen._BY_ANOTHER, elsewhen._ANOTHER_WORDS),
    (weighing._STOPPED, weighing._STOPPED_WORDS),
    (elsewhen.PART, weighing._PART_WORDS),
    (modality._OF_AN_EVENT, modality._EVENTS),
    (modality._ANOTHER_TIME_BEFORE, modality._ANOTHER_TIME_WORDS),
)
# One of these stands anywhere in it.
PIECES = (
    (instead._MADE_SINGLE, instead._MADE_WORDS),
    (instead._LEFT, tuple(f"{never} {back}" for never in instead._NEVER for back in instead._BACK)),
    (instead._SAT_OUT, instead._SAT_OUT_WORDS),
    (planned._BOOKED_AS, planned._BOOKED_WORDS),
    (planned._NOT_BUT, planned._NOT_BUT_WORDS),
    (losses._SEVERAL, losses._SEVERAL_WORDS),
    (undiagnosed._NOTHING, undiagnosed._SAYS_NO),
    (undiagnosed._NOTHING, ("diagnos", "dx", "disorder", *undiagnosed._DONE)),
    (unlike._PRESCRIBED, ("mg", *unlike._DRUGS)),
    (worded._WORD_HOURS, worded._HOLDS_HOURS),
    (contact._OF_AGE, contact._AGE_ENDS),
    (interruptions._OVER_US, interruptions._OVER_US_WORDS),
    (voice._VIDEO_FAILED, voice._FAILED_WORDS),
    (modality._ANOTHER_MET, modality._WHOM),
    (ranking._PRIMARY, ranking._RANKS),
    (ranking._SECONDARY, ranking._RANKS),
)


@pytest.mark.parametrize(("pattern", "words"), WHOLE_WORDS)
def test_all_that_a_pattern_matches_contains_one_of_its_whole_words(
    pattern: re.Pattern[str], words: frozenset[str]
) -> None:
    for text in texts_of(pattern.pattern):
        if pattern.search(text):
            assert not words.isdisjoint(words_of(text)), text


@pytest.mark.parametrize(("pattern", "pieces"), PIECES)
def test_all_that_a_pattern_matches_contains_one_of_its_pieces(
    pattern: re.Pattern[str], pieces: tuple[str, ...]
) -> None:
    for text in texts_of(_of_any_letter(pattern)):
        if pattern.search(text):
            assert any(piece in text for piece in pieces), text


def test_words_of_another_day_hold_one_of_theirs_or_a_request() -> None:
    for text in texts_of(elsewhen._ANOTHER_DAY.pattern):
        if elsewhen._ANOTHER_DAY.search(text):
            words = words_of(text)
            assert "request" in text or not elsewhen._ANOTHER_DAY_WORDS.isdisjoint(words)


def test_what_somebody_did_holds_one_of_its_words() -> None:
    for text in texts_of(doings._DOING.pattern):
        if doings._DOING.search(text):
            assert not doings._WORDS.isdisjoint(words_of(text))


def test_what_is_not_counted_holds_one_of_its_words_or_a_plus() -> None:
    for text in texts_of(weighing._NOT_COUNTED.pattern):
        if weighing._NOT_COUNTED.search(text):
            words = words_of(text)
            assert text.endswith("+ ") or not weighing._NOT_COUNTED_WORDS.isdisjoint(words)


@pytest.mark.parametrize(
    "text",
    ["(camera is out", "app is out", "instead of the usual ", "rather than the "],
)
def test_a_way_of_writing_that_was_passed_over_holds_a_word(text: str) -> None:
    held = [
        any(piece in text for piece in pieces)
        for pattern, pieces in PIECES
        if pattern.search(text) is not None
    ]
    assert held
    assert all(held)


@pytest.mark.parametrize(
    "text",
    [
        "one until quarter minute past oh-one",
        "noon til three",
        "noon and two",
        "twelve minutes after 6 and four",
    ],
)
def test_a_range_that_was_passed_over_holds_a_spoken_word(text: str) -> None:
    assert spoken._WORD_RANGE.search(text)
    assert any(word in text for word in LITERALS["spoken"])


def test_two_times_of_day_are_joined_by_what_may_join_them() -> None:
    for text in texts_of(times._RANGE.pattern):
        if times._RANGE.match(text):
            digits = len(text) - len(text.lstrip("0123456789"))
            assert digits <= 2
            behind = text[digits : digits + 1]
            assert times._may_join(text, digits) or behind not in times._AFTER_CLOCK | {" ", ":", "."}


def test_what_leads_to_a_time_may_stand_before_at() -> None:
    for text in texts_of(_of_any_letter(points._LEAD).replace("(?:at|@|:|=|-|\\|)?", "at")):
        if points._LEAD.search(text) and text.rstrip(" \n").endswith("at"):
            assert points._leads(text), text


def test_who_was_seen_singly_is_told_with_one_of_its_parts() -> None:
    for text in texts_of(_of_any_letter(instead._SEEN_SINGLY)):
        if instead._SEEN_SINGLY.search(text):
            assert any(part.search(text) for part in instead._SINGLY_PARTS), text


@pytest.mark.parametrize("text", ["seen today one to-one throughout", "saw her one on-one throughout"])
def test_a_way_of_writing_one_to_one_that_was_passed_over_holds_a_part(text: str) -> None:
    assert instead._SEEN_SINGLY.search(text)
    assert any(part.search(text) for part in instead._SINGLY_PARTS)


def test_one_who_came_is_found_by_the_words_that_it_is_told_with() -> None:
    for text in texts_of(_of_any_letter(instead._ONE_CAME)):
        assert bool(instead._only_came(text)) == bool(instead._ONE_CAME.search(text)), text


def test_who_stayed_away_is_found_by_the_words_that_it_is_told_with() -> None:
    for text in texts_of(instead._ANY_AWAY.pattern):
        if instead._ANY_AWAY.search(text):
            assert instead._holds_away(text) or any(word in text for word in instead._ANY_AWAY_WORDS), text


def test_a_session_that_turned_holds_who_was_away() -> None:
    for text in texts_of(instead._TURNED.pattern):
        if instead._TURNED.search(text):
            assert "only one" in text or instead._holds_away(text), text


@given(st.text())
def test_words_are_runs_of_letters(text: str) -> None:
    assert words_of(text) == frozenset(re.findall("[a-z]+", text))


class _Everything:
    def __contains__(self, word: object) -> bool:
        return True


def _words_of(module: ModuleType) -> set[str]:
    return {
        word
        for value in vars(module).values()
        if isinstance(value, frozenset | tuple)
        for part in value
        for word in ([part] if isinstance(part, str) else part if isinstance(part, list) else ())
    }


WORDS = [_words_of(module) for module in (sources, stating, concluding, subjects)]
VOCABULARIES = [sorted(words) for words in (*WORDS, set().union(*WORDS))]


def test_what_the_last_or_first_word_rules_out_is_none_by_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    naming, ends, calling = sources.NAMING_ENDS, concluding._CONCLUSION_ENDS, subjects.CALLING
    monkeypatch.setattr(sources, "NAMING_ENDS", _Everything())
    monkeypatch.setattr(concluding, "_CONCLUSION_ENDS", _Everything())

    chosen = random.Random(1)
    for _ in range(60_000):
        words = chosen.choices(chosen.choice(VOCABULARIES), k=chosen.randint(1, 6))
        assert words[-1] in naming or not sources.names_diagnosis(words), words
        assert words[-1] in ends or not concluding.concluded(words, len(words)), words
        assert words[0] in calling or not subjects.is_called(words), words
