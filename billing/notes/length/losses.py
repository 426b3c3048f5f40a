"""Minutes that a note takes off its session wherever it says so: `ten of those minutes were lost`."""

import re
from collections.abc import Mapping

from billing.notes.later import later
from billing.notes.length.span import Span
from billing.notes.text.spoken import NUMBER_WORD, number

_BREAK = later(
    rf"\b(?:(?:less|minus|excluding|not counting|not including|subtracting|deducting|except for|with|after"
    rf"|including)[ ](?:an? |the |about |one )?(?:(?:(?P<n>\d{{1,2}})"
    rf"|(?P<w>{NUMBER_WORD}))(?:[ -]?(?:minutes?"
    rf"|mins?)|(?= (?:for|of|on|lost|that|we|she|he|they) ))|(?P<q>quarter of an hour|quarter hour"
    rf"|half an hour))(?P<rest>[^.;\n]{{0,60}})"
    rf"|(?:(?P<n2>\d{{1,2}})|(?P<w2>{NUMBER_WORD}))[ -]?(?:minutes?|mins?)[ -](?P<rest2>(?:bathroom "
    rf"|restroom |comfort |snack |water |smoke |phone |fire drill |rest )?(?:break|interruption|pause|gap)))"
)
_BREAK_WORDS = later(
    r"break|interrupt|pause|left|stepped|drill|out of the|dropped|disconnect|closed|connection|gone|away"
    r"|restroom|bathroom|outage|deduct|not counted|off|lost|froze|phone call|call from"
    r"|tech(?:nical|nology)? (?:trouble|difficult|issue|problem|delay)"
)
# `Two breaks (5 min inside, 10 min outside)`, `paged twice, six minutes and four the second, not counted`.
_SEVERAL = later(
    r"\b(?:(?P<count>two|three|four|[2-4]) (?:\w+ ){0,2}(?:breaks|interruptions|pauses|gaps|outages|stops"
    r"|walks out)"
    r"|(?P<times>twice|(?:two|three) times))\b(?P<rest>[^.;\n]{0,140})"
)
_SEVERAL_WORDS = (
    "breaks",
    "interruptions",
    "pauses",
    "gaps",
    "outages",
    "stops",
    "walks out",
    "twice",
    "times",
)
_HOW_MANY = {"two": 2, "three": 3, "four": 4, "twice": 2, "two times": 2, "three times": 3}
_TOLD_OFF = later(
    r"\b(?:(?:not|no|aren't|isn't|weren't) (?:\w+ )?(?:therapy|counted|billed|billable)|subtract|deduct"
    r"|lost)"
)
_AFTERWARDS = later(
    r"\b(?:(?:after|once) (?:s?he|they|the (?:client|patient|session|visit))|afterwards?"
    r"|before (?:s?he|they) (?:came|arrived))\b"
)
_QUANTITY = later(
    rf"\b(?:(?P<n>\d{{1,2}})|(?P<w>{NUMBER_WORD}))(?:[ -]?min\w*(?P<each> each| apiece)?| the (?:second"
    rf"|third|other|next|last))"
)
_IN_ALL = later(r"\b(?:in all|in total|total|altogether|together|combined|between them)\b")
# What is no psychotherapy, said of some of the session's minutes.
_NO_THERAPY = (
    r"(?:lost|tech(?:nical|nology)? (?:trouble|difficult\w+|issues?|problems?)|(?:no|not) therapy"
    r"|fire (?:alarm|bell|drill)|alarm|break|evacuat\w+|outage|hallway|outside"
    r"|phone|away|out there|parking|paperwork|forms|collateral|chart(?:ing|ed)|document\w+|scheduling"
    r"|by (?:him|her)self|by themselves"
    r"|for (?:the|my) (?:chart|note)|billing|insurance|copay|on hold|lobby|waiting room|restroom|bathroom"
    r"|front desk|out to (?:pump|the car)|i waited|(?:not|\w+n't) (?:be )?(?:count(?:ed)?"
    r"|bill(?:ed)?)|left out|taken off|waiting for|without (?:her|him|them|the (?:client|patient)))"
)
_LOST_BEGINS = (
    r"(?=\d|aw|br|ca|d[eor]|e[il]|f[ior]|g[ao]|ha|in|l[eo]|ni|o[fnu]|p[au]|qu|s[eitu]|t[aehow]|w[ae])"
)
_LOST = later(
    rf"\b{_LOST_BEGINS}(?:(?:(?P<n>\d{{1,2}})|(?P<w>{NUMBER_WORD})) (?:(?P<of_them>(?:minutes )?of"
    rf" (?:these|those|them|that|it|which)\b(?P<what> \w+)?"
    rf"(?: minutes)?(?=(?:[^.;\n]|(?<=\bmr)\.|(?<=\bms)\.|(?<=\bmrs)\."
    rf"|(?<=\bdr)\.){{0,110}}\b{_NO_THERAPY}))"
    rf"|(?P<of_the>of the (?:\d{{2,3}}|{NUMBER_WORD}) minutes"
    rf"(?= (?:were|was|went|spent|had|we)\b[^.;\n]{{0,40}}\b{_NO_THERAPY}))"
    rf"|(?P<off>min(?:ute)?s? (?:(?:off|out|deducted) for|lost (?:for|to))\b))"
    rf"|of (?:which|these|those|that),? (?:the |my )?(?:first |last |final |opening )?(?:(?P<n4>\d{{1,2}})"
    rf"|(?P<w4>{NUMBER_WORD}))(?: minutes| (?=was|were|went|do(?:es)?\b|don't|did|should|shouldn't|cannot"
    rf"|she|he|they|i|we))"
    rf"(?! (?:were|was) (?:\w+ )?(?:psycho)?therapy)(?=[^.;\n]{{0,70}}\b{_NO_THERAPY})"
    rf"|(?:(?:dropped|lost|froze|out|off|(?<!put )(?<!set )down|dead|gone) (?:out |off )?for"
    rf"|(?P<pause>(?:break|pause|gap|interruption) of)"
    rf"|(?P<away>(?:called|paged|pulled|taken|stepped|went|walked) (?:away|out|off)(?: of the room)? for"
    rf"|(?:left|leaving) the (?:room|office) for)"
    rf"|(?P<room>(?:out of|away from) the (?:room|office|screen)(?: for)?)) "
    rf"(?:about |some )?(?:(?P<n2>\d{{1,2}})|(?P<w2>{NUMBER_WORD})) min"
    rf"|(?P<share>quarter|third|half) of (?:which|that|it)(?=[^.;\n]{{0,110}}\b{_NO_THERAPY})"
    rf"|(?P<minus>subtract(?:ed|ing)?|deduct(?:ed|ing)?|(?:take|took|taking|taken|leave|leaving) (?:out"
    rf"|off))"
    rf" (?:about |the |another )?(?:(?P<n3>\d{{1,2}})|(?P<w3>{NUMBER_WORD}))(?: min| for (?:the|her|his"
    rf"|a)\b)(?!\w* early))"
)
_SHARES = {"quarter": 4, "third": 3, "half": 2}
_NUMBER_ENDS = (
    "teen ", "ty ", "one ", "two ", "three ", "four ", "five ", "six ", "seven ", "eight ", "nine ", "ten ",
    "eleven ", "twelve ", "minutes ", "quarter ", "third ", "half ",
)  # fmt: skip
_PART_OF = later(rf"of \w+,? (?:the |my )?(?:first |last |final |opening )?(?:\d|{NUMBER_WORD})")
# `He took four minutes in the hallway; I have not counted them.`
_UNCOUNTED = (
    "not count",
    "n't count",
    "not bill",
    "time deducted",
    "is deducted",
    "are deducted",
    "was deducted",
)
_LOST_BEFORE_COUNTED = 180
_INSIDE = later(
    r"\b(?:in between|hallway|hall|stop|break|paused?|stepped|walked out|out of the room|water|restroom"
    r"|bathroom"
    r"|smok\w+|vap\w+|in the middle|partway|phone call|took a call|alone|by (?:him|her)self|signed"
    r"|interrupt\w*)\b"
)
_OUTSIDE = later(
    r"\b(?:lobby|waiting|chart\w*|notes?|travel\w*|typing|document\w*|drive|drove|after(?:wards?| the"
    r" session| (?:she|he|they|(?:the )?(?:client|patient|pt|ct)) left(?! (?:to|for)\b))"
    r"|before the|collateral|coordinat\w*|late|early|school|teacher|counselor|prescriber|psychiatrist|pcp"
    r"|attorney|probation|pharmacy|case ?manager)\b"
)
_ROOMS, _OUT_OF = ("the room", "the office", "the screen"), ("out of ", "away from ", "left ", "leaving ")
# How far round the word that tells of it a loss of time is read.
_LOST_BEFORE, _LOST_AFTER = 30, 120
# What is this session's own, and may fail for a while; what may be, and a person is asked.
_OURS = later(
    r"\b(?:session|connection|video|(?:video|zoom|our|the) call|platform|zoom|telehealth|audio|feed|link"
    r"|stream)\b"
)
_MAYBE_OURS = later(r"\b(?:internet|wi-?fi|network|power|line|screen|signal|system|camera|we|call)\b")
_OTHER_TIME = later(
    r"\b(?:yesterday|last|weekend|weekly|week|(?:mon|tues|wednes|thurs|fri|satur|sun)day|ago|daily|each"
    r"|every"
    r"|at home|at work|at school|at the|on the (?:bus|train|way|job)|in (?:class|traffic|court)|class|job"
    r"|date|dinner|lunch|movie|game|gaming|studying|homework|often|usually|morning|evening|night|next"
    r"|when (?:he|she|they|her|his))\b"
)
_OTHER_PERSON = later(
    r"\b(?:mother|mom|father|dad|parents?|husband|wife|spouse|partner|brother|sister|sibling|son|daughter"
    r"|child"
    r"|friend|roommate|boyfriend|girlfriend|boss|coworker|dog|baby|teacher|grandm\w+|grandf\w+|aunt|uncle"
    r"|cousin)\b"
)
_STOPS = later(r"[.;!?\n](?=\s|\Z)")
_THERAPIST = later(r"\b(?:i|clinician|therapist|writer)(?: (?:was|had to be|got))? \Z")
_PATIENT = later(r"\b(?:she|he|they|client|pt|patient|ct)(?: (?:was|then|had|had to be))* \Z")
_MEANWHILE = later(
    r"\b(?:in the middle|mid-?way|part-?way|halfway|(?:and|while) (?:i|we) (?:waited|paused|held|stopped)"
    r"|(?:during|of) (?:the|our) (?:session|visit|hour)|mid-?session|(?:came|come) back|returned)\b"
)
_STRAIGHT_ON = later(r"[ ,;(-]*(?:but |with |and |less |though |an? |the )*\Z")
_ANY_LENGTH = later(r"\d|\b(?:hours?|minutes?|noon)\b")
_TAKING_OFF = frozenset(("less", "minus", "excluding", "not", "subtracting", "deducting", "except"))
_ALREADY_OFF = frozenset(("excluding", "not", "subtracting", "deducting", "except"))
_MINUTES = frozenset(("minutes", "mins", "was"))
_WITHOUT_UNIT = ("less ", "minus ", "excluding ", "not counting ", "not including ", "including ")
# So many minutes without what is named; of a range it is taken off.
# `An hour, less the five minutes of her call, so 55 minutes`
_SO_THAT_IS = later(r"\b(?:so|leaving|(?:which|that) (?:leaves?|left|makes|made))(?: [a-z]+){0,3} \Z")
_LEFT_OUT = frozenset(("excluding", "not"))
# So far behind the length, "of those" still speaks of its minutes.
_SPEAKS_OF = 130


