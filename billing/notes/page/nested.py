"""The list that an entry is nested in, and what its heading says: `- Ruled out:` over `  - PTSD`."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from billing.notes.finding import Finding
from billing.notes.page.standing import Standing, standing_of, state_of

_LEAD = re.compile(
    r"(?P<indent>[ ]*)(?P<mark>[-*#>+](?=[ a-z\u2610\u2611\[(])"
    r"|[ivx]{1,4}(?=[ ]{2,}[a-z])|(?P<levels>\d{1,2}(?:\.\d{1,2}){1,3})[.)]?(?=[ ])"
    r"|(?:o|\d{1,2}[.)]|\(?(?:[a-z]|[ivx]{2,4})[.)])(?=[ ]))?[ ]*"
)
_WIDEST_LINE, _MOST_LINES = 400, 40
# What parts the cells of a row, which is no heading.
_IN_ROWS = frozenset("|,;")
_MOST_BARE, _LONGEST_BARE = 8, 90
# By itself any other word on a line may be what the form answers to the line above it.
_HEADS_ALONE = frozenset(
    ("past", "inactive", "historical", "history", "resolved", "provisional", "differential", "differentials",
     "ddx", "r/o", "rule-outs")
)  # fmt: skip
_ANSWERS = frozenset(("no", "denied", "denies", "negative", "absent", "never", "not"))
# What `2.1.3` is further in than `2.1`; the page may show it too.
_LEVEL = 2
# `Diagnosis history` over `9/04  PTSD -- current`
_NOW = re.compile(r"\b(?:current|active|present|ongoing)\b")
# `   Resolved since March.` under it, but `   Resolved: insomnia` is a list of its own.
_ENDED_BELOW = re.compile(
    r"[^\n]{0,14}\n[ ]{2,}(?:[-*>+][ ]*)?(?P<said>(?:resolved|ruled out|excluded|entered in error"
    r"|removed|inactive|historical|never confirmed|not confirmed|closed)\b"
    r"(?![^\n.;:]{0,20}:[ ]*(?!since|on\b|in\b|per\b|by\b|as of"
    r"|yes\b|see\b|duplicate|error|this|it\b|no longer"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]))"
)
_OF_DIAGNOSES = re.compile(r"\b(?:dxs?|diagnos[ei]s|diagnostic|impressions?)\b")
# `   status: ruled out` under a line that is a condition.
_STATE_BELOW = re.compile(
    r"\n[ ]+(?:[-*>+][ ]*)?(?:[a-z]{1,12}:[^\n]{0,80}\n[ ]+)?(?:status|state|certainty)[ ]*:[ ]*"
    r"|\n(?:status|state)[ ]*:?[ ]*\n"
)
# `Status: Resolved` under `Diagnosis: PTSD`, no further in; alone it may be the visit's or the chart's.
_STATE_FIELD = re.compile(
    r"[^\n:]{0,24}\n(?:(?:icd|code|onset|date|specifier|severity)[^\n:]{0,16}:[^\n]{0,60}\n){0,2}"
    r"(?P<whose>(?:dx|diagnos[ie]s|problem|condition) )?(?:status|state|certainty)(?P<number> \d)?[ ]*:[ ]*"
    r"(?P<said>[^\n]{1,60})"
)
_NOTHING_BEFORE = re.compile(r"(?:[\[(][ ]?[x\u2611]?[ ]?[\])]|[\u2610\u2611])?[ ]*")
_PARTING = re.compile(r":| --?(?: |\Z)")


# What a heading takes back ends where the page goes out again to what was open before it.
TAKING_BACK = frozenset(("old_dx", "uncertain_dx", "denied", "family_history", "past_history"))
OPENS_NESTED = frozenset(" -*#>+|0123456789")


def place_of(flat: str, start: int, end: int) -> tuple[int, str]:
    """How far a line is indented, and its bullet, the kind of its number or the bar of a table's row."""
    if flat.startswith("|", start):
        return 0, "|"
    return lead_of(flat, flat, start, end)[:2]


def nested_under(text: str, plain: str, found: Sequence[Finding], start: int) -> Standing | None:
    """What the nearest heading over the entry that holds an offset says, None where it is in no list."""
    line_start = plain.rfind("\n", max(0, start - _WIDEST_LINE), start) + 1
    indent, mark, _ = lead_of(text, plain, line_start, start)
    if not (indent or mark):
        return _said_by_line_above(text, plain, found, line_start, start)
    at, lines = line_start, 0
    while (indent or mark) and at > 0 and lines < _MOST_LINES:
        end, lines = at - 1, lines + 1
        at = plain.rfind("\n", max(0, end - _WIDEST_LINE), end) + 1
        if not plain[at:end].strip():
            continue
        above, bullet, begin = lead_of(text, plain, at, end)
        if above > indent or (above == indent and bullet == mark):
            continue
        standing = _said_over(plain[begin:end], inside=above < indent and bool(mark))
        if standing is Standing.HISTORICAL and _NOW.search(plain, start, _line_end(plain, start)):
            return None
        if standing is not None:
            return standing
        indent, mark = above, bullet
    return None


