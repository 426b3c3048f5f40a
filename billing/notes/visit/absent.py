"""Whether the patient was there when the family was seen."""

import re

from billing.notes.later import later
from billing.notes.page.layout import Layout
from billing.notes.text.kin import RELATIVE
from billing.notes.visit.modality import Cue
from billing.notes.visit.others_seen import one_stayed_away

_OPENING = 220
_PARENT = (
    r"(?:(?:(?:bio|biological|birth|foster|adoptive|step|grand)[ -]?)?(?:mother|father|mom|dad|parents?)"
    r"|guardians?)"
)
# `The child (Ann, 5) not present`, `Student: Ike, grade 2 (in class, not present)`.
_NAMED_ABSENT = later(
    r"\b(?:client|patient|pt|child|student|teen|adolescent|youth|member|ip)(?: \([^()\n]{1,30}\),?"
    r"|: [^.:\n]{1,30} \([^()\n]{0,20}) ?(?:is |was )?(?:not (?:present|in attendance|in session|here)"
    r"|absent|did not attend|stayed home)"
    r"|\b(?:client|patient|pt|child|student|teen|adolescent|ip) \([^()\n]{1,30}\),? (?:(?:was|is) )?"
    r"(?:at (?:school|camp|practice|daycare|preschool|home)|home sick)\b"
    r"|\b(?:client|patient|pt|ip)(?: [a-z'-]+, \d{1,2},)?"
    rf"(?:(?!\b{RELATIVE}\b)[^.;,\n]){{0,60}}? not (?:with us|here|present)\b"
)
# `Present: Annika (15, patient), mother`
_NAMED_PRESENT = later(
    r"\b(?:present|attending|attended|in attendance|who (?:was|is) (?:here|present)|who (?:came|attended))"
    r"(?: today)?[:,-]? [^.\n]{0,80}\((?:[^()\n]{0,12}, )?(?:identified )?(?:patient|client|pt|ip)\)"
)
# `Family therapy without R.S., by video with mother and father`
_WITHOUT_ONE = later(
    # `Met with Lucia's mother, Lucia not present`
    r"\b([a-z]+)'s (?:mother|father|mom|dad|parents?|grand\w+|guardian|foster \w+)\b[^\n]{0,80}?\b\1"
    r" (?:was |is |did )?not (?:present|in (?:the room|session|attendance)|attend|here|with us|seen)\b"
    # `Met with Owen's parents without Owen`
    r"|\b(?:met|saw|seen|sat|with) ([a-z]+)'s (?:mother|father|mom|dad|parents?|grand\w+|guardian)\b"
    r"[^.;\n]{0,40}? without \2(?=[ ]*(?:[.,;\n]|\Z| (?:today|present|there|in)\b))"
    # `Met with both mothers of Callum (13), without Callum`
    r"|\b(?:mothers?|fathers?|moms?|dads?|parents?|grand\w+|guardians?) of (?P<who>[a-z]+)\b[^.;\n]{0,24}?"
    r" without (?P=who)(?=[ ]*(?:[.,;\n]|\Z| (?:today|present|there|in|for)\b))"
    # `Grandmother and aunt seen without Tavi`
    rf"|\b{RELATIVE} and (?:(?:the|his|her) )?{RELATIVE} (?:were )?(?:seen|met with) without "
    rf"(?!{RELATIVE}|\w+ing\b|notice|delay|others|any|each)[a-z]+(?=[ ]*(?:[.,;(\n]|\Z))"
    # `Both parents here w/o Maddie`
    r"|\b(?:parents|(?:mother|mom) and (?:father|dad)|(?:father|dad) and (?:mother|mom))"
    r"(?: (?:both|were|are|came|here|in|present|attended|seen|met|today)){0,3},? (?:w/o|without) "
    rf"(?!{RELATIVE}|\w+ing\b|notice|delay|others|any|each)[a-z]+"
    rf"(?=[ ]*(?:[.;\n(]|\Z|,(?! (?:(?:the|his|her|their) )?(?:[a-z]+ )?{RELATIVE}\b))"
    r"| (?:today|present|in)\b)"
    r"|\bfamily (?:therapy|session|psychotherapy|meeting) without (?!(?:the |his |her |their )?(?:brother"
    r"|sister|father|mother|sibling|dad|mom|parent|others?)s?\b)"
    r"|\b(?:family|couples) (?:without|w/o) (?:the )?(?:client|patient|pt)\b"
    # `Family therapy, parents of Gideon (26)`
    r"|\bfamily (?:[a-z]+ ){0,3}(?:therapy|session|psychotherapy|meeting),? (?:with )?(?:the |both )?"
    r"parents of (?!the\b|an?\b|two\b|three\b)[a-z]+\b(?! and\b)"
    # `Family psychotherapy went ahead with both parents and without him`
    r"|\bfamily (?:therapy|session|psychotherapy|meeting) (?:(?:was|were|then|still"
    r"|all the same) )*(?:went (?:ahead|on)"
    r"|held|run|conducted|took place)(?: with [^.;\n]{1,40}?)?,? (?:and |but )?without (?:him|her|them)\b"
    # `Family therapy with his mother and stepfather only`
    r"|\bfamily (?:psycho)?(?:therapy|session|meeting|work)(?: session)?"
    r" with (?:(?:his|her|their|the|both) )*"
    rf"{_PARENT}(?:(?:,| and| &) (?:(?:his|her|their) )?{_PARENT})* only\b"
    # `Trevor, who is sixteen, stayed in his room and was not part of the visit`
    rf"|(?:\A|[.;\n])[ ]*(?!(?:i|we|his|her|their|the|my|{RELATIVE})\b)[a-z]+(?:, [^,.;\n]{{1,24}},)?"
    r" (?:[^.;,\n]{1,60}\band )?was not (?:a )?part of (?:the|this|today's) (?:visit|session|meeting|hour)\b"
)
# `Fifty minutes of family therapy on his behalf`, `his mothers had me to themselves`
_FOR_ONE = later(
    r"\bfamily (?:psycho)?(?:therapy|session|meeting|work|counseling)(?: session)?(?: with [^.;\n]{1,40}?)?,?"
    r" on (?:his|her|their|the (?:client|patient|child)'s|[a-z]+'s) behalf\b"
    rf"|\b(?:{RELATIVE}|seen|came|here|in) on (?:his|her|their|[a-z]+'s|the (?:client|patient|child)'s)"
    r" behalf\b"
    r"|\b(?:mothers?|fathers?|moms?|dads?|parents|grandparents|grandmother|grandfather|guardians?|couple)"
    r" had (?:me|the (?:session|hour)|this (?:session|hour))(?: all)? to (?:him|her|them)sel(?:f|ves)\b"
)
# `Benji was at his grandmother's, and his mothers met with me`
_AT_ANOTHERS = later(
    rf"\A[ ]*(?!(?:i|we|s?he|they|it|both|{RELATIVE})\b)[a-z]+(?: \(\d{{1,2}}\))?,? (?:was|is|stayed|stays)"
    rf" (?:at|with) (?:(?:his|her|their|the) )?(?:{RELATIVE}(?:'s|s')|(?:{RELATIVE}|cousin|friend|neighbor"
    r"|sitter)\b|neighbor's|friend's|cousins?'|sitter's|school|camp|daycare|practice)"
    r"(?! (?:this|last|over|for|when|where|all|since|until|on|in|every|most|but|by then)\b)"
)
# `Ella stayed home sick.`
_STAYED_HOME = later(
    rf"(?<=[.;:\n])[ ]?(?!(?:i|we|s?he|they|it|both|client|patient|pt|ct|{RELATIVE})"
    r"\b)[a-z]+(?: \(\d{1,2}\))? stayed (?:at )?home(?: sick| ill| today| with [a-z ]{1,20})*[ ]*[.;,\n]"
)
# `Present: mother, stepfather`
_ONLY_PARENTS = later(
    r"(?:\A|[.;\n])[ ]*(?:present|attendees|attending|attended by|attendance|participants|who attended"
    rf"|who was (?:present|here)|in (?:the )?(?:room|session))(?: today)?[ ]*[:-][ ]*(?:both |the )?{_PARENT}"
    rf"(?:(?:, (?:and )?| and | & |/){_PARENT})*[ ]*(?:[.;\n]|\Z)"
)
# `In the room: Linnea (15), mother, father`
_LISTED_FIRST = later(
    r"(?:\A|[.;\n])[ ]*(?:in (?:the )?(?:room|session)|present|attending|attended|attendees|in attendance"
    rf"|seen|participants)(?: today)?:[ ]*(?!{RELATIVE}\b)[a-z'-]+(?: [a-z]\.)?(?:,| \()[ ]?(?:age )?"
    rf"\d{{1,2}}\)?,[ ](?:and )?(?:(?:his|her|their|both) )?{RELATIVE}\b"
)
# `Patient [x] present [ ] absent`, `Client present: [x] Y [ ] N`, `Patient: present [x] absent [ ]`
_BOX = r"(?:[\[(][ ]?(?:(?P<{0}>[xy*+/\u2611])[ ]?|[ _]{{0,3}})[\])]|(?P<{0}{0}>\u2611)|\u2610)"
_HERE = r"(?:present|here|attended|in attendance|came|yes|y)\b"
_AWAY = r"(?:absent|not (?:present|here)|away|did not (?:attend|come)|no|n)\b"
_GAP = r"[ ]{0,6}[:,/|-]?[ ]{0,6}"
_ROW = later(
    r"\b(?:client|patient|pt|ct|ip|child|teen|adolescent|youth|student)(?: (?:was )?present)?"
    rf"{_GAP}(?:{_BOX.format('a')} ?{_HERE}{_GAP}{_BOX.format('b')} ?{_AWAY}"
    rf"|{_HERE}{_GAP}{_BOX.format('c')}{_GAP}{_AWAY}{_GAP}{_BOX.format('d')})"
)
# `Father absent`, `Mother [ ] present [x] absent`; not `Mother present, Kaya absent`
_ANOTHERS = later(
    rf"\b{RELATIVE}\b(?:(?!,|(?<![\])\u2610][ ])(?:present|attended|came|here|joined|seen)\b)[^.;\n])"
    r"{0,40}\Z"
)
# `without her brother`, `without her consent`
_HERS = later(
    r" (?!(?:today|present|in|here|there|being|and|but|for|this|at|on|because|as|since|so|to|by|while|with"
    r"|again)\b)[a-z]"
)


