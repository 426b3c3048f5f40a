"""Reads TA1: whether the receiver could take an interchange at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from claims.x12.problems import Problem, ProblemCode
from claims.x12.segments import TransactionSet
from claims.x12.tokens import element
from claims.x12.values import parse_date, parse_number


class InterchangeOutcome(StrEnum):
    """TA104."""

    ACCEPTED = "A"
    ACCEPTED_WITH_ERRORS = "E"
    REJECTED = "R"


@dataclass(frozen=True, slots=True)
class InterchangeAcknowledgement:
    """What became of the interchange with our control number (ISA13); note "000" means no error."""

    interchange_control_number: int
    interchange_date: date | None
    interchange_time: str
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
        interchange_date=_interchange_date(element(segment, 2)),
        interchange_time=element(segment, 3).strip(),
        outcome=InterchangeOutcome(outcome),
        note_code=element(segment, 5).strip(),
    )


def _interchange_date(text: str) -> date | None:
    """Read YYMMDD as the standard has it, or CCYYMMDD as some send it."""
    text = text.strip()
    if len(text) != 6:
        return parse_date(text)
    try:
        return datetime.strptime(text, "%y%m%d").date()  # noqa: DTZ007 - a day, not an instant
    except ValueError:
        return None
