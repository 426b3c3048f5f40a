"""Makes segments of values as they come, without text in between: nothing in a value can be a delimiter."""

from __future__ import annotations

from claims.x12.tokens import Delimiters, Segment

DELIMITERS = Delimiters(element="\x1d", component="\x1f", segment="\x1c")


def segment_of(name: str, *elements: str) -> Segment:
    """Put a segment together; element 1 is the first after the name."""
    return [name, *elements]


def composite_of(*components: str) -> str:
    """Join components, the separator always among them so that a single one is not mistaken for more."""
    return DELIMITERS.component.join(components) + (DELIMITERS.component if len(components) == 1 else "")


def name_of(
    entity: str, *, person: bool, last: str, first: str = "", number: tuple[str, str] = ("", "")
) -> Segment:
    """Make an NM1; `number` is qualifier and identifier."""
    return segment_of("NM1", entity, "1" if person else "2", last, first, "", "", "", *number)
