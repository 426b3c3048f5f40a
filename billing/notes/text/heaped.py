"""Rows of a table that ran into one line, their columns still parted by blanks: each on its own line."""

import re

_STATE = (
    r"(?:active|inactive|current|present|resolved|historical|past|closed|confirmed|provisional|suspected"
    r"|rule[- ]out|ruled out|r/o|in remission|entered in error)"
)
_NAME = (
    r"(?:diagnos[ie]s|dx|problem|condition|description|codes?|icd[- ]?10(?:-cm)?|status|state|since|onset"
    r"|date|#)"
)
_CODE, _DATE = r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?", r"(?:\d{1,2}/(?:\d{1,2}/)?)?(?:19|20)\d\d"
_STATES = re.compile(rf"(?i)(?<=[ ]{{2}}){_STATE}(?= |\Z)")
_CODES = re.compile(rf"\b{_CODE}\b")
# The names of the columns, and the state that a row ends in or has its code and its date behind.
_NAMES_END = re.compile(rf"(?i)(?<![^\s:])(?:{_NAME}[ ]{{2,}}){{1,4}}{_NAME}(?P<gap>[ ]+)(?=[a-z0-9])")
_ROW_ENDS = re.compile(rf"(?i)(?<=[ ]{{2}}){_STATE}(?:[ ]{{2,}}{_DATE})?(?P<gap>[ ]+)(?=[a-z0-9])")
_CODED_ROW_ENDS = re.compile(
    rf"(?i)(?<=[ ]{{2}}){_STATE}(?:[ ]{{2,}}{_DATE})?(?:[ ]{{2,}}{_CODE})(?:[ ]{{2,}}{_DATE})?"
    r"(?P<gap>[ ]+)(?=[a-z0-9])"
)
_FEWEST_STATES, _FEWEST_GAPS = 2, 3


def with_rows_apart(text: str) -> str:
    """The text with such rows on lines of their own; as long as it was."""
    if text.count("  ") < _FEWEST_GAPS:
        return text
    lines = text.split("\n")
    return "\n".join(_apart(line) if line.count("  ") >= _FEWEST_GAPS else line for line in lines)


def _apart(line: str) -> str:
    states = [state.start() for state in _STATES.finditer(line)]
    if len(states) < _FEWEST_STATES:
        return line
    code = _CODES.search(line)
    behind = code is not None and code.start() > states[0]
    for ends in (_NAMES_END, _CODED_ROW_ENDS if behind else _ROW_ENDS):
        line = ends.sub(
            lambda row: row[0][: row.start("gap") - row.start()] + "\n".ljust(len(row["gap"])), line
        )
    return line
