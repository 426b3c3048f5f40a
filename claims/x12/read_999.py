"""Reads 999 (005010X231): whether the receiver could read a group of ours, and each transaction set in it.

ST AK1
2000 set       AK2
  2100 segment IK3 CTX
    2110 element IK4 CTX
  IK5
AK9 SE
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from claims.x12.problems import Problem, ProblemCode, note
from claims.x12.segments import TransactionSet
from claims.x12.tokens import Segment, element
from claims.x12.values import parse_number


class SyntaxOutcome(StrEnum):
    """IK501 and AK901; partly accepted is said of groups only."""

    ACCEPTED = "A"
    ACCEPTED_WITH_ERRORS = "E"
    PARTLY_ACCEPTED = "P"
    REJECTED = "R"
    REJECTED_AUTHENTICATION = "M"
    REJECTED_ASSURANCE = "W"
    REJECTED_DECRYPTION = "X"


@dataclass(frozen=True, slots=True)
class ElementError:
    """IK4: the place as `element`, `element:component` or `element:component:repetition`, and the fault.

    `bad_value` is a copy of what we sent, perhaps of a patient, and stays out of `repr`.
    """

    position: str
    reference_number: str
    error_code: str
    bad_value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SegmentError:
    """IK3: the faulty segment, counted from ST as 1; contexts are CTX, such as the claim it stands in."""

    segment_id: str
    position: int | None
    loop: str
    error_code: str
    contexts: tuple[str, ...] = field(repr=False)
    element_errors: tuple[ElementError, ...]


@dataclass(frozen=True, slots=True)
class SetAcknowledgement:
    """AK2 to IK5: one of our transaction sets, by the number in its ST02."""

    kind: str
    control_number: int | None
    outcome: SyntaxOutcome
    error_codes: tuple[str, ...]
    segment_errors: tuple[SegmentError, ...]


@dataclass(frozen=True, slots=True)
class GroupAcknowledgement:
    """A whole 999: one of our groups, by the number in its GS06."""

    functional_id: str
    control_number: int
    version: str
    outcome: SyntaxOutcome
    sets_included: int | None
    sets_received: int | None
    sets_accepted: int | None
    error_codes: tuple[str, ...]
    sets: tuple[SetAcknowledgement, ...]

    def outcome_of(self, control_number: int) -> SyntaxOutcome | None:
        """Give the outcome of one set: its own, else the group's unless that is only partly accepted."""
        for acknowledged in self.sets:
            if acknowledged.control_number == control_number:
                return acknowledged.outcome
        return None if self.outcome is SyntaxOutcome.PARTLY_ACCEPTED else self.outcome


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
        self.position = 0
        self.group: Segment | None = None
        self.trailer: Segment | None = None
        self.set_header: Segment | None = None
        self.error_segment: Segment | None = None
        self.contexts: list[str] = []
        self.element_errors: list[ElementError] = []
        self.segment_errors: list[SegmentError] = []
        self.sets: list[SetAcknowledgement] = []

    def take(self, segment: Segment, position: int) -> None:
        self.position = position
        match segment[0]:
            case "AK1":
                self.group = segment
            case "AK2":
                if self.set_header is not None:
                    self._report(
                        ProblemCode.MISSING_ELEMENT, "an AK2 has no IK5: the outcome of that set is unknown"
                    )
                self.set_header = segment
            case "IK3" | "AK3":
                self._end_segment_error()
                self.error_segment = segment
            case "IK4" | "AK4":
                self.element_errors.append(
                    ElementError(
                        position=element(segment, 1),
                        reference_number=element(segment, 2),
                        error_code=element(segment, 3),
                        bad_value=element(segment, 4),
                    )
                )
            case "CTX":
                self.contexts.append(element(segment, 1))
            case "IK5" | "AK5":
                self._end_set(segment)
            case "AK9":
                self.trailer = segment
            case "ST" | "SE":
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
        return GroupAcknowledgement(
            functional_id=element(group, 1),
            control_number=number,
            version=element(group, 3),
            outcome=outcome,
            sets_included=parse_number(element(trailer, 2)),
            sets_received=parse_number(element(trailer, 3)),
            sets_accepted=parse_number(element(trailer, 4)),
            error_codes=_codes(trailer[5:]),
            sets=tuple(self.sets),
        )

    def _end_segment_error(self) -> None:
        segment, self.error_segment = self.error_segment, None
        if segment is not None:
            self.segment_errors.append(
                SegmentError(
                    segment_id=element(segment, 1),
                    position=parse_number(element(segment, 2)),
                    loop=element(segment, 3),
                    error_code=element(segment, 4),
                    contexts=tuple(self.contexts),
                    element_errors=tuple(self.element_errors),
                )
            )
        self.contexts, self.element_errors = [], []

    def _end_set(self, trailer: Segment) -> None:
        self._end_segment_error()
        header, self.set_header = self.set_header, None
        outcome = _outcome(element(trailer, 1))
        errors, self.segment_errors = tuple(self.segment_errors), []
        if header is None or outcome is None:
            self._report(ProblemCode.MALFORMED_ELEMENT, "a set has no AK2 or no known outcome in IK501")
            return
        self.sets.append(
            SetAcknowledgement(
                kind=element(header, 1),
                control_number=parse_number(element(header, 2)),
                outcome=outcome,
                error_codes=_codes(trailer[2:]),
                segment_errors=errors,
            )
        )

    def _report(self, code: ProblemCode, message: str, *, refuses: bool = False) -> None:
        note(self.problems, Problem(code, message, position=self.position, refuses=refuses))


def _outcome(text: str) -> SyntaxOutcome | None:
    try:
        return SyntaxOutcome(text.strip())
    except ValueError:
        return None


def _codes(elements: list[str]) -> tuple[str, ...]:
    return tuple(code for code in elements if code)
