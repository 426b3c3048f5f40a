"""Whether the words round a service say that it is what was done this time, by these people, here."""

from billing.notes.later import later
from billing.notes.text.spoken import NUMBER_WORD
from billing.notes.visit.modality import Cue

# No pattern here looks farther back or ahead than this.
_BEFORE, _AFTER, _WIDEST_LINE = 64, 44, 400
_SHARED = frozenset(("group", "family", "couples"))
# A cue's weight where the note says what it is about: more than a title's.
SAID_OUTRIGHT = 5
_WHOSE = (
    r"(?:an?|the|his|her|their|our|my|own|full|first|initial|new|complete|thorough|updated|repeat|today's"
    r"|[a-z]+'s|m[rsx]{1,2}\.? [\w-]+'s)"
)
# `This entry is for the one-to-one session only`, `I carried out my own diagnostic evaluation`,
# `seen today for an intake`, `this was Ms. Adeyemi's evaluation visit`.
_SAID = later(
    r"\bthis (?:entry|note|record|claim|documentation) (?:is (?:only )?(?:for|of|about)|covers|documents"
    rf"|concerns|records)(?: only)?(?: {_WHOSE})? \Z"
    r"|\b(?:i|we|and|writer|therapist|clinician) (?:then )?(?:did|completed|conducted|carried out|performed"
    rf"|held|finished|(?:(?:was|were) able|got|managed) to (?:do|complete|conduct|carry out|perform|hold"
    rf"|finish))(?: {_WHOSE}){{0,3}} \Z"
    r"|\b(?:seen|here|presents?|presented|came|in (?:my|our|the) (?:office|room|clinic)"
    r"|(?:(?:\A|[.;:\n])[ ]*|\b(?:we|i|(?:client|patient|pt|couple|family)(?: and i)?) )met)"
    rf"(?: (?:today|in|to me|alone|together))? for(?: {_WHOSE}){{1,3}} \Z"
    rf"|\b(?:this (?:(?:first |initial )?(?:contact|visit|meeting) )?|today )(?:was|is)"
    rf"(?: {_WHOSE}){{1,3}} \Z"
    # `I used the 70 minutes for a diagnostic evaluation`
    r"|\b(?:used|spent|took) (?:the|our|this|these|all) [a-z\d -]{1,20}?(?:minutes|hour) (?:for|on|in)"
    rf"(?: {_WHOSE}){{1,3}} \Z"
    # `This was my first meeting with the patient, an initial diagnostic evaluation`
    r"|\bthis (?:was|is) (?:my|our|the|her|his) (?:first|initial) (?:meeting|visit|session|contact|time)"
    r"(?: with [a-z. ]{1,24}?)?,? (?:and )?(?:an?|the)(?: full| complete)? \Z"
    # `I saw Mr. Castellanos for a psychiatric evaluation`
    r"|(?:\b(?:i|we|writer|therapist|clinician) |(?:\A|[.:;\n])[ ]*)(?:met|saw)(?: with)?(?: [\w.'-]+){1,3}?"
    rf"(?: today| in person| by (?:secure )?video| alone)? for(?: {_WHOSE}){{1,3}} \Z"
)
# `I changed course to psychotherapy for crisis`, `the hour became a crisis session`
_TURNED_INTO = later(
    r"\b(?:(?:i|we|visit|session|hour) (?:then )?(?:changed|switched|turned|moved|shifted"
    r"|went over|converted)(?: course| over| it| (?:the|this|our) (?:session|visit|hour|appointment))?"
    r" (?:in)?to|(?:visit|session|hour|appointment|it) (?:then |soon |quickly )?"
    r"(?:became|was (?:delivered|held|run|conducted|continued) as)"
    r"|(?:delivered|conducted|continued|held|run) as)(?: an?)? \Z"
)
_TURNED_ONCE = later(
    r"\b(?:last|yesterday|ago|if|when(?= (?:to|we|i)\b)|whether|would|could(?! not)|may|might|should|earlier"
    r"|in (?:19|20)\d\d|in (?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)|(?:had|has|have) (?:then )?(?=changed|switched|turned|moved))\b[^.;\n]*\Z"
)
# `Plan: call for a crisis session`, `he can ask for one`, `she did not need an urgent session`
_OFFERED = later(
    r"(?:(?:\b(?:can|may|could|will|to)|:)[ ](?:call|ask|come in|come back|phone|text) for|\brequest"
    r"|\b(?:without|denie[sd]|declin\w+|no|what|(?:not|never|\w+n't)(?: [a-z]+){0,3}?))"
    r"(?: (?:an?|the|her|his|this|any|for|as))*(?: (?:urgent|further|more|such))? \Z"
)
_AS_THEY_SAY = later(
    r"[^.;\n]{0,40}?\b(?:(?:s?he|they) (?:says?|said|calls?|called)|for (?:the whole|her|his) )"
)
_ITS_WAYS = later(r" (?:technique|concept|idea|skill|exercise|referral)s?\b")
_TURNED_WORDS = (" to ", "into ", "became ", " as ")
# `We began our couple session at twenty to four`, `the group session lasted seventy-five minutes`
_OURS = later(
    r"(?:\b(?:began|begun|started|opened|ended|closed|finished|held|had)(?: (?:our|the|this|today's))+|(?:\A"
    r"|[.;\n]) *(?:the|our|this|today's))"
    r" (?:whole |full )?\Z"
)
_RAN_SO_LONG = later(
    r"(?: (?:session|hour|work|therapy|meeting|visit))*,? (?:(?:was|ran|lasted|took|went|began|ended|started"
    r"|came to)(?: on)?(?: for| at| to)?"
    r"|at|from|for)(?: about| all of)? (?:\d|an?\b|half|one\b|the full|ten |twenty|quarter|noon|"
    + NUMBER_WORD
    + r")"
)
# `Sixty-five minutes of psychotherapy for crisis`, and not `she had 90 minutes of group a day there`
_SO_MUCH_OF = later(
    rf"\b(?:(?:\d{{2,3}}|{NUMBER_WORD})[ -]min(?:ute)?s?|an? (?:full |whole )?hour(?: and a half)?) of"
    r" (?:conjoint |joint |our |this )?\Z"
)
_NOT_OURS = later(
    r"\b(?:(?:s?he|they|who|client|patient|pt|each) (?:has|had|have|did|does|gets?|got|attend\w*|receiv\w+"
    r"|needs?|wants?|went|sat)|recommend\w*|plan(?:ned|s)?|offer\w*|refer\w*|authoriz\w+|approv\w+|cover\w*"
    r"|missed|requir\w+|every|daily|weekly|nearly|almost)\b[^.;\n]*\Z"
)
_EVERY_TIME = later(r"[^.;\n]{0,30}?\b(?:an?|per|every|each) (?:day|week|month)\b")
# `He was seen for a diagnostic evaluation at the university in May`
_NOT_NOW = later(
    r"[^.;\n]{0,60}?\b(?:yesterday|(?:last|this past|the previous|the prior) \w+|ago|earlier (?:this|in)"
    r"|before this|(?:in|since|by) (?:(?:early|late|mid) )?(?:january|february|march|april|may|june|july"
    r"|august|september|october|november|december|(?:the )?(?:spring|summer|fall|autumn|winter)"
    r"|(?:19|20)\d\d)"
    r"|at (?:the|an?|his|her|their) (?:\w+ )?(?:university|college|hospital|er|ed|va|county|center|agency"
    r"|jail|court|camp|program|methadone clinic)|elsewhere|(?:with|by) (?:dr|(?:the|another|an?|his|her"
    r"|their) (?:\w+ )?(?:neurologist|psychiatrist|psychologist|pediatrician|colleague|therapist|clinician"
    r"|provider|doctor|nurse|school)))\b"
)
# `It was a diagnostic evaluation, 75 minutes`
_IT_WAS = (" it was a ", " it was an ", " it was the ")
# `This was family psychotherapy with the patient present`
_THIS_WAS = (" this was ", " this is ")
# One of these stands in all that it matches.
_SAID_WORDS = (
    "this ", "today ", "did ", "completed ", "conducted ", "carried ", "performed ", "held ", "finished ",
    "for ",
)  # fmt: skip
# `Diagnostic evaluation, an hour and a quarter`
_LASTED = later(
    r"[ ]*[,:;(-]?[ ]*(?:about |of |for |lasting )?(?:(?!90|96|99)\d{1,3}|an?|one|half|three|"
    rf"{NUMBER_WORD})[ -](?:[a-z]+[ -]){{0,3}}?(?:min|hour|hr)[a-z]*"
    # `..., an hour a week, is how they spend the tax refund`
    r"(?![^.;\n]{0,40}\b(?:is|was|were|are|will|would|every|each|weekly|a week|a month|(?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)days?|on the \d|in (?:19|20)\d\d|at the county)\b)"
)
# The weekday that it was held on; one that comes back each week is none.
_ON_A_DAY = later(
    r"(?P<way> (?:by|via|over|in) [^.;\n]{1,24}?|)[^.;\n]{0,20}? on"
    r" (?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?! (?:was|is|went|at the))"
)
_WE_DID = later(
    r"(?:\A[ ]*|\b(?:i|we) (?:then )?)(?:did|completed|conducted|carried out|performed|held|(?:(?:was"
    rf"|were) able|got|managed) to (?:do|complete|conduct|carry out|perform|hold))(?: {_WHOSE}){{0,3}} \Z"
)
_OPENING = 200
_ENDS = later(r"[ ]*(?:[.\n]|\Z)")
# `We did the couples session scene again`, `this is the family meeting she dreads`, but `..., then an hour`
_GOES_ON = later(
    r"[ ]*(?:[.,;:()\n-]|\Z|(?:with|by|via|today|over|alone|and|that|held|visit|session|note|here|lasting|of"
    r"|instead|conducted|completed)\b|on (?:the|an?) new\b|on (?:an?|this) \d{1,2}[ -]?y"
    r"|in (?:person|the|my|our)\b"
    r"|for (?:\d|an?|one|half)\b|(?:on|by|after|following) (?:the )?referral\b"
    r"|(?:at|on) the (?:request|advice|recommendation|suggestion) of\b)"
)
_TOLD_OF = later(
    r"[^.;\n]{0,60}?\b(?:is|was|were|are|will|would|remains?)\b(?! (?:held|conducted|provided|attended|done"
    r"|completed|seen|present|used|focused|about|with the (?:client|patient|couple|family)))"
)
# `She had hoped to bring him for a couples session`, `no couples work`
_NOT_HELD = later(
    r"\b(?:hop(?:ed|es|ing)|meant|wanted|wishes|wished|intend\w*|planned|planning|supposed|instead"
    r"|rather than)\b[^.;\n]*\Z"
    r"|\b(?:miss(?:ed|es|ing)|skipp?(?:ed|s|ing)) (?:[a-z']+ ){0,2}\Z"
    r"|\b(?:no|not an?|neither|never an?|without an?) (?:[a-z]+ )?\Z"
    r"|\b(?:wait(?:ing)?[ -]?list|wait(?:s|ing|ed)?|line|signed up|registered|referred|applied) (?:for|to)"
    r" (?:[a-z']+ ){0,3}\Z"
    # `Came in angry at the skills group`
    r"|\b(?:angry|mad|upset|furious|annoyed|irritated|frustrated|hurt|resentful) (?:at|about|with|by|over)"
    r" (?:[a-z']+ ){0,2}\Z"
)
# `Her sister, who goes to a trauma group`: in the same sentence only another takes part.
_ANOTHER_GOES = later(
    r"\b(?:sister|brother|mother|father|mom|dad|husband|wife|son|daughter|aunt|uncle|cousin|friend|roommate"
    r"|coworker|partner|boyfriend|girlfriend|nephew|niece|neighbor|grand[a-z]+|step[a-z]+|boss|twin)\b"
    r"(?![^.;\n]*\b(?:and (?:the )?(?:client|patient|pt|she|he|i)|with (?:the )?(?:client|patient|pt)|we)\b)"
    r"[^.;\n]*\b(?:goes|went|going|attends|belongs|runs|leads|signed up|swears by|joined|is in|was in)\b"
    r"[^.;\n]*\Z"
)
# `His grief group at church`, `family therapy remains with the other agency`
_AT_PLACE = later(
    r" there\b| (?:a|per|each) day\b"
    r"|(?: (?:from )?\d[\d.: -]*(?:[ap]m)?(?: (?:to|until) [\d.:]+ ?(?:[ap]m)?)?)?"
    r" (?:\w+ )?(?:at (?:work|school(?! clinic| office| counsel)|(?:(?:his|her|their|a|the|our) )?church"
    r"|the (?:hospital|ward|program|va|gym|center|library|y))|on the (?:ward|unit))\b"
)
_ELSEWHERE = later(
    r"[^.;\n]{0,40}\b(?:is|was|are|were) (?:provided|run|led|facilitated|given|offered|taught|written up"
    r"|documented|charted|noted) by"
    r" (?!(?:me|us|this|the undersigned|writer|myself|our)\b)"
    r"|[^.;\n]{0,30}\((?:(?:a )?separate|with (?!me\b|us\b|the (?:client|patient)))| [a-z]+ elsewhere\b"
    # `The grief group at St. Brendan's runs 90 minutes`
    r"| at (?:[^.;\n]|(?<=\bst)\.){1,30} (?:runs|meets|starts|begins|ran|met)\b"
    r"|[^.;\n]{0,20}\b(?:is|was|are|were|remains?|continues?|stays?|goes on) (?:with|by|at|through)"
    r" (?:someone|somebody|another|a different|an outside|dr\b|the other)"
    # `Couple seen for years by another therapist`, `both partners were present at the wedding`
    r"|[^.;\n]{0,40} by (?:another|a different) (?:therapist|clinician|counselor|provider)\b"
    r"| (?:at|for) (?:the|an?|his|her|their) (?:[a-z'-]+ ){0,2}?(?:wedding|funeral|birth|party|dinner|hearing"
    r"|ceremony|graduation|closing)\b"
    r"|,? (?:held |done |kept )?(?:elsewhere|separately"
    r"|with (?:someone else|another (?:therapist|clinician|counselor|provider)|a different (?:therapist"
    r"|clinician|counselor|provider)))"
)
# `Client refused family therapy`, `reviewed intake`; `family session went well last week`, `couples session
# scheduled; husband no-showed`: beside an individual session such words are of no other service.
_MENTIONED_BEFORE = later(
    r"\b(?:refus\w+|declin\w+|review\w+|discuss\w+|process(?:ed|ing)|debrief\w*|recall\w*|reflect\w+ on"
    r"|talk\w* about|spoke about|cancel\w+|reschedul\w+|miss(?:ed|ing)|skipp\w+|after|since|following"
    r"|last week's|yesterday's|previous|prior|upcoming) (?:(?!and |then |in |during |with )[a-z']+ ){0,3}\Z"
)
_MENTIONED_AFTER = later(
    r"(?:(?!today|held|this )[^.;\n]){0,30}?\b(?:last (?:week|month|session|time|night|year|[a-z]+day)(?!')"
    r"|yesterday|(?:days?|weeks?|months?|years?) ago|(?:was|were|got|had been|has been) (?:cancell?ed"
    r"|rescheduled|postponed|called off|declined|refused|reviewed|discussed|scheduled|planned))\b"
    r"|[ ]*(?:scheduled|planned|cancell?ed|postponed|rescheduled|declined|refused|reviewed)\b"
    r"|[ ,;-]+(?:but )?(?:his |her |their |the )?(?:husband|wife|partner|spouse|mother|father|family"
    r"|parents?)"
    r" (?:no[- ]?showed|cancell?ed|(?:did not|didn't|could not|couldn't) (?:come|show|attend|make it))\b"
)
_INTAKE_OF = later(
    r"\b(?:at|since|from|after|following|probation|pre|post|food|caloric|fluid|last)(?:[ -](?:the|an?|our|my"
    r"|her|his|their|last|\w+'s))?[ -]$"
)
_INTAKE_TODAY = later(
    r"[ ]*(?:[:.,;|\n()-]|$|note|session|today|eval|assess|with|w/|via|by|9079|continued"
    r"|(?:for )?\d{1,3} ?-?min|(?:from )?\d{1,2}:\d\d"
    r"|(?:on|for|of) (?:the|a|this|our|m[rs]|new)\b"
    r"|(?:was )?(?:done|held|completed|conducted) (?:with|by|via|over|in|today)\b)"
)
_INTAKE_BEFORE = later(
    r"[ ]*(?:\(90791\) )?(?:was |were )?(?:(?:completed|done)[ ](?:on|at|last|in (?!person|the room)|before"
    r"|\d|by (?:dr|another|her|his|their|the (?:er|ed|hospital|previous|former|intake|last)))"
    r"|(?:dated|from|on)[ ](?!today|the new|an? new|an? \d{1,2}[ -]?y"
    r"|this|m[rs]|(?:the )?(?:referral|request|advice))"
    r"|of (?:the )?(?:\d|last)|reviewed\b)"
)


