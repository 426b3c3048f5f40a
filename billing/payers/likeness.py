"""How well a payer's name fits what was typed: figures that only order the hits of one search."""

from dataclasses import dataclass

from billing.payers.vocabulary import Vocabulary, Words

CERTAIN = 130
"""A whole name, word for word."""
CONVINCING = 85
"""From here on the words are taken for what they are; below, they may be misspelt."""


def likeness(query: Words, name: Words, *, prominence: int, own: bool) -> float:
    """The fit as a whole, from the beginning or in one piece, how much of the name is meant, and whose.

    0 for a name that lacks one of the words.
    """
    whole_words = 0
    for word in query:
        found = _meant(word, name)
        if not found:
            return 0.0
        whole_words += word == found
    typed, whole = " ".join(query), " ".join(name)
    if typed == whole:
        fit = 100.0
    elif whole.startswith(f"{typed} "):
        fit = 70.0
    elif whole.startswith(typed):
        fit = 60.0
    elif f" {typed}" in whole:
        fit = 45.0
    else:
        fit = 35.0
    share_of_name = min(sum(map(len, set(query))) / sum(map(len, set(name))), 1.0)
    return fit + 30 * share_of_name + 10 * whole_words / len(query) + _standing(prominence, own=own)


@dataclass(frozen=True, slots=True)
class TellingWords:
    """What each place of a query may mean, and how much that tells, for names that lack some of it."""

    places: tuple[tuple[tuple[Words, float], ...], ...]
    asked: float

    @classmethod
    def of(cls, query: Words, *, vocabulary: Vocabulary) -> "TellingWords":
        """Weigh every reading of every word."""
        places = tuple(
            tuple((pieces, sum(map(vocabulary.weight, pieces))) for pieces in vocabulary.alternatives(word))
            for word in query
        )
        strange = vocabulary.weight_of_strange_word()
        return cls(places, sum(max((weight for _, weight in place), default=strange) for place in places))

    def likeness(self, name: Words, *, prominence: int, own: bool) -> float:
        """The fit of a name by the words that it has; the beginning of a word counts in proportion."""
        told, used = 0.0, set()
        for place in self.places:
            best = 0.0
            for pieces, weight in place:
                met = [_meant(piece, name) for piece in pieces]
                if all(met):
                    used.update(met)
                    best = max(best, weight * len("".join(pieces)) / len("".join(met)))
            told += best
        share_of_name = sum(map(len, used)) / sum(map(len, set(name)))
        return (
            (80 * told / self.asked if self.asked else 0.0)
            + 20 * share_of_name
            + _standing(prominence, own=own) / 2
        )


def _standing(prominence: int, *, own: bool) -> float:
    return 3.0 * prominence + 3.0 * own


def _meant(beginning: str, name: Words) -> str:
    """The word of the name that is meant, the shortest that begins so; empty where there is none."""
    return min((word for word in name if word.startswith(beginning)), key=len, default="")
