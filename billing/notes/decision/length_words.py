"""Whether what a note says of times, taken word by word, tells of a session of another length than was sent:
a table of weights that is learned from labelled sentences (`billing.notes.learn_length_words`)."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path

import msgspec

from billing.notes.later import later
from billing.notes.length.span import same_band
from billing.notes.reading import Reading
from billing.notes.text.spoken import HOUR_WORDS, NUMBER_WORD, NUMBERS, number

TABLE = Path(__file__).parents[1] / "data" / "length_words.json"
_ENDS = later(r"(?<=[.!?;])[ ]+|\n+")
# Words without one of which a sentence is about no time; the first are what a length is beside the one sent.
_ABOUT_TIME = frozenset(
    (
        *(f"{mark}<{kind}>" for mark in ("", "#") for kind in ("same", "more", "long", "few", "cut")),
        "<clock>", "half", "late", "early", "left", "short", "shorter", "shortened", "cut", "quarter",
        "double", "rest", "hour", "hours", "minutes", "time", "over", "long",
    )
)  # fmt: skip
_FRACTIONS = {
    "three quarters of an hour": 45,
    "three-quarters of an hour": 45,
    "an hour and a half": 90,
    "half an hour": 30,
    "half hour": 30,
    "half-hour": 30,
    "1/2 hour": 30,
    "1/2 hr": 30,
    "quarter of an hour": 15,
    "quarter hour": 15,
    "quarter-hour": 15,
    "an hour": 60,
    "one hour": 60,
    "1 hour": 60,
    "1 hr": 60,
    "full hour": 60,
    "whole hour": 60,
    "the hour": 60,
}
_A_WORD = r"[a-z]+(?:'[a-z]+)?|[/+]"
_UNIT = r"(?:[ ]?-?(?P<unit>m|mins?|minutes?)\b(?![ ]*past|[ ]*to[ ]\d))"
_SIDE = r"(?P<side>past|after|to|before|of|till|til)"
_TOKEN = later(
    rf"(?P<fraction>\b(?:{'|'.join(_FRACTIONS)}))\b(?![ ](?:past|to[ ]\d))"
    rf"|\b(?P<h>\d{{1,2}})[:.](?P<m>[0-5]\d)\b(?![%\d])(?:[ ]?[ap]\.?m?\b\.?)?"
    r"|\b(?P<military>(?:[01]\d|2[0-3])[0-5]\d)\b(?![ ]?(?:mg|cal|steps?|hours? of))"
    r"|\b(?P<bare>1[0-2]|[1-9])[ ]?(?:[ap]\.?m\b\.?|o'clock)"
    rf"|\b(?P<part>quarter|half|\d{{1,2}}|{NUMBER_WORD})(?:[ ]minutes?)?[ ]{_SIDE}[ ]"
    rf"(?:(?P<on>1[0-2]|[1-9]|{'|'.join(HOUR_WORDS)})\b(?![ ]min)|(?P<full>the[ ]hour))"
    rf"|\b(?P<n>\d{{1,3}}|{NUMBER_WORD}\b)(?:[ ]?(?:-|to|or)[ ]?(?P<upto>\d{{1,3}}))?{_UNIT}?(?![\d:%])"
    rf"|(?P<word>{_A_WORD})"
)
_WORD, _DIGIT = later(_A_WORD), later(r"\d")
# Without a digit or one of these a sentence is nothing but words.
_COUNTS = frozenset(("hour", "hr", *NUMBERS))
_WHO = {
    "PATIENT": "she he they pt ct cl client patient youth teen child kid student member resident consumer",
    "THEM": "her him them",
    "RELATIVE": (
        "mom mother mum dad father parents parent grandma grandmother grandfather grandpa wife husband spouse"
        " partner boyfriend girlfriend fiance sister brother son daughter aunt uncle cousin roommate friend"
        " boss manager coworker teacher sitter babysitter caregiver guardian sibling niece nephew sponsor"
        " landlord kids children baby infant toddler"
    ),
    "DAY": (
        "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat"
        " january february march april june july august september october november december"
    ),
}
_CLASSES = {word: name for name, words in _WHO.items() for word in words.split()}
_MOST_CLOCKS = 6
_LONGEST_SESSION, _HALF_A_DAY, _FAR = 180, 720, 90
_FEW = 4

Said = tuple[list[str], tuple[int, ...]]


class LengthWords(msgspec.Struct, frozen=True):
    """The packaged table: a sum of weights above `threshold` says that the session had another length."""

    version: int
    intercept: float
    threshold: float
    weights: dict[str, float]

    def told_at(self, plain: str, sent: int) -> tuple[int, int] | None:
        """Where a sentence, or two in a row, tell of a session of another length than the minutes sent."""
        weights = self.weights
        known = weights.keys()
        found = [
            (end - start, start, end)
            for features, start, end in windows(plain, sent)
            if self.intercept + sum(map(weights.__getitem__, features & known)) > self.threshold
        ]
        return min(found)[1:] if found else None


@lru_cache(maxsize=1)
def length_words() -> LengthWords:
    """The packaged table."""
    return msgspec.json.decode(TABLE.read_bytes(), type=LengthWords)


def told_otherwise(reading: Reading, sent: int) -> tuple[int, int] | None:
    """Where the note may tell another length than the minutes sent; nowhere if it tells one for sure that is
    billed alike."""
    told = reading.length
    if told is not None and told.sure and not told.conflict and same_band(told.minutes, sent):
        return None
    return length_words().told_at(reading.plain, sent)


def windows(plain: str, sent: int) -> Iterator[tuple[frozenset[str], int, int]]:
    """What every sentence about a time says, alone and with the one behind it, and where it stands."""
    said = [(*_said(plain[start:end], sent), start, end) for start, end in _sentences(plain)]
    about = [not _ABOUT_TIME.isdisjoint(words) for words, *_ in said]
    near = map(any, zip(about, [False, *about], [*about[1:], False], strict=False))
    found = [_in_a_row(each[0]) if worth else frozenset() for each, worth in zip(said, near, strict=True)]
    for at, (_, clocks, start, end) in enumerate(said):
        if about[at]:
            yield found[at] | _apart(clocks, sent), start, end
        if any(about[at : at + 2]) and at + 1 < len(said):
            _, more, _, behind = said[at + 1]
            yield found[at] | found[at + 1] | _apart(clocks + more, sent), start, behind


def _sentences(plain: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _ENDS.finditer(plain):
        if stop.start() > start:
            yield start, stop.start()
        start = stop.end()
    if start < len(plain):
        yield start, len(plain)


def whole(plain: str, sent: int) -> frozenset[str]:
    """What a few sentences that belong together say."""
    said = [_said(plain[start:end], sent) for start, end in _sentences(plain)]
    clocks = [clock for _, clocks in said for clock in clocks]
    return frozenset[str]().union(*(_in_a_row(words) for words, _ in said)) | _apart(clocks, sent)


def _said(sentence: str, sent: int) -> Said:
    """Its words, with every length as what it is beside the minutes sent, and the times of day in it."""
    words = _WORD.findall(sentence)
    clocks: list[int] = []
    if _DIGIT.search(sentence) is None and _COUNTS.isdisjoint(words):
        return [_CLASSES.get(word, word) for word in words], ()
    words = []
    for found in _TOKEN.finditer(sentence):
        if word := found["word"]:
            words.append(_CLASSES.get(word, word))
        elif fraction := found["fraction"]:
            words += (_beside(_FRACTIONS[fraction], sent), "min")
        elif found["n"]:
            length = _number(found["upto"] or found["n"])
            if found["unit"]:
                words += (_beside(length, sent), "min")
            else:
                words.append(found["n"] if length <= _FEW else f"#{_beside(length, sent)}")
        elif found["full"]:
            words += ("<of the hour>", _beside(_minutes_of_part(found["part"]), sent))
        else:
            clocks.append(_clock(found) % _HALF_A_DAY)
            words.append("<clock>")
    return words, tuple(clocks[:_MOST_CLOCKS])


def _in_a_row(words: list[str]) -> frozenset[str]:
    """Words alone, and two and three in a row."""
    pairs = [f"{first} {second}" for first, second in pairwise(words)]
    threes = [f"{pair} {third}" for pair, third in zip(pairs, words[2:], strict=False)]
    return frozenset((*words, *pairs, *threes))


def _beside(length: int, sent: int) -> str:
    """A length beside the minutes sent: of the same band, longer, or shorter; what is shorter may be lost
    without the band changing, or not."""
    if same_band(length, sent):
        return "<same>"
    if length > sent:
        return "<more>" if length <= _LONGEST_SESSION else "<long>"
    return "<few>" if same_band(sent - length, sent) else "<cut>"


def _apart(clocks: Sequence[int], sent: int) -> set[str]:
    """How far the times of day are from each other, as they are told."""
    found = set()
    for first, second in combinations(clocks[:_MOST_CLOCKS], 2):
        between = (second - first) % _HALF_A_DAY
        found.add(f"apart {_beside(between, sent)}" if between <= _LONGEST_SESSION else "apart far")
        if (back := _HALF_A_DAY - between) <= _FAR:
            found.add(f"back {_beside(back, sent)}")
    return found


def _clock(found: re.Match[str]) -> int:
    """A time of day in minutes."""
    if found["military"]:
        return 60 * int(found["military"][:2]) + int(found["military"][2:])
    if found["bare"]:
        return 60 * int(found["bare"])
    if found["h"]:
        return 60 * int(found["h"]) + int(found["m"])
    minutes = _minutes_of_part(found["part"])
    hour = 60 * _number(found["on"])
    return hour + minutes if found["side"] in ("past", "after") else hour - minutes


def _minutes_of_part(part: str) -> int:
    return {"quarter": 15, "half": 30}.get(part) or _number(part)


def _number(said: str) -> int:
    return int(said) if said.isdigit() else number(said)
