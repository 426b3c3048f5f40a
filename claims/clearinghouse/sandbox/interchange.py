"""Writes the sandbox's answers as X12 interchanges, with control numbers made from a seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from claims.x12.writing import (
    COMPONENT,
    ELEMENT,
    REPETITION,
    SEGMENT,
    composite_of,
    date_text,
    segment_of,
    time_text,
    transaction_set_of,
)

Composite = tuple[str, ...]
Segment = Sequence[str | Composite]

_DELIMITERS_TO_BLANKS = str.maketrans(dict.fromkeys((ELEMENT, COMPONENT, REPETITION, SEGMENT), " "))


@dataclass(frozen=True, slots=True)
class AnswerEnvelope:
    """The ISA and GS of one answer; `seed` decides its control numbers and `at` its dates."""

    seed: str
    sender_id: str
    receiver_id: str
    usage: str
    at: datetime

    @property
    def control_number(self) -> str:
        """The nine digits of ISA13."""
        return digits_of(self.seed, length=9)


def write_group(envelope: AnswerEnvelope, functional_id: str, version: str, body: Iterable[Segment]) -> str:
    """Write one interchange with one group and one set; `body` goes between ST and SE."""
    kind = {"FA": "999", "HN": "277", "HP": "835"}[functional_id]
    group_number = envelope.control_number.lstrip("0")
    parties = (_clean(envelope.sender_id), _clean(envelope.receiver_id))
    moment = (date_text(envelope.at), time_text(envelope.at))
    header = segment_of("GS", functional_id, *parties, *moment, group_number, "X", version)
    # The guide of the 835, older than the rest, has no place for its name in the ST.
    convention = "" if kind == "835" else version
    transaction_set = transaction_set_of(
        kind, control_number=1, version=convention, body=map(_segment_text, body)
    )
    return _write(envelope, header + transaction_set + segment_of("GE", "1", group_number), groups=1)


def write_acknowledgement(envelope: AnswerEnvelope, segment: Segment) -> str:
    """Write an interchange that holds a TA1 alone."""
    return _write(envelope, _segment_text(segment), groups=0)


def digits_of(seed: str, *, length: int) -> str:
    """Derive a number of `length` digits, never zero and the same for the same seed."""
    number = int.from_bytes(sha256(seed.encode()).digest(), "big") % (10**length - 1) + 1
    return f"{number:0{length}d}"


def _write(envelope: AnswerEnvelope, content: str, *, groups: int) -> str:
    sender, receiver = (f"{_clean(party):15.15}" for party in (envelope.sender_id, envelope.receiver_id))
    moment = (date_text(envelope.at)[2:], time_text(envelope.at))
    number = envelope.control_number
    header = segment_of(
        "ISA", "00", " " * 10, "00", " " * 10, "ZZ", sender, "ZZ", receiver,
        *moment, REPETITION, "00501", number, "0", envelope.usage, COMPONENT,
    )  # fmt: skip
    return (header + content + segment_of("IEA", str(groups), number)).replace(SEGMENT, f"{SEGMENT}\n")


def _segment_text(segment: Segment) -> str:
    elements = (
        _clean(value) if isinstance(value, str) else composite_of(*map(_clean, value)) for value in segment
    )
    return segment_of(*elements)


def _clean(text: str) -> str:
    """Keep what came in under other delimiters from breaking ours."""
    return text.translate(_DELIMITERS_TO_BLANKS)
