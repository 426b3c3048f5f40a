"""Whether a visit that was sent as one in the office was held where another place of service pays: in a
hospital's ward, a nursing facility, a jail. A home, a school or a mall is in person, for which the partner
has no other word than `office`."""

from billing.notes.later import later

_HEAD = 420
_FACILITY = (
    r"(?:nursing (?:home|facility)|assisted living|skilled nursing(?: facility)?|snf"
    r"|(?:(?:inpatient|psychiatric|psych|medical|hospital|icu) )+(?:unit|floor|ward|room)"
    r"|emergency (?:room|department)|jail|prison|(?:detention|correctional) (?:facility|center))\b"
)
# What may stand between the visit and its place, and before the place's name.
_FILL = (
    r"(?:[ ,(:;-]+(?:with|client|patient|pt|ct|him|her|them|individual(?:ly)?|supportive|psychotherapy"
    r"|therapy|session|visit|today|in person|in-person|face[- ]to[- ]face|held|was|is|took place|conducted|to"
    r"|bedside|the|an?|we|i|it|\d[\d:.]*(?:[ ]?[ap]\.?m\.?)?|min(?:ute)?s?))*"
)
_NAME = r"(?: (?!office|clinic|practice|my|our|after|before|about|from|with|for|and|or|since)[a-z.'-]+){0,4}?"
_HELD = later(
    r"\b(?:session|visit|psychotherapy|therapy|individual|seen|saw|met|held|contact|appointment)\b"
    rf"{_FILL}[ ,(]+(?:at|in|on|inside){_NAME} {_FACILITY}(?! last| yesterday| follow)"
)
_BEDSIDE = later(r"\b(?:seen (?:at )?bedside\b(?!-)|bedside (?:session|visit|therapy|psychotherapy)\b)")
_SPOKEN_OF = later(r"\b(?:after|since|from|discharge[d]?|referred|last|history|prior)\b[^.;\n]*\Z")


def was_held_in_a_facility(plain: str) -> bool:
    """Whether the opening of a note says so."""
    held = _HELD.search(plain, 0, _HEAD)
    if held is not None:
        return _SPOKEN_OF.search(plain, max(0, held.start() - 40), held.start()) is None
    return _BEDSIDE.search(plain, 0, _HEAD) is not None
