"""Words of a service in a practice's name: `Rivera Family Therapy`, `Mossbank Therapy Group`."""

import re

from billing.notes.later import later
from billing.notes.text.tokens import UNKNOWN, TokenStream

_LAST_WORDS = frozenset(
    ("therapy", "psychotherapy", "counseling", "counselling", "group", "treatment", "therapies")
)
# A way of working, or a group of a kind that no practice is called after.
_WORKING = frozenset(
    ("structural", "strategic", "bowenian", "bowen", "gottman", "imago", "eft", "multisystemic", "functional",
     "premarital", "systemic", "skills", "process", "support", "men's", "women's", "iop")
)  # fmt: skip
_JOINING = frozenset(("&", "and", "of", "the", "for", "at"))
# `Mountain West Behavioral Group`
_FIELDS = frozenset(("behavioral", "psychological", "psychology", "psychiatric", "medical"))
_HOUSES = frozenset(("center", "centre", "institute", "clinic"))
_BEGINS_BEHIND = ("\n", "**", "# ", " - ", "|", "  ", ": ", "\t", "(")
_ENDS = later(
    r"[ ]?(?:[*_#]*[ ]?:?[ ]?[\n|)\u2022\u00b7]|[*_#]*\Z|[(]?\d{3}[) -])"
    r"|,(?! (?:mon|tues?|wed|thu|fri|sat|sun))|\s{2}"
    r"|[ ](?:[-\u2013\u2014/]{1,2} |(?:of|at|in|progress) |(?:p?llc|inc|ltd|associates|center|centre|clinic"
    r"|services|practice|office|institute|partners|collective)\b)",
    re.IGNORECASE,
)
_DASH = re.compile(r"[ ][-\u2013\u2014]{1,2} ")
_WIDEST = 60
# `Ana Rivera, MFT - Couples and Family Therapy`
_LETTERS = re.compile(
    r"\b(?:L?MFT|LCSW|LMSW|LICSW|LPCC?|LMHC|LCPC|LCMHC|Ph\.?D|Psy\.?D|Ed\.?D|M\.?A|M\.?S|MSW|M\.?Ed|LP"
    r"|LPC-S)\b\.?"
    r"[^\n]{0,30}[,|\u2013\u2014\u2022\u00b7-][ ]*(?:(?:Individual|Couples?|Marriage|Marital|Child|Adult|and"
    r"|&|,)[ ]*)*\Z",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\d{3}[)]?[ .-]+\d{3}[ .-]\d{4}\b|\b[A-Za-z]{2},? \d{5}\b|\b(?:street|st|ave|avenue|suite|ste)\b"
)
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
    if tokens.words[first] == "group" and _DASH.match(text, tokens.ends[first]):
        last = first + 1  # `MOUNTAIN WEST BEHAVIORAL GROUP -- Progress Note`
    start, end = tokens.starts[first], tokens.ends[last - 1]
    if in_a_letterhead(text, tokens, start, end):
        return True
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
        or (len(lead) > 1 and not _FIELDS.isdisjoint(tokens.words[last - 2 : last]))
        or (tokens.words[first - 1] == "for" and tokens.words[first - 2] in _HOUSES)
    )


def in_a_letterhead(text: str, tokens: TokenStream, start: int, end: int) -> bool:
    """Whether a first line ends in these words behind a clinician's letters, or is a name in small letters
    that stands by itself."""
    stop = text.find("\n", end)
    stop = stop if stop >= 0 else len(text)
    head = text[:start].lstrip()
    if "\n" in head or text[end:stop].strip(" *#_|.") or not head:
        return False
    if _LETTERS.search(head):
        return True
    alone = text[stop + 1 :].split("\n", 1)[0]
    return (
        text[:stop].islower()
        and tokens.words[tokens.token_at(end) - 1] in _LAST_WORDS
        and UNKNOWN in tokens.letters[: tokens.token_at(start)]
        and (not alone.strip() or _ADDRESS.search(alone) is not None)
    )


def offers(plain: str, start: int) -> bool:
    """Whether what stands at `start` is in a line of what a practice offers."""
    line = plain.rfind("\n", 0, start) + 1
    match = _OFFERS.match(plain, line)
    return match is not None and start < match.end()
