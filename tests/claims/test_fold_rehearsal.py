"""The whole way in memory: a claim of the rehearsal table, the sandbox's files, their signals, the status."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from claims.clearinghouse.port import InboundFile
from claims.fold.entries import TimelineEntry, entries_for
from claims.fold.versions import ClaimVersion, SessionOutcome, fold_session
from claims.ledger import BilledLine, Posting
from claims.signals import Signal, WorkflowState
from claims.signals_from_x12 import (
    signals_of_999,
    signals_of_provider_adjustments,
    signals_of_remittance,
    signals_of_status,
)
from claims.x12.claim import ProfessionalClaim
from claims.x12.read_277ca import read_277ca
from claims.x12.read_835 import Remittance835
from claims.x12.read_999 import read_999
from claims.x12.segments import TransactionSet, X12File
from tests.claims.clearinghouse.cast import NOON, claim_of
from tests.claims.clearinghouse.sandbox.stage import FOR_EVER, Stage

TODAY = NOON.date()
A_MONTH_IN_A_SECOND = 2_592_000.0


def signals_of(files: Iterable[InboundFile], *, claim: ProfessionalClaim) -> list[list[Signal]]:
    """Read files as they came: the signals of each about one claim."""
    found = []
    for file in files:
        signals = [signal for each in X12File(file.content) for signal in _signals_of_set(each, claim)]
        found.append(
            [each for each in signals if each.patient_control_number == claim.patient_control_number]
        )
    return found


def _signals_of_set(transaction_set: TransactionSet, claim: ProfessionalClaim) -> list[Signal]:
    number = claim.patient_control_number
    match transaction_set.kind:
        case "999":
            group = read_999(transaction_set)
            assert group is not None
            numbers = [each.control_number for each in group.sets]
            return [each.of_claim(number) for each in signals_of_999(group, numbers, written_on=TODAY)]
        case "277":
            responses = list(read_277ca(transaction_set))
            return [each for one in responses for each in signals_of_status(one, received_on=TODAY)]
    remittance = Remittance835(transaction_set)
    assert remittance.header is not None
    posting = Posting(remittance.header)
    signals = []
    for remitted, signal in signals_of_remittance(remittance.header, remittance, received_on=TODAY):
        signals.append(signal)
        entries = posting.post(remitted, billed=_billed(claim))
        if remitted.patient_control_number == number:
            assert all(entry.line_number for entry in entries)
    posting.post_provider_adjustments(remittance.provider_adjustments)
    assert posting.reasons_to_refuse(remittance.imbalances) == []
    adjustments = signals_of_provider_adjustments(
        remittance.header, remittance.provider_adjustments, received_on=TODAY
    )
    # A balance carried forward names a payment; a recoupment names the claim by the payer's number.
    return signals + [each.of_claim(number) for each in adjustments if each.adjustments[0].reason == "WO"]


def _billed(claim: ProfessionalClaim) -> list[BilledLine]:
    return [
        BilledLine(number, line.control_number, line.procedure_code, line.modifiers, line.charge)
        for number, line in enumerate(claim.service_lines, start=1)
    ]


def follow(
    claim: ProfessionalClaim, files: Iterable[InboundFile], *, versions: tuple[ClaimVersion, ...] = ()
) -> tuple[SessionOutcome, list[TimelineEntry], ClaimVersion]:
    """Follow the newest version of a session's claim through all that comes back about it."""
    known = frozenset(signal.natural_key for version in versions for signal in version.signals)
    version = ClaimVersion(
        number=len(versions) + 1,
        workflow_state=WorkflowState.SENT,
        frequency=claim.frequency,
        known_before=known,
    )
    entries: list[TimelineEntry] = []
    session = fold_session([*versions, version])
    for signals in signals_of(files, claim=claim):
        session, new = entries_for([*versions, version], signals, number=version.number, payer="Aetna")
        version = replace(version, signals=(*version.signals, *signals))
        entries += new
    return session, entries, version


