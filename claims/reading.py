"""What a stored file says, set by set, as signals; nothing here touches the database."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from claims.clearinghouse.port import FileKind
from claims.clearinghouse.stedi.json_tree import ReportError
from claims.clearinghouse.stedi.reports import StediReport
from claims.signals import Signal
from claims.signals_from_x12 import (
    signal_of_ta1,
    signals_of_999,
    signals_of_status,
)
from claims.x12.claim import Usage
from claims.x12.problems import ProblemCode
from claims.x12.read_277ca import read_277ca
from claims.x12.read_835 import Remittance835
from claims.x12.read_999 import read_999
from claims.x12.read_ta1 import read_ta1
from claims.x12.remittance import RemittanceHeader, RemittanceName
from claims.x12.segments import TransactionSet, X12Error, X12File
from claims.x12.values import parse_date

MOST_PROBLEMS = 20
SLIPS = (ProblemCode.CONTROL_NUMBER_MISMATCH, ProblemCode.UNUSUAL_VERSION)


class SetRefused(Exception):
    """A transaction set can't be used; nothing of it is kept. The words hold no patient data."""


class FileUnreadable(Exception):
    """A file is not what it should be; the words hold no patient data."""


@dataclass(slots=True)
class Statement:
    """One transaction set: an acknowledgement's signals, or a remittance to be posted."""

    kind: str
    control_number: str
    received_on: date
    transaction_set: TransactionSet
    remittance: Remittance835 | None = None
    problems: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """Those by which something of what it says was not taken in."""

    @property
    def header(self) -> RemittanceHeader | None:
        """The payment, where this is an 835 that can be read."""
        return self.remittance.header if self.remittance else None

    @property
    def is_test(self) -> bool:
        """Whether its sender marks it as a test (ISA15)."""
        interchange = self.transaction_set.interchange
        return interchange is not None and interchange.usage == Usage.TEST

    @property
    def refusal(self) -> str:
        """Why the set can't be used, as far as it was read; empty while it can."""
        refusal = self.transaction_set.refusal
        return refusal.message if refusal else ""

    def signals(
        self, *, sets_of_group: Callable[[int], Sequence[int]]
    ) -> Iterator[tuple[Signal, Sequence[RemittanceName]]]:
        """The signals of an acknowledgement, one at a time; SetRefused when it is of no use.

        Each with the patient's names, where it states them. `sets_of_group` gives the transaction sets (ST02)
        that a group of ours (GS06) held.
        """
        if self.refusal:
            raise SetRefused(self.refusal)
        match self.kind:
            case "TA1":
                if acknowledged := read_ta1(self.transaction_set):
                    yield signal_of_ta1(acknowledged, received_on=self.received_on), ()
            case "999":
                if answer := read_999(self.transaction_set):
                    listed = [each.control_number for each in answer.sets if each.control_number is not None]
                    ours = sets_of_group(answer.control_number) or listed
                    for signal in signals_of_999(answer, ours, written_on=self._written_on()):
                        yield signal, ()
            case "277":
                for response in read_277ca(self.transaction_set):
                    for signal in signals_of_status(response, received_on=self.received_on):
                        yield signal, response.names
            case "837":
                raise SetRefused("This is a claim file, and claims only go out from here.")
            case _:
                raise SetRefused("This is no answer to a claim.")

    def finish(self) -> None:
        """Read what is left of the set, and note what was odd about it."""
        for _ in self.transaction_set.segments:
            continue
        problems = self.transaction_set.problems
        self.problems = [problem.message for problem in problems[:MOST_PROBLEMS]]
        self.lost = [problem.message for problem in problems if problem.loses][:MOST_PROBLEMS]

    def _written_on(self) -> date:
        group = self.transaction_set.group
        return (parse_date(group.date) if group else None) or self.received_on


class AnswerFile:
    """The transaction sets of a file, in order; once all are read, what of it seems to be missing."""

    def __init__(self, content: bytes, *, kind: str, received_on: date) -> None:
        """Begin to read; FileUnreadable where it is no such file."""
        self._received_on = received_on
        try:
            self._sets = (
                X12File(content) if kind == FileKind.X12 else StediReport(content, kind=FileKind(kind))
            )
        except (X12Error, ReportError) as error:
            raise FileUnreadable(str(error)) from None

    def __iter__(self) -> Iterator[Statement]:
        """Give the sets; FileUnreadable where the rest can't be read."""
        try:
            for transaction_set in self._sets:
                yield Statement(
                    kind=transaction_set.kind,
                    control_number=transaction_set.control_number,
                    received_on=self._received_on,
                    transaction_set=transaction_set,
                    remittance=Remittance835(transaction_set) if transaction_set.kind == "835" else None,
                )
        except (X12Error, ReportError) as error:
            raise FileUnreadable(str(error)) from None

    @property
    def missing(self) -> list[str]:
        """What shows that the file is not whole: a trailer that isn't there, or that counts more."""
        return self._said(slips=False)

    @property
    def slips(self) -> list[str]:
        """What is wrong in its envelopes and loses nothing."""
        return self._said(slips=True)

    def _said(self, *, slips: bool) -> list[str]:
        found = [each.message for each in self._sets.problems if (each.code in SLIPS) is slips]
        return found[:MOST_PROBLEMS]
