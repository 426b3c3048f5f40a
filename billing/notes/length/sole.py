"""The only length that a note tells, where nothing of how it is told was weighed: what somebody gave, had or
filled, or after which they parted."""

from collections.abc import Iterable

from billing.notes.later import later
from billing.notes.length.span import Span

_QUITE = (
    r"(?: (?:exactly|only|just|all(?: of)?|a good|some|a bare|barely|precisely|the|our|my|her|his|their|a|an"
    r"|full|whole|entire|usual|these|those))*"
)
_WHO = r"(?:client|patient|pt|ct|youth|teen|child|boy|girl|student|veteran|(?:mr|mrs|ms|miss|dr)\.? [a-z'-]+)"
_WHOM = rf"(?:him|her|them|(?:the |my |this )?{_WHO})"
_WE = rf"(?:i|we|the two of us|{_WHOM} and i|(?:s?he|they|[a-z'-]+) and i)"
_THEY = rf"(?:s?he|they|(?:the |this )?{_WHO})"
# `I gave him 50 minutes`, `Ms. Ortiz and I had 52 minutes`, `I provided 47 minutes of CBT`
_GAVE = later(
    rf"\b{_WE}(?: (?:then|again|today|each|both|only|just|did|were able to|could))*"
    r" (?:ga?ve|offer(?:ed)?|provided?|delivered|conducted|had|have|took|take|kept|managed?|(?<!\bi )got"
    r"|logged|held"
    r"|furnished|shared|finished)"
    rf"(?: {_WHOM})?{_QUITE} \Z"
)
_OF_WHAT = later(
    r"[ ]*(?:[.;)\n]|\Z)|,? (?:today|in before|in together|start to finish"
    r"|this (?:morning|afternoon|evening|time)|together|in all|altogether|in person"
    r"|by video|face[- ]to[- ]face|one[- ](?:to|on)[- ]one|in (?:my|the|our) (?:office|room)"
    r"|(?:instead|rather|and|before|because|since|as|so|until|though|although|despite)\b|with (?:him|her|them"
    r"|me|us|(?:the )?(?:client|patient|pt)|[a-z'-]+(?= (?:today|this|in|by|on|alone)|[ ]*[.,;\n]))"
    r"|of (?:her|his|their|the) (?:time|morning|afternoon|evening|day|lunch)"
    r"|of (?:(?:individual|supportive|psychodynamic|cognitive|behavioral|talk|trauma-focused|our) )*"
    r"(?:psychotherapy|therapy|counseling|treatment|cbt|dbt|act|cpt|pe|emdr|erp|ipt|tf-cbt|talk|work)\b)"
)
# `She got her full 50 minutes`, `he stayed the whole hour`
_FILLED = later(
    rf"\b(?:{_WE}|{_THEY}|session|visit|appointment|today|work|talk|[a-z'-]+) (?:used|stayed|filled|had|got"
    r"|took|kept|needed|ran|went|lasted|received|remained|attended|worked|talked|was here|made use of"
    r"|sat through|came for|stuck with)(?: for)?(?: up)?(?: (?:all|of|the|our|her|his|their|my|a))*"
    r"(?: (?:full|whole|entire|complete))? \Z"
)
_FULL = later(r"\b(?:full|whole|entire|complete)\b")
# `We stopped after 40 minutes`, `she left the session after 35 minutes`, `we ended early, 38 minutes in`
_PARTED = (
    r"(?:left|leave|go|head out|stop(?:ped)?|end(?:ed)?|closed?|finish(?:ed)?|quit|broke off|part(?:ed)?"
    r"|called it(?: a day)?|wrap(?:ped)? up|cut (?:it|things|the session) short|let (?:him|her|them) go)"
)
_HERE = (
    r"(?: (?:it|there|here|off|early|today|me|us|the (?:session|visit|appointment|room|office|call|hour)"
    r"|(?:my|our) (?:session|visit|appointment|room|office|call)|our work|things))*"
)
_WE_PARTED = later(
    rf"\b(?:we|i)(?: (?:had to|chose to|decided to|agreed to|then|both))* {_PARTED}{_HERE}"
    rf"(?: at (?:her|his|their) request)?,? (?:after{_QUITE} |at |)\Z"
)
_THEY_PARTED = later(
    rf"(?:\A|[.;,(]|\b(?:and|but|so|then|when|because)\b)[ ]*(?:{_THEY}|[a-z'-]+)"
    rf"(?: (?:had to|needed to|asked to|chose to|wanted to|decided to))? {_PARTED}{_HERE},? after{_QUITE} \Z"
)
_AS_SAID = later(r"\b(?:it|early|today|me|us|session|visit|appointment|room|office|call)\b[ ,a-z]*\Z")
_IN = later(r" in(?:to (?:it|the (?:session|hour|visit|appointment|call)))?[ ]*(?:[.,;\n]|\Z)")
_SO_STOPPED = later(
    r"[^.;\n]{0,70}\b(?:we|i) (?:stopped|ended|closed|finished|parted|let (?:him|her|them) go|wrapped up)\b"
)
_AFTER = later(rf"\A[ ]*(?:but |and |then )?after{_QUITE} \Z")
# `Fifty-two minutes by the clock`, `by my watch it was 48 minutes`
_CLOCK = later(r" by (?:the|my|our|her|his)(?: [a-z]+)? (?:clock|watch|timer|phone)\b")
_BY_CLOCK = later(
    r"\bby (?:the|my|our)(?: [a-z]+)? (?:clock|watch)(?: (?:it was|we had|that was|that made))?,? \Z"
)
# `My timer read 39 minutes when he said that was enough`
_TIMER = later(r"\b(?:my|the|our) (?:timer|clock|counter|stopwatch|watch) (?:read|said|says|showed|shows) \Z")
# `Leaving us 45 minutes`, `fifty minutes instead of the planned sixty`
_LEFT_US = later(r"\b(?:leaving|which left|left|that left|gave) us(?: with)?" rf"{_QUITE} \Z")
_INSTEAD = later(
    r",? (?:instead of|rather than|in place of|not|and not) (?:the |our |her |his )?(?:planned|scheduled"
    r"|booked|usual|customary|full|regular|allotted)\b"
)
_NOTHING = later(
    r"\A[ *-]*(?:(?:call it|it (?:was|came to)|that was|this was|we had|in all|all told|altogether|all in all"
    rf"|start to finish),?)?{_QUITE} ?\Z"
)
# `Half an hour today, as agreed`, `52 minutes of the hour were used`, `an hour less five minutes`
_TODAY = later(
    r"(?:,? (?:today|this (?:morning|afternoon|evening|time)|start to finish|in all|in total|altogether"
    r"|all told|of the (?:hour|session|appointment) (?:was|were) (?:used|kept|spent))"
    r"|,? (?:less|minus) [a-z\d]+ minutes[a-z ]*)[ ]*(?:[.;\n]|\Z|, (?:as|because|since|instead|so"
    r"|the two of us|individual|in person|by video|face)\b)"
)
_SAID_SO = later(r"\b(?:it (?:was|came to)|in all|all told|altogether|all in all|start to finish)\b")
# `We gave three quarters of an hour to the letter`
_WE_GAVE = later(rf"\bwe (?:gave|devoted|spent|put){_QUITE} \Z")
_TO_SOMETHING = later(r" (?:in)?to (?:the|her|his|their|our|this|that|a|it)\b")
# What makes it another's time, or no session's.
_ELSE = later(
    r"\b(?:says?|said|tells?|told|reports?|reported|describ\w+|recall\w*|remember\w*|phone|telephone|on hold"
    r"|call(?:ed)? (?:with|to|from)|supervis\w+|pharmac\w+|insur\w+|attorney|lawyer|school|teacher"
    r"|case ?manager|doctor|psychiatrist|mother|father|mom|dad|parents?|husband|wife|sister|brother|son"
    r"|daughter|friend|boss|part(?:y|ies)|church|mass|class|gym|store|mall|market|wedding|dinner|lunch|game"
    r"|concert|movie|train|bus ride|drive|driving|drove|walk\w*|ran|run|swim\w*|bath\w*|shower\w*|bed"
    r"|sleep\w*|slept|nap\w*|read(?:ing)?|homework|practic\w+|practis\w+|exercis\w+|exposures?|imaginal|meditat\w+"
    r"|breath\w+|yoga|waiting|waited|lobby|panic\w*|attacks?|spells?|episodes?|flashbacks?|argu\w+|fight\w*"
    r"|fought|next|last|plan\w*|will|would|schedul\w+|booked|reserved|set aside|charge\w*|bill\w*|each|every"
    r"|daily|nightly|a (?:day|week|night)|weekly|yesterday|usually|mon(?:day)?|tues?(?:day)?|wed(?:nesday)?"
    r"|thu(?:rsday)?|fri(?:day)?|sat(?:urday)|sun(?:day)|weekend|ago|chart\w*|document\w*|paperwork|notes?"
    r"|letter|without|most|part|half|nearly|almost|about|roughly|approximately|around|perhaps|maybe|if|when"
    r"|first|remaining|quiet|silen\w+|cry\w*|cried|group|if|could have|should have|was to|were to)\b"
)
_PLANNED = later(r"\b(?:instead of|rather than|in place of|not)\b[^.;\n]*")
_SHORTEST, _LONGEST, _LEAST_WEIGHT = 16, 90, -7


