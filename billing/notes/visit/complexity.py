"""Whether the note names interactive complexity as a part of this visit."""

from billing.notes.later import later
from billing.notes.visit.modality import Cue

_BEFORE = 44
# `Insurance does not cover 90785`, `consider billing 90785`
_NOT_HERE = later(
    r"(?:\b(?:not|no|nor|never|cannot|without|unable to|denie[sd]|declined|consider(?:ing)?|may|might|if|last"
    r"|previous|prior|next|removed?|omit(?:ted)?|instead of|rather than)|n't)\b"
    r"(?! (?:yet |always )?(?:speak|talk|say|tell|use words)\b)[^.,;:+\n\d]{0,30}\Z"
)
# What a child can't say denies nothing of the visit.
_DENIED = later(
    r"\b(?:no|not|without|denied|n't)\b(?! (?:yet |always )?(?:speak|talk|say|tell|use words)\b)"
    r"[^.\n]{0,25}\Z"
)
# `90785 (interactive complexity) was not warranted`, `interactive complexity last session only`
_NOT_SO = later(
    r"[ (]*(?:90785|interactive complexity)?[)\] ]*(?:[:,=-]+ ?)?"
    r"(?:(?:code|add-?on|today|was|is|were|does|do|did|should|could|can|would|has|have|be|been|will|may|might"
    r"|billed|used|applied|added|claimed|reported|for|in|at|the|only|(?:my|our))[ ]+){0,4}"
    r"(?:(?:not|none|n/a|absent|cannot|never|denied|declined|disallowed|unwarranted|inapplicable|next|last"
    r"|previous|prior|previously|no(?![ -]\w)|(?:was|is|does|did|could|should|would|can)n't)\b"
    r"|(?:criteria |requirements )?(?:not|un)[ ]?met\b)"
)

# `Interactive complexity: [ ] yes [x] no`, `... Y / N: N`, `... criteria were not met`, in its sentence
_EMPTY = r"(?:\[[ _]?\]|\([ _]?\)|\u2610|_{1,6})"
_TICK = r"(?:[\[(] ?[xy*+\u2611] ?[\])]|\u2611|_{1,3}x_{1,3})"
_YES, _NO = r"y(?:es)?", r"no?"
_ASKED = (
    r"[ (]{0,4}(?:90785|interactive complexity)?[)\] ]{0,4}"
    r"(?:(?:factors?|criteria|add-?on|code|present|applies|used|billed|met)[ ]{0,3}){0,2}"
)
_ANSWERED = later(
    rf"{_ASKED}(?:\(?(?:y ?/ ?n|yes ?/ ?no)\b\)?)?[ ]{{0,3}}[?:=-]{{0,3}}[ ]{{0,3}}"
    rf"(?:(?:no|n|none|n/a|absent)(?=[ ]*(?:[.,;)\n]|\s{{2}}|\Z|present\b|today\b|noted\b|identified\b))"
    rf"|{_EMPTY} ?{_YES}\b[ ,/]*(?:{_TICK}|{_EMPTY}) ?{_NO}\b"
    rf"|{_YES} ?{_EMPTY}[ ,/]*{_NO} ?(?:{_TICK}|{_EMPTY})"
    rf"|{_TICK} ?{_NO}\b[ ,/]*{_EMPTY} ?{_YES}\b|{_NO} ?{_TICK}[ ,/]*{_YES} ?{_EMPTY}"
    rf"|{_EMPTY}[ ]*(?:[.,;\n]|\Z)"
    r"|(?:[^.\n]{0,40}[ ;,])?(?:criteria|factors?|requirements?|elements?)\b[^.\n;:,]{0,24}"
    r"(?:\b(?:not|none|absent|unmet|lacking)|n't)\b"
    r"|[^.\n]{0,20}\bno(?:ne of the)? (?:\w{1,20} )?(?:factors?|criteria|elements?)\b(?! other than)"
    r"|(?:(?:was|is|were) )?(?:considered|reviewed|assessed|evaluated)\b[^.\n]{0,30}\bnot\b)"
)


def applies(plain: str, start: int, end: int) -> bool:
    """Whether the words round a name or the code of interactive complexity leave it to this visit."""
    return (
        _NOT_HERE.search(plain, max(0, start - _BEFORE), start) is None
        and _NOT_SO.match(plain, end) is None
        and _ANSWERED.match(plain, end) is None
    )


def named_complexity(plain: str, cues: list[Cue]) -> Cue | None:
    """The words by which the clinician says that the visit was one of interactive complexity."""
    for cue in cues:
        if applies(plain, cue.start, cue.end) and not _DENIED.search(
            plain, max(0, cue.start - _BEFORE), cue.start
        ):
            return cue
    return None