def said_outright(kind: str, plain: str, start: int, end: int) -> bool:
    """`This entry covers the ...`, `I carried out a ...`, `seen for her ...`, what the visit turned into, or
    a sentence that opens with the service and goes on with its length."""
    before = plain[max(0, start - _BEFORE) : start]
    if (
        kind != "individual"
        and any(map(before.__contains__, _TURNED_WORDS))
        and _TURNED_INTO.search(before)
        and not _TURNED_ONCE.search(plain, max(0, start - 2 * _BEFORE), start)
    ):
        return _NOT_NOW.match(plain, end) is None and _ITS_WAYS.match(plain, end) is None
    if any(map(before.__contains__, _SAID_WORDS)) and (
        _SAID.search(before) or (kind != "individual" and before.endswith(_THIS_WAS))
    ):
        return _GOES_ON.match(plain, end) is not None and _NOT_NOW.match(plain, end) is None
    if (
        kind != "individual"
        and before.endswith((" of ", " of conjoint ", " of joint ", " of our ", " of this "))
        and _SO_MUCH_OF.search(before)
    ):
        far = max(0, start - 2 * _BEFORE)
        return not (
            _TURNED_ONCE.search(plain, far, start)
            or _NOT_OURS.search(plain, far, start)
            or _NOT_NOW.match(plain, end)
            or _EVERY_TIME.match(plain, end)
        )
    if (
        kind in _SHARED
        and _OURS.search(before)
        and _RAN_SO_LONG.match(plain, end)
        and not _NOT_NOW.match(plain, end)
    ):
        return True
    if kind in _SHARED and before.endswith(_IT_WAS) and plain.startswith("session about ", end - 7):
        return True  # `The whole of it was a family session about the curfew`
    if (
        kind == "crisis"
        and plain.startswith(("psychotherapy for", "crisis psych"), start)
        and _opens(before)
        and _ENDS.match(plain, end)
    ):
        return True
    # `Seen alone, 75 minutes` says who was there, whatever was done.
    return (
        kind != "individual"
        and (_opens(before) or before.endswith(_IT_WAS))
        and _LASTED.match(plain, end, end + _AFTER) is not None
    )


