"""Shared sessions that somebody stayed away from: held without the patient, or with the patient alone."""

import re
from typing import NamedTuple

from billing.notes.later import later
from billing.notes.text.kin import RELATIVE
from billing.notes.visit.modality import Cue

_PATIENT = r"(?:client|patient|pt|ct|ip|identified patient|child|teen|adolescent|youth|student)"
_NOT_THERE = (
    r"(?:(?:did not|didn't|could not|couldn't|was unable to|were unable to|refused to|failed to|declined to)"
    r" (?:come|attend|show|join|make it|appear|arrive|be there|participate|log on)"
    r"|(?:was |were )?(?:a )?no[- ]?show(?:ed|s)?|cancel+ed|backed out)"
)
_ALONE = (
    r"(?:(?:met|saw|seen|held|run|ran|conducted|done|continued|proceeded|worked|treated|had)\b[^.;\n]{0,40}"
    r"\b(?:individual(?:ly)?|alone|one[- ]on[- ]one|1:1|by (?:him|her)self)"
    r"|individual (?:session|therapy|psychotherapy|visit)[^.;\n]{0,50}\binstead"
    r"|instead[^.;\n]{0,30}\bindividual|(?:became|turned into|converted to|changed to|switched to)"
    r" (?:an? )?individual)"
)
# Of both one stands, side by side, in all that says that somebody was not there; or one of the others does.
_FAILING = (
    "did not", "didn't", "could not", "couldn't", "unable to", "refused to", "failed to", "declined to",
)  # fmt: skip
_COMING_WORDS = (
    "come", "attend", "show", "join", "make it", "appear", "arrive", "be there", "participate", "log on",
)  # fmt: skip
_AWAY = ("no show", "no-show", "noshow", "cancel", "backed out")
_INSTEAD_WORDS = ("individual", " alone", "one-on-one", "one on one", "1:1", "by herself", "by himself")
_TURNED = later(
    rf"\b(?:{RELATIVE} (?:then )?{_NOT_THERE}|only one (?:group )?(?:member|client|participant|person"
    r"|patient)"
    rf" (?:came|attended|showed|was (?:present|there|here)))[^\n]{{0,60}}\b{_ALONE}"
)
# No shorter one is billed.
_MINUTES = (
    r"(?:(?:1[6-9]|[2-9]\d|1\d\d)[ -]?m(?:in(?:ute)?s?)?\b"
    r"|(?:(?:six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)(?:[- ][a-z]{3,5})?)"
    r"[ -]min(?:ute)?s?\b)"
)
# `Individual psychotherapy with Renske, 9:05 to 9:45`, `this visit was individual therapy`
_LASTED = later(
    r"(?: (?:psycho)?therapy| session| work)?(?: (?:with|for) (?!(?:dr|another)\b)[^.;\n\d]{1,24}?)?[ ,:(-]*"
    r"(?:x |for |of |lasting |at )*"
    rf"(?:{_MINUTES}|\d{{1,2}}:\d\d|(?:half )?an hour)"
)
_SO_LONG = later(rf"(?<!\d){_MINUTES}(?: of)? \Z")
_IT_WAS = later(
    r"\b(?:it|this|visit|session|hour|appointment|held) (?:visit |session |hour )?(?:is|was|became"
    r"|turned into) (?:(?:then|just|an?|held|run|conducted|as) )*\Z"
)
_MADE_SINGLE = later(
    r"\bindividual (?:session|therapy|psychotherapy|visit)[^.;\n]{0,50}\binstead|\binstead[^.;\n]{0,30}"
    r"\bindividual|\b(?:became|turned into|converted to|changed to|switched to) (?:an? )?individual"
)
_MADE_WORDS = ("instead", "became ", "turned into ", "converted to ", "changed to ", "switched to ")
_NO_MORE = (
    r"(?: (?:today|tonight|this week|through the (?:snow|storm|rain|ice)))*(?=[ ]*(?:[.,;)(\n]|so\b|\Z))"
)
_ONE_CAME_BEGINS = r"(?:\A|(?=[.,;:\n])|\b(?=me|pa|cl|at|pr|on|ju|no))"
_ONE_CAME = later(
    rf"{_ONE_CAME_BEGINS}(?:"
    r"\b(?:(?:members|participants|clients|attendees)(?: (?:present|attending|attended|in attendance|here"
    r"|tonight|today))?[ ]*[:=-]|(?:present|attendance|attended|attending)[:=-]?)[ ]*(?:only )?(?:1|one)\b"
    r"(?=[ ]*(?:[.,;)(\n]|\Z|of \d|members?\b|participants?\b|clients?\b|person\b))(?![.:]\d"
    r"|[.)][^\n]{1,40}?\b2[.)])"
    r"|(?:\A|\bonly|\bjust|[.,;:\n])[ ]*(?:1|one) (?:member|participant|client|attendee) (?:present|here"
    rf"|tonight|today|attended|came|in attendance|showed(?: up)?){_NO_MORE}"
    r"|\b(?:only|nobody but|no one but|nobody except) (?:m[rs]{1,2}\.? )?"
    r"(?!recently|just|then|now|later|after)"
    rf"[a-z.]+ (?:[a-z]\. )?(?:showed(?: up)?|came|attended|made it){_NO_MORE}"
    r"|\bno(?:body| one) (?:else (?:here|(?:came|attended|showed|made it|was (?:here|there|present))"
    rf"{_NO_MORE})"
    r"|to have)\b|\bno group (?:to (?:hold|run|have)|(?:was|could be) (?:held|run|possible))\b)"
)
_SEVERAL = r"(?:[2-9]|1\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_SEVERAL_CAME = later(
    rf"\b(?:present|attended|attendance|here|came)[ :=]*{_SEVERAL}\b"
    rf"|\b{_SEVERAL}(?: (?:group )?(?:members|participants|clients|people|men|women))?"
    r" (?:were )?(?:present|attended|came|in attendance|in the circle|here)\b"
)
# This stands in all that says that but one came. It begins with letters alone, and is tried at those.
_HOLDS_ONE = later(
    r"(?::|=|-|sent|ance|nded|nding)[ ]*(?:only )?(?:1|one)\b"
    r"(?=[ ]*(?:[.,;)(\n]|\Z|of \d|member|participant|client|person))"
)
_HOLDS_ONE_NAMED = later(
    "1 (?:member|participant|client|attendee) |one (?:member|participant|client|attendee) |nobody (?:but|else"
    "|to have)|no one (?:but|else|to have)|nobody except|no group (?:to|was|could) "
)
_CAME = (" showed", " came", " attended", " made it")
_ANY_AWAY_WORDS = (
    "absent", "stayed home", "stayed away", "never came", "never arrived", "never showed", "never made it",
    "called in", "out of town", "no conjoint", "nobody from", "nobody came", "by himself", "by herself",
    "is sick", "is ill", "is away", "was sick", "was ill", "was away",
)  # fmt: skip
_ANY_AWAY = later(
    rf"\b{_NOT_THERE}|\b(?:absent|stayed (?:home|away)|never (?:came|arrived|showed|made it)|called in"
    r"|out of town|no conjoint|nobody (?:from|came)|by (?:him|her)self|(?:is|was) (?:sick|ill|away))\b"
)
_SAT_OUT = later(
    rf"\b{_PATIENT}(?: \([^()\n]{{1,20}}\))? (?:(?:had )?(?:refused|declined) to (?:(?:come in|join|enter"
    r")(?: (?:the|this) (?:session|room|meeting)| us)?(?=[ ]*(?:[.,;\n]|and |today|but ))"
    r"|leave the (?:car|waiting room))"
    r"|(?:was|stayed|remained|waited|sat)(?: out)? in (?:the |his |her |their )?(?:car|waiting room"
    r"|waiting area|lobby|hallway)(?= throughout| (?:for )?the (?:whole|entire)| during the session"
    r"|[ ]*[.;\n]))"
)
# `Quillon would not get out of the car`
_WOULD_NOT = later(
    r"\b(?!(?:who|mother|father|mom|dad|parents|brother|sister|dog)\b)[a-z]+ (?:would not|wouldn't"
    r"|could not be got to)"
    r" (?:get out of|leave|come (?:in|out|up)?(?: (?:of|from))?) ?(?:the|his|her|their) (?:car|truck|van"
    r"|waiting room"
    r"|lobby|hallway)\b"
)
_WOULD_NOT_WORDS = ("would not", "wouldn't", "could not be got")
# Of another day or place, or only told.
_TOLD = later(
    r"\b(?:last|yesterday|often|usually|school|when|while|reports?|reported|said|says|described|mother says"
    r"|because|week|weekend)\b[^.;\n]*\Z"
)
_HERE = later(
    rf"\b(?:with|and|present:?|attended by|seen:?) (?:the )?{_PATIENT}\b(?!')|,? {_PATIENT} present\b"
    rf"|\b{_PATIENT} (?:and|,) (?:his |her )?{RELATIVE}\b"
)
_NEVER, _BACK = ("did not", "didn't", "never"), ("return", "come back", "rejoin")
_LEFT = later(
    rf"\b{_PATIENT} (?:walked out|left|stormed out|stepped out)\b[^.;\n]{{0,50}}"
    rf"\b(?:did not|didn't|never) (?:{'|'.join(_BACK)})"
)
_CAME_AFTER_ALL = later(
    r" (?:while|for (?:the )?first)\b"
    r"|[^\n]{0,100}\b(?:then (?:joined|came|agreed)|eventually|joined (?:us|the|after|for)|came in|at first"
    r"|initially|for the (?:first|last))\b"
)
_SAT_OUT_WORDS = (
    "waiting room", "waiting area", "the car", "his car", "her car", "their car", "in car", "lobby",
    "hallway", "refused to", "declined to",
)  # fmt: skip
_STAYED_AWAY = later(
    rf"\b{_PATIENT}(?: \([^()\n]{{1,20}}\))?(?: was a)? (?:{_NOT_THERE}|did not take part)[^\n.;]{{0,20}}"
    # `Pt: Nolan, 7 (at school; did not attend)`
    rf"|\b{_PATIENT}: [^\n()]{{1,40}}\([^()\n]{{0,30}}\b{_NOT_THERE}"
)
_ONE_OF_THEM = later(
    r"\b(?:one|two|three|four|\d|an?other|an?) (?:group )?(?:member|client|participant)s? \Z"
)
_OTHERS_SEEN = later(
    rf"\bwith (?:both |his |her |their |the |client's |pt's )*{RELATIVE}\b(?!'|[^.,;\n]{{0,40}}"
    rf"\b(?:scheduled|planned|booked|{_NOT_THERE})|,? who\b)"
    rf"|\b{RELATIVE} (?:only |alone |were |was |both ){{0,2}}(?:seen|present|attended|met|participated"
    r"|joined)\b"
    rf"|\b(?:present|attend(?:ing|ees)|participants|seen): (?:both |the |maternal )*{RELATIVE}\b"
    rf"|\b(?:seen|met with|saw) (?:both |the )?{RELATIVE}\b|\bparents? session\b"
)
_CALLED_OFF = (
    "cancel",
    "reschedul",
    "voicemail",
    "voice mail",
    "no charge",
    "not billable",
    "not held",
    "nobody",
    "scheduled",
    "did not answer",
    "didn't answer",
    "set up a new",
    "time held",
    "then left",
)
# `Met with Devonte (15) by himself for all of the 45 minutes`
_SINGLE = (
    r"(?:alone|by (?:him|her|them)sel(?:f|ves)|on (?:his|her|their) own|individually"
    r"|one[- ](?:to|on)[- ]one|1:1)"
)
_ALL_OF_IT = (
    r"(?:,? (?:for )?(?:(?:all(?: of)?|the (?:whole|entire|full)|our (?:whole|entire))\b(?! (?:day|week"
    r"|night))|throughout"
    r"|start to finish))"
)
_SINGLY_BEGINS = r"\b(?=me|s[aei]|w[ao]|it|on|ju|[3-9]\d|th|f[io])"
_AFTER_MINUTES = (
    r",?(?: (?:that|which) (?:followed|were left|remained))?,?(?: (?:was|were))?,?"
    r" (?:(?:just |only )?(?!she|he|they)[a-z]+ and (?:i|me)\b|(?:his|hers|theirs) alone"
    rf"|with [a-z]+ {_SINGLE}|(?:was|were) individual)"
)
_SEEN_SINGLY = later(
    rf"{_SINGLY_BEGINS}(?:"
    r"\b(?:met|saw|seen|worked|sat)(?: (?:today|only|just|privately))?(?: with)?(?: (?:[a-z.'-]+"
    r"|\(\d{1,2}\))){0,3}?"
    rf" {_SINGLE}{_ALL_OF_IT}"
    rf"|\b(?:met|saw|worked) (?:with )?[a-z]+ for (?:the )?[\w-]+ min(?:ute)?s? {_SINGLE}"
    rf"|\b(?:it was |was )?(?:only|just) [a-z]+ and (?:i|me){_ALL_OF_IT}"
    # `The 40 minutes that followed were Dax and I`, `47 minutes with her alone`
    r"|\b(?:3\d|[4-9]\d|(?:thirty|forty|fifty|sixty)(?:[- ][a-z]{3,5})?)[ -]min(?:ute)?s?"
    rf"{_AFTER_MINUTES}(?![^.;\n]{{0,20}}\b(?:then|before|after)\b))"
)
# Each way of telling it holds one of these, which begin where few words do.
_SINGLY_PARTS = (
    later(rf"{_SINGLE}{_ALL_OF_IT}"),
    later(rf" and (?:i|me){_ALL_OF_IT}"),
    later(rf"min(?:ute)?s?(?: {_SINGLE}|{_AFTER_MINUTES})"),
)
# `Only she came out ahead`
_CAME_ELSEWHERE = later(
    r" (?:out|home|ahead|up|back|over|to (?!(?:the |this |our |today's )?(?:session|visit|appointment)))\b"
)
_PARTNER_ABSENT = later(
    r"\b(?:husband|wife|spouse|partner|boyfriend|girlfriend|fiancee?)(?: was| is|:)?"
    r" (?:absent|not present|not here|unable to (?:attend|come|join)|out of town)\b"
    r"(?! (?:last|until|for the first|in (?:spirit|the past)))"
)
_ABSENT_WORDS = ("absent", "not present", "not here", "unable to", "out of town")
_LONG = later(r"\d[ -]?(?:min|m\b|hour|hr)|\d:\d\d|\bhour\b|\bminutes\b")
# `Family-based treatment, parents only`
_PARENTS_ONLY = later(r"\bparents? only\b")
_IN_THE_TITLE = 80
_BEFORE, _MOST = 40, 2000


