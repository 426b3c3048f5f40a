"""Fields as systems export them, put as a person writes them: `Start Time: 07:45`.

Each line keeps its length and every value its place; only the label and what parts it from its value move.
"""

import re
from collections import Counter

# `<StartTime> 07:45`, `</StartTime>`
_TAG = re.compile(r"(?m)^([ ]*)<([A-Za-z][A-Za-z_]{1,30})>|</[A-Za-z][A-Za-z_]{1,30}>")
# `START_TIME|0745`, `sessionMinutes: 45`, `Length (min)|45`
_KEY = re.compile(
    r"(?m)^([ ]*)(?:([A-Za-z]+(?:_[A-Za-z]+|(?<=[a-z])[A-Z][a-z]+){1,4})[|:=]"
    r"|([A-Za-z][A-Za-z ()/-]{1,28})\|)(?=[^|\n]*$)"
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
# `Start               7:45 AM`
_COLUMN = re.compile(r"(?m)^([A-Z][A-Za-z/() -]{1,27}[A-Za-z)])( {3,})(?=[^\s:=|.])")
_FEWEST_ROWS = 4


def as_written(text: str) -> str:
    """The text with its exported fields as labels before their values."""
    if "<" in text:
        text = _TAG.sub(_tag, text)
    if "|" in text or "_" in text:
        text = _KEY.sub(_key, text)
    if "    " in text:
        text = _columns(text)
    return text


def _tag(found: re.Match[str]) -> str:
    label = found[2]
    return " " * len(found[0]) if label is None else f"{found[1]}{_spelled(label, len(label) + 2)}"


def _key(found: re.Match[str]) -> str:
    label = found[2] or found[3]
    return f"{found[1]}{_spelled(label, len(label) + 1)}"


def _spelled(label: str, room: int) -> str:
    """A label's words, with a colon where there is room for it."""
    words = _HUMP.sub(" ", label)
    return (f"{words}:" if len(words) < room else words[:room]).ljust(room)


def _columns(text: str) -> str:
    rows = list(_COLUMN.finditer(text))
    value_at, count = Counter(row.end() - row.start() for row in rows).most_common(1)[0] if rows else (0, 0)
    if count < _FEWEST_ROWS:
        return text
    return _COLUMN.sub(
        lambda row: f"{row[1]}: ".rjust(len(row[0])) if len(row[0]) == value_at else row[0], text
    )