class Losses:
    """What a note takes off one length; `open` where it may take off more, and does not say of what."""

    __slots__ = ("minutes", "open")

    def __init__(self, plain: str, hints: Mapping[str, list[int]], chosen: Span) -> None:
        found: dict[int, int] = {}
        self.open = False
        for at in hints.get("lost", ()):
            if plain.startswith("of ", at) and not (_behind_a_number(plain, at) or _PART_OF.match(plain, at)):
                continue
            if plain.startswith(_ROOMS, at) and not plain.endswith(_OUT_OF, 0, at):
                continue
            if plain.startswith(_UNCOUNTED, at):
                taken = _uncounted(plain, at, chosen)
                if taken is not None and not found:
                    found[taken[0]] = taken[1]
                continue
            for match in _LOST.finditer(plain, max(0, at - _LOST_BEFORE), at + _LOST_AFTER):
                taken = _taken(plain, match, chosen)
                if taken is None:
                    self.open = True
                elif taken:
                    found[match.start()] = _minutes(match, chosen)
        self.minutes = sum(found.values())


def _behind_a_number(plain: str, at: int) -> bool:
    return plain.endswith(_NUMBER_ENDS, 0, at) or (
        plain[at - 1 : at] == " " and plain[at - 2 : at - 1].isdecimal()
    )


