"""Payer search in PostgreSQL: an index over the words of all names finds, a score over the few found ranks.

First every word of the query must begin a word of the name. Where that convinces nobody, misspelt words are
corrected against the words and names of the directory, and in the end a few telling words are enough.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db import connection

from billing.payers.likeness import CERTAIN, CONVINCING, TellingWords, likeness
from billing.payers.names import readings_of
from billing.payers.port import SEARCH_LIMIT, PayerHit
from billing.payers.vocabulary import Vocabulary, Words, current_vocabulary

_ENOUGH = 3
_TELLING_WORDS = 4
_TOLD_BY_MANY = 2.3  # one name in ten has such a word
_ROWS = 200
_PAYER_ID = re.compile(r"[!-~][ -~]{0,78}[!-~]")
_ITS_VERY_ID = 1000.0
_CORRECTED_MALUS = 20

_FIND = """
    WITH wanted AS (SELECT to_tsquery('simple', %(words)s) AS words),
    named AS (
        SELECT payer.id, payer.search_text, TRUE AS own
        FROM billing_payer payer, wanted WHERE payer.search_vector @@ wanted.words
        UNION ALL
        SELECT alias.payer_id, alias.search_text, FALSE
        FROM billing_payeralias alias, wanted WHERE alias.search_vector @@ wanted.words
        UNION ALL
        SELECT payer.id, payer.search_text, TRUE
        FROM billing_payer payer WHERE payer.payer_id = %(payer_id)s
    )
    SELECT payer.payer_id, payer.name, payer.avatar_url, payer.prominence, named.search_text, named.own
    FROM named JOIN billing_payer payer USING (id)
    WHERE payer.active AND payer.supports_professional_claims
    ORDER BY payer.payer_id = %(payer_id)s DESC, named.search_text = %(text)s DESC,
        payer.prominence DESC, length(named.search_text), payer.id
    LIMIT %(rows)s
"""


@dataclass(frozen=True, slots=True)
class _Named:
    """One name of one payer, as found."""

    hit: PayerHit
    prominence: int
    words: Words
    own: bool


@dataclass(slots=True)
class _Ranking:
    """The payers found so far, each with the best score of its names."""

    payer_id: str
    scores: dict[PayerHit, float] = field(default_factory=dict)

    def keep(self, found: Iterable[_Named], *, score: Callable[[_Named], float]) -> None:
        for named in found:
            reached = _ITS_VERY_ID if named.hit.payer_id == self.payer_id else score(named)
            self.scores[named.hit] = max(reached, self.scores.get(named.hit, reached))

    def convinces(self) -> bool:
        best = max(self.scores.values(), default=0.0)
        return best >= CERTAIN or (best >= CONVINCING and len(self.scores) >= _ENOUGH)

    def best(self, limit: int, *, at_least: float) -> list[PayerHit]:
        kept = [hit for hit, score in self.scores.items() if score >= at_least]
        kept.sort(key=lambda hit: (-self.scores[hit], len(hit.payer_name), hit.payer_name, hit.payer_id))
        return kept[:limit]


class DatabaseDirectory:
    """The payers in our own tables."""

    def search(self, query: str, *, limit: int = SEARCH_LIMIT, at_least: float = 0.0) -> list[PayerHit]:
        """Payers by likeness to the query, the best first; `at_least` leaves out the unlikely ones."""
        readings = readings_of(query)
        if not readings:
            return []
        payer_id = query.strip().upper()
        ranking = _Ranking(payer_id if _PAYER_ID.fullmatch(payer_id) else "")
        found = _find(_every_word(readings), text=" ".join(readings[0]), payer_id=ranking.payer_id)
        ranking.keep(found, score=lambda named: _likeness(readings, named))
        if not ranking.convinces():
            vocabulary = current_vocabulary()
            if corrected := vocabulary.correct(readings[0]):
                found = _find(_every_word(corrected))
                ranking.keep(found, score=lambda named: _likeness(corrected, named) - _CORRECTED_MALUS)
            if not ranking.convinces():
                _keep_partial(ranking, readings, vocabulary)
        return ranking.best(limit, at_least=at_least)


def _keep_partial(ranking: _Ranking, readings: list[Words], vocabulary: Vocabulary) -> None:
    spelt_out = max(readings[:2], key=lambda reading: sum(map(vocabulary.weight, reading)))
    telling = TellingWords.of(spelt_out, vocabulary=vocabulary)
    pieces = {piece for place in telling.places for words, _ in place[:1] for piece in words}
    rarest = sorted(pieces, key=lambda piece: (-vocabulary.weight(piece), piece))
    wanted = [piece for piece in rarest if vocabulary.weight(piece) > _TOLD_BY_MANY] or rarest
    if wanted:
        ranking.keep(
            _find(" | ".join(map(_prefix, wanted[:_TELLING_WORDS])), rows=2 * _ROWS),
            score=lambda named: telling.likeness(named.words, prominence=named.prominence, own=named.own),
        )


def _likeness(readings: Iterable[Words], named: _Named) -> float:
    return max(
        likeness(reading, named.words, prominence=named.prominence, own=named.own) for reading in readings
    )


def _find(words: str, *, text: str = "", payer_id: str = "", rows: int = _ROWS) -> list[_Named]:
    with connection.cursor() as cursor:
        cursor.execute(_FIND, {"words": words, "text": text, "payer_id": payer_id, "rows": rows})
        return [
            _Named(PayerHit(found_id, name, avatar_url or None), prominence, tuple(search_text.split()), own)
            for found_id, name, avatar_url, prominence, search_text, own in cursor.fetchall()
        ]


def _every_word(readings: Iterable[Words]) -> str:
    """A text query that any of the readings satisfies; words are letters and digits, so quoting is safe."""
    return " | ".join(f"({' & '.join(map(_prefix, dict.fromkeys(reading)))})" for reading in readings)


def _prefix(word: str) -> str:
    return f"'{word}':*"
