"""Visits that are no psychotherapy, told by what the note opens with: a prescriber's, another profession's,
work without the patient."""

from collections.abc import Mapping, Sequence

from billing.notes.later import later
from billing.notes.visit.modality import Cue

_OPENING, _SENTENCE, _EARLY = 160, 70, 400
# What a prescriber does beside it reaches no farther from the word that it is tried for.
_ROUND = 32
# Where therapy is named beside its length, other words tell of the day.
_THERAPY = later(
    r"\b(?:psychotherapy\b|therapy session(?<!occupational therapy session)(?<!speech therapy session)"
    r"(?<!physical therapy session)|(?:cbt|dbt|emdr)\b"
    r"|individual session\b(?<!peer individual session)(?<!support individual session))"
    r"|(?:\A|[.\n])[ ]*session[^.\n]{0,12}\d"
)
# Nothing in front of it but the place, the length or the kind of meeting.
_LEAD = (
    r"(?:(?:\d{1,3}[ -]?min(?:ute)?s?|brief|initial|weekly|follow[- ]?up|individual|clinical|telehealth"
    r"|virtual|video|progress note|note|office|routine|scheduled|today|type|service|visit)[ :,.-]+){0,3}"
)
_OTHER_WORK = later(
    rf"[ *#_-]*{_LEAD}(?:"
    r"(?:tms|rtms|ect|ketamine|spravato|esketamine|infusion|injection|nutrition(?:al)?|dietitian|dietician"
    r"|peer support|peer|occupational therapy|ot|speech(?:[- ]language)?(?: therapy| pathology)?|slp|physical"
    r" therapy|pt eval|coaching|life coaching|case management|acupuncture|neurofeedback|biofeedback|massage"
    r"|yoga|art class|vocational|job coaching|psychopharm\w*|med(?:ication)?s?|nursing|rn|nurse|np|pmhnp|aprn"
    r"|pa-c|md|psychiatry|psychiatric|prescriber|telepsychiatry|custody|forensic|parenting evaluation|home"
    r" study|court|fitness for duty|disability)"
    r"(?: (?:treatment|training|maintenance|support|therapy|counseling|psychiatric|med|management|clinic"
    r"|study|evaluation|interview|/ ?custody evaluation interview|specialist|group))?"
    r"(?:[ /]+(?:custody )?(?:evaluation )?)?[ ]?(?:sessions?|visits?|appt|appointment|f/?u|follow[- ]?up"
    r"|note|check|encounter|eval(?:uation)?|assessment|interview|consult(?:ation)?|tx|treatment)\b"
    r"|(?:(?:occupational|speech|physical) therapy|peer support)\b[ ,:-]*(?:\d|for \d|session)"
    r"|(?:(?:clinical|group|peer|individual) )?supervision\b[ ,:-]*(?:session|of|with|note|hour|\d|for \d)"
    r"|observed (?:the )?(?:supervisee|trainee|intern|student)"
    r"|(?:parent|mother|father|mom|dad|teacher|school|collateral|guardian|spouse|pharmacy|pcp|attorney|lawyer"
    r"|probation|cps|dcf|case manager)(?:'s)? (?:phone |telephone )?(?:call|contact|conference|email)\b"
    r"|(?:phone |telephone )?call (?:with|to|from) (?:the |client's |pt's |her |his )?(?:parent|mother|father"
    r"|mom|dad|teacher|school|guardian|spouse|husband|wife|pharmacy|pcp|doctor|attorney|lawyer|probation|cps)"
    r"|chart(?:ing)?(?: prep\w*| review| notes| work)?[ ,:-]+(?:for )?\d|(?:prep|documentation|paperwork"
    r"|report writing|letter writing|records? review(?:ed)?|travel)(?: time)?[ ,:-]+(?:for )?\d"
    r"|(?:team|staff|treatment team|interdisciplinary|multidisciplinary|iep|504|school|care planning)"
    r" meeting\b|(?:case|clinical case|discharge planning) (?:conference|staffing|consultation)\b"
    r"|(?:text|texting|chat|messag(?:e|ing)|portal|email)[ -](?:check[- ]?in|session|support|exchange)\b"
    r"|psycho-?educat\w+ (?:class|course|lecture|workshop|seminar)\b"
    r"|(?:client|patient|pt|ct) (?:emailed|e-mailed|texted|messaged|wrote|portal)\b"
    r"|eval(?:uation)?\.? (?:for|of) (?:adhd|autism|asd|ld|learning|dyslexia|disability|custody|court)\b)"
)
# Whatever else its opening names.
_ALWAYS_OTHER = later(
    r"[ *#_-]*(?:nutrition(?:al)? counseling\b[ ,:-]|(?:aba|applied behavior analysis)\b[ ,:-]"
    r"|(?:[a-z]+ )?(?:phone |skills )?coaching log\b|(?:bio|neuro)feedback\b)"
)
# What was written before anybody was seen.
_NOT_YET = later(
    r"[ *#_-]*(?:pre-?session (?:plan\w*|prep\w*|notes?|outline)\b|(?:session |visit )?(?:plan|prep\w*"
    r"|outline|agenda) for (?:tomorrow|next|(?:mon|tues|wednes|thurs|fri)day)"
    r"|draft\b[^\n]{0,20}\bnot yet (?:seen|held|met)\b|template\b"
    r"(?:\.|:(?![ ]*[a-z][^\n]{0,40}?\b(?:note|evaluation|intake|assessment)\b)))"
)
_DRUGS = (
    "sertraline", "zoloft", "prozac", "fluoxetine", "lexapro", "escitalopram", "celexa", "citalopram",
    "wellbutrin", "bupropion", "effexor", "venlafaxine", "cymbalta", "duloxetine", "lamotrigine", "lamictal",
    "lithium", "abilify", "aripiprazole", "seroquel", "quetiapine", "risperidone", "risperdal", "zyprexa",
    "olanzapine", "trazodone", "buspar", "buspirone", "hydroxyzine", "adderall", "vyvanse", "concerta",
    "ritalin", "methylphenidate", "strattera", "xanax", "alprazolam", "klonopin", "clonazepam", "ativan",
    "lorazepam", "depakote", "remeron", "mirtazapine", "paxil", "paroxetine", "prazosin", "latuda", "vraylar",
    "suboxone", "buprenorphine", "naltrexone",
)  # fmt: skip
# What a prescriber does, said without anybody who did it.
_PRESCRIBED = later(
    r"(?:\A|[.;:\n]|, (?:and )?)[ ]*(?:will |plan: )?(?:refill(?:ed)?|start(?:ed)?|increased?|decreased?"
    r"|titrated?|taper(?:ed)?|discontinued?|d/c|prescribed|renewed|switched to|adjusted)"
    r" (?:her |his |the |their )?"
    rf"(?P<drug>{'|'.join(_DRUGS)}"
    r"|[a-z]{5,}(?: xr| xl| sr| er)? \d{1,3} ?mg)\b"
)
_PRESCRIBERS_TOO = later(
    r"\b(?:pdmp|labs? (?:reviewed|ordered|drawn)|bp \d{2,3}/\d{2,3}|vitals|refills? (?:sent|given)"
    r"|side effects|risks?,? (?:and )?benefits|e-?prescribed|sent to pharmacy|rtc \d|risks/benefits)"
)
_ANOTHER_DID = later(
    r"\b(?:psychiatrist|pcp|prescriber|doctor|dr|np|pmhnp|aprn|physician|nurse|medical provider)\b[^.;\n]*\Z"
)
# `The hospitalist wrote "anxiety" on the discharge summary`: another's paper makes no contact note.
_PAPERS = ("summary", "review", "note", "update")
_ANOTHERS_PAPER = later(r"\b(?:on|in|from|per|by|with|of) (?:the|an?|her|his|their) (?:\w+ )?\Z")
_RECEIVED = later(r"\b(?:rec'd|received|read|got|obtained|fax(?:ed)?|records? in)\b[^.\n]{0,24}\Z")
# One that came in, where the note tells of treatment.
_HAS_COME = later(r" (?:from [^.;\n]{1,24} )?(?:in hand|arrived|received|came)\b")
_TREATED = ("psychotherapy", "individual", "therapy session")
# `Contact note, psychotherapy by telephone`
_TITLE = 4
_OF_THERAPY = later(
    r"[ ]*[,:;(\u2013\u2014-]+[ ]*(?:individual )?(?:psychotherapy|therapy session|individual"
    r" (?:therapy|session))\b"
    r"(?![^.\n]{0,60}\b(?:cancel\w*|resched\w*|declin\w*|missed|no[- ]show|scheduling|appointments?|about"
    r"|refer\w*|request\w*|next|for (?:her|his|their)|with (?:mother|father|mom|dad|parents?|school|pcp"
    r"|psychiatrist))\b)"
)
_TOLD_OF = later(
    r"[^.;\n]{0,40}\b(?:pcp|psychiatrist|prescriber|doctor|dr|np|pmhnp|aprn|physician|nurse|ago|last"
    r"|yesterday|and (?:was|feels|is))\b"
)