class Stayed(NamedTuple):
    """What became of a shared session: held with the patient alone, without the patient, in doubt."""

    alone: bool = False
    without: bool = False
    doubtful: bool = False


def stayed_away(plain: str, kind: str, singly: list[Cue]) -> Stayed:
    """Whether a family, couples or group session became another because somebody stayed away or left;
    `singly` are the words of an individual one."""
    head = plain[:_MOST]
    alone = (
        any(map(head.__contains__, _INSTEAD_WORDS))
        and ("only one" in head or _holds_away(head))
        and _TURNED.search(head) is not None
    )
    told = any(_held_singly(plain, cue) for cue in singly) or (
        any(map(head.__contains__, _MADE_WORDS)) and _MADE_SINGLE.search(head) is not None
    )
    few = kind == "group" and _one_came(head)
    alone = alone or (told and (few or (kind != "group" and _stays_away(head))))
    sat_out = None
    if any(map(head.__contains__, _SAT_OUT_WORDS)):
        sat_out = _SAT_OUT.search(head)
        if sat_out is not None and (
            _CAME_AFTER_ALL.match(head, sat_out.end())
            or _TOLD.search(head, max(0, sat_out.start() - _BEFORE), sat_out.start())
        ):
            sat_out = None
    gone = any(f"{never} {back}" in head for back in _BACK if back in head for never in _NEVER)
    left = _LEFT.search(head) if gone else None
    without = sat_out is not None or left is not None
    doubtful = left is not None or (without and _HERE.search(head) is not None)
    doubtful = doubtful or _would_not(head) or (kind == "couples" and _only_one(head)) or _singly(head)
    return Stayed(alone, without, doubtful or told or few)


