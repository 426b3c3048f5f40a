"""The words and names that occur in the payer directory, and what a misspelt query may have meant."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

from django.db import connection
from rapidfuzz import process
from rapidfuzz.distance import OSA

Words = tuple[str, ...]

_ALTERNATIVES = 3
_READINGS = 8
_SHORTEST_PIECE = 3

_REVISION = """
    SELECT (SELECT max(updated_at) FROM billing_payer), (SELECT count(*) FROM billing_payer),
        (SELECT max(id) FROM billing_payeralias), (SELECT count(*) FROM billing_payeralias)
"""
_NAMES = "SELECT search_text FROM billing_payer UNION SELECT search_text FROM billing_payeralias"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of all names, sorted; how many names have each; the names by their letters alone."""

    words: Words
    counts: dict[str, int]
    names: dict[str, Words]
    run_together: Words
    """The keys of `names`."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Vocabulary":
        """Count the words of names as they are stored for the search."""
        counts: dict[str, int] = {}
        for text in texts:
            for word in set(text.split()):
                counts[word] = counts.get(word, 0) + 1
        names = {text.replace(" ", ""): tuple(text.split()) for text in texts}
        return cls(tuple(sorted(counts)), counts, names, tuple(names))

    def completed(self, beginning: str) -> str | None:
        """The word itself, or the first that begins so."""
        at = bisect_left(self.words, beginning)
        found = at < len(self.words) and self.words[at].startswith(beginning)
        return self.words[at] if found else None

    def weight(self, word: str) -> float:
        """How much a word tells: 0 for one that no name has, little for one that many have."""
        whole = self.completed(word)
        return math.log((len(self.names) + 1) / self.counts[whole]) if whole else 0.0

    def weight_of_strange_word(self) -> float:
        """As much as a word tells that only one name has."""
        return math.log(len(self.names) + 1)

    def alternatives(self, word: str) -> list[Words]:
        """What one word may have meant: itself where it occurs, else several words, or one like it."""
        if word in self.counts:
            return [(word,)]
        known: list[Words] = [(word,)] if self.completed(word) else []
        if len(word) < _SHORTEST_PIECE:
            return known
        pieces = self._pieces(word)
        near = _nearest(word, self.words, allowed=1 if known else _allowed(word))
        near.sort(key=lambda found: (found[1], found[0][0] != word[0], -self.counts[found[0]]))
        return [*known, *([pieces] if pieces else []), *((found,) for found, _ in near[:_ALTERNATIVES])]

    def correct(self, words: Words) -> list[Words]:
        """Readings of a misspelt query, the likeliest first; none where every word occurs as it stands."""
        if all(word in self.counts for word in words):
            return []
        choices = [self.alternatives(word) for word in words]
        by_word = (tuple(piece for pieces in reading for piece in pieces) for reading in product(*choices))
        whole = "".join(words)
        near = sorted(_nearest(whole, self.run_together, allowed=_allowed(whole)), key=lambda found: found[1])
        by_name = (self.names[found] for found, _ in near[:_ALTERNATIVES])
        readings = dict.fromkeys([*islice(by_word, _READINGS), *by_name])
        return [reading for reading in readings if reading and reading != words]

    def _pieces(self, word: str) -> Words | None:
        """Several words that occur, run together (`bluecrosstexas`): as few as can be."""
        best: list[Words | None] = [(), *[None] * len(word)]
        for end in range(_SHORTEST_PIECE, len(word) + 1):
            for start in range(end - _SHORTEST_PIECE + 1):
                before, shortest = best[start], best[end]
                fewer = shortest is None or (before is not None and len(before) + 1 < len(shortest))
                if before is not None and fewer and word[start:end] in self.counts:
                    best[end] = (*before, word[start:end])
        found = best[len(word)]
        return found if found and len(found) > 1 else None


def _allowed(word: str) -> int:
    """How many slips a word of this length is forgiven."""
    return 1 if len(word) < 6 else 2 if len(word) < 10 else 3


def _nearest(word: str, known: Words, *, allowed: int) -> list[tuple[str, int]]:
    found = process.extract(word, known, scorer=OSA.distance, score_cutoff=allowed, limit=4 * _ALTERNATIVES)
    return [(match, int(distance)) for match, distance, _ in found]


_kept: tuple[tuple[object, ...], Vocabulary] | None = None


def current_vocabulary() -> Vocabulary:
    """The vocabulary of the directory as it is now; read again only when the directory has changed."""
    global _kept  # noqa: PLW0603  # one vocabulary a process
    with connection.cursor() as cursor:
        cursor.execute(_REVISION)
        revision = cursor.fetchone()
        if _kept is None or _kept[0] != revision:
            cursor.execute(_NAMES)
            _kept = (revision, Vocabulary.of([text for (text,) in cursor.fetchall()]))
        return _kept[1]
