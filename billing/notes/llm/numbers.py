"""Which numbers of a note may leave the house: lengths, times of day, scores and codes, and no other that
could point at somebody."""

import re
from itertools import pairwise

from billing.notes.conditions.explicit import SERVICE_OF_PROCEDURE
from billing.notes.lexicon import Lexicon

_FEWEST = 6
"""So many digits in a row, however they are grouped, are somebody's number."""
_LONGEST_VISIT = 240
_PROCEDURES = frozenset(("90785", "90833", "90836", "90838", *SERVICE_OF_PROCEDURE))
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May|MAY)|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_MONTH, _DAY_OF_MONTH = "(?:0?[1-9]|1[0-2])", "(?:0?[1-9]|[12][0-9]|3[01])"
_DATE = re.compile(
    rf"(?<![0-9])(?<![0-9][/.-])(?:{_MONTH}(?P<by>[/.-]){_DAY_OF_MONTH}|{_DAY_OF_MONTH}(?P<or>[/.-]){_MONTH})"
    r"(?:(?P=by)|(?P=or))(?:[0-9]{4}|[0-9]{2})(?![/.-]?[0-9])"
    rf"|(?<![0-9])(?<![0-9][/.-])[0-9]{{4}}(?P<sep>[/.-]){_MONTH}(?P=sep){_DAY_OF_MONTH}(?![/.-]?[0-9])"
    rf"|\b(?:{_MONTHS})\b\.? ?(?:the )?[0-9]{{1,2}}(?:st|nd|rd|th)?\b(?:,? [0-9]{{4}}\b)?"
    rf"|\b[0-9]{{1,2}}(?:st|nd|rd|th)?(?: of)?[ -](?:{_MONTHS})\b(?:[ ,.-]{{1,2}}[0-9]{{4}}\b)?",
    re.IGNORECASE,
)
# A day without its year: with hyphens, which could mean something else, only behind "on".
_DAY = re.compile(
    rf"(?<![\w/.:]){_MONTH}/{_DAY_OF_MONTH}(?![\w/:]|\.[0-9])"
    rf"|(?<=\bon ){_MONTH}-{_DAY_OF_MONTH}\b(?!:| ?[ap]\.?m)",
    re.IGNORECASE,
)
_GREAT_AGE = re.compile(
    r"\bage[ds]?:? ?(?:is |of |= ?)?(?:9[0-9]|1[0-2][0-9])\b"
    r"|\b(?:9[0-9]|1[0-2][0-9])[ -]?(?:(?:years?|yrs?)[ -]olds?|y\.?/?o)\b"
    r"|\b(?:(?:s?he|client|patient|pt|who) (?:is|was)|turn(?:s|ed|ing)) (?:9[0-9]|1[0-2][0-9])\b"
    r"(?! ?(?:m|h|%|lb|kg|pound|day|week|session|point|percent))",
    re.IGNORECASE,
)
_SCALES = "phq|gad|pcl|bdi|bai|audit|dast|mdq|ybocs|suds?|dsm|icd"
_SCORED = re.compile(
    rf"\b(?:{_SCALES}|scor\w+|rat(?:ed?|es|ing)|scales?|severity|mood|anxiety|depression|pain|stress|distress)"
    r"\b[^.;\n]{0,20}(?<!\bon )$",
    re.IGNORECASE,
)
_SCALE = re.compile(rf"\b(?:{_SCALES})-?[0-9]{{1,2}}\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"(?<![0-9])(?<![0-9][/.-])[0-9]{1,3}[ -]?(?:m|mins?|minutes?|h|hrs?|hours?)\b", re.IGNORECASE
)
_CODE = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z][0-9]{2}(?P<more>\.?[0-9A-Za-z]{1,4})?|9[0-9]{4})(?![A-Za-z0-9])"
)
_CLOCK = re.compile(
    r"(?<![0-9:])(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?(?:[ap]m?\b)?(?![0-9:])", re.IGNORECASE
)
# `1400-1453`, `930 to 1015`
_PAIR = re.compile(r" ?(?:[-/~]|to|and|until|till?|through) ?")
_HALF_OF_DAY = re.compile(r" ?(?:[ap]\.?m\b|h\b|hrs?\b|hours?\b)", re.IGNORECASE)
_TIME_LABEL = re.compile(
    r"\b(?:start(?:ed|s)?|began|begins?|end(?:ed|s)?|stop(?:ped|s)?|finish(?:ed)?|time)"
    r"(?: time| in| out)?(?: at)?[ :=]{1,3}$",
    re.IGNORECASE,
)
_REACHED_AT = re.compile(
    r"(?:\b(?:phone|tel|call(?:ed)?|fax|cell|ext|mrn|ssn|acct|account|case|member|id|pin|no|number)\b|#)[^\w\n]{0,3}"
    r"(?:(?:at|is|no|number)\b[^\w\n]{0,3})?$",
    re.IGNORECASE,
)
_GROUP = re.compile(r"(?P<digits>[0-9]+)|\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b", re.I)
_JOINT = re.compile(
    r"[^A-Za-z0-9]*(?:\b(?:dash|hyphen|dot|point|slash|space)\b[^A-Za-z0-9]*)?", re.IGNORECASE
)

