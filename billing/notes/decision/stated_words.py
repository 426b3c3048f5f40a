"""Whether a condition that no rule found stated is stated all the same, by the words round it: a table of
weights that is learned from gold-labelled notes (`billing.notes.learn_stated_words`)."""

from functools import lru_cache
from itertools import pairwise
from math import fsum
from pathlib import Path

import msgspec

from billing.notes.conditions.placement import FIELD
from billing.notes.finding import Finding
from billing.notes.reading import Reading

TABLE = Path(__file__).parents[1] / "data" / "stated_words.json"
_AROUND = 9
_ENDS = frozenset((".", "\n", "!", "?"))
_DIGITS = "#"


class StatedWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of features, and the sum from which a person is asked."""

    version: int
    intercept: float
    threshold: float
    weights: dict[str, float]

    def tells(self, features: frozenset[str]) -> bool:
        """Whether these words are rather those of a statement."""
        # Exact, since a set has another order in every process.
        return self.intercept + fsum(self.weights.get(each, 0.0) for each in features) > self.threshold


@lru_cache(maxsize=1)
def stated_words() -> StatedWords:
    """The packaged table, read once a process."""
    return msgspec.json.decode(TABLE.read_bytes(), type=StatedWords)


def is_in_prose(finding: Finding) -> bool:
    """Whether a disorder is told by its words outside every field of diagnoses."""
    kind = finding.concept.kind if finding.concept else ""
    return finding.by == "words" and finding.strength < FIELD and kind == "dx" and finding.code != ""


def features_of(reading: Reading, finding: Finding) -> frozenset[str]:
    """The words of its sentence before (`<`) and behind (`>`) the condition, in pairs too, and those next to
    it together."""
    words = reading.tokens.words
    first, last = finding.first, reading.tokens.token_at(finding.end - 1) + 1
    before = _until_end(words[max(0, first - _AROUND) : first][::-1])
    behind = _until_end(words[last : last + _AROUND])
    found = {f"<{word}" for word in before} | {f">{word}" for word in behind}
    found |= {f"<{second} {word}" for word, second in pairwise(before)}
    found |= {f">{word} {second}" for word, second in pairwise(behind)}
    found |= {f"<<{' '.join(before[:count][::-1])}" for count in (1, 2, 3)}
    found |= {f">>{' '.join(behind[:count])}" for count in (1, 2, 3)}
    return frozenset((*found, f"@{finding.section}"))


def _until_end(words: list[str]) -> list[str]:
    end = next((at for at, word in enumerate(words) if word in _ENDS), len(words))
    return [_DIGITS if word.isdigit() else word for word in words[:end]]
