"""What a label opens: the kind of section that its words name."""

import re

from billing.notes.page.standing import Standing, standing_of

_NOT_FIRM = ("working", "provisional", "differential", "possible")
_DX_WORDS = frozenset(("dx", "dxs", "ptdx", "cldx", "clientdx"))
_ASKED_FOR = frozenset(
    ("criteria", "interview", "interviews", "tool", "tools", "instrument", "instruments", "measures",
     "questions", "screen", "screening", "screeners", "checklist", "tests", "testing", "battery")
)  # fmt: skip
# In the bracket or behind the comma of a diagnosis label: the list was not written for this visit.
_CARRIED = re.compile(
    r"\b(?:carr(?:ied|y)|copied|pulled|imported|forward|on file|on chart|from|intake|previous|prior|old"
    r"|refer\w*|header|last|per|historical|unchanged)\b"
)


_BRACKETED_OFF = re.compile(
    r"(?:(?P<old>inactive|resolved|past|historical|former|closed|prior|previous|old|removed|retired)"
    r"|rule[- ]?outs?|r/o|provisional|suspected|working|differential|to confirm|unconfirmed)\b(?! from\b)"
)
_DENIED = re.compile(r"(?:(?:he|she|they|client|pt|patient|ct) )?(?:also )?(?:denie[sd]|denying)\b")
# `Also offered in the list, not selected: ...`
_NOT_TAKEN = tuple(
    f"not {taken}"
    for taken in ("selected", "chosen", "picked", "checked", "ticked", "diagnosed", "confirmed", "met")
)
_HEADING_WORDS = (
    r"(?:primary|principal|secondary|encounter|visit|session|today's|associated|mental|behavioral|health"
    r"|psychiatric|clinical|current|active|billing|medical|necessity|impressions?|problems?|for|this|the|and"
    r"|of|on|with|child|client|patient|codes?|descriptions?|claim|billed|treated|addressed|last|past|prior|previous|old|cm|10|dsm|5|tr)"
)
_HEADING = re.compile(
    rf"(?=[a-z])(?:{_HEADING_WORDS}[ /&-]+){{0,5}}(?:diagnos[ie]s|dxs?|icd(?:[- ]10)?(?:[- ]cm)?)"
    rf"(?:[ /&-]+{_HEADING_WORDS}){{0,4}}"
)
_BEFORE_NOW = re.compile(r"\b(?:last|past|prior|previous|old)\b")
# `Partner's dx`, `dx of sibling`
_RELATIVE = (
    r"(?:partner|spouse|husband|wife|mother|mom|father|dad|parent|sibling|twin|brother|sister|friend|roommate"
    r"|relative)"
)
_OF_ANOTHER = re.compile(
    rf"\b{_RELATIVE}'s (?:own )?(?:[a-z]+ )?(?:dx|diagnos)|\A{_RELATIVE} (?:dx|diagnos)"
    rf"|\b(?:dx|diagnos[ie]s) (?:of (?:the |her |his |their )?|\(){_RELATIVE}\b"
)
# `Dx to monitor`, `diagnosis (per client report)`, `admission dx`
_UNSURE = re.compile(
    r"\b(?:to (?:monitor|watch|consider|clarify|explore|r/o|rule out)"
    r"|under (?:evaluation|consideration|review)"
    r"|(?:self|client|patient|parent)[- ]?report\w*|(?:reported|given|told) by (?:the )?(?!me\b)[a-z]+"
    r"|\b(?:school|teacher|college|employer)'s (?:own )?(?:dx|diagnos)"
    r"|per (?:client|patient|pt|parent|mother|father)\b)"
)
_REJECTED = re.compile(r"\b(?:rejected|excluded|ruled[- ]out|not met|not supported)\b")
# `Student's draft impression`; of a school's or a home's patient it is `Student diagnosis`, `Resident dx`
_DRAFT = re.compile(
    r"\b(?:draft|trainee'?s?|intern'?s?|extern'?s?)(?: [a-z]+)? (?:impressions?|diagnos[ei]s|dx|assessment)\b"
    r"|\b(?:student|resident)'s impressions?\b"
)
# `Problem/Dx`
_AND_DX = ("/dx", "/diagnosis", "/diagnoses")
_OF_BEFORE = frozenset(
    (
        "past",
        "previous",
        "prior",
        "old",
        "former",
        "historical",
        "referring",
        "referral",
        "outside",
        "lifetime",
    )
)
# `Ruled out this quarter`, `Considered and excluded`
_RULED_OUT = re.compile(
    r"(?:(?:considered|screened|evaluated) (?:for )?(?:and|but) )?(?:ruled out|excluded|not supported)"
    r"(?: [a-z]+){0,3}\Z"
)
# `Dx (ruled out)`, `Diagnoses (mother)`
_OF_STANDING: dict[Standing | None, str] = {
    Standing.OTHER_PERSON: "family_history",
    Standing.NEGATED: "denied",
    Standing.UNCERTAIN: "uncertain_dx",
    Standing.HISTORICAL: "old_dx",
}
_OF_ARRIVAL = frozenset(("admission", "admitting", "intake", "initial"))


