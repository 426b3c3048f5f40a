"""A condition of which nothing is said but that the chart has it: it is not billed, and a person is asked."""

from collections.abc import Iterable

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.finding import Finding
from billing.notes.later import later

_IS_CHARTED = later(
    r",? (?:too |also )?(?:is|stays|remains|stands) (?:also |still )?on (?:his|her|their|the)"
    r" (?:chart|record|problem list)\b(?! (?:in error|by mistake|from|since|only))"
)


def left_on_chart(plain: str, findings: Iterable[Finding], diagnosed: Diagnosed) -> bool:
    """`PTSD is on his chart, and he'd be the first to agree`, where other conditions are billed."""
    billed = {diagnosis.lead.family for diagnosis in diagnosed.chosen}
    return any(
        finding.doubt is None
        and finding.concept is not None
        and finding.concept.kind == "dx"
        and finding.family not in billed
        and _IS_CHARTED.match(plain, finding.end)
        for finding in findings
    )
