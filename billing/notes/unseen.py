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


def is_paper(plain: str) -> bool:
    """Whether the note is a request to a payer."""
    return _PAPER.match(plain) is not None


def was_with_others(plain: str) -> bool:
    """Whether a call to or a meeting with others opens the note, or it says that the patient was absent."""
    return (
        _WITH_OTHERS.search(plain, 0, _FIRST_LINES) is not None
        or _ABSENT.search(plain, 0, _OPENING) is not None
    )
