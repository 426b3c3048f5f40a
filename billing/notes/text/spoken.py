"""Numbers and clock times in words: `fifty-five`, `from quarter past three until four`."""

import re

from billing.notes.later import later
from billing.notes.text.clock import Clock, shortest

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
NUMBERS = (*_ONES, *_TENS)
_MINUTES_FROM_TWENTY = ("twenty", "thirty", "forty", "fourty", "fifty")
_ONE_TO_NINE = "|".join(_ONES[:9])
HOUR_WORDS = tuple(_ONES[:12])
_HOURS = (*HOUR_WORDS, "noon", "midday")
# Hours that are told with their minutes, or with `hundred`.
_LATE_HOURS = tuple(_ONES[12:])
_MINUTE = rf"(?:{'|'.join(_MINUTES_FROM_TWENTY)})(?:[ -](?:{_ONE_TO_NINE}))?"
# `Quarter`, `ten`; any other number says that it is minutes, or of what hour it is past.
_TO_HOUR = (
    r"quarter|half|ten|five|twenty|twenty[- ]five"
    rf"|(?:(?:twenty[- ])?(?:{_ONE_TO_NINE})|{'|'.join(_ONES[:8:-1])}|[1-5]?\d)(?=[ ](?:minutes?[ ]"
    rf"|past[ ]))"
)
_SIDES = ("past", "after", "to", "till", "of", "before")
_SIDE = "|".join(_SIDES)
_WORD_CLOCK = (
    rf"(?:(?:a )?(?P<p{{0}}>{_TO_HOUR})[ ](?:minutes? )?(?P<d{{0}}>{_SIDE})[ ])?"
    rf"(?:(?:(?:oh|zero)[ -])?(?P<w{{0}}>{'|'.join(_HOURS)}"
    rf"|(?:{'|'.join(_LATE_HOURS)})(?=[ -](?:hundred|oh[ -]|{_MINUTE}|{'|'.join(_ONES[:8:-1])})(?![a-z])))"
    rf"(?![a-z])|(?(p{{0}})(?P<n{{0}}>1[0-2]|[1-9])"
    rf"(?![\d:/%])|(?!)))(?:[ -](?P<q{{0}}>o'clock|hundred|oh[ -](?:{_ONE_TO_NINE})"
    rf"|{_MINUTE}|{'|'.join(_ONES[:8:-1])})(?![a-z]))?(?:[ ](?P<s{{0}}>hours)\b)?"
    r"(?:[ ](?P<x{0}>[ap])\.?[ ]?m\b\.?)?"
)
# With what one of them may begin: few words do.
_FIRST_LETTERS = r"(?=\d|a |qu|ha|t[ehw]|f[io]|o[hn]|n[io]|s[ei]|e[il]|ze|mi)"
_END = r"(?=[ ]*(?:[.,;:)\n]|\Z|(?:and|because|when|so|as|since|due|on|in|today|this|by|with)\b))"
_CLOCK = later(_WORD_CLOCK.format(1))
# `Finished at twenty past`: the hour is the one that goes on.
_NO_HOUR = later(
    rf"(?:a )?(?P<p>{_TO_HOUR})[ ](?:minutes? )?(?P<d>{_SIDE})"
    rf"{_END}"
)
# `We stopped on the hour`
_ON_THE_HOUR = later(rf"(?:on|at) the (?P<half>half )?hour(?! mark){_END}")
# Each range from what joins its two times on: that begins with a blank, and few words do.
_ON_TO_NO_HOUR = (
    rf"[ ](?:until|to|till|til|through)[ ](?:a )?(?P<p>{_TO_HOUR})[ ](?:minutes? )?(?P<d>{_SIDE}){_END}"
)
_ON_TO = (
    r"[ ](?:(?:until|to|till|til|through)|and(?: (?:we |he |she |they )?"
    r"(?:(?:went|worked|talked|met|spoke) until|stopped|finished|ended|closed|concluded)"
    rf"(?: at)?)?)[ ]{_WORD_CLOCK.format(2)}\b"
    r"(?![ ](?:(?:past|after|before)\b|(?:to|of|till)[ ]*[.,;)\n]))"
)
_GOES_ON = later(_ON_TO)
_GOES_ON_TO_NO_HOUR = later(_ON_TO_NO_HOUR)
# `Quarter to one till half past`
_TO_NO_HOUR = later(rf"\b{_FIRST_LETTERS}{_WORD_CLOCK.format(1)}{_ON_TO_NO_HOUR}")
_WORD_RANGE = later(rf"\b{_FIRST_LETTERS}{_WORD_CLOCK.format(1)}{_ON_TO}")
# `One to two thirty-minute calls` is no time of day.
_AN_AMOUNT = later(
    r"[ -](?:min|hour|second|time|day|week|month|year|session|call|percent|pound|mile|block|step|people"
    r"|of\b)"
)
_SHORTEST = 10
# `Rent went from eleven hundred to twelve hundred`: of an hour that is told so, more is said.
_ON_DUTY = later(
    r"\b(?:session|visit|time|start(?:ed|ing)?|began|begin|seen|met|individual(?:ly)?|in session|connected|we"
    r"|therapy|psychotherapy)\b[^.;\n]{0,20}\Z|(?:\A|\n)[ ]*(?:from )?\Z"
)
_BACK = ("to", "till", "of", "before")
_OF_AN_HOUR = {"quarter": 15, "half": 30}
_NUMBER_BEFORE = later(rf"(?<![a-z\d])(?:{NUMBER_WORD}|quarter|half|[1-5]?\d)(?: minutes?)? \Z")
# What may follow the name of an hour, and stands in every time that has minutes.
_PARTS_OF_HOUR = (*_ONES[9:], *_MINUTES_FROM_TWENTY, "oh", "o'clock", "hundred")
# What stands in every range of which one time is more than an hour's name.
SPOKEN = (
    *(
        f"{part}{minutes} {side}"
        for part in ("quarter", "half", "ten", "five", "twenty")
        for minutes in ("", " minutes", " minute")
        for side in ("past", "after", "to", "till", "of", "before")
    ),
    *(f"minutes {side} {hour}" for side in _SIDES for hour in _HOURS),
    *(f"minute {side} {hour}" for side in _SIDES for hour in _HOURS),
    *(
        f"{minutes} {side} {digit}"
        for minutes in ("minutes", "minute")
        for side in _SIDES
        for digit in "123456789"
    ),
    *(f"past {hour}" for hour in _HOURS),
    *(f" {side} {nought}" for side in _SIDES for nought in ("oh", "zero")),
    *(f"minutes {side}{stop}" for side in ("past", "after", "to") for stop in ",.;"),
    *(f"{hour}{mark}{part}" for hour in _HOURS for mark in " -" for part in _PARTS_OF_HOUR),
    *(f"{hour}{mark}{part}" for hour in _LATE_HOURS for mark in " -" for part in _PARTS_OF_HOUR),
    *(f"{hour} {half}" for hour in _HOURS for half in ("a.m", "am", "a m", "p.m", "pm", "p m")),
    *(f"{mark}{noon}" for mark in " -" for noon in ("noon", "midday")),
    *(f"{on} the {half}hour" for on in ("on", "at") for half in ("", "half ")),
    *(
        f"{noon} {join}"
        for join in ("to", "until", "til", "through", "and", "hours")
        for noon in ("noon", "midday")
    ),
)
# A time in words behind `at` may be no more than an hour's name.
SPOKEN_AT = tuple(f"at {hour}" for hour in _HOURS)


