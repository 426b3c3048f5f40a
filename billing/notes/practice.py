"""Words of a service in a practice's name: `Rivera Family Therapy`, `Mossbank Therapy Group`."""

import re

from billing.notes.later import later
from billing.notes.text import UNKNOWN, TokenStream

_LAST_WORDS = frozenset(
    ("therapy", "psychotherapy", "counseling", "counselling", "group", "treatment", "therapies")
)
# A way of working, or a group of a kind that no practice is called after.
_WORKING = frozenset(
    ("structural", "strategic", "bowenian", "bowen", "gottman", "imago", "eft", "multisystemic", "functional",
     "premarital", "systemic", "skills", "process", "support", "men's", "women's", "iop")
)  # fmt: skip
_JOINING = frozenset(("&", "and", "of", "the", "for", "at"))
_HOUSES = frozenset(("center", "centre", "institute", "clinic"))
_BEGINS_BEHIND = ("\n", "**", "# ", " - ", "|", "  ", ": ", "\t", "(")
_ENDS = later(
    r"[ ]?(?:[*_#]*[ ]?:?[ ]?[\n|)\u2022\u00b7]|[*_#]*\Z|[(]?\d{3}[) -])"
    r"|,(?! (?:mon|tues?|wed|thu|fri|sat|sun))|\s{2}"
    r"|[ ](?:[-\u2013\u2014/] |(?:of|at|in|progress) |(?:p?llc|inc|ltd|associates|center|centre|clinic"
    r"|services|practice|office|institute|partners|collective)\b)",
    re.IGNORECASE,
)
_WIDEST = 60
# `Individual, Couples & Family Therapy`
_KIND = r"(?:individual|couples?|family|group|child|adult|marriage|marital)"
_OFFERS = later(
    rf"[^\n]{{0,40}}?\bindividual(?:(?:, ?| & | and |, and |, & |/){_KIND}){{1,4}}"
    r" (?:psycho)?(?:therapy|counseling)\b"
)


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
    from_first = tokens.token_at(begin)
    if not _WORKING.isdisjoint(tokens.words[from_first:last]):
        return False
    # `The Therapy Group of Denver`, `Center for Family Therapy`
    behind = tokens.letters[last + 1 : last + 3] if tokens.words[last : last + 1] == ["of"] else []
    return (
        UNKNOWN in tokens.letters[from_first:first]
        or UNKNOWN in behind
        or (tokens.words[first - 1] == "for" and tokens.words[first - 2] in _HOUSES)
    )


def offers(plain: str, start: int) -> bool:
    """Whether what stands at `start` is in a line of what a practice offers."""
    line = plain.rfind("\n", 0, start) + 1
    match = _OFFERS.match(plain, line)
    return match is not None and start < match.end()
