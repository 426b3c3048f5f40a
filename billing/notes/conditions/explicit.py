"""Codes that the clinician wrote: diagnosis codes, codes of older systems, procedure codes."""

import re

import msgspec

from billing.notes.codeset import CodeSet, CodeStatus, dotted
from billing.notes.later import later

_DIAGNOSIS = re.compile(
    r"(?<![a-z0-9.$])(?P<letter>[a-tv-z])(?P<gap>[ -]?)(?P<two>[0-9o][0-9oab])"
    r"(?:(?P<point>[ ]?[.,][ ]?)(?P<rest>[0-9oabc][0-9a-z]{0,3})"
    r"|(?P<tail>[0-9oabc][0-9a-z]{0,3}))?(?![a-z0-9])"
)
_LEGACY = re.compile(
    r"(?<![a-z0-9.$/-])(?:(?P<v>v(?:15|61|62|65|71)\.\d{1,2})|(?P<n>(?:29\d|30\d|31[0-9]|780|799"
    r"|995)\.\d{1,2})|(?P<d>311))(?![\d/%-])"
)
# What may stand apart from its digits.
_APART = "fz"
_LEGACY_DIGITS, _LEGACY_OPENS = 3, "2379"
_PROCEDURE = re.compile(
    r"(?<![\d.$/-])(?P<code>9\d{4}|h\d{4}|t\d{4}|s\d{4}|g\d{4})(?P<modifier>[ -]?(?:95|93|gt))?(?![\d/]|-\d)"
)
# What stands before a postal code: those of these states begin as procedure codes do.
_STATE = later(r"[ ,](?:ca|nv|wa|california|nevada|washington)[.,]?[ ]+\Z")
PSYCHOTHERAPY = {"90832": (16, 37), "90834": (38, 52), "90837": (53, 24 * 60)}
SERVICE_OF_PROCEDURE = {
    "90791": "intake", "90792": "intake", "90832": "individual", "90834": "individual", "90837": "individual",
    "90839": "crisis", "90840": "crisis", "90846": "family", "90847": "family",
    "90849": "multiple_family_group",
    "90853": "group",
}  # fmt: skip
# Services that this coder does not derive; where the note names their codes a person decides.
OTHER_PROCEDURES = frozenset(
    [
        "90785",
        "90833",
        "90836",
        "90838",
        "90845",
        "90863",
        "90887",
        "96116",
        "96121",
        "96127",
        "96130",
        "96131",
        "96132",
        "96133",
        "96136",
        "96137",
        "96138",
        "96139",
        "96146",
        "96156",
        "96158",
        "96159",
        "99202",
        "99203",
        "99204",
        "99205",
        "99211",
        "99212",
        "99213",
        "99214",
        "99215",
        "90792",
        "90849",
    ]
)


class WrittenCode(msgspec.Struct, frozen=True, gc=False):
    """A diagnosis code in the note; `code` is normalised, `status` what the code set says of it."""

    code: str
    status: CodeStatus
    start: int
    end: int
    legacy: bool


class WrittenProcedure(msgspec.Struct, frozen=True, gc=False):
    """A procedure code in the note."""

    code: str
    start: int
    end: int


def find_codes(
    plain: str, numbers: list[tuple[int, int]], codes: CodeSet, legacy: dict[str, str]
) -> list[WrittenCode]:
    """Every diagnosis code, however it is spelled, in order; a code of an older system is marked as such.

    `numbers` are the runs of digits in the note, as half-open ranges.
    """
    found = []
    for at, end in numbers:
        before = plain[at - 1] if at else " "
        if before == "v" or (
            end - at == _LEGACY_DIGITS and plain[at] in _LEGACY_OPENS and not before.isalpha()
        ):
            start = at - 1 if before == "v" else at
            match = _LEGACY.match(plain, start)
            if match is not None and _is_legacy(plain, match, legacy):
                found.append(
                    WrittenCode(match[0].upper(), CodeStatus.UNKNOWN, match.start(), match.end(), legacy=True)
                )
                continue
        if before.isalpha():
            start = at - 1
        elif before in " -" and at > 1 and plain[at - 2] in _APART:
            start = at - 2
        else:
            continue
        if not start or not plain[start - 1].isalnum():
            code = _diagnosis_code(plain, start, codes)
            if code is not None:
                found.append(code)
    return found


def _is_legacy(plain: str, match: re.Match[str], legacy: dict[str, str]) -> bool:
    if match["d"] is not None:
        return _beside_words(plain, match.start(), match.end())
    return match[0].upper() in legacy or match["v"] is not None or _near_diagnosis(plain, match.start())


def _diagnosis_code(plain: str, start: int, codes: CodeSet) -> WrittenCode | None:
    match = _DIAGNOSIS.match(plain, start)
    if match is None:
        return None
    letter, gap, point = match["letter"], match["gap"], match["point"]
    rest = match["rest"] or match["tail"] or ""
    if gap and not point:
        return None
    if not rest and (letter != "f" or gap):
        return None
    if point and (
        point.startswith(" ") or (point.endswith(" ") and (point[0] == "." or letter not in _APART))
    ):
        return None
    bare = (letter + match["two"].replace("o", "0") + _digits(rest)).upper()
    status = codes.status(bare)
    if status is CodeStatus.UNKNOWN and not (point and letter in _APART):
        return None
    return WrittenCode(dotted(bare), status, match.start(), match.end(), legacy=False)


def find_procedures(plain: str, numbers: list[tuple[int, int]]) -> list[WrittenProcedure]:
    """Every procedure code of five characters that the service could have."""
    found = []
    for at, end in numbers:
        if end - at not in (4, 5):
            continue
        start = at - (end - at == 4)
        match = _PROCEDURE.match(plain, start) if start >= 0 else None
        if match is None:
            continue
        if _STATE.search(plain, max(0, match.start() - 14), match.start()):
            continue
        code = match["code"].upper()
        if code in SERVICE_OF_PROCEDURE or code in OTHER_PROCEDURES or code[0] in "HTSG":
            found.append(WrittenProcedure(code, match.start(), match.end("code")))
    return found


def _digits(rest: str) -> str:
    return rest[0].replace("o", "0") + rest[1:].replace("o", "0") if rest else ""


def _near_diagnosis(plain: str, at: int) -> bool:
    before = plain[max(0, at - 40) : at]
    return "dx" in before or "diag" in before or "dsm" in before or "icd" in before


def _beside_words(plain: str, start: int, end: int) -> bool:
    return _near_diagnosis(plain, start) or bool(
        re.match(r"[ ,:;()-]*(?:depress|dep )", plain[end : end + 16])
    )
