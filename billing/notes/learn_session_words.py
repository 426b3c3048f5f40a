"""Learn from gold-labelled notes which words tell of a session and which of none (logistic regression by
stochastic gradient descent, the same for the same files).

Run `python -m billing.notes.learn_session_words CODESET FILE.jsonl ...`; the table is packaged, this module
is not used at run time.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from billing.notes.codeset import read_codeset
from billing.notes.conditions.explicit import PSYCHOTHERAPY
from billing.notes.decision.session_words import TABLE
from billing.notes.lexicon import load_lexicon
from billing.notes.logistic import Features, Row, fit, total
from billing.notes.reading import Reading, read_note

# A visit that could not be billed for want of a length or a participant was held all the same.
_HELD_ALL_THE_SAME = frozenset(("no_time", "under_16", "under_26_family", "boundary_15"))
_WORD = re.compile(r"[a-z][a-z']+")
_FEWEST, _FEWEST_OF_NONE = 10, 3
_KEPT = 2000
# There are so many more notes of sessions.
_COUNTS_FOR = 25
# So many of the sessions may be asked about, when notes are scored that were not learned from.
_ASKED_NEEDLESSLY = 0.005
_FOLDS = 5
# How somebody writes, and not of what.
_OF_STYLE = frozenset(
    """
    the and or but nor so yet if of in on at by for with to from as into over under up down off out
    about than then that this these those it its he she they we you him her them us me my our his their
    your who whom which what where when why how is are was were be been being am has have had do does
    did will would can could shall should may might must not no there here all any both each few more
    most other some such only own same too very ll ve re just now still again also even because since
    after before until while during through between an one two three four five six seven eight nine ten
    eleven twelve first second third mr mrs ms dr client pt ct patient
    """.split()  # noqa: SIM905
)


def label_of(note: Mapping[str, Any]) -> bool | None:
    """Whether no session was held; None where the gold says neither."""
    gold = note["gold"]
    if gold["cpt"] in PSYCHOTHERAPY:
        return False
    unbillable = gold["cpt"] is None and gold["review"] and not _HELD_ALL_THE_SAME.intersection(note["tags"])
    sent = (note["duration_minutes"] or 0) > 15
    return True if unbillable and (sent or {"no_show", "no_service"}.intersection(note["tags"])) else None


def features_of(words: Sequence[str]) -> Features:
    """The words of a note and its pairs of words; of words of style a pair counts alone, with another."""
    known = [word if _WORD.fullmatch(word) else "" for word in words]
    pairs = (
        f"{first} {second}"
        for first, second in pairwise(known)
        if first and second and not _OF_STYLE.issuperset((first, second))
    )
    return frozenset(filter(None, known)).difference(_OF_STYLE).union(pairs)


def weigh(seen: Sequence[Row], *, kept: int | None = None) -> tuple[float, dict[str, float]]:
    """Intercept and weights; with `kept`, of the strongest so many features alone."""
    return fit(seen, fewest=_FEWEST, fewest_of_true=_FEWEST_OF_NONE, counts_for=_COUNTS_FOR, kept=kept)


def learn(groups: Mapping[str, Sequence[Row]]) -> dict[str, Any]:
    """The table from the notes of several files; the threshold is what keeps sessions unasked in files that
    were not learned from."""
    names = sorted(groups)
    held: list[float] = []
    for fold in range(_FOLDS):
        apart = names[fold::_FOLDS]
        weighed = weigh([each for n in names if n not in apart for each in groups[n]], kept=_KEPT)
        held += [total(weighed, features) for name in apart for features, none in groups[name] if not none]
    threshold = sorted(held, reverse=True)[int(_ASKED_NEEDLESSLY * len(held))]
    intercept, weights = weigh([each for name in names for each in groups[name]], kept=_KEPT)
    pairs: dict[str, dict[str, float]] = defaultdict(dict)
    words = {}
    for feature, weight in sorted(weights.items()):
        first, _, second = feature.partition(" ")
        if second:
            pairs[first][second] = round(weight, 3)
        else:
            words[first] = round(weight, 3)
    return {
        "version": 1,
        "intercept": round(intercept, 3),
        "threshold": round(threshold, 3),
        "words": words,
        "pairs": pairs,
    }


def main(arguments: Iterable[str]) -> int:
    """Write the packaged table from gold-labelled files."""
    codeset, *names = arguments
    codes, lexicon = read_codeset(codeset), load_lexicon()
    groups: dict[str, list[Row]] = defaultdict(list)
    for name in names:
        for line in Path(name).read_text(encoding="utf-8").splitlines():
            note = json.loads(line)
            none = label_of(note)
            reading = read_note(note["text"], lexicon=lexicon, codes=codes)
            if none is not None and isinstance(reading, Reading):
                groups[name].append((features_of(reading.tokens.words), none))
    TABLE.write_bytes(orjson.dumps(learn(groups), option=orjson.OPT_INDENT_2) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
