"""Lengths told in a clinician's own idiom: how long one had the patient, and after how long one parted."""

from billing.notes.later import later
from billing.notes.length.span import Span
from billing.notes.text.kin import RELATIVE
from billing.notes.text.spoken import NUMBER_WORD

_LEAD = r"(?:\A|[.;,\n(])[ ]*(?:(?:today|so|then|and|but|anyway|otherwise),? )*"
_WHOM = r"(?:him|her|them|(?:the )?(?:client|patient|pt|ct))"
_ABOUT = r"(?: (?:about|only|just|all of|a good|some|roughly|a bare|barely|the|our|my|entire|full|whole))*"
_HERE = r"(?: (?:here|today|alone|with me|to myself|in (?:the|my|a) (?:[a-z]+ )?(?:room|office|chair)))*"
# `I had him for`, `we had`, `she gave me`, `we hung up after`
# Somebody by name, and nobody else that the clinician speaks with.
_NAME = (
    r"\b(?!(?:mother|father|mom|mum|dad|parents?|husband|wife|spouse|partner|son|daughter|sister|brother"
    r"|supervisor"
    r"|psychiatrist|doctor|physician|pcp|prescriber|nurse|teacher|counselor|manager|worker|lawyer"
    r"|boss)\b)[a-z]+"
)
_HAD = later(
    rf"{_LEAD}(?:i (?:had|kept) {_WHOM}{_HERE}(?: for)?|i (?:was|sat|stayed"
    rf"|worked) with {_WHOM}{_HERE}(?: for)?"
    rf"|(?:we|the two of us|{_WHOM} and i|{_NAME} and i)"
    rf" (?:had|managed|got in|put in|took(?= (?:the|our) \Z))"
    rf"|(?:she|he|they) gave me|(?:she|he|they) (?:(?:stayed|sat|was|were) with me|(?:was|were|stayed"
    rf"|sat) in my"
    rf" (?:room|office|chair)){_HERE}(?: for)?|had {_WHOM}{_HERE} for|(?:she|he|they) (?:was|were) in for"
    r"|i (?:(?:then )?ended up with|(?:was only|was just|was) able to (?:see|meet with|have)"
    rf"|could (?:only )?(?:see|have|meet with)) {_WHOM}(?: individually)?{_HERE} for"
    r"|(?:the|our|today's|this) (?:session|visit|appointment|hour) (?:ran|lasted|took) its (?:usual|full"
    r"|customary)"
    r"|we (?:(?:sat|talked|worked|met|spoke|walked|stood|read|played|practiced)"
    r" \([^)\n]{1,24}\) for|conversed (?:during|for)"
    r"|had (?:the|a) (?:[a-z]+ )?(?:room|office) (?:to ourselves )?for)"
    r"|we (?:hung up|rang off|signed off|logged off|said (?:our )?good-?byes?|parted|got up|stood up"
    r"|disconnected) after"
    rf"|i (?:let {_WHOM} (?:go|out)|(?:saw|walked|showed|sent) {_WHOM} (?:out|off|down"
    rf"|back out)) after){_ABOUT} \Z"
)
# `From 10:00 to 10:58 we did exposure`, `For 45 minutes we read`
_WE_DID = later(
    r",?[ ]?(?:today )?(?:we|i|(?:she|he|they) and i|the two of us|(?:client|patient|pt) and i) (?:all )?"
    r"(?:did|read|wrote|reviewed|played|rehearsed|discussed|worked|met|sat|talked|spoke|practiced|went"
    r"|kept|used|had"
    r"|ran|continued|stayed|listened|walked through)\b"
)
# `For 50 minutes I discussed the case with her doctor`, `for 40 minutes we played, then for 15 we talked`
_FOR_OTHERS = later(
    r",?[ ]?i (?:(?:reviewed|wrote|read|discussed)\b|(?:spoke|talked|met|worked|stayed) (?:on the phone )?"
    r"(?:with|to) (?:the|his|her|their|an?) (?!(?:client|patient|pt|ct|child|boy|girl|family|couple|two)\b))"
    r"|[^.;\n]{0,40}\bthen for\b"
)
_LEAST_OF_A_SESSION, _LEAST_USED = 38, 16
# `The session was held in the office and lasted 55 minutes`
_THE_SESSION = later(
    r"(?:\A|[.;\n])[ ]*(?:the|our|today's|this) (?:session|visit|appointment|hour)\b(?! (?:before|last|with))"
    r"[^.;\n]{0,50} (?:lasted|ran|took|went)(?: for| about)* \Z"
)
_LASTED_WORDS = ("lasted ", "ran ", "took ", "went ", " for ", "about ")
# `We used the thirty minutes to go over the card`
_WE_USED = later(r"(?:\A|[.;\n])[ ]*(?:today )?we used the \Z")
# `We took 33 minutes over it this time`
_OVER_IT = later(r" over (?:it|this|the visit|the session)(?: (?:today|this time|in all))?[ ]*(?:[.,;\n]|\Z)")
_HAD_WORDS = ("i ", "we ", "me ", "my ", "had ", "in for ", " its ")
# `We spoke for fifty minutes`, `we gave the whole hour, sixty minutes, to the letter`
_WE_SPOKE = later(
    r"(?:\A|[.;,\n(]|\band)[ ]*(?:(?:today|so|then),? )?we (?:all |both )?(?:spoke|talked|met|sat|worked"
    r"|stayed at it"
    rf"|kept at it|were at it|stayed with it)(?: together| today| at the table)? for{_ABOUT} \Z"
)
_GAVE = later(
    r"(?:\b(?:gave|devoted|spent|took|used) (?:the|our|all|all of|all the|all of the)(?: (?:whole|full"
    r"|entire))?(?: hour,)?"
    r"|, and (?:the|our)"
    r"|(?:\A|[.;\n])[ ]*(?:the (?:whole|full|entire)|all(?: of)?(?: the| our)?))[ ]\Z"
)
_TO_SOMETHING = later(
    r",?[ ](?:(?:went|were (?:given|spent|devoted)|was spent)[ ](?:mainly |mostly )?)?(?:to|on|in|with)"
    r" (?:(?!(?:the )?(?:chart|report|note|document|paper|phone|waiting|form|letter to)))|[ ]*[.;\n]"
)
# `I lit the candle and said very little for the next ninety minutes`
_FOR_THE_NEXT = later(r"\b(?:we|i|they all|everyone|the group)\b[^.;\n]{0,70}\bfor the next \Z")
_ABOUT_IT = later(r" (?:about|on (?:the phone|hold)|of (?:it|that))\b")
_SPOKE_WORDS, _GAVE_WORDS = (
    ("for ", "for about ", "for the "),
    ("the ", "our ", "all ", "of ", "hour, ", "full ", "whole ", "entire "),
)
_NO_MORE = later(
    r"(?![^.;\n]{0,24}\b(?:s?he|they) says?\b)(?:[ ]*(?:[.;:)\n]|\Z|,(?! (?:on hold|on the phone|of)))"
    r"|[ ](?:today|together|before (?:her|his|their|the|work|school|class|(?:she|he|they|we) (?:had|needed))"
    r"|in all|this time|in the (?:room|chair)|in my|by (?:the|my)|start to finish|individually|alone"
    r"|as (?:the|she|he|they)"
    r"|face to face|one to one|because|so|while the others|and (?:then )?(?:s?he|we|i|they|stopped|ended))\b)"
)
_TOLD = later(
    r"\b(?:said|says|told|tells|report\w*|when|if|last|yesterday|usual\w*|mother|mom|father|dad|husband|wife"
    r"|sister"
    r"|brother|insurer|insurance|school|on hold|tomorrow|next)\b[^.;\n]*\Z"
)
# `Play therapy session w/ Bo, age 4, forty-five minutes`
_OF_AGE = later(
    r"\b(?:individual(?:ly)?|indiv|psychotherapy|therapy|session|visit|seen|saw"
    r"|met)\b(?: [a-z]+){0,2},? ?(?:with |w/ ?|of )?"
    r"(?:[a-z.'-]+ ){0,2}[a-z.'-]+,? \(?(?:aged? )?\d{1,2}(?:[ -](?:years?|yrs?|y/?o|months?)(?:[ -](?:old"
    r"|of age))?)?\)?,"
    r" (?:for )?\Z"
)
_ONLY = later(r"\A[ *-]*(?:(?:only|just|barely|all of|no more than|but|a bare|a short) )*\Z")
_AGE_ENDS = (", ", ", for ")
# A sentence that opens a line with the service: `I - Supportive indiv tx in my office, door open.`
_SERVICE_ENDS = later(
    r"(?:\A|\n)[ ]*(?:[a-z][a-z /]{0,14} ?[:-] ?)?(?:[a-z-]+ ){0,2}?(?:individual|indiv|ind|family|couples?"
    r"|conjoint|play"
    r"|psychotherapy|therapy)\b(?: (?:psychotherapy|therapy|session|tx|visit|sess|appt"
    r"|work))?[^.\n]{0,110}\.[ \n]*\Z"
)
_LAST_SENTENCE = 160
_WITH_ME = later(r"\b(?:with|w/) ?me (?:in (?:the|my) (?:room|office) )?(?:from )?\Z")

