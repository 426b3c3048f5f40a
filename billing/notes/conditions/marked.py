"""What a mark at a mention says of it: a question mark, or a colon and a no."""

import re

from billing.notes.text.tokens import TokenStream

# `She has early dementia, he says`: told by someone, of someone.
_TOLD = re.compile(
    r",? (?:he|she|they) (?:says?|said|insists?|claims?|claimed|thinks?|believes?|jokes?|joked)\b"
    r"(?! (?:the|it) )"
)
_NONE = ("none", "no", "negative", "neg", "denied", "denies", "absent", "n/a", "false", "off")
_OPENS_QUESTION = frozenset(("", "\n", ".", ",", ";", ":", "(", "-", "/", "!"))
_MARK_WITHIN, _TELLING_MARKS = 8, frozenset("?(/:=-,")


def marked(tokens: TokenStream, first: int, last: int) -> str | None:
    """A question mark at the mention, or a colon and a no after it."""
    text = tokens.text
    start, end = tokens.starts[first], tokens.ends[last - 1]
    before = text[max(0, start - 2) : start]
    if before.endswith("?") or (
        before == "? " and text[max(0, start - _MARK_WITHIN) : start].rstrip("? ")[-1:] in _OPENS_QUESTION
    ):
        return "uncertain"
    tail = text[end : end + 14].lstrip()
    mark = tail[:1]
    if mark not in _TELLING_MARKS:
        return None
    if text.startswith((", he ", ", she ", ", they "), end) and _TOLD.match(text, end):
        return "uncertain"
    if tail.startswith(("?", "(?", "/?")):
        return "uncertain"
    if mark in ":=-":
        value = tail[1:].lstrip()
        for word in _NONE if value.startswith(_NONE) else ():
            behind = value[len(word) : len(word) + 2]
            # `Schizoaffective disorder - no voices`: said of what follows.
            of_another = mark == "-" and word == "no" and behind.strip().isalpha()
            if value.startswith(word) and not behind[:1].isalpha() and not of_another:
                return "negated"
    return None
