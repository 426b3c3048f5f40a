"""How long the session was, from the note: clock ranges, start and stop fields, minutes in digits and in
words."""

import re
from collections.abc import Mapping
from itertools import pairwise

import msgspec

from billing.notes.spoken import NUMBER_WORD, number, spoken_ranges

# One time of day; `m` is its meridiem.
_CLOCK = (
    r"(?P<h{0}>[01]?\d|2[0-3])(?:[:.h](?P<m{0}>[0-5]\d)(?::[0-5]\d)?)?[ ]?(?P<x{0}>[ap](?:\.[ ]?m\.|[ "
    r"]?m)?(?![a-z]))?"
)
_MILITARY = r"(?P<h{0}>[01]\d|2[0-3])(?P<m{0}>[0-5]\d)(?:[ ]?(?:hrs|hours|h))?"
_JOIN = (
    r"[ ]*(?:-{1,2}|to|until|till|til|thru|through|/|and|>|,?[ ]*(?:time out|out|stop|stopped|end time|end"
    r"|ended|ending|log off|logged off|finish|finished|concluded|stop time|session ended|and ended)[ "
    r"]?(?:at|:|=|-)?)[ ]*"
)
_RANGE = re.compile(
    rf"{_CLOCK.format(1)}{_JOIN}(?:at |about )?{_CLOCK.format(2)}(?![\d%:/]|[.,]\d|[ ]?(?:min|hour|hr|times"
    rf"|x\b|/|sessions|weeks|days|wks))"
)
_MILITARY_RANGE = re.compile(rf"{_MILITARY.format(1)}{_JOIN}{_MILITARY.format(2)}(?![\d%:/])")
_POINT = re.compile(
    r"\b(?P<what>start(?:ed)?(?: time)?|began|begin|beginning|begin time|time in|in|arrived|log(?:ged)? on"
    r"|session start(?:ed)?|session began|from|connected|joined|opened"
    r"|walked in|met at|stop(?:ped)?(?: time)?|end(?:ed)?(?: time)?|time out|out|log(?:ged)? off|session "
    r"end(?:ed)?|concluded|finished|finish|left|close|closed)"
    r"[ ]*(?:at|:|=|-|\|)?[ ]*(?P<time>(?:[01]?\d|2[0-3])(?:[:.][0-5]\d)?[ ]?(?:[ap](?:\.[ ]?m\.|[ "
    r"]?m)?(?![a-z]))?|(?:[01]\d|2[0-3])[0-5]\d)(?![\d%/]|[ ]?(?:min|of|out|hour|sessions|weeks|x))"
)
_STARTING = (
    "start",
    "began",
    "begin",
    "time in",
    "in",
    "arrived",
    "log on",
    "logged on",
    "session start",
    "session began",
    "from",
    "walked",
    "met",
    "connected",
    "joined",
    "opened",
)