# `Individual. Forty-five minutes by the clock on the wall.`
_SESSION_ENDS = later(
    r"\b(?:individual(?:ly)?(?:, (?:first|second|third|[a-z]+th|\d{1,2}(?:st|nd|rd|th)) (?:session|visit))?"
    r"|(?:this|today's|individual|therapy|psychotherapy|video|office|telehealth) (?:session|visit)"
    r"|psychotherapy|individual therapy|seen alone"
    r"|one[- ](?:to|on)[- ]one|by video|in person)[.;][ \n]*\Z"
)


# `D: Leopold (8) seen alone for 42 minutes`, but not `her dad was seen alone for 40 minutes`.
_SEEN_ALONE = later(
    r"(?:\A[ *-]{0,3}|\b(?:client|patient|pt|ct)|\(\d{1,2}\)"
    rf"|\A[ ]*(?!{RELATIVE}\b)[a-z]+, (?:\d{{1,2}}|{NUMBER_WORD}),"
    rf"|\A(?:(?!\b(?:{RELATIVE}|friend|roommate|boss|partner)\b)[^.;\n])*\b(?:years?[ -]old|y/?o|yrs?),)"
    r" (?:was )?(?:seen|met) (?:alone|individually|by (?:him|her|them)sel(?:f|ves)|on (?:his|her|their) own)"
    r" for (?:about )?\Z"
)
# `Was scheduled for sixty minutes but left after 40 minutes`
_SCHEDULED_FOR = later(
    r"\b(?:scheduled|booked|planned|down) (?:for )?[^.;\n]{1,28},? but"
    r" (?:(?:client|pt|patient|she|he|they|we) )?(?:left|had to (?:leave|go|stop)|stopped|ended)"
    r" after (?:about )?\Z"
)
_LEFT_ENDS = (" after ", " after about ")
_ALONE_ENDS = tuple(
    f"{alone} for {about}"
    for alone in ("alone", "individually", "self", "selves", " own")
    for about in ("", "about ")
)

