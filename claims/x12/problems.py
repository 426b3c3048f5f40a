"""What can be wrong with inbound X12, told as data instead of raised."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MOST_PROBLEMS = 1_000


class ProblemCode(StrEnum):
    """What can be wrong with a file or a transaction set."""

    NO_ENVELOPE = "no_envelope"
    WRONG_VERSION = "wrong_version"
    UNUSUAL_VERSION = "unusual_version"
    UNSUPPORTED_TRANSACTION = "unsupported_transaction"
    TRUNCATED = "truncated"
    COUNT_MISMATCH = "count_mismatch"
    CONTROL_NUMBER_MISMATCH = "control_number_mismatch"
    STRAY_SEGMENT = "stray_segment"
    UNREADABLE = "unreadable"
    UNKNOWN_SEGMENT = "unknown_segment"
    MISSING_ELEMENT = "missing_element"
    MALFORMED_ELEMENT = "malformed_element"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong, in words that hold no data of a patient.

    `refuses` when the set can't be used, `loses` when something that it says of a claim can't be taken in.
    """

    code: ProblemCode
    message: str
    segment: str = ""
    position: int = 0
    refuses: bool = False
    loses: bool = False


def note(problems: list[Problem], problem: Problem) -> None:
    """Add a problem; past the first thousand only a first that refuses or loses: some have millions."""
    is_first = (problem.refuses and not any(known.refuses for known in problems)) or (
        problem.loses and not any(known.loses for known in problems)
    )
    if len(problems) < MOST_PROBLEMS or is_first:
        problems.append(problem)