def _would_not(head: str) -> bool:
    """Whether somebody who may be the patient would not come in."""
    if "without the " in head or not any(map(head.__contains__, _WOULD_NOT_WORDS)):
        return False
    refused = _WOULD_NOT.search(head)
    return refused is not None and not _TOLD.search(head, max(0, refused.start() - _BEFORE), refused.start())


def _only_one(head: str) -> bool:
    """Whether but one of a couple is told to have come."""
    came = _only_came(head)
    if came is not None and not _CAME_ELSEWHERE.match(head, came.end()):
        return True
    absent = _PARTNER_ABSENT.search(head) if any(map(head.__contains__, _ABSENT_WORDS)) else None
    return absent is not None and not _TOLD.search(head, max(0, absent.start() - _BEFORE), absent.start())


def _singly(head: str) -> bool:
    """Whether one person is told to have been seen alone for all of it, or for most of an hour."""
    told = any(part.search(head) for part in _SINGLY_PARTS)
    seen = _SEEN_SINGLY.search(head) if told else None
    return seen is not None and not _TOLD.search(head, max(0, seen.start() - _BEFORE), seen.start())


def _held_singly(plain: str, cue: Cue) -> bool:
    """Whether words of an individual session say that this was one: its length stands right beside them."""
    return cue.weight > 0 and (
        _LASTED.match(plain, cue.end) is not None
        or _SO_LONG.search(plain, max(0, cue.start - 16), cue.start) is not None
        or _IT_WAS.search(plain, max(0, cue.start - 40), cue.start) is not None
    )