def on_another_day(plain: str, start: int, end: int) -> bool:
    """`Individual visit with her Friday, 45 minutes`: a sentence that only says when the next one is."""
    return (
        _opens(plain[max(0, start - _BEFORE) : start])
        and plain[start:end].endswith(_VISITS)
        and _DAY_TO_COME.match(plain, end) is not None
    )


_VISITS = ("visit", "session", "appointment", "appt", "therapy", "psychotherapy", "individual")
_DAY_TO_COME = later(
    r"(?: (?:with|for) (?:(?:him|her|them|the (?:client|patient|pt))|[a-z'-]+))?(?: (?:alone|again|resumes?"
    r"|is|will be|follows))*,? (?:on |this |this coming |next )?(?:(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day)"
    r"(?! (?:was|ran|went|lasted|we))(?: (?:morning|afternoon|evening)| at (?:\d{1,2}(?::\d\d)?|noon))?"
    r"(?:,? (?:for )?(?:\d{2}|[a-z-]+) min(?:ute)?s?)?(?=[ ]*(?:[.;\n]|\Z|, (?:and|as|then)\b))"
)


def held_that_day(plain: str, start: int, end: int) -> bool:
    """`Family psychotherapy of an hour, on Thursday`, `I completed an intake by video on Monday`: whether the
    day that follows a service is the one it was held on."""
    told = _ON_A_DAY.match(plain, end)
    before = plain[max(0, start - _BEFORE) : start]
    if told is None or start > _OPENING:
        return False
    if _opens(before) and _LASTED.match(plain, end, told.start("day")) is not None:
        return True
    return (
        _WE_DID.search(before) is not None
        and " today" not in plain[end : end + 2 * _BEFORE]
        and (bool(told["way"]) or _LASTED.match(plain, told.end()) is not None)
    )


