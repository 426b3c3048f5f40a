"""Entries of one list of diagnoses that the ends of lines part: behind a blank line, or from their own
`r/o`."""

import re

from msgspec.structs import replace

from billing.notes.conditions.placement import FIELD, STATED
from billing.notes.finding import Finding
from billing.notes.page.layout import DIAGNOSIS_KINDS
from billing.notes.page.nested import opens_entry
from billing.notes.result import Reason
from billing.notes.text.items import continues_list

# From the end of one entry to the beginning of the next, and from there to the next blank line or label.
_BLANK_LINES = re.compile(r"[^\n:]{0,48}\n(?:[ ]*\n)+[ ]{0,8}(?:[-*+>][ ])?")
_ENDS_ENTRY = re.compile(r"[^\n:]{0,48}(?=\Z|\n[ ]*(?:\n|\Z|[a-z][a-z /&()-]{0,30}:))")
# `GAD, r/o` above `PTSD`: of either.
_DOUBT_BETWEEN = re.compile(
    r"[ ]*(?:[a-z]\d\d[.\d]*[ ]*)?(?:,|-)[ ]*(?:r/o|rule[ -]?outs?|query|possible|probable|suspected"
    r"|provisional|versus|vs\.?)[ ]*\n[ ]*"
)
# `Dx: MDD, single episode, mild.` above `Panic disorder.`
_NEXT_LINE, _FULL_STOP = re.compile(r"[^\n:]{0,24}\n[ ]*"), re.compile(r"[ ]*\.[ ]*(?=\n|\Z)")
_WIDEST = 80


def parted(text: str, plain: str, found: list[Finding]) -> list[Finding]:
    """The findings, those in the list that stand by themselves behind a blank line; a person is asked where
    the list is of one line, the entry only a complaint, or a doubt may be of the next."""
    families: set[str] | None = None
    for at in range(1, len(found)):
        before, finding = found[at - 1], found[at]
        if not 0 < finding.start - before.end <= _WIDEST or plain.find("\n", before.end, finding.start) < 0:
            continue
        if finding.doubt is None and _DOUBT_BETWEEN.fullmatch(plain, before.end, finding.start):
            found[at] = replace(finding, reason=finding.reason or Reason.DIAGNOSIS_UNREAD)
        elif _goes_on(plain, before, finding):
            if families is None:
                families = {each.family for each in found if each.strength == FIELD and each.doubt is None}
            if finding.family in families:
                continue
            is_list = "\n\n" not in plain[before.end : finding.start] or opens_entry(
                text, plain, before.start
            )
            if finding.doubt is not None and not is_list:
                continue
            sure = is_list and finding.doubt is None
            found[at] = replace(
                finding,
                strength=FIELD,
                section=before.section,
                assertive=True,
                doubt=None,
                reason=finding.reason if sure else Reason.DIAGNOSIS_UNREAD,
            )
            families.add(finding.family)
    return found


def _goes_on(plain: str, before: Finding, finding: Finding) -> bool:
    """Whether an entry by itself, or with its full stop, stands under an entry of a list of diagnoses that a
    blank line, or that stop, would end."""
    if before.strength != FIELD or before.doubt is not None or before.section not in DIAGNOSIS_KINDS:
        return False
    if not (finding.doubt == "symptom" or (finding.doubt is None and finding.strength == STATED)):
        return False
    if _NEXT_LINE.fullmatch(plain, before.end, finding.start):
        return finding.doubt is None and _FULL_STOP.match(plain, finding.end) is not None
    if _BLANK_LINES.fullmatch(plain, before.end, finding.start) is None:
        return False
    ends = _ENDS_ENTRY.match(plain, finding.end)
    if ends is None:
        return False
    start = plain.rfind("\n", 0, finding.start) + 1
    return continues_list(plain[start : ends.end()], start, ends.end(), plain)