def _one_came(head: str) -> bool:
    """Whether but one of the group is told to have come."""
    return _only_came(head) is not None and _SEVERAL_CAME.search(head) is None


def _stays_away(head: str) -> bool:
    """Whether anybody is told to have stayed away, or only one to have come."""
    told = any(map(head.__contains__, _ANY_AWAY_WORDS)) or _holds_away(head)
    return (told and _ANY_AWAY.search(head) is not None) or _only_came(head) is not None


def _holds_away(head: str) -> bool:
    return any(map(head.__contains__, _AWAY)) or any(
        f"{failing} {coming}" in head for failing in _FAILING if failing in head for coming in _COMING_WORDS
    )


def _only_came(head: str) -> re.Match[str] | None:
    """Where but one is told to have come."""
    told = (
        ("only " in head and any(map(head.__contains__, _CAME)))
        or _HOLDS_ONE.search(head) is not None
        or _HOLDS_ONE_NAMED.search(head) is not None
    )
    return _ONE_CAME.search(head) if told else None


def held_without(plain: str, kind: str | None, missed: Cue) -> bool:
    """Whether the words of a missed visit are of one who stayed away from a session that others had."""
    before = plain[max(0, missed.start - _BEFORE) : missed.start]
    words = plain[missed.start : missed.end]
    if any(word in plain for word in _CALLED_OFF):
        return False
    if kind == "family" and _PARENTS_ONLY.search(plain, 0, _IN_THE_TITLE):
        return True
    if not _LONG.search(plain, 0, _MOST):
        return False
    if kind == "group":
        return _ONE_OF_THEM.search(before + words.partition("did")[0]) is not None
    if kind not in ("family", "couples"):
        return False
    stayed = _STAYED_AWAY.search(plain, max(0, missed.start - _BEFORE), missed.end + _BEFORE)
    return stayed is not None and _OTHERS_SEEN.search(plain, 0, _MOST) is not None
