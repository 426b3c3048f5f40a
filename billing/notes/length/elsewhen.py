"""Lengths of other things and other days: a shift, a class, the session before, the one to come."""

from billing.notes.later import later
from billing.notes.length.doings import is_doing
from billing.notes.length.others import of_another_provider
from billing.notes.length.span import Span
from billing.notes.text.kin import RELATIVE

# Of these, or of what begins with `request`, one stands in all that `_ANOTHER_DAY` matches.
_ANOTHER_DAY_WORDS = frozenset(
    ("ago", "back", "sees", "last", "next", "previous", "tomorrow", "yesterday", "will", "usually",
     "normally", "typically", "always", "used", "ll", "see", "plan", "plans", "planned", "planning", "asks",
     "asked", "asking", "wants", "wanted", "hopes", "would", "prefers", "meets", "runs", "lasts", "goes",
     "own", "supervised", "seen", "offered", "proposed", "suggested", "recommended", "declined", "shall",
     "going", "more", "in")
)  # fmt: skip
# And of these in all that `_BY_ANOTHER` does.
_ANOTHER_WORDS = frozenset(
    ("therapist", "counselor", "psychologist", "psychiatrist", "clinician", "doctor", "provider", "meeting",
     "conference", "interview", "hearing", "class", "party", "dinner", "er", "ed", "hospital", "gym", "bank",
     "court", "jail", "store", "bar", "library", "visit", "appointment")
)  # fmt: skip
# `Her last therapist saw her for 45 minutes`, `the meeting at school began at nine`
_BY_ANOTHER = later(
    r"\b(?:last|former|previous|old|other|earlier|first) (?:therapist|counselor|psychologist|psychiatrist"
    r"|clinician|doctor|provider)\b|\b(?:meeting|conference|interview|hearing|class|party|dinner) (?:at"
    r"|in) (?:the |her |his )?\w+ (?:started|began|ran|lasted|was|went)(?: at| from)? $"
    r"|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:in|at|for|during) an? (?:visit|appointment) of $"
    r"|\bwas (?:in"
    r"|at) (?:the |her |his )?(?:er|ed|hospital|gym|bank|court|jail|store|bar|library)\b[^.;\n]{0,20}$"
)
_ANOTHERS_MEETING = later(
    r"\b(?:meeting|call|zoom|conversation|appointment|visit|interview|date|dinner|lunch|hearing|talk"
    r"|evaluation|assessment|exam|orientation|training|testing)"
    r" (?:with|at) (?:her|his|their|the|an?)"
    r" (?!(?:client|patient|pt|couple|family|child|parents?|mother|father|mom|dad|wife"
    r"|husband|partner|spouse|office|clinic|practice|desk|table)\b)[^.;\n]{0,70} (?:ran|lasted|took|was"
    r"|went)(?: for| about| put down| set"
    r"| down)* $"
)
# What begins and ends in somebody's own life: `her shift started at 2:00`.
_ANOTHERS = later(
    r"(?:\b(?:her|his|their)|'s) (?!(?:\w+ )?(?:session|visit|appointment|hour|call|video|therapy|time"
    r"|treatment)\b|(?:individually|alone|in|for|by|today|here|with|from|together|again|via|over|this|at|on"
    r"|one)\b)\w+(?: (?!we\b|i\b)\w+)?(?: (?:start(?:ed|s)|began|begins|ran|runs|lasted|was|went|opened|met"
    r"|meets))?(?: at"
    r"| from)? $|\b(?:the|an?) (?!(?:\w+ )?(?:session|visit|appointment|hour|call|video|therapy|client"
    r"|patient|time|meeting|work|contact|interview|evaluation|intake|encounter|group|assessment|consult\w*"
    r"|treatment|conversation|link|connection|clock|couple|family)\b)\w+ (?:start(?:ed|s)|began|begins"
    r"|ran|lasted"
    r"|went)(?: at| from)? $"
    r"|\b(?:mother|father|mom|dad|brother|sister|husband|wife|son|daughter|partner|friend|cousin|aunt"
    r"|uncle|boss"
    r"|roommate)'s (?:\w+ ){1,3}(?:from|at)? ?$"
    r"|\b(?:dentist|doctor|surgeon|pcp|pediatrician|psychiatrist|prescriber|orthopedist|teacher|tutor|lawyer"
    r"|coach|nurse|boss|specialist) (?:saw|had|kept|met|examined) (?:with )?\w+ (?:from|between) $"
    r"|\b(?:occupational|physical|speech|massage) therapy(?: \w+){0,2}?(?: (?:from|at|was|is))? $"
    r"|\b(?:mother|father|mom|dad|brother|sister|husband|wife|son|daughter|friend|aunt|uncle|boss"
    r"|roommate) (?:was"
    r"|came|sat|stayed|waited|called|phoned|spoke|talked)(?: (?!seen|and|client|patient|pt)\w+){0,2}"
    r" (?:from|between) $"
    r"|\b(?:mother|father|mom|dad|ex|husband|wife|sitter|teacher|school|coach|boss|manager|aunt|uncle"
    r"|grandm\w+)"
    r" (?:had|has|kept) (?:him|her|them)(?: [a-z]+){0,3}? (?:from|between) $"
    r"|\bat (?:the|her|his|their) (?:hospital|er|ed|icu|bank|court|gym|library|airport|store|shop|barn|park"
    r"|church)"
    r" (?:from|between) $"
    r"|\b(?:drove|slept|napped|argued|fought|studied|cooked|cleaned|scrubbed|shopped|cried|paced|awake"
    r"|waited"
    r"|jogged|biked|swam|rode|flew|commuted|babysat)(?: \w+){0,2}? (?:from|between) $"
)
# `A clinician in 1995 gave him a label after a fifteen-minute interview`
_JUDGED_BY = later(
    r"\b(?:(?:an?|one|another|some)(?: [a-z-]+)? (?:clinician|doctor|physician|psychiatrist|psychologist"
    r"|counselor|therapist|provider|nurse|social worker|resident|intern)"
    r"|(?:judge|court|examiner|evaluator|detective|recruiter|army|va))\b[^.;\n]{0,90}"
    r" (?:after|in|during|following|at|from|on) (?:just |only |barely )?(?:an?|one|the|a single|her|his) \Z"
)
_HEARING = later(
    r"[ -]?(?:minute[ -])?(?:[a-z-]+ )?(?:interviews?|evaluations?|visits?|sessions?|appointments?|meetings?"
    r"|consultations?|conversations?|exams?|assessments?|intakes?)\b"
)
# `A 50-minute session with her last therapist`, `50 minutes with a colleague of mine`
_WITH_ANOTHER = later(
    r"[ -]?(?:[a-z-]+ ){0,2}with (?:an?|another|(?:her|his|their|an?|the) (?:other|last|former|old|previous"
    r"|prior|first|school|college|campus)) (?:therapist|counselor|psychologist|psychiatrist|clinician"
    r"|provider"
    r"|doctor|colleague of mine)\b"
)
_ONE_ENDS = (" a ", " an ", " one ", " the ", " single ", " her ", " his ")
# `Her sponsor and I had 50 minutes together`, `she and the rabbi had 50 minutes`
_TWO_OTHERS = later(
    r"\b(?:(?:her|his|their) (?!(?:mother|mom|father|dad|parents?|husband|wife|partner|spouse|family)\b)"
    r"[a-z]+ and i|(?:s?he|they) and (?!i\b|me\b)(?:(?:the|an?|her|his|their) )?[a-z'-]+)"
    r" (?:had|took|spent|got|shared|kept|did)(?: [a-z]+){0,2} \Z"
)
# `We usually meet for 50 minutes`, `last time we met for 30`, `the group meets for 90`
_ANOTHER_DAY = later(
    r"\b(?:(?:one|two|three|a few|several|\d) (?:sessions?|visits?|weeks?|appointments?) (?:ago|back)"
    r"|back in (?:[a-z]+|\d) (?:days|weeks?|months?)"
    r"|sees (?!(?:me|us)\b)[^.;\n]{0,30} for"
    r"|(?:one|two|three|a few|a couple) more (?:sessions?|visits?|appointments?|meetings?)"
    r"|(?:sessions?|visits?|appointments?|follow[- ]?up|again|back|return) in (?:an?|one|two|three|four|six"
    r"|\d) (?:weeks?|months?|days?)(?![^.;\n]*\b(?:we|i|seen|saw|met|today|individual)\b)"
    r"|(?:last|next|previous) (?:short |long |full )?(?:time|session|visit|week|month|meeting|appointment"
    r"|appt|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|tomorrow|yesterday"
    r"|(?:we|i|they|he|she|it) (?:will|usually|normally|typically|always|used to)|(?:we|i|they|he|she)'ll"
    r"|(?:usually|normally|typically|always) (?:meets?|lasts?|runs?|takes?)|see (?:you|her|him|them) (?:on"
    r"|next|again"
    r"|mon|tue|wed|thu|fri|sat|sun)\w*|plan(?:s|ned|ning)? (?:for|on|to (?:meet|have|hold|see|return|extend))"
    r"|supervised (?:visits?|visitation)"
    r"|(?:asks|asked|asking|wants|wanted|hopes|would like|prefers|request\w*)(?: for"
    r"| to have)?(?: [a-z-]+){0,2}"
    r" (?:sessions?|visits?|meetings?|appointments?|hours?))\b(?P<then>(?:[^.:;\n]|(?<=\d):(?=\d))*)\Z"
    r"|\b(?:group|class|meeting|program|clinic)\b(?:[^.;\n]|(?<=\bst)\.){0,30} (?:meets|runs|lasts"
    r"|goes)(?: for| about"
    r"| from)* \Z"
    # `The VA will see him for his ears on the ninth, thirty minutes`
    r"|\b(?:will|shall|is going to|are going to) (?:be )?(?:see(?:n|ing)?|meet(?:ing)?|examine|interview"
    r"|evaluate|have)"
    r" (?:me|us|you|him|her|them|again|on|at|for|with|(?:the )?(?:client|patient|pt|ct))\b"
    r"(?:[^.:;\n]|(?<=\d):(?=\d))*\Z"
    r"|\b(?:asks|asked|asking) (?:if|whether) (?:we|i|s?he|they) (?:could|can|might|may)\b[^.;\n]*\Z"
    r"|\b(?:offered|proposed|suggested|recommended|declined)(?: (?:her|him|them|client|pt))?"
    r" (?:an?|the|longer|extended) \Z"
    r"|\bto be seen (?:again|next|on)\b(?:[^.:;\n]|(?<=\d):(?=\d))*\Z"
    # `He attends his own individual therapy on Fridays, 60 minutes`
    r"|\b(?:attends?|sees|goes to|in) (?:his|her|their) own (?:individual )?(?:therapy|therapist"
    r"|counselor)\b[^.;\n]*\Z"
)
# `She stayed the full 50 minutes on the treadmill`
_SOMEWHERE = later(
    r" (?:on|at|in) (?:the|an?|h(?:er|is)|their) (?:\w+ )?(?:treadmill|bike|gym|pool|range|track|party|store"
    r"|mall|church|mass|park|beach|bus|train|car|game|wedding|dinner|bar|kitchen|garden)\b"
    r"(?![^.;\n]*\b(?:individual|psychotherapy|therapy|session|home visit|with me)\b)"
)
# `He stayed the full 45 minutes of the exam`
_OF_SOMETHING = later(
    r" of (?:the|an?|her|his|their) (?:[a-z-]+ )?(?:exam|test|movie|film|show|game|match|ride|race|service"
    r"|mass|vigil|recital|concert|lesson|practice|break|fast|shift|meeting|lecture|webinar)\b"
)
_A_SESSION = later(r"\b(?:individual(?:ly)?|psychotherapy|therapy|session|home visit|we)\b")
_NOW = later(r"\b(?:today|this (?:time|session|visit|week|morning|afternoon|evening)|(?:but|so|and) we)\b")
_ANOTHER_DAY_BEHIND = later(
    r" ?(?:(?:again|together|for|on|at|of|by video) ){0,2}(?:next (?:time|week|visit|session|month)"
    r"|tomorrow|on (?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
    # `A 60-minute appointment for Monday`, `a 60-minute meeting on Tuesdays`
    r"|[ -](?:min(?:ute)?[ -])?(?:appointment|appt|session|visit|opening|slot)s?,? (?:for|on|next)"
    r" (?:mon|tues|wednes|thurs|fri|satur|sun|time|week|visit)"
    r"|[ -](?:min(?:ute)?[ -])?(?:aa |na )?meetings? (?:on|every|at)\b"
    # `A visit of an hour with a gastroenterologist`
    r"| with (?:an?|the|his|her|their) (?:[a-z]+ )?(?:(?!psych)[a-z]+ologist|surgeon|dentist|dietitian"
    r"|attorney|lawyer|internist|pcp|prescriber)\b"
    # `Half an hour, to be offered separately`
    r"|,? (?:is |are )?to be (?:offered|held|scheduled|arranged|given|added|set)\b"
    # `It was 50 minutes of individual a week`
    r"|[^.,;\n\d]{0,24}\b(?:a|per|each|every) (?:week|month)\b"
    # `We had our usual 45 minutes until last month`
    r"| (?:up )?until (?:last|recently|(?:this|the) (?:spring|summer|fall|autumn|winter|move)|january"
    r"|february|march|april|may|june|july|august|september|october|november|december)\b"
)
# `AA from 7:00 to 8:00`, `worry time 5:30 to 6:00`: what has hours of its own.
_OCCASION = later(
    r"\b(?:aa|na|al-?anon|smart recovery|(?:peer|support|self-help|church|bible|book|study|sewing"
    r"|new-?mom|mom) group"
    r"|group (?:begins|starts|meets|is on)|(?:staff|team|school|board|work|town|sponsor|church|iep"
    r"|pta) meeting"
    r"|iep|conference|interview|shifts?|circle|ballet|class|classes|practice|rehearsal|game|hearing|court"
    r"|party|dinner"
    r"|lunch|brunch|breakfast|wedding|funeral|church|mass|worry (?:time|window|period|hour)|naps?|napped"
    r"|curfew|dentist|lessons?|training|works|gym|yoga|concert|movie|bus|train|flight|homework|study hall"
    r"|bedtime|sleeps?|slept|asleep|awake|visitation|babysits?|volunteers?|tutoring)\b"
)
_VISIT = later(
    r"\b(?:individual(?:ly)?|ind|psychotherapy|therapy|sessions?|seen|saw|met|we|with me|face|visit|video"
    r"|telehealth|in (?:the|my) office|client|pt|patient|ct|in person|start|time in|duration|1:1|today)\b"
)