# `Play session, Wren, age five, blue room, forty minutes.`: the sentence that opens a note
_OPENING = 200
_NOTHING_BEFORE = later(r"\s*(?:[^.\n]{0,40}[ ][a-z]\.)?")
_WHOLE_PIECE = later(
    r"[ ]*(?:[.;)\n]|\Z|,[ ]|[ ](?:in (?:the|my) (?:room|office|chair)|by the (?:clock|wall)|bc|because|as"
    r"|together|today|in all|start to finish|face to face)\b)"
)

# `I spoke with her by phone, with the door shut, for 25 minutes`, `35 minutes of play and talk altogether`
_BY_PHONE_FOR = later(
    r"(?:\A[ ]*|\bi (?:spoke|talked|met|saw)(?: with)? (?:him|her|them|(?:the )?(?:client|patient|pt|ct)) )"
    r"by (?:tele)?phone(?:, with [^,.;\n]{1,24},)? for \Z"
)
_OF_IT_IN_ALL = later(
    r" of (?!(?:the )?(?:chart|paper|document|note|travel|wait|homework))[a-z' -]{1,40} (?:altogether|in all"
    r"|all told)[ ]*(?:[.;\n]|\Z)"
)


# `Her ride came early, so we went from 8:30 to 9:05 in the morning`
_WENT_FROM = later(
    r"(?:\A|[.;,(\n])[ ]*(?:(?:so|and|but|today|then|this time),? )*we (?:(?:just|only|all"
    r"|then) )?went from \Z"
)
_OF_THE_DAY = later(r"[ ]?(?:in the|this) (?:morning|afternoon|evening)[ ]*(?:[.,;)\n]|\Z)")
# `We ended up using the entire sixty minutes of this individual session`
_ALL_OF = later(
    r"\b(?:(?:us(?:ed|ing)|t(?:ook|aking|aken)|fill(?:ed|ing)|spen[dt](?:ing)?|need(?:ed|ing)|went|ran|kept)"
    r"(?: for| to| up)?|for) (?:all|(?:all (?:of )?)?(?:the|our|its|a) (?:whole|entire|full|complete))"
    r"(?: of)?(?: the)? \Z"
)
_OF_THIS_SESSION = later(
    r" of (?:this|our|the|today's) (?:[a-z-]+ ){0,2}(?:session|visit|appointment|hour)"
    r"(?![ ](?:with (?:the|her|his|their|an?)|at the|before|last|on (?:mon|tues|wednes|thurs|fri|satur"
    r"|sun))\b)"
)
# `For just over an hour, sixty-two minutes by the clock`
_OVER_AN_HOUR = later(
    r"\b(?:saw|met|seen|worked|talked|spoke|session|visit|individual(?:ly)?|we)\b[^.;\n]{0,50}"
    r" (?:(?:just|barely|slightly|a (?:little|bit|hair|shade|touch)) )?(?:over|under|past|shy of|short of"
    r"|about) (?:an|the|one|a full) hour[,:(-]+ ?(?:or |exactly |precisely )?\Z"
)
_BY_THE_CLOCK = later(r" by (?:the|my|our)(?: [a-z]+)? (?:clock|watch|timer|count)[ ]*(?:[.;,)\n]|\Z)")

