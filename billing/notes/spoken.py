"""Numbers and clock times in words: `fifty-five`, `from quarter past three until four`."""

import re

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
_WORD_CLOCK = (
    r"(?:(?:a )?(?P<p{0}>quarter|half|ten|five|twenty|twenty[- ]five)[ ](?:minutes )?(?P<d{0}>past|after"
    r"|to|till|of|before)[ ])?"
    rf"(?P<w{{0}}>{'|'.join(_ONES[:12])}|noon|midday)(?:[ ](?P<q{{0}}>o'clock|fifteen|thirty|forty[- ]five"
    rf"|ten|twenty|forty|fifty|five))?"
)
_WORD_RANGE = re.compile(
    rf"\b{_WORD_CLOCK.format(1)}[ ](?:(?:until|to|till|through)|and(?: (?:we |he |she |they )?"
    rf"(?:(?:went|worked|talked|met|spoke) until|stopped|finished|ended|closed|concluded)"
    rf"(?: at)?)?)[ ]{_WORD_CLOCK.format(2)}\b"
)
_OFFSET = {
    "quarter": 15,
    "half": 30,
    "ten": 10,
    "five": 5,
    "twenty": 20,
    "twenty-five": 25,
    "twenty five": 25,
}
_QUALIFIED = {
    "fifteen": 15,
    "thirty": 30,
    "forty-five": 45,
    "forty five": 45,
    "ten": 10,
    "twenty": 20,
    "forty": 40,
    "fifty": 50,
    "five": 5,
    "o'clock": 0,
}
# What stands in every range of which one time is more than an hour's name.
SPOKEN = (
    *(
        f"{part}{minutes} {side}"
        for part in ("quarter", "half", "ten", "five", "twenty")
        for minutes in ("", " minutes")
        for side in ("past", "after", "to", "till", "of", "before")
    ),
    *(f"{hour} {part}" for hour in (*_ONES[:12], "noon", "midday") for part in _QUALIFIED if " " not in part),
    *(f"{hour} forty five" for hour in (*_ONES[:12], "noon", "midday")),
)


def number(word: str) -> int:
    """`fifty-five` as 55."""
    total = 0
    for part in re.split(r"[- ]", word):
        total += _TENS.get(part, 0) or (_ONES.index(part) + 1 if part in _ONES else 0)
    return total


def spoken_ranges(plain: str, left: int, right: int) -> list[SpokenRange]:
    found = []
    for match in _WORD_RANGE.finditer(plain, left, right):
        if not (match["p1"] or match["p2"] or match["q1"] or match["q2"]):
            continue
        first, last = (_spoken(match, which) for which in "12")
        minutes = (last - first) % 720
        if 10 <= minutes <= 240:
            found.append((match.start(), match.end(), minutes, (first, last)))
    return found


def _spoken(match: re.Match[str], which: str) -> int:
    word = match[f"w{which}"]
    hour = 12 if word in ("noon", "midday") else _ONES.index(word) + 1
    minutes = hour * 60 + _QUALIFIED.get(match[f"q{which}"] or "", 0)
    offset = match[f"p{which}"]
    if offset:
        sign = -1 if match[f"d{which}"] in ("to", "till", "of", "before") else 1
        minutes += sign * _OFFSET[offset.replace(" ", "-") if "five" in offset and " " in offset else offset]
    return minutes
