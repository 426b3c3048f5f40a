"""The entries of a list: what makes one, and which lines go on with it."""

import re

# `a. `, `iv. `
LETTERED = r"(?:[a-h]|[ivx]{1,4})\.[ ]"
# The states of an entry by which it is none of those that are treated.
STATES_OFF = r"(?:historical|past|resolved|inactive|r/o|rule[d -]{0,2}out|provisional|suspected|deferred)"
ITEM = re.compile(
    rf"[ ]*(?:[-*#>+][ ]|[(#]?\d{{1,2}}(?:[.)]|(?<=#\d)[ ])|\(?[a-z]\)[ ]|{LETTERED}"
    r"|[\[(][ x\u2611]?[\])]|\u2610|\u2611|[a-z]\d\d|r/o|rule)"
)
# `- Dx: GAD` and `- Sister has OCD` stand side by side; `- F41.1` goes on.
BULLETS = frozenset(("- ", "* ", "+ ", "> "))
BOX = re.compile(
    r"(?:[\[(][ ]?(?P<on>[xy*+/\u2611]|yes)[ ]?[\])]|(?P<off>[\[(][ _]{0,3}[\])])|(?P<ticked>\u2611)"
    r"|(?P<empty>\u2610)"
    r"|(?P<line_on>(?<![a-z0-9])_{1,8}x_{1,8})"
    r"|(?P<line_off>(?<![a-z0-9_])(?:__+(?![x_o])|_+o_+)(?=[ ]?[a-z])))"
)
_BOX_MARKS = ("[", "(", "__", "_x_", "_o_", "\u2610", "\u2611")
_LONGEST_ENTRY = 9
_NUMBER = re.compile(r"(?:[ ]*\n){0,2}[ ]{0,8}(?P<n>\d{1,2})(?P<mark>[.)])[ ]")
_FARTHEST_NUMBER = 160
_TELLS = re.compile(
    r"\b(?:has|have|had|says?|said|told|reports?|denie[sd]|denies|better|worse|worked|work on|in college"
    r"|in school|treated in|years ago)\b|\bx ?\d\b"
)
# `Alcohol use disorder, mild.`: the last entry of a list may end in a full stop.
_LAST_ENTRY = re.compile(
    r"(?!(?:discuss|review|process|explor|work|continu|taught|psychoed|denie|no\b|not\b|her\b|his\b|the\b|pt\b"
    r"|client|patient|today|cbt|erp))"
    r"(?:(?!\b(?:her|his|the|their|we|i|for|with|about|on|re)\b)[a-z\d,/() -])*?"
    r"(?:disorder|dependence|withdrawal|type|presentation|mild|moderate|severe|unspecified|remission|features"
    r"|distress|onset|insight|chronic|acute|recurrent|episode|nervosa|agoraphobia|insomnia|phobia)\."
)
_ENTRY = re.compile(rf"[a-z]\d\d|\(?\d{{1,2}}[.)]|{BOX.pattern}")


def continues_list(line: str, start: int, end: int, flat: str) -> bool:
    """Whether a line goes on with the list of diagnoses above it."""
    if ITEM.match(flat, start, end):
        return True
    stripped = line.strip()
    if "|" in stripped:
        return True
    return (
        len(stripped) <= 90
        and (not stripped.endswith(".") or _LAST_ENTRY.fullmatch(stripped) is not None)
        and len(stripped.split()) <= 12
        and _TELLS.search(stripped) is None
    )


def goes_on_behind(flat: str, opened: int, start: int, end: int) -> bool:
    """Whether behind the blank line [start, end) stands the next number of a list opened at an offset."""
    following = _NUMBER.match(flat, end + 1)
    if following is None or following["n"] == "1":
        return False
    stop = flat.find("\n", following.end())
    line = flat[following.end() : stop if stop >= 0 else len(flat)]
    if ":" in line or len(line.split()) > _LONGEST_ENTRY or _TELLS.search(line) is not None:
        return False
    before = str(int(following["n"]) - 1)
    last = flat.rfind(f"{before}{following['mark']}", max(opened, start - _FARTHEST_NUMBER), start)
    return last >= 0 and not flat[last - 1 : last].isalnum()


def is_sentence(line: str) -> bool:
    """Whether a line tells of something, or is too long to be an entry."""
    return len(line.split()) > _LONGEST_ENTRY or _TELLS.search(line) is not None


def is_told(line: str) -> bool:
    """Whether an item tells of something, and is no bare condition: `- Sister has OCD`."""
    return _ENTRY.match(line, 2) is None and is_sentence(line)


def boxes_of(plain: str) -> list[tuple[int, int, bool]]:
    """Every tick box as (start, end, ticked); a ticked box is filled, an empty one unfilled, in any style."""
    found = []
    after = 0
    marks = []
    for mark in _BOX_MARKS:
        at = plain.find(mark)
        while at >= 0:
            marks.append(at)
            at = plain.find(mark, at + len(mark))
    for at in sorted(marks):
        match = BOX.match(plain, at)
        if match is None or match.start() < after:
            continue
        after = match.end()
        ticked = match["on"] is not None or match["ticked"] is not None or match["line_on"] is not None
        found.append((match.start(), match.end(), ticked))
    return found
