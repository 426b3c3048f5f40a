"""Whether a visit is told to have been broken off, begun late or shared, so that its minutes may not all have
been the patient's: then a person is asked."""

from collections.abc import Mapping, Sequence

from billing.notes.decision.another_length import LENGTH, minutes_of
from billing.notes.later import later
from billing.notes.length.span import same_band
from billing.notes.text.kin import RELATIVE
from billing.notes.text.spoken import NUMBER_WORD

_MINUTES = rf"(?:[1-3]?\d|{NUMBER_WORD})(?: of our)?[ -]?min(?:ute)?s?"
_FEW = rf"(?:(?:about |only |just |the )*(?:{_MINUTES}|a quarter of an hour|half an hour))"
_CAME = (
    r"(?:came|joined|rolled in|arrived|got here|logged on|connected|showed up|popped on|walked in|got (?:him"
    r"|her))"
)
_LEFT = (
    r"(?:left|walked out|went home|was gone|called it a day|hung up|asked to (?:go|leave|stop)(?: home)?"
    r"|(?:got|was) called (?:back|away)|fell asleep|nodded off)"
)
# What was left; a party, or work, is something else.
_IT = (
    r"(?:,? (?:early|us|me|it|there|today|abruptly|in tears"
    r"|(?:the|my|our) (?:room|office|session|call|visit)))*"
)
_BROKEN_OFF = later(
    rf"\b{_CAME}[^.;\n]{{0,30}}? with (?:only |just )?{_FEW} (?:to go|left|remaining)\b|\bgot (?:him"
    rf"|her) only for the last {_FEW}|\b(?:client|patient|pt|ct|she|he|they"
    rf"|we) (?:then )?{_LEFT}{_IT} after (?:we'd had )?{_FEW}|\basked to (?:go|leave"
    rf"|stop)[^.;\n]{{0,40}}?{_FEW} (?:and did|after the start)|\b{_FEW} (?:in|after we sat down"
    rf"|after the start)\b[^.;\n]{{0,30}}?\band (?:we called it|[a-z]+ took (?:him|her) home|i let (?:him"
    r"|her) sleep|the (?:building|office) stayed shut|though we both tried)|\b(?:at the door|out"
    rf"|black around) {_FEW} in\b[.,;]? (?:ended|and (?:we called|though))|\bcould only (?:spare|stay"
    rf"|give me) {_FEW}|\ba (?:quick|short) one, {_FEW}|\bseen (?:for )?(?:only )?(?:[1-9]"
    rf"|1[0-9]) min(?:ute)?s? before\b|\b(?:session|visit|therapy) itself {_FEW}"
    rf"|\bi looked at the clock: {_FEW}|\b(?:client|patient|pt|ct|she|he) {_LEFT} at minute (?:\d"
    rf"|{NUMBER_WORD})|\bhardly sat down when\b|\bonly got half the (?:session|hour|visit|time) in\b"
    rf"|\b(?:left|went|stood up|got up|(?:had|needed) to (?:go|leave)|(?:let|sent) (?:him|her|them)"
    rf" (?:go|home)) (?:with {_FEW} (?:behind us|gone|used)|after {_FEW})\b"
    rf"|\b(?:we|i|s?he) (?:stopped|ended(?: the session)?) (?:after|at) {_FEW}\b"
    rf"|\b(?:after|at) {_FEW} (?:we (?:were done|stopped)|s?he (?:asked to|had to|left))\b"
    rf"|\bat the {_FEW} mark (?:s?he|we) (?:left|stopped|ended)\b|\bended early,? \(?(?:after|at)? ?{_FEW}"
    rf"|\bstarted late,? {_FEW} total|\bthe hour came to {_FEW}|\bshort one(?: today)?[:,] {_FEW}"
    rf"|\bgot through {_FEW} before|\bonly {_FEW} of (?:work|therapy|session)"
    rf"|\bsession cut short(?:[;,:] (?:\d\d|{NUMBER_WORD})[ -]min)?"
    rf"|\b(?:used|stayed(?: for)?|kept) (?:\d\d|{NUMBER_WORD}) of the (?:\d\d|{NUMBER_WORD}) min"
    rf"|\bcould stay (?:for )?{_FEW}|\b{_FEW},? (?:and )?then (?:his|her|their) (?:ride|bus)\b"
    rf"|\bsaw (?:him|her|them) for {_FEW},? (?:as|since|because) (?:\w+ ){{1,5}}?(?:leave|early|ill|ride)\b"
    r"|\bended things before we had\b|\bbeing sick for most of it\b|\bhalf the hour was gone\b|\b(?:here"
    rf"|there) as of \d{{1,2}}:\d\d|\binterpreter came at half past\b|\bcoax (?:him|her|them) in\b"
)
# `Of the fifty the psychiatrist had him for thirty`, `first half with the advocate`
_SHARED = later(
    rf"\b(?:psychiatrist|nurse|doctor|dr\.? [a-z]+) had (?:him|her|them) (?:for (?:{NUMBER_WORD}|\d\d"
    rf"|the first half)|from \d{{1,2}}:\d\d on)|\bof which [^.;\n]{{0,40}} ate (?:{NUMBER_WORD}|\d\d)\b"
    rf"|\b(?:minus|less) the {NUMBER_WORD} when\b|\bwith a (?:gap|hole) of {_FEW}|\bmet (?:w/|with) (?:pt"
    rf"|client|patient) {_MINUTES},? (?:the )?remaining|\bfirst (?:half(?: hour)?"
    rf"|{_MINUTES}) (?:with the (?:advocate|lawyer|attorney|nurse|caseworker|doctor|police|social worker)"
    rf"|(?:i had )?(?:the )?{RELATIVE}\b|s?he filled)|\bhad the first {_MINUTES} with us\b"
    rf"|\b{_MINUTES} of it we only filled\b|\bwent on for half of the (?:visit|session|hour)\b"
    rf"|\babout half the time i was on with\b|\bthe final {_MINUTES} for (?:scheduling|copay|billing|paper)"
    rf"|\bi was on the [a-z]+ line the first\b|\bminutes in all, {NUMBER_WORD} of them on (?:the|her|his)\b"
)
_TOLD = later(rf"(?<!short )(?<!quick )\b{LENGTH}\b")
_BEFORE, _BEHIND = 90, 70
_TENS = r"(?:twenty|thirty|forty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"


