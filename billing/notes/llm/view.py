"""The coding view: the clauses of a note that bear on its codes, with stable ids; the rest of the note
stays here."""

import re
from dataclasses import dataclass

from billing.notes.lexicon import Lexicon
from billing.notes.llm.redaction import Redacted, redact
from billing.notes.page.layout import DIAGNOSIS_KINDS
from billing.notes.reading import Reading

_MOST_CLAUSES = 60
_LONGEST_CLAUSE = 400
_SHOWN_KINDS = DIAGNOSIS_KINDS | {
    "assessment",
    "problem",
    "service",
    "time",
    "modality",
    "participants",
    "correction",
}
_CLAUSE = re.compile(r"[^.;!?\n]+(?:[.](?=\d)[^.;!?\n]*)*[.;!?]?")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: where it stands in the note, and the redacted text that is shown."""

    id: str
    start: int
    end: int
    shown: Redacted


def coding_view(reading: Reading, *, identifiers: tuple[str, ...], lexicon: Lexicon) -> list[Clause]:
    """Clauses of diagnosis and assessment fields and those with a hit, each with its neighbours, redacted."""
    hits = {finding.start for finding in reading.findings}
    hits.update(reading.tokens.starts[first] for first, _, _ in reading.mentions.services)
    if reading.length is not None:
        hits.add(reading.length.start)
    spans = [match.span() for match in _CLAUSE.finditer(reading.plain) if match[0].strip()]
    wanted: set[int] = set()
    for index, (start, end) in enumerate(spans):
        in_field = reading.layout.at(start) in _SHOWN_KINDS
        if in_field or any(start <= hit < end for hit in hits):
            wanted.update((index - 1, index, index + 1) if not in_field else (index,))
    chosen = [index for index in sorted(wanted) if 0 <= index < len(spans)][:_MOST_CLAUSES]
    parts = [(spans[index][0], min(spans[index][1], spans[index][0] + _LONGEST_CLAUSE)) for index in chosen]
    shown = redact(reading.text, parts, identifiers=identifiers, lexicon=lexicon)
    return [
        Clause(f"c{index}", start, end, clause)
        for index, (start, end), clause in zip(chosen, parts, shown, strict=True)
    ]
