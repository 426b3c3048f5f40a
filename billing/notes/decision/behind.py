"""What a line tells behind a diagnosis that its code doesn't say: a remission, another severity."""

from collections.abc import Collection

from billing.notes.finding import Finding
from billing.notes.later import later

_WITHIN = 90
# Of these a code can say that they are in remission.
_REMITTING = ("F10", "F11", "F12", "F13", "F14", "F15", "F16", "F18", "F19", "F30", "F31", "F32", "F33")
_IN_REMISSION = ("F30.3", "F30.4", "F31.7", "F32.4", "F32.5", "F33.4", "F33.8")
_REMISSION = later(
    r"(?<!not )(?<!if )(?<!until )(?<!without )"
    r"\bin (?:full |early |partial |sustained |complete ){1,2}remission\b"
    r"|(?<![a-z] )\b(?:sustained|full|early|partial) remission\b"
)
_SEVERITY = later(
    r"(?:\bseverity (?:is )?(?:now |currently )?|(?:\A|[.;,(-] ?)(?:currently|now) )"
    r"(?P<is>mild|moderate|severe)"
    r"(?=[ ]*(?:[.,;)\n]|\Z))"
)
_NOT_NOW = later(
    r"\b(?:previous(?:ly)?|prior|hx|history|was|were|yet|work(?:ing)?|goals?|until|cancer|leukemia|lymphoma)\b"
)
# `F33.1 - MDD. Currently mild.`
_RIGHT_BEHIND = 36
_SEVERITIES = {"0": "mild", "1": "moderate", "2": "severe"}


# `Meets full remission of her recurrent major depressive disorder`
_REMISSION_OF = later(
    r"(?<!without )(?<!no )(?<!until )(?<!toward )(?<!if )"
    r"\b(?:full|partial|early|sustained|complete) remission (?:of|from) (?:(?:her|his|their|the|an?) )?\Z"
)
_REMISSION_WITHIN = 80
# `Her depression has been in full remission since June`, told in the story of what a field calls active.
_NOW_IN_REMISSION = later(
    r"(?:[,;]? (?:which|that))?"
    r" (?:is|are|remains?|stays?|has (?:now )?been|continues to be|seems to be|appears to be)?"
    r"(?: (?:now|currently|still|presently|today|all|well|clearly))? ?"
    r"\bin (?:(?:full|early|partial|sustained|complete) ){0,2}remission\b"
    r"(?! (?:by|goal|is the|before|if|when|until|once|twice))"
)
_SAID_OF_PATIENT = later(
    r"(?:(?:\A|[.;:\n][ ]*)(?:(?:she|he|they|(?:the )?(?:client|patient|pt|ct)) "
    r"(?:is|are|remains?|stays?|has been|have been)(?: (?:now|still|currently))? )?in |[.;] )"
    r"(?:(?:full|early|partial|sustained|complete) ){1,2}remission\b"
    r"(?! (?:by|of|goal|before|if|when|until|from (?:cancer|leukemia|lymphoma)))"
)
OF_NOW = frozenset(
    ("narrative", "other", "subjective", "objective", "data", "behavior", "intervention", "response",
     "assessment", "problem", "topic")
)  # fmt: skip


def remitted(plain: str, finding: Finding, code: str) -> bool:
    """Whether the words round a condition tell of a remission that the code doesn't have."""
    if not code.startswith(_REMITTING) or _is_in_remission(code):
        return False
    since = max(
        finding.start - _REMISSION_WITHIN,
        plain.rfind("\n", max(0, finding.start - _REMISSION_WITHIN), finding.start) + 1,
        plain.rfind(". ", max(0, finding.start - _REMISSION_WITHIN), finding.start) + 1,
    )
    if _NOT_NOW.search(plain, since, finding.start):
        return False
    return _REMISSION_OF.search(plain, since, finding.start) is not None or (
        finding.section in OF_NOW
        and (
            (finding.code != code and _is_in_remission(finding.code))
            or _NOW_IN_REMISSION.match(plain, finding.end) is not None
        )
    )


def remission_told(plain: str, codes: Collection[str]) -> bool:
    """`She is in full remission since June`, said of the patient by whom the one condition that could be is
    billed as if it were not."""
    able = [code for code in codes if code.startswith(_REMITTING)]
    return len(able) == 1 and not _is_in_remission(able[0]) and _SAID_OF_PATIENT.search(plain) is not None


def says_otherwise(plain: str, finding: Finding, *, until: int) -> bool:
    """Whether the rest of a finding's line, up to the next finding, tells of a remission or a severity that
    its code doesn't have."""
    code = finding.code
    if not code.startswith(_REMITTING) or code == "F31.81":
        return False
    end = plain.find("\n", finding.end, finding.end + _WITHIN)
    end = min(end if end >= 0 else finding.end + _WITHIN, until)
    if (
        not _is_in_remission(code)
        and "remission" in plain[finding.end : end]
        and _REMISSION.search(plain, finding.end, end)
    ):
        return True
    severity = _SEVERITIES.get(code[4:5]) if code[:3] in ("F32", "F33") and len(code) == 5 else None
    told = _SEVERITY.search(plain, finding.end, min(end, finding.end + _RIGHT_BEHIND)) if severity else None
    return told is not None and told["is"] != severity


def _is_in_remission(code: str) -> bool:
    return code.startswith(_IN_REMISSION) or (code.startswith("F1") and code[5:6] == "1")
