"""One condition as one place of a note states it."""

import msgspec

from billing.notes.lexicon import Concept


class Finding(msgspec.Struct, frozen=True, gc=False):
    """One condition as one place of the note states it; offsets are the note's.

    `entry` says whether it is a sentence or a line of its own.
    """

    concept: Concept | None
    code: str
    reason: str | None
    values: frozenset[str]
    start: int
    end: int
    section: str
    strength: int
    doubt: str | None
    by: str
    specific: bool
    rank: int
    problems: tuple[str, ...] = ()
    first: int = 0
    corrected: bool = False
    assertive: bool = False
    entry: bool = False
    written: str | None = None

    @property
    def family(self) -> str:
        """The family, or the heading for a code that the lexicon has no words for."""
        return self.concept.family if self.concept else f"heading_{self.code[:3].lower()}"
