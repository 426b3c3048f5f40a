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
from billing.notes.confidence import TABLE
from billing.notes.result import Reason

# One-sided credibility of the bound.
CREDIBILITY = 0.75
# Kinds that a person sees whatever their record: conflicts, and mentions that state nothing.
ALWAYS_ASKED = {"dx.X": 0.5, "dx.E": 0.6}


def jeffreys_lower_bound(right: int, seen: int, *, credibility: float = CREDIBILITY) -> float:
    """The quantile of Beta(right + 1/2, wrong + 1/2) below which the true rate lies with 1 - credibility."""
    a, b = right + 0.5, seen - right + 0.5
    steps = 20_000
    weights = [((i + 0.5) / steps) ** (a - 1) * (1 - (i + 0.5) / steps) ** (b - 1) for i in range(steps)]
    wanted = (1 - credibility) * sum(weights)
    total = 0.0
    for i, weight in enumerate(weights):
        total += weight
        if total >= wanted:
            return round((i + 0.5) / steps, 4)
    return 1.0


def observe(notes: Iterable[dict[str, Any]], *, codes: CodeSet) -> tuple[Counter[str], Counter[str]]:
    """How often each kind of evidence was seen, and how often it was right, where nothing else held the
    note: its probability decides there alone."""
    seen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for note in notes:
        gold = note["gold"]
        result = code_note(
            note["text"], place=note["place"], duration_minutes=note["duration_minutes"], codes=codes
        )
        if set(result.reasons) - {Reason.LOW_CONFIDENCE.value}:
            continue
        for diagnosis in result.diagnoses:
            kind = f"dx.{diagnosis.tier}"
            seen[kind] += 1
            right[kind] += diagnosis.code in gold["dx"]
        if result.procedures and not gold["review"]:
            kind = f"cpt.{result.procedures[0].tier}"
            seen[kind] += 1
            right[kind] += result.procedures[0].code == gold["cpt"]
    return seen, right


def calibrate(notes: Iterable[dict[str, Any]], *, codes: CodeSet) -> dict[str, Any]:
    """The whole table; kinds of little evidence borrow the record of all firm evidence."""
    seen, right = observe(notes, codes=codes)
    probability: dict[str, float] = {}
    for part in ("dx", "cpt"):
        kinds = [kind for kind in sorted(seen) if kind.startswith(f"{part}.") and kind not in ALWAYS_ASKED]
        pooled = jeffreys_lower_bound(sum(right[k] for k in kinds), sum(seen[k] for k in kinds))
        for kind in kinds:
            own = jeffreys_lower_bound(right[kind], seen[kind])
            clean = right[kind] == seen[kind]
            probability[kind] = max(own, min(pooled, 0.98)) if clean else own
    probability.update(ALWAYS_ASKED)
    return {
        "version": 1,
        "probability": dict(sorted(probability.items())),
        "counts": {kind: [right[kind], seen[kind]] for kind in sorted(seen)},
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
