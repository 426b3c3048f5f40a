"""Rules about what the claim charges."""

from collections.abc import Iterator
from decimal import Decimal

from billing.rules.facts import ClaimFacts
from billing.rules.rule import HOLDS, WARNS, Actor, Complaint, Rule, hold, procedure_path, warn
from billing.rules.tables.procedures import name_of

_CODES = "session.procedureCodes"
_FAR_ABOVE = 10


def every_line_priced(facts: ClaimFacts) -> Iterator[Complaint]:
    """A claim without charges is no claim."""
    for position, line in enumerate(facts.procedures):
        path, name = procedure_path(position), name_of(line.code)
        if line.charge is None:
            yield hold(
                path,
                f"No rate prices {name} on the date of service; the session goes on once the charge "
                "schedule has one.",
                who_acts=Actor.STAFF,
            )
        elif line.charge <= 0:
            yield hold(
                path,
                f"The rate for {name} is not above $0. Correct the charge schedule.",
                who_acts=Actor.STAFF,
            )
    charges = [line.charge for line in facts.procedures if line.charge is not None]
    complete = bool(charges) and len(charges) == len(facts.procedures)
    if complete and facts.total_charge is not None and facts.total_charge != sum(charges, Decimal(0)):
        yield hold(
            _CODES,
            "The claim's total is not the sum of its lines. Have the claim built again.",
            who_acts=Actor.STAFF,
        )


def not_below_allowed(facts: ClaimFacts) -> Iterator[Complaint]:
    """Payers pay the lesser of charge and contract, so a low charge loses money."""
    for position, line in enumerate(facts.procedures):
        if line.charge is not None and line.last_allowed is not None and line.charge < line.last_allowed:
            yield warn(
                procedure_path(position),
                f"The charge of ${line.charge:,.2f} for {name_of(line.code)} is below the "
                f"${line.last_allowed:,.2f} that this payer allowed before. Raise the rate.",
                who_acts=Actor.STAFF,
            )


def not_far_above_schedule(facts: ClaimFacts) -> Iterator[Complaint]:
    """A charge ten times the usual is a slip of the decimal point."""
    for position, line in enumerate(facts.procedures):
        median = line.schedule_median
        if line.charge is not None and median is not None and line.charge > median * _FAR_ABOVE:
            yield warn(
                procedure_path(position),
                f"The charge of ${line.charge:,.2f} for {name_of(line.code)} is more than ten times what the "
                "schedule usually charges. Look for a slipped decimal point.",
                who_acts=Actor.STAFF,
            )


RULES = (
    Rule("CHG-001", HOLDS, "Every line has a rate above $0, and the total is their sum", every_line_priced),
    Rule("CHG-002", WARNS, "No charge is below what the payer allowed before", not_below_allowed),
    Rule("CHG-003", WARNS, "No charge is more than ten times the schedule's median", not_far_above_schedule),
)
