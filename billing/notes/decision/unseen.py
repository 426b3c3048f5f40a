"""What a note tells of that is no psychotherapy with the patient alone: calls and meetings with others,
papers, a session that the patient was not in, one of two people, one that nobody came to."""

from billing.notes.later import later
from billing.notes.text.kin import RELATIVE

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
# `I saw her husband Graham on his own today`; `Helen was not present for any part of it`
_RELATIVE_ALONE = later(
    rf"\b(?:saw|met(?: with)?|seen|spoke (?:with|to)|sat with)(?: only| just)? (?:her|his|their"
    rf"|[a-z]+'s) {RELATIVE}"
    r"(?:,? [a-z]+,?)? (?:alone|on (?:his|her|their) own|by (?:him|her|them)sel(?:f|ves)|without (?:her|him"
    r"|them))\b"
)
_ALONE_WORDS = (" own", " alone", "himself", "herself", "without h", "without t")
_FOR_NO_PART = later(
    r"\b(?!(?:who|it|mother|father|mom|dad|husband|wife|partner|brother|sister)\b)[a-z]+ (?:was|were) not"
    r" (?:present|in the room|with us|there) (?:for|during|in) any (?:part|minute|portion)\b"
)
# `This hour was for the parents alone`
_FOR_THE_PARENTS = later(
    r"\b(?:this|today's|today the|the|our) (?:[a-z]+ )?(?:hour|time|session|visit|meeting|appointment)"
    r" (?:today )?(?:was|is|belonged|went)(?: held| only| just| set aside| meant| all)? (?:for|to|with)"
    r" (?:the |both |his |her )?parents\b(?!,? (?:and|\+|&|in mind)\b)"
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
    r"|\b(?!(?:brother|sister|sibling|baby|dog|mother|father|mom|dad|husband|wife|nobody|both)s?\b)[a-z]+"
    r" (?:stayed|waited|sat|remained)"
    r" (?:in the (?:waiting room|lobby|car|hall)|at (?:home|school))\b"
)
_PARENT_WORDS = ("parent", "mother", "father", "mom ", "mrs", "both of them")
# `Both of them on one couch`, `saw the pair of them`, `she and her husband sat down together`
_TWO_OF_THEM = later(
    # `I saw him with his wife`
    r"(?:\A|[.;:\n])[ ]*(?:i )?(?:saw|met(?: with)?) (?:him|her|(?:the )?(?:client|patient|pt))"
    r"(?: together)? with (?:his|her|their) (?:husband|wife|spouse|partner|boyfriend|girlfriend|fianc\w+"
    r"|parents?|mother|father|mom|dad)\b(?! (?:waiting|outside|in [a-z]+ (?:waiting|lobby)|on h[a-z]+ mind))"
    r"|(?:\A|[.;:\n])[ ]*(?:(?P<saw>saw|met with|seen:?|session with|with) )?(?:(?:the )?(?:both|two"
    r"|pair) of them"
    r"|both (?:partners|spouses)|they both|the couple|(?:the )?(?:husband and wife|wife and husband)"
    r"|(?:she|he|client|patient|pt) and (?:her|his|their) (?:husband|wife|spouse|partner|boyfriend|girlfriend"
    r"|fianc\w+))(?(saw)\b|,? (?:(?:\w+ ){0,2}?(?:here|present|in (?:the|my) (?:room|office)|side by side"
    r"|together"
    r"|on (?:the|one|my|screen)\b|across from me)|(?:(?:came|arrived|attended|walked)(?! (?:back|home|from"
    r"|to|out)\b)"
    r"|sat (?:down(?! to)|at|on|side|close|apart)"
    r"|were (?:seen|both))\b))"
)
_TWO_WORDS = (
    "both",
    "two of",
    "pair of",
    "couple",
    " and his ",
    " and her ",
    " and their ",
    " with his ",
    " with her ",
    " with their ",
    "husband",
    "wife",
)
# `She never came`, `no fee`, `used what was left of the hour for the summary`
NOT_KEPT = later(
    r"(?:\A|[.;:\n])[ ]*no fee(?=[ ]*(?:[.;\n]|\Z|today|charged|this time))"
    r"|(?:\A|[.;:\n])[ ]*(?:she|he|they|client|patient|pt|ct|m[rs]{1,2}\.? [a-z-]+) never (?:came"
    r"|showed(?: up)?"
    r"|arrived|appeared|logged (?:on|in)|picked up|made it(?: in)?)(?=[ ]*(?:[.,;\n]|\Z|today|and\b))"
    r"|\b(?:forgotten|forgot|not remembered) (?:the|our|today's|this) (?:appointment|session|hour|visit"
    r"|time)\b"
    r"(?! (?:with|at|for|last|on|of|in)\b)"
    r"|\b(?:the|his|her) (?:chair|seat|room|couch|waiting room) (?:stayed|sat|remained) empty\b(?! (?:at|on"
    r"|in|all)\b)"
    r"|(?:\A|[.;:\n]|\bi )[ ]*waited (?:for )?(?:[\w-]+ ){1,2}min(?:ute)?s?,? (?:(?:and|then"
    r"|i) ){0,2}(?:rang|called"
    r"|phoned|texted|left|no answer)\b"
    r"|\b(?:what was left|the rest|the remainder) of (?:the|his|her|our) (?:hour|time|slot"
    r"|session) for (?:(?:the|a|my) )?"
    r"(?:quarterly|summary|chart\w*|notes?|paperwork|billing|filing|documentation)\b"
    r"|(?:\A|[.;:\n])[ ]*nobody (?:(?:was )?in (?:the|my) (?:lobby|waiting room)|came|showed(?: up)?"
    r"|logged on)\b(?! (?:to|with|home|from|by|for)\b)"
    r"|\b(?:no|without) charge for (?:today|this (?:visit|session|contact))\b(?!'s| to\b)"
    r"|\b(?:late|no[- ]show|cancellation) fee (?:will be|was) "
    r"(?:charged|billed|applied)\b"
    r"|\b(?:wrote|typed|finished|did) (?:the|a|my) [^.;\n]{0,16} in the time(?=\.)"
)