def of_another_day(plain: str, start: int, end: int) -> bool:
    """Whether the sentence of a service says that it could be, was once, or is what somebody calls it."""
    return (
        _TURNED_ONCE.search(plain, max(0, start - 2 * _BEFORE), start) is not None
        or _OFFERED.search(plain, max(0, start - _BEFORE), start) is not None
        or _NOT_NOW.match(plain, end) is not None
        or _AS_THEY_SAY.match(plain, end) is not None
    )


def held_before(plain: str, cue: Cue) -> bool:
    """`Follow-up after the crisis session of last Friday`: whether it is told as one of another day."""
    return (
        cue.weight < SAID_OUTRIGHT
        and _MENTIONED_BEFORE.search(plain, max(0, cue.start - _BEFORE), cue.start) is not None
        and of_another_day(plain, cue.start, cue.end)
    )


def _opens(before: str) -> bool:
    """Whether a sentence, a field or a line begins behind these words."""
    lead = before.rstrip(" ")
    return not lead or lead[-1] in ".:;\n"


def of_their_own(plain: str, start: int, end: int) -> bool:
    """`She saw the family together at the wedding`, and not `Saw the family together` or `I saw ...`."""
    return (
        plain.endswith("family together", start, end)
        and not plain.startswith("i ", start)
        and not _opens(plain[max(0, start - 2) : start])
    ) or (
        plain.startswith("i ", start)
        and plain.count('"', max(0, plain.rfind("\n", 0, start)), start) % 2 == 1
    )


