"""How long the session was, from the note: clock ranges, start and stop fields, minutes in digits and in
words."""

import re
from collections.abc import Mapping
from itertools import islice

from billing.notes.later import later
from billing.notes.length.bare import bare_range, from_hours, is_of_clock
from billing.notes.length.breaks import is_break
from billing.notes.length.filled import COLON, LAST_HOUR
from billing.notes.length.labelled import is_numbered, is_of_total, stopped_at
from billing.notes.length.pieces import in_pieces
from billing.notes.length.planned import came_to
from billing.notes.length.points import STANDS_BEFORE, Point, paired, point_before, spoken_points
from billing.notes.length.span import Span
from billing.notes.length.worded import LAST_WORDS, told_twice, understood_words, worded_spans
from billing.notes.text.clock import Clock, shortest
from billing.notes.text.spoken import clock_at, clock_start, spoken_ranges

# One time of day; `m` is its meridiem.
_CLOCK = (
    r"(?P<h{0}>[01]?\d|2[0-3])(?:[:.h](?P<m{0}>[0-5]\d)(?::[0-5]\d)?)?[ ]?(?P<x{0}>[ap](?:\.[ ]?m\.|[ "
    r"]?m)?(?![a-z]))?"
)
_MILITARY = r"(?P<h{0}>[01]\d|2[0-3])(?P<m{0}>[0-5]\d)(?:[ ]?(?:hrs|hours|h))?"
_JOIN = (
    r"(?:[ ]?hrs|[ ][pmce][sd]?t\b|[ ](?:this|in the) (?:morning|afternoon|evening)"
    r"|[ ]start(?:ed)?[ ]?[,;]?(?=[ ,;/-]))?"
    r"[ ]*(?:-{1,2}|(?<=start[,;])|to"
    r"|until|till|til|thru|through|/|and|>|,?[ ]*(?:time out|out|stop|stopped"
    r"|end time|end"
    r"|ended|ending|log off|logged off|finish|finished|concluded|stop time|session ended|and ended)[ "
    r"]?(?:at|:|=|-)?|in[,;/|]|/?[ ]*e:?(?=[ ]))[ ]*"
)
_RANGE = later(
    rf"{_CLOCK.format(1)}{_JOIN}(?:at |about )?{_CLOCK.format(2)}(?![\d%/]|:\d|[.,]\d|[ ]?(?:min|hour|hr"
    rf"|times|x\b|/|sessions|weeks|days|wks))"
)
# `11:10 to noon`, `noon - 12:50`.
_NOON = r"(?:noon|midday)\b"
_TO_NOON = later(
    rf"(?:(?<=between )(?=[^.;\n]{{1,12}} and )(?P<and>)|){_CLOCK.format(1)}"
    rf"[ ]*(?:-{{1,2}}|to|until|till|thru|through|(?(and)and))[ ]*{_NOON}"
)
_FROM_NOON = later(rf"{_NOON}[ ]*(?:-{{1,2}}|to|until|till|thru|through)[ ]*{_CLOCK.format(2)}")
_MILITARY_RANGE = later(rf"{_MILITARY.format(1)}{_JOIN}{_MILITARY.format(2)}(?![\d%:/])")
_PAIR = later(
    r"(?P<h>\d)[ ]?(?:h|hr|hrs|hour|hours)[ ,]*(?:and[ ])?(?P<m>\d{1,2})[ ]?(?:m|min|mins|minutes)?\b"
)
# `1/2 hr`, `1 3/4 hours`
_PARTS_OF_HOUR = later(r"(?P<n>[13])/(?P<of>[24])[ -]?(?:of an )?(?:hour|hr)s?\b")
_LENGTH = later(
    r"(?P<n>\d{1,3}(?:\.\d+)?|\.\d{1,2})\)?[ ]?[- ]?(?:(?:full|solid|good|whole|straight) (?=min))?"
    r"(?P<unit>minutes?(?![a-z])|minu?e?ts|minuets?|mintues?|mins?(?![a-z])|m(?![a-z])|'|hours?(?![a-z])"
    r"|hrs?(?![a-z])|h(?![a-z]))"
)
_WHOLE_MINUTES = (" full min", " solid min", " good min", " whole min", " straight min")
_WIDEST_JOIN = 26
# `Seen for 50.`, `Session length (hrs): 1.0`: the unit stands before the number, or is understood.
_UNDERSTOOD = (
    "seen for ", "met for ", "met with me for ", "session of ", "visit of ", "together for ", "we used ",
    "we had ", "used the full ", "had the full ", "took the full ", "today was ", "session was ",
    "visit was ", "we went ", "we ran ", "was a full ", "had a full ",
)  # fmt: skip
_HOURS_BEFORE = later(r"(?<![a-z])(?:hours|hrs?)\)?(?: \([a-z ,-]{1,20}\))?[ ]?[:=][ ]?\Z")
_MARKS = (":", "=", ": ", "= ")
# The first character of all that may follow a length without a unit.
_BEHIND_A_NUMBER = " .,;)\n|+"
_NUMBER_ENDS = later(
    r"(?:\.\d+)?(?=[ ]*(?:\.(?!\d)|[,;)\n|+]|[ ]\([a-z][a-z']|[ ](?:(?:today|because|due to"
    r"|per (?:client|patient|pt)|as (?:she|he|they|client|patient|pt))\b|/[ ])|[ ]{2}|\Z))"
)
# `Psychotherapy 56`, `actual: 45`: what the number is of, right before it.
_OF_LAST_WORDS = (
    "therapy", "face", "f2f", "actual", "actually", "time", "minutes", "mins", "min", "counseling",
    "(min)", "(mins)", "(minutes)",
)  # fmt: skip
_OF_BEFORE = later(
    r"(?<!physical )(?<!occupational )(?<!speech )(?<!non-)(?<!non )(?<!group )"
    r"\b(?:psychotherapy|therapy|face[- ]to[- ]face|f2f|actual(?:ly)?"
    r"|(?<!at )(?<!by )(?<!until )(?<!around )(?:minutes|mins?)(?: of \w+)?)(?:"
    r" time)?(?: \((?:min|mins|minutes)\))?"
    r"[ ]*[:=.-]*[ ]*\Z"
)
# `38 psychotherapy`, `45 of the scheduled 60 minutes`, `58 instead of 50`: or right behind it.
_OF_BEHIND = later(
    r"[ ](?:of (?:them|these|those|it|that|this|which),? (?:(?:was|were|for|in|on|spent) )*"
    r"(?:(?:psycho)?therapy|session|face[- ]to[- ]face|f2f)\b|(?:(?:of|were|was|in|for|on) )?"
    r"(?:(?:actual|direct|individual|one-on-one|one-to-one) )*"
    r"(?:psychotherapy|therapy|face[- ]to[- ]face|f2f|(?:were|was) used|actual)\b"
    r"(?! (?:sessions?|visits?|groups?|clients?|notes?|appointments?|weeks?|hours?|cpt|code))"
    r"|of (?:the|our|a|her|his|their)(?: [a-z]+){0,2} \d{2,3}[ -]?min(?:ute)?s? (?:were|was) (?:used|held"
    r"|needed|kept"
    r"|spent)\b|(?P<of>of (?:the|our|a|her|his|their)(?: [a-z]+){0,2} \d{2,3}[ -]?min)"
    r"|(?:instead of|rather than) (?:the |our )?(?:[a-z]+ ){0,2}\d{2,3}[ -]?min)"
)
_WAS_USED = later(
    r"\b(?:seen|met|saw|used|attended|present|stayed|here|had|kept|completed|lasted|ran"
    r"|held)(?: [a-z]+){0,2} \Z"
)
# `Ended at 40.`
_ONLY = ("only ", "but ", "just ")
_FEWEST_UNDERSTOOD, _MOST_UNDERSTOOD = 16, 180
# More times of day stand in no therapy note.
_MOST_TIMES = 1_000
# `Duration 00:47:12`, `call length 52:10`: what a platform counts.
_COUNTED = later(r"(?:(?P<h>0?[0-3]):)?(?P<m>[0-5]\d):[0-5]\d(?![\d:]|[ ]?[ap]\.?m)")
# `0:50`
_NO_HOURS = later(r"0:(?P<m>[0-5]\d)(?::00)?(?![\d:]|[ ]?[ap]\.?m|[ ]*(?:-|to|until|/)[ ]*\d)")
_COUNTS = later(r"\b(?:duration|length|elapsed|connected(?: for|(?=[ ]?[:=]))|lasted|call time)\b[ :=]*\Z")
_AFTER_CLOCK = frozenset("h-/apt,u>e")
# With what goes on what joins two times of day behind a blank, or the half of the day or the zone before it.
_AFTER_BLANK = (
    *(f"{half}{mark}" for half in "ap" for mark in "m. -/,>"),
    "an", "pt", "ps", "pd", "mt", "ms", "md", "ct", "cs", "cd", "et", "es", "ed", "hr",
    "to", "ti", "th", "un", "in", "ou", "st", "se", "en", "lo", "fi", "co", "e:", "e ", "-", "/", ">", ",",
    " ",
)  # fmt: skip
# `2:05 until a quarter to three`, `half past one to 2:15`
_DIGITS_TO = later(
    rf"\b{_CLOCK.format(1)}[ ]*(?:-|to|until|till|til|through)[ ]*(?:about |around )?(?:a )?\Z"
)
_TO_DIGITS = later(
    rf"[ ]*(?:-|to|until|till|til|through)[ ]*(?:about |around )?{_CLOCK.format(2)}(?![\d%:/])"
)
_MIDDAY = Clock(12, 0, "p", True)


