"""A condition that its sentence puts beside another: `X as the primary problem, with Y as the second`,
`..., and I am listing Y second`, `he has X, and he also carries a diagnosis of Y`."""

from msgspec.structs import replace

from billing.notes.conditions.placement import MENTIONED, STATED
from billing.notes.finding import Finding
from billing.notes.later import later

_THING = r"(?:one|diagnosis|dx|problem|condition|focus|concern|code)"
_CODE = r"(?:,? \(?[a-z]\d[\da-z.]{1,6}\)?)?,?"
_SECOND = later(
    rf"{_CODE} (?:as (?:the|a|my|our) (?:second|secondary|other|additional)(?: {_THING})?"
    rf"|(?:is|being) (?:the|a|my|our) (?:second|secondary|other) {_THING}"
    r"|(?:listed |coded )?second(?:arily|ary)?(?= (?:since|because|as|for)\b|[ ]*(?:[.,;\n]|\Z)))"
)
_FIRST = later(rf"{_CODE} as (?:the|my|our) (?:primary|main|principal|first) {_THING}\b")
_OURS = later(r"(?:\A|[.;\n,] |\b(?:and|but|so) )(?:i|we)(?:'ve|'m)? [^.;,\n]{0,40}\Z")
_ALSO = later(
    r"[^.;\n]{0,24}?,? and (?:s?he|they|(?:the )?(?:client|patient|pt|ct)|mr|ms|mrs) (?:also |now )"
    r"(?:has|carries|holds|meets) (?:a|an|the|criteria)\b[^.;\n]{0,30}\Z"
)
_WITHIN, _BEFORE = 400, 80
_OPEN_YET = (None, "background")


def alongside(plain: str, found: list[Finding]) -> list[Finding]:
    """The findings, those that are put beside another as stated as that one."""
    if "second" not in plain and "primary" not in plain and " also " not in plain:
        return found
    stated: Finding | None = None
    for at, finding in enumerate(found):
        if finding.doubt not in _OPEN_YET or finding.section in ("plan", "subjective"):
            continue
        if finding.strength == MENTIONED or finding.doubt is not None:
            before = plain[max(0, finding.start - _BEFORE) : finding.start]
            near = stated is not None and finding.start - stated.end < _WITHIN
            if near and _SECOND.match(plain, finding.end):
                found[at] = replace(
                    finding, strength=STATED, doubt=None, assertive=stated is not None and stated.assertive
                )
            elif finding.doubt is None and _FIRST.match(plain, finding.end) and _OURS.search(before):
                found[at] = replace(finding, strength=STATED)
        elif (
            stated is not None
            and finding.assertive
            and not stated.assertive
            and stated.section == finding.section
            and _ALSO.match(plain, stated.end, finding.start)
        ):
            found[found.index(stated)] = replace(stated, assertive=True)
        if found[at].doubt is None and found[at].strength >= STATED:
            stated = found[at]
    return found
