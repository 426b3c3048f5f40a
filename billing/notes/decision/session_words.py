"""Whether the words of a note, taken together, are those of a session or of none: a table of weights that is
learned from gold-labelled notes (`billing.notes.learn_session_words`)."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import msgspec

# Below that stands no note of the known ones that says rightly that nothing was held.
_PLAINLY = -4.0
_FEWEST = 24
TABLE = Path(__file__).parents[1] / "data" / "session_words.json"


class SessionWords(msgspec.Struct, frozen=True):
    """The packaged table: a sum of weights above `threshold` says that no session was held. `words` weighs a
    word that stands in the note, `pairs` the word that follows one."""

    version: int
    intercept: float
    threshold: float
    words: dict[str, float]
    pairs: dict[str, dict[str, float]]

    def tells_of_none(self, words: Sequence[str]) -> bool:
        """Whether a note of these words tells of no session; a few words alone tell nothing."""
        return len(words) >= _FEWEST and self._weighed(words) > self.threshold

    def tells_of_one(self, words: Sequence[str]) -> bool:
        """Whether it plainly tells of a session, though a word in it may say that none was held."""
        return self._weighed(words) < _PLAINLY

    def _weighed(self, words: Sequence[str]) -> float:
        """The sum of all weights; a word counts once however often it stands there."""
        single = self.words
        total = self.intercept + sum(single[word] for word in single.keys() & set(words))
        found = {
            (first, second): following[second]
            for first, second in pairwise(words)
            if (following := self.pairs.get(first)) is not None and second in following
        }
        return total + sum(found.values())


@lru_cache(maxsize=1)
def session_words() -> SessionWords:
    """The packaged table."""
    return msgspec.json.decode(TABLE.read_bytes(), type=SessionWords)
