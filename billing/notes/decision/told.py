"""Where a note tells something, tried round its words alone."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter

from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.reading import Reading

_START = attrgetter("start")
# No pattern reaches farther from the word that it is tried for.
_ROUND = 32
_UNCOUNTED = later(
    r"[^.;\n]{0,60}\b(?:not (?:been )?(?:counted|billed|included)|(?:not|n't) (?:count|bill|include))\b"
)
_SOMEBODY_ELSE = later(
    r"\b(?:roommate|housemate|mother|mom|father|dad|husband|wife|partner|sister|brother|nurse|aide"
    r"|interpreter|student|intern|observer|supervisor|son|daughter) (?:then |has |had )?stepped out\Z"
)


def told(
    pattern: re.Pattern[str], name: str, reading: Reading, *, beside: Sequence[tuple[int, int]] = ()
) -> re.Match[str] | None:
    """Where a pattern stands first beside these stretches."""
    return next(all_told(pattern, name, reading, beside=beside), None)


def all_told(
    pattern: re.Pattern[str], name: str, reading: Reading, *, beside: Sequence[tuple[int, int]] = ()
) -> Iterator[re.Match[str]]:
    """Where a pattern stands beside these stretches, tried round its words alone."""
    for at in reading.hints.get(name, ()):
        if any(start <= at < end for start, end in beside):
            continue
        match = pattern.search(reading.plain, max(0, at - _ROUND), at + 2 * _ROUND)
        if match is not None and reading.layout.ticked(reading.plain, *match.span()) is False:
            continue
        if match is not None and name == "interrupted" and _of_no_account(reading.plain, match):
            continue
        if match is not None and not any(start <= match.start() < end for start, end in beside):
            yield match


def findings_between(reading: Reading, left: int, right: int) -> list[Finding]:
    """The conditions that are named from one offset on up to another."""
    begin = bisect_left(reading.findings, left, key=_START)
    return reading.findings[begin : bisect_left(reading.findings, right, begin, key=_START)]


def _of_no_account(plain: str, match: re.Match[str]) -> bool:
    """Whether the interruption is told not to be counted, or was somebody else's."""
    return (
        _UNCOUNTED.match(plain, match.end()) is not None
        or _SOMEBODY_ELSE.search(plain, max(0, match.start() - _ROUND), match.end()) is not None
    )
