"""The only length that a note tells, where nothing of how it is told was weighed: what the two of them had or
filled, or after which they parted. Nearly everything in a story lasts: it is read only where its sentence has
no room for another meaning."""

from collections.abc import Iterable

from billing.notes.later import later
from billing.notes.length.span import Span
from billing.notes.text.kin import RELATIVE
from billing.notes.text.spoken import NUMBER_WORD

_QUITE = (
    r"(?: (?:exactly|only|just|all(?: of)?|a good|some|a bare|barely|precisely|the|our|my|her|his|their|a|an"
    r"|full|whole|entire|usual|these|those))*"
)
_WHO = r"(?:client|patient|pt|ct|youth|teen|child|boy|girl|student|veteran|(?:mr|mrs|ms|miss|dr)\.? [a-z'-]+)"
_WHOM = rf"(?:him|her|them|(?:the |my |this )?{_WHO})"
_WE = (
    r"(?:(?<!\band )i|we|the two of us"
    rf"|(?:\A|[.;,:(\n]|\band)[ ]*(?:s?he|they|(?:the |my |this )?{_WHO}) and i)"
)
_THEY = rf"(?:s?he|they|(?:the |this )?{_WHO})"
# `I gave him 50 minutes`, `Ms. Ortiz and I had 52 minutes`, `I provided 47 minutes of CBT`
_GAVE = later(
    rf"\b{_WE}(?: (?:then|again|today|each|both|only|just|did|were able to))*"
    r" (?:gave|provided|delivered|conducted|had|took|managed|(?<!\bi )got|furnished|shared)"
    rf"(?: {_WHOM})?{_QUITE} \Z"
)
_ENDS = r"[ ]*(?:[.;)\n]|\Z)"
_TODAY = r",? (?:today|this (?:morning|afternoon|evening|time)|together|in (?:my|the|our) (?:office|room))\b"
_WHY = r",? (?:because|since|at (?:her|his|their) request|by agreement|when (?:s?he|they) had to)\b"
_OF_WHAT = later(
    rf"{_ENDS}|{_TODAY}|,? (?:in together|in before|start to finish|in person|by video"
    r"|face[- ]to[- ]face|one[- ](?:to|on)[- ]one|because|since|though|although|despite)\b"
    r"|,? with (?:(?:him|her|them|me|us|(?:the )?(?:client|patient|pt))\b|[a-z'-]+ (?:today|this|alone)\b)"
    r"|,? of (?:(?:individual|supportive|psychodynamic|cognitive|behavioral|talk|trauma-focused|our) )*"
    rf"(?:psychotherapy|therapy|counseling|cbt|dbt|act|cpt|pe|emdr|erp|ipt|tf-cbt)(?:{_ENDS}|{_TODAY}"
    rf"|,? with (?:him|her|them|{_WHO})\b)"
)
# `She got her full 50 minutes`, `he stayed the whole hour`
_FILLED = later(
    rf"\b(?:{_WE}|{_THEY}|session|appointment) (?:used|stayed|filled|had|got|took|kept|needed|received)"
    r"(?: for)?(?: up)?(?: (?:all|of|the|our|her|his|their|my|a))*(?: (?:full|whole|entire|complete))? \Z"
)
_FULL = later(r"\b(?:full|whole|entire|complete)\b")
# `We stopped after 40 minutes`, `she left the session after 35 minutes`, `we ended early, 38 minutes in`
_PARTED = (
    r"(?:left|leave|head out|stop(?:ped)?|end(?:ed)?|finish(?:ed)?|quit|broke off|part(?:ed)?"
    r"|called it a day|wrap(?:ped)? up|let (?:him|her|them) go)"
)
_HERE = r"(?: (?:it|there|here|off|early|today|the (?:session|appointment|hour)))*"
_WE_PARTED = later(
    rf"\b(?:we|i)(?: (?:had to|chose to|decided to|agreed to|then|both))* {_PARTED}{_HERE}"
    rf"(?P<asked> at (?:her|his|their) request)?,? (?P<after>(?:after|at){_QUITE} )?\Z"
)
_THEY_PARTED = later(
    rf"(?:\A|[.;,(]|\b(?:and|but|so|then|when|because)\b)[ ]*{_THEY}"
    rf"(?: (?:had to|needed to|asked to|chose to|wanted to|decided to))? {_PARTED}(?: early| today)?"
    rf" (?:me|us|(?:the|our) (?:session|appointment)|(?:my|our) office)(?: early| today)?,? after{_QUITE} \Z"
)
# `He walked out after 40 minutes`, `we stopped early, and I let him go after 40`: the end of all of it
_OVER = later(
    rf"\b(?:{_THEY}|we|i)(?: (?:had to|needed to|asked to|chose to|wanted to|decided to|then|both|was|were))*"
    rf" (?:{_PARTED}|walked out|logged off|hung up|done|finished|spent|ended it)(?: early| today| there)?,?"
    rf" (?:after|at){_QUITE} \Z"
)
_STAYED = later(rf"\b{_THEY} (?:only )?(?:stayed|remained|lasted|was here|was with me)(?: for)?{_QUITE} \Z")
_AND_LEFT = later(
    r",? (?:and )?(?:then )?(?:(?:and|before|when|until) )?(?:(?:s?he|they) )?(?:had to (?:go|leave|get"
    r"|catch)|left|walked out|asked to (?:go|leave|stop))\b"
)
_AND_NO_MORE = later(
    rf"{_ENDS}|{_WHY}|,? and (?:(?:so )?we did\b|i let (?:him|her|them)\b|i did not (?:keep|press|hold)"
    r"|did not (?:come back|return|log back)|that was that)|[;,] (?:s?he|they) (?:was|were|had)\b"
)
_IN = later(r" in(?:to (?:it|the (?:session|hour|appointment)))?[ ]*(?:[.,;\n]|\Z)")
_PARTED_SO = later(rf"{_ENDS}|{_WHY}")
_AFTER = later(rf"\A[ ]*(?:but |and |then )?after{_QUITE} \Z")
_SO_STOPPED = later(
    rf"[^.;\n]{{0,70}}\b(?:we|i) (?:stopped|ended|finished|parted|let (?:him|her|them) go|wrapped up)"
    rf"(?: early| there| for the day)*(?:{_ENDS}|{_WHY})"
)
# `Fifty-two minutes by the clock`, `by my watch it was 48 minutes`
_CLOCK = later(rf" by (?:the|my|our) (?:clock|watch|timer){_ENDS}")
_BY_CLOCK = later(r"\A[ ]*by (?:the|my|our) (?:clock|watch) (?:it was|we had|that was|that made) \Z")
# `My timer read 39 minutes when he said that was enough`
_TIMER = later(r"\b(?:my|the|our) (?:timer|clock|stopwatch|watch) (?:read|said|showed) \Z")
_ENOUGH = later(
    r" when (?:we|i|s?he|they)\b[^.;\n]{0,30}\b(?:enough|left|stopped|ended|said good-?bye|stood up)\b"
)
# `She was late, leaving us 45 minutes`, `fifty minutes instead of the planned sixty`
_LEFT_US = later(rf"\blate\b[^.;\n]*\b(?:leaving|which left|that left) us(?: with)?{_QUITE} \Z")
_INSTEAD = later(
    r"(?: in all| all told| altogether| today)?,? (?:instead of|rather than|in place of|not|and not)"
    r" (?:the |our |her |his )?(?:planned|scheduled|booked|allotted"
    rf"|(?:usual|full|regular|customary)(?! (?:{NUMBER_WORD}|\d+) hours))"
    rf"[^.;\n]{{0,24}}{_ENDS}"
)
_NOTHING = later(
    r"\A[ *-]*(?:(?:call it|it (?:was|came to)|that was|this was|we had|in all|all told|altogether|all in all"
    rf"|start to finish),?)?{_QUITE} ?\Z"
)
# `52 minutes of the hour were used`
_USED = later(r" of the (?:hour|session|appointment) (?:was|were) (?:used|kept)\b")
_IN_ALL = later(r"\b(?:in all|all told|altogether|start to finish)\b")
_STOPS = later(_ENDS)
# `Half an hour today, as agreed`, `an hour less five minutes`, `start to finish`, behind the service's name
_SO_LONG = later(
    r"(?:,? (?:today|this (?:morning|afternoon|evening|time)|start to finish|in all|in total|altogether"
    r"|all told)|,? (?:less|minus) [a-z\d]+ minutes[a-z ]*)[ ]*(?:[.;\n]|\Z|, (?:as|because|since|instead|so"
    r"|the two of us|individual|in person|by video|face)\b)"
)
_OF_A_SESSION = later(
    r"\b(?:individual|psychotherapy|session|appointment|1:1|one[- ]to[- ]one)\b[^.;\n]{0,30}[.;:\n ]*\Z"
)
# `We spoke for 42 minutes about her week`
_WE_WORKED = later(
    r"(?:\A|[.;:(\n]|, (?:and |so )?|\band )[ ]*we(?: (?:then|both|again|only))?"
    rf" (?:spoke|talked|worked|met|sat)(?: together)?(?: for)?{_QUITE} \Z"
)
_NOT_US = later(
    r"\bwith (?!(?:him|her|them|me)\b(?! [a-z])|(?:the )?(?:client|patient|pt)\b)|phone|\bcall(?:s|ed)?\b"
    r"|\bfirst\b|\bnext (?:week|time|session|visit)\b|\blast (?:week|time|session|visit)\b"
)
# `She came for fifty minutes and used them to ...`
_CAME = later(rf"(?:\A|[.;\n])[ ]*{_THEY} came(?: in)?(?: today)? for{_QUITE} \Z")
_USED_THEM = later(r",? and (?:we )?(?:used|spent|filled) (?:them|it|all|every|the time)\b")
# `Seen alone for 40 minutes with her mother in the waiting room`
_ALONE_FOR = later(
    rf"\b(?:(?:met|spoke|talked|sat|worked)(?: with (?:me|{_WHOM}))?|seen|(?:i )?saw {_WHOM}"
    rf"|(?:\A|\bi )[ ]*(?:met with|saw) (?:m(?:r|s|rs|x)\.? )?(?!(?:{RELATIVE}|h(?:er|is)|the"
    rf"|an?)\b)[a-z'-]+)(?: today)?"
    r" (?:alone|individually|on (?:his|her|their) own|by (?:him|her|them)sel(?:f|ves)) for"
    rf"{_QUITE} \Z"
)
_OUTSIDE = later(
    rf"{_ENDS}|{_TODAY}|,? (?:with|while) (?:(?:his|her|their|the) )?{RELATIVE}(?: (?:was|were|stayed|sat))?"
    r" (?:wait(?:ing|ed)|outside|(?:out )?in (?:the|our|my) (?:waiting room|waiting area|lobby|hall(?:way)?"
    rf"|car))(?: (?:outside|in (?:the|our|my) (?:waiting room|lobby|car)))?{_ENDS}"
)
_JOINED = later(r"\b(?:join|brought in|called in|invited|came in|then saw|then met|conjoint|together with)")
_JOINED_WITHIN = 300
# What makes it another's time, a part, or no session's.
_ELSE = later(
    r"\b(?:says?|said|tells?|told|reports?|reported|describ\w+|recall\w*|remember\w*|phone|telephone|on hold"
    r"|call(?:ed)? (?:with|to|from)|supervis\w+|pharmac\w+|insur\w+|attorney|lawyer|school|teacher"
    r"|case ?manager|doctor|psychiatrist|mother|father|mom|dad|parents?|husband|wife|sister|brother|son"
    r"|daughter|friend|boss|part(?:y|ies)|church|mass|class|gym|store|mall|market|wedding|dinner|lunch|game"
    r"|concert|movie|train|bus ride|drive|driving|drove|walk\w*|ran|run|swim\w*|bath\w*|shower\w*|bed"
    r"|sleep\w*|slept|nap\w*|read(?:ing)?|homework|practic\w+|practis\w+|exercis\w+|exposures?|imaginal"
    r"|meditat\w+"
    r"|breath\w+|yoga|waiting|waited|lobby|panic\w*|attacks?|spells?|episodes?|flashbacks?|argu\w+|fight\w*"
    r"|fought|next|last|plan\w*|will|would|schedul\w+|booked|reserved|set aside|charge\w*|bill\w*|each|every"
    r"|daily|nightly|a (?:day|week|night)|weekly|yesterday|usually|mon(?:day)?|tues?(?:day)?|wed(?:nesday)?"
    r"|thu(?:rsday)?|fri(?:day)?|sat(?:urday)|sun(?:day)|weekend|ago|chart\w*|document\w*|paperwork|notes?"
    r"|letter|without|most|part|half|nearly|almost|about|roughly|approximately|around|perhaps|maybe|if|when"
    r"|first|remaining|quiet|silen\w+|cry\w*|cried|group|if|could have|should have|was to|were to)\b"
)
_PLANNED = later(r"\b(?:instead of|rather than|in place of|not)\b[^.;\n]*")
# Twenty or thirty minutes of something are a part of the session, unless it is said how they came to be all.
_SHORTEST, _LONGEST, _LEAST_WEIGHT, _NO_PART, _SENTENCE_BEFORE = 16, 90, -7, 38, 90


