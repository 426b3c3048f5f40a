"""Lengths of time in words: `fifty minutes`, `half an hour`, `seven minutes short of an hour`."""

import re

from billing.notes.later import later
from billing.notes.length.span import Span
from billing.notes.text.spoken import NUMBER_WORD, number

_WORD_MINUTES = later(
    rf"(?<![a-z])(?P<hundred>(?:one|a) hundred (?:and )?)?(?P<word>{NUMBER_WORD})[ -]?(?:(?:good|solid"
    rf"|full|whole|straight) )?"
    r"(?:minutes?|minuets?|mins?)(?![a-z])"
)
# `Just under an hour, fifty-four minutes by my watch` tells one length twice.
_NOT_NEARLY = "".join(
    f"(?<!{near} an hour)" for near in ("over", "under", "past", "shy of", "short of", "about", "nearly")
)
_WORD_HOURS = later(
    rf"(?<![a-z])(?:(?P<more>(?:an|one) hour(?:,? and|{_NOT_NEARLY},)? "
    rf"(?P<over>(?!(?:six|seven|eigh|nine)ty){NUMBER_WORD})(?: min(?:ute)?s?"
    r"(?! (?:of (?:which|these|those|them)|late|early)\b)|(?=[ ]*(?:[.,;)\n]|\Z))))"
    r"|(?P<half>half an (?:hour|hr)|(?<!on the )(?<!at the )(?<!past the )half[ -]hour|(?<!the )half hr"
    r"|a half hour)"
    r"|(?P<quarters>three[ -]quarters of (?:(?:an|the) hour|an hr))"
    r"|(?:(?P<parts>one|an?|two|three|four|five)[ -])?(?P<of>thirds?|quarters?|fifths?|sixths?) of (?:an"
    r"|the) hour"
    r"|(?<!\d)0?(?P<tenths>\.\d{1,2}) of (?:an|one|the) hour"
    r"|(?P<onehalf>(?:one|an) (?:and (?:a|one) half) hours?|hour and a half)|(?P<quarter>hour and a quarter"
    r"|one and (?:a|one) quarter hours?|hour and fifteen minutes)"
    r"|(?P<one>(?<!part of )(?<!half of )(?<!most of )(?:an|one|full|one full|a full|a(?= solid)|whole"
    r"|entire)"
    rf" (?:clinical |full |solid |whole |entire )?hour(?! and (?:a|an|change|some|\d+|{NUMBER_WORD})\b))"
    rf"|(?P<two>two"
    r" hours))(?![a-z])"
)
_COUNT = {"two": 2, "three": 3, "four": 4, "five": 5}
_MINUTES_OF = {"third": 20, "quarter": 15, "fifth": 12, "sixth": 10}
# `Seven minutes short of an hour`
_SHORT_OF = later(
    rf"(?<![a-z\d])(?P<less>{NUMBER_WORD}|\d{{1,2}})(?: min(?:ute)?s?)?,? (?:short|shy) of (?:an|the|one|a)"
    r" (?:full |whole |clock )?hour"
)
# The word before a unit that may be a number, or part of "half an hour".
_NUMBERS_END = (
    "teen", "ty", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
LAST_WORDS = (
    *_NUMBERS_END,
    "half",
    "quarter",
    "an",
    "a",
    "full",
    "whole",
    "entire",
    "clinical",
    "solid",
    "good",
    "straight",
    "and",
    "of",
    "of the",
)

# One of these stands in every length that is told in hours.
_HOLDS_HOURS = (
    "an hour", "one hour", "half hour", "half-hour", "the hour", "full hour", "whole hour", "entire hour",
    "clinical hour", "solid hour", "two hours", "hour and", "quarter hour", "half hr", "half an hr",
    "of an hr",
)  # fmt: skip


def worded_spans(plain: str, left: int, right: int) -> list[Span]:
    """Lengths in words: `fifty minutes`, `half an hour`, `one full hour`."""
    near = plain[left:right]
    spans = []
    if "min" in near:
        spans += [
            Span(match.start(), match.end(), 100 * bool(match["hundred"]) + number(match["word"]), "minutes")
            for match in _WORD_MINUTES.finditer(plain, left, right)
        ]
    if "hour" in near or " hr" in near:
        if "short" in near or "shy" in near:
            spans += [
                Span(match.start(), match.end(), 60 - _count(match["less"]), "minutes")
                for match in _SHORT_OF.finditer(plain, left, right)
            ]
        if any(map(near.__contains__, _HOLDS_HOURS)):
            spans += [
                Span(match.start(), match.end(), _hours(match), "hours")
                for match in _WORD_HOURS.finditer(plain, left, right)
            ]
    return spans


# `Met for fifty`, `our usual forty-five`: the unit is understood.
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LEADS = (
    "for ",
    "full ",
    "usual ",
    "our ",
    "all ",
    "went ",
    "ran ",
    "used ",
    "needed ",
    "so ",
    "had ",
    "kept ",
    "just ",
    "only ",
)
UNDERSTOOD = (*(f"{lead}{tens}" for lead in _LEADS for tens in _TENS), "by my ", "on the clock")
_SIZE = r"(?:a|the|our|about|all|only|just|roughly|full|usual|whole|another|customary)"
_BARE = later(
    rf"(?:\b(?:met|seen|sat|talked|worked|together|spoke|with me|saw (?:her|him|them)) for(?: {_SIZE})*"
    rf"|\b(?:we|session|visit|today) (?:had|used|ran|went|took|kept|did)(?: to)?(?: {_SIZE})*"
    r"|\b(?:but|and|so|we)(?: we)?(?: only| just)? (?:used|needed|took)(?: only| just| about| all)*"
    r"|\b(?:had|used|ran|stayed|took|kept) (?:for )?(?:the|our|a|her|his) (?:full|usual|whole|customary)"
    r"|\blate,? so"
    r"|(?:\A|[.\n;] ?)[ ]*(?:had )?(?:just|only|(?:(?:the|our|a) )?(?:full|usual|whole|customary)))"
    rf" (?P<word>{NUMBER_WORD})(?=[ ]*(?:[.;)\n]|\Z)|[ ]in all\b|,[ ](?:just|because|since|the two|individual"
    rf"|in person|face"
    rf"|by video|all|one|no"
    r"|as|alone|her|him|with)\b|[ ](?:today|this time|individually|together|face to face|because"
    r"|in person|by video"
    r"|and (?:used|needed)|of (?:them|those|these|it))\b|[ ]with (?:me|her|him|them)[ ]*(?:[.,;)\n]|\Z))"
)
_BY_CLOCK = later(
    rf"(?<![a-z\d])(?P<word>{NUMBER_WORD}|\d{{2,3}}) (?:by my (?:clock|watch|count)|on the clock)\b"
)
# `Booked for sixty minutes but used forty`
_USED = later(r"(?:but|and|so|we)(?: we)?(?: only| just)? (?:used|needed|took)\b")
_FEWEST, _MOST = 16, 120


def understood_words(plain: str, at: int) -> Span | None:
    """A length that names no unit, round one of the words of `UNDERSTOOD`."""
    match = _BY_CLOCK.search(plain, max(0, at - 16), at + 16) or _BARE.search(plain, max(0, at - 40), at + 40)
    if match is None or not match.start() <= at + 1 < match.end():
        return None
    minutes = _count(match["word"])
    if not _FEWEST <= minutes <= _MOST:
        return None
    kind = "actual" if _USED.match(match[0]) else "minutes"
    return Span(match.start("word"), match.end("word"), minutes, kind)


def _count(said: str) -> int:
    return int(said) if said.isdigit() else number(said)


def _hours(match: re.Match[str]) -> int:
    if match["more"]:
        return 60 + number(match["over"])
    if match["half"]:
        return 30
    if match["quarters"]:
        return 45
    if match["of"]:
        return _COUNT.get(match["parts"] or "", 1) * _MINUTES_OF[match["of"].rstrip("s")]
    if match["tenths"]:
        return round(float(match["tenths"]) * 60)
    if match["onehalf"]:
        return 90
    if match["quarter"]:
        return 75
    return 120 if match["two"] else 60


_SAID_BEFORE = later(rf"(?<![a-z])(?P<word>{NUMBER_WORD}) \(\Z")


def told_twice(plain: str, span: Span) -> Span:
    """A length whose number is repeated in brackets, `fifty-one (51) minutes`, from its words on."""
    said = _SAID_BEFORE.search(plain, max(0, span.start - 20), span.start)
    if said is None or number(said["word"]) != span.minutes:
        return span
    return Span(said.start(), span.end, span.minutes, span.kind, span.at, own=span.own)
