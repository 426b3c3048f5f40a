"""A session that was broken off, told by how long each of its pieces was: `25 minutes before the alarm and 28
after`, `two halves of 25 minutes`, `20 minutes, lost the link, then another 25`."""

from collections.abc import Mapping

from billing.notes.later import later
from billing.notes.length.interruptions import is_broken_here
from billing.notes.length.span import Span
from billing.notes.text.spoken import NUMBER_WORD, number

_N = rf"(?:\d{{1,2}}|{NUMBER_WORD})"
_UNIT = r"[ -]?min(?:ute)?s?\b"
# Each pattern with the word that it is tried for, and how far before and behind it.
_AROUND = later(
    rf"(?<![a-z\d:.-])(?P<a>{_N}){_UNIT}(?: (?!before)[\w'-]+){{0,3}} before(?:,| (?:it|that|this|the"
    rf" (?:[\w-]+ ){{0,2}}"
    rf"[\w-]+)\b,?)(?: and| then| and then| plus)? (?:about |another |only "
    rf"|a further )?(?P<b>{_N})(?:{_UNIT})?"
    r"(?: [\w'-]+){0,2}? (?:after(?:wards?)?|once|when|following)\b"
)
_HALVES = later(
    rf"(?<![a-z\d:.-])(?P<count>two|2|three|3) (?:(?P<c>{_N}){_UNIT} halves\b|(?:[\w-]+ )?(?:halves"
    rf"|blocks|stretches|sittings|parts"
    rf"|pieces|segments"
    rf"|portions|stints) of (?:about |some )?(?P<a>{_N})(?:{_UNIT})?(?: and (?P<b>{_N}))?{_UNIT})"
)
_AGAIN = later(
    rf"(?<![a-z\d:.-])(?P<a>{_N}){_UNIT}(?! (?:break|pause|gap|interruption"
    rf"|wait)\b)(?P<between>(?:(?!min)[^.\n]){{1,70}}?)\b(?:(?:another|a further) (?P<b>{_N})(?:{_UNIT})?"
    rf"|(?P<c>{_N})(?:{_UNIT})? more)(?= *(?:[.,;)\n]|\Z)| (?:after|once|when|together|at the|of (?:work"
    rf"|therapy"
    r"|psychotherapy|session))\b)"
)
# `For 40 minutes we played, then for 15 we talked`, `we played for 40 minutes, then talked for 15`
_US = r"(?:we|i|the two of us|(?:s?he|they) and i|(?:client|patient|pt) and i)"
_DID = (
    r"(?:played|talked|walked|sat|spoke|read|wrote|drew|worked|practiced|processed|breathed|met|rehearsed|did"
    r"|reviewed|painted|built)"
)
_ABOUT = r"(?:about |some |another |a good |only |the (?:next|last|final|other|remaining) )*"
_THEN = later(
    rf"(?:(?:\A|[.;\n,])[ ]*for {_ABOUT}(?P<a>{_N}){_UNIT},? {_US} {_DID}\b[^.;\n\d]{{0,60}}?(?:,"
    rf"| and) then,? for"
    rf" {_ABOUT}(?P<b>{_N})(?:{_UNIT})?,? {_US} {_DID}\b"
    rf"|\b{_US} {_DID}(?: [a-z'-]+){{0,5}} for {_ABOUT}(?P<c>{_N}){_UNIT}[^.;\n\d]{{0,40}}?(?:,? and then"
    rf"|, then|,? after that)"
    rf" (?:we )?{_DID}(?: [a-z'-]+){{0,5}} for {_ABOUT}(?P<d>{_N})(?:{_UNIT})?(?=[ ]*(?:[.,;)\n]|\Z)))"
)
_WAYS = {
    ", then": (_THEN, 110, 110),
    "and then": (_THEN, 110, 110),
    "after that ": (_THEN, 110, 60),
    "before": (_AROUND, 60, 90),
    "halves": (_HALVES, 20, 50),
    "another ": (_AGAIN, 110, 40),
    "a further ": (_AGAIN, 110, 40),
    " more": (_AGAIN, 110, 20),
}
_COUNTS = {"two": 2, "2": 2, "three": 3, "3": 3}
_FEWEST, _MOST = 16, 120


def in_pieces(plain: str, hints: Mapping[str, list[int]]) -> list[Span]:
    """The lengths that are told by their pieces, where the note says that something broke the session off."""
    found: dict[int, Span] = {}
    for at in hints.get("pieces", ()):
        way = next((way for word, way in _WAYS.items() if plain.startswith(word, at)), _WAYS["halves"])
        pattern, before, behind = way
        left, right = max(0, at - before), at + behind
        if pattern is _THEN and plain.find("for ", at, right) < 0:
            continue
        match = pattern.search(plain, left, right) if plain.find("min", left, right) >= 0 else None
        if match is None or match.start() in found or not match.start() <= at < match.end():
            continue
        minutes = _minutes(match.groupdict())
        if _FEWEST <= minutes <= _MOST and (
            pattern is _THEN or is_broken_here(plain, match.start(), match.end())
        ):
            found[match.start()] = Span(match.start(), match.end(), minutes, "pieces")
    return list(found.values())


def _minutes(told: Mapping[str, str | None]) -> int:
    if told.get("d"):
        return _number(told["c"]) + _number(told["d"])
    first = _number(told["a"] or told["c"])
    second = told["b"] or (told["a"] and told.get("c"))
    if second is not None:
        return first + _number(second)
    return first * _COUNTS[told["count"] or ""]


def _number(said: str | None) -> int:
    return int(said) if said is not None and said.isdigit() else number(said or "")
