"""Groups that a title or a field names, and those that somebody only comes from."""

from billing.notes.later import later
from billing.notes.page.layout import Layout
from billing.notes.text.spoken import NUMBER_WORD
from billing.notes.visit.modality import Cue

# `His support group`: somebody's own, unless it was attended here.
OWN = later(r"\b(?:(?:client|patient|pt)'s|his|her|their|the church's|a friend's|an?other) (?:\w+ ){0,2}\Z")
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


def named_group(plain: str, layout: Layout) -> list[Cue]:
    """`Buprenorphine Stabilization Group (5 members)`: a title that ends in the word, and tells who came or
    which week of it this is."""
    left, right = layout.title
    at = plain.find("group", left, right)
    if at <= left or not _GROUP_TITLE.match(plain, at):
        return []
    near = ATTENDED.search(plain, at, at + NEAR_LABEL) or _WEEK_OF.match(plain, at)
    own = OWN.search(plain, left, at) or ARRIVED_FROM.search(plain, left, at)
    return [Cue("group", at, at + len("group"), 4)] if near and not own else []


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
    """`A post she drafted for the online group`: whether a sentence speaks of some group."""
    return (
        plain.endswith("group", start, end)
        and _IN_A_SENTENCE.search(plain, max(0, start - 2), start) is not None
    )


def is_held_here(plain: str) -> bool:
    """Whether a note has a word of one that documents a group."""
    return any(map(plain.__contains__, _HELD_HERE))