def was_cut_short(plain: str, hints: Mapping[str, Sequence[int]], *, sent: int | None) -> bool:
    """Whether a part of the visit's time is told to have been no session with the patient; where the length
    was sent, also whether it began late or ended early, after another length than that."""
    for at in (*hints.get("unit", ()), *hints.get("cut_short", ())):
        start, end = max(0, at - _BEFORE), at + _BEHIND
        if _SHARED.search(plain, start, end) is not None:
            return True
        broken = _BROKEN_OFF.search(plain, start, end) if sent is not None else None
        if broken is not None and not _is_as_sent(broken[0], sent):
            return True
    return False


def _is_as_sent(said: str, sent: int | None) -> bool:
    """Whether the length that it tells first is the one that was sent: it ended as it was sent."""
    told = _TOLD.search(said)
    return told is not None and sent is not None and same_band(minutes_of(told), sent)


# `She walked in 35 minutes late`
_LATE = later(
    rf"\b(?:walked in|arrived|came(?: in)?|showed up|joined|logged (?:on|in)|got here|was|were)"
    rf" (?:about |almost |nearly |some |roughly )?(?:1[5-9]|[2-5]\d|fifteen|{_TENS})[ -]?min(?:ute)?s? late\b"
)


def came_late(plain: str, hints: Mapping[str, Sequence[int]]) -> bool:
    """Whether the patient is told to have been a quarter of an hour late or more."""
    return any(_LATE.search(plain, max(0, at - _BEFORE), at + _BEHIND) for at in hints.get("unit", ()))
