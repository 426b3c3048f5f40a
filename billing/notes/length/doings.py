"""What the patient or somebody else did for so long, or then, and no session: stood in line, ran, cooked, met
the landlord."""

from billing.notes.later import later
from billing.notes.text.kin import RELATIVE

_WHO = rf"(?:s?he|they|(?:the )?(?:client|patient|pt|ct)|(?:(?:her|his|their|the) )?{RELATIVE})"
# One of these stands in all that the patterns match.
_WORDS = frozenset(
    ("stood", "ran", "jogged", "biked", "cycled", "swam", "hiked", "rode", "cooked", "baked", "cleaned",
     "scrubbed", "vacuumed", "mowed", "gardened", "shopped", "drove", "commuted", "waited", "slept",
     "napped", "dozed", "cried", "wept", "sobbed", "argued", "fought", "studied", "exercised", "prayed",
     "meditated", "fished", "golfed", "babysat", "volunteered", "scrolled", "gamed", "texted", "lay",
     "paced", "showered", "watched", "stared", "hid", "packed", "ironed", "folded", "held", "resisted",
     "refrained", "abstained",
     "worked", "was", "were", "stayed", "sat", "went", "met", "talked", "spoke", "visited", "saw", "called",
     "lunch", "dinner", "coffee", "breakfast", "brunch", "zoom", "facetime", "call", "movie", "date", "visit")
)  # fmt: skip
_DID = (
    r"(?:stood|ran(?! (?:over|long|late|past|to|out|a|on)\b)|jogged|biked|cycled|swam|hiked|rode|cooked|baked"
    r"|cleaned|scrubbed|vacuumed|mowed|gardened|shopped|drove|commuted|waited|slept|napped|dozed|cried|wept"
    r"|sobbed|argued|fought|studied|exercised|prayed|meditated|fished|golfed|babysat|volunteered|scrolled"
    r"|gamed|texted|lay|paced|showered|watched|stared|hid|packed|ironed|folded"
    r"|held (?:off|back|out)|resisted|refrained|abstained)"
)
_SOMEWHERE = (
    r"(?:worked|was|were|stayed|sat|went) (?:out )?(?:in|at|on|to) (?:the|an?|her|his|their) (?:[a-z-]+ )?"
    r"(?:line|car|lot|traffic|pew|yard|garden|garage|kitchen|tub|bath|bathroom|shower|bed|store|shop|mall"
    r"|gym|bank"
    r"|court|jail|church|park|beach|bar|barn|shed|er|dmv|pharmacy|airport|station|bus|train|roof|basement"
    r"|attic|laundromat|theater|stadium|field|pool|market|stairwell)"
)
_OTHERS = (
    r"(?:lawyer|attorney|landlord|landlady|boss|manager|principal|teacher|sponsor|case ?worker|case manager"
    r"|doctor|surgeon|pcp|psychiatrist|prescriber|recruiter|judge|pastor|priest|rabbi|imam|officer|coach"
    r"|professor|advisor|banker|realtor|agent|detective|police|union|board|committee|dean|accountant"
    rf"|neighbors?|friends?|co-?workers?|{RELATIVE})"
)
_WITH_OTHERS = (
    r"(?:(?:met|talked|spoke|sat|was|had (?:lunch|dinner|coffee|breakfast|a (?:call|meeting|talk)))"
    rf" (?:with |to )?|visited |saw |called )(?:(?:the|an?|her|his|their) )?(?:[a-z-]+ )?(?:{_OTHERS}"
    rf"|dr\b\.?)"
)
_NOT_OURS = (
    r"(?:(?!\b(?:we|i|me|us|session|visit|appointment|therapy|psychotherapy|individual(?:ly)?|seen"
    r"|and (?:then )?"
    r"(?:we|met|seen)|family|couples?|clinician|therapist)\b)[^.;\n])"
)
_DOING = later(
    rf"(?:(?:\A|[.;,:(\n]|\b(?:and|but|that|then|when|where|while|today|yesterday"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))[ *-]*"
    rf"{_WHO} (?:then |also |once |only |just |had |again |even )*(?:{_DID}|{_SOMEWHERE}|{_WITH_OTHERS})"
    rf"|\b(?:her|his|their|the) {RELATIVE} (?:saw|met with|visited) (?:her|him|them)"
    rf"|(?:\A|[.\n])[ *-]*(?!ran\b(?! (?:her|his|their)\b))(?:{_DID}|saw dr\b\.?)"
    rf"|\b(?:zoom|facetime|call|dinner|lunch|coffee|brunch|breakfast|movie|date|visit) with (?:her|his|their)"
    rf" (?:[a-z-]+ )?{_OTHERS}"
    r"|\b(?:was|were|stayed|been|lay) (?:up|awake|asleep|in bed|out of bed)"
    r"(?= (?:again|for|from|between|about)\b))\b"
    rf"{_NOT_OURS}{{0,60}}\Z"
)
_WITH_US = later(
    r"[^.;\n]{0,40}\b(?:with (?:me|us|writer|therapist|clinician)|in (?:the )?(?:session|my office|my room)"
    r"|(?:of|for) (?:individual|psychotherapy|therapy|the session)|session|psychotherapy)\b"
)
# `Skills group on Thursdays 5:30-7:00`
_ON_DAYS = later(
    r"(?<!session )(?<!sessions )(?<!visit )\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
    r"(?:(?!\b(?:today|we|but|so)\b)[^.;\n]){0,24}\Z"
)
# `Support group Monday evenings, 90 minutes`
_OF_AN_EVENING = later(
    r"\b(?:group|class|meeting|circle|choir|practice|rehearsal|aa|na|program|iop)\b[^.;\n]{0,30}"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:morning|noon|afternoon|evening|night)s\b"
    r"(?:(?!\b(?:today|tonight|we|but|so)\b)[^.;\n]){0,24}\Z"
)
# `Neuropsych on the 12th, 9:00 to 12:00`, `a session with his wife on Friday, 60 minutes`
_ON_A_DATE = later(
    r" on (?:the (?:\d{1,2}(?:st|nd|rd|th)|[a-z]*(?:first|second|third|th))"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day),?(?: (?:from|at|for))? \Z"
)
_SEEN = frozenset(("seen", "met", "saw", "held", "today", "attended", "individual", "psychotherapy"))
# `Her lunch is an hour`, `his online class ran 9:00 to 9:50`
_IS_ENDS = (
    "is ", "are ", "takes ", "took ", "lasts ", "lasted ", "runs ", "ran ", "goes ", "for ", "about ",
    "only ",
    "over ", "nearly ", "from ",
)  # fmt: skip
_THEIRS = later(
    r"\b(?:her|his|their) (?!(?:[a-z'-]+ ){0,2}?(?:sessions?|visits?|appointments?|hour|time|treatment"
    r"|therapy"
    r"|individual|psychotherapy|contact|service|intake|evaluation|assessment|call|video|here|seen|met)\b)"
    r"(?:[a-z'-]+ ){1,3}?(?:is|are|takes|took|lasts|lasted|runs|ran|goes)(?: on)?"
    r"(?: (?:for|about|only|over|nearly|from))* \Z"
)
# `Break 30 min`, `commute: 50 minutes`
_NAMED_ENDS = (
    "break", "lunch", "commute", "nap", "drive", "shift", "class", "workout", "recess", "practice",
    "rehearsal",
    "walk", "dinner", "ordered visit", "weekend visit", "jail visit",
)  # fmt: skip
_NAMED = later(
    r"(?:\A|[.;,(\n|])[ *-]*(?:(?!less|minus|with|after|without|no|bathroom|for)[a-z]+ ){0,2}?"
    r"(?:break|lunch|commute|nap|drive|shift|class|workout|recess|practice|rehearsal|walk|dinner"
    r"|court-ordered visit|weekend visit|jail visit)[ :=-]*\Z"
)
# `Individual therapy by video, she sat in her parked car, 44 minutes`
_VISIT = later(
    r"\b(?:individual(?:ly)?|psychotherapy|therapy|session|appointment|telehealth|video|we|seen|met)\b"
)


def is_doing(before: str, after: str, words: frozenset[str]) -> bool:
    """Whether the words before a length, in its sentence, tell what somebody did for so long that is no
    session; `words` are those before it, and none behind it may bring the visit in."""
    if "day" in before and (_ON_DAYS.search(before) or _OF_AN_EVENING.search(before)):
        return True
    if " on " in before and words.isdisjoint(_SEEN) and _ON_A_DATE.search(before):
        return True
    if before.endswith(_IS_ENDS) and _THEIRS.search(before):
        return True
    if before.rstrip(" :=-").endswith(_NAMED_ENDS) and _NAMED.search(before):
        return True
    if _WORDS.isdisjoint(words):
        return False
    doing = _DOING.search(before)
    return (
        doing is not None
        and _VISIT.search(before, 0, doing.start()) is None
        and _WITH_US.match(after) is None
    )
