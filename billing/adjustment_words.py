"""What payers' codes mean, in plain words: adjustments, remarks, claim statuses.

Every explanation says who acts and what usually helps. A code that isn't in the tables comes back bare, with
its group or category in words.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from billing.adjustment_reasons import COLLECT, GROUPS, REASONS
from billing.remark_reasons import REMARKS
from billing.status_reasons import CATEGORIES, ENTITIES, STATUSES


class WhoActs(StrEnum):
    WE = "we"
    """Billing staff of this service."""
    PARTNER = "partner"
    PAYER = "payer"
    PATIENT = "patient"
    NOBODY = "nobody"
    UNKNOWN = "unknown"
    """Nobody can tell yet: the code isn't in the tables."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One code in words."""

    code: str
    """As it is written in the field: CO-197, N382, A7:164:IL."""
    words: str
    """A clause without a full stop: "no authorization is on file"; the code itself where it isn't known."""
    context: str
    """The group's or category's own meaning, as a clause; empty for a remark.

    What a group means is no reason: of an adjustment that isn't known it says that only the code tells it.
    """
    who_acts: WhoActs
    fix: str
    """What usually helps, as a sentence to whoever acts."""
    known: bool

    @property
    def staff_fix(self) -> str:
        """What staff do once the partner has found out what is right; empty where it takes more or less."""
        if self.who_acts is not WhoActs.PARTNER or not _FOUND_OUT.fullmatch(self.fix):
            return ""
        find_out = f"{self.fix[:1].lower()}{self.fix[1:-1]}"
        return f"Ask the partner to {find_out}, then correct it and send the claim again."

    @property
    def sentence(self) -> str:
        """The words as a sentence, with the code after them."""
        if not self.known:
            return (
                f"{self.context[:1].upper()}{self.context[1:]} ({self.code})."
                if self.context
                else f"{self.code}."
            )
        return f"{self.words[:1].upper()}{self.words[1:]} ({self.code})."


_NOT_FROM_THE_PATIENT = "The payer puts it on the practice: don't bill the patient, ask why or appeal."
_ONLY_BY_CODE = "only the code tells the reason"
_FOUND_OUT = re.compile(r"(?:Compare|Check|Ask the patient|Onboard)\b[^;]*\.")
"""What a partner finds out for staff, who then send the claim again."""
_LOOK_UP = "Look the code up in the payer's guide, or ask the payer."


def explain_adjustment(group: str, carc: str) -> Explanation:
    """An adjustment of a remittance: group code (CO, PR, …) and reason code (45, 197, B7, …)."""
    group, carc = group.strip().upper(), _without_zeros(carc)
    code = f"{group}-{carc}" if group else carc
    context = GROUPS.get(group, "")
    entry = REASONS.get(carc)
    if entry is None:
        return Explanation(code, code, _ONLY_BY_CODE, WhoActs.UNKNOWN, _LOOK_UP, known=False)
    words, who_acts, fix = entry
    if group == "PR" and who_acts == WhoActs.NOBODY:
        who_acts, fix = WhoActs.PATIENT, COLLECT
    elif group in ("CO", "PI") and fix == COLLECT:
        who_acts, fix = WhoActs.WE, _NOT_FROM_THE_PATIENT
    return Explanation(code, words, context, WhoActs(who_acts), fix, known=True)


def explain_remark(rarc: str) -> Explanation:
    """A remark code of a remittance (N382, MA130, …)."""
    code = rarc.strip().upper()
    entry = REMARKS.get(code)
    if entry is None:
        return Explanation(code, code, "", WhoActs.UNKNOWN, _LOOK_UP, known=False)
    words, who_acts, fix = entry
    return Explanation(code, words, "", WhoActs(who_acts), fix, known=True)


def explain_status(category: str, status: str, entity: str | None = None) -> Explanation:
    """A status of a 277 or 277CA: category (A7), status code (164), and the entity that it is about (IL)."""
    category, status = category.strip().upper(), _without_zeros(status)
    entity = (entity or "").strip().upper()
    code = ":".join(part for part in (category, status, entity) if part)
    context = CATEGORIES.get(category, "")
    entry = STATUSES.get(status)
    if entry is None:
        return Explanation(code, code, context, WhoActs.UNKNOWN, _LOOK_UP, known=False)
    words, who_acts, fix = entry
    return Explanation(
        code,
        words.format(who=ENTITIES.get(entity, "party named")),
        context,
        WhoActs(who_acts),
        fix,
        known=True,
    )


def _without_zeros(code: str) -> str:
    """Some payers write 045 for 45."""
    plain = code.strip().upper()
    return plain.lstrip("0") or "0" if plain.isdigit() else plain