def _minutes(match: re.Match[str], chosen: Span) -> int:
    """The minutes that a loss is told to be, or its share of the chosen length."""
    if match["share"]:
        return chosen.minutes // _SHARES[match["share"]]
    figure = next(filter(None, map(match.group, ("n", "n2", "n3", "n4"))), None)
    word = next(filter(None, map(match.group, ("w", "w2", "w3", "w4"))), "")
    return int(figure) if figure else number(word)


def _uncounted(plain: str, at: int, chosen: Span) -> tuple[int, int] | None:
    """Where the minutes stand that are told not to be counted, and how many: only those of a break in the
    session; what was done before or behind it is in no clock range of its own."""
    if chosen.kind != "range" and not chosen.start < at:
        return None
    left = max(chosen.end if chosen.end < at else 0, at - _LOST_BEFORE_COUNTED)
    told = plain[left:at]
    stops = _STOPS.split(told)
    told = ";".join(stops[-3:])
    quantities = list(_QUANTITY.finditer(told))
    if len(quantities) != 1 or not _INSIDE.search(told) or _OUTSIDE.search(told):
        return None
    each = quantities[0]
    return at - len(told) + each.start(), int(each["n"]) if each["n"] else number(each["w"])


def _taken(plain: str, match: re.Match[str], chosen: Span) -> bool | None:
    """Whether the minutes are the session's; None where a person has to say."""
    between = plain[chosen.end : match.start()] if match.start() >= chosen.end else None
    if match["minus"]:
        return between is not None and len(_STOPS.findall(between)) <= 2
    if match["of_the"]:
        return match.start() < chosen.end
    if match["n4"] or match["w4"] or match["share"]:
        return between is not None and len(between) <= _SPEAKS_OF
    if match["of_them"]:
        if match["what"] and match["what"].endswith("s") and match["what"].strip() not in _MINUTES:
            return False
        return between is not None and len(between) <= _SPEAKS_OF and not re.search(r"\d", between)
    stops = len(_STOPS.findall(between)) if between is not None else 0
    own = stops == 0 and (between is not None or not _STOPS.search(plain, match.end(), chosen.start))
    before = _STOPS.split(plain[max(0, match.start() - 120) : match.start()])[-1]
    behind = _STOPS.split(plain[match.end() : match.end() + 60], maxsplit=1)[0]
    if between is not None and own:
        before = between
    if _OTHER_TIME.search(before) or _OTHER_TIME.search(behind):
        return False
    if match["away"]:
        return _away(before, behind) if stops <= 1 and between is not None else False
    if match["off"]:
        return own
    if _OTHER_PERSON.search(before):
        return None if match["room"] and stops <= 1 else False
    if match["room"]:
        return True if stops <= 1 else None
    if (
        _OURS.search(before)
        or _OURS.search(behind)
        or (own and (match["pause"] or _STRAIGHT_ON.match(before)))
    ):
        return True
    return None if (match["pause"] and stops <= 1) or _MAYBE_OURS.search(before) else False