def number(word: str) -> int:
    """`fifty-five` as 55."""
    total = 0
    for part in re.split(r"[- ]", word):
        total += _TENS.get(part, 0) or (_ONES.index(part) + 1 if part in _ONES else 0)
    return total


def clock_start(plain: str, at: int) -> int:
    """Where the time of day begins that holds a word of `SPOKEN`: before `minutes past two` stands a
    number."""
    if plain.startswith(("minute", "past "), at):
        before = _NUMBER_BEFORE.search(plain, max(0, at - 20), at)
        return before.start() if before is not None else at
    return at - 7 if plain.startswith(("twenty-", "twenty "), at - 7) else at


def clock_at(plain: str, at: int) -> tuple[Clock, int] | None:
    """The time of day in words at an offset, and where it ends."""
    part = _NO_HOUR.match(plain, at)
    if part is not None:
        return _no_hour(part), part.end()
    struck = _ON_THE_HOUR.match(plain, at)
    if struck is not None:
        return Clock(-1, 30 if struck["half"] else 0, None, True), struck.end()
    match = _CLOCK.match(plain, at)
    if match is None or plain[match.end() : match.end() + 1].isalpha():
        return None
    return _spoken(match, "1"), match.end()


def spoken_ranges(plain: str, left: int, right: int) -> list[SpokenRange]:
    found = []
    for match in _WORD_RANGE.finditer(plain, left, right) if _GOES_ON.search(plain, left, right) else ():
        first, last = (_spoken(match, which) for which in "12")
        if ("hundred" in (match["q1"], match["q2"]) or match["w1"] in _LATE_HOURS) and not (
            match["s1"] or match["s2"] or _ON_DUTY.search(plain, max(0, match.start() - 40), match.start())
        ):
            continue
        if not (first.exact or last.exact) or _AN_AMOUNT.match(plain, match.end()):
            continue
        span = shortest(first, last)
        if span is not None and span[0] >= _SHORTEST:
            found.append((match.start(), match.end(), *span))
    if found or not _GOES_ON_TO_NO_HOUR.search(plain, left, right):
        return found
    for match in _TO_NO_HOUR.finditer(plain, left, right):
        first = _spoken(match, "1")
        span = shortest(first, _no_hour(match)) if first.exact else None
        if span is not None and span[0] >= _SHORTEST:
            found.append((match.start(), match.end(), *span))
    return found


def _no_hour(match: re.Match[str]) -> Clock:
    minutes = _offset(match["p"])
    return Clock(-1, 60 - minutes if match["d"] in _BACK else minutes, None, True)


def _offset(said: str) -> int:
    """How many minutes before or past an hour."""
    return int(said) if said.isdigit() else _OF_AN_HOUR.get(said) or number(said)


def _spoken(match: re.Match[str], which: str) -> Clock:
    word, behind, offset = match[f"w{which}"], match[f"q{which}"], match[f"p{which}"]
    noon = word in ("noon", "midday")
    minutes = 0
    if behind and behind not in ("o'clock", "hundred"):
        minutes = number(behind.replace("oh", "", 1).strip(" -"))
    if offset:
        sign = -1 if match[f"d{which}"] in _BACK else 1
        minutes += sign * _offset(offset)
    hour = 12 if noon else _ONES.index(word) + 1 if word else int(match[f"n{which}"])
    if minutes < 0:
        hour, minutes = (hour - 2) % 12 + 1, minutes + 60
    return Clock(hour, minutes, "p" if noon else match[f"x{which}"], bool(noon or behind or offset))
