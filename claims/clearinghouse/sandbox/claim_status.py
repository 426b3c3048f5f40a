"""Writes the sandbox's 277CA (005010X214): the clearinghouse's own, and the payer's.

The loops of one file, for one claim:

    2000A  HL*20  NM1*AY or NM1*PR    who answers
    2000B  HL*21  NM1*41              the submitter, with the batch's verdict
    2000C  HL*19  NM1*85              the billing provider
    2000D  HL*PT  NM1*QC, TRN*2, STC  the claim's verdict, REF*1K the payer's control number
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claims.clearinghouse.sandbox.interchange import (
    AnswerEnvelope,
    Composite,
    Segment,
    write_group,
)
from claims.clearinghouse.sandbox.received import Party, ReceivedClaim, ReceivedSet
from claims.x12.writing import amount_text, date_text, time_text

GUIDE = "005010X214"
CLEARINGHOUSE = Party(name="SANDBOX CLEARINGHOUSE", qualifier="46", identifier="SANDBOX")


@dataclass(frozen=True, slots=True)
class StatusVerdict:
    """An STC: `status` is category, status code and, where it names one, the entity."""

    status: Composite
    accepted: bool
    payer_control_number: str = ""

    @property
    def message(self) -> str:
        """What a refusal says beside its codes, in words of its own."""
        return "" if self.accepted else _MESSAGE_OF_STATUS.get(self.status[1], "")


ACCEPTED_BY_CLEARINGHOUSE = StatusVerdict(("A1", "20"), accepted=True)
REJECTED_BY_CLEARINGHOUSE = StatusVerdict(("A3", "164", "IL"), accepted=False)
ORIGINAL_CLAIM_UNKNOWN = StatusVerdict(("A7", "464"), accepted=False)
ORIGINAL_CLAIM_MISSING = StatusVerdict(("A6", "464"), accepted=False)
LATE_REJECTION = StatusVerdict(("A7", "97", "IL"), accepted=False)
_REJECTION_OF_CATEGORY: dict[str, Composite] = {
    "A3": ("A3", "33", "IL"),
    "A4": ("A4", "35"),
    "A6": ("A6", "164", "IL"),
    "A7": ("A7", "164", "IL"),
    "A8": ("A8", "158", "IL"),
}
_MESSAGE_OF_STATUS = {
    "33": "SUBSCRIBER NOT ON FILE",
    "35": "CLAIM NOT ON FILE",
    "97": "NO COVERAGE FOUND FOR PATIENT",
    "158": "BIRTH DATE IS NOT THE ONE ON FILE",
    "164": "MEMBER ID NOT ON FILE",
    "464": "ORIGINAL CLAIM NUMBER NOT ON FILE",
}


def accepted_by_payer(payer_control_number: str) -> StatusVerdict:
    """The payer takes the claim into adjudication."""
    return StatusVerdict(("A2", "20"), accepted=True, payer_control_number=payer_control_number)


def rejected_by_payer(category: str) -> StatusVerdict:
    """The payer refuses the claim before adjudication."""
    return StatusVerdict(_REJECTION_OF_CATEGORY[category], accepted=False)


def payer_of(claim: ReceivedClaim) -> Party:
    """The claim's payer as the source of an answer."""
    return Party(
        name=claim.payer.name or "SANDBOX PAYER", qualifier="PI", identifier=claim.payer.identifier or "0"
    )


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """A 277CA for one claim: who says what of it; `trace` is the answer's own number (2200A TRN02)."""

    source: Party
    transaction: ReceivedSet
    claim: ReceivedClaim
    verdict: StatusVerdict
    trace: str


def write_277ca(envelope: AnswerEnvelope, answer: StatusAnswer) -> str:
    """Write the file of one answer."""
    return write_group(envelope, "HN", GUIDE, _body(envelope, answer))


def _body(envelope: AnswerEnvelope, answer: StatusAnswer) -> Iterator[Segment]:
    source, claim, verdict, trace = answer.source, answer.claim, answer.verdict, answer.trace
    date, charge = date_text(envelope.at), amount_text(claim.charge)
    from_payer = source is not CLEARINGHOUSE
    received = ("A1", "19", "PR" if from_payer else "AY")
    action = "WQ" if verdict.accepted else "U"
    yield ("BHT", "0085", "08", trace, date, time_text(envelope.at), "TH")
    yield ("HL", "1", "", "20", "1")
    yield _name("PR" if from_payer else "AY", source)
    yield ("TRN", "1", trace)
    yield ("DTP", "050", "D8", date)
    yield ("DTP", "009", "D8", date)
    yield ("HL", "2", "1", "21", "1")
    yield _name("41", answer.transaction.submitter)
    yield ("TRN", "2", answer.transaction.batch_reference)
    yield ("STC", received, date, "WQ", charge)
    yield ("QTY", "90" if verdict.accepted else "AA", "1")
    yield ("AMT", "YU" if verdict.accepted else "YY", charge)
    yield ("HL", "3", "2", "19", "1")
    yield _name("85", claim.billing)
    yield ("TRN", "1", "0")
    yield ("STC", received, "", "WQ", charge)
    yield ("QTY", "QA" if verdict.accepted else "QC", "1")
    yield ("AMT", "YU" if verdict.accepted else "YY", charge)
    yield ("HL", "4", "3", "PT")
    yield _name("QC", claim.patient)
    yield ("TRN", "2", claim.patient_control_number)
    yield ("STC", verdict.status, date, action, charge, *("",) * 7, verdict.message)
    if verdict.payer_control_number:
        yield ("REF", "1K", verdict.payer_control_number)
    yield ("REF", "D9", clearinghouse_trace(claim))
    if dates := sorted(line.service_date for line in claim.lines if line.service_date):
        yield ("DTP", "472", "D8", dates[0])


def clearinghouse_trace(claim: ReceivedClaim) -> str:
    """The clearinghouse's own number for a claim (REF*D9)."""
    return f"SBX{claim.patient_control_number}"


def _name(code: str, party: Party) -> Segment:
    return (
        "NM1",
        code,
        party.entity,
        party.name,
        party.first_name,
        *("",) * 3,
        party.qualifier,
        party.identifier,
    )
