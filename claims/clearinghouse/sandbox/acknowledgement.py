"""Writes the sandbox's TA1 and 999 for an interchange of claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claims.clearinghouse.sandbox.interchange import (
    AnswerEnvelope,
    Segment,
    write_acknowledgement,
    write_group,
)
from claims.clearinghouse.sandbox.received import ReceivedInterchange
from claims.clearinghouse.sandbox.structure import SetVerdict

GUIDE = "005010X231A1"


def write_ta1(envelope: AnswerEnvelope, received: ReceivedInterchange) -> str:
    """Accept the envelope of an interchange."""
    stamp = (received.control_number, received.date, received.time)
    return write_acknowledgement(envelope, ("TA1", *stamp, "A", "000"))


def write_999(
    envelope: AnswerEnvelope, received: ReceivedInterchange, verdicts: Mapping[str, SetVerdict]
) -> str:
    """Answer those sets of the group that have a verdict, by ST02; of the others it says nothing."""
    return write_group(envelope, "FA", GUIDE, _body(received, verdicts))


def _body(received: ReceivedInterchange, verdicts: Mapping[str, SetVerdict]) -> Iterator[Segment]:
    yield ("AK1", "HC", received.group_control_number, received.group_version)
    for transaction in received.sets:
        verdict = verdicts.get(transaction.control_number)
        if verdict is None:
            continue
        yield ("AK2", "837", transaction.control_number, received.group_version)
        for fault in verdict.faults:
            yield ("IK3", fault.segment, str(fault.position), fault.loop, fault.code)
        yield ("IK5", "A") if verdict.accepted else ("IK5", "R", *verdict.set_codes)
    sent = len(received.sets)
    accepted = sum(verdict.accepted for verdict in verdicts.values())
    rejected = len(verdicts) - accepted
    summary = "A" if accepted == sent else "R" if rejected == sent else "P"
    yield ("AK9", summary, str(sent), str(sent), str(accepted))