# `Plan: full 50-minute family session Tuesday`
_A_DAY_TO_COME = later(
    r"[^.,;\n]{0,40}\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|next|the \d{1,2}(?:st|nd|rd|th))\b"
)
# What was done afterwards begins with one of these.
_TURNS = (
    " and i ",
    ", after that",
    ", afterward",
    " including ",
    " today, ",
    " instead of ",
    " rather than ",
)

_WHO = later(r", who [^,.;\n]{3,40}, ")


def told_before(before: str) -> str:
    """What stands before a length without who somebody is: `Bea, who turned five last month, for an hour`."""
    return _WHO.sub(" ", before) if ", who " in before else before


def of_another_time(
    before: str, after: str, words: frozenset[str], *, ranged: bool, labelled: bool, section: str
) -> bool:
    """Whether a sentence speaks of another day's session, or of something that is none; `before` and `after`
    are its halves round the length, `words` those of the first."""
    if section == "plan" and _A_DAY_TO_COME.match(after):
        return True
    if '"' in after and before.count('"') % 2:
        return True  # in somebody's words
    if section != "time" and is_doing(before, after, words):
        return True
    if section != "time" and of_another_provider(before, words, labelled=labelled):
        return True
    behind = _ANOTHER_DAY_BEHIND.match(after) is not None
    told = None
    if " and " in before and _TWO_OTHERS.search(before):
        return True
    if " with " in after and _WITH_ANOTHER.match(after):
        return True
    if before.endswith(_ONE_ENDS) and _HEARING.match(after) and _JUDGED_BY.search(before):
        return True
    if not ranged and (
        _OF_SOMETHING.match(after) or (_SOMEWHERE.match(after) and not _A_SESSION.search(before))
    ):
        return True
    if "request" in before or not _ANOTHER_DAY_WORDS.isdisjoint(words):
        told = _ANOTHER_DAY.search(before)
    if behind or (told is not None and not _NOW.search(told["then"] or "")):
        return True
    if (
        ranged
        and not (labelled or section == "time")
        and _OCCASION.search(before[-60:])
        and not (_VISIT.search(before) or _VISIT.search(after[:34]))
    ):
        return True
    return (not _ANOTHER_WORDS.isdisjoint(words) and _BY_ANOTHER.search(before) is not None) or (
        (" with " in before or " at " in before) and _ANOTHERS_MEETING.search(before) is not None
    )


