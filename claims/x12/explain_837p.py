"""Tells staff in plain words what each segment of an 837P says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from billing.rules.tables.places_of_service import PLACES_OF_SERVICE
from claims.x12.tokens import Delimiters, Segment, Tokenizer, component_list, element


@dataclass(frozen=True, slots=True)
class Explanation:
    """One segment as it was sent, the loop it stands in, and what it says: codes, but never names."""

    segment: str = field(repr=False)
    loop: str
    words: str


FREQUENCIES = {"1": "original claim", "7": "replacement of an earlier claim", "8": "void of an earlier claim"}
_HIERARCHY = {"20": "2000A", "22": "2000B", "23": "2000C"}
_NAMES = {
    "41": ("1000A", "Submitter: who sends the file"),
    "40": ("1000B", "Receiver: the clearinghouse or payer that takes the file"),
    "85": ("2010AA", "Billing provider: who is paid"),
    "87": ("2010AB", "Pay-to address"),
    "IL": ("2010BA", "Subscriber: the insured person"),
    "QC": ("2010CA", "Patient, who is not the subscriber"),
    "PR": ("2010BB", "Payer"),
    "DN": ("2310A", "Referring provider"),
    "82": ("2310B", "Rendering provider: the therapist who treated"),
    "77": ("2310C", "Place of service"),
    "DQ": ("2310D", "Supervising provider"),
}
_REFERENCES = {
    "EI": "Employer tax number of the billing provider",
    "SY": "Social security number of the billing provider",
    "F8": "The payer's own number of the claim that this one replaces or voids",
    "6R": "Line control number, by which a remittance names this line",
    "G1": "Prior authorization number",
    "D9": "The clearinghouse's number of this claim",
}
_PLAIN = {
    "ISA": "Begins the interchange: sender, receiver, time, control number, test or production",
    "GS": "Begins a group of claims, with its own control number",
    "SE": "End of the transaction set, with the number of its segments",
    "GE": "End of the group, with the number of its transaction sets",
    "IEA": "End of the interchange, with the number of its groups",
    "BHT": "Purpose and number of the transaction set",
    "N3": "Street",
    "N4": "City, state and ZIP code",
    "PER": "Contact and phone number",
    "DMG": "Date of birth and gender",
}


def explain_837p(text: str) -> list[Explanation]:
    """Explain every segment, in order; raises X12Error where the text is no X12."""
    tokens = Tokenizer(text)
    explanations: list[Explanation] = []
    loop = ""
    for segment in tokens:
        delimiters = tokens.delimiters
        loop = _loop_of(segment, loop)
        explanations.append(
            Explanation(
                segment=delimiters.element.join(segment), loop=loop, words=_words_of(segment, delimiters)
            )
        )
    return explanations


def _loop_of(segment: Segment, loop: str) -> str:
    match segment[0]:
        case "HL":
            return _HIERARCHY.get(element(segment, 3), loop)
        case "NM1":
            if loop.startswith(("232", "233")):
                return "2330"
            return _NAMES.get(element(segment, 1), (loop, ""))[0]
        case "CLM":
            return "2300"
        case "LX":
            return "2400"
        case "SBR" if loop not in ("2000B", ""):
            return "2320"
        case "ST" | "SE" | "GE" | "IEA":
            return ""
    return loop


def _words_of(segment: Segment, delimiters: Delimiters) -> str:
    name = segment[0]
    if name in _WORDS:
        return _WORDS[name](segment, delimiters)
    return _PLAIN.get(name, "A segment that our own claims do not use")


def _name_words(segment: Segment, _: Delimiters) -> str:
    words = _NAMES.get(element(segment, 1), ("", "A party that our own claims do not name"))[1]
    return f"{words}; {'a person' if element(segment, 2) == '1' else 'an organization'}"


def _hierarchy_words(segment: Segment, _: Delimiters) -> str:
    level = {"20": "billing provider", "22": "subscriber", "23": "patient"}.get(
        element(segment, 3), "unknown"
    )
    return f"Begins level {element(segment, 1)}: {level}"


def _specialty_words(segment: Segment, _: Delimiters) -> str:
    whose = "rendering" if element(segment, 1) == "PE" else "billing"
    return f"Taxonomy code of the {whose} provider: {element(segment, 3)}"


def _subscriber_words(segment: Segment, _: Delimiters) -> str:
    order = {"P": "Primary", "S": "Secondary", "T": "Tertiary"}.get(element(segment, 1), "Other")
    self_words = (
        "the subscriber is the patient" if element(segment, 2) == "18" else "the patient is another person"
    )
    return f"{order} insurance; {self_words}; filing code {element(segment, 9) or 'none'}"


def _claim_words(segment: Segment, delimiters: Delimiters) -> str:
    place, _, frequency = [*component_list(element(segment, 5), delimiters), "", ""][:3]
    return (
        f"Claim {element(segment, 1)}: total charge {element(segment, 2)}, "
        f"place of service {place} ({PLACES_OF_SERVICE.get(place, 'another place')}), "
        f"{FREQUENCIES.get(frequency, 'unknown frequency')}"
    )


def _diagnosis_words(segment: Segment, delimiters: Delimiters) -> str:
    codes = [component_list(value, delimiters)[-1] for value in segment[1:] if value]
    others = f"; others {', '.join(codes[1:])}" if len(codes) > 1 else ""
    return f"Principal diagnosis {codes[0] if codes else 'missing'}{others}"


def _service_words(segment: Segment, delimiters: Delimiters) -> str:
    code, *modifiers = component_list(element(segment, 1), delimiters)[1:] or [""]
    with_modifiers = f" with {', '.join(modifiers)}" if modifiers else ""
    pointers = ", ".join(component_list(element(segment, 7), delimiters))
    return (
        f"Procedure {code}{with_modifiers}: charge {element(segment, 2)}, units {element(segment, 4)}, "
        f"for diagnosis {pointers}"
    )


def _reference_words(segment: Segment, _: Delimiters) -> str:
    return _REFERENCES.get(element(segment, 1), "A reference number that our own claims do not use")


_WORDS: dict[str, Callable[[Segment, Delimiters], str]] = {
    "ST": lambda segment, _: f"Begins transaction set {element(segment, 2)}",
    "NM1": _name_words,
    "HL": _hierarchy_words,
    "PRV": _specialty_words,
    "SBR": _subscriber_words,
    "CLM": _claim_words,
    "HI": _diagnosis_words,
    "LX": lambda segment, _: f"Service line {element(segment, 1)}",
    "SV1": _service_words,
    "DTP": lambda segment, _: "Date of service" if element(segment, 1) == "472" else "Another date",
    "REF": _reference_words,
}
