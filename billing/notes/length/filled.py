"""A bare number in a field that holds a length: `Duration: 60`, or `0:53`."""

from billing.notes.later import later
from billing.notes.length.span import Span

LAST_HOUR = 24
COLON = later(r"(?<![\d:.])(?P<h>[0-3]):(?P<m>[0-5]\d)(?![\d:]|[ ]?[ap]\.?m)")
_HOLDS_A_CLOCK = later(r"\b(?:start|stop|end|begins?|began|finish|in|out|from|to|arrived?|left)\b")
_FIELD_NUMBER = later(
    r"^[ ]*[:=-]?[ ]*(?:approx\.?|about|~)?[ ]*(?P<n>\d{1,3})(?![\d:/]|\.\d|[ ]?[ap]\.?m|[ ]?-[ ]?\d)"
)
_HOLDS_A_LENGTH = later(r"duration|length|total|minutes|hours|spent")
_OF_A_COMPLAINT = later(r"\b(?:intensity|onset|severity|symptoms?|attacks?|episodes?|frequency)\b")
_BESIDE = 26

# `Duration: 30 [ ] 45 [x] 60 [ ]`, and the boxes before the numbers.
_BOX = r"(?:\[[ x_]?\]|\([ x]?\)|_+x?_*|[\u2610\u2611])"
_UNIT = r"(?:[ ]?min(?:ute)?s?)?"
_OPTIONS = later(
    rf"[ :=-]*(?:(?P<number>\d{{2,3}}){_UNIT}[ ]?{_BOX}[ ]*\d{{2,3}}(?!\d)"
    rf"|{_BOX}[ ]?\d{{2,3}}{_UNIT}[ ]*{_BOX})"
)
_BOX_BEHIND = later(rf"(?P<n>\d{{2,3}}){_UNIT}[ ]?(?P<box>{_BOX})")
_BOX_BEFORE = later(rf"(?P<box>{_BOX})[ ]?(?P<n>\d{{2,3}}){_UNIT}")
_TICK = later(r"[x\u2611]")


def field_number(plain: str, start: int, end: int, label: str) -> Span | None:
    """The length that a field with this label is filled in with."""
    text = plain[start:end]
    if (options := _OPTIONS.match(text)) is not None:
        option = _BOX_BEHIND if options["number"] else _BOX_BEFORE
        ticked = [each for each in option.finditer(text.partition("\n")[0]) if _TICK.search(each["box"])]
        if len(ticked) != 1:
            return None
        return Span(start + ticked[0].start("n"), start + ticked[0].end("n"), int(ticked[0]["n"]), "minutes")
    colon = COLON.search(text)
    if colon and "-" not in text[colon.end() : colon.end() + 3]:
        minutes = int(colon["h"]) * 60 + int(colon["m"])
        if 10 <= minutes <= 240 and int(colon["h"]) <= (2 if _HOLDS_A_LENGTH.search(label) else 0):
            return Span(start + colon.start(), start + colon.end(), minutes, "minutes")
    match = _FIELD_NUMBER.match(text)
    if match and text.startswith(".", match.end()):
        # A sentence of its own tells of the session only where nothing beside it speaks of a complaint.
        near = plain[max(0, start - _BESIDE - len(label)) : start + match.end() + _BESIDE]
        if not _HOLDS_A_LENGTH.search(label) or _OF_A_COMPLAINT.search(near):
            return None
    if match and int(match["n"]) <= LAST_HOUR and _HOLDS_A_CLOCK.search(label):
        return None
    if match and 5 <= int(match["n"]) <= 300:
        return Span(start + match.start("n"), start + match.end("n"), int(match["n"]), "minutes")
    return None
