"""Reads 999 (005010X231): whether the receiver could read a group of ours, and each transaction set in it.

ST AK1
2000 set       AK2
  2100 segment IK3 CTX
    2110 element IK4 CTX
  IK5
AK9 SE
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from claims.x12.problems import Problem, ProblemCode, note
from claims.x12.segments import TransactionSet
from claims.x12.tokens import Segment, component_list, element
from claims.x12.values import parse_number

MOST_FAULTS = 20
CODE = re.compile("[A-Z0-9]{1,6}")


class SyntaxOutcome(StrEnum):
    """IK501 and AK901; partly accepted is said of groups only."""

    ACCEPTED = "A"
    ACCEPTED_WITH_ERRORS = "E"
    PARTLY_ACCEPTED = "P"
    REJECTED = "R"
    REJECTED_AUTHENTICATION = "M"
    REJECTED_ASSURANCE = "W"
    REJECTED_DECRYPTION = "X"


REJECTING = frozenset(
    {
        SyntaxOutcome.REJECTED,
        SyntaxOutcome.REJECTED_AUTHENTICATION,
        SyntaxOutcome.REJECTED_ASSURANCE,
        SyntaxOutcome.REJECTED_DECRYPTION,
    }
)


@dataclass(frozen=True, slots=True)
class SetAcknowledgement:
    """AK2 to IK5: one of our transaction sets, by the number in its ST02.

    `faults` say which segments, counted from ST as 1, or elements are wrong, and the code of what is wrong.
    """

    control_number: int | None
    outcome: SyntaxOutcome
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupAcknowledgement:
    """A whole 999: one of our groups, by the number in its GS06."""

    control_number: int
    outcome: SyntaxOutcome
    sets: tuple[SetAcknowledgement, ...]

    def outcome_of(self, control_number: int) -> SyntaxOutcome | None:
        """Give the outcome of one set: its own, else the group's unless that is only partly accepted.

        A group that is rejected takes its sets with it, also those in which nothing was wrong.
        """
        if self.outcome in REJECTING:
            return self.outcome
        for acknowledged in self.sets:
            if acknowledged.control_number == control_number:
                return acknowledged.outcome
        return None if self.outcome is SyntaxOutcome.PARTLY_ACCEPTED else self.outcome

    def faults_of(self, control_number: int) -> tuple[str, ...]:
        """Give what is said to be wrong in one set."""
        return next((each.faults for each in self.sets if each.control_number == control_number), ())


def read_999(transaction_set: TransactionSet) -> GroupAcknowledgement | None:
    """Read a 999; None, and a problem that refuses the set, where it names no group or no outcome."""
    reader = _Reader(transaction_set)
    for position, segment in enumerate(transaction_set.segments, start=1):
        reader.take(segment, position)
    return None if transaction_set.refusal else reader.finish()


class _Reader:
    """Collects the parts until the segment that closes each."""

    def __init__(self, transaction_set: TransactionSet) -> None:
        self.problems = transaction_set.problems
        self.delimiters = transaction_set.delimiters
        self.position = 0
        self.group: Segment | None = None
        self.trailer: Segment | None = None
        self.set_header: Segment | None = None
        self.error_segment: Segment | None = None
        self.element_errors: list[Segment] = []
        self.faults: list[str] = []
        self.sets: list[SetAcknowledgement] = []

    def take(self, segment: Segment, position: int) -> None:
        self.position = position
        match segment[0]:
            case "AK1":
                self.group = segment
            case "AK2":
                self._leave_set()
                self.set_header = segment
            case "IK3" | "AK3":
                self._end_segment_error()
                self.error_segment = segment
            case "IK4" | "AK4":
                self.element_errors.append(segment)
            case "IK5" | "AK5":
                self._end_set(segment)
            case "AK9":
                self._leave_set()
                self.trailer = segment
            case "ST" | "SE" | "CTX":
                return
            case _:
                self._report(ProblemCode.UNKNOWN_SEGMENT, "a segment that a 999 does not have")

    def finish(self) -> GroupAcknowledgement | None:
        group, trailer = self.group, self.trailer
        number = parse_number(element(group, 2)) if group else None
        outcome = _outcome(element(trailer, 1)) if trailer else None
        if group is None or trailer is None or number is None or outcome is None:
            self._report(ProblemCode.MISSING_ELEMENT, "AK1 or AK9 lacks its number or outcome", refuses=True)
            return None
        return GroupAcknowledgement(control_number=number, outcome=outcome, sets=tuple(self.sets))

    def _leave_set(self) -> None:
        """Note where the set before has no end, and what was wrong in it is not said of the next one."""
        if self.set_header is not None:
            words = "an AK2 has no IK5: the outcome of that set is unknown"
            self._report(ProblemCode.MISSING_ELEMENT, words, loses=True)
        self.set_header = self.error_segment = None
        self.element_errors, self.faults = [], []

    def _end_segment_error(self) -> None:
        segment, self.error_segment = self.error_segment, None
        elements, self.element_errors = self.element_errors, []
        if segment is not None and len(self.faults) < MOST_FAULTS:
            place = f"segment {_code(element(segment, 2))} {_code(element(segment, 1))}"
            self.faults += [
                f"{place}{self._element_of(each)} error {_code(element(each, 3))}" for each in elements
            ] or [f"{place} error {_code(element(segment, 4))}"]

    def _element_of(self, error: Segment) -> str:
        number, component = [*component_list(element(error, 1), self.delimiters), "", ""][:2]
        return _code(number).zfill(2) + (f"-{_code(component)}" if component else "")

    def _end_set(self, trailer: Segment) -> None:
        self._end_segment_error()
        header, self.set_header = self.set_header, None
        outcome = _outcome(element(trailer, 1))
        faults, self.faults = self.faults[:MOST_FAULTS], []
        if header is None or outcome is None:
            words = "a set has no AK2 or no known outcome in IK501"
            self._report(ProblemCode.MALFORMED_ELEMENT, words, loses=True)
            return
        self.sets.append(
            SetAcknowledgement(
                control_number=parse_number(element(header, 2)),
                outcome=outcome,
                faults=tuple(faults),
            )
        )

    def _report(self, code: ProblemCode, message: str, *, refuses: bool = False, loses: bool = False) -> None:
        note(self.problems, Problem(code, message, position=self.position, refuses=refuses, loses=loses))


def _outcome(text: str) -> SyntaxOutcome | None:
    try:
        return SyntaxOutcome(text.strip())
    except ValueError:
        return None


def _code(text: str) -> str:
    """A code or place as it was stated; what is neither may be a copy of what we sent, and is left out."""
    return text if CODE.fullmatch(text) else "?"
