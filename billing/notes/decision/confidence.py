"""How often each kind of evidence was right: the calibrated probabilities of the packaged table."""

from functools import lru_cache
from pathlib import Path

import msgspec

from billing.notes.conditions.diagnoses import Diagnosis
from billing.notes.conditions.placement import FIELD, MENTIONED

TABLE = Path(__file__).parents[1] / "data" / "calibration.json"


class Calibration(msgspec.Struct, frozen=True):
    """The packaged table; `counts` are the observations behind each probability, as (right, seen)."""

    version: int
    probability: dict[str, float]
    counts: dict[str, tuple[int, int]] = {}


@lru_cache(maxsize=1)
def table() -> dict[str, float]:
    """Probability by kind of evidence, a lower bound each."""
    return msgspec.json.decode(TABLE.read_bytes(), type=Calibration).probability


def tier_of(diagnosis: Diagnosis) -> str:
    """A: code and words agree. B: words in a diagnosis field. C: code alone, or assessment prose. D:
    weaker. X: conflict."""
    lead = diagnosis.lead
    corrected, agrees = True, False
    for finding in diagnosis.findings:
        if finding.problems:
            return "X"
        corrected = corrected and finding.corrected
        agrees = agrees or (finding.by == "both" and finding.written == finding.code)
    if diagnosis.reason is not None:
        return "X"
    if corrected:
        return "D"
    if agrees:
        return "A"
    if lead.by == "code":
        return "C"
    if lead.strength == FIELD:
        return "B"
    if lead.section in ("assessment", "problem", "correction"):
        return "C"
    return "E" if lead.strength == MENTIONED else "D"


def kind_of(diagnosis: Diagnosis) -> tuple[str, str, str, str]:
    """What its probability is looked up by: its tier, the section that states it, its group of families."""
    lead = diagnosis.lead
    group = lead.concept.group if lead.concept else "code"
    return "dx", tier_of(diagnosis), lead.section, group


def probability(*kind: str) -> float:
    """The calibrated probability of one component; a kind never seen has that of its wider kind."""
    known = table()
    for length in range(len(kind), 1, -1):
        found = known.get(".".join(kind[:length]))
        if found is not None:
            return found
    return 0.5
