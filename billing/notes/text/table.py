"""The rows of a table: what parts their cells, and the names of their columns."""

import re
from bisect import bisect_right
from itertools import pairwise
from operator import itemgetter

from billing.notes.text.items import STATES_OFF

Cells = list[tuple[int, int]]

WIDEST_LINE = 400
_BETWEEN = {
    "|": re.compile(r"\|"),
    "\t": re.compile(r"\t"),
    " ": re.compile(r"[ ]{2,}"),
    ",": re.compile(r","),
    ";": re.compile(r";"),
    "=": re.compile(r" = "),
}
# What has one is no row of values.
_SENTENCE = re.compile(r"(?<![ ;,][a-z])[.!](?: [a-z]|[ ]*\Z)")
_FULL_STOP = re.compile(r"(?<![ ;,][a-z])\. ")  # and no initial
# `Panic disorder; resolved 2019`: one of two cells tells a state.
_STATE = re.compile(
    rf"[ ]*(?:[^;]*;[ ]*)?(?:{STATES_OFF}|active|current|confirmed|ongoing|chronic|stable|status|state)"
    r"(?:[ ,]*(?:\d[\d/]*|since \d+))?[ ]*(?:;[^;]*)?"
)
_QUOTED, _OF_VALUES = re.compile(r'"[^"]*"'), ",;"
_KEY, _FAR_IN = re.compile(r"[ ]*[a-z][a-z0-9._-]{1,60} = "), " " * 12
RULE = frozenset("-=+|: ")


def parted_by(text: str, plain: str, start: int, end: int) -> str | None:
    """What parts the cells of a line, None where it is no row."""
    if plain.find("|", start, end) >= 0:
        return "|"
    if text.find("\t", start, end) >= 0:
        return "\t"
    if plain[start:end].lstrip().startswith("{"):
        return ","
    if plain.startswith(_FAR_IN, start):
        return " "  # a cell under another, with none before it
    if plain.find("  ", start + 1, end) >= 0 and "  " in plain[start:end].strip():
        return " "
    if plain.find(" = ", start, end) >= 0 and _KEY.match(plain, start, end):
        return "="
    quoted = plain.find('"', start, end) >= 0
    if not quoted and _FULL_STOP.search(plain, start, end):
        return None
    for mark in _OF_VALUES:
        count = plain.count(mark, start, end)
        if (
            count == 1
            and plain.find(f"{mark} ", start, end) >= 0
            and not (mark == ";" and _STATE.fullmatch(plain, start, end))
        ):
            continue  # of a sentence
        if mark == "," and plain.find(": ", start, end) >= 0 and plain.count(", ", start, end) == count:
            continue  # of a label's list
        count = _count(plain, start, end, mark) if count and quoted else count
        if (
            count
            and not _SENTENCE.search(_unquoted(plain[start:end]))
            and count in (_count_beside(plain, start - 1, mark), _count_beside(plain, end + 1, mark))
        ):
            return mark
    return None


def _count_beside(plain: str, at: int, mark: str) -> int:
    """How often a mark stands in the line at an offset."""
    if not 0 <= at < len(plain):
        return -1
    start = max(plain.rfind("\n", max(0, at - WIDEST_LINE), at) + 1, at - WIDEST_LINE, 0)
    end = plain.find("\n", at, at + WIDEST_LINE)
    return _count(plain, start, end if end >= 0 else at + WIDEST_LINE, mark)


def _count(plain: str, start: int, end: int, mark: str) -> int:
    return _unquoted(plain[start:end]).count(mark)


def _unquoted(line: str) -> str:
    """A line, the quoted values in it filled up: as long as it was."""
    return _QUOTED.sub(lambda value: '"' * len(value[0]), line) if '"' in line else line


def cells_of(text: str, plain: str, start: int, end: int, mark: str) -> Cells:
    line = text[start:end] if mark == "\t" else plain[start:end]
    if mark in _OF_VALUES:
        line = _unquoted(line)
    begin, stop = len(line) - len(line.lstrip(" ")), len(line.rstrip(" "))
    if mark == "|":
        begin, stop = begin + line.startswith("|", begin), stop - line.endswith("|", 0, stop)
    cuts = [(begin, begin), *((cut.start(), cut.end()) for cut in _BETWEEN[mark].finditer(line, begin, stop))]
    cuts.append((stop, stop))
    return [(start + left[1], start + right[0]) for left, right in pairwise(cuts)]


def cell_at(cells: Cells, offset: int) -> int:
    return max(0, bisect_right(cells, offset, key=itemgetter(0)) - 1)


def name_of(names: list[tuple[int, str]], cells: Cells, at: int, left: int, mark: str) -> str:
    """The name of the column that a cell stands in: by its place in the line where blanks part the cells,
    else by its number."""
    if mark == " ":
        # A column that its rows overrun is found by its number, where each row has a cell in all of them.
        indented = left - cells[at][0] + cells[0][0] > 0 or cells[0][0] == cells[0][1]
        if indented or len(cells) != len(names):
            return next((name for begin, name in reversed(names) if begin <= left + 2), "")
    if len(cells) == len(names) + 1 and all(named[1] for named in names):
        return names[at - 1][1] if at else ""
    if len(cells) > len(names):
        # Rows filled up with marks of their own.
        at -= sum(begin == end for begin, end in cells[:at])
        names = [named for named in names if named[1]]
    return names[at][1] if at < len(names) else ""
