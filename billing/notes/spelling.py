"""Slips of the keyboard in diagnosis fields: one unambiguous neighbour in the vocabulary, or nothing."""

from bisect import bisect_left

from rapidfuzz.distance import DamerauLevenshtein

from billing.notes.layout import DIAGNOSIS_KINDS, Layout
from billing.notes.lexicon import Lexicon
from billing.notes.text import UNKNOWN, TokenStream

_CORRECTED_KINDS = DIAGNOSIS_KINDS | {"assessment", "problem"}
_ENDINGS = ("ing", "ly", "ed", "es", "s", "d", "r", "al")
_SHORTEST = 6
_TWO_SLIPS_FROM = 10
_FIELD_LIMIT = 1500
_PROSE_LIMIT = 220


def correct_fields(tokens: TokenStream, layout: Layout, lexicon: Lexicon) -> frozenset[int]:
    """Put misspelled diagnosis words right, in place, and say which tokens were; offsets stay the note's."""
    changed = set()
    for index, kind in enumerate(layout.kinds):
        if kind not in _CORRECTED_KINDS:
            continue
        start, end = layout.span(index, len(tokens.text))
        end = min(end, start + (_FIELD_LIMIT if kind in DIAGNOSIS_KINDS else _PROSE_LIMIT))
        for at in range(bisect_left(tokens.starts, start), bisect_left(tokens.starts, end)):
            word = tokens.words[at]
            if tokens.letters[at] != UNKNOWN or len(word) < _SHORTEST or not word.isalpha():
                continue
            better = nearest(word, lexicon)
            if better is not None:
                tokens.words[at], tokens.letters[at] = better, lexicon.letters[better]
                changed.add(at)
    return frozenset(changed)


def nearest(word: str, lexicon: Lexicon) -> str | None:
    """The only head word within one slip (two from ten letters on), or None."""
    allowed = 2 if len(word) >= _TWO_SLIPS_FROM else 1
    found: set[str] = set()
    for length in range(len(word) - allowed, len(word) + allowed + 1):
        for candidate in lexicon.head_words.get((word[0], length), ()):
            if DamerauLevenshtein.distance(word, candidate, score_cutoff=allowed) <= allowed:
                if any(word == candidate + ending or candidate == word + ending for ending in _ENDINGS):
                    return None
                found.add(candidate)
    return found.pop() if len(found) == 1 else None
