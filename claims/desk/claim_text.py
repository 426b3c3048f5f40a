"""A claim as the segments that an 837P carries of it, and what differs between two of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from itertools import zip_longest

from claims.x12.claim import Envelope, ProfessionalClaim, Usage
from claims.x12.explain_837p import Explanation, explain_837p
from claims.x12.write_837p import write_837p

ENVELOPE = frozenset({"ISA", "GS", "ST", "BHT", "SE", "GE", "IEA"})
PARTIES = ("1000A", "1000B")
QUALIFIED = frozenset({"NM1", "REF", "DTP", "PRV", "PER"})
"""Segments whose first element says what they are about."""
_PLACEHOLDER = Envelope(
    sender_id="SENDER",
    receiver_id="RECEIVER",
    submitter_name="SUBMITTER",
    submitter_contact_name="CONTACT",
    submitter_phone="5125550100",
    receiver_name="RECEIVER",
    usage=Usage.TEST,
    interchange_control_number=1,
    group_control_number=1,
    batch_id="PREVIEW",
    created_at=datetime(2000, 1, 1, tzinfo=UTC),
)


@dataclass(frozen=True, slots=True)
class SegmentChange:
    """One element, or one whole segment, that is not the same on both claims; empty where it isn't there."""

    segment: str
    before: str
    after: str


def explain_claim(claim: ProfessionalClaim) -> list[Explanation]:
    """The claim's own segments, explained; sender, receiver and envelope are not the claim's."""
    return [
        each
        for each in explain_837p(write_837p([claim], envelope=_PLACEHOLDER))
        if each.segment.partition("*")[0] not in ENVELOPE and each.loop not in PARTIES
    ]


def claim_segments(claim: ProfessionalClaim | None) -> list[str]:
    """The claim's own segments; none where there is no claim."""
    return [each.segment for each in explain_claim(claim)] if claim else []


def changes_between(before: Sequence[str], after: Sequence[str]) -> list[SegmentChange]:
    """What differs, element by element where both claims have the segment."""
    changes: list[SegmentChange] = []
    if not before or not after:
        return changes
    for tag, start, end, new_start, new_end in SequenceMatcher(
        a=before, b=after, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            for old, new in zip_longest(before[start:end], after[new_start:new_end], fillvalue=""):
                changes += _of_segment(old, new)
    return changes


def _of_segment(old: str, new: str) -> list[SegmentChange]:
    said, says = old.split("*"), new.split("*")
    if not old or not new or _name(said) != _name(says):
        return [SegmentChange(_name(said if old else says), old, new)]
    return [
        SegmentChange(f"{_name(says)}, {position:02d}", before, after)
        for position, (before, after) in enumerate(zip_longest(said, says, fillvalue=""))
        if before != after
    ]


def _name(elements: Sequence[str]) -> str:
    return "*".join(elements[:2]) if elements[0] in QUALIFIED else elements[0]