def sole_length(plain: str, weighed: Iterable[tuple[int, Span, int, int]]) -> Span | None:
    """The one length of these (weight, span, its sentence) that the session's people are said to have had."""
    told = [
        span
        for weight, span, left, right in weighed
        if span.at is None
        and weight >= _LEAST_WEIGHT
        and _SHORTEST <= span.minutes <= _LONGEST
        and _is_had(
            plain[max(0, left - _SENTENCE_BEFORE) : left],
            plain[left : span.start],
            plain[span.end : right],
            whole=span.minutes >= _NO_PART,
            joined=_JOINED.search(plain, max(0, left - _JOINED_WITHIN), right + _JOINED_WITHIN) is not None,
        )
    ]
    return told[0] if len({span.minutes for span in told}) == 1 else None


def is_told_over(plain: str, span: Span, left: int, right: int) -> bool:
    """Whether a session of that length is told to have been over then; its sentence is `left` to `right`."""
    if span.at is not None or span.minutes < _SHORTEST:
        return False
    before, after = plain[left : span.start], plain[span.end : right]
    if _NOTHING.match(before.replace("about ", "")) and _INSTEAD.match(after):
        return True
    if (over := _OVER.search(before)) is not None and _AND_NO_MORE.match(after):
        return _ELSE.search(before, 0, over.start()) is None
    stayed = _STAYED.search(before)
    return stayed is not None and _AND_LEFT.match(after) is not None and not _ELSE.search(before)