# `Individual psychotherapy, 45 minutes.`: below a plan, a line of the visit itself.
CLOSING = re.compile(
    r"[ ]*(?:(?:individual|fam|family|couples?|conjoint|dyadic|marital|parents?|collateral|group|iop|process"
    r"|skills|crisis|psychotherapy|therapy|initial|intake|biopsychosocial|comprehensive|psych"
    r"|new (?:pt|patient)|psychiatric|diagnostic|telehealth|video|telephone|phone)\b"
    r"[^\n.;]{0,60}?(?:[.;] (?=\d)|[ ,(:-])|(?:session|visit)(?: (?:length|time|duration))?[ :]*"
    r"|seen[^\n.;]{0,20}[ ]"
    r"|total (?:time|minutes)[ :]*)?"
    r"\d{2,3}[ -]?min(?:utes?|s)?\b(?![^\n]{0,30}\b(?:daily|each|every|a day|per|next|walk|practice|before))"
)
# What sort of condition an entry of a list of diagnoses is, in front of its name.
CATEGORIES = frozenset(
    ("mood", "anxiety", "substance", "substance use", "substances", "tobacco", "nicotine", "alcohol",
     "cannabis", "opioid", "stimulant", "drug", "personality", "trauma", "eating", "sleep", "psychotic",
     "psychosis", "neurodevelopmental", "developmental", "behavioral", "psychiatric", "mental health", "mh",
     "sud", "bh", "relational", "social", "psychosocial", "principal", "other", "also", "axis i", "axis ii")
)  # fmt: skip
# What the other columns of a list of diagnoses are called.
COLUMNS = frozenset(
    ("active", "active?", "status", "state", "code", "codes", "icd", "icd-10", "onset", "since", "noted",
     "date", "rank", "current", "current?", "y/n")
)  # fmt: skip


def kind_of(label: str, sections: dict[str, str], *, pie: bool, marked: bool, dashed: bool) -> str | None:
    """The section type of a label: as it stands, without its bracket, before its comma, or by the word
    diagnosis."""
    if "_" in label:
        label = label.replace("_", " ")
    if "  " in label:
        label = " ".join(label.split())
    label = label.strip(" .-*")
    if not label:
        return None
    if label == "p" and pie:
        return "problem"
    kind = sections.get(label) or sections.get(label.replace("-", " "))
    if kind is not None:
        return kind if len(label) > 1 or marked or dashed else None
    if "(" in label:
        bare, _, bracket = label.partition("(")
        bare = bare.strip()
        kind = sections.get(bare)
        if kind is None and "(" not in bare and ("dx" in bare or "diagnos" in bare):
            kind = kind_of(bare, sections, pie=pie, marked=marked, dashed=dashed)
        if kind == "dx" and _OF_ANOTHER.search(label):
            return "family_history"
        if kind == "dx" and _UNSURE.search(label):
            return "uncertain_dx"
        if kind is not None and (marked or len(bare) > 1):
            if kind == "dx" and "not carried" in bracket:
                return "old_dx"
            if kind == "dx" and (said := _BRACKETED_OFF.match(bracket)):
                return "old_dx" if said["old"] else "uncertain_dx"
            if kind == "dx" and (standing := standing_of(bracket.strip(" )"))) in _OF_STANDING:
                return _OF_STANDING[standing]
            return "on_file" if kind == "dx" and _CARRIED.search(bracket) else kind
    if not marked:
        return _heading(label) if "diagnos" in label or "dx" in label or "icd" in label else None
    if "den" in label and _DENIED.match(label):
        return "denied"
    if label.endswith(_NOT_TAKEN) or _RULED_OUT.match(label):
        return "denied"
    for parting in (" - ", ","):
        name, parted, said = label.partition(parting)
        if parted and (kind := sections.get(name.strip())) is not None:
            return _OF_STANDING.get(standing_of(said.strip()), kind) if kind == "dx" else kind
    if _DRAFT.search(label):
        return "uncertain_dx"
    if "dx" not in label and "diagnos" not in label:
        return None
    words = label.replace("/", " ").split() if label.endswith(_AND_DX) else label.split()
    named = [word.startswith("diagnos") or word.rstrip("()#0123456789") in _DX_WORDS for word in words]
    if (len(words) <= 6 and any(named)) or (len(words) <= 12 and named[0]):
        if words[0] == "diagnostic" and words[1:2] and words[1] in _ASKED_FOR and "met" not in words:
            return "objective"  # `Diagnostic criteria reviewed: ...`: what was gone through
        if words[0] in ("correct", "corrected"):
            return "correction"  # `Correct diagnosis for this encounter: ...`
        if words[0] == "family" and named[1:2] == [True]:
            return "family_history"
        if any(word in ("no", "family", "if") for word in words):
            return "other"
        if _OF_ANOTHER.search(label):
            return "family_history"
        if not _OF_BEFORE.isdisjoint(words):
            return "old_dx"
        if _REJECTED.search(label):
            return "denied"
        if _UNSURE.search(label):
            return "uncertain_dx"
        if not _OF_ARRIVAL.isdisjoint(words):
            return "on_file"
        if words[0] in _NOT_FIRM and words[1:2] != ["from"]:
            return "uncertain_dx"
        return _OF_STANDING.get(standing_of(label), "dx")
    return None


def _heading(label: str) -> str | None:
    """What a line that is nothing but the name of a list of diagnoses opens: `Encounter Diagnoses`."""
    if not _HEADING.fullmatch(label):
        return None
    return "old_dx" if _BEFORE_NOW.search(label) else "dx"


def is_item_label(label: str, *, row: bool) -> bool:
    """Whether a label inside a diagnosis list is one of its rows and not the next section; the first cell of
    a table's row is one but for what is there no more. The fourth axis names stressors, the fifth a score."""
    if row:
        return _BRACKETED_OFF.match(label) is None
    return bool(
        re.match(r"(?:v/z|z|v|f|icd|dsm|axis(?! (?:iv|4))|ax(?! (?:iv|4)))(?:[ /-]|$)|[a-z]\d\d", label)
    )