# `Group summary (same for all members)`, `# attending: 6`, `Another member spoke about her depression`
_GROUP_WORDS = ("member", "attending", "participation")
_OF_A_GROUP = later(
    r"\b(?:group summary|same for (?:all|every) members?|number attending|individual participation"
    r"|another (?:group )?member (?:spoke|said|shared|asked|told|offered))\b|# ?attending"
)


def is_paper(plain: str) -> bool:
    """Whether the note is a request to a payer."""
    return _PAPER.match(plain) is not None


def was_with_others(plain: str) -> bool:
    """Whether a call to or a meeting with others opens the note, or it says that the patient was absent."""
    return (
        _WITH_OTHERS.search(plain, 0, _FIRST_LINES) is not None
        or (plain.find(" not ", 0, _OPENING) >= 0 and _ABSENT.search(plain, 0, _OPENING) is not None)
        or _was_with_parents(plain[:_OPENING])
        or (
            any(map(plain[:_OPENING].__contains__, _ALONE_WORDS))
            and _RELATIVE_ALONE.search(plain, 0, _OPENING) is not None
        )
    )


def was_for_no_part(plain: str) -> bool:
    """Whether somebody is told to have been there for no part of it."""
    return _FOR_NO_PART.search(plain) is not None


def was_of_a_group(plain: str) -> bool:
    """Whether the note tells of a group's other members, or how many came."""
    return any(map(plain.__contains__, _GROUP_WORDS)) and _OF_A_GROUP.search(plain) is not None


def was_of_two(plain: str) -> bool:
    """Whether the opening tells of two who came together, in whatever service."""
    head = plain[:_FIRST_LINES]
    return any(word in head for word in _TWO_WORDS) and _TWO_OF_THEM.search(head) is not None


def _was_with_parents(head: str) -> bool:
    """Whether the parents are told to have been seen without their child."""
    return any(word in head for word in _PARENT_WORDS) and (
        _FOR_THE_PARENTS.search(head) is not None
        or (_PARENTS_MET.search(head) is not None and _CHILD_AWAY.search(head) is not None)
    )
