"""Whether the visit took place at all, or was missed, cancelled or not to be billed."""

import re
from collections.abc import Sequence

from billing.notes.later import later
from billing.notes.page.layout import Layout
from billing.notes.text.kin import RELATIVE
from billing.notes.visit.modality import Cue

_NOT_THIS_MISSED = later(
    r"\b(?:next|another|other|last|previous|prior|past|one|two|three|four|recent|history of|several"
    r"|multiple|no|if"
    r"|after|avoid|reduce|policy|fee|week's|month|friend|he|she|husband|wife|mother|father|partner"
    r"|sister|brother|dentist|dental|doctor|doctor's|pcp|court|flight|psychiatry|medical|testing|group|class"
    r"|zero|0)\b[^.\n]{0,40}$"
)
# `Client attended after last week's no-show`
_OF_ANOTHER_DAY = later(
    r"\b(?:(?:last|previous|prior) (?:week|month|time|visit|session)(?:'s)?|after (?:an?|two|three|her|his)"
    r"|previous|prior|recent|past) \Z"
)
# `Ran long as the last client canceled`, `because my 3:00 client no-showed`: the hour of somebody else
_ANOTHERS_HOUR = later(
    r"\b(?:(?:last|next|previous|prior|following|earlier|later|other|another)"
    r"|(?:as|because|since|when|after) (?:my|the|an?) (?:noon|\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?"
    r"(?: o'clock)?)) (?:client|patient|pt|ct|family|couple|member)\b(?: (?:after|before) (?:her|him|them"
    r"|this one))?"
    r"(?:'s)?(?: had| has| also)*[^.;\n]{0,16}\Z"
    r"|\bthe (?:client|patient|pt|one|person) (?:right )?(?:after|before|behind|ahead of) (?:her|him|them"
    r"|this one)(?: had| has)?[^.;\n]{0,16}\Z"
)
# The patient stayed away from the office, and was seen in another way.
_HELD_AFTER_ALL = later(
    r"[^.\n]{0,120}\b(?:session|visit|appointment|intake|we) (?:was |were )?(?:then |still )?(?:held|done"
    r"|conducted"
    r"|completed|took place|moved|switched|converted|met|spoke)\b"
    # `Home visit was canceled and client came to the office`
    r"|[^.\n]{0,60}(?:[,;] |\b(?:and|but|so) )(?:the )?(?:client|patient|pt|ct|she|he|they|family)"
    r" (?:then |instead )?(?:came (?:in\b|here|today|instead|to (?:the|my|our) (?:office|clinic))"
    r"|was seen\b|drove in\b|walked in\b)"
    # `Wife did not come; met with husband alone`, `no-showed group but came for her individual`
    r"|[^.\n]{0,40}(?:[,;] |\b(?:and|but|so) )(?:i |we )?(?:met|saw|worked)\b[^.;\n]{0,40}"
    r"\b(?:alone|individually|1:1|by (?:him|her|them)self)\b"
    r"|[^.\n]{0,40}\bbut (?:then )?came (?:for|to) (?:his|her|their|the|today's) [^.;\n]{0,24}"
    r"\b(?:individual|session|appointment|visit)\b"
)
# `Family session, patient and mother. Father did not come.`
_A_RELATIVE = later(rf"(?:\A|[.;:\n])[ ]*(?:(?:his|her|their|the) )?{RELATIVE} (?:also |then )?\Z")
# `Her husband was kept at the plant and did not come`
_OF_A_RELATIVE = later(
    r"\b(?:his|her|their|the) (?:husband|wife|spouse|partner|mother|mom|father|dad|boyfriend|girlfriend)"
    r"(?! (?:says|said|called))\b[^.;\n]{0,40}\Z"
)
# `His aunt stayed in the vestibule, as rehearsed, and did not come in`, where the note goes on at length
_OF_KIN = later(
    rf"\b(?:his|her|their|the) (?!family\b)(?:[a-z]+ )?{RELATIVE}\b(?! (?:says|said|called|phoned|texted"
    r"|wrote))(?![^.;\n]*(?:, |\b(?:and|but|so) )(?:the )?(?:client|patient|pt|ct|s?he|they)\b)"
    r"(?![^.;\n]*\b(?:that|because|if|whether)\b)[^.;\n]{0,80}\Z"
)
# `Skills training group cancelled`, by which the note opens
_A_GROUP = later(
    r"[ *#-]*(?!(?:her|his|their|the|another)\b)[a-z \d-]{0,30}\bgroup(?: session)?(?: was |:? )\Z"
)
_HELD_SINGLY = later(r"[^.\n]{0,80}\b(?:saw|met|seen|individual\w*|one[- ](?:on|to)[- ]one|1:1|instead)\b")
_THE_REST = later(
    r"\b(?:with|present|attended|seen):? (?:the )?(?:client|patient|pt|ct|ip|child)\b|"
    r"\b(?:client|patient|pt|ct|ip|child)\b[^.;\n]{0,60}\bpresent\b"
)
_OF_THEM = later(rf"\b(?!family){RELATIVE}\b")
_ONLY_PLANNED = later(
    r"\b(?:scheduled|booked|planned|expected|invited|asked|(?:was|were) to)\b[^.;\n]*[.;:\n]?[ ]*\Z"
)
_ABOVE = 200
# By itself a word of anybody's plans.
_ALONE = frozenset(
    ("cancelled", "canceled", "cxl", "cxld", "cxl'd", "rescheduled", "missed", "void", "voided", "ns",
     "cancelled by", "canceled by", "cancelled today", "canceled today")
)  # fmt: skip
_STATUS = (
    r"(?:(?:appointment|appt|visit|session|attendance|encounter)(?: status)?|status|outcome|disposition)"
)
# `Cancelled` as the value of a field, in a line or in the cell beside its name.
_IS_VALUE = later(rf"(?:\A|\||[ ]{{2}})[ *-]*{_STATUS}[ ]*(?:[:=|-]|[ ]{{2}})[ ]*\Z")
_IS_LINE = later(r"\A[ *-]*\Z")
# Above a line that is nothing else: an end of what was told, and not `Last visit`, `Her flight got`.
_STANDS_APART = later(
    r"(?:\A|[.!]|\n[ ]*|(?:\A|\n)(?![^\n]*\b(?:last|prior|previous|next|group|other|past)\b)"
    r"(?:[^\n:]{1,40}:[ ]*[^\s:][^\n]*"
    r"|[^\n]{0,40}\b(?:note|session|visit|appointment|appt|therapy|psychotherapy|status|attendance)[ ]*:?))"
    r"[ ]*\n\Z"
)
# The only row under the names of its columns.
_IS_ROW = later(r"\bstatus\b[^\n]*\n(?:[-|:+= ]*\n)?[^\n]*\Z")
_ENDS_ROW = later(r"[^\n]*(?:\n(?![^\n]*\|)|\Z)")
_ENDS_THERE = later(
    r"(?: (?:(?:by )?(?:the )?(?:client|pt|patient|parent|provider|therapist|clinician|office)|today"
    r"|(?:(?:to|for) )?(?:\d{1,2}/\d{1,2}(?:/\d{2,4})?|next week|tomorrow"
    r"|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)"
    r"))?[ ]?[.!]?(?:[ ]*(?:\n|\||\Z)|[ ]{2})"
)
_BY_WHOM = frozenset(
    f"{word} {by}"
    for word in ("cancelled", "canceled", "cx", "cx'd")
    for by in ("by", "today", "late", "same day")
)
_OPENS_WITHIN = 160
_TITLE_WITHIN = 44
_A_STORY = 240
_NEVER_CAME = later(
    r"(?:did not|didn't) (?:come|appear|arrive|show)(?: in| up| today| at all)*[ ]*(?:[.;\n]|\Z)"
)
# `Non-billable: 10 min`
_SO_MUCH_OF_IT = later(r"[ ]?(?:time|minutes|hours|activit\w+|work|portion)\b|[^.;\n]{0,14}\d+[ ]?(?:m|h)")
_A_POLICY = later(r"[ ]*(?:polic|fee|s?\b[^\n]{0,20}\b(?:reviewed|discussed|policy))")
# `Attendance: absent`, `Client present: no`, `Attendance: [ ] present [x] absent`
_ATTENDANCE = later(
    r"(?:\A|[\n|.;]|[ ]{2})[ *-]*(?:(?P<whose>client|patient|pt|ct|member)(?:'s attendance"
    r"| (?:attended|present|attendance))|(?:(?:today's|session|visit|appointment|appt) )?"
    r"(?:attendance(?: status)?|(?<=\n)attended))"
    r"\??[ ]*(?:[:=|-]|[ ]{2})[ ]*"
    r"(?P<said>(?:[\[(\u2610][ _]?[\])]?[ ]?(?:present|attended|yes|y)[ ,/|]*(?:\[[ ]?[x\u2611][ ]?\]|\([x]\)"
    r"|\u2611)[ ]?)?(?:(?:un)?excused |was )?(?:absent|absence|no|no,? did not attend)(?: today)?)"
    r"(?=[ ]*(?:[,-][ ]*(?:(?:un)?excused|no call)|\([^()\n]{1,40}\))?[ ]*(?:[.;|\n]|[ ]{2}|\Z))"
)
_FIELD_BEFORE, _FIELD_BEHIND = 40, 120


