"""The table of accuracy: what a coder's results are worth against gold labels, forced and selective."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from billing.notes.codeset import CodeSet, CodeStatus
from billing.notes.result import NoteResult, Outcome

Engine = Callable[[str, str | None, int | None], NoteResult]
# Why a mention was a trap: the tags of a note that hold conditions, times or words which must not be coded.
TRAP_TAGS = frozenset(
    (
        "negation",
        "rule_out",
        "uncertain",
        "rule_out_only",
        "history",
        "family_history",
        "distractor_relative_dx",
        "checkbox",
        "distractor_screener",
        "correction",
        "no_diagnosis",
    )
)


@dataclass(frozen=True, slots=True)
class NoteScore:
    """One note against its gold labels."""

    id: str
    tags: tuple[str, ...]
    gold: dict[str, Any]
    dx: tuple[str, ...]
    cpt: str | None
    modifiers: tuple[str, ...]
    addons: tuple[str, ...]
    reviewed: bool
    reasons: tuple[str, ...]
    invalid: tuple[str, ...]
    bad_offsets: int
    evidence: int
    seconds: float

    @property
    def dx_exact(self) -> bool:
        """Whether the set of diagnoses is right."""
        return set(self.dx) == set(self.gold["dx"])

    @property
    def primary_right(self) -> bool:
        """Whether the first diagnosis is right."""
        return self.dx[:1] == tuple(self.gold["dx"][:1])

    @property
    def cpt_right(self) -> bool:
        """Whether main code and modifiers are right."""
        return self.cpt == self.gold["cpt"] and set(self.modifiers) == set(self.gold["modifiers"])

    @property
    def claim_right(self) -> bool:
        """Whether everything that would be billed is right."""
        return (
            self.dx_exact
            and self.primary_right
            and self.cpt_right
            and sorted(self.addons) == sorted(self.gold["addons"])
        )


@dataclass(slots=True)
class Accuracy:
    """All notes of a file, scored."""

    scores: list[NoteScore] = field(default_factory=list)

    def measures(self) -> dict[str, float]:
        """The rows of the specification's table, as fractions unless named otherwise."""
        scores = self.scores
        right = sum(len(set(s.dx) & set(s.gold["dx"])) for s in scores)
        given = sum(len(set(s.dx)) for s in scores)
        wanted = sum(len(set(s.gold["dx"])) for s in scores)
        codable = [s for s in scores if not s.gold["review"]]
        should = [s for s in scores if s.gold["review"]]
        auto = [s for s in scores if not s.reviewed]
        trapped = [s for s in scores if TRAP_TAGS & set(s.tags)]
        wrongly = sum(len(set(s.dx) - set(s.gold["dx"])) for s in trapped if not s.reviewed)
        emitted = sum(len(s.dx) for s in trapped if not s.reviewed)
        seconds = sorted(s.seconds for s in scores)
        return {
            "notes": len(scores),
            "dx_micro_f1_forced": 2 * right / (given + wanted) if given + wanted else 1.0,
            "dx_exact_forced": _share(s.dx_exact for s in scores),
            "dx_primary_forced": _share(s.primary_right for s in scores),
            "cpt_with_modifier_forced": _share(s.cpt_right for s in scores),
            "coverage": _share(not s.reviewed for s in codable),
            "claim_exact_selective": _share(s.claim_right for s in auto),
            "review_when_right": _share(s.reviewed for s in should),
            "traps_coded": wrongly / emitted if emitted else 0.0,
            "invalid_codes": sum(len(s.invalid) for s in scores),
            "offsets_valid": 1 - sum(s.bad_offsets for s in scores) / max(sum(s.evidence for s in scores), 1),
            "p99_ms": 1000 * seconds[int(0.99 * (len(seconds) - 1))] if seconds else 0.0,
            "notes_per_second": len(seconds) / sum(seconds) if seconds else 0.0,
        }

    def wrong(self) -> list[NoteScore]:
        """The notes that are not as the gold has them, forced or in the decision to ask."""
        return [s for s in self.scores if not s.claim_right or s.reviewed != s.gold["review"]]

    def by_tag(self) -> dict[str, tuple[int, int]]:
        """For each phenomenon: how many notes have it, how many of those are wrong; worst first."""
        total = Counter(tag for s in self.scores for tag in s.tags)
        wrong = Counter(tag for s in self.wrong() for tag in s.tags)
        return {
            tag: (total[tag], wrong[tag])
            for tag in sorted(total, key=lambda tag: (-wrong[tag] / total[tag], -total[tag], tag))
            if wrong[tag]
        }


GOALS: dict[str, tuple[str, float]] = {
    "dx_micro_f1_forced": (">=", 0.94),
    "dx_exact_forced": (">=", 0.88),
    "dx_primary_forced": (">=", 0.94),
    "cpt_with_modifier_forced": (">=", 0.96),
    "coverage": (">=", 0.85),
    "claim_exact_selective": (">=", 0.97),
    "review_when_right": (">=", 0.95),
    "traps_coded": ("<=", 0.005),
    "invalid_codes": ("<=", 0),
    "offsets_valid": (">=", 1.0),
    "notes_per_second": (">=", 1000),
    "p99_ms": ("<=", 5),
}


def measure(notes: Sequence[dict[str, Any]], *, engine: Engine, codes: CodeSet) -> Accuracy:
    """Run an engine over gold-labelled notes (the form of `notes_dev.jsonl`) and score every one."""
    accuracy = Accuracy()
    for note in notes:
        begin = time.perf_counter()
        result = engine(note["text"], note["place"], note["duration_minutes"])
        seconds = time.perf_counter() - begin
        accuracy.scores.append(score(note, result, codes=codes, seconds=seconds))
    return accuracy


def score(note: dict[str, Any], result: NoteResult, *, codes: CodeSet, seconds: float = 0.0) -> NoteScore:
    """One result against one gold-labelled note."""
    text = note["text"]
    main = [p.code for p in result.procedures if p.code not in ("90785", "90840")]
    spans = [e for d in result.diagnoses for e in d.evidence] + [
        e for p in result.procedures for e in p.evidence
    ]
    spans += [e for r in result.rejected for e in r.evidence] + [
        e for c in result.candidates for e in c.evidence
    ]
    modifiers = {p.modifier for p in result.procedures if p.modifier}
    return NoteScore(
        id=str(note["id"]),
        tags=tuple(note.get("tags", ())),
        gold=note["gold"],
        dx=tuple(d.code for d in result.diagnoses),
        cpt=main[0] if main else None,
        modifiers=tuple(sorted(modifiers))
        if main
        else tuple(note["gold"]["modifiers"])
        if note["gold"]["cpt"] is None
        else (),
        addons=tuple(p.code for p in result.procedures if p.code in ("90785", "90840")),
        reviewed=result.outcome is not Outcome.CODED,
        reasons=result.reasons,
        invalid=tuple(d.code for d in result.diagnoses if codes.status(d.code) is not CodeStatus.BILLABLE),
        bad_offsets=sum(text[e.start : e.end] != e.quote for e in spans),
        evidence=len(spans),
        seconds=seconds,
    )


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 1.0
