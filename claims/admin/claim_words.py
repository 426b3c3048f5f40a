"""A claim's segments for staff: what each says with its names and numbers, which the page may show."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from claims.desk.claim_text import explain_claim
from claims.x12.claim import ProfessionalClaim
from claims.x12.explain_837p import Explanation

PARTIES = {
    "85": ("Bills as", "NPI"),
    "87": ("Pay to", "NPI"),
    "IL": ("Insured", "member ID"),
    "PR": ("Payer", "payer ID"),
    "82": ("Seen by", "NPI"),
}


@dataclass(frozen=True, slots=True)
class SegmentShown:
    """One segment: its loop, as sent, in words, and whether the payer complains of it."""

    loop: str
    segment: str = field(repr=False)
    words: str = field(repr=False)
    complaint: bool = False


def segments_shown(claim: ProfessionalClaim, *, complaints: Sequence[str] = ()) -> list[SegmentShown]:
    """Every segment of the claim, with its content in words."""
    return [
        SegmentShown(
            each.loop,
            each.segment,
            _words(each),
            complaint=any(each.segment.startswith(beginning) for beginning in complaints),
        )
        for each in explain_claim(claim)
    ]


def raw_claim(claim: ProfessionalClaim) -> str:
    """The claim's own segments as they are sent, one a line."""
    return "\n".join(f"{each.segment}~" for each in explain_claim(claim))


def _words(explained: Explanation) -> str:
    elements = explained.segment.split("*")
    match elements[0]:
        case "NM1" if elements[1] in PARTIES:
            return _party(elements)
        case "N3":
            return f"Street: {', '.join(filter(None, elements[1:]))}"
        case "N4":
            return f"{elements[1]}, {' '.join(elements[2:4])}"
        case "DMG":
            return _birth(elements)
        case "REF" if len(elements) > 2:
            return f"{explained.words}: {elements[2]}"
        case "DTP" if len(elements) > 3:
            return f"{explained.words}: {_day(elements[3])}"
    return explained.words


def _party(elements: Sequence[str]) -> str:
    role, number = PARTIES[elements[1]]
    name = " ".join(filter(None, (elements[4], elements[3])))
    return f"{role}: {name}, {number} {elements[9]}" if len(elements) > 9 else f"{role}: {name}"


def _birth(elements: Sequence[str]) -> str:
    gender = {"F": "female", "M": "male"}.get(elements[3] if len(elements) > 3 else "", "gender not stated")
    return f"Born {_day(elements[2])}, {gender}"


def _day(text: str) -> str:
    try:
        day = date.fromisoformat(f"{text[:4]}-{text[4:6]}-{text[6:8]}")
    except ValueError:
        return text
    return f"{day:%B} {day.day}, {day.year}"
