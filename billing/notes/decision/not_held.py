"""A note that says in its own way that no session took place, or that its time went into something else."""

import re

from billing.notes.later import later
from billing.notes.reading import Reading

_VISIT = r"(?:session|visit|appointment|appt|intake|hour|meeting|encounter)"
_THEY = r"(?:s?he|they|(?:the )?(?:client|patient|pt|ct|youth|family|couple)|nobody|no one)"
_NOT = r"(?:did not|didn't|never|could not|couldn't|would not|wouldn't|was not|wasn't)"
_BEGINS = r"(?:\A|[.:\n])[ ]*"
# What says it of the visit by itself.
_SAID = later(
    rf"\b{_VISIT} (?:(?:did not|didn't|never) (?:ever )?(?:take place|took place|happen(?:ed)?|occur(?:red)?)"
    r"|(?:was |were )?not (?:held|kept|done|completed)|(?:was |is )?void(?:ed)?"
    r"|(?:was |had to be )?(?:rescheduled|cancell?ed))\b"
    r"|\bwe (?:(?:did not|didn't|could not|couldn't) (?:meet|connect|get to meet)"
    r"|never (?:met|connected))\b(?! (?:last|on|for|since|until|again|with))"
    r"|\bno (?:session|visit|service|therapy) (?:this|that) day\b|\bnote is for (?:another|a different)\b"
    rf"|\b{_THEY} (?:refused|declined) (?:the|today's|this) {_VISIT}\b|\btoo late to be seen"
    rf"|{_BEGINS}{_THEY} (?:(?:left|went home) before (?:being seen|we (?:began|started|could))"
    r"|(?:arrived but |came but )?refused to come in)\b"
    r"|\bcould only reschedule\b|\b(?:late|same[- ]day) cancel(?:lation)?\b|\bcancell?ed same day\b"
    r"|\b(?:pt|client|patient) n\.?s\.?(?=[.,;\n]|\Z)|\bncns\b"
)
# What says it in a note that tells nothing of a session.
_HINTED = later(
    rf"\bwe resched\w+|{_BEGINS}(?:(?:(?:{_VISIT} )?resched\w+|cancell?ed)(?= (?:at|by|same|today|to"
    r"|via)\b|[.;\n])|(?:her|his|their) [a-z]+ came instead\b"
    r"|(?:snow day,? )?(?:office|clinic|building) (?:was |is )?closed\b|wrong chart\b)"
    r"|\bi (?:was (?:ill|sick) and )?cancell?ed(?=[.;\n]|\Z)|\bno[- ]?show(?:ed)?(?=[.,;\n]|\Z)"
    r"|\bwaited (?:the |a )?(?:full |whole )?(?:hour|[3-6]\d min)"
    rf"|\b{_THEY} {_NOT} (?:make it|arrive|appear|come|show|be in)\b"
    r"|\bforgot(?:[.,;]| (?:the|today's|his|her) appointment[.;\n])"
    r"|\b(?:texted|called|phoned|wrote|emailed)\b[^.;\n]{0,40}"
    r"\b(?:could not|couldn't|would not|wouldn't|can't|cannot|won't|not)"
    r" (?:come|be in|be here|make it|attend)\b"
    r"|\b(?:nobody|no one) (?:answered|came(?=[.;\n])|was (?:there|home))\b"
    r"|\b(?:was|were|client|pt) not (?:at )?home\b|\bclient not found\b|\bturned away\b|\band went home\b"
    r"|\b(?:came|come) instead\b|\bleft a voicemail\b"
    r"|\bempty screen\b|\bconnect at all\b|\b(?:link|platform|video) failed and\b|\bpower was out and\b"
    r"|\bnever connected\b|\b(?:collateral|scheduling|administrative|paperwork|chart review|records? review"
    r"|documentation) (?:call )?only\b|\bused for documentation\b|\breviewed records\b|\bcase consultation\b"
    rf"|(?:{_BEGINS}|\bwas a )(?:phone )?call with (?:the )?(?:pharmacy|school|insur\w+|pcp|court)"
    r"|\bto confirm the appointment\b|\boutreach attempt\b|\bhome visit attempted\b|\bdeclined today's\b"
)
_ELSEWHEN = later(
    r"\b(?:last|previous|prior|past|next|earlier|another|other|her|his|their|couples?"
    r"|(?:yester|mon|tues|wednes|thurs|fri|satur|sun)day(?:'s)?|family|group|school|psychiatr\w+|doctor|pcp"
    r"|court|dentist|policy|if|when|because|after|since|had|were|\d{1,2}/\d{1,2})\b[^.;]{0,60}\Z"
)
_MADE_UP = later(
    r" at first\b|[^.;\n]{0,80}\b(?:but|so|and|then)\b[^.;\n]{0,40}\b(?:met with|(?:we|i) (?:met|saw|spoke"
    r"|talked|did|held|moved|switched|worked|used)|(?:client|patient|pt|ct|s?he|they) came)\b"
    r"|[^.;\n]{0,40}\b(?:last|previous|yesterday|ago|twice"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
# What tells that a patient was there and at work.
_AT_WORK = later(
    r"\b(?:we|i) (?:worked|talked|practi[sc]ed|explored|reviewed|processed|discussed|did|used|looked|spent"
    r"|went|made|set|agreed|began|read)"
    r"|\b(?:reports?|reported|states?|stated|denie[sd]|denying|explored|processed|practiced|discussed|cbt|dbt"
    r"|emdr|erp|exposure|validat\w+|refram\w+|tearful|affect|mood|oriented|engaged|participat\w+|suds|phq"
    r"|gad-7|si/hi|homework|intervention)\b"
)
_BEFORE = 90


def was_not_held(reading: Reading, *, individual: bool) -> bool:
    """Whether it says so of this visit: anywhere in plain words, by a hint where nothing tells of a session
    and its minutes would be billed as an individual one's."""
    plain = reading.plain
    for at in reading.hints.get("not_held", ()):
        said = _SAID.search(plain, max(0, at - _BEFORE), at + _BEFORE)
        if said and not _is_of_another(reading, said):
            return True
    if not individual or _AT_WORK.search(plain):
        return False
    hinted = _HINTED.search(plain)
    return hinted is not None and not _is_of_another(reading, hinted)


def _is_of_another(reading: Reading, said: re.Match[str]) -> bool:
    plain, end = reading.plain, said.end()
    start = end - len(said[0].lstrip(" .:\n"))
    return (
        _ELSEWHEN.search(plain, max(0, start - _BEFORE), start) is not None
        or _MADE_UP.match(plain, end) is not None
        or reading.layout.ticked(plain, start, end) is False
    )
