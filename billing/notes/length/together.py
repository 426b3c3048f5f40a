"""A length that is told as the time the two of them had, in a sentence that weighs little otherwise."""

from billing.notes.later import later
from billing.notes.length.span import Span

_WHO = r"(?:(?:the )?(?:client|patient|pt|ct|youth|teen|child)|him|her|them)"
_ONLY = r"(?: (?:only|just|about|all of|exactly|maybe|barely|a bare|roughly))*"
# `I saw her for 30 minutes, as she had to leave`, `the session took 30 minutes`
_BEFORE = later(
    rf"\b(?:i|we)(?: (?:only|just))? (?:(?:saw|met(?: with)?|treated|talked(?: with)?|sat(?: with)?|worked"
    rf"(?: with)?|spoke(?: with)?)(?: {_WHO}| together| alone| [a-z]+ly)? for|managed|used|finished in|got"
    rf"|were done in){_ONLY} \Z"
    rf"|(?:\A|[.;\n])[ ]*met (?:with|w/) {_WHO} (?:for|x){_ONLY} \Z"
    rf"|\b(?:s?he|they|{_WHO}) (?:could (?:only )?stay|stayed(?: for)?|was (?:here|in the room|with me) for)"
    rf"{_ONLY} \Z"
    r"|\b(?:(?:session|visit|meeting|appointment|contact|encounter)(?: (?:today|itself|only))?|time together)"
    rf" (?:took|was(?: (?:cut|shortened|abbreviated) to)?|lasted|came to|ran(?: for)?|ended (?:early,? )?at)"
    rf"{_ONLY} \Z"
    r"|\b(?:session|visit|appointment) (?:was )?(?:(?:abbreviated|shortened|cut) to|cut short[;,:]?) \Z"
)
_BEHIND = later(
    r",? (?:were all (?:we|there)|of (?:work|therapy|session) (?:were|was) (?:possible|all)"
    r"|(?:and )?then (?:his|her|their) (?:ride|bus|mother|father|mom|dad) came)\b"
)
# So plain that it needs no other sign: `total with him was 44 minutes`, `fifty minutes, start to finish`
_PLAINLY = later(
    rf"\bthe two of us (?:talked|worked|met|sat)(?: together)?(?: for)?{_ONLY} \Z"
    rf"|\btotal (?:time )?with {_WHO} (?:was|came to){_ONLY} \Z|\bwe(?: had|'d) been on for{_ONLY} \Z"
    rf"|\bindividual (?:(?:psycho)?therapy|tx|counseling)(?: today)? (?:ran|lasted|took){_ONLY} \Z"
)
# A sentence that gives the session's own length: `Our session took forty minutes in all`.
_ITS_OWN = later(
    r"(?:\A|[.;\n])[ ]*(?:our|the|today's|this) (?:session|visit|appointment)"
    r"(?: today| itself| with (?:him|her|them))? (?:took|ran|lasted|went)(?: on)?(?: for)?"
    r"(?: just| exactly| about| a full| the full)* \Z"
)
# `We used the remaining forty minutes for psychotherapy`, `Over fifty minutes by video we practiced`
_USED_SO, _FOR_THERAPY = (
    later(r"\bused (?:the )?(?:remaining |other )?\Z"),
    later(r" for (?:individual |our |the )?(?:psycho)?therapy\b"),
)
_OVER_SO, _WE_DID = (
    later(r"(?:\A|[.;\n])[ ]*over \Z"),
    later(r"(?: by video| by phone| together)?,? we (?:practiced|worked|talked|looked|went|reviewed)\b"),
)
_THROUGHOUT = ", start to finish"
_NEAR = 64


def is_of_the_two(plain: str, span: Span) -> bool:
    """Whether its sentence tells it as the length of what they did together."""
    return (
        _BEFORE.search(plain, max(0, span.start - _NEAR), span.start) is not None
        or _BEHIND.match(plain, span.end) is not None
    )


def is_plainly_theirs(plain: str, span: Span) -> bool:
    """Whether its sentence needs no other sign that it is this session's length."""
    left = max(0, span.start - _NEAR)
    if _FOR_THERAPY.match(plain, span.end) and _USED_SO.search(plain, left, span.start):
        return True
    if _WE_DID.match(plain, span.end) and _OVER_SO.search(plain, left, span.start):
        return True
    return plain.startswith(_THROUGHOUT, span.end) or _PLAINLY.search(plain, left, span.start) is not None


def is_its_own(plain: str, span: Span) -> bool:
    """Whether a sentence says of the session that it took so long."""
    return _ITS_OWN.search(plain, max(0, span.start - _NEAR), span.start) is not None
