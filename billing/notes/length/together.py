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
    return (
        plain.startswith(_THROUGHOUT, span.end)
        or _PLAINLY.search(plain, max(0, span.start - _NEAR), span.start) is not None
    )