def _away(before: str, behind: str) -> bool | None:
    """Whether somebody was called or went out of this session; None where a person has to say."""
    if _THERAPIST.search(before):
        return True
    if _OTHER_PERSON.search(before) or not _PATIENT.search(before):
        return False
    return True if _MEANWHILE.search(behind) or _MEANWHILE.search(before) else None


def takes_off(plain: str, left: int, right: int) -> bool:
    """Whether a stretch may say what is taken off without its unit: `60 minutes less 10 for the drill`."""
    return any(map(plain[left:right].__contains__, _WITHOUT_UNIT))


def breaks_in(plain: str, left: int, right: int, chosen: Span) -> tuple[int, bool]:
    """Minutes of the session's breaks that are stated in a stretch of the note round its length, and whether
    another may be the session's."""
    total, unsure = 0, False
    told = any(map(plain[left:right].__contains__, _SEVERAL_WORDS))
    several = _SEVERAL.search(plain, left, right) if told else None
    if several is not None and not (several["times"] and not _TOLD_OFF.search(several["rest"])):
        own = _own_break(plain, several, chosen)
        if own:
            minutes = _together(several)
            return minutes or 0, minutes is None
    for match in _BREAK.finditer(plain, left, right):
        value, part = match["n"] or match["n2"], match["q"]
        minutes = 30 if part == "half an hour" else 15 if part else 0
        minutes = minutes or (int(value) if value else number(match["w"] or match["w2"]))
        lead = match[0].split(" ", 1)[0]
        rest = match["rest"] or match["rest2"] or ""
        if lead in ("with", "after", "including"):
            rest = rest[:30]
        if lead not in _TAKING_OFF and not _BREAK_WORDS.search(rest):
            continue
        own = _is_of(plain, match, chosen) if lead in _TAKING_OFF else _own_break(plain, match, chosen)
        counted = match.start() < chosen.start and (
            lead in _ALREADY_OFF
            or (lead in _TAKING_OFF and _SO_THAT_IS.search(plain, match.start(), chosen.start) is not None)
        )
        beside = chosen.kind != "range" or _AFTERWARDS.search(rest) is not None
        if counted or (lead in _LEFT_OUT and beside):
            # `Psychotherapy (excluding 10 min of scheduling): 47 min`, `42 minutes, not counting ten`,
            # `9:10 to 10:40, not counting the twenty I was on the phone after he left`
            continue
        total += minutes if own else 0
        unsure = unsure or own is None
    return total, unsure