def _is_had(behind_what: str, before: str, after: str, *, whole: bool, joined: bool) -> bool:
    if (alone := _ALONE_FOR.search(before)) is not None and _OUTSIDE.match(after):
        return whole and not joined and _ELSE.search(before, 0, alone.start()) is None
    if _TIMER.search(before):
        return whole and _ENOUGH.match(after) is not None
    worked = _WE_WORKED.search(before) if whole else None
    if worked and not (_ELSE.search(before, 0, worked.start()) or _NOT_US.search(after)):
        return True
    if whole and _CAME.search(before) and _USED_THEM.match(after):
        return True
    if _ELSE.search(before) or _ELSE.search(_PLANNED.sub("", after)):
        return False
    if _LEFT_US.search(before):
        return _OF_WHAT.match(after) is not None
    if _NOTHING.match(before):
        of_a_session = _OF_A_SESSION.search(behind_what) is not None
        if (_INSTEAD.match(after) and (whole or of_a_session)) or _USED.match(after):
            return True
        if of_a_session and (_SO_LONG.match(after) or (_IN_ALL.search(before) and _STOPS.match(after))):
            return True
    if (parted := _WE_PARTED.search(before)) is not None:
        if not parted["after"]:
            return _IN.match(after) is not None
        return (whole and _PARTED_SO.match(after) is not None) or parted["asked"] is not None
    if _THEY_PARTED.search(before):
        return True
    if not whole:
        return False
    if _GAVE.search(before) or (_FULL.search(before[-30:]) and _FILLED.search(before)):
        return _OF_WHAT.match(after) is not None
    if _AFTER.match(before):
        return _SO_STOPPED.match(after) is not None
    return (_NOTHING.match(before) is not None and _CLOCK.match(after) is not None) or (
        _BY_CLOCK.search(before) is not None and _PARTED_SO.match(after) is not None
    )
