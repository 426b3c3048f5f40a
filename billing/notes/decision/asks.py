"""Whether a note asks how, or whether, its visit is to be billed, or says that no therapy was given."""

from billing.notes.decision.told import all_told
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
    # `I may have picked the wrong diagnosis`, `Dx of 4/02 may not be right either`
    r"|\bmay have (?:picked|chosen|entered|used|put|typed|ticked) the wrong (?:diagnosis|dx|code)\b"
    r"|\b(?:diagnosis|dx|code)\b[^.;\n]{0,24}\bmay (?:not be right|be wrong|not be correct)\b"
    r"|\b(?:unsigned|not signed) draft\b"
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
_REACH = (90, 90)


def asks_about_billing(reading: Reading) -> bool:
    """Whether the clinician asks whoever bills."""
    return any(all_told(_ASKS, "asks_billing", reading, reach=_REACH))


def says_none_given(reading: Reading) -> bool:
    """Whether it is told that no therapy was given, or that the patient wasn't there."""
    return any(
        not _A_PART.search(sentence_round(reading.plain, *none.span())[0])
        for none in all_told(_NONE_GIVEN, "none_given", reading, reach=_REACH)
    ) or any(all_told(_NOT_SEEN, "not_seen", reading, reach=_REACH))
