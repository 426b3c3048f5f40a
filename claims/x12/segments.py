"""Reads X12 files of any shape as a stream: interchanges, groups, transaction sets, segments.

Delimiters come from each ISA; files that begin at GS or ST are understood too, and anything may stand on
lines of its own, be indented, or repeat. Only one segment is held at a time, so memory does not grow with the
file. What is wrong is told as `Problem` values on the transaction set or the file; the one exception is
`X12Error`: these bytes are no X12 at all.

    for transaction_set in X12File(source):
        if transaction_set.refusal is None:
            for segment in transaction_set.segments: ...
        transaction_set.problems          # complete once its segments have been read
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from claims.x12.problems import Problem, ProblemCode, note
from claims.x12.tokens import Delimiters, Segment, Source, Tokenizer, X12Error, component_list, element

__all__ = [
    "Delimiters",
    "Group",
    "Interchange",
    "Problem",
    "ProblemCode",
    "Segment",
    "TransactionSet",
    "X12Error",
    "X12File",
    "component_list",
    "element",
]

# Errata only add a suffix such as A1 or E2, and change nothing that is read here.
SUPPORTED_GUIDES = {
    "837": ("005010X222",),
    "999": ("005010X231",),
    "277": ("005010X214", "005010X212"),
    "835": ("005010X221",),
}
_ERRATA = re.compile(r"(?:[AE][0-9])?")
_ENVELOPE = frozenset({"ST", "GE", "IEA", "GS", "ISA"})
TA1 = "TA1"


@dataclass(frozen=True, slots=True)
class Interchange:
    """An ISA header: ids are trimmed, the control number is kept as it was written."""

    sender_id: str
    receiver_id: str
    control_number: str
    version: str
    usage: str
    date: str
    time: str


@dataclass(frozen=True, slots=True)
class Group:
    """A GS header."""

    control_number: str
    version: str
    date: str


@dataclass(slots=True)
class TransactionSet:
    """One ST..SE, or one TA1, which X12 puts between the envelopes.

    `segments` is read once, front to back, ST and SE included; `problems` grows while it is read.
    """

    kind: str
    control_number: str
    version: str
    delimiters: Delimiters
    interchange: Interchange | None
    group: Group | None
    segments: Iterator[Segment]
    problems: list[Problem] = field(default_factory=list)

    @property
    def guide(self) -> str:
        """The version without its errata, which names the implementation guide."""
        return self.version[:10]

    @property
    def refusal(self) -> Problem | None:
        """The first problem for which the whole set must be left alone, as far as it has been read."""
        return next((problem for problem in self.problems if problem.refuses), None)


class X12File:
    """The transaction sets of a file, in order; `problems` are those of its envelopes."""

    def __init__(self, source: Source) -> None:
        """Begins to read; raises X12Error where the content can't be X12."""
        self.problems: list[Problem] = []
        self._tokens = Tokenizer(source)
        self._segments = iter(self._tokens)
        self._pending: Segment | None = None
        self._interchange: Interchange | None = None
        self._group: Group | None = None
        self._groups_read = 0
        self._sets_read = 0

    def __iter__(self) -> Iterator[TransactionSet]:
        """Yield the sets; what a caller leaves unread of one is skipped before the next."""
        while (segment := self._next()) is not None:
            if (transaction_set := self._step(segment)) is not None:
                yield transaction_set
                for _ in transaction_set.segments:
                    continue
        self._end_group(None)
        self._end_interchange(None)
        if self._tokens.unreadable:
            self._report(ProblemCode.UNREADABLE, "the file holds text that is not part of any interchange")

    def _next(self) -> Segment | None:
        if self._pending is not None:
            segment, self._pending = self._pending, None
            return segment
        return next(self._segments, None)

    def _step(self, segment: Segment) -> TransactionSet | None:
        """Take one segment that stands outside any transaction set."""
        match segment[0]:
            case "ST":
                return self._begin_set(segment)
            case "TA1":
                return self._begin_acknowledgement(segment)
            case "ISA":
                self._end_group(None)
                self._end_interchange(None)
                self._begin_interchange(segment)
            case "GS":
                self._end_group(None)
                self._begin_group(segment)
            case "GE":
                self._end_group(segment)
            case "IEA":
                self._end_group(None)
                self._end_interchange(segment)
            case _:
                self._report(
                    ProblemCode.STRAY_SEGMENT, "a segment stands outside any transaction set", segment
                )
        return None

    def _begin_interchange(self, isa: Segment) -> None:
        self._groups_read = 0
        self._interchange = Interchange(
            sender_id=element(isa, 6).strip(),
            receiver_id=element(isa, 8).strip(),
            control_number=element(isa, 13).strip(),
            version=element(isa, 12).strip(),
            usage=element(isa, 15).strip(),
            date=element(isa, 9),
            time=element(isa, 10),
        )

    def _begin_group(self, gs: Segment) -> None:
        self._groups_read += 1
        self._sets_read = 0
        self._group = Group(
            control_number=element(gs, 6).strip(),
            version=element(gs, 8).strip(),
            date=element(gs, 4),
        )

    def _end_group(self, ge: Segment | None) -> None:
        group, self._group = self._group, None
        if group is None:
            if ge is not None:
                self._report(ProblemCode.STRAY_SEGMENT, "GE ends a group that never began", ge)
            return
        if ge is None:
            self._report(ProblemCode.TRUNCATED, "a group has no GE")
            return
        if element(ge, 1).strip() != str(self._sets_read):
            self._report(ProblemCode.COUNT_MISMATCH, "GE counts other transaction sets than were sent", ge)
        if element(ge, 2).strip() != group.control_number:
            self._report(ProblemCode.CONTROL_NUMBER_MISMATCH, "GE02 is not the control number of GS06", ge)

    def _end_interchange(self, iea: Segment | None) -> None:
        interchange, self._interchange = self._interchange, None
        if interchange is None:
            if iea is not None:
                self._report(ProblemCode.STRAY_SEGMENT, "IEA ends an interchange that never began", iea)
            return
        if iea is None:
            self._report(ProblemCode.TRUNCATED, "an interchange has no IEA")
            return
        if element(iea, 1).strip() != str(self._groups_read):
            self._report(ProblemCode.COUNT_MISMATCH, "IEA counts other groups than were sent", iea)
        if element(iea, 2).strip() != interchange.control_number:
            self._report(ProblemCode.CONTROL_NUMBER_MISMATCH, "IEA02 is not the control number of ISA13", iea)

    def _begin_acknowledgement(self, segment: Segment) -> TransactionSet:
        return TransactionSet(
            kind=TA1,
            control_number=element(segment, 1).strip(),
            version=self._interchange.version if self._interchange else "",
            delimiters=self._tokens.delimiters,
            interchange=self._interchange,
            group=None,
            segments=iter((segment,)),
        )

    def _begin_set(self, st: Segment) -> TransactionSet:
        self._sets_read += 1
        group_version = self._group.version if self._group else ""
        transaction_set = TransactionSet(
            kind=element(st, 1).strip(),
            control_number=element(st, 2).strip(),
            version=group_version or element(st, 3).strip(),
            delimiters=self._tokens.delimiters,
            interchange=self._interchange,
            group=self._group,
            segments=iter(()),
        )
        transaction_set.problems.extend(_header_problems(transaction_set))
        transaction_set.segments = self._segments_of(transaction_set, st)
        return transaction_set

    def _segments_of(self, transaction_set: TransactionSet, st: Segment) -> Iterator[Segment]:
        """Yield ST to SE; an envelope segment or the end of the file before SE means a truncated set."""
        yield st
        count = 1
        for segment in self._segments:
            name = segment[0]
            if name in _ENVELOPE:
                self._pending = segment
                break
            count += 1
            yield segment
            if name == "SE":
                transaction_set.problems.extend(_trailer_problems(transaction_set, segment, count))
                return
        transaction_set.problems.append(
            Problem(ProblemCode.TRUNCATED, "the transaction set has no SE", "SE", count, refuses=True)
        )

    def _report(self, code: ProblemCode, message: str, segment: Segment | None = None) -> None:
        note(self.problems, Problem(code, message, segment[0][:3] if segment else ""))


