"""Slips of the keyboard in diagnosis fields: one unambiguous neighbour in the vocabulary, or nothing."""

from bisect import bisect_left

from rapidfuzz.distance import DamerauLevenshtein
from rapidfuzz.process import extract

from billing.notes.layout import DIAGNOSIS_KINDS, Layout
from billing.notes.lexicon import Lexicon, slips_allowed
from billing.notes.text import UNKNOWN, TokenStream

_CORRECTED_KINDS = DIAGNOSIS_KINDS | {"assessment", "problem"}
_ENDINGS = ("ing", "ly", "ed", "es", "s", "d", "r", "al")
SHORTEST = 6
_FIELD_LIMIT = 1500
_PROSE_LIMIT = 220


def correct_fields(tokens: TokenStream, layout: Layout, lexicon: Lexicon) -> frozenset[int]:
    """Put misspelled diagnosis words right, in place, and say which tokens were; offsets stay the note's."""
    better: dict[int, tuple[str, str]] = {}
    for index, kind in enumerate(layout.kinds):
        if kind not in _CORRECTED_KINDS:
            continue
        start, end = layout.span(index, len(tokens.text))
        end = min(end, start + (_FIELD_LIMIT if kind in DIAGNOSIS_KINDS else _PROSE_LIMIT))
        last = bisect_left(tokens.starts, end)
        at = bisect_left(tokens.starts, start) - 1
        while (at := tokens.spelled.find(UNKNOWN, at + 1, last)) >= 0:
            word = tokens.words[at]
            if len(word) >= SHORTEST and word.isalpha() and (right := nearest(word, lexicon)) is not None:
                better[at] = (right, lexicon.letters[right])
    if better:
        tokens.correct(better)
    return frozenset(better)


def nearest(word: str, lexicon: Lexicon) -> str | None:
    """The only head word within one slip (two from ten letters on), or None."""
    allowed = slips_allowed(len(word))
    near = extract(
        word,
        lexicon.head_words.get((word[0], len(word)), ()),
        scorer=DamerauLevenshtein.distance,
        score_cutoff=allowed,
        limit=None,
    )
    for candidate, _, _ in near:
        if any(word == candidate + ending or candidate == word + ending for ending in _ENDINGS):
            return None
    return near[0][0] if len(near) == 1 else None
