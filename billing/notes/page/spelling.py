"""Slips of the keyboard where diagnoses stand: one unambiguous neighbour in the vocabulary, or nothing."""

from bisect import bisect_left
from collections.abc import Iterator

from billing.notes.lexicon import Lexicon, slips_allowed
from billing.notes.page.layout import DIAGNOSIS_KINDS, Layout
from billing.notes.text.tokens import UNKNOWN, TokenStream

_CORRECTED_KINDS = DIAGNOSIS_KINDS | {"assessment", "problem"}
_ENDINGS = ("ing", "ly", "ed", "es", "s", "d", "r", "al")
SHORTEST = 6
_FIELD_LIMIT = 1500
_PROSE_LIMIT = 220
# In prose a diagnosis follows one of these, or opens the note; only long words are safe to correct there.
_ANNOUNCED = ("dx", "diagnosis", "diagnosed")
_SHORTEST_IN_PROSE = 8
_BEHIND, _OPENING = 7, 12


def correct_fields(tokens: TokenStream, layout: Layout, lexicon: Lexicon) -> frozenset[int]:
    """Put misspelled diagnosis words right, in place, and say which tokens were; offsets stay the note's."""
    better: dict[int, tuple[str, str]] = {}
    looked_up: set[int] = set()
    for first, last, shortest in _places(tokens, layout):
        at = first - 1
        while (at := tokens.spelled.find(UNKNOWN, at + 1, last)) >= 0:
            word = tokens.words[at]
            if len(word) >= shortest and word.isalpha() and at not in looked_up:
                looked_up.add(at)
                if (right := nearest(word, lexicon)) is not None:
                    better[at] = (right, lexicon.letters[right])
    if better:
        tokens.correct(better)
    return frozenset(better)


def _places(tokens: TokenStream, layout: Layout) -> Iterator[tuple[int, int, int]]:
    """The stretches of tokens that are corrected, and the shortest word that is."""
    for index, kind in enumerate(layout.kinds):
        if kind in _CORRECTED_KINDS:
            start, end = layout.span(index, len(tokens.text))
            end = min(end, start + (_FIELD_LIMIT if kind in DIAGNOSIS_KINDS else _PROSE_LIMIT))
            yield bisect_left(tokens.starts, start), bisect_left(tokens.starts, end), SHORTEST
    yield 0, _OPENING, _SHORTEST_IN_PROSE
    for word in _ANNOUNCED:
        at = tokens.text.find(word)
        while at >= 0:
            first = bisect_left(tokens.starts, at)
            yield first, first + _BEHIND, _SHORTEST_IN_PROSE
            at = tokens.text.find(word, at + len(word))


def nearest(word: str, lexicon: Lexicon) -> str | None:
    """The only head word within one slip (two from ten letters on), or None."""
    # Slow to import, and not needed before the first unknown word.
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    allowed = slips_allowed(len(word))
    near = extract(
        word,
        lexicon.head_words.get((word[0], len(word)), ()),
        scorer=OSA.distance,
        score_cutoff=allowed,
        limit=None,
    )
    for candidate, _, _ in near:
        if any(word == candidate + ending or candidate == word + ending for ending in _ENDINGS):
            return None
        if word.endswith("ing") and candidate == f"{word[:-3]}ion":
            return None  # `Separating the two helps`
        if word.endswith("ed") and candidate == f"{word[:-1]}r":
            return None  # `managed with medication`
    return near[0][0] if len(near) == 1 else None
