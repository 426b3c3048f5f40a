"""Writes segments, transaction sets and envelopes; every count is taken from what was written.

Elements arrive clean (`claims.x12.characters`): nothing is escaped here. Trailing empty elements are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from claims.x12.claim import Envelope

ELEMENT = "*"
COMPONENT = ":"
REPETITION = "^"
SEGMENT = "~"


def segment_of(*elements: str) -> str:
    """Join a segment, its terminator included."""
    return ELEMENT.join(elements).rstrip(ELEMENT) + SEGMENT


def composite_of(*components: str) -> str:
    """Join the components of one element."""
    return COMPONENT.join(components).rstrip(COMPONENT)


def amount_text(amount: Decimal) -> str:
    """Write an amount as X12 does: exact, without zeros behind the point that say nothing."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def date_text(day: date) -> str:
    """Write a date as CCYYMMDD."""
    return day.isoformat()[:10].replace("-", "")


def time_text(instant: datetime) -> str:
    """Write a time of day as HHMM."""
    return instant.strftime("%H%M")


def transaction_set_of(kind: str, *, control_number: int, body: Iterable[str], version: str = "") -> str:
    """Put ST and SE around the segments of `body`; SE01 counts them and the two themselves.

    The guide of the 835 leaves the version (ST03) out.
    """
    segments = list(body)
    number = f"{control_number:04}"
    header = segment_of("ST", kind, number, version)
    return header + "".join(segments) + segment_of("SE", str(len(segments) + 2), number)


def interchange_of(
    transaction_sets: Iterable[str], *, envelope: Envelope, functional_id: str, version: str
) -> str:
    """Put ISA, GS, GE and IEA around finished transaction sets."""
    sets = list(transaction_sets)
    created = envelope.created_at
    interchange_number = f"{envelope.interchange_control_number:09}"
    group_number = str(envelope.group_control_number)
    header = segment_of(
        "ISA", "00", " " * 10, "00", " " * 10,
        "ZZ", envelope.sender_id.ljust(15), "ZZ", envelope.receiver_id.ljust(15),
        date_text(created)[2:], time_text(created), REPETITION, "00501", interchange_number,
        "0", envelope.usage, COMPONENT,
    ) + segment_of(
        "GS", functional_id, envelope.sender_id, envelope.receiver_id,
        date_text(created), time_text(created), group_number, "X", version,
    )  # fmt: skip
    trailer = segment_of("GE", str(len(sets)), group_number) + segment_of("IEA", "1", interchange_number)
    return header + "".join(sets) + trailer
