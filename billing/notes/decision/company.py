"""Whether others were with the patient for all of a session: it may be the family's, and a person is asked
where no service is named."""

import re
from collections.abc import Mapping, Sequence

from billing.notes.later import later
from billing.notes.text.kin import RELATIVE
from billing.notes.text.sentences import sentence_round
from billing.notes.text.spoken import NUMBER_WORD

_KIN = rf"(?:{RELATIVE}|brothers|sisters|sons|daughters|mum|nana|cousin|roommate|friend|bf|gf)"
_OPENING, _BEFORE, _BEHIND = 400, 200, 60
_HELD = r"(?:session|visit|hour|appointment|appt|meeting|time)"
_MINUTES = rf"(?:\d{{2}}|{NUMBER_WORD}(?:[- ][a-z]{{3,5}})?)[ -]?min(?:ute)?s?"
_ALL = (
    rf"(?:throughout(?: (?:the |our |today's )?{_HELD})?"
    rf"|(?:the |our |this )?(?:whole|entire|full) (?:of (?:the |our )?)?(?:{_HELD}|{_MINUTES})"
    rf"|[ ]all (?:of it|(?:of )?(?:(?:the|our) )?(?:{_HELD}|{_MINUTES}))"
    r"|(?:start|beginning) to (?:finish|end)|(?:to|until|till) the (?:very )?end|for the duration"
    r"|(?:un)?till? we (?:closed|ended|finished|stopped|were done|wrapped up))"
    r"(?=[ ]*(?:[.,;:)(\n-]|\Z)|[ ](?:today|and|but|while|as|with|at|by|on|beside)\b)"
)
_THERE = (
    r"(?:sat|present|here|attended|observed|joined|participated|took part|was (?:with|included|part)"
    r"|(?:stayed|remained)(?= (?:in|with|for|to|till?|until|from|throughout|the|beside|seated|on|here|all)\b)"
    r"|(?:watched|listened)(?= (?:us|from|in|along|quietly)\b)|(?:seen|met|came|worked|talked) together"
    r"|in (?:the |my )?(?:room|session|office|chair)|on (?:the |my )?(?:call|couch|screen|camera|line"
    r"|floor))\b"
)
_ALL_OF_IT = later(_ALL)
_THEY_STAYED = later(
    rf"\b{_KIN}\b(?!'s)(?:[^.;\n]{{0,90}}[.;] (?:s?he|they|both)\b)?[^.;\n]{{0,60}}?\b{_THERE}"
    rf"[^.;\n]{{0,50}}?\b{_ALL}"
    rf"|\b(?:seen|met) (?:today )?with (?:(?:his|her|their|the) )?(?:[a-z]+ )?{_KIN},? {_ALL}"
    r"|\b(?:everyone|everybody|both|all)(?: (?:of them|three|four|were|stayed|present|here|remained"
    rf"|sat|attended)){{1,3}}[^.;\n]{{0,20}}?\b{_ALL}"
)
# `Maria and her mother met with me`, `Mr. Osei, his wife and I`, `saw them together`, `we three talked`
_WERE = (
    r"(?:(?:sat|met|spoke|talked|worked) (?:together )?with me\b|were (?:both )?(?:seen|here|in (?:the|my)"
    r" (?:room|office))\b|(?:both )?(?:in session|in (?:the|my) (?:room|office)|side by side)\b"
    r"|attended(?: together| today| the session)*(?=[ ]*[.,;\n]))"
)
_BEGINS = r"(?:\A|(?<=[.;:\n])|(?<=[.;:\n][ ]))"
_SIDE_BY_SIDE = later(
    rf"\b(?:(?!i\b|you\b)[a-z]+ (?:and|&|\+) (?:both )?(?:(?:his|her|their) )?{_KIN}(?: [a-z]+)??"
    rf" (?:both )?{_WERE}"
    rf"|{_KIN}\b[^.;\n]{{0,40}}\band [a-z]+(?: \([^()\n]{{1,20}}\))? met with me\b"
    rf"|met with (?!me\b)[a-z]+ and (?:both )?(?:his|her|their) {_KIN}\b(?! (?:briefly|for|at|in))"
    r"|(?!end|start|beginning|close|then|today|session|minutes|after|first|last|briefly|time|permission"
    rf"|consent|[a-z]+day\b)[a-z]+, (?:his|her|their) {_KIN}(?: [a-z]+)?,? and (?:i(?=[ .,;:)\n])|me|myself"
    r")\b"
    r"|(?:saw|met with|seen) (?:them|the two|the pair|both|(?:the )?(?:brothers|sisters|siblings|twins)"
    r"(?: [a-z]+ and [a-z]+)?)(?: of them)? (?:together|jointly|as a"
    r" (?:couple|pair|family))\b"
    rf"|(?:with|w/) (?:the )?(?:client|patient|pt|ct|teen|child) (?:and|\+|&|w/) (?:his |her "
    rf"|their )?{_KIN} together"
    rf"|{_BEGINS}(?:the|all) (?:three|four|five) of us,? [^.;\n]{{0,60}}?\b(?:met|talked|sat|spoke"
    r"|spent|worked|went over|looked|practiced|played|made)\b"
    r"|we (?:met|talked|sat|spoke|worked),? [^.;\n]{0,20}\b(?:three|four|five) of us\b"
    rf"|{_KIN} (?:never left|did not leave|didn't leave) (?:(?:the|my) (?:room|office)|us)\b"
    rf"|{_BEGINS}joint (?:meeting|session|visit|hour)[:,])"
)
_SIDE_WORDS = (
    "with me", "met with ", "were ", "both in ", "in session", "in my ", "in the room", "in the office",
    "side by side", "attended", *(f" and i{behind}" for behind in " .,;:)\n"), " and me", " and myself",
    " together", " jointly",
    "as a ", " of us", "joint ", "left ", "leave ",
)  # fmt: skip
# Of another day or place, hoped for, or not so.
_ELSEWHERE = later(
    r"\b(?:waiting|lobby|outside|car|hall(?:way)?|home|next|other room|downstairs|upstairs|will|would"
    r"|wants?|wanted|wish\w*|asked (?:for|to|if|whether)|if|could|may|might|plan\w*|when|hospital|labor|birth"
    r"|surgery|funeral|wedding|bus|train|court|school|[a-z]+sday|night|weekend|trip"
    r"|ride|drive|flight|game|dinner|party|church|last (?:time"
    r"|week|month|year|visit|session)|yesterday|ago|used to|often|always|usually|sa(?:id|ys)|report(?:s|ed)?"
    r"|told|tells?|describ\w+|recall\w*|remember\w*|dream\w*|mind)\b|\""
    rf"|(?:\bnot|n't|\bnever|\bneither|\bnobody)(?: [a-z]+){{0,2}}? {_THERE}"
)


def was_in_company(plain: str, hints: Mapping[str, Sequence[int]]) -> bool:
    """Whether somebody of the family is told to have been there all the time, or beside the patient."""
    return any(_stayed(plain, at) for at in hints.get("all_of_it", ())) or _sat_beside(plain[:_OPENING])


def _stayed(plain: str, at: int) -> bool:
    """Whether a sentence that has `throughout` or the like at an offset tells that somebody was there."""
    told = _ALL_OF_IT.search(plain, max(0, at - 6), at + _BEHIND)
    if told is None:
        return False
    since = max(0, at - _BEFORE)
    stayed = _THEY_STAYED.search(plain, max(since, plain.rfind("\n", since, at)), told.end() + 1)
    return stayed is not None and not _told_of(plain, stayed)


def _sat_beside(head: str) -> bool:
    beside = _SIDE_BY_SIDE.search(head) if any(map(head.__contains__, _SIDE_WORDS)) else None
    return beside is not None and not _told_of(head, beside)


def _told_of(plain: str, match: re.Match[str]) -> bool:
    before, _ = sentence_round(plain, match.start(), match.end())
    return _ELSEWHERE.search(before + match[0]) is not None
