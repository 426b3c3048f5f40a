"""Reads an 837P the way a clearinghouse does: from its text alone, and only what its answers need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from claims.x12.segments import Segment, TransactionSet, X12Error, X12File, component_list, element
from claims.x12.tokens import Tokenizer


class UnreadableInterchangeError(ValueError):
    """The text is not one interchange with a group of professional claims."""


@dataclass(frozen=True, slots=True)
class Party:
    """An NM1: a person (`entity` 1) or an organization (2)."""

    entity: str = "2"
    name: str = ""
    first_name: str = ""
    qualifier: str = ""
    identifier: str = ""


@dataclass(frozen=True, slots=True)
class ReceivedLine:
    """A 2400 loop; `procedure` holds the components of SV101 (HC, code, modifiers)."""

    procedure: tuple[str, ...]
    charge: Decimal
    units: str
    service_date: str = ""
    control_number: str = ""


@dataclass(frozen=True, slots=True)
class ReceivedClaim:
    """A 2300 loop with the parties above it; dates as CCYYMMDD."""

    patient_control_number: str
    charge: Decimal
    place_of_service: str
    frequency: str
    payer_control_number: str
    filing_code: str
    patient: Party
    billing: Party
    billing_tax_id: str
    rendering: Party | None
    payer: Party
    lines: tuple[ReceivedLine, ...]


@dataclass(frozen=True, slots=True)
class ReceivedSet:
    """An ST..SE: its segments as sent, for the 999, and the claims in it."""

    control_number: str
    batch_reference: str
    submitter: Party
    segments: tuple[Segment, ...] = field(repr=False)
    claims: tuple[ReceivedClaim, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReceivedInterchange:
    """One ISA with one GS; `wants_ta1` is ISA14."""

    control_number: str
    sender_id: str
    receiver_id: str
    usage: str
    wants_ta1: bool
    date: str
    time: str
    group_control_number: str
    group_version: str
    sets: tuple[ReceivedSet, ...] = field(repr=False)

    @property
    def claims(self) -> Iterator[tuple[ReceivedSet, ReceivedClaim]]:
        """Every claim with the set that carries it."""
        return ((transaction, claim) for transaction in self.sets for claim in transaction.claims)


def read_interchange(text: str) -> ReceivedInterchange:
    """Read one interchange of 837P sets; raises UnreadableInterchangeError, which never quotes the text."""
    try:
        wants_ta1 = element(next(iter(Tokenizer(text))), 14) == "1"
        sets = [(transaction, tuple(transaction.segments)) for transaction in X12File(text)]
    except (X12Error, StopIteration):
        raise UnreadableInterchangeError("the text is no X12 interchange") from None
    if not sets or any(transaction.kind != "837" for transaction, _ in sets):
        raise UnreadableInterchangeError("the interchange holds no 837, or something else as well")
    first = sets[0][0]
    if any(transaction.refusal for transaction, _ in sets):
        raise UnreadableInterchangeError("a set is cut off or of a version that is not 005010X222A1")
    interchange, group = first.interchange, first.group
    if interchange is None or group is None:
        raise UnreadableInterchangeError("the interchange lacks its ISA or GS")
    if any(transaction.interchange != interchange or transaction.group != group for transaction, _ in sets):
        raise UnreadableInterchangeError("the text holds several interchanges or groups")
    return ReceivedInterchange(
        control_number=interchange.control_number,
        sender_id=interchange.sender_id,
        receiver_id=interchange.receiver_id,
        usage=interchange.usage,
        wants_ta1=wants_ta1,
        date=interchange.date,
        time=interchange.time,
        group_control_number=group.control_number,
        group_version=group.version,
        sets=tuple(_read_set(transaction, segments) for transaction, segments in sets),
    )


def _read_set(transaction: TransactionSet, segments: tuple[Segment, ...]) -> ReceivedSet:
    reader = _SetReader(transaction)
    for segment in segments:
        reader.take(segment)
    return ReceivedSet(
        control_number=transaction.control_number,
        batch_reference=reader.batch_reference,
        submitter=reader.submitter,
        segments=segments,
        claims=tuple(reader.finish()),
    )


class _SetReader:
    """Walks one set and keeps what is above the claim until the claim is complete."""

    def __init__(self, transaction: TransactionSet) -> None:
        self._delimiters = transaction.delimiters
        self.batch_reference = ""
        self.submitter = Party()
        self._parties: dict[str, Party] = {}
        self._tax_id = ""
        self._filing_code = ""
        self._claim: Segment = []
        self._payer_control_number = ""
        self._lines: list[ReceivedLine] = []
        self._claims: list[ReceivedClaim] = []

    def finish(self) -> list[ReceivedClaim]:
        self._close_claim()
        return self._claims

    def take(self, segment: Segment) -> None:
        match segment[0], element(segment, 1):
            case "BHT", _:
                self.batch_reference = element(segment, 3)
            case "HL", _:
                self._close_claim()
            case "NM1", "41":
                self.submitter = _party(segment)
            case "NM1", code:
                self._parties[code] = _party(segment)
            case "REF", "EI":
                self._tax_id = element(segment, 2)
            case "SBR", _:
                self._filing_code = element(segment, 9)
            case "CLM", _:
                self._close_claim()
                self._claim = segment
            case "REF", "F8":
                self._payer_control_number = element(segment, 2)
            case "SV1", _:
                procedure = tuple(component_list(element(segment, 1), self._delimiters))
                line = ReceivedLine(procedure, _amount(element(segment, 2)), element(segment, 4))
                self._lines.append(line)
            case "DTP", "472":
                self._amend_line(service_date=element(segment, 3)[:8])
            case "REF", "6R":
                self._amend_line(control_number=element(segment, 2))

    def _amend_line(self, *, service_date: str = "", control_number: str = "") -> None:
        if self._lines:
            line = self._lines[-1]
            self._lines[-1] = ReceivedLine(
                line.procedure,
                line.charge,
                line.units,
                service_date or line.service_date,
                control_number or line.control_number,
            )

    def _close_claim(self) -> None:
        if not self._claim:
            return
        place, _, frequency = (*component_list(element(self._claim, 5), self._delimiters), "", "", "")[:3]
        self._claims.append(
            ReceivedClaim(
                patient_control_number=element(self._claim, 1),
                charge=_amount(element(self._claim, 2)),
                place_of_service=place,
                frequency=frequency or "1",
                payer_control_number=self._payer_control_number,
                filing_code=self._filing_code,
                patient=self._parties.get("IL", Party()),
                billing=self._parties.get("85", Party()),
                billing_tax_id=self._tax_id,
                rendering=self._parties.pop("82", None),
                payer=self._parties.get("PR", Party()),
                lines=tuple(self._lines),
            )
        )
        self._claim, self._lines, self._payer_control_number = [], [], ""


def _party(segment: Segment) -> Party:
    entity, name, first, qualifier, identifier = (element(segment, number) for number in (2, 3, 4, 8, 9))
    return Party(entity, name, first, qualifier, identifier)


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise UnreadableInterchangeError("an amount is no number") from None
    if not amount.is_finite():
        raise UnreadableInterchangeError("an amount is no number")
    return amount
