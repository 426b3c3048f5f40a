"""Whether a visit of no named service was held with another than the patient."""

from collections.abc import Sequence

from billing.notes.later import later

# Who may be seen about a patient.
_WHO = (
    r"(?:(?:grand|step|foster |god)?(?:mother|father|mom|dad|parents?)|mum|grandma|grandpa|wife|husband"
    r"|spouse|partner|boyfriend|girlfriend|fiance\w?|son|daughter|brother|sister|siblings?|aunt|uncle|cousin"
    r"|niece|nephew|guardians?|caregivers?|roommate|teacher|school counselor|case ?manager|caseworker"
    r"|attorney|lawyer|probation officer|pediatrician|psychiatrist|principal|employer|boss"
    r"|(?:school|iep) team)\b"
)
_OF_WHOM = (
    r"(?:(?:mr|mrs|ms|dr)\.? [a-z-]+, (?=the ))?(?!of )(?:(?:the|his|her|their|my|both|all|of|one|only|foster"
    r"|adoptive|birth|biological|custodial|legal|older|younger|adult|new|client|patient|(?:[a-z-]+'s?))[ ])"
    r"{0,4}?"
)
# `The mother of two` is the patient, `Brother Anselm` no relative.
_NOT_OF = (
    r"(?=[ ]*[.,;:\n()-]|\Z| (?:of|and|who|only|alone|today|for|by|at|from|on|about|to|while|because|this"
    r"|without|regarding|re|via|over|again|as|instead"
    r"|to (?:discuss|review|go over|plan|talk|address))\b|[ ]\d)"
    r"(?! of (?:\d|an?\b|two|three|four|five|six|twins|adult|grown|young|teen|toddler|children)|-in-law's"
)
# Not for all of it, or not alone.
_SHORTLY = (
    r"(?: today)?,? (?:present|waiting|in the (?:room|waiting)|join|at the|briefly|for (?:(?:the )?(?:first"
    r"|last|final)|(?:a few|two|three|four|five|ten|[2-9]|1\d) min)|and (?:the )?(?:client|patient|pt|ct)\b)"
)
_MET = later(
    r"[ ]*(?:[^.;:\n]{0,60}?\b(?:i|we|writer|therapist|clinician|counselor|provider|today,?) )?"
    r"(?:have |had )?"
    r"(?:(?:met|spoke|talked|sat)(?: (?:today|again|alone|separately|only|by (?:phone|video)))*(?: with"
    r"| w/)|saw|seen)(?: today)?:? "
    rf"{_OF_WHOM}{_WHO}(?: and (?:the |his |her |their )?{_WHO})?+{_NOT_OF}"
    rf"|{_SHORTLY}|,? (?:last|on (?:mon|tues|wednes|thurs|fri|satur|sun)|yesterday|in (?:to|for) the))"
)
_SESSION = later(
    r"[ ]*(?:(?!about|on|of|with|spoke|talk|joint)[\w'-]+ ){0,3}?(?:(?:session|visit|appointment|appt"
    r"|meeting|hour|follow[- ]?up)|spent (?:the|our|this|today's|most of the) (?:whole )?(?:hour|session|time"
    r"|visit))(?: (?:was|held|today|conducted|took place|by (?:phone|video)))*(?: with| w/) "
    rf"{_OF_WHOM}{_WHO}(?: and (?:the |his |her |their )?{_WHO})?+{_NOT_OF}"
    rf"|{_SHORTLY})"
)
_CAME = later(
    rf"[ ]*(?:only |just |today,? )?{_OF_WHOM}{_WHO}(?: of [a-z'-]+)?,?(?: (?:was|were|had been))?"
    r" (?:(?:seen|came(?: in)?|attended|here|in)(?: (?:today|alone|by (?:him|her)self|on (?:his|her|their)"
    r" own|only|without|in (?:his|her|their|the (?:patient|client)'s|[a-z]+'s) (?:place|stead)))+"
    r"|(?:seen|attended|came)(?=[.;\n]|,? (?:while|but|and) (?!i\b|we\b|left)))"
    r"(?! with (?:the )?(?:client|patient|pt|him|her)\b)"
)
# `His parents and I talked for fifty minutes`, `therapist and mother reviewed`, `his mother used the hour`
_WORKED = later(
    rf"[ ]*(?:today,? )?(?:{_OF_WHOM}{_WHO} and (?:i|writer|therapist) (?:met|talked|spoke|sat|worked)\b"
    r"(?=[^.;\n]{0,40}?\b(?:minutes|mins?|hour|session|today|alone)\b)"
    rf"|(?:i|writer|therapist) and {_OF_WHOM}{_WHO} (?:met|talked|spoke|worked|reviewed|discussed|planned)\b)"
    rf"|[ ]*(?:[^.;:\n]{{0,60}}?\b(?:so|and) )?{_OF_WHOM}{_WHO} (?:used|took|had|kept) (?:the"
    r"|this|his|her|their|today's|[a-z]+'s) (?:whole )?(?:session|hour|appointment|visit|slot)\b"
)
_OPENING = 400
_TITLES = ("mr", "mrs", "ms", "dr")


def others_seen(plain: str, named: Sequence[int]) -> bool:
    """`Session with the mother of Ben`, `Met with the client's husband`, `Parents were seen today`, in the
    opening; `named` are the offsets of who may have been."""
    head = plain[:_OPENING]
    begins = {begin for at in named if at < _OPENING for begin in _sentence_begins(head, at)}
    return any(way.match(plain, begin) for begin in begins for way in (_MET, _SESSION, _CAME, _WORKED))


def _sentence_begins(head: str, at: int) -> tuple[int, int]:
    """Where the sentence round an offset begins, and what follows its last colon."""
    begin = at
    while True:
        begin = max(head.rfind(mark, 0, begin) for mark in ".;\n")
        if begin < 0 or head[begin] != "." or not head.endswith(_TITLES, 0, begin):
            return begin + 1, max(begin, head.rfind(":", 0, at)) + 1