def _said_by_line_above(
    text: str, plain: str, found: Sequence[Finding], line_start: int, start: int
) -> Standing | None:
    """What the line over bare entries says that is nothing but a heading: `Diagnoses ruled out`."""
    is_row = plain.startswith("|", line_start)
    if line_start != start and not is_row:
        return None
    at, rows = line_start, 0
    while is_row and at > 0 and rows < _MOST_LINES and plain.startswith(("|", "\n"), at):
        rows += 1
        at = plain.rfind("\n", max(0, at - 1 - _WIDEST_LINE), at - 1) + 1
    if is_row:
        line = plain[at : _line_end(plain, at)].strip()
        return _said_over(line, inside=False) if len(line) < _LONGEST_BARE else None
    for _ in range(_MOST_BARE):
        if at == 0:
            return None
        end = at - 1
        at = plain.rfind("\n", max(0, end - _LONGEST_BARE), end) + 1
        line = plain[at:end].strip()
        if not line or end - at >= _LONGEST_BARE or line.endswith((".", "?", "!", ";")):
            return None
        if not _IN_ROWS.isdisjoint(line) or "  " in line or "\t" in text[at:end].strip():
            return None  # names of columns
        standing = _said_over(line, inside=False)
        if standing is not None:
            states = standing in (Standing.STATED, Standing.LISTED)
            if states or not line.isalpha() or line in _HEADS_ALONE:
                return standing
            return None if line in _ANSWERS else Standing.UNCLEAR
        entry = bisect_left(found, at, key=attrgetter("start"))
        if ":" in line or entry == len(found) or found[entry].start >= end:
            return None
    return None


def _line_end(plain: str, at: int) -> int:
    end = plain.find("\n", at, at + _WIDEST_LINE)
    return end if end >= 0 else min(len(plain), at + _WIDEST_LINE)


def lead_of(text: str, plain: str, start: int, end: int) -> tuple[int, str, int]:
    """How far a line is indented, its bullet or the kind of its number, and where its words begin."""
    lead = _LEAD.match(plain, start, end)
    if lead is None:
        return 0, "", start
    mark = lead["mark"] or ""
    if lead["levels"]:
        return len(lead["indent"]) + _LEVEL * lead["levels"].count("."), "1", lead.end()
    if mark and len(mark) > 1:
        mark = "1" if mark[0].isdigit() else "a"
    elif mark:
        mark = text[lead.start("mark")]
    return len(lead["indent"]), mark, lead.end()


def _said_over(line: str, *, inside: bool) -> Standing | None:
    """What a line says as a heading; one with words behind its label only of what stands deeper."""
    parting = _PARTING.search(line)
    if parting is not None and line[parting.end() :].strip() and not inside:
        return None
    heading = line if parting is None else line[: parting.start()]
    standing = standing_of(heading.partition("(")[0].strip() or heading)
    is_list = standing is Standing.STATED and _OF_DIAGNOSES.search(heading)
    return Standing.LISTED if is_list else standing


def state_below(text: str, plain: str, start: int, end: int) -> Standing | None:
    """What a line of its own says under that of [start, end), further in: `status: active`."""
    state = _STATE_BELOW.match(plain, end) or _ENDED_BELOW.match(plain, end)
    if state is None:
        return _state_field(plain, end)
    line_start = plain.rfind("\n", max(0, start - _WIDEST_LINE), start) + 1
    below = plain.index("\n", end) + 1
    is_label = state.re is _STATE_BELOW and state[0].endswith("\n")
    if (
        not is_label
        and place_of(plain, below, _line_end(plain, below))[0] <= lead_of(text, plain, line_start, start)[0]
    ):
        return None
    said = state["said"] if state.re is _ENDED_BELOW else plain[state.end() : _line_end(plain, state.end())]
    standing = state_of(said.strip())
    return Standing.LISTED if standing is Standing.STATED else standing


def _state_field(plain: str, end: int) -> Standing | None:
    """What the field of a state right below takes back of a condition."""
    field = _STATE_FIELD.match(plain, end)
    if field is None:
        return None
    standing = state_of(field["said"].strip())
    if standing is None or standing is Standing.STATED:
        return None
    own = field["whose"] or field["number"] or plain.count("\nstatus:") > 1
    return standing if own else Standing.UNCLEAR


def opens_entry(text: str, plain: str, start: int) -> bool:
    """Whether nothing but a bullet, a number or a box stands before an offset on its line."""
    line_start = plain.rfind("\n", max(0, start - _WIDEST_LINE), start) + 1
    return _NOTHING_BEFORE.fullmatch(plain, lead_of(text, plain, line_start, start)[2], start) is not None