def not_held(plain: str, start: int) -> bool:
    """Whether the service was only hoped for or is said not to have been this."""
    return _NOT_HELD.search(plain, max(0, start - _BEFORE), start) is not None


def told_of(plain: str, end: int) -> bool:
    """Whether a sentence that the service opens says something of it: `couples therapy is how they ...`."""
    return _TOLD_OF.match(plain, end) is not None


def held_elsewhere(plain: str, end: int) -> bool:
    """Whether the words behind a service say that it is held by others or in another place."""
    return _AT_PLACE.match(plain, end) is not None or _ELSEWHERE.match(plain, end) is not None


def anothers(plain: str, start: int) -> bool:
    """Whether only another person is said to go there."""
    return _ANOTHER_GOES.search(plain, max(0, start - 2 * _BEFORE), start) is not None


def only_mentioned(plain: str, cue: Cue) -> bool:
    """Whether the words round a service say that it was refused, called off, of another day or spoken of."""
    return (
        _MENTIONED_BEFORE.search(plain, max(0, cue.start - _BEFORE), cue.start) is not None
        or _MENTIONED_AFTER.match(plain, cue.end) is not None
    )


def names_a_session(plain: str, crisis: Cue) -> bool:
    """Whether words for a crisis somewhere in the prose call it psychotherapy or a session of this day."""
    words = plain[crisis.start : crisis.end]
    return (
        crisis.weight >= 1
        and words.endswith(("psychotherapy", "session", "for crisis"))
        and not only_mentioned(plain, crisis)
        and not of_another_day(plain, crisis.start, crisis.end)
    )


def real_intake(plain: str, cue: Cue) -> bool:
    """Whether an evaluation is this visit, not one that was or paper of one."""
    before = plain[max(0, cue.start - 26) : cue.start]
    words = plain[cue.start : cue.end]
    line = max(plain.rfind("\n", 0, cue.start) + 1, cue.start - _WIDEST_LINE)
    if plain.count('"', line, cue.start) % 2:
        return False  # in somebody's words
    if _INTAKE_OF.search(before) or (cue.weight < 3 and only_mentioned(plain, cue)):
        return False
    if (
        words == "intake"
        and cue.weight < SAID_OUTRIGHT
        and not ((cue.weight >= 3 or _opens(before)) and _INTAKE_TODAY.match(plain, cue.end))
    ):
        return False
    return not _INTAKE_BEFORE.match(plain, cue.end) or held_that_day(plain, cue.start, cue.end)
