"""Learn from gold-labelled notes by which words round it a condition is stated in prose (logistic regression
by stochastic gradient descent, the same for the same files).

Run `python -m billing.notes.learn_stated_words CODESET FILE.jsonl ...`; the table is packaged, this module
is not used at run time.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from billing.notes.codeset import CodeSet, read_codeset
from billing.notes.conditions.diagnoses import diagnose
from billing.notes.decision.beside import is_passed_over
from billing.notes.decision.stated_words import TABLE, features_of, is_in_prose
from billing.notes.lexicon import load_lexicon
from billing.notes.logistic import Features, fit, total
from billing.notes.reading import Reading, read_note

_FEWEST, _FEWEST_OF_STATED, _KEPT = 6, 4, 8000
# So many of the conditions that were rightly passed over may be asked about, in files not learned from.
_ASKED_NEEDLESSLY = 0.25
_FOLDS = 5


class Told(NamedTuple):
    """A condition in prose: its words, whether the gold has it, whether no rule took or turned it down."""

    features: Features
    stated: bool
    passed_over: bool


def told_in(note: Mapping[str, Any], codes: CodeSet) -> Iterator[Told]:
    """Every condition that a note tells in prose."""
    reading = read_note(note["text"], lexicon=load_lexicon(), codes=codes)
    if not isinstance(reading, Reading):
        return
    diagnosed = diagnose(
        reading.findings, plain=reading.plain, numbered=(), codes=codes, corrections=False, undiagnosed=False
    )
    gold = {code[:3] for code in note["gold"]["dx"]}
    for finding in filter(is_in_prose, reading.findings):
        over = is_passed_over(reading, diagnosed, finding)
        yield Told(features_of(reading, finding), finding.code[:3] in gold, over)


def weigh(told: Sequence[Told]) -> tuple[float, dict[str, float]]:
    """Intercept and weights of the strongest features."""
    rows = [(each.features, each.stated) for each in told]
    return fit(rows, fewest=_FEWEST, fewest_of_true=_FEWEST_OF_STATED, kept=_KEPT)


def learn(groups: Mapping[str, Sequence[Told]]) -> dict[str, Any]:
    """The table from the notes of several files."""
    names = sorted(groups)
    over: list[float] = []
    for fold in range(_FOLDS):
        apart = names[fold::_FOLDS]
        weighed = weigh([each for n in names if n not in apart for each in groups[n]])
        over += [
            total(weighed, each.features)
            for name in apart
            for each in groups[name]
            if each.passed_over and not each.stated
        ]
    threshold = sorted(over, reverse=True)[int(_ASKED_NEEDLESSLY * len(over))]
    intercept, weights = weigh([each for name in names for each in groups[name]])
    return {
        "version": 1,
        "intercept": round(intercept, 3),
        "threshold": round(threshold, 3),
        "weights": {feature: round(weight, 3) for feature, weight in sorted(weights.items())},
    }


def main(arguments: Iterable[str]) -> int:
    """Write the packaged table from gold-labelled files."""
    codeset, *names = arguments
    codes = read_codeset(codeset)
    groups = {
        name: [
            each
            for line in Path(name).read_text(encoding="utf-8").splitlines()
            for each in told_in(json.loads(line), codes)
        ]
        for name in names
    }
    TABLE.write_bytes(orjson.dumps(learn(groups), option=orjson.OPT_INDENT_2) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
