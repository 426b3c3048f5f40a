"""Reads TA1: whether the receiver could take an interchange at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from claims.x12.problems import Problem, ProblemCode
from claims.x12.segments import TransactionSet
from claims.x12.tokens import element
from claims.x12.values import parse_number


class InterchangeOutcome(StrEnum):
    """TA104."""

    ACCEPTED = "A"
    ACCEPTED_WITH_ERRORS = "E"
    REJECTED = "R"


@dataclass(frozen=True, slots=True)
class InterchangeAcknowledgement:
    """What became of the interchange with our control number (ISA13); note "000" means no error."""

    interchange_control_number: int
    outcome: InterchangeOutcome
    note_code: str


def read_ta1(transaction_set: TransactionSet) -> InterchangeAcknowledgement | None:
    """Read a set of kind TA1; None, and a problem that refuses the set, where it says nothing usable."""
    segment = next(iter(transaction_set.segments))
    number, outcome = parse_number(element(segment, 1)), element(segment, 4).strip()
    if number is None or outcome not in set(InterchangeOutcome):
        message = "TA1 lacks a control number or a known outcome"
        transaction_set.problems.append(
            Problem(ProblemCode.MALFORMED_ELEMENT, message, "TA1", 1, refuses=True)
        )
        return None
    return InterchangeAcknowledgement(
        interchange_control_number=number,
        outcome=InterchangeOutcome(outcome),
        note_code=element(segment, 5).strip(),
    )
