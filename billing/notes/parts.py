"""Which of several clock ranges are one session that was broken off and went on, and which are something
else."""

import re

from billing.notes.times import Span

# The second half of a broken session stands close behind the first, and began within the hour.
_PARTS_WITHIN = 160
# One that says itself that it goes on may stand farther.
_FARTHER = 700
_LONGEST_BREAK = 60
# Only such words make one session of two clock ranges: directly before the second, directly behind it, or
# before both of them.
_BREAK_NAMED = (
    r"(?:after|following) (?:the |an? |this |that |her |his |their )?(?:\w+ )?"
    r"(?:break|pause|drill|alarm|outage|interruption)"
)
_RESUMED = (
    r"(?:resum(?:ed|ing|ption)|re-?connect(?:ed|ing|ion)|restarted|restored|reconvened|rejoined"
    rf"|(?:second|2nd) (?:part|half|portion|segment)|part (?:2|two|ii)|{_BREAK_NAMED})"
)
_LINKS = (
    r"(?:[ ,:;()>&-]|\n|\b(?:the|our|session|therapy|visit|video|call|connection|by|via|phone|at|from|and|was"
    r"|ran|it|we|time)\b)*"
)
_RESUMED_BEFORE = re.compile(
    rf"\b{_RESUMED}\b{_LINKS}\Z"
    rf"|\A{_LINKS}\b(?:continued|picked (?:back )?up|then|then again|again)\b{_LINKS}\Z"
)
_LINKED = re.compile(rf"{_LINKS}(?:then)?{_LINKS}")
_RESUMED_BEHIND = re.compile(
    rf"[ ,;:(-]*(?:(?:when |as |where |which |then |and |we |it |was |the |session )*{_RESUMED}\b"
    r"|in (?:two|2) (?:parts|pieces|halves|segments))"
)
# `We sat down again at 9:41 and finished at 10:02.`
_GOES_ON = re.compile(
    r"(?:resum\w+|reconven\w+|reconnect\w+|restarted|(?:sat|picked|logged|joined|started|began|begun|met"
    r"|connected)"
    r"(?: \w+)? (?:again|back)\b|(?:sat|picked|logged) back)"
)
_SPLIT = re.compile(
    r"\b(?:split|(?:two|2) (?:parts|pieces|halves|segments)|broken up|in parts)\b[^.\n]{0,110}\Z"
)
# What is named with a clock range makes it something else than the session.
_OTHER_WORK = (
    r"(?:(?<!progress )(?<!session )notes?|note[- ]?writing|document\w*|chart(?:ing|ed)|paperwork|admin\w*"
    r"|billing|lunch|supervis\w+|consult\w*|travel\w*|drive|driving|drove|collateral|coordinat\w+|prep\w*"
    r"|staffing"
    r"|(?:staff|team|school|iep) meeting|next (?:appointment|session|visit|client|patient|pt))"
)
# `He was in the process group from 10:00 to 11:30`, told in the note of another service.
_ELSEWHERE = re.compile(
    r"\b(?:he|she|they|client|patient|pt) (?:was|were|had been|came|sat) (?:in|from|at) (?:the |a |her "
    r"|his )?"
    r"(?:[\w-]+ ){0,3}(?:group|class|iop|day program),?(?: (?:from|at|until))* \Z"
)
_OTHER_BEFORE = re.compile(
    rf"\b{_OTHER_WORK}(?: time)?(?:[ ,:;()-]|\b(?:from|at|was|is|were|then|today|written|done)\b)*\Z"
)
_OTHER_BEHIND = re.compile(
    rf"[ ,:(-]*(?:(?:for|on|of|was|were|is|in|spent|used|the|my|to) )*{_OTHER_WORK}\b(?![^.;\n]{{0,40}}\d)"
)
_OTHER_NEAR = re.compile(
    rf"\b(?:{_OTHER_WORK}|next|appointment|scheduled|without|parents?|mother|father|school|homework"
    rf"|tomorrow)\b"
)


def parts_of(plain: str, chosen: Span, spans: list[Span]) -> list[Span]:
    """The clock ranges of a session that is said to have gone on: `10:00-10:25, resumed 10:40-11:08`."""
    if chosen.at is None:
        return []
    ranges = [span for span in spans if span.at is not None]
    parts = [
        span
        for span in ranges
        if span.at != chosen.at
        and abs(span.start - chosen.start)
        <= (_FARTHER if _GOES_ON.match(plain, max(span.start, chosen.start)) else _PARTS_WITHIN)
    ]
    if len(parts) != 1 or len({span.at for span in ranges}) != len(ranges):
        return []
    first, second = sorted((chosen, parts[0]), key=lambda span: span.start)
    if first.at is None or second.at is None or not 0 < second.at[0] - first.at[1] <= _LONGEST_BREAK:
        return []
    between = plain[first.end : second.start]
    if _OTHER_NEAR.search(between.rpartition(". ")[2]) or _OTHER_NEAR.search(_sentence_behind(plain, second)):
        return []
    adjoining = _LINKED.fullmatch(between) is not None
    if (
        _RESUMED_BEFORE.search(between)
        or _GOES_ON.match(plain, second.start)
        or (adjoining and _RESUMED_BEHIND.match(plain, second.end))
        or (adjoining and _SPLIT.search(plain, max(0, first.start - 140), first.start))
    ):
        return [first, second]
    return []


def _sentence_behind(plain: str, span: Span) -> str:
    return re.split(r"[.\n]", plain[span.end : span.end + 60], maxsplit=1)[0]


def apart(chosen: Span, span: Span) -> bool:
    """Whether another clock range shares no minute with the chosen one: the session's second half, or
    something else."""
    if chosen.at is None or span.at is None:
        return False
    return span.at[0] >= chosen.at[0] + chosen.minutes or chosen.at[0] >= span.at[0] + span.minutes


def is_other_work(plain: str, span: Span) -> bool:
    """Whether a clock range is labelled as something else than the session: `Charting 9:50-10:00`."""
    return span.kind == "range" and bool(
        _OTHER_BEFORE.search(plain, max(0, span.start - 40), span.start)
        or _OTHER_BEHIND.match(plain, span.end)
        or _ELSEWHERE.search(plain, max(0, span.start - 70), span.start)
    )