def of_anothers(near_before: str) -> bool:
    """Whether the words right before a clock range speak of somebody's own affair."""
    return _ANOTHERS.search(near_before) is not None


# `30 min today, walking`
_OWN_EXERCISE = later(
    r"\b(?:walk|jog|run|bik|cycl|swim|yoga|gym|hik|danc|stretch|exerci|workout|treadmill|meditat|journal"
    r"|breath|reading|garden|piano|nap|lift|weights|cardio|pilates|pray|row|tai chi|sport|soccer|tennis|pool)"
)


def of_exercise(said: str) -> bool:
    """Whether a bare line of minutes is of the patient's own exercise."""
    return _OWN_EXERCISE.search(said) is not None


def until_turned(after: str) -> str:
    """What stands behind a length up to what was done afterwards."""
    for turn in _TURNS:
        after = after.partition(turn)[0]
    return after


# `A panic attack that she sat through; she reckons it lasted eight minutes`
_IT_RAN = later(
    r"\b(?:attacks?|panic|spells?|episodes?|tantrums?|meltdowns?|outbursts?|argument|quarrel|fight|migraine"
    r"|seizure"
    r"|flashbacks?|nightmares?|cravings?|urges?)\b(?:[^.\n]*\.)?[^.\n]*\b"
    r"(?:it|that|they|one|which) (?:lasted|took|ran|continued|dragged on"
    r"|went(?: on)?)"
    r"(?: for| about| only)* \Z"
)
# `The mother's visits (an hour, Saturdays)`
_THEIR_VISITS = later(r"'s (?:[a-z]+ )?visits \(\Z")
# `Intake of the 5th (75 min) stands`
OF_A_DATE = later(
    r"\b(?:intake|evaluation|assessment|session|visit|appointment) of (?:the )?\d{1,2}"
    r"(?:st|nd|rd|th|/\d{1,2})?[ ,]*\(\Z"
)
# `Case manager visit afterwards (25 minutes)`, `a fifteen-minute visit with Dr. A.`
_AFTERWARDS = later(r"\bafterwards? \(\Z")
_WITH_A_DOCTOR = later(
    r"[ -]?(?:[a-z]+ )?(?:visits?|appointments?|appts?|checks?|follow-?ups?) (?:with|by) (?:dr|doctor"
    r"|(?:the|her|his|their|an?) (?:psychiatrist|prescriber|nurse|pcp|internist|pediatrician|doctor))\b"
)
# `The call lasted eleven minutes`
_RAN_SO = later(
    r"\b(?:the|that|this) (?:call|conversation|consultation|argument|quarrel|exam|procedure|surgery|drive)"
    r" (?:went on|ran|lasted|took)(?: for| about| over| nearly| all of)* \Z"
)
# `The consultation with the internist was on the 5th. It lasted forty minutes`
_IT_LASTED = later(
    r"\b(?:consultation|appointment|meeting|call|exam|evaluation|interview|visit) (?:with|at)"
    r" (?!(?:the |this )?(?:client|patient|pt|me|us)\b)[^.;\n]*[.;] (?:it|this|that) (?:lasted|took|ran)"
    r"(?: for| about| over| nearly| all of)* \Z"
)
# `A hard phone call with her brother, ...; the call went on for 90 minutes`
_THEIR_CALL = later(
    rf"\b(?:call|conversation|talk|visit) (?:with|from|to) (?:(?:her|his|their|the) )?(?:\w+ )?{RELATIVE}\b"
    r"[^\n]*\b(?:the|that|this) (?:call|conversation|talk|visit) (?:went on|ran|lasted|took)(?: for| about"
    r"| over| nearly)* \Z"
)
_FAR_BACK, _CALLED_BACK = 140, 200
# `Seen from 3:30 until 4:20 at the practice`
AT_THE_PRACTICE = later(r"[^.,;\n]{0,12}\b(?:at|in) (?:the|my|our) practice\b")

