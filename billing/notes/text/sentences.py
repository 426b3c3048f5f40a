"""The sentence that a stretch of a note stands in."""

import re

WIDEST = 260
_STARTS = re.compile(r".*(?:[.!?;](?=\s)|\n)", re.DOTALL)
_ENDS = re.compile(r"[.!?;](?=\s|\Z)|\n")


def sentence_round(plain: str, start: int, end: int) -> tuple[str, str]:
    """What its sentence says before and behind it, each no longer than `WIDEST`."""
    before = plain[max(0, start - WIDEST) : start]
    opened = _STARTS.match(before)
    stop = _ENDS.search(plain, end, end + WIDEST)
    behind = plain[end : stop.start() if stop else end + WIDEST]
    return (before[opened.end() :] if opened else before), behind
