"""What a line tells behind a diagnosis that its code doesn't say: a remission, another severity."""

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


def remitted(plain: str, finding: Finding, code: str) -> bool:
    """Whether the words before a condition tell of a remission that the code doesn't have."""
    if (
        not code.startswith(_REMITTING)
        or code.startswith(_IN_REMISSION)
        or (code[:2], code[5:6]) == ("F1", "1")
    ):
        return False
    since = max(
        finding.start - _REMISSION_WITHIN,
        plain.rfind("\n", max(0, finding.start - _REMISSION_WITHIN), finding.start) + 1,
        plain.rfind(". ", max(0, finding.start - _REMISSION_WITHIN), finding.start) + 1,
    )
    return _REMISSION_OF.search(plain, since, finding.start) is not None and not _NOT_NOW.search(
        plain, since, finding.start
    )


def says_otherwise(plain: str, finding: Finding, *, until: int) -> bool:
    """Whether the rest of a finding's line, up to the next finding, tells of a remission or a severity that
    its code doesn't have."""
    code = finding.code
    if not code.startswith(_REMITTING) or code == "F31.81":
        return False
    end = plain.find("\n", finding.end, finding.end + _WITHIN)
    end = min(end if end >= 0 else finding.end + _WITHIN, until)
    remitted = code.startswith(_IN_REMISSION) or (code[:2] == "F1" and code[5:6] == "1")
    if (
        not remitted
        and "remission" in plain[finding.end : end]
        and _REMISSION.search(plain, finding.end, end)
    ):
        return True
    severity = _SEVERITIES.get(code[4:5]) if code[:3] in ("F32", "F33") and len(code) == 5 else None
    told = _SEVERITY.search(plain, finding.end, min(end, finding.end + _RIGHT_BEHIND)) if severity else None
    return told is not None and told["is"] != severity
