"""Words of a service in a practice's name: `Rivera Family Therapy`, `Mossbank Therapy Group`."""

import re

from billing.notes.later import later
from billing.notes.text import UNKNOWN, TokenStream

_LAST_WORDS = frozenset(
    ("therapy", "psychotherapy", "counseling", "counselling", "group", "treatment", "therapies")
)
_JOINING = frozenset(("&", "and", "of", "the", "for", "at"))
_BEGINS_BEHIND = ("\n", "|", "  ", ": ", "\t", "(")
_ENDS = later(
    r"[ ]?(?:[\n|)\u2022\u00b7]|\Z)|,(?! (?:mon|tues?|wed|thu|fri|sat|sun))|\s{2}"
    r"|[ ](?:[-\u2013\u2014/] |(?:of|at|in|progress) |(?:p?llc|inc|ltd|associates|center|centre|clinic"
    r"|services|practice|office|institute|partners|collective)\b)",
    re.IGNORECASE,
)
_WIDEST = 60


def in_a_name(text: str, tokens: TokenStream, first: int, last: int) -> bool:
    """Whether the words [first, last) end a name: capitals all through, one of them no word that is known.

    `text` is the note as written.
    """
    start, end = tokens.starts[first], tokens.ends[last - 1]
    if not text[start].isupper() or tokens.words[last - 1] not in _LAST_WORDS or not _ENDS.match(text, end):
        return False
    begin = max(0, start - _WIDEST)
    for mark in _BEGINS_BEHIND:
        at = text.rfind(mark, begin, start)
        begin = at + len(mark) if at >= 0 else begin
    lead = text[begin:start].split()
    if not all(word[:1].isupper() or word in _JOINING for word in lead):
        return False
    # `The Therapy Group of Denver`
    behind = tokens.letters[last + 1 : last + 2] if tokens.words[last : last + 1] == ["of"] else []
    return UNKNOWN in tokens.letters[tokens.token_at(begin) : first] or UNKNOWN in behind