def sole_length(plain: str, weighed: Iterable[tuple[int, Span, int, int]]) -> Span | None:
    """The one length of these (weight, span, its sentence) that the session's people are said to have had."""
    told = [
        span
        for weight, span, left, right in weighed
        if span.at is None
        and weight >= _LEAST_WEIGHT
        and _SHORTEST <= span.minutes <= _LONGEST
        and _is_had(plain[left : span.start], plain[span.end : right])
    ]
    return told[0] if len({span.minutes for span in told}) == 1 else None


def _is_had(before: str, after: str) -> bool:
    if _TIMER.search(before):
        return True
    if _ELSE.search(before) or _ELSE.search(_PLANNED.sub("", after)):
        return False
    if _GAVE.search(before) or _LEFT_US.search(before):
        return _OF_WHAT.match(after) is not None
    if _FULL.search(before[-30:]) and _FILLED.search(before):
        return _OF_WHAT.match(after) is not None
    if _WE_PARTED.search(before):
        return before.endswith((" after ", " at ")) or _IN.match(after) is not None or "after" in before[-20:]
    if _THEY_PARTED.search(before):
        return _AS_SAID.search(before) is not None
    if _AFTER.match(before):
        return _SO_STOPPED.match(after) is not None
    if _NOTHING.match(before) and (_CLOCK.match(after) or _INSTEAD.match(after) or _TODAY.match(after)):
        return True
    if _NOTHING.match(before) and _SAID_SO.search(before):
        return _OF_WHAT.match(after) is not None
    if _WE_GAVE.search(before):
        return _TO_SOMETHING.match(after) is not None
    return _BY_CLOCK.search(before) is not None
