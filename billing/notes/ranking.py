"""Which conditions a note calls primary or secondary, in the words beside them."""

import re

_WIDEST_LINE = 400
_PRIMARY = re.compile(
    r"\b(?:primary|principal|main (?:diagnosis|dx|focus)|focus today|focus of (?:today|visit|treatment"
    r"|the visit|this "
    r"visit|session|care)|\(p\))"
)
_SECONDARY = re.compile(r"\b(?:secondary|additional|comorbid|\(s\)|tertiary)\b")
_MARK = re.compile(r"[;.]|, (?!which (?:is|remains) )| \(?\d{1,2}\) ")

_BRACKETED = re.compile(r"[ ]*[\[(](?:(primary|principal|main|p)|secondary|additional|tertiary|s)[\])]")


def rank_of(plain: str, start: int, end: int, *, line_start: int, label: str) -> int:
    """0 where the words round [start, end) or the label of the field say primary, 2 where they say secondary,
    1 otherwise."""
    line_end = plain.find("\n", end, end + _WIDEST_LINE)
    bracketed = _BRACKETED.match(plain, end)
    if bracketed is not None:
        return 0 if bracketed[1] else 2
    before = plain[max(line_start, start - 64) : start]
    after = plain[end : min(line_end if line_end >= 0 else len(plain), end + 40)]
    cut = max(before.rfind(";"), before.rfind(". "), before.rfind(","))
    if before[cut + 1 :].lstrip().startswith("is "):
        # `The primary diagnosis, and the focus today, is ...`
        cut = max(before.rfind(";"), before.rfind(". "))
    before = before[cut + 1 :]
    after = _MARK.split(after, maxsplit=1)[0]
    if _SECONDARY.search(before) or _SECONDARY.search(after) or label.startswith(("secondary", "tertiary")):
        return 2
    if _PRIMARY.search(before) or _PRIMARY.search(after) or label.startswith(("primary", "principal")):
        return 0
    return 1
