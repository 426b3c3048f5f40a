"""Lengths of time in words: `fifty minutes`, `half an hour`, `seven minutes short of an hour`."""

import re

from billing.notes.later import later
from billing.notes.span import Span
from billing.notes.spoken import NUMBER_WORD, number

_WORD_MINUTES = later(rf"(?<![a-z])(?P<word>{NUMBER_WORD})[ -]?(?:minutes?|minuets?|mins?)(?![a-z])")
_WORD_HOURS = later(
    rf"(?<![a-z])(?:(?P<more>(?:an|one) hour(?:,? and|,)? (?P<over>{NUMBER_WORD})(?: min(?:ute)?s?"
    r"(?! (?:of (?:which|these|those|them)|late|early)\b)|(?=[ ]*(?:[.,;)\n]|\Z))))"
    r"|(?P<half>half an hour|half[ -]hour|a half hour)|(?P<quarters>three[ -]quarters of an hour)"
    r"|(?P<onehalf>(?:one|an) (?:and (?:a|one) half) hours?|hour and a half)|(?P<quarter>hour and a quarter"
    r"|hour and fifteen minutes)"
    r"|(?P<one>(?:an|one|full|one full|a full|whole|entire) (?:clinical |full )?hour(?! and))|(?P<two>two"
    r" hours))(?![a-z])"
)
# `Seven minutes short of an hour`
_SHORT_OF = later(
    rf"(?<![a-z\d])(?P<less>{NUMBER_WORD}|\d{{1,2}})(?: min(?:ute)?s?)?,? (?:short|shy) of (?:an|the|one|a)"
    r" (?:full |whole |clock )?hour"
)
# The word before a unit that may be a number, or part of "half an hour".
_NUMBERS_END = (
    "teen", "ty", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
LAST_WORDS = (
    *_NUMBERS_END,
    "half",
    "quarter",
    "an",
    "a",
    "full",
    "whole",
    "entire",
    "clinical",
    "and",
    "of",
)


def worded_spans(plain: str, left: int, right: int) -> list[Span]:
    """Lengths in words: `fifty minutes`, `half an hour`, `one full hour`."""
    spans = [
        Span(match.start(), match.end(), number(match["word"]), "minutes")
        for match in _WORD_MINUTES.finditer(plain, left, right)
    ]
    spans += [
        Span(match.start(), match.end(), 60 - _count(match["less"]), "minutes")
        for match in _SHORT_OF.finditer(plain, left, right)
    ]
    spans += [
        Span(match.start(), match.end(), _hours(match), "hours")
        for match in _WORD_HOURS.finditer(plain, left, right)
    ]
    return spans


def _count(said: str) -> int:
    return int(said) if said.isdigit() else number(said)


def _hours(match: re.Match[str]) -> int:
    if match["more"]:
        return 60 + number(match["over"])
    if match["half"]:
        return 30
    if match["quarters"]:
        return 45
    if match["onehalf"]:
        return 90
    if match["quarter"]:
        return 75
    return 120 if match["two"] else 60