def find_spans(
    plain: str, numbers: list[tuple[int, int]], hints: Mapping[str, list[int]]
) -> tuple[list[Span], list[Point]]:
    """Every length of time in the note, in order, overlapping readings reduced to the longest; and the times
    at which it began or ended that make no range.

    Works from number to number, so that a note without numbers costs nothing and a long one stays linear.
    """
    found: list[Span] = []
    points: list[Point] = []
    past = 0
    for index, (at, end) in enumerate(numbers):
        if at < past or (at and plain[at - 1].isalpha() and plain[at - 1] != "x"):
            continue
        follows = index + 1 < len(numbers) and numbers[index + 1][0] - end <= _WIDEST_JOIN
        span = _span_at(plain, at, end, follows=follows)
        span = span or _understood(plain, at, end)
        if span is not None and span.kind == "minutes" and plain.startswith("(", at - 1):
            span = told_twice(plain, span)
        if span is not None:
            found.append(span)
            past = span.end
        if (
            plain[at - 1 : at] in STANDS_BEFORE
            and (end - at == 1 or (end - at in (2, 4) and plain[at] in "012"))
            and (span is None or (span.kind == "range" and not is_break(plain, span)))
            and len(points) < _MOST_TIMES
        ):
            point = point_before(plain, at)
            if point is not None:
                points.append(point)
    for unit in hints.get("unit", ()):
        at = unit + (plain[unit] == " ")
        if plain[at - 1 : at] in (" ", "-") and plain.endswith(LAST_WORDS, max(0, at - 14), at - 1):
            found.extend(worded_spans(plain, max(0, at - 26), min(len(plain), at + 30)))
    for at in hints.get("understood", ()):
        said = understood_words(plain, at)
        if said is not None:
            found.append(said)
    for at in islice(hints.get("spoken", ()), _MOST_TIMES):
        found += [
            Span(start, end, minutes, "range", times)
            for start, end, minutes, times in spoken_ranges(plain, max(0, at - 40), at + 60)
        ]
        mixed = _half_in_words(plain, clock_start(plain, at))
        if mixed is not None:
            found.append(mixed)
    found += filter(None, (from_hours(plain, at) for at in hints.get("from_hours", ())))
    found += _by_noon(plain, hints)
    found += in_pieces(plain, hints)
    points += spoken_points(plain, hints)
    pairs, alone = paired(plain, points)
    lengths = {span.minutes for span in found if span.at}
    told = [
        Span(pair.start, pair.end, pair.minutes, pair.kind, pair.at, own=pair.own)
        for pair in pairs
        if not (pair.of_any_hour and pair.minutes in lengths)
    ]
    found += told
    apart = set(told)
    found.sort(key=lambda span: (span.start, -(span.end - span.start)))
    kept: list[Span] = []
    past = 0
    for span in found:
        if span.start < past:
            continue
        kept.append(span)
        # Between the two times other lengths may stand.
        past = span.start + 1 if span in apart else span.end
    return kept, alone