@pytest.mark.parametrize("speed", [1.0, A_MONTH_IN_A_SECOND])
@pytest.mark.parametrize(
    ("member_id", "session", "claim", "events"),
    [
        ("PAID", "paid", "paid", ["acknowledged", "acknowledged", "accepted", "paid"]),
        ("PARTIAL", "paid", "paid", ["acknowledged", "acknowledged", "accepted", "paid"]),
        (
            "DEDUCTIBLE",
            "paid",
            "patient_responsibility",
            ["acknowledged", "acknowledged", "accepted", "paid"],
        ),
        ("DENIED29", "denied", "denied", ["acknowledged", "acknowledged", "accepted", "denied"]),
        ("UNKNOWN", "denied", "member_unknown", ["acknowledged", "acknowledged", "accepted", "denied"]),
        ("REJECTEDA3", "rejected", "payer_rejected", ["acknowledged", "acknowledged", "rejected"]),
        ("CHREJECT", "rejected", "clearinghouse_rejected", ["acknowledged", "rejected"]),
        ("BAD999", "submitted", "transport_rejected", ["acknowledged"]),
        ("SILENT", "submitted", "sent", []),
        ("OUTOFORDER", "paid", "paid", ["paid", "noted", "noted", "noted"]),
        (
            "TWICE",
            "paid",
            "paid",
            ["acknowledged", "noted", "acknowledged", "noted", "accepted", "noted", "paid", "noted"],
        ),
        (
            "REVERSED",
            "denied",
            "denied",
            ["acknowledged", "acknowledged", "accepted", "paid", "reversed", "denied"],
        ),
        ("TAKEBACK", "denied", "taken_back", ["acknowledged", "acknowledged", "accepted", "paid", "denied"]),
        ("PLB", "paid", "paid", ["acknowledged", "acknowledged", "accepted", "paid", "adjusted"]),
        (
            "LATE",
            "rejected",
            "payer_rejected",
            ["acknowledged", "acknowledged", "accepted", "rejected"],
        ),
    ],
)
def test_every_rehearsal_ends_where_its_table_says(
    member_id: str, session: str, claim: str, events: list[str], speed: float
) -> None:
    stage, sent = Stage(speed=speed), claim_of(member_id, charges=("120.00", "60.00"))
    stage.send(sent)
    outcome, entries, _ = follow(sent, stage.wait(FOR_EVER))
    assert (str(outcome.session_status), str(outcome.claim_status)) == (session, claim)
    assert [entry.type.removeprefix("claim.") for entry in entries] == events


def _corrected(
    first_member: str, frequency: str, second_member: str = "PAID"
) -> tuple[SessionOutcome, list[TimelineEntry]]:
    """Send a claim, take all answers, then send its correction and take all answers to that."""
    stage, first = Stage(), claim_of(first_member)
    stage.send(first)
    _, _, version = follow(first, stage.wait(FOR_EVER))
    number = version.fold().payer_control_number
    second = claim_of(second_member, frequency=frequency, payer_control_number=number)
    stage.send(second)
    files = stage.wait(FOR_EVER)
    session, entries, newer = follow(second, files, versions=(version,))
    late = [signal for signals in signals_of(files, claim=first) for signal in signals]
    late = [each for each in late if each.claim_status_code == "22"]
    if late:
        session, more = entries_for([version, newer], late, number=1, payer="Aetna")
        entries += more
    return session, entries


@pytest.mark.parametrize("first", ["PAID", "DENIED", "PARTIAL", "REVERSED"])
def test_a_replacement_is_paid_in_the_end_and_asks_nobody(first: str) -> None:
    session, _ = _corrected(first, "7")
    assert (str(session.session_status), str(session.claim_status)) == ("paid", "paid")
    assert session.paid == 180
    assert session.tasks == ()


def test_a_replacement_that_is_taken_back_too_leaves_nothing_paid() -> None:
    session, _ = _corrected("TAKEBACK", "7", "TAKEBACK")
    assert (str(session.session_status), str(session.claim_status)) == ("denied", "taken_back")


@pytest.mark.parametrize("first", ["PAID", "DENIED"])
def test_a_void_ends_voided(first: str) -> None:
    session, entries = _corrected(first, "8")
    assert (str(session.session_status), str(session.claim_status)) == ("rejected", "voided")
    assert session.paid == 0
    assert "claim.voided" in [str(entry.type) for entry in entries]
