"""A note that says in its own way that no session took place, or that its time went into something else."""

import re

from billing.notes.decision.session_words import session_words
from billing.notes.later import later
from billing.notes.reading import Reading

_VISIT = r"(?:session|visit|appointment|appt|intake|hour|meeting|encounter)"
_THEY = r"(?:s?he|they|(?:the )?(?:client|patient|pt|ct|youth|family|couple)|nobody|no one)"
_NOT = r"(?:did not|didn't|never|could not|couldn't|would not|wouldn't|was not|wasn't)"
_BEGINS = r"(?:\A|[.:\n])[ ]*"
# What says it of the visit by itself.
_SAID = later(
    "|".join(
        (
            rf"\b{_VISIT} (?:(?:did not|didn't|never) (?:take place|took place|happen(?:ed)?)"
            r"|(?:was |were )?not (?:held|kept|done|completed)|(?:was |is )?void(?:ed)?"
            r"|(?:was |had to be )?(?:rescheduled|cancell?ed))\b",
            r"\bwe (?:(?:did not|didn't|could not|couldn't) (?:meet|connect|get to meet)"
            r"|never (?:met|connected))\b(?! (?:last|on|for|since|until|again|with))",
            r"\bno (?:session|visit|service|therapy) (?:this|that) day\b",
            rf"\b{_THEY} (?:refused|declined) (?:the|today's|this) {_VISIT}\b",
            rf"{_BEGINS}{_THEY} (?:(?:left|went home) before (?:being seen|we (?:began|started|could))"
            r"|(?:arrived but |came but )?refused to come in)\b",
            r"\b(?:late|same[- ]day) cancel(?:lation)?\b",
            r"\bcancell?ed same day\b",
            r"\b(?:pt|client|patient) n\.?s\.?(?=[.,;\n]|\Z)",
            r"\bncns\b",
            r"\btoo late to be seen\b",
            r"\bcould only reschedule\b",
            r"\bended it (?:then|there)\b",
            r"\bgave up at that point\b",
            r"\bon the day of this appointment\b",
            r"\bhad no appointment with me\b",
            r"\bnot seen for therapy\b",
            r"\b(?:not|n't) (?:really )?(?:call|consider) (?:this|it) a session\b",
            # of somebody else
            r"\b(?:note is for|concern(?:s|ed)) (?:another|a different)\b",
            r"\bcreated by mistake\b",
            # by somebody else, or of another kind
            r"\bin my place\b",
            r"\b(?:isn't|is not|wasn't|not yet) (?:credentialed|licensed)\b",
            r"\bno licensed person\b",
            r"\bpsychotherapy is with\b",
            r"\bnot addressed in this visit\b",
            r"\be/m level\b",
            r"\bsupervision hours\b",
            r"\btransport log\b",
            # not for the bill
            r"\bno bill\b(?! for)",
            r"\b(?:don't|do not|won't|will not) charge\b",
            r"\bno charge to (?:the )?(?:insur\w+|plan|him|her|client)\b",
            r"\bnothing (?:is )?to (?:go out|be billed)\b",
        )
    )
)
# What says it in a note that tells nothing of a session.
_HINTED = later(
    "|".join(
        (
            r"\bwe resched\w+",
            rf"{_BEGINS}(?:(?:{_VISIT} )?resched\w+|cancell?ed)(?= (?:at|by|same|today|to|via)\b|[.;\n])",
            r"\bmoved to (?:mon|tues?|wed|thur?s?|fri|sat|sun)\b(?!day)",
            r"\bslot [a-z]+ held\b",
            r"\bi (?:was (?:ill|sick) and )?cancell?ed(?=[.;\n]|\Z)",
            rf"{_BEGINS}i was (?:out|away|ill|sick|off)\b",
            r"\bwas to have been\b",
            r"\bno[- ]?show(?:ed)?(?=[.,;\n]|\Z)",
            rf"{_BEGINS}(?:snow day,? )?(?:office|clinic|building) (?:was |is )?closed\b",
            r"\bpower was out and\b",
            r"\bevacuated to the\b",
            r"\bwaited (?:the |a )?(?:full |whole )?(?:hour|[3-6]\d min)",
            rf"\b{_THEY} {_NOT} (?:make it|arrive|appear|come|show|be in)\b",
            r"\bforgot(?:[.,;]| (?:the|today's|his|her) appointment[.;\n])",
            r"\b(?:texted|called|phoned|wrote|emailed)\b[^.;\n]{0,40}"
            r"\b(?:could not|couldn't|would not|wouldn't|can't|cannot|won't|not)"
            r" (?:come|be in|be here|make it|attend)\b",
            r"\b(?:nobody|no one) (?:answered|came(?=[.;\n])|was (?:there|home))\b",
            r"\b(?:was|were|client|pt) not (?:at )?home\b",
            r"\bclient not found\b",
            r"\b(?:client|pt|ct|patient|m(?:r|s|rs)\.? \w+) not here\b",
            r"\b(?:turned away|and went home|was gone by|shook hands at the door)\b",
            r"\b(?:outreach|home visit) attempt",
            rf"{_BEGINS}(?:her|his|their) [a-z]+ came instead\b",
            r"\b(?:left a voicemail|rang out|empty screen|connect at all)\b",
            r"\b(?:link|platform|video) failed and\b",
            rf"{_BEGINS}wrong chart\b",
            r"\bdeclined today's\b",
            r"\b(?:collateral|scheduling|administrative|paperwork|chart review|records? review|documentation)"
            r" (?:call )?only\b",
            r"\b(?:used for documentation|reviewed records|case consultation|blocked \d+ min)\b",
            r"\bto dr\.? [a-z]+ for consultation\b",
            rf"(?:{_BEGINS}|\bwas a )(?:phone )?call with (?:the )?(?:pharmacy|school|insur\w+|pcp|court)",
            r"\bto confirm the appointment\b",
            r"\bpicked (?:ct|client|pt|patient|him|her|them) up (?:in|at|from)\b",
            r"\b(?:practicum student|intern)\b[^.;\n]{0,20}\bsat with\b",
        )
    )
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
    r"|went (?:over|through|back)|made|set|agreed|began|read)"
    r"|\b(?:reports?|reported|states?|stated|explored|processed|practiced|discussed|cbt|dbt"
    r"|emdr|erp|exposure|validat\w+|refram\w+|tearful|affect|mood|engaged|participat\w+|suds|phq"
    r"|gad-7|si/hi|homework|intervention)\b"
)
_BEFORE = 90
_LETTERS, _A_WORD = re.compile("[a-z]"), 12


