"""Whether a note asks how, or whether, its visit is to be billed, or says that no therapy was given."""

import re
from collections.abc import Iterator

from billing.notes.later import later
from billing.notes.reading import Reading
from billing.notes.text.kin import RELATIVE
from billing.notes.text.sentences import sentence_round

# `Unsure whether today can be billed`, `holding for compliance`, `Coder: please advise`
_ASKS = later(
    r"\b(?:unsure|not sure|unclear(?: to me)?|uncertain|(?:do not|don't) know|undecided|not certain)\b"
    r"[^.;\n]{0,70}\b(?:bill(?:ed|able|ing)?|coded?|coding|claim(?:ed)?|charged?|chart this|report(?:ed)? as"
    r"|be reported|reimbursed|pays)\b"
    r"|\b(?:please (?:advise|check|confirm|review|clarify)|advise please)\b[^.;\n]{0,30}"
    r"\b(?:before|submit\w*|bill\w*|cod(?:e|er|ing)|claim)\b"
    r"|\b(?:coder|biller|billing staff|billing dept|billing department)[:,] "
    r"|\bhold(?:ing)? (?:(?:this|the|claim|note|it|today's|bill) ){0,2}(?:for|until|pending) (?:compliance"
    r"|billing)|\blook into (?:the )?charges\b|\bcheck with (?:billing|compliance)\b"
)
# `No psychotherapy in this contact`, `no intervention given`
_NONE_GIVEN = later(
    r"(?<!when )\bno (?:psychotherapy|therapy|treatment|interventions?|counseling|therapeutic work)"
    r"(?: (?:session|service|interventions?|work))?"
    r"(?:(?: (?:was|were|has been))? (?:given|provided|done|delivered|rendered|started|conducted|attempted"
    r"|held)| (?:in|during|at|on) this (?:contact|visit|session|encounter|call|appointment|date))\b"
    r"(?! (?:by|with|at|in) (?:the|her|his|their|another))"
)
_PATIENT = (
    r"(?:(?:the )?(?:client|patient|pt|ct|child|teen)"
    rf"|(?!{RELATIVE}|nobody|who|it\b|improvement|change)[a-z]+)"
)
# `Ilse was not seen`, `he was not present and did not take part`, `no session with the client this week`
_NOT_SEEN = later(
    rf"(?:\A|[.;:\n])[ ]*{_PATIENT} (?:(?:her|him)self )?(?:(?:was|were) not|wasn't) (?:seen|present|invited"
    r"|on the call)"
    r"(?=[ ]*(?:[.,;\n]|\Z|and\b|today\b|this (?:visit|session|time)))"
    rf"|\b{RELATIVE}s? and [a-z]+ not on the call\b"
    r"|\bno (?:session|visit|appointment) with (?:the )?(?:client|patient|pt|ct|him|her|them)"
    r" (?:today|this week|took place|was held)\b"
    r"|\bcame (?:in )?without (?:him|her|them|the (?:client|patient|child))"
    r"(?=[ ]*(?:[.,;\n]|\Z|and\b|because\b|today\b))"
)
# `The line dropped from 3:15 to 3:22 and no therapy was done`
_A_PART = later(r"\d")
_ROUND = 90


def asks_about_billing(reading: Reading) -> bool:
    """Whether the clinician asks whoever bills."""
    return any(_told(reading, "asks_billing", _ASKS))


def says_none_given(reading: Reading) -> bool:
    """Whether it is told that no therapy was given, or that the patient wasn't there."""
    return any(
        not _A_PART.search(sentence_round(reading.plain, *none.span())[0])
        for none in _told(reading, "none_given", _NONE_GIVEN)
    ) or any(_told(reading, "not_seen", _NOT_SEEN))


# `[x] Telehealth  [x] In office`, `[x] Diagnostic evaluation  [x] Individual psychotherapy`
_BOX = r"\[ ?x ?\][ ]?"
_TWO_BOXES = later(
    rf"{_BOX}(?:telehealth|video|virtual)\b[^\n\[]{{0,24}}{_BOX}(?:in[- ])?(?:office|person|clinic)\b"
    rf"|{_BOX}(?:in[- ])?(?:office|person|clinic)\b[^\n\[]{{0,24}}{_BOX}(?:telehealth|video|virtual)\b"
    rf"|{_BOX}(?:initial |diagnostic |psychiatric )*(?:evaluation|intake|assessment)\b"
    rf"[^\n\[]{{0,24}}{_BOX}individual\b"
)
# A crisis is not what the calendar had.
_SCHEDULED = later(
    r"(?<!un)(?<!not )(?<!next )(?<!outside )\b(?:scheduled (?:weekly|visit|appointment|session)"
    r"|regular(?:ly scheduled)? (?:weekly|session|appointment|visit))\b"
)
_HEAD = 300


def ticks_both(plain: str) -> bool:
    """Whether one line of a form ticks two that exclude each other."""
    return _TWO_BOXES.search(plain) is not None


def was_scheduled(plain: str) -> bool:
    """Whether the opening says that the visit was the usual one, and did not turn into another."""
    return _SCHEDULED.search(plain, 0, _HEAD) is not None and not any(
        map(plain[:_HEAD].__contains__, ("turned into", "became", "changed to"))
    )


def _told(reading: Reading, hint: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for at in reading.hints.get(hint, ()):
        if (match := pattern.search(reading.plain, max(0, at - _ROUND), at + _ROUND)) is not None:
            yield match
