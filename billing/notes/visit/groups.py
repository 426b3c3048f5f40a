"""Groups that a title or a field names, and those that somebody only comes from."""

from billing.notes.later import later
from billing.notes.page.layout import Layout
from billing.notes.text.spoken import NUMBER_WORD
from billing.notes.visit.modality import Cue

# `His support group`: somebody's own, unless it was attended here.
OWN = later(
    r"\b(?:(?:client|patient|pt)'s|his|her|their|the church's|a friend's|an?other) (?:[\w:.-]+ ){0,2}\Z"
)
# `Arrived from the skills group (separate visit)`, `the couples counseling is with someone else`.
ARRIVED_FROM = later(
    r"\b(?:from|after|before|left|leaving|between|also (?:in|attends?)|straight (?:from|to)|on (?:his|her"
    r"|their) way to) (?:the|a|an|our|my|this morning's|today's|yesterday's|(?:his|her"
    r"|their)(?: \w+)?) (?:\w+ ){0,2}\Z"
)
# An insurance group has no members who came.
ATTENDED = later(
    r"\b(?:members?|participants?|attendees|attended by|attendance|clients) (?:present|attended|[:=-]? ?\d)"
    r"|\battendance (?:today|tonight)[:=-]? ?\d"
    rf"|\b(?:\d{{1,2}}|{NUMBER_WORD}) (?:group )?(?:members|participants|attendees|clients|present"
    r"|attended|in (?:the )?room)\b"
    r"|\bgroup (?:psycho)?therapy|\bpsychotherapy group\b|\bprocess group\b"
)
_GROUP_TITLE = later(r"group[ ]*(?:[,:;(|/.\n-]|\Z|note|session|week|#)")
_WEEK_OF = later(r"group[ ,:;(|-]*(?:week|session|meeting|class|module) (?:#|no\. ?)?\d")
NEAR_LABEL, _LABEL_WITHIN = 200, 12
# What a note of a group says of it somewhere.
_HELD_HERE = (
    "member", "participant", "attendee", "facilitat", "co-led", "led by", "the group", "peers", "in group",
    "process group", "sign-in",
)  # fmt: skip
_IN_A_SENTENCE = later(r"[a-z,] \Z")
_SOME_EVENING = later(
    r"(?: (?:is|meets|starts|begins|continues|resumes))?,? (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r" (?:morning|noon|afternoon|evening|night)s?\b"
)


def named_group(plain: str, layout: Layout) -> list[Cue]:
    """`Buprenorphine Stabilization Group (5 members)`: a title that ends in the word, and tells who came or
    which week of it this is."""
    left, right = layout.title
    at = plain.find("group", left, right)
    if at <= left or not _GROUP_TITLE.match(plain, at):
        return []
    near = ATTENDED.search(plain, at, at + NEAR_LABEL) or _WEEK_OF.match(plain, at)
    own = OWN.search(plain, left, at) or ARRIVED_FROM.search(plain, left, at)
    if not near or own or attended_besides(plain, at, at + len("group")):
        return []
    return [Cue("group", at, at + len("group"), 4)]


def labelled_group(plain: str, layout: Layout) -> list[Cue]:
    """`Group: Relapse prevention, 7 participants`: a field near the top that the service itself names, where
    those who came stand beside it."""
    return [
        Cue("group", at, at + len("group"), 3)
        for start, label in zip(layout.starts[:6], layout.labels[:6], strict=False)
        if label.startswith("group")
        and (label == "group" or label.startswith(("group topic", "group name", "group title")))
        and (at := plain.find("group", start, start + _LABEL_WITHIN)) >= 0
        and ATTENDED.search(plain, start, start + NEAR_LABEL)
    ]


def is_somewhere(plain: str, start: int, end: int) -> bool:
    """`A post she drafted for the online group`, `Support group Monday evenings, 90 minutes`: whether a
    sentence speaks of some group."""
    return plain.endswith("group", start, end) and (
        _IN_A_SENTENCE.search(plain, max(0, start - 2), start) is not None
        or _SOME_EVENING.match(plain, end) is not None
    )


# `Mr. Tran attended our Wednesday evening recovery group, eight members and one facilitator`
_OPENING = 220
_CAME_TO_OURS = later(
    r"(?:\A|[.;:\n])[ ]*(?!(?:if|when|after|before|because|since)\b)(?:m[rs]{1,2}\. )?[^.;:\n]{0,40}?"
    r"(?<!has )(?<!had )(?<!have )(?<!to )(?<!who )(?<!also )(?<!often )(?<!usually )"
    r"\b(?:attended|came to|participated in|took part in|joined|sat in|was (?:in|at|present (?:in|at|for)))"
    r" (?:our|my|the|tonight's|today's|this (?:morning|afternoon|evening|week)'s)"
    r" (?:(?:weekly|regular|[a-z]+day(?:'s)?|morning|afternoon|evening|night|noon|virtual|online|outpatient"
    r"|open|closed) )*(?:[a-z-]+ ){0,1}\Z"
)
_BEHIND = 80