Part = tuple[int, int]


def hidden_numbers(text: str, lexicon: Lexicon) -> list[Part]:
    """Dates, great ages, and every number that is not known to be harmless, in a text of plain characters."""
    hidden = [match.span() for match in _DATE.finditer(text)]
    hidden += [match.span() for match in _GREAT_AGE.finditer(text)]
    settled = list(hidden)
    for match in _DAY.finditer(text):
        if not _SCORED.search(text, max(0, match.start() - 40), match.start()):
            hidden.append(match.span())
            settled.append(match.span())
    settled += [match.span() for pattern in (_CLOCK, _SCALE, _LENGTH) for match in pattern.finditer(text)]
    settled += [match.span() for match in _CODE.finditer(text) if _is_code(match, lexicon)]
    return hidden + _unknown(text, _outside(text, settled))


def _is_code(match: re.Match[str], lexicon: Lexicon) -> bool:
    """A procedure of ours, or a diagnosis: without its dot, which any number may lack, only a known one."""
    code, more = match[0].upper(), match["more"]
    if code[0] == "9":
        return code in _PROCEDURES
    if sum(map(str.isdigit, code)) >= _FEWEST:
        return False
    return more is None or more[0] == "." or f"{code[:3]}.{code[3:]}" in lexicon.concept_of_code


def _outside(text: str, settled: list[Part]) -> list[re.Match[str] | None]:
    """The groups of digits and the spoken digits in their order; None stands for what was settled before."""
    groups: list[re.Match[str] | None] = []
    parts = iter(sorted(settled))
    part = next(parts, None)
    for match in _GROUP.finditer(text):
        while part is not None and part[1] <= match.start():
            part = next(parts, None)
        inside = part is not None and part[0] <= match.start()
        groups.append(None if inside else match)
    return groups


def _unknown(text: str, groups: list[re.Match[str] | None]) -> list[Part]:
    """What of the groups is too long in itself or with those that it stands beside."""
    hidden: list[Part] = []
    run: list[re.Match[str]] = []
    for match in (*groups, None):
        if run and (match is None or not _stand_together(text, run[-1], match)):
            hidden += _of_run(text, run)
            run = []
        if match is not None:
            run.append(match)
    return hidden


def _stand_together(text: str, first: re.Match[str], last: re.Match[str]) -> bool:
    if _JOINT.fullmatch(text, first.end(), last.start()):
        return True
    return min(_size(first), _size(last)) >= 3 and bool(_PAIR.fullmatch(text, first.end(), last.start()))


def _of_run(text: str, run: list[re.Match[str]]) -> list[Part]:
    times: set[int] = set()
    total = sum(map(_size, run))
    for at, (first, last) in enumerate(pairwise(run)):
        # With more digits beside them the two are the end of a telephone.
        if total - _size(first) - _size(last) < 3 and _are_times(text, first, last):
            times.update((at, at + 1))
    rest = [match for at, match in enumerate(run) if at not in times]
    if sum(map(_size, rest)) >= _FEWEST:
        return [match.span() for match in rest]
    return [match.span() for match in rest if _size(match) > 3 and not _is_time(text, match)]


def _size(match: re.Match[str]) -> int:
    return len(match[0]) if match["digits"] else 1


def _are_times(text: str, first: re.Match[str], last: re.Match[str]) -> bool:
    """Whether two numbers without colons tell when a visit began and ended."""
    if not _PAIR.fullmatch(text, first.end(), last.start()):
        return False
    began, ended = _minute_of_day(first[0]), _minute_of_day(last[0])
    if began is None or ended is None or _REACHED_AT.search(text, max(0, first.start() - 30), first.start()):
        return False
    return 0 < (ended - began) % 720 <= _LONGEST_VISIT


def _is_time(text: str, match: re.Match[str]) -> bool:
    """Whether a number of four digits alone is a time of day; `2019` is a year where no hours follow."""
    if _minute_of_day(match[0]) is None:
        return False
    if _HALF_OF_DAY.match(text, match.end()):
        return True
    label = _TIME_LABEL.search(text, max(0, match.start() - 30), match.start())
    return label is not None and match[0][:2] not in ("19", "20")


def _minute_of_day(digits: str) -> int | None:
    if len(digits) not in (3, 4) or not digits.isdigit():
        return None
    hour, minute = int(digits[:-2]), int(digits[-2:])
    return hour * 60 + minute if hour < 24 and minute < 60 else None
