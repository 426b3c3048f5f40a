"""A condition that became another one, and one that was weighed against another: `from F43.23 to F33.1`,
`better accounted for by GAD than PTSD`."""

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


def changed(plain: str, found: list[Finding]) -> list[Finding]:
    """The findings in order, those that were replaced or outweighed in the same breath in doubt."""
    found = list(found)
    for at, (left, right) in enumerate(pairwise(found)):
        between = right.start - left.end
        if not 0 < between <= _BETWEEN or left.code == right.code:
            continue
        said = plain[left.end : right.start]
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
