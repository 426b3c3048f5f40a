"""Times of day at which a note says that the visit began or ended: `we sat down at 9:02`, `off at ten to
three`, `Start: 14:00   Stop: 14:52`. Two of them are a range."""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

import msgspec

from billing.notes.clock import Clock, shortest
from billing.notes.spoken import clock_at

_OPENS = (
    r"(?:session )?start(?:ed|ing)?(?: time)?|beg[aiu]n(?:ning)?|begin time|(?:session )?began|time in|in"
    r"|arrived|(?:log(?:ged)?|sign(?:ed)?) (?:on|in)|from|connected|joined|opened|walked in|met|commenced"
    r"|sat (?:back )?down|picked (?:back )?up|resum(?:ed|ing)|reconvened|reconnected|restarted|on"
)
_CLOSES = (
    r"stop(?:ped|ping)?(?: time)?|(?:session )?end(?:ed|ing)?(?: time)?|time out|out"
    r"|(?:log(?:ged)?|sign(?:ed)?|broke|rang) off|(?:log(?:ged)?|sign(?:ed)?) out|concluded|finish(?:ed|ing)?"
    r"|left|closed?|disconnected|wrapped(?: up)?|hung up|done|adjourned|off"
)
_LEAD = re.compile(
    rf"\b(?:(?P<opens>{_OPENS})|(?P<closes>{_CLOSES}))"
    r"(?: (?:again|together|promptly|today|back|late|early|right|only))*"
    r"[ ]*(?:at|:|=|-|\|)?(?: (?:about|around|exactly))?[ ]*(?:a )?\Z"
)
_TIME = re.compile(
    r"(?:(?P<military>(?:[01]\d|2[0-3])[0-5]\d)|(?P<h>[01]?\d|2[0-3])(?:[:.](?P<m>[0-5]\d)(?::[0-5]\d)?)?[ ]?"
    r"(?P<x>[ap](?:\.[ ]?m\.|[ ]?m)?(?![a-z]))?)(?![\d%/]|[ ]?(?:min|of|out|hour|sessions|weeks|days|years"
    r"|x))"
)
# The last words of what opens or closes a session, before its time.
_LEAD_WORDS = frozenset(
    (
        "time", "start", "started", "starting", "began", "begin", "begun", "beginning", "in", "arrived", "on",
        "from", "at", "stop", "stopped", "stopping", "end", "ended", "ending", "out", "off", "concluded",
        "finished", "finish", "finishing", "left", "close", "closed", "connected", "joined", "opened", "down",
        "up", "resumed", "resuming", "reconvened", "reconnected", "restarted", "commenced", "disconnected",
        "wrapped", "done", "adjourned", "again", "about", "around", "exactly", "a",
    )
)  # fmt: skip
_LEAD_ENDS = frozenset(word[-1] for word in _LEAD_WORDS)
_LAST_WORD = re.compile(r"[a-z]+\Z")
_LONGEST_LEAD = 34
# A shop opens and closes, and anybody gets off at five.
_OF_ANYTHING = frozenset(
    ("opened", "closed", "close", "connected", "disconnected", "joined", "on", "off", "done")
)
_OF_THE_VISIT = re.compile(
    r"(?:\A|[\n.;:,(|-][ ]*|\b(?:session|visit|call|video|link|platform|connection|appointment|encounter"
    r"|contact|we|zoom|meeting|room|client|pt|patient|both|and|was|then) )\Z"
)
_WE = re.compile(r"\b(?:we|i|session|visit|appointment|meeting|call|both)(?: had| have| then| all)? \Z")
_FARTHEST = 400


class Point(msgspec.Struct, frozen=True, gc=False):
    """One time of day with the words that say what happened at it."""

    opens: bool
    start: int
    end: int
    clock: Clock
    spoken: bool


class Pair(msgspec.Struct, frozen=True, gc=False):
    """From one point to the other."""

    start: int
    end: int
    minutes: int
    at: tuple[int, int]


def point_before(plain: str, at: int, *, spoken: bool = False) -> Point | None:
    """The point whose time stands at an offset, in digits or in words."""
    before = plain[max(0, at - 14) : at].rstrip(" :=-|")
    if before[-1:] not in _LEAD_ENDS:
        return None
    last = _LAST_WORD.search(before)
    if last is None or last[0] not in _LEAD_WORDS:
        return None
    lead = _LEAD.search(plain, max(0, at - _LONGEST_LEAD), at)
    if lead is None:
        return None
    what = lead["opens"] or lead["closes"]
    if what in _OF_ANYTHING and not _OF_THE_VISIT.search(plain, max(0, lead.start() - 16), lead.start()):
        return None
    if spoken:
        told = clock_at(plain, at)
        return Point(lead["opens"] is not None, lead.start(), told[1], told[0], True) if told else None
    time = _TIME.match(plain, at)
    if time is None:
        return None
    if time["military"]:
        clock = Clock(int(time["military"][:2]), int(time["military"][2:]), None, True)
    else:
        meridiem = time["x"][0] if time["x"] else None
        clock = Clock(int(time["h"]), int(time["m"] or 0), meridiem, bool(time["m"] or meridiem))
    return Point(lead["opens"] is not None, lead.start(), time.end(), clock, False)


def spoken_points(plain: str, hints: Mapping[str, list[int]]) -> list[Point]:
    """The points whose times are in words: `logged on at eleven`, `finished two forty-three`."""
    places = list(hints.get("spoken", ()))
    places += [at + 3 for at in hints.get("spoken_at", ()) if at and not plain[at - 1].isalpha()]
    return [point for at in sorted(set(places)) if (point := point_before(plain, at, spoken=True))]


def paired(plain: str, points: Iterable[Point]) -> list[Pair]:
    """Every point that opens with the one that closes right behind it."""
    found = []
    for left, right in pairwise(sorted(points, key=lambda point: point.start)):
        if not left.opens or right.opens or right.start - left.end > _FARTHEST:
            continue
        before = plain[max(0, left.start - 30) : left.start]
        if not (left.clock.exact or right.clock.exact) and not (left.spoken and _WE.search(before)):
            continue
        span = shortest(left.clock, right.clock)
        if span is not None:
            found.append(Pair(left.start, right.end, *span))
    return found
