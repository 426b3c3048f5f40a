"""Clock ranges in which there was no session: `paused 4:20 to 4:30`."""

from billing.notes.later import later
from billing.notes.length.span import Span

_A_BREAK_BEFORE = later(
    r"\b(?:paused?|breaks?|recess|(?:stepped|went|walked) out|interrupt\w*|out of (?:the )?(?:room|session"
    r"|office)"
    r"|froze\w*|offline|disconnected|dropped|outage|fire (?:alarm|drill)|restroom|bathroom|less|minus"
    r"|excluding"
    r"|except|not counting)(?: (?:from|between|was|at|for|the|time))*[ ,:(]*\Z"
)
_BEHIND_A_BREAK = later(
    r"\b(?:after|following|by|since|until|without|no)(?: (?:the|an?|our|that|this|her|his))? \Z"
)
_A_BREAK_BEHIND = later(
    r"[ )]*(?!without\b|with no\b|no\b)(?:was |for )?(?:an? |the )?(?:\w+ )?(?:break|pause|recess"
    r"|fire (?:alarm|drill)|interruption|outage)\b"
    r"|[ ]*(?:s?he|they|(?:the )?(?:client|patient|pt)) (?:rested|slept|napped|lay down|sat alone"
    r"|(?:was|were) (?:out|away|alone))\b"
    r"|[^.;\n]{0,80}\b(?:i was not with (?:her|him|them)"
    r"|without me(?=[ ]*(?:[.,;)\n]|\Z)| (?:there|in the room))|i was out of the room|i stepped out)\b"
)


def is_break(plain: str, span: Span) -> bool:
    """Whether a clock range is told to be a break in the session."""
    if span.kind != "range" or span.own:
        return span.kind == "break"
    before = _A_BREAK_BEFORE.search(plain, max(0, span.start - 40), span.start)
    if before is not None:
        return _BEHIND_A_BREAK.search(plain, max(0, before.start() - 16), before.start()) is None
    return _A_BREAK_BEHIND.match(plain, span.end) is not None
