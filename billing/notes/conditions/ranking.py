"""Which conditions a note calls primary or secondary, in the words beside them."""

import re

_WIDEST_LINE, _BEFORE, _BEHIND = 400, 64, 40
_PRIMARY = re.compile(
    r"\b(?:primary(?! (?:insomnia|hypersomnia|polydipsia))|principal"
    r"|main (?:diagnosis|dx|focus)|focus today|focus of (?:today|visit|treatment"
    r"|the visit|this "
    r"visit|session|care)|\(p\))"
)
_SECONDARY = re.compile(r"\b(?:secondary|additional|comorbid|\(s\)|tertiary)\b")
# One of these stands in all that those match.
_RANKS = (
    "primary", "principal", "main ", "focus", "(p)", "secondary", "additional", "comorbid", "(s)", "tertiary",
)  # fmt: skip
_MARK = re.compile(r"[;.](?!\d)|, (?!which (?:is|remains) |(?:primary|principal|secondary)\b)| \(?\d{1,2}\) ")

_BRACKETED = re.compile(r"[ ]*[\[(](?:(primary|principal|main|p)|secondary|additional|tertiary|s)[\])]")
# `(P) F33.1 MDD, recurrent, moderate  (S) F41.1 GAD`: each mark is of what comes behind it.
_MARKED = re.compile(
    r"[\[(](?:(primary|principal|main|p)|secondary|additional|tertiary|s)[\])][ :]*(?:[a-z]\d\d[.\da-z]{0,5}"
    r"[ :,-]*)?\Z"
)
_MARKS_FIRST = re.compile(
    r"(?:[^:\n(\[]{0,40}:)?[ ]*[\[(](?:primary|principal|main|p|secondary|additional|tertiary|s)[\])]"
)
# `BPD (F60.3), primary, and ...`
_BETWEEN_COMMAS = re.compile(
    r"[ ]*(?:\(?[a-z]\d\d[.\da-z]{0,5}\)?)?,[ ]*(?:(primary|principal)|secondary|tertiary)(?=[,.;)\n]|\Z)"
)


def rank_of(plain: str, start: int, end: int, *, line_start: int, label: str) -> int:
    """0 where the words round [start, end) or the label of the field say primary, 2 where they say secondary,
    1 otherwise."""
    bracketed = _BRACKETED.match(plain, end) or _BETWEEN_COMMAS.match(plain, end)
    if bracketed is not None:
        marked = None
        if _MARKS_FIRST.match(plain, line_start, start):
            marked = _MARKED.search(plain, max(line_start, start - _BEFORE), start)
        return 0 if (marked or bracketed)[1] else 2
    near = plain[max(line_start, start - _BEFORE) : end + _BEHIND]
    if not any(map(near.__contains__, _RANKS)):
        return _rank_of_field(label)
    line_end = plain.find("\n", end, end + _WIDEST_LINE)
    before = plain[max(line_start, start - _BEFORE) : start]
    after = plain[end : min(line_end if line_end >= 0 else len(plain), end + _BEHIND)]
    cut = max(before.rfind(";"), before.rfind(". "), before.rfind(","))
    if before[cut + 1 :].lstrip().startswith("is "):
        # `The primary diagnosis, and the focus today, is ...`
        cut = max(before.rfind(";"), before.rfind(". "))
    before = before[cut + 1 :]
    after = _MARK.split(after, maxsplit=1)[0]
    if _SECONDARY.search(before) or _SECONDARY.search(after):
        return 2
    ranked = _rank_of_field(label)
    return 0 if ranked == 1 and (_PRIMARY.search(before) or _PRIMARY.search(after)) else ranked


def _rank_of_field(label: str) -> int:
    if label.startswith(("secondary", "tertiary")):
        return 2
    return 0 if label.startswith(("primary", "principal")) else 1
