"""Learn from labelled sentences and notes what tells that a session had another length than was sent.

Run `python -m billing.notes.learn_length_words FILE ...`; the table is packaged, this module is not used at
run time. A `.tsv` holds sentences (`Y` or `N`, the minutes sent, the sentence), a `.jsonl` gold-labelled
notes: of one that contradicts the minutes sent its likeliest sentence counts, of one that doesn't none does.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from billing.notes.decision.length_words import TABLE, whole, windows
from billing.notes.logistic import Features, Row, fit, total
from billing.notes.text.tokens import normalise
from billing.notes.text.wrapping import join_wrapped_lines

_FEWEST, _FEWEST_OF_TRUE = 4, 3
_KEPT = 6000
# So many of the notes that contradict nothing may be asked about, when they were not learned from.
_ASKED_NEEDLESSLY = 0.03
_FOLDS = 3
_TAG = "contradiction_time"
# Below that no sentence of a note is what contradicts: it stands in a table, or in none.
_LIKELY = -2.5


class LabelledNote(NamedTuple):
    """What a note says of times, sentence by sentence, and whether that contradicts the minutes sent."""

    windows: list[Features]
    contradicts: bool


def read_lines(path: Path) -> list[Row]:
    """The labelled sentences of one file."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        label, sent, sentence = line.split("\t")
        rows.append((whole(normalise(sentence), int(sent)), label == "Y"))
    return rows


def read_note(note: Mapping[str, Any]) -> LabelledNote | None:
    """One labelled note; None where its gold says nothing of the minutes sent, or none were."""
    sent, gold = note["duration_minutes"], note["gold"]
    if not sent or (gold["review"] and _TAG not in note["tags"]):
        return None
    plain = join_wrapped_lines(normalise(note["text"]), note["text"])
    return LabelledNote([features for features, _, _ in windows(plain, sent)], gold["review"])


def learn(rows: Sequence[Row], files: Mapping[str, Sequence[LabelledNote]]) -> dict[str, Any]:
    """The table; the threshold is what keeps notes unasked in files that were not learned from."""
    names = sorted(files)
    held: list[float] = []
    for fold in range(_FOLDS):
        apart = names[fold::_FOLDS]
        weighed = _fit(rows, [note for name in names if name not in apart for note in files[name]])
        held += [
            max((total(weighed, features) for features in note.windows), default=-30.0)
            for name in apart
            for note in files[name]
            if not note.contradicts
        ]
    threshold = sorted(held, reverse=True)[int(_ASKED_NEEDLESSLY * len(held))]
    intercept, weights = _fit(rows, [note for name in names for note in files[name]])
    return {
        "version": 1,
        "intercept": round(intercept, 3),
        "threshold": round(threshold, 3),
        "weights": {feature: round(weight, 3) for feature, weight in sorted(weights.items()) if weight},
    }


def _fit(rows: Sequence[Row], notes: Sequence[LabelledNote]) -> tuple[float, dict[str, float]]:
    """First from the sentences and the notes that contradict nothing, then with the likeliest sentence of
    each note that does."""
    plain = [
        *rows,
        *((features, False) for note in notes if not note.contradicts for features in note.windows),
    ]
    weighed = fit(plain, fewest=_FEWEST, fewest_of_true=_FEWEST_OF_TRUE)
    likeliest = [
        max(note.windows, key=lambda features: total(weighed, features))
        for note in notes
        if note.contradicts and note.windows
    ]
    told = [(features, True) for features in likeliest if total(weighed, features) > _LIKELY]
    return fit([*plain, *told], fewest=_FEWEST, fewest_of_true=_FEWEST_OF_TRUE, kept=_KEPT)


def main(arguments: Iterable[str]) -> int:
    """Write the packaged table from labelled files."""
    rows: list[Row] = []
    files: dict[str, list[LabelledNote]] = defaultdict(list)
    for name in arguments:
        if name.endswith(".tsv"):
            rows += read_lines(Path(name))
            continue
        for line in Path(name).read_text(encoding="utf-8").splitlines():
            note = read_note(json.loads(line))
            if note is not None:
                files[name].append(note)
    TABLE.write_bytes(orjson.dumps(learn(rows, files), option=orjson.OPT_INDENT_2) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
