"""Turn the development notes into the table of probabilities: a Jeffreys lower bound for each kind of
evidence.

Run `python -m billing.notes.calibrate CODESET FILE.jsonl ...`; the table is packaged, this module is not
used at run time.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from billing.notes.coder import code_note
from billing.notes.codeset import CodeSet, read_codeset
from billing.notes.decision.confidence import TABLE
from billing.notes.lexicon import load_lexicon
from billing.notes.result import Reason

# One-sided credibility of the bound.
CREDIBILITY = 0.75
# Kinds that a person sees whatever their record: conflicts, and mentions that state nothing.
ALWAYS_ASKED = {"dx.X": 0.5, "dx.E": 0.6}
# How many observations of its wider kind a kind borrows.
BORROWED = 20
Kind = tuple[str, ...]


def jeffreys_lower_bound(right: float, seen: float) -> float:
    """The quantile of Beta(right + 1/2, wrong + 1/2) below which the true rate lies with 1 - CREDIBILITY."""
    a, b = right + 0.5, seen - right + 0.5
    steps = 20_000
    weights = [((i + 0.5) / steps) ** (a - 1) * (1 - (i + 0.5) / steps) ** (b - 1) for i in range(steps)]
    wanted = (1 - CREDIBILITY) * sum(weights)
    total = 0.0
    for i, weight in enumerate(weights):
        total += weight
        if total >= wanted:
            return round((i + 0.5) / steps, 4)
    return 1.0


def observe(notes: Iterable[dict[str, Any]], *, codes: CodeSet) -> tuple[Counter[Kind], Counter[Kind]]:
    """How often each kind of evidence was seen, and how often it was right, where nothing else held the
    note: its probability decides there alone."""
    lexicon = load_lexicon()
    seen: Counter[Kind] = Counter()
    right: Counter[Kind] = Counter()
    for note in notes:
        gold = note["gold"]
        result = code_note(
            note["text"], place=note["place"], duration_minutes=note["duration_minutes"], codes=codes
        )
        if set(result.reasons) - {Reason.LOW_CONFIDENCE.value}:
            continue
        found: list[tuple[Kind, bool]] = []
        for diagnosis in result.diagnoses:
            concept = lexicon.concepts.get(diagnosis.concept)
            kind = ("dx", diagnosis.tier, diagnosis.evidence[0].section, concept.group if concept else "code")
            found.append((kind, diagnosis.code in gold["dx"]))
        if result.procedures and not gold["review"]:
            main = result.procedures[0]
            found.append((("cpt", main.tier, main.code), main.code == gold["cpt"]))
        for kind, is_right in found:
            for length in range(2, len(kind) + 1):
                seen[kind[:length]] += 1
                right[kind[:length]] += is_right
    return seen, right


def calibrate(notes: Iterable[dict[str, Any]], *, codes: CodeSet) -> dict[str, Any]:
    """The whole table; a kind of little evidence borrows from the record of its wider kind."""
    seen, right = observe(notes, codes=codes)
    probability: dict[str, float] = {}
    for kind in sorted(seen, key=lambda each: (len(each), each)):
        wider = probability.get(".".join(kind[:-1]))
        if ".".join(kind[:2]) in ALWAYS_ASKED:
            continue
        if wider is None:
            bound = jeffreys_lower_bound(right[kind], seen[kind])
        elif right[kind] == seen[kind]:
            bound = max(jeffreys_lower_bound(right[kind], seen[kind]), wider)
        else:
            bound = jeffreys_lower_bound(right[kind] + BORROWED * wider, seen[kind] + BORROWED)
        probability[".".join(kind)] = bound
    probability.update(ALWAYS_ASKED)
    return {
        "version": 2,
        "probability": dict(sorted(probability.items())),
        "counts": {".".join(kind): [right[kind], seen[kind]] for kind in sorted(seen)},
    }


def main(arguments: list[str]) -> int:
    """Write the packaged table from gold-labelled files."""
    codes = read_codeset(arguments[0])
    notes = [
        json.loads(line)
        for name in arguments[1:]
        for line in Path(name).read_text(encoding="utf-8").splitlines()
    ]
    TABLE.write_bytes(orjson.dumps(calibrate(notes, codes=codes), option=orjson.OPT_INDENT_2) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