def _header_problems(transaction_set: TransactionSet) -> Iterator[Problem]:
    """Judge by the headers alone whether this set may be read, and as what."""
    kind, version = transaction_set.kind, transaction_set.version
    if transaction_set.interchange is None or transaction_set.group is None:
        yield Problem(
            ProblemCode.NO_ENVELOPE, "the transaction set stands without a full ISA and GS envelope", "ST"
        )
    if (supported := SUPPORTED_GUIDES.get(kind)) is None:
        yield Problem(
            ProblemCode.UNSUPPORTED_TRANSACTION,
            "this transaction set is none that is handled here",
            "ST",
            refuses=True,
        )
    elif transaction_set.guide in supported and _ERRATA.fullmatch(version[10:]):
        return
    elif version in ("", "005010", "5010") and kind != "277":
        # Two guides share the 277, so without a version nobody can tell what it says.
        yield Problem(ProblemCode.UNUSUAL_VERSION, f"no full version is given; read as {supported[-1]}", "GS")
    else:
        yield Problem(
            ProblemCode.WRONG_VERSION,
            f"version {version[:12] or 'none'} is not supported; {kind} is read as {' or '.join(supported)}",
            "GS",
            refuses=True,
        )


def _trailer_problems(transaction_set: TransactionSet, se: Segment, count: int) -> Iterator[Problem]:
    if element(se, 1).strip() != str(count):
        yield Problem(
            ProblemCode.COUNT_MISMATCH,
            f"SE01 does not count the {count} segments sent",
            "SE",
            count,
            loses=True,
        )
    if element(se, 2).strip() != transaction_set.control_number:
        yield Problem(
            ProblemCode.CONTROL_NUMBER_MISMATCH, "SE02 is not the control number of ST02", "SE", count
        )