_PAIR = re.compile(
    r"(?P<h>\d)[ ]?(?:h|hr|hrs|hour|hours)[ ,]*(?:and[ ])?(?P<m>\d{1,2})[ ]?(?:m|min|mins|minutes)?\b"
)
_LENGTH = re.compile(
    r"(?P<n>\d{1,3}(?:\.\d+)?|\.\d{1,2})\)?[ ]?[- ]?"
    r"(?P<unit>minutes?(?![a-z])|minu?e?ts|minuets?|mintues?|mins?(?![a-z])|m(?![a-z])|'|hours?(?![a-z])"
    r"|hrs?(?![a-z])|h(?![a-z]))"
)
_WORD_MINUTES = re.compile(rf"(?<![a-z])(?P<word>{NUMBER_WORD})[ -]?(?:minutes?|minuets?|mins?)(?![a-z])")
_WORD_HOURS = re.compile(
    r"(?<![a-z])(?:(?P<half>half an hour|half[ -]hour|a half hour)|(?P<quarters>three[ -]quarters of an hour)"
    r"|(?P<onehalf>(?:one|an) (?:and (?:a|one) half) hours?|hour and a half)|(?P<quarter>hour and a quarter"
    r"|hour and fifteen minutes)"
    r"|(?P<one>(?:an|one|full|one full|a full) (?:clinical |full )?hour(?! and))|(?P<two>two hours))(?![a-z])"
)
# The word before a unit that may be a number, or part of "half an hour".
_NUMBERS_END = (
    "teen", "ty", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_LAST_WORDS = (*_NUMBERS_END, "half", "quarter", "an", "a", "full", "clinical", "and", "of")
_WIDEST_JOIN = 26
# `Seen for 50.`, `Session length (hrs): 1.0`: the unit stands before the number, or is understood.
_UNDERSTOOD = ("seen for ", "met for ", "met with me for ", "session of ", "visit of ", "together for ")
_HOURS_BEFORE = re.compile(r"\b(?:hours|hrs?)\)?[ ]?[:=][ ]?\Z")
_NUMBER_ENDS = re.compile(r"(?:\.\d+)?(?=[ ]*(?:[.,;)\n]|\Z))")
_AFTER_CLOCK = frozenset(":.h -/apt,u>")
# The last words of what opens or closes a session.
_POINT_WORDS = frozenset(
    (
        "time", "start", "started", "began", "begin", "beginning", "in", "arrived", "on", "from", "at",
        "stop", "stopped", "end", "ended", "out", "off", "concluded", "finished", "finish", "left",
        "close", "closed", "connected", "joined", "opened",
    )
)  # fmt: skip
# A shop opens and closes, too.
_OF_ANYTHING = frozenset(("opened", "closed", "close", "connected", "joined"))
_OF_THE_VISIT = re.compile(
    r"(?:\A|[\n.;:,(|-][ ]*|\b(?:session|visit|call|video|link|platform|connection|appointment|encounter"
    r"|contact|we|zoom|meeting|room|client|pt|patient|both|and|was|then) )\Z"
)
_POINT_ENDS = frozenset(word[-1] for word in _POINT_WORDS)
_POINT_LEAD = re.compile(
    r"\b(?:start(?:ed)?(?: time)?|began|begin|beginning|begin time|time in|in|arrived|log(?:ged)? on"
    r"|session start(?:ed)?|session began|from|walked in|met at|connected|joined|opened"
    r"|stop(?:ped)?(?: time)?|end(?:ed)?(?: time)?|time out|out|log(?:ged)? off|session end(?:ed)?"
    r"|concluded|finished|finish|left|close|closed)[ ]*(?:at|:|=|-|\|)?[ ]*$"
)
_COLON = re.compile(r"(?<![\d:.])(?P<h>[0-3]):(?P<m>[0-5]\d)(?![\d:]|[ ]?[ap]\.?m)")
_FIELD_NUMBER = re.compile(
    r"^[ ]*[:=-]?[ ]*(?:approx\.?|about|~)?[ ]*(?P<n>\d{1,3})(?![\d:./]|[ ]?[ap]\.?m|[ ]?-[ ]?\d)"
)


class Span(msgspec.Struct, frozen=True, gc=False):
    """A length of time that the note mentions; `kind` is `range`, `minutes` or `hours`."""

    start: int
    end: int
    minutes: int
    kind: str
    at: tuple[int, int] | None = None


def find_spans(plain: str, numbers: list[tuple[int, int]], hints: Mapping[str, list[int]]) -> list[Span]:
    """Every length of time in the note, in order; overlapping readings are reduced to the longest.

    Works from number to number, so that a note without numbers costs nothing and a long one stays linear.
    """
    found: list[Span] = []
    points: list[re.Match[str]] = []
    past = 0
    for index, (at, end) in enumerate(numbers):
        if at < past:
            continue
        follows = index + 1 < len(numbers) and numbers[index + 1][0] - end <= _WIDEST_JOIN
        span = _span_at(plain, at, end, follows=follows)
        span = span or _understood(plain, at, end)
        if span is not None:
            found.append(span)
            past = span.end
        if (span is None or span.kind == "range") and _word_before(plain, at) in _POINT_WORDS:
            lead = _POINT_LEAD.search(plain, max(0, at - 24), at)
            if lead is not None:
                point = _POINT.match(plain, lead.start())
                if (
                    point is not None
                    and point.start("time") == at
                    and (
                        point["what"] not in _OF_ANYTHING
                        or _OF_THE_VISIT.search(plain, max(0, point.start() - 16), point.start())
                    )
                ):
                    points.append(point)
    for at in hints.get("unit", ()):
        if plain[at - 1 : at] in (" ", "-") and plain.endswith(_LAST_WORDS, max(0, at - 14), at - 1):
            found.extend(_worded_spans(plain, max(0, at - 26), min(len(plain), at + 30)))
    for at in hints.get("spoken", ()):
        found += [
            Span(start, end, minutes, "range", times)
            for start, end, minutes, times in spoken_ranges(plain, max(0, at - 40), at + 60)
        ]
    found.extend(_paired(points))
    found.sort(key=lambda span: (span.start, -(span.end - span.start)))
    kept: list[Span] = []
    for span in found:
        if kept and span.start < kept[-1].end:
            continue
        kept.append(span)
    return kept


def _word_before(plain: str, at: int) -> str:
    """The word before a number, marks between left out, if it may open or close a session."""
    before = plain[max(0, at - 14) : at].rstrip(" :=-|")
    if before[-1:] not in _POINT_ENDS:
        return ""
    return before[before.rfind(" ") + 1 :].rpartition("\n")[2].lstrip("|(*-")


def _span_at(plain: str, at: int, end: int, *, follows: bool) -> Span | None:
    """The range or length that begins with the number at an offset."""
    before = plain[at - 1] if at else " "
    if before in ":$/#" or (before == "-" and at > 1 and plain[at - 2].isdigit()):
        return None
    if before == ".":
        if at > 1 and plain[at - 2].isdigit():
            return None
        at -= 1
    match = _RANGE.match(plain, at) if follows and plain[end : end + 1] in _AFTER_CLOCK else None
    if match is not None:
        span = _range(plain, match)
        if span is not None:
            return span
    if end - at == 4 and follows:
        match = _MILITARY_RANGE.match(plain, at)
        if match is not None:
            first = int(match["h1"]) * 60 + int(match["m1"])
            last = int(match["h2"]) * 60 + int(match["m2"])
            minutes = (last - first) % (24 * 60)
            if 5 <= minutes <= 300:
                return Span(match.start(), match.end(), minutes, "range", (first, last))
    if plain[end : end + 4].lstrip(" -)")[:1] not in ("m", "h", "'", "."):
        return None
    match = _PAIR.match(plain, at) if follows else None
    if match is not None:
        return Span(match.start(), match.end(), int(match["h"]) * 60 + int(match["m"]), "hours")
    match = _LENGTH.match(plain, at)
    if match is None:
        return None
    value = float(match["n"])
    if match["unit"][0] == "h":
        return Span(match.start(), match.end(), int(round(value * 60, 4)), "hours") if value < 10 else None
    if match["unit"] == "'" and not _is_minute_mark(plain, match):
        return None
    return Span(match.start(), match.end(), int(value), "minutes")


def _understood(plain: str, at: int, end: int) -> Span | None:
    """A number of minutes or hours whose unit does not follow it."""
    if end - at == 2 and plain.endswith(_UNDERSTOOD, max(0, at - 16), at) and _NUMBER_ENDS.match(plain, end):
        minutes = int(plain[at:end])
        return Span(at, end, minutes, "minutes") if minutes > 15 else None
    if plain.startswith(".", end) and _HOURS_BEFORE.search(plain, max(0, at - 12), at):
        stop = _NUMBER_ENDS.match(plain, end)
        if stop is not None and stop.end() > end and end - at == 1:
            return Span(at, stop.end(), int(round(float(plain[at : stop.end()]) * 60, 4)), "hours")
    return None


def _worded_spans(plain: str, left: int, right: int) -> list[Span]:
    """Lengths in words: `fifty minutes`, `half an hour`, `one full hour`."""
    spans = [
        Span(match.start(), match.end(), number(match["word"]), "minutes")
        for match in _WORD_MINUTES.finditer(plain, left, right)
    ]
    spans += [
        Span(match.start(), match.end(), _hours(match), "hours")
        for match in _WORD_HOURS.finditer(plain, left, right)
    ]
    return spans


def field_number(plain: str, start: int, end: int) -> Span | None:
    """A bare number in a field that holds a length: `Duration: 60`, or `0:53`."""
    text = plain[start:end]
    colon = _COLON.search(text)
    if colon and "-" not in text[colon.end() : colon.end() + 3]:
        minutes = int(colon["h"]) * 60 + int(colon["m"])
        if 10 <= minutes <= 240 and int(colon["h"]) <= 2:
            return Span(start + colon.start(), start + colon.end(), minutes, "minutes")
    match = _FIELD_NUMBER.match(text)
    if match and 5 <= int(match["n"]) <= 300:
        return Span(start + match.start("n"), start + match.end("n"), int(match["n"]), "minutes")
    return None


def _is_minute_mark(plain: str, match: re.Match[str]) -> bool:
    """`40'` is minutes unless feet and inches follow."""
    tail = plain[match.end() : match.end() + 3]
    return match["n"] is not None and not tail[:1].isdigit() and 10 <= float(match["n"]) <= 180


def _hours(match: re.Match[str]) -> int:
    if match["half"]:
        return 30
    if match["quarters"]:
        return 45
    if match["onehalf"]:
        return 90
    if match["quarter"]:
        return 75
    return 120 if match["two"] else 60


def _range(plain: str, match: re.Match[str]) -> Span | None:
    """A clock range; a missing meridiem takes the reading with the shortest positive span of at most four
    hours."""
    marked = match["x1"] or match["x2"] or match["m1"] or match["m2"]
    if not marked:
        return None
    first, last = int(match["h1"]), int(match["h2"])
    first_minute, last_minute = int(match["m1"] or 0), int(match["m2"] or 0)
    joiner = plain[
        match.end("x1") if match["x1"] else match.end("m1") if match["m1"] else match.end("h1") : match.start(
            "h2"
        )
    ]
    if ("and" in joiner or "," in joiner) and not (match["m1"] and match["m2"]):
        return None
    if "." in plain[match.start() : match.end()] and not (match["x1"] or match["x2"]):
        return None
    readings = []
    for a in _halves(first, match["x1"]):
        for b in _halves(last, match["x2"]):
            minutes = (b * 60 + last_minute - a * 60 - first_minute) % (24 * 60)
            if 0 < minutes <= 240:
                readings.append((minutes, (a * 60 + first_minute, b * 60 + last_minute)))
    if not readings:
        return None
    minutes, at = min(readings)
    return Span(match.start(), match.end(), minutes, "range", at)


def _halves(hour: int, meridiem: str | None) -> tuple[int, ...]:
    if hour > 12 or hour == 0:
        return (hour,)
    if meridiem:
        return ((hour % 12) + (12 if meridiem[0] == "p" else 0),)
    return (hour % 12, hour % 12 + 12)


def _paired(points: list[re.Match[str]]) -> list[Span]:
    """`Start: 14:00   Stop: 14:52`, `In: 9:00 AM. Out: 9:15 AM`: two labelled times make a range."""
    found = []
    for left, right in pairwise(points):
        if not left["what"].startswith(_STARTING) or right["what"].startswith(_STARTING):
            continue
        if right.start() - left.end() > 400:
            continue
        if not _clocklike(left["time"]) or not _clocklike(right["time"]):
            continue
        if re.fullmatch(r"\d{1,2}", left["time"].strip()) and re.fullmatch(r"\d{1,2}", right["time"].strip()):
            continue
        text = f"{_colon(left['time'])}-{_colon(right['time'])}"
        match = _RANGE.match(text)
        span = _range(text, match) if match else None
        if span is not None:
            found.append(Span(left.start(), right.end(), span.minutes, "range", span.at))
    return found


def _clocklike(time: str) -> bool:
    return bool(re.match(r"\d{1,2}([:.]\d\d)?[ ]?([ap]|$)|\d{4}$", time.strip()))


def _colon(time: str) -> str:
    time = time.strip()
    if re.fullmatch(r"\d{4}", time):
        return f"{time[:2]}:{time[2:]}"
    return re.sub(r"(?<=\d)\.(?=\d)", ":", time)
