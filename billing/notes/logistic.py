"""Logistic regression by stochastic gradient descent over sets of features: the same weights for the same
rows, in the same order."""

import math
import random
from collections import Counter
from collections.abc import Sequence

Features = frozenset[str]
Row = tuple[Features, bool]
_ROUNDS, _RATE, _SLOWER = 16, 0.1, 0.85


def fit(
    rows: Sequence[Row],
    *,
    fewest: int,
    fewest_of_true: int,
    counts_for: float = 1,
    kept: int | None = None,
) -> tuple[float, dict[str, float]]:
    """Intercept and weights of features that so many rows have, or so many of the true ones, of which each
    counts for several; with `kept`, of the strongest so many features alone."""
    count = Counter(feature for features, _ in rows for feature in features)
    of_true = Counter(feature for features, is_true in rows if is_true for feature in features)
    vocabulary = {f for f, n in count.items() if n >= fewest or of_true[f] >= fewest_of_true}
    intercept, weights = _descend(rows, vocabulary, counts_for)
    if kept is not None:
        strongest = sorted(weights, key=lambda f: (-abs(weights[f]) * math.sqrt(count[f]), f))[:kept]
        intercept, weights = _descend(rows, set(strongest), counts_for)
    return intercept, weights


def total(weighed: tuple[float, dict[str, float]], features: Features) -> float:
    """What a set of features sums up to; above nought it is rather true."""
    intercept, weights = weighed
    return intercept + sum(weights.get(feature, 0.0) for feature in features)


def _descend(rows: Sequence[Row], vocabulary: set[str], counts_for: float) -> tuple[float, dict[str, float]]:
    weights, intercept, rate = dict.fromkeys(sorted(vocabulary), 0.0), 0.0, _RATE
    shuffled = [(sorted(features & vocabulary), is_true) for features, is_true in rows]
    order = random.Random(0)  # noqa: S311
    for _ in range(_ROUNDS):
        order.shuffle(shuffled)
        for features, is_true in shuffled:
            found = intercept + sum(map(weights.__getitem__, features))
            wrong = is_true - 1 / (1 + math.exp(-max(-30.0, min(30.0, found))))
            step = rate * wrong * (counts_for if is_true else 1)
            intercept += step / 10
            step /= math.sqrt(len(features) + 1)
            for feature in features:
                weights[feature] += step
        rate *= _SLOWER
    return intercept, weights
