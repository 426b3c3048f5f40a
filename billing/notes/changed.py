"""A condition that became another one, one that was weighed against another, and one that the speaker takes
back in the same breath: `from F43.23 to F33.1`, `better accounted for by GAD than PTSD`, `panic disorder,
scratch that, GAD`."""

from itertools import pairwise

from msgspec.structs import replace

from billing.notes.finding import Finding
from billing.notes.later import later

_BEFORE, _BETWEEN = 48, 64
_CODE = r"(?:[a-z]\d\d[0-9a-z]?(?:\.[0-9a-z]{1,4})?)?"
_CHANGED = (
    r"(?:updated|upgraded|changed|revised|progressed|switched|converted|amended|corrected|evolved|advanced"
    r"|transitioned|moved)"
)
_BECAME = later(
    rf"[ ]?[(\[]?{_CODE}[)\]]?[ ]*(?:--?>|=+>|>|[.,;-]*[ ]*(?:(?:the )?(?:diagnosis|dx) )?(?:(?:has|have"
    rf"|was|is|now"
    rf"|since|been|today) ){{0,3}}{_CHANGED} (?:today |now )?(?:in)?to)[ ]*[(\[]?{_CODE}[)\]:]?[ -]*"
)
_TO = later(rf"[ ]?[(\[]?{_CODE}[)\]]?,? to [(\[]?{_CODE}[)\]:]?[ -]*")
_FROM = later(rf"\b{_CHANGED}\b[^.;\n]{{0,24}} from (?:the |an? )?[(\[]?\Z")
_THAN = later(rf"[ ]?[(\[]?{_CODE}[)\]]?,? than (?:by |with |for |of )?(?:an? |the )?[(\[]?{_CODE}[)\]]?[ ]?")
# What a speaker says who corrects himself, so that it is the next that counts; and what goes along with it.
_MISSPOKE = (
    r"(?:(?:scratch|strike|delete|correct|change|make) (?:that|it)(?: to)?|(?:let me )?correct(?:ion| that)"
    r"|i mean(?:t)?|i misspoke|or rather|no,? wait|wait,? no|no,? no|excuse me|(?:i'm |i am )?sorry"
    r"|pardon(?: me)?)"
)
_ALONG = (
    r"(?:no|uh|um|er|actually|wait|hold on|it's|that's|it is|that is|that should be|it should be|should be"
    r"|please (?:type|put|write|enter)|the (?:diagnosis|dx) is|diagnosis is)"
)
_RETOLD = later(
    rf"[ ]?[(\[]?{_CODE}[)\]]?[ ]*[,.;-]+[ ]*(?:{_ALONG}[ ,.;:-]+)*{_MISSPOKE}[ ,.;:-]+"
    rf"(?:(?:{_ALONG}|{_MISSPOKE})[ ,.;:-]+)*"
    rf"(?:an? |the )?[(\[]?{_CODE}[)\]:]?[ -]*"
)
# `Panic disorder, no, GAD`: which one is meant, a person is asked.
_NO_THAT = later(rf"[ ]?[(\[]?{_CODE}[)\]]?[ ]*[,.;-]+[ ]*no, (?:it's |that's |it is )?(?:an? |the )?")
_RETOLD_WORDS = (
    "that",
    " it",
    "correction",
    "mean",
    "misspoke",
    "rather",
    "wait",
    "no, no",
    "excuse",
    "sorry",
    "pardon",
)


def changed(plain: str, found: list[Finding]) -> list[Finding]:
    """The findings in order, those that were replaced or outweighed in the same breath in doubt."""
    found = list(found)
    for at, (left, right) in enumerate(pairwise(found)):
        between = right.start - left.end
        if not 0 < between <= _BETWEEN or left.code == right.code:
            continue
        said = plain[left.end : right.start]
        if any(word in said for word in _RETOLD_WORDS) and _RETOLD.fullmatch(plain, left.end, right.start):
            # The `no` of `no, correction` takes back the first, not the second.
            firm = right.doubt if left.doubt or right.doubt != "negated" else None
            found[at] = replace(found[at], doubt=found[at].doubt or "historical")
            found[at + 1] = replace(right, doubt=firm)
            continue
        if "no," in said and _NO_THAT.fullmatch(plain, left.end, right.start):
            found[at] = replace(found[at], doubt=found[at].doubt or "uncertain")
        if not ("to" in said or ">" in said or "than" in said):
            continue
        if _BECAME.fullmatch(plain, left.end, right.start) or (
            _TO.fullmatch(plain, left.end, right.start)
            and _FROM.search(plain, max(0, left.start - _BEFORE), left.start)
        ):
            found[at] = replace(found[at], doubt=found[at].doubt or "historical")
        elif _THAN.fullmatch(plain, left.end, right.start):
            found[at + 1] = replace(right, doubt=right.doubt or "negated")
    return found
