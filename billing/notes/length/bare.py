"""Clock ranges that are written without a colon, `11.00 to 11.45`, `905-950 am`, `on 905 off 950`, or by the
hour alone, `from three to four`. Doses, scores and prices look the same: such a range stands where a visit is
told, and no unit follows it."""

from billing.notes.later import later
from billing.notes.length.span import Span
from billing.notes.text.clock import Clock, shortest
from billing.notes.text.spoken import HOUR_WORDS

_JOIN = (
    r"[ ]?(?:-{1,2}|to|until|till|til|thru|through|/|,?[ ]?(?P<closes>off|out|stop|end|finish"
    r"|done)[ ]?(?:at |@ ?"
    r"|: ?)?)"
    r"[ ]?"
)
_BARE = later(
    rf"(?P<h1>\d{{1,2}})(?P<m1>[0-5]\d)[ ]?(?P<x1>[ap](?:[ ]?m)?(?![a-z]))?{_JOIN}"
    r"(?P<h2>\d{1,2})(?P<m2>[0-5]\d)(?![\d:/%]|\.\d)[ ]?\(?(?P<x2>[ap](?:[ ]?m)?(?![a-z]))?"
)
_OF_A_VISIT = later(
    r"(?:(?:\A|\n|[|;][ ]?)(?:[ ]*[-*])?[ ]*(?:from )?|\b(?:session|visit|individual(?:ly)?|ind"
    r"|psychotherapy"
    r"|(?<!group )(?<!occupational )(?<!physical )(?<!speech )therapy(?! dog)|talked|seen|met|saw (?:her"
    r"|him|them|pt|client|patient)|in (?:the|my) (?:room|office)|connected"
    r"|video"
    r"|zoom|telehealth|online|on screen|times?|in person|1:1|here|with me|we (?:talked|worked|met|sat|spoke"
    r"|ran|were)|client|pt|couples?|family|meeting|today|breaks?|paused?|interrupted"
    r"|stopped)\b[^.;\n\d]{0,20})\Z"
)
_OPENS = later(r"\b(?:on|in|start(?:ed)?|began|begin|from|logged (?:on|in))[ ]?(?:at |@ ?|: ?)?\Z")
_OF_AN_AMOUNT = later(
    r"\b(?:gpa|levels?|lithium|tsh|a1c|bmi|scor\w+|rates?|rated|pay|paid|wages?|price\w*|rent|fare|costs?"
    r"|weigh\w*"
    r"|doses?|ratio|means?|average\w*|raised|rose|fell|up|down|increas\w+|cut|taper\w*"
    r"|(?<!the )(?<!my )room|suite|apartment|apt"
    r"|pages?|chapter|exit|route|units?|calories|steps"
    r"|(?<!session )(?<!meeting )(?<!visit )ran|walks?|walked|sleeps?|slept|shift|class"
    r"|works?)\b"
    r"[^.;\n]{0,24}\Z"
)
_UNIT_BEHIND = later(
    r"\)?[ ]?(?:m[glm]\b|mcg|mmol|meq|ng|kg|lbs?\b|pounds|stone|miles|km|cm|%|an hour|a (?:day|week|night"
    r"|month)"
    r"|per\b|/|dollars|points?|times|inches|calories|steps|people|pages|on the \w+ floor)"
)
_FEWEST, _MOST, _AN_HOUR = 16, 120, 60
_HOURS = {word: number for number, word in enumerate(HOUR_WORDS, 1)} | {str(n): n for n in range(1, 13)}
# What stands in every range of two hours.
FROM_HOURS = tuple(f"from {hour} {join} " for hour in _HOURS for join in ("to", "until", "till", "til"))
_HOUR = "|".join(sorted(_HOURS, key=len, reverse=True))
_FROM_HOUR = later(
    rf"from (?P<first>{_HOUR}) (?:to|until|till|til) (?P<last>{_HOUR})(?: o'clock)?"
    r"(?=[ ]*(?:[.;)\n]|\Z)|,?[ ](?:today|this|in (?:the|my|our)|and|by|with|because|sharp|on the dot"
    r"|for an hour)\b)"
)
_HERE_FROM = later(
    r"(?:(?:\A|[.;\n]|\b(?:today|and))[ ]*(?:we (?:met|talked|worked|sat|spoke|were together|had)"
    r"|i (?:saw|met) [a-z]+|(?:s?he|client|patient|pt) and i (?:met|talked|worked|sat|spoke)"
    r"|(?:s?he|client|patient|pt) (?:stayed the (?:full|whole) hour|(?:was|stayed) (?:here|with me)))"
    r"|\b(?:client|patient|pt|was) seen"
    r"|(?:(?:\A|[.;:\n])[ ]*|\b(?:individual|psychotherapy|therapy|our|today's|this) )"
    r"(?:seen|session|appointment|hour|psychotherapy|individual therapy)(?: (?:was|ran|went|held|lasted))?)"
    r"(?: (?:today|individually|alone|together|again|here|in (?:the|my) office"
    r"|for (?:an|one|the full|our) hour))*,? \Z"
)


def from_hours(plain: str, at: int) -> Span | None:
    """The range of two hours that begins with a `from` of `FROM_HOURS`, where it is said who met then."""
    match = _FROM_HOUR.match(plain, at)
    if match is None or not _HERE_FROM.search(plain, max(0, at - 60), at):
        return None
    span = shortest(*(Clock(_HOURS[match[which]], 0, None, True) for which in ("first", "last")))
    if span is None or span[0] > _AN_HOUR:
        return None
    return Span(match.start(), match.end(), span[0], "range", span[1])


def is_of_clock(plain: str, start: int, end: int) -> bool:
    """Whether a pair of numbers with two decimals is two times of day."""
    return (
        _OF_A_VISIT.search(plain, max(0, start - 44), start) is not None
        and _OF_AN_AMOUNT.search(plain, max(0, start - 34), start) is None
        and _UNIT_BEHIND.match(plain, end) is None
    )


def bare_range(plain: str, at: int) -> Span | None:
    """The range of two times of day whose hours and minutes nothing divides, the first in three digits."""
    match = _BARE.match(plain, at)
    if match is None or _UNIT_BEHIND.match(plain, match.end()):
        return None
    opens = _OPENS.search(plain, max(0, at - 14), at) is not None
    if _OF_AN_AMOUNT.search(plain, max(0, at - 34), at) or not (
        opens or _OF_A_VISIT.search(plain, max(0, at - 44), at)
    ):
        return None
    if not (match["x1"] or match["x2"] or (opens and match["closes"])):
        return None
    clocks = (
        Clock(
            int(match[f"h{which}"]),
            int(match[f"m{which}"]),
            match[f"x{which}"] and match[f"x{which}"][0],
            True,
        )
        for which in "12"
    )
    span = shortest(*clocks)
    if span is None or not _FEWEST <= span[0] <= _MOST:
        return None
    return Span(match.start(), match.end(), span[0], "range", span[1])
