"""Sentences that say nothing but what the visit was, or how the patient was reached: `Telephone session.`"""

from billing.notes.later import later

# `25 minutes of individual therapy by phone.`, a sentence below the plan
SO_LONG_OF = later(r"(?:\A|[.;\n])[ ]*\d{2,3}[ -]?min(?:ute)?s?(?: of)?(?: (?:an? )?[a-z]+){0,2}[ ]\Z")
# What may stand round the way of meeting in a sentence that is of nothing else.
_BEFORE = later(
    r"(?:\A|[.;\n]|[ ]{2})[ ]*(?:[a-z]:[ ])?(?:(?:and|so|then|this|it|the|our|today's|today|was|is|were"
    r"|session|visit|appointment|held|done|conducted|provided|completed|seen|met|came|client|patient|pt|ct"
    r"|we|she|he|they|joined|via|by|on|over|an?|secure),? ){0,5}\Z"
)
_BEHIND = later(
    r"(?:,? (?:session|visit|today|instead|call|only|appointment|telehealth|completed|done|held))*"
    r"[ ]*(?:[.;,(\n]|\Z"
    r"|(?:due to|because|since|as|after|at (?:the )?(?:client|patient|pt|ct|her|his|their)"
    r"|from (?:her|his|the)|with (?:the )?(?:client|patient|pt|ct)\b"
    r"|for (?:the )?(?:whole|entire|full|all))\b)"
)
_FAR = 40


def is_all_of_it(plain: str, start: int, end: int) -> bool:
    """`Telephone session.`, `Done by telehealth at client's request.`: a sentence of that alone."""
    return (
        _BEHIND.match(plain, end) is not None
        and _BEFORE.search(plain, max(0, start - _FAR), start) is not None
        and not plain.startswith("camera", start)
    )
