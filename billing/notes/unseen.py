"""What a note tells of that is no psychotherapy with the patient: calls and meetings with others, papers, a
session that the patient was not in."""

from billing.notes.later import later

_OPENING, _FIRST_LINES = 400, 200
_OTHERS = (
    r"(?:po|p\.o|probation(?: officer)?|parole(?: officer)?|teachers?|school|principal|counselor"
    r"|case ?manager"
    r"|case ?worker|social worker|psychiatrist|prescriber|pcp|physician|doctor|pediatrician|nurse|pharmacy"
    r"|attorney|lawyer|employer|landlord|insurance|insurer|cps|dcfs?|guardian ad litem|gal|mother|father|mom"
    r"|dad|parents?|grand\w+|guardian|husband|wife|spouse|partner|sister|brother)"
)
_WHOSE = r"(?:(?:the |this )?[a-z]+(?:'s|s')|his|her|their|the|an?)"
_WITH_OTHERS = later(
    rf"(?:\A|\n)[ ]*(?:(?:brief |received |returned |placed |made )?(?:a )?(?:tele)?(?:phone )?(?:call"
    rf"|conference|consult\w*|conversation|contact)|(?:tele)?phoned|called|spoke|consulted|conferred)"
    rf"(?: (?:with|to|from))?(?: {_WHOSE})? {_OTHERS}\b(?! and (?:client|patient|pt|ct)\b)"
    rf"|(?:\A|\n)[ ]*(?:attended|participated in|joined)(?: {_WHOSE})? (?:iep|504|school|treatment team"
    r"|team|staff|care(?: plan)?|discharge planning|wraparound|cft) (?:meeting|conference|staffing)"
)
_PAPER = later(
    r"\A[ ]*(?:(?:prior|treatment|service|insurance|re-?) ?)?-?(?:authorization (?:request|renewal|extension)"
    r"|utilization review|request for (?:re-?|prior )?authorization)"
)
# `Ben was not in session`, `client not present`
_ABSENT = later(
    r"\b(?:(?:client|patient|pt|ct|child|teen|adolescent|youth|student)(?: was| is)? not (?:present"
    r"|in (?:the )?"
    r"(?:session|room|attendance)|seen)|(?!(?:he|she|they|who|it|mother|father|mom|dad|parents?|husband|wife"
    r"|partner|spouse|sister|brother|sibling|family|interpreter|guardian|but|and|or|was|were"
    r"|is)\b)[a-z]+ (?:was"
    r"|is) not in (?:the )?(?:session|room|attendance))\b(?! (?:last|yesterday|next))"
)
# `This hour was for the parents alone`
_FOR_THE_PARENTS = later(
    r"\b(?:this|today's|today the|the|our) (?:[a-z]+ )?(?:hour|time|session|visit|meeting|appointment)"
    r" (?:today )?(?:was|is|belonged|went)\b[^.;\n]{0,20}\b(?:for|to|with) (?:the |both |his |her )?parents\b"
    r"|(?:\A|[.\n])[ ]*parents?'? (?:hour|time)\b[ ]*[:,.]"
    r"|\b(?:both )?parents (?:came|were here|attended|were seen)(?: in)?"
    r" (?:alone|by themselves|on their own|only)\b"
)
# `Met with mother and father`, where their child is told to have been elsewhere.
_PARENTS_MET = later(
    r"(?:\A|[.;:\n]|\b(?:i|we|and))[ ]*(?:met|saw|seen|sat|meeting|spoke)(?: today)?(?: with)?"
    r"(?: (?:the|both|his|her|their))?"
    r" (?:(?:[a-z]+'s )?(?:parents|(?:mother|mom) and (?:step)?(?:father|dad)|(?:father|dad) and"
    r" (?:step)?(?:mother|mom))|mr\.? and mrs\b|[a-z]+s, (?:both of them|mother and father"
    r"|father and mother))"
)
_CHILD_AWAY = later(
    r"\bwithout (?:their|the|my) (?:son|daughter|child|boy|girl|teen)\b"
    r"|\b(?:their|the) (?:son|daughter|child|boy|girl|teen)\b[^.;\n]{0,40}\b(?:was|stayed|is|remained)"
    r" (?:at|in|with|home|not|elsewhere|away|kept)\b|\b(?:was|is) not with us\b|\bdid not come today\b"
)
_PARENT_WORDS = ("parent", "mother", "father", "mom ", "mrs", "both of them")


def is_paper(plain: str) -> bool:
    """Whether the note is a request to a payer."""
    return _PAPER.match(plain) is not None


def was_with_others(plain: str) -> bool:
    """Whether a call to or a meeting with others opens the note, or it says that the patient was absent."""
    return (
        _WITH_OTHERS.search(plain, 0, _FIRST_LINES) is not None
        or _ABSENT.search(plain, 0, _OPENING) is not None
        or _was_with_parents(plain[:_OPENING])
    )


def _was_with_parents(head: str) -> bool:
    """Whether the parents are told to have been seen without their child."""
    return any(word in head for word in _PARENT_WORDS) and (
        _FOR_THE_PARENTS.search(head) is not None
        or (_PARENTS_MET.search(head) is not None and _CHILD_AWAY.search(head) is not None)
    )
