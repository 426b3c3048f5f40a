"""All claim rules, in the order in which they repair and report."""

from billing.rules import (
    addresses,
    charges,
    combinations,
    coverage,
    dates,
    diagnoses,
    duplicates,
    frequency,
    modifiers,
    ncci,
    notes,
    patient,
    place_of_service,
    procedures,
    providers,
    units,
    written_claim,
)
from billing.rules.rule import Rule

AREAS: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    ("Patient", patient.RULES),
    ("Insurance", coverage.RULES),
    ("Therapist and practice", providers.RULES),
    ("Addresses and names", addresses.RULES),
    ("Dates and time limits", dates.RULES),
    ("Diagnoses", diagnoses.RULES),
    ("Procedures", procedures.RULES + units.RULES),
    ("Procedures together", combinations.RULES),
    ("Coding edits", ncci.RULES),
    ("Place of service", place_of_service.RULES),
    ("Modifiers", modifiers.RULES),
    ("Charges", charges.RULES),
    ("Duplicates", duplicates.RULES),
    ("Versions of a claim", frequency.RULES),
    ("The written claim", written_claim.RULES),
    ("The clinical note", notes.RULES),
)
"""Texts are spelled in a claim's characters (PAT-003) before they are cut to length (ADR-004)."""

CATALOGUE: tuple[Rule, ...] = tuple(rule for _, rules in AREAS for rule in rules)
NOTHING_TO_BILL = ("NOTE-004", "NOTE-005", "DUP-001")
"""Where one of these holds a session, what else is wrong with it is moot."""
NEEDED_TO_WRITE = frozenset(
    [
        "PAT-001",
        "INS-001",
        "INS-003",
        "INS-004",
        "INS-005",
        "PRV-001",
        "PRV-002",
        "PRV-005",
        "ADR-004",
        "ADR-006",
        "DX-001",
        "DX-002",
        "DX-006",
        "CPT-001",
        "MOD-001",
        "CHG-001",
        "FRQ-001",
        "FMT-001",
        "FMT-003",
    ]
)
"""Rules about what an 837P can't be written without: in spite of one there may be no claim to send."""


def place_told(rule_id: str) -> int:
    """Where a rule's sentence stands among those that hold a session; the others keep their order behind."""
    return NOTHING_TO_BILL.index(rule_id) if rule_id in NOTHING_TO_BILL else len(NOTHING_TO_BILL)
