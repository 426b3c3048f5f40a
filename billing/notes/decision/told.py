"""Where a note tells something, tried round its words alone."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter

from billing.notes.finding import Finding
from billing.notes.reading import Reading

_START = attrgetter("start")
# How far before and behind the word that it is tried for a pattern reaches where nothing else is said.
_REACH = (32, 64)


def told(
    pattern: re.Pattern[str], name: str, reading: Reading, *, beside: Sequence[tuple[int, int]] = ()
) -> re.Match[str] | None:
    """Where a pattern stands first beside these stretches."""
    return next(all_told(pattern, name, reading, beside=beside), None)


def all_told(
    pattern: re.Pattern[str],
    name: str,
    reading: Reading,
    *,
    beside: Sequence[tuple[int, int]] = (),
    reach: tuple[int, int] = _REACH,
) -> Iterator[re.Match[str]]:
    """Where a pattern stands beside these stretches, tried round its words alone."""
    before, behind = reach
    for at in reading.hints.get(name, ()):
        if any(start <= at < end for start, end in beside):
            continue
        match = pattern.search(reading.plain, max(0, at - before), at + behind)
        if match is not None and reading.layout.ticked(reading.plain, *match.span()) is False:
            continue
        if match is not None and not any(start <= match.start() < end for start, end in beside):
            yield match


def findings_between(reading: Reading, left: int, right: int) -> list[Finding]:
    """The conditions that are named from one offset on up to another."""
    begin = bisect_left(reading.findings, left, key=_START)
    return reading.findings[begin : bisect_left(reading.findings, right, begin, key=_START)]
