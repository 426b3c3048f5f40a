"""Which entry of a list a remark in it tells of: `GAD, panic disorder (rule out), PTSD`."""

from collections.abc import Set

from billing.notes.later import later
from billing.notes.text.tokens import TokenStream

# What parts one entry of a list from the next.
NEXT_ENTRY = later(r",|;|\n| [/|+>] | (?:\(?\d[.)]|#\d)[ ]")
_ENTRY_ENDS = later(r"[ ]*(?:[;,]|\n|[/|+>] |(?:\(?\d[.)]|#\d)[ ])")
_OPENED_WITHIN, _INSIDE = 24, 3


def tells_of_entry(
    tokens: TokenStream, covered: Set[int], first: int, behind: int, last: int | None = None
) -> bool:
    """Whether the words [first, last) are a remark on the condition before them: a bracket tells of the entry
    that it follows, and one that is open at the token `behind` may tell of that; so does what a dash parts
    from its entry and a stroke from the next, `GAD - rule out / PTSD`."""
    text, start = tokens.text, tokens.starts[first]
    opened = text.rfind("(", max(0, start - _OPENED_WITHIN), start)
    if opened >= 0 and text.find(")", opened, start) < 0:
        head = tokens.token_at(opened) - 1
        behind_it = not text[tokens.ends[head] : opened].strip(" )]")
        if behind_it and _ends_entry(tokens, covered, head) and first - head <= _INSIDE:
            return behind == first or ")" in text[start : tokens.starts[behind]]
    return (
        last is not None
        and is_dashed(tokens, first)
        and _ends_entry(tokens, covered, first - 1)
        and _ENTRY_ENDS.match(text, tokens.ends[last - 1]) is not None
    )


def is_dashed(tokens: TokenStream, at: int) -> bool:
    """Whether a dash parts a token from what stands before it."""
    return tokens.between(at - 1, at).strip(" )]") == "-"


def _ends_entry(tokens: TokenStream, covered: Set[int], at: int) -> bool:
    """Whether a token may be the last of a condition, of its code or of the bracket round that."""
    at -= tokens.words[at] == "]"
    return at in covered or tokens.words[at][-1:].isdigit()