def was_not_held(reading: Reading, *, individual: bool, timed: bool) -> bool:
    """Whether it says so of this visit: anywhere in plain words; where its minutes would be billed as an
    individual session's, by a hint in a note that tells nothing of one, or by all of its words together where
    no other than the request tells a length (`timed`)."""
    plain = reading.plain
    for at in reading.hints.get("not_held", ()):
        said = _SAID.search(plain, max(0, at - _BEFORE), at + _BEFORE)
        if said and not _is_of_another(reading, said):
            return True
    if not individual:
        return False
    if timed and session_words().tells_of_none(reading.tokens.words):
        return True
    places = reading.hints.get("hinted", ())
    if not places or _AT_WORK.search(plain) is not None:
        return False
    for at in places:
        hinted = _HINTED.search(plain, max(0, at - _BEFORE), at + _BEFORE)
        if hinted and not _is_of_another(reading, hinted):
            return True
    return False


def _is_of_another(reading: Reading, said: re.Match[str]) -> bool:
    plain, end = reading.plain, said.end()
    start = end - len(said[0].lstrip(" .:\n"))
    return (
        _ELSEWHEN.search(plain, max(0, start - _BEFORE), start) is not None
        or _MADE_UP.match(plain, end) is not None
        or reading.layout.ticked(plain, start, end) is False
    )


def is_disputed(reading: Reading) -> bool:
    """Whether it plainly tells of a session though a sentence in it says that one was missed: `Her
    dietitian's appt was missed`; a line or a field that says nothing else says it of this visit."""
    cue, plain = reading.visit.no_service, reading.plain
    if reading.visit.rendered or cue is None or not session_words().tells_of_one(reading.tokens.words):
        return False
    start = plain.rfind("\n", 0, cue.start) + 1
    end = plain.find("\n", cue.end)
    beside = plain[start : cue.start] + plain[cue.end : end if end >= 0 else len(plain)]
    return len(_LETTERS.findall(beside.replace("status", ""))) > _A_WORD