# `She had 39 minutes with me`
_SHE_HAD = later(
    rf"(?:\A|[.;\n])[ ]*(?:today,? |so )?(?!(?:{RELATIVE}|i|we|it)\b)[a-z]+ (?:only |just )?(?:had|got|spent)"
    r" (?:only |just |about )?\Z"
)


def is_of_contact(span: Span, before: str, after: str) -> bool:
    """Whether its sentence says that so long, or then, the writer had the patient, that they parted after so
    long, or with whom the session was."""
    if span.kind == "range":
        if before.endswith("went from ") and '"' not in before and _WENT_FROM.search(before):
            return _NO_MORE.match(f" {after.lstrip()}") is not None or _OF_THE_DAY.match(after) is not None
        return "me " in before[-24:] and _WITH_ME.search(before[-24:]) is not None
    if after.startswith(" with me") and _SHE_HAD.search(before):
        return True
    if before.endswith("half of our ") or (before.endswith("we took ") and _OVER_IT.match(after)):
        return True
    if before.endswith(_LASTED_WORDS) and _THE_SESSION.search(before):
        return True
    if any(map(before.__contains__, _HAD_WORDS)):
        had = _HAD.search(before)
        if had is not None:
            return _NO_MORE.match(after) is not None and not _TOLD.search(before, 0, had.start() + 1)
    if span.minutes >= _LEAST_OF_A_SESSION:
        if before.endswith(_SPOKE_WORDS) and _WE_SPOKE.search(before) and not _ABOUT_IT.match(after):
            return not _TOLD.search(before)
        if before.endswith("for the next ") and _FOR_THE_NEXT.search(before) and _NO_MORE.match(after):
            return True
        if before.endswith(_GAVE_WORDS) and _GAVE.search(before) and _TO_SOMETHING.match(after):
            return True
    elif span.minutes >= _LEAST_USED and before.endswith("used the ") and _WE_USED.search(before):
        return _TO_SOMETHING.match(after) is not None
    if span.minutes >= _LEAST_USED and after.startswith(" of ") and _OF_THIS_SESSION.match(after):
        used = _ALL_OF.search(before)
        return used is not None and not _TOLD.search(before, 0, used.start() + 1)
    if " hour" in before[-8:] and _OVER_AN_HOUR.search(before):
        return (_BY_THE_CLOCK.match(after) or _NO_MORE.match(after)) is not None and not _TOLD.search(before)
    if before.endswith(" for ") and "phone" in before and _BY_PHONE_FOR.search(before):
        return _NO_MORE.match(after) is not None
    if not before.strip(" -*") and _OF_IT_IN_ALL.match(after):
        return True
    if before.endswith(_LEFT_ENDS) and _SCHEDULED_FOR.search(before):
        return True
    if before.endswith(_ALONE_ENDS) and _SEEN_ALONE.search(before):
        return True
    return before.endswith(_AGE_ENDS) and _OF_AGE.search(before[-60:]) is not None


