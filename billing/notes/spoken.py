"""Numbers and clock times in words: `fifty-five`, `from quarter past three until four`."""

import re

from billing.notes.clock import Clock, shortest
from billing.notes.later import later

# Where it stands, how long it is, and from when to when in minutes of the day.
SpokenRange = tuple[int, int, int, tuple[int, int]]

_ONES = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fourty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
NUMBER_WORD = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES[:9])}))?"
    rf"|{'|'.join(sorted(_ONES, key=len, reverse=True))})"
)
_MINUTES_FROM_TWENTY = ("twenty", "thirty", "forty", "fourty", "fifty")
_ONE_TO_NINE = "|".join(_ONES[:9])
_HOURS = (*_ONES[:12], "noon", "midday")
_WORD_CLOCK = (
    r"(?:(?:a )?(?P<p{0}>quarter|half|ten|five|twenty|twenty[- ]five)[ ](?:minutes )?(?P<d{0}>past|after"
    r"|to|till|of|before)[ ])?"
    rf"(?:(?P<w{{0}}>{'|'.join(_HOURS)})(?![a-z])|(?(p{{0}})(?P<n{{0}}>1[0-2]|[1-9])"
    rf"(?![\d:/%])|(?!)))(?:[ -](?P<q{{0}}>o'clock|oh[ -](?:{_ONE_TO_NINE})"
    rf"|(?:{'|'.join(_MINUTES_FROM_TWENTY)})(?:[ -](?:{_ONE_TO_NINE}))?"
    rf"|{'|'.join(_ONES[:8:-1])})(?![a-z]))?"
    r"(?:[ ](?P<x{0}>[ap])\.?[ ]?m\b\.?)?"
)
_CLOCK = later(_WORD_CLOCK.format(1))
# `Finished at twenty past`: the hour is the one that goes on.
_NO_HOUR = later(
    r"(?:a )?(?P<p>quarter|half|ten|five|twenty[- ]five|twenty)[ ](?:minutes )?(?P<d>past|after|to|till|of"
    r"|before)"
    r"(?=[ ]*(?:[.,;:)\n]|\Z|and\b|because\b|when\b|so\b|as\b|since\b|due\b))"
)
_WORD_RANGE = later(
    rf"\b{_WORD_CLOCK.format(1)}[ ](?:(?:until|to|till|through)|and(?: (?:we |he |she |they )?"
    rf"(?:(?:went|worked|talked|met|spoke) until|stopped|finished|ended|closed|concluded)"
    rf"(?: at)?)?)[ ]{_WORD_CLOCK.format(2)}\b"
)
# `One to two thirty-minute calls` is no time of day.
_AN_AMOUNT = later(
    r"[ -](?:min|hour|second|time|day|week|month|year|session|call|percent|pound|mile|block|step|people|of\b)"
)
_SHORTEST = 10
# `Two minutes past one`: more exact than the hours that are read.
_MINUTES_AND = ("minutes past ", "minutes after ", "minutes to ", "minutes before ", "minutes of ")
_BACK = ("to", "till", "of", "before")
_OFFSET = {
    "quarter": 15,
    "half": 30,
    "ten": 10,
    "five": 5,
    "twenty": 20,
    "twenty-five": 25,
    "twenty five": 25,
}
# What may follow the name of an hour, and stands in every time that has minutes.
_PARTS_OF_HOUR = (*_ONES[9:], *_MINUTES_FROM_TWENTY, "oh", "o'clock")
# What stands in every range of which one time is more than an hour's name.
SPOKEN = (
    *(
        f"{part}{minutes} {side}"
        for part in ("quarter", "half", "ten", "five", "twenty")
        for minutes in ("", " minutes")
        for side in ("past", "after", "to", "till", "of", "before")
    ),
    *(f"{hour}{mark}{part}" for hour in _HOURS for mark in " -" for part in _PARTS_OF_HOUR),
    *(f"{hour} {half}" for hour in _ONES[:12] for half in ("a.m", "am", "a m", "p.m", "pm", "p m")),
    *(f"{join} {noon}" for join in ("to", "until", "till", "through") for noon in ("noon", "midday")),
    *(f"{noon} {join}" for join in ("to", "until", "till", "through") for noon in ("noon", "midday")),
)
# A time in words behind `at` may be no more than an hour's name.
SPOKEN_AT = tuple(f"at {hour}" for hour in _HOURS)


def number(word: str) -> int:
    """`fifty-five` as 55."""
    total = 0
    for part in re.split(r"[- ]", word):
        total += _TENS.get(part, 0) or (_ONES.index(part) + 1 if part in _ONES else 0)
    return total


def clock_at(plain: str, at: int) -> tuple[Clock, int] | None:
    """The time of day in words at an offset, and where it ends."""
    part = _NO_HOUR.match(plain, at)
    if part is not None:
        minutes = _OFFSET[part["p"].replace("-", " ")]
        return Clock(-1, 60 - minutes if part["d"] in _BACK else minutes, None, True), part.end()
    match = _CLOCK.match(plain, at)
    if match is None or plain[match.end() : match.end() + 1].isalpha():
        return None
    return _spoken(match, "1"), match.end()


def spoken_ranges(plain: str, left: int, right: int) -> list[SpokenRange]:
    found = []
    for match in _WORD_RANGE.finditer(plain, left, right):
        first, last = (_spoken(match, which) for which in "12")
        if plain.endswith(_MINUTES_AND, 0, match.start()):
            continue
        if not (first.exact or last.exact) or _AN_AMOUNT.match(plain, match.end()):
            continue
        span = shortest(first, last)
        if span is not None and span[0] >= _SHORTEST:
            found.append((match.start(), match.end(), *span))
    return found


def _spoken(match: re.Match[str], which: str) -> Clock:
    word, behind, offset = match[f"w{which}"], match[f"q{which}"], match[f"p{which}"]
    noon = word in ("noon", "midday")
    minutes = 0
    if behind and behind != "o'clock":
        minutes = number(behind.replace("oh", "", 1).strip(" -"))
    if offset:
        sign = -1 if match[f"d{which}"] in _BACK else 1
        minutes += sign * _OFFSET[offset]
    hour = 12 if noon else _ONES.index(word) + 1 if word else int(match[f"n{which}"])
    if minutes < 0:
        hour, minutes = (hour - 2) % 12 + 1, minutes + 60
    return Clock(hour, minutes, "p" if noon else match[f"x{which}"], bool(noon or behind or offset))