def _half_in_words(plain: str, at: int) -> Span | None:
    """A clock range of which one time is in digits."""
    told = clock_at(plain, at)
    if told is None:
        return None
    clock, end = told
    before = _DIGITS_TO.search(plain, max(0, at - _WIDEST_JOIN), at)
    if before is not None:
        times, start = shortest(_clock(before, "1"), clock), before.start()
    else:
        behind = _TO_DIGITS.match(plain, end)
        if behind is None or not (behind["m2"] or behind["x2"] or clock.exact):
            return None
        times, start, end = shortest(clock, _clock(behind, "2")), at, behind.end()
    return Span(start, end, times[0], "range", times[1]) if times and times[0] >= _FEWEST_UNDERSTOOD else None


def _span_at(plain: str, at: int, end: int, *, follows: bool) -> Span | None:
    """The range or length that begins with the number at an offset."""
    before = plain[at - 1] if at else " "
    if before in ":$/#" or (before == "-" and at > 1 and plain[at - 2].isdigit()):
        return None
    if before == ".":
        if at > 1 and plain[at - 2].isdigit():
            return None
        at -= 1
    digits = end - at
    if digits == 1 and (parts := _PARTS_OF_HOUR.match(plain, at)) is not None:
        whole = int(plain[at - 2]) if before == " " and plain[at - 2 : at - 1].isdecimal() else 0
        return Span(at, parts.end(), 60 * whole + 60 * int(parts["n"]) // int(parts["of"]), "hours")
    if follows and digits <= 2 and _may_join(plain, end):
        match = _RANGE.match(plain, at)
        span = _range(plain, match) if match is not None else None
        if span is not None:
            return span
    if digits == 4 and follows:
        match = _MILITARY_RANGE.match(plain, at)
        if match is not None:
            first = int(match["h1"]) * 60 + int(match["m1"])
            last = int(match["h2"]) * 60 + int(match["m2"])
            minutes = (last - first) % (24 * 60)
            if 5 <= minutes <= 300:
                return Span(match.start(), match.end(), minutes, "range", (first, last))
    if digits == 3 and follows:
        bare = bare_range(plain, at)
        if bare is not None:
            return bare
    unit = plain[end : end + 4].lstrip(" -)")[:1]
    if digits > 3 or not (
        unit in ("m", "h", "'")
        or (unit == "." and plain[end + 1 : end + 2].isdecimal())
        or plain.startswith(_WHOLE_MINUTES, end)
    ):
        return None
    match = _PAIR.match(plain, at) if follows and digits == 1 else None
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
    kind = "actual" if came_to(plain, at) else "minutes"
    return Span(match.start(), match.end(), int(value), kind)


def _may_join(plain: str, end: int) -> bool:
    """Whether what stands behind an hour may be its minutes or lead to another time of day."""
    behind = plain[end : end + 1]
    if behind == " ":
        return plain.startswith(_AFTER_BLANK, end + 1)
    if behind in (":", "."):
        return plain[end + 1 : end + 2].isdecimal()
    return behind in _AFTER_CLOCK


def _understood(plain: str, at: int, end: int) -> Span | None:
    """A number of minutes or hours whose unit does not follow it."""
    follows = plain[end : end + 1]
    if follows == ":":
        return _counted(plain, at)
    if (
        follows == "."
        and end - at == 1
        and plain.endswith(_MARKS, 0, at)
        and _HOURS_BEFORE.search(plain, max(0, at - 34), at)
    ):
        stop = _NUMBER_ENDS.match(plain, end)
        if stop is not None and stop.end() > end:
            return Span(at, stop.end(), int(round(float(plain[at : stop.end()]) * 60, 4)), "hours")
    if not 2 <= end - at <= 3 or follows not in _BEHIND_A_NUMBER:
        return None
    minutes = int(plain[at:end])
    if not _FEWEST_UNDERSTOOD <= minutes <= _MOST_UNDERSTOOD:
        return None
    before = plain[max(0, at - 30) : at]
    behind = _OF_BEHIND.match(plain, end) if follows == " " else None
    kind = None
    if behind is not None:
        if behind["of"] is None or _WAS_USED.search(before):
            kind = "actual"
    elif plain.startswith(" used", end) and before.endswith((*_ONLY, "booked, ", "scheduled, ", "planned, ")):
        kind = "actual"
    elif (kind := _kind_before(plain, before, at, minutes)) and not _NUMBER_ENDS.match(plain, end):
        kind = None
    return Span(at, end, minutes, kind) if kind else None


def _kind_before(plain: str, before: str, at: int, minutes: int) -> str | None:
    """What length a number is by the words before it."""
    if before.endswith(_UNDERSTOOD):
        return "minutes"
    if (
        (
            before.rstrip(" :=.-").endswith(_OF_LAST_WORDS)
            and _OF_BEFORE.search(before)
            and not is_numbered(before)
        )
        or came_to(plain, at)
        or is_of_total(plain, at)
        or (minutes > LAST_HOUR and stopped_at(plain, before, at))
    ):
        return "actual"
    return None


def _counted(plain: str, at: int) -> Span | None:
    """Hours, minutes and seconds as a platform counts them."""
    if plain[at] == "0" and (minutes := _NO_HOURS.match(plain, at)) is not None:
        return Span(at, minutes.end(), int(minutes["m"]), "minutes")
    if not _COUNTS.search(plain, max(0, at - 20), at):
        return None
    match = _COUNTED.match(plain, at) or COLON.match(plain, at)
    if match is None or (match["h"] is None and int(match["m"]) <= LAST_HOUR):
        return None
    return Span(at, match.end(), 60 * int(match["h"] or 0) + int(match["m"]), "minutes")


def _is_minute_mark(plain: str, match: re.Match[str]) -> bool:
    """`40'` is minutes unless feet and inches follow."""
    tail = plain[match.end() : match.end() + 3]
    return match["n"] is not None and not tail[:1].isdigit() and 10 <= float(match["n"]) <= 180


def _range(plain: str, match: re.Match[str]) -> Span | None:
    """A clock range; a missing meridiem takes the reading with the shortest positive span of at most four
    hours."""
    marked = match["x1"] or match["x2"] or match["m1"] or match["m2"]
    if not marked:
        return None
    joiner = plain[
        match.end("x1") if match["x1"] else match.end("m1") if match["m1"] else match.end("h1") : match.start(
            "h2"
        )
    ]
    if ("and" in joiner or "," in joiner) and not (match["m1"] and match["m2"]):
        return None
    if "." in plain[match.start() : match.end()] and not (match["x1"] or match["x2"]):
        dotted = (
            plain[match.end("h1")] == "." and plain[match.end("h2")] == "." and match["m1"] and match["m2"]
        )
        if not dotted or not is_of_clock(plain, match.start(), match.end()):
            return None
    found = shortest(_clock(match, "1"), _clock(match, "2"))
    return Span(match.start(), match.end(), found[0], "range", found[1]) if found else None


def _by_noon(plain: str, hints: Mapping[str, list[int]]) -> list[Span]:
    """Clock ranges in digits that noon opens or closes."""
    found = []
    for at in hints.get("noon", ()):
        to = next(_TO_NOON.finditer(plain, max(0, at - _WIDEST_JOIN), at + 6), None)
        since = _FROM_NOON.match(plain, at)
        span = None
        if to is not None:
            span = shortest(_clock(to, "1"), _MIDDAY)
        elif since is not None:
            span = shortest(_MIDDAY, _clock(since, "2"))
        match = to or since
        if span is not None and match is not None:
            found.append(Span(match.start(), match.end(), span[0], "range", span[1]))
    return found


def _clock(match: re.Match[str], which: str) -> Clock:
    """One of the two times of day of a range."""
    meridiem = match[f"x{which}"]
    return Clock(
        int(match[f"h{which}"]),
        int(match[f"m{which}"] or 0),
        meridiem[0] if meridiem else None,
        bool(match[f"m{which}"] or meridiem),
    )