# `Client is 34 and partnered; partner did not attend`
_WHO_STAYED = later(rf"\b(?!son|daughter|brother|sister|sibling){RELATIVE} (?:also |then )?\Z")


def of_a_relative(plain: str, at: int) -> bool:
    """Whether it is a relative who is told, from an offset on, not to have come."""
    return _WHO_STAYED.search(plain, max(0, at - _TITLE_WITHIN), at) is not None


def said_absent(plain: str, kind: str | None, places: Sequence[int]) -> Cue | None:
    """The field of a form that says that nobody came; in a family's session it may say so of the patient.
    `places` is where the words of such fields begin."""
    for at in places:
        field = _ATTENDANCE.search(plain, max(0, at - _FIELD_BEFORE), at + _FIELD_BEHIND)
        if field is not None and not (field["whose"] and kind in ("family", "couples")):
            return Cue("no_service", *field.span("said"), 3)
    return None


def missed_visit(plain: str, layout: Layout, cues: list[Cue]) -> Cue | None:
    """The words that say the visit did not take place, unless they speak of another day or a policy."""
    for cue in cues:
        line_start = plain.rfind("\n", max(0, cue.start - 400), cue.start) + 1
        before = plain[max(line_start, cue.start - 50) : cue.start]
        after = plain[cue.end : cue.end + 50]
        if layout.ticked(plain, cue.start, cue.end) is True:
            return cue
        words = plain[cue.start : cue.end]
        if _OF_ANOTHER_DAY.search(before) or _ANOTHERS_HOUR.search(before + words):
            continue
        if (
            cue.start - layout.title[0] <= _TITLE_WITHIN
            and words.startswith("cancel")
            and _A_GROUP.match(plain, layout.title[0], cue.start)
            and not _HELD_SINGLY.match(plain, cue.end)
        ):
            return cue
        if words in _ALONE and layout.at(cue.start) != "status":
            if _stands_alone(plain, cue, before) and _ENDS_THERE.match(plain, cue.end):
                return cue
            if " " not in words:
                continue
        alone = _A_RELATIVE.search(before)
        if alone is not None and _rest_came(plain, cue.start - len(before) + alone.start()):
            continue
        if _HELD_AFTER_ALL.match(after_all := plain[cue.end : cue.end + 160]):
            continue
        if (
            cue.start <= _OPENS_WITHIN
            and _NEVER_CAME.match(words + after_all)
            and not _of_another(plain, max(line_start, cue.start - 2 * _OPENS_WITHIN), cue)
        ) or (
            cue.start == layout.title[0]
            and (words.startswith("missed") or words in _BY_WHOM)
            and not _A_POLICY.match(after_all)
        ):
            return cue
        if _NOT_THIS_MISSED.search(before) and not re.search(
            r"\b(?:client|cl|clt|pt|patient|ct)\b(?!'s)", before + " " + words
        ):
            continue
        if re.match(
            r"[^.\n]{0,30}\b(?:policy|fee|last (?:week|month|session)|previously|rate|charge policy|due to "
            r"the|to (?:work|school|class|dinner|group)|in the past|twice|two weeks ago|reviewed|with "
            r"(?:friends|his|her))\b",
            after,
        ):
            continue
        if "no charge" in words or "bill" in words:
            if _SO_MUCH_OF_IT.match(after):
                continue
            if cue.weight >= 1:
                return cue
            continue
        if words.startswith(
            (
                "no show",
                "no-show",
                "noshow",
                "dna",
                "dnka",
                "n/s",
                "late",
                "same",
                "client",
                "pt",
                "patient",
                "session",
                "appointment",
                "appt",
                "visit",
                "no clinical",
                "no contact",
                "no session",
                "no service",
                "not a",
            )
        ):
            return cue
        if re.search(
            r"\b(?:client|cl|clt|consumer|student|pt|patient|ct|he|she|they|mr|ms|mrs|family|couple|member"
            r"|youth"
            r"|parents?)\b\.?[^.\n]{0,40}$",
            before,
        ) and (
            re.match(r"[^.\n]{0,40}\b(?:session|appointment|appt|visit|today|scheduled|intake|for)\b", after)
            or re.search(r"session|appointment|appt|visit|show|attend", words)
        ):
            return cue
    return None