# What happened on a day of the week is told, not held.
ON_A_DAY = later(
    r"\b(?:on|last|since|by) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:mon|tues?|wed|thu(?:rs?)?|fri"
    r"|sat|sun)(?:day)?,? $"
)
SHORT_DAYS = ("mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun")
# What behind a length makes it somebody else's, another day's, or no length of a visit.
ELSE_AFTER = later(
    # `His 9:00-10:30 process group is written up by another`
    r" (?:[a-z]+ ){0,2}group (?:is|was) (?:written|documented|charted|noted|run|led)\b"
    # `4:20 to 4:34 was spent on frozen screens`
    r"| (?:was|were|went) (?:all |mostly )?(?:(?:spent|lost|taken up|used up|eaten up) )?(?:on|to|by|with|in)"
    r" (?:an? |the )?(?:frozen|screens?|links?|log-?ins?|logging|tech\w*|connect\w+|sound|paperwork|forms?"
    r"|rescheduling|waiting|restart\w*|router|parking)\b"
    r"| on (?:the|a) (?:tele)?phone(?: call)? (?:with|to) (?:the|her|his|their|an?)"
    r" (?!client|patient|pt\b)[a-z]"
    r"| with (?:the|her|his|their|an?) (?:school|teacher|lawyer|attorney|principal|doctor|surgeon|boss"
    r"|manager|sponsor|landlord|dietitian|nutritionist|prescriber|psychiatrist|case ?worker|case manager"
    r"|intern|trainee|supervisor|(?:son|daughter|children|kids)(?= (?:today|alone)|[ ]*[.,;]))\b"
    r"|[^.;\n]{0,40}\b(?:with|w/|by) (?:another|a different|other|the other"
    r"|(?:her|his|their|an?) (?:other|last|former|old|previous|prior|first)) (?:\w+ )?(?:therapist"
    r"|clinician|provider|counselor|psychologist|leader|facilitator)"
    r"|[ -](?:minute )?sessions\b(?! (?:today|back to back|in a row))"
    r"|\s*(?:in,|in (?:she|he|they)\b|last (?:night|week|mon|tue|wed|thu|fri|sat|sun)\w*|,? (?:once|twice"
    r"|three times) (?:weekly|a week|daily)|yesterday|with an? (?:old |new )?friend|late(?! (?:arrival"
    r"|cancel))|ago|early|old|into|each|daily|(?:left(?!,? which)|remaining|remained|to go(?! over"
    r"| through| back| home| to| and| get))"
    r"(?! (?:of|for) (?:the|our|this) (?:session|hour|visit))|before|sober|clean"
    r"|per(?! (?:client|patient|pt|her|his|their)\b))\b"
)
A_RECORDING = later(r"[ -]?(?:[a-z]+ )?(?:recording|tape|audio file|podcast|episode)s?\b")
# A length of a part of the session, or of something else.
PART = later(
    r"(?:\A[ ]*|(?:for|the|only|in|during|least) )(?:the |her |his |their )?(?:first|last|final|opening"
    r"|closing"
    r"|remaining) (?:\w+ )?$|\b(?:part|portion|piece|segment|half|exposure|exercise|role[- ]?play|imaginal"
    r"|script|practice|track|recording|review|meditation|scan|set|reading|target|phase)s? (?:was|ran|took"
    r"|lasted|went|used)(?: for| about| on)? $"
)


def of_something_else(plain: str, span: Span) -> bool:
    """Whether so long is told of a call, of somebody's visits or of what came afterwards: no other length of
    the note has it against it."""
    since = max(0, span.start - _FAR_BACK)
    return (
        any(
            each.search(plain, since, span.start)
            for each in (_RAN_SO, _IT_LASTED, _THEIR_VISITS, _AFTERWARDS)
        )
        or _WITH_A_DOCTOR.match(plain, span.end) is not None
    )


def of_an_attack(plain: str, span: Span) -> bool:
    """Whether so long is told to have lasted what somebody had."""
    return (
        _IT_RAN.search(plain, max(0, span.start - _FAR_BACK), span.start) is not None
        or _THEIR_CALL.search(plain, max(0, span.start - _CALLED_BACK), span.start) is not None
    )
