"""Whether a note calls what it would be billed for by another name, somewhere else."""

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.conditions.placement import FIELD, STATED
from billing.notes.decision.behind import remission_told, remitted, says_otherwise
from billing.notes.decision.disputed import is_disputed
from billing.notes.reading import Reading


def told_otherwise(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether the line behind a listed diagnosis contradicts its code."""
    if is_disputed(reading, diagnosed):
        return True
    starts = [finding.start for finding in reading.findings]
    if "remission" in reading.plain:
        codes = {diagnosis.lead.family: diagnosis.code for diagnosis in diagnosed.chosen}
        if any(
            finding.doubt in (None, "symptom")
            and remitted(reading.plain, finding, codes.get(finding.family, ""))
            for finding in reading.findings
        ) or remission_told(reading.plain, codes.values()):
            return True
    return any(
        says_otherwise(
            reading.plain, finding, until=next((at for at in starts if at >= finding.end), 1 << 30)
        )
        for diagnosis in diagnosed.chosen
        for finding in diagnosis.findings
        if finding.strength == FIELD
    )


def named_otherwise(reading: Reading, diagnosed: Diagnosed) -> bool:
    """`F32.1` and, somewhere in the story, `the right one is major depressive disorder, recurrent, mild`."""
    codes = {
        diagnosis.lead.concept: diagnosis.code
        for diagnosis in diagnosed.chosen
        if all(
            finding.written is not None
            and not finding.corrected
            and " " not in reading.plain[finding.start : finding.end]
            for finding in diagnosis.findings
        )
    }
    return any(
        finding.doubt is None
        and finding.strength < STATED
        and finding.concept in codes
        and finding.specific
        and finding.code != codes[finding.concept]
        for finding in reading.findings
    )
