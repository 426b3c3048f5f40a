"""A length of time in a note."""

import msgspec


class Span(msgspec.Struct, frozen=True, gc=False):
    """A length of time that the note mentions; `kind` is `range`, `minutes`, `hours`, `actual` for minutes
    that are told to be what was used, or `break` for a clock range that was none of the session; `own` where
    it is told when the visit began and ended."""

    start: int
    end: int
    minutes: int
    kind: str
    at: tuple[int, int] | None = None
    own: bool = False


def same_band(left: int, right: int) -> bool:
    """Whether two lengths of an individual session are billed alike."""
    return band(left) == band(right)


def band(minutes: int) -> str | None:
    """The individual psychotherapy code of a length, None under 16 minutes."""
    if minutes < 16:
        return None
    return "90832" if minutes <= 37 else "90834" if minutes <= 52 else "90837"