def patient_absent(plain: str, by_kind: dict[str, list[Cue]], layout: Layout) -> bool:
    """Whether family work went on without the patient."""
    marked = _ticked_present(plain) if layout.boxes and ("present" in plain or "absent" in plain) else None
    if marked is not None:
        return not marked
    if _NAMED_PRESENT.search(plain, 0, _OPENING):
        return False
    if _WITHOUT_ONE.search(plain, 0, _OPENING) or _for_one(plain):
        return True
    absent = [
        cue
        for cue in by_kind.get("without_patient", [])
        if cue.weight
        and not (plain[cue.start : cue.end] == "absent" and _is_anothers(plain, cue.start))
        and not (plain.endswith("without her", cue.start, cue.end) and _HERS.match(plain, cue.end))
    ]
    if not absent:
        return _NAMED_ABSENT.search(plain, 0, _OPENING) is not None
    present = [cue for cue in by_kind.get("with_patient", []) if cue.weight]
    strong = [
        cue
        for cue in absent
        if not re.fullmatch(
            r"absent|(?:parents?|caregiver)(?: (?:management|session|coaching|guidance|meeting|training"
            r"|consultation))*|collateral(?: session| visit)?|caregivers",
            plain[cue.start : cue.end],
        )
    ]
    if not strong and _LISTED_FIRST.search(plain, 0, _OPENING):
        return False
    if strong:
        return not present or min(c.start for c in strong) <= min(c.start for c in present)
    return not present


def _for_one(plain: str) -> bool:
    """Whether the opening says that others were seen about the patient."""
    head = plain[:_OPENING]
    return (" behalf" in head or " had " in head) and _FOR_ONE.search(head) is not None


def is_elsewhere(plain: str) -> bool:
    """Whether the opening tells of a patient, or of somebody who may be one, in another place."""
    return (
        _AT_ANOTHERS.match(plain) is not None
        or ("stayed " in plain[:_OPENING] and _STAYED_HOME.search(plain, 0, _OPENING) is not None)
        or one_stayed_away(plain)
        or _ONLY_PARENTS.search(plain, 0, _OPENING) is not None
    )


def _ticked_present(plain: str) -> bool | None:
    """What the row of a form with one box for present and one for absent says of the patient."""
    row = _ROW.search(plain)
    if row is None:
        return None
    here, away = (any(map(row.group, names)) for names in (("a", "aa", "c", "cc"), ("b", "bb", "d", "dd")))
    return here if here != away else None


def _is_anothers(plain: str, at: int) -> bool:
    """Whether the word absent stands in the part of a line that names a relative last."""
    return _ANOTHERS.search(plain, max(0, plain.rfind("\n", 0, at) + 1, at - 60), at) is not None