def _of_another(plain: str, since: int, cue: Cue) -> bool:
    """Whether a relative stayed away, alone in a short note, or in one that tells of the visit behind it."""
    if _OF_A_RELATIVE.search(plain, max(since, cue.start - 50), cue.start):
        return True
    return len(plain) - cue.end > _A_STORY and _OF_KIN.search(plain, since, cue.start) is not None


def _rest_came(plain: str, end: int) -> bool:
    """Whether the patient and somebody else are told to have been there, before one who was not."""
    since = max(0, end - _ABOVE)
    return (
        _THE_REST.search(plain, since, end) is not None
        and _OF_THEM.search(plain, since, end) is not None
        and _ONLY_PLANNED.search(plain, since, end + 1) is None
    )


def _stands_alone(plain: str, cue: Cue, before: str) -> bool:
    """Whether a word of a missed visit is a status: a field's value, a line, the only row of a table."""
    if _IS_VALUE.search(before):
        return True
    above = plain[max(0, cue.start - _ABOVE) : cue.start]
    if "|" in before:
        return _IS_ROW.search(above) is not None and _ENDS_ROW.match(plain, cue.end) is not None
    return (
        _IS_LINE.match(before) is not None
        and _STANDS_APART.search(above[: len(above) - len(before)] or "\n") is not None
    )
