"""Rules about the claim as it is numbered and written."""

import re
from collections.abc import Iterator
from dataclasses import replace

from billing.rules.facts import Address, ClaimFacts, Format
from billing.rules.rule import HOLDS, REPAIRS, Actor, Change, Complaint, Rule, hold, repaired

_CLAIM_NUMBER = re.compile(r"[A-Z0-9]{1,14}")
_LINE_NUMBER_LENGTH = 30
_PATH = "claim"


def control_numbers(facts: ClaimFacts) -> Iterator[Complaint]:
    """A claim's own number is short and plain; the database gives it to no other claim."""
    number = facts.format.patient_control_number
    if number is not None and not _CLAIM_NUMBER.fullmatch(number):
        yield hold(
            f"{_PATH}.patientControlNumber",
            "The claim's number has more than 14 letters and digits, or other signs. Have the claim built "
            "again.",
            who_acts=Actor.STAFF,
        )
    if any(len(number) > _LINE_NUMBER_LENGTH for number in facts.format.line_control_numbers):
        yield hold(
            _PATH,
            f"A line's number has more than {_LINE_NUMBER_LENGTH} characters. Have the claim built again.",
            who_acts=Actor.STAFF,
        )


def envelope(facts: ClaimFacts) -> Iterator[Complaint]:
    """The envelope's counts are those of what was written; its numbers come from sequences, once each."""
    return envelope_complaints(facts.format)


def envelope_complaints(written: Format) -> Iterator[Complaint]:
    """The same, of an interchange that may hold many claims."""
    if written.counts_match is False:
        yield hold(
            _PATH,
            "The envelope counts other segments than the file has. Have the file built again.",
            who_acts=Actor.STAFF,
        )


def writer_is_content(facts: ClaimFacts) -> Iterator[Complaint]:
    """The 837P writer found all that it needs, in order."""
    for complaint in facts.format.writer_complaints:
        yield hold(
            _PATH, f"The claim can't be written: {complaint.rstrip('.')}. Correct it and the session goes on."
        )
    if facts.coverage.payer_id is None and facts.payer_match is None:
        yield hold(
            "patient.insurance.payerId",
            "The claim has no payer ID, and no payer directory is loaded to find it in. Send payerId.",
        )


def _same_place(one: Address, other: Address) -> bool:
    def plain(address: Address) -> tuple[str, ...]:
        parts = (address.street, address.line2 or "", address.city, address.state, address.zip[:5])
        return tuple(re.sub(r"[^a-z0-9]", "", part.lower()) for part in parts)

    return plain(one) == plain(other)


def leave_out_own_facility(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """A service facility at the practice's own address is left out; sessions have no other."""
    facility = facts.format.service_facility
    if facility is None or not _same_place(facility, facts.practice.address):
        return facts, ()
    return replace(facts, format=replace(facts.format, service_facility=None)), (
        repaired(
            "The session took place at the practice's own address, so the claim names no other.",
            Change(f"{_PATH}.serviceFacility"),
        ),
    )


RULES = (
    Rule("FMT-001", HOLDS, "The claim's own numbers are short and plain", control_numbers),
    Rule("FMT-002", HOLDS, "The envelope's counts are true", envelope),
    Rule("FMT-003", HOLDS, "The 837P writer has all that it needs", writer_is_content),
    Rule(
        "FMT-004",
        REPAIRS,
        "A service facility is another place than the practice",
        repair=leave_out_own_facility,
    ),
)