def attended_here(plain: str, start: int, end: int) -> bool:
    """Whether the opening says that the patient came to a group and how many did."""
    return (
        start < _OPENING
        and plain.endswith("group", start, end)
        and _CAME_TO_OURS.search(plain, 0, start) is not None
        and _WERE.match(plain, end, end + _BEHIND) is not None
        and _LAST_TIME.match(plain, end) is None
    )


def attended_besides(plain: str, start: int, end: int) -> bool:
    """`She attends our skills group, seven members. Seen alone today`: whether a group is told as what
    somebody goes to, or went to before, in a note of today's session with one person."""
    if not (
        _GOES_TO.search(plain, max(0, start - NEAR_LABEL), start) is not None
        or (
            _CAME_TO_OURS.search(plain, max(0, start - NEAR_LABEL), start) is not None
            and _LAST_TIME.match(plain, end) is not None
        )
    ):
        return False
    return _SEEN_TODAY.search(plain, end) is not None


# `Skills group attended Monday w/ other leader`, `attended skills group Monday`
_A_DAY = r"(?:(?:on|last|this past) )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\b(?! (?:group|session)\b)"
_WENT = later(
    r"\b(?:attended|went to|came to|was (?:at|in)|made it to|did)"
    r" (?:(?:the|her|his|their|our|dbt) )*(?:\w+ )?\Z"
)
_ON_A_DAY = later(rf" {_A_DAY}")
_ATTENDED_ON_A_DAY = later(
    rf" (?:was )?(?:attended|done|completed|went (?:well|ok|fine))(?: in full)? {_A_DAY}"
)


def attended_that_day(plain: str, start: int, end: int) -> bool:
    """Whether a group is told to have been attended on a weekday."""
    return _ATTENDED_ON_A_DAY.match(plain, end) is not None or (
        _ON_A_DAY.match(plain, end) is not None and _WENT.search(plain, max(0, start - 40), start) is not None
    )


_LAST_TIME = later(
    r"[^.;\n]{0,60}?\b(?:last (?:week|night|month|time|mon|tues|wednes|thurs|fri|satur|sun)|yesterday"
    r"|earlier this week|(?:a|two|three|four|\d) (?:days?|weeks?|months?) ago|since (?:the|last|jan|feb"
    r"|mar|apr"
    r"|may|june|july|aug|sep|oct|nov|dec))"
)
_GOES_TO = later(
    r"\b(?:attends|goes to|comes to|(?:has|have|had) (?:also )?(?:attended|been (?:in|attending)|joined)"
    r"|(?:is|are) (?:also )?(?:attending|enrolled in|a member of)|participates in) (?:our|my|the|an?)"
    r" (?:[a-z-]+ ){0,4}\Z"
)
_ALONE = (
    r"(?:alone|individually|by (?:him|her|them)sel(?:f|ves)|on (?:his|her|their) own|one[- ](?:to|on)[- ]one"
    r"|1:1)"
)
_SEEN_TODAY = later(
    rf"\b(?:today,? (?:i (?:saw|met with) (?:him|her|them)|(?:s?he|they|(?:the )?(?:client|patient|pt|ct))"
    rf" (?:was |were )?(?:seen|met with me)) {_ALONE}|(?:seen|met) {_ALONE} (?:today|this (?:morning"
    rf"|afternoon)))\b"
)


_WERE = later(
    rf"(?: (?:today|tonight))?[ ]?[,(;:-]+ ?(?:with |attended by |one of )?(?:the )?(?:\d{{1,2}}"
    rf"|{NUMBER_WORD}) (?:other )?(?:group )?(?:members|participants|attendees|clients|patients|women|men"
    rf"|adults"
    r"|teens|people)\b"
)


# What was held stands above.
_HELD_ABOVE = later(r"\d[ -]?min|\b(?:i saw|seen|met with|individual)\b")


def is_to_come(plain: str, start: int, end: int) -> bool:
    """`Seen 45 minutes. Support group Monday evenings`: whether only the days of a group are told behind this
    session."""
    return _SOME_EVENING.match(plain, end) is not None and _HELD_ABOVE.search(plain, 0, start) is not None


def is_held_here(plain: str) -> bool:
    """Whether a note has a word of one that documents a group."""
    return any(map(plain.__contains__, _HELD_HERE))
