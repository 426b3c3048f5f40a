"""Shared sessions that somebody stayed away from: held without the patient, or with the patient alone."""

from typing import NamedTuple

from billing.notes.kin import RELATIVE
from billing.notes.later import later
from billing.notes.modality import Cue

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
_INSTEAD_WORDS = ("individual", " alone", "one-on-one", "one on one", "1:1", "by herself", "by himself")
_AWAY_WORDS = (
    "did not", "didn't", "could not", "couldn't", "unable", "refused", "failed", "declined", "no-show",
    "no show", "noshow", "cancel", "backed out", "only one",
)  # fmt: skip
_TURNED = later(
    rf"\b(?:{RELATIVE} (?:then )?{_NOT_THERE}|only one (?:group )?(?:member|client|participant|person"
    r"|patient)"
    rf" (?:came|attended|showed|was (?:present|there|here)))[^\n]{{0,60}}\b{_ALONE}"
)
_SAT_OUT = later(
    rf"\b{_PATIENT}(?: \([^()\n]{{1,20}}\))? (?:(?:had )?(?:refused|declined) to (?:(?:come in|join|enter"
    r")(?: (?:the|this) (?:session|room|meeting)| us)?(?=[ ]*(?:[.,;\n]|and |today|but ))"
    r"|leave the (?:car|waiting room))"
    r"|(?:was|stayed|remained|waited|sat)(?: out)? in (?:the |his |her |their )?(?:car|waiting room"
    r"|waiting area|lobby|hallway)(?= throughout| (?:for )?the (?:whole|entire)| during the session"
    r"|[ ]*[.;\n]))"
)
# Of another day or place, or only told.
_TOLD = later(
    r"\b(?:last|yesterday|often|usually|school|when|while|reports?|reported|said|says|described|mother says"
    r"|because|week|weekend)\b[^.;\n]*\Z"
)
_HERE = later(
    rf"\b(?:with|and|present:?|attended by|seen:?) (?:the )?{_PATIENT}\b(?!')|,? {_PATIENT} present\b"
    rf"|\b{_PATIENT} (?:and|,) (?:his |her )?{RELATIVE}\b"
)
_LEFT = later(
    rf"\b{_PATIENT} (?:walked out|left|stormed out|stepped out)\b[^.;\n]{{0,50}}\b(?:did not|didn't|never)"
    r" (?:return|come back|rejoin)"
)
_CAME_AFTER_ALL = later(
    r" (?:while|for (?:the )?first)\b"
    r"|[^\n]{0,100}\b(?:then (?:joined|came|agreed)|eventually|joined (?:us|the|after|for)|came in|at first"
    r"|initially|for the (?:first|last))\b"
)
_SAT_OUT_WORDS = (
    "waiting room", "waiting area", "the car", "his car", "her car", "their car", "in car",
    "lobby", "hallway", "refused to", "declined to",
)  # fmt: skip
_STAYED_AWAY = later(
    rf"\b{_PATIENT}(?: \([^()\n]{{1,20}}\))?(?: was a)? (?:{_NOT_THERE}|did not take part)[^\n.;]{{0,20}}"
)
_ONE_OF_THEM = later(
    r"\b(?:one|two|three|four|\d|an?other|an?) (?:group )?(?:member|client|participant)s? \Z"
)
_OTHERS_SEEN = later(
    rf"\bwith (?:both |his |her |their |the |client's |pt's )*{RELATIVE}\b(?!'|[^.,;\n]{{0,40}}"
    rf"\b(?:scheduled|planned|booked|{_NOT_THERE})|,? who\b)"
    rf"|\b{RELATIVE} (?:only |alone |were |was |both ){{0,2}}(?:seen|present|attended|met|participated"
    r"|joined)\b"
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
_LONG = later(r"\d[ -]?(?:min|m\b|hour|hr)|\d:\d\d|\bhour\b|\bminutes\b")
_BEFORE, _MOST = 40, 2000


class Stayed(NamedTuple):
    """What became of a shared session: held with the patient alone, without the patient, in doubt."""

    alone: bool = False
    without: bool = False
    doubtful: bool = False


def stayed_away(plain: str) -> Stayed:
    """Whether a family, couples or group session became another because somebody stayed away or left."""
    head = plain[:_MOST]
    alone = (
        any(word in head for word in _INSTEAD_WORDS)
        and any(word in head for word in _AWAY_WORDS)
        and _TURNED.search(head) is not None
    )
    sat_out = None
    if any(word in head for word in _SAT_OUT_WORDS):
        sat_out = _SAT_OUT.search(head)
        if sat_out is not None and (
            _CAME_AFTER_ALL.match(head, sat_out.end())
            or _TOLD.search(head, max(0, sat_out.start() - _BEFORE), sat_out.start())
        ):
            sat_out = None
    left = _LEFT.search(head) if "return" in head or "come back" in head or "rejoin" in head else None
    without = sat_out is not None or left is not None
    return Stayed(alone, without, left is not None or (without and _HERE.search(head) is not None))


def held_without(plain: str, kind: str | None, missed: Cue) -> bool:
    """Whether the words of a missed visit are of one who stayed away from a session that others had."""
    before = plain[max(0, missed.start - _BEFORE) : missed.start]
    words = plain[missed.start : missed.end]
    if not _LONG.search(plain, 0, _MOST) or any(word in plain for word in _CALLED_OFF):
        return False
    if kind == "group":
        return _ONE_OF_THEM.search(before + words.partition("did")[0]) is not None
    if kind not in ("family", "couples"):
        return False
    stayed = _STAYED_AWAY.search(plain, max(0, missed.start - _BEFORE), missed.end + _BEFORE)
    return stayed is not None and _OTHERS_SEEN.search(plain, 0, _MOST) is not None
