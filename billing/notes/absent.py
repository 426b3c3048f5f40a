"""Whether the patient was there when the family was seen."""

import re

from billing.notes.later import later
from billing.notes.modality import Cue

_OPENING = 220
# `The child (Ann, 5) not present`, `Student: Ike, grade 2 (in class, not present)`.
_NAMED_ABSENT = later(
    r"\b(?:client|patient|pt|child|student|teen|adolescent|youth|member|ip)(?: \([^()\n]{1,30}\),?"
    r"|: [^.:\n]{1,30} \([^()\n]{0,20}) ?(?:is |was )?(?:not (?:present|in attendance|in session|here)"
    r"|absent|did not attend|stayed home)"
)
# `Present: Annika (15, patient), mother`
_NAMED_PRESENT = later(
    r"\bpresent(?: today)?[:,-]? [^.\n]{0,80}\((?:[^()\n]{0,12}, )?(?:identified )?(?:patient|client|pt|ip)\)"
)
# `Family therapy without R.S., by video with mother and father`
_WITHOUT_ONE = later(
    # `Met with Lucia's mother, Lucia not present`
    r"\b([a-z]+)'s (?:mother|father|mom|dad|parents?|grand\w+|guardian|foster \w+)\b[^\n]{0,80}?\b\1"
    r" (?:was |is |did )?not (?:present|in (?:the room|session|attendance)|attend|here|with us|seen)\b"
    r"|\bfamily (?:therapy|session|psychotherapy|meeting) without (?!(?:the |his |her |their )?(?:brother"
    r"|sister|father|mother|sibling|dad|mom|parent|others?)s?\b)"
    r"|\b(?:family|couples) (?:without|w/o) (?:the )?(?:client|patient|pt)\b"
)


def patient_absent(plain: str, by_kind: dict[str, list[Cue]]) -> bool:
    """Whether family work went on without the patient."""
    if _NAMED_PRESENT.search(plain, 0, _OPENING):
        return False
    if _WITHOUT_ONE.search(plain, 0, _OPENING):
        return True
    absent = [cue for cue in by_kind.get("without_patient", []) if cue.weight]
    if not absent:
        return _NAMED_ABSENT.search(plain, 0, _OPENING) is not None
    present = [cue for cue in by_kind.get("with_patient", []) if cue.weight]
    strong = [
        cue
        for cue in absent
        if not re.fullmatch(
            r"absent|parents? (?:session|coaching|guidance|meeting|training|consultation)|collateral "
            r"session|collateral visit|collateral|parents?|caregivers?",
            plain[cue.start : cue.end],
        )
    ]
    if strong:
        return not present or min(c.start for c in strong) <= min(c.start for c in present)
    return not present
