"""Reads Stedi's JSON reports by putting them back into the segments that they were made from.

    for transaction_set in StediReport(content, kind=file.kind): ...

The sets are read by `claims.x12.read_277ca` and `claims.x12.read_835`, like those of an X12 file, so that one
report gives the same values and meets the same checks whichever way it came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from claims.clearinghouse.port import FileKind
from claims.clearinghouse.stedi.json_tree import Node, ReportError, children, parse, text
from claims.clearinghouse.stedi.report_277 import segments_of_277
from claims.clearinghouse.stedi.report_835 import segments_of_835
from claims.clearinghouse.stedi.segments import DELIMITERS
from claims.x12.problems import Problem
from claims.x12.segments import TransactionSet
from claims.x12.tokens import Segment

_READERS: dict[FileKind, tuple[str, str, Callable[[Node], Iterator[Segment]]]] = {
    FileKind.STEDI_277_JSON: ("277", "005010X214", segments_of_277),
    FileKind.STEDI_835_JSON: ("835", "005010X221A1", segments_of_835),
}


class StediReport:
    """The transaction sets of a report, in order; it has the face of `claims.x12.segments.X12File`."""

    def __init__(self, content: bytes, *, kind: FileKind) -> None:
        """Parse the report; raises ReportError where it is none."""
        self.problems: list[Problem] = []
        self._transactions = children(parse(content), "transactions")
        self._kind = kind
        if not self._transactions:
            raise ReportError("The report holds no transactions.")

    def __iter__(self) -> Iterator[TransactionSet]:
        """Yield the sets; they have no envelope."""
        kind, version, segments_of = _READERS[self._kind]
        for transaction in self._transactions:
            yield TransactionSet(
                kind=kind,
                control_number=text(transaction, "controlNumber"),
                version=version,
                delimiters=DELIMITERS,
                interchange=None,
                group=None,
                segments=segments_of(transaction),
            )
