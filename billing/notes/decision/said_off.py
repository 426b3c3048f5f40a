"""A sentence about a diagnosis of the list that takes it back, anywhere in the note: `Panic disorder is ruled
out`, `please disregard the panic disorder`. Then a person is asked."""

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.later import later
from billing.notes.reading import Reading
from billing.notes.text.kin import RELATIVE
from billing.notes.text.sentences import sentence_round

# It is what the sentence begins with.
_SUBJECT = later(r"[ *\d.)(-]*(?:(?:the|her|his|their|this|that|listed) )*")
_IS_OFF = later(
    r"(?:[ ]*:|[ ](?:is|was|has been|has now been|remains|stays))(?: (?:now|since|still|only|just|an?))*[ ]"
    r"(?:ruled?[ -]?out|resolved|historical|provisional|removed|dropped|deleted|withdrawn|not met"
    r"|not active|inactive|considered and not|off the list|closed|in remission for (?:\w+ )?(?:years|months)"
    rf"|(?:his|her|their) {RELATIVE}'s)\b"
    r"|[ ](?:has |was )?(?:resolved|dropped|removed|no longer applies|does not apply|belongs to (?:the other"
    rf"|another|(?:his|her|their) {RELATIVE})|has been in remission)\b"
)
_TAKES_IT = later(
    r"[ ]*(?:(?:s?he|they|(?:the )?(?:client|patient|pt|ct)) )?(?:also )?"
    r"(?:no longer (?:meets (?:full )?criteria for|has)"
    r"|(?:does not|doesn't|did not) (?:have|meet criteria for)"
    r"|(?:please )?(?:disregard|ignore)|(?:(?:we|i) )?(?:can |will )?(?:close out|took"
    r"|removed|deleted|dropped|ruled out)) (?:the |an? |this )?"
)
_ALL = later(
    r"[ ]*(?:\(?[a-z]\d[\da-z.]{1,6}\)?)?(?: off)?(?: (?:today|now|the list|from the list))*[ ]*(?:[.;\n]|\Z)"
)
# `Panic disorder was ruled out last year`: of a time before the list, which has it again.
_ONCE = later(
    r"\b(?:last|ago|before|previously|once|twice|then|at (?:the |her |his )?\w+|in (?:19|20)\d\d"
    r"|by (?:an?|the|her|his))\b"
)
_SETTLED = frozenset(("family_history", "past_history", "old_dx", "uncertain_dx", "denied", "correction"))


def is_said_off(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether a sentence takes back the condition of one that would be billed and is not in remission."""
    families = {
        diagnosis.lead.family
        for diagnosis in diagnosed.chosen
        if not any("remission" in value for value in diagnosis.lead.values)
    }
    return any(
        finding.family in families
        and finding.by != "code"
        and finding.section not in _SETTLED
        and _is_taken_back(reading.plain, finding.start, finding.end)
        for finding in reading.findings
    )


def _is_taken_back(plain: str, start: int, end: int) -> bool:
    before, behind = sentence_round(plain, start, end)
    if _SUBJECT.fullmatch(before):
        return _IS_OFF.match(behind) is not None and _ONCE.search(behind) is None
    return _TAKES_IT.fullmatch(before) is not None and _ALL.match(behind) is not None
