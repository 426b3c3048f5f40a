"""From a stored answer back to the file that it came in: what the payer said, and the very segments."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from claims import matching, reading
from claims.models import ClaimSignal, InboundFile
from claims.signal_keys import key_of_day
from claims.signals import Signal, SignalKind
from claims.signals_from_x12 import (
    signals_of_provider_adjustments,
    signals_of_remittance,
    signals_of_status,
)
from claims.x12.read_277ca import read_277ca
from claims.x12.remittance import RemittanceHeader, RemittedClaim
from claims.x12.statuses import StatusResponse
from claims.x12.tokens import Tokenizer

CLAIM_ENDS = frozenset({"CLP", "PLB", "SE", "LX", "HL", "GE", "IEA"})


@dataclass(frozen=True, slots=True)
class Stated:
    """What the file says where the answer stands; `matching` compares it with claims of ours."""

    answer: matching.Answer = field(repr=False)
    header: RemittanceHeader | None = None
    remitted: RemittedClaim | None = None
    response: StatusResponse | None = None
    claim_count: int = 0
    control_number: str = ""

    @property
    def payee_npi(self) -> str:
        """The NPI of whoever the answer is for; empty where the file doesn't say."""
        if self.header:
            return self.header.payee_npi
        return self.response.provider_id if self.response else ""


def find_stated(row: ClaimSignal) -> Stated | None:
    """Read the file again up to this answer; None where the file has it no more or can't be read."""
    file = row.inbound_file
    if file is None:
        return None
    received_on = file.received_at.date()
    try:
        for statement in reading.AnswerFile(file.content, kind=file.kind, received_on=received_on):
            if found := _in_statement(statement, row):
                return found
    except reading.FileUnreadable:
        return None
    return None


def lines_of(file: InboundFile) -> list[str]:
    """The file, one segment a line; a report that is no X12 as its own lines."""
    text = file.content.decode("utf-8", errors="replace")
    if not text.lstrip("\ufeff \r\n").startswith("ISA"):
        return text.splitlines()
    tokens = Tokenizer(text)
    return ["*".join(segment) for segment in tokens]


def answer_lines(row: ClaimSignal) -> list[str]:
    """The segments of an answer's file that are about it alone; empty where it came in none."""
    if row.inbound_file is None:
        return []
    if row.kind == SignalKind.PROVIDER_ADJUSTMENT:
        return _adjustment_lines(row.inbound_file, Signal.from_json(row.payload).payer_control_number)
    return claim_lines(row.inbound_file, row.patient_control_number)


def _adjustment_lines(file: InboundFile, reference: str) -> list[str]:
    """Each PLB with what it moves on account of this reference, without its other amounts."""
    found = []
    for line in lines_of(file):
        name, *elements = line.split("*")
        pairs = zip(elements[2::2], elements[3::2], strict=False)
        named = [element for pair in pairs if reference in pair[0] for element in pair]
        if name == "PLB" and named:
            found.append("*".join([name, *elements[:2], *named]))
    return found


def claim_lines(file: InboundFile, patient_control_number: str) -> list[str]:
    """The segments of one claim's answer, from its CLP or TRN to the next; empty where it has none."""
    found: list[str] = []
    for line in lines_of(file):
        elements = line.split("*")
        name = elements[0]
        begins = name == "CLP" or (name == "TRN" and elements[1:2] == ["2"])
        if begins and patient_control_number in elements[1:3]:
            found.append(line)
        elif found and name in CLAIM_ENDS:
            return found
        elif found:
            found.append(line)
    return found


def _in_statement(statement: reading.Statement, row: ClaimSignal) -> Stated | None:
    if statement.header is not None and statement.remittance is not None:
        pairs = signals_of_remittance(
            statement.header, statement.remittance, received_on=statement.received_on
        )
        found = None
        for claim, signal in pairs:
            anew = key_of_day(signal.natural_key, signal.effective_date)
            if row.natural_key in (signal.natural_key, anew):
                found = claim
        if row.kind == SignalKind.PROVIDER_ADJUSTMENT:
            return _in_provider_adjustments(statement, row)
        if found is not None:
            return Stated(
                matching.answer_of_remittance(found),
                header=statement.header,
                remitted=found,
                claim_count=statement.remittance.claim_count,
                control_number=statement.control_number,
            )
    elif statement.kind == "277":
        for response in _responses(statement):
            keys = (
                each.natural_key for each in signals_of_status(response, received_on=statement.received_on)
            )
            if row.natural_key in keys:
                return Stated(
                    matching.answer_of_status(response),
                    response=response,
                    control_number=statement.control_number,
                )
    return None


def _in_provider_adjustments(statement: reading.Statement, row: ClaimSignal) -> Stated | None:
    """A PLB stands behind all claims, so the remittance has been read to its end here."""
    assert statement.header is not None
    assert statement.remittance is not None
    adjustments = signals_of_provider_adjustments(
        statement.header, statement.remittance.provider_adjustments, received_on=statement.received_on
    )
    for signal in adjustments:
        if signal.natural_key == row.natural_key:
            return Stated(
                matching.Answer(payer_control_number=signal.payer_control_number),
                header=statement.header,
                claim_count=statement.remittance.claim_count,
                control_number=statement.control_number,
            )
    return None


def _responses(statement: reading.Statement) -> Iterator[StatusResponse]:
    yield from read_277ca(statement.transaction_set)
