"""A condition whose code the patient's age decides, where the note tells the age."""

from collections.abc import Iterator

from msgspec.structs import replace

from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.result import Reason
from billing.notes.text.kin import RELATIVE
from billing.notes.text.spoken import NUMBER_WORD, number

# F64.0 is of adolescents and adults, F64.2 of children.
_BY_AGE, _OF_ADOLESCENTS, _ADOLESCENT_FROM = "gender_dysphoria", "F64.0", 13
_NUMBER = rf"(?:\d{{1,2}}|{NUMBER_WORD}(?:-[a-z]{{3,5}})?)"
_AGE = later(
    rf"(?<![\d.:/-])\b(?P<old>{_NUMBER})[ -]?(?:(?:years?|yrs?)[ -]?old|y/?\.?o\.?)\b"
    rf"|\bage[d:]? {{0,3}}(?P<age>{_NUMBER})\b"
    rf"|\b(?:he|she|they|client|patient|pt|ct) (?:is|are) (?:now )?(?P<now>{_NUMBER})(?=[ ]*[.,;]| and\b)"
    rf"|(?:\A|[.\n])[^.,;\n\d]{{0,40}}?\b[a-z'-]+(?:, | is |[ ]?\()(?P<named>{_NUMBER})(?=[,);.])"
)
_ANOTHERS = later(rf"\b(?:{RELATIVE}|friend|teacher|boss|cousin|classmate|when|since|until|at|by|from)\b")
_HEAD, _AROUND = 600, 30


def decided_by_age(findings: list[Finding], plain: str) -> list[Finding]:
    """Gender dysphoria of one who is told to be an adolescent or an adult is asked about no more."""
    if not any(_is_open(finding) for finding in findings):
        return findings
    ages = [*_ages(plain[:_HEAD])]
    if not ages or min(ages) < _ADOLESCENT_FROM:
        return findings
    return [replace(finding, reason=None) if _is_open(finding) else finding for finding in findings]


def _is_open(finding: Finding) -> bool:
    return (
        finding.reason == Reason.SPECIFIER_UNCLEAR
        and finding.code == _OF_ADOLESCENTS
        and finding.concept is not None
        and finding.concept.name == _BY_AGE
    )


def _ages(head: str) -> Iterator[int]:
    for told in _AGE.finditer(head):
        if not _ANOTHERS.search(head, max(0, told.start() - _AROUND), told.end() + _AROUND // 2):
            said = told[told.lastgroup or 0]
            yield int(said) if said.isdecimal() else number(said)