def goes_on_with_what_we_did(span: Span, before: str, after: str) -> bool:
    """Whether behind it stands what therapist and patient did in all that time."""
    whole = span.kind == "range" or (span.minutes >= _LEAST_OF_A_SESSION and before.strip(" -*") == "for")
    return whole and _WE_DID.match(after) is not None and _FOR_OTHERS.match(after) is None


def follows_service(plain: str, left: int, before: str, after: str) -> bool:
    """Whether the sentence begins with a length right behind one that opens its line with the service."""
    return (
        _ONLY.match(before) is not None
        and _NO_MORE.match(after) is not None
        and _SERVICE_ENDS.search(plain, max(0, left - _LAST_SENTENCE), left) is not None
    )


def ends_session(plain: str, left: int) -> bool:
    """Whether the sentence before ends in words for this session: `Individual, ninth visit. 45 minutes.`"""
    return left > 0 and _SESSION_ENDS.search(plain, max(0, left - 30), left) is not None


def opens_note(plain: str, span: Span, left: int) -> bool:
    """Whether a piece of the first sentence between commas is the length and nothing else."""
    return (
        span.end < _OPENING
        and plain.endswith(", ", left, span.start)
        and plain.rfind("(", left, span.start) <= plain.rfind(")", left, span.start)
        and _WHOLE_PIECE.match(plain, span.end) is not None
        and _NOTHING_BEFORE.fullmatch(plain, 0, left) is not None
    )


# `30 min only - work called him back`, `35 minutes, individual`, `Only 30 min today, he had to go`
_ONLY_SO_LONG = later(
    r" only\b(?! (?:in|on|of|for|with|when|if)\b)|, (?:individual(?:ly)?|one[ -](?:to|on)[ -]one|1:1)\b"
)
_SO_LONG_TODAY = later(r"(?: today| this time)[ ]?(?:[,.;(]|- )")


def was_no_longer(span: Span, before: str, after: str) -> bool:
    """Whether a sentence begins with a length and says that it was no more."""
    if span.kind == "range" or span.minutes < _LEAST_USED:
        return False
    lead = before.strip(" -*")
    return (not lead and _ONLY_SO_LONG.match(after) is not None) or (
        lead in ("only", "just") and _SO_LONG_TODAY.match(after) is not None
    )


_NOTHING_BUT = later(
    r"[ *~(-]*(?:[a-z]:[ ]*)?(?:(?:x|about|approx\.?|approximately|roughly|f2f|seen|total)[ ]*)?[~(]*\Z"
)
_NO_MORE_THAN_THAT = later(r"[ .,;:)-]*(?:today)?[ .,;:)-]*\Z")


def stands_alone(plain: str, span: Span, left: int, right: int) -> bool:
    """Whether a length is all that its sentence says: `45 min.`"""
    return (
        _NOTHING_BUT.match(plain[left : span.start]) is not None
        and _NO_MORE_THAN_THAT.match(plain[span.end : right]) is not None
    )