def written_before(plain: str, start: int) -> bool:
    """Whether the note opens as a plan, a draft or a template of a session that was not held yet."""
    return _NOT_YET.match(plain, start, start + _OPENING) is not None


def is_no_contact(plain: str, cue: Cue) -> bool:
    """Whether a paper that others wrote is named in the note of a visit, or a title goes on with therapy."""
    if cue.weight >= _TITLE and _OF_THERAPY.match(plain, cue.end):
        return True
    if not plain.endswith(_PAPERS, cue.start, cue.end):
        return False
    if _ANOTHERS_PAPER.search(plain, max(0, cue.start - 24), cue.start):
        return True
    come = _RECEIVED.search(plain, max(0, cue.start - 36), cue.start) or _HAS_COME.match(plain, cue.end)
    return come is not None and any(word in plain for word in _TREATED)


def unlike_therapy(plain: str, start: int, hints: Mapping[str, Sequence[int]]) -> Cue | None:
    """What the note opens with at `start` that is no psychotherapy, or a prescriber's own work in it."""
    always = _ALWAYS_OTHER.match(plain, start, start + _OPENING)
    if always is not None:
        return Cue("contact", *always.span(), 3)
    opens = _OTHER_WORK.match(plain, start, start + _OPENING)
    prescribes = any(
        _PRESCRIBERS_TOO.search(plain, max(0, at - _ROUND), at + _ROUND)
        for at in hints.get("prescribing", ())
    )
    if (opens is None and not prescribes) or _THERAPY.search(plain, 0, _EARLY):
        return None
    if opens is not None:
        return Cue("contact", *opens.span(), 3)
    if "mg" not in plain and not any(map(plain.__contains__, _DRUGS)):
        return None
    for match in _PRESCRIBED.finditer(plain):
        before = plain[max(0, match.start() - _SENTENCE) : match.start("drug")]
        if not _ANOTHER_DID.search(before) and not _TOLD_OF.match(plain, match.end()):
            return Cue("medical_evaluation", *match.span(), 2)
    return None