def _together(several: re.Match[str]) -> int | None:
    """The minutes of several breaks; None where not each of them is told."""
    count = _HOW_MANY.get(several["count"] or several["times"]) or int(several["count"])
    told = list(_QUANTITY.finditer(several["rest"]))
    minutes = sum(int(each["n"]) if each["n"] else number(each["w"]) for each in told)
    if len(told) == 1 and told[0]["each"]:
        return count * minutes
    if len(told) == count or (len(told) == 1 and _IN_ALL.search(several["rest"])):
        return minutes
    return None


def _is_of(plain: str, match: re.Match[str], chosen: Span) -> bool:
    """Whether what is taken off comes off the chosen length, and not off another of its own sentence."""
    if not _STOPS.search(plain, min(match.start(), chosen.end), max(match.start(), chosen.start)):
        return True
    before = _STOPS.split(plain[max(0, match.start() - 120) : match.start()])[-1]
    return _ANY_LENGTH.search(before) is None


def _own_break(plain: str, match: re.Match[str], chosen: Span) -> bool | None:
    """Whether a break stands in the sentence of the length or is said to be the session's; None where a
    person has to say."""
    if not _STOPS.search(plain, min(match.start(), chosen.end), max(match.start(), chosen.start)):
        return True
    before = _STOPS.split(plain[max(0, match.start() - 120) : match.start()])[-1]
    behind = _STOPS.split(plain[match.start() : match.end() + 60], maxsplit=1)[0]
    sentence = f"{before} {behind}"
    if _OTHER_TIME.search(sentence) or _OTHER_PERSON.search(sentence):
        return False
    if _OURS.search(sentence) or (
        "rest2" in match.re.groupindex and match["rest2"] and not before.strip(" -*")
    ):
        return True
    return None
