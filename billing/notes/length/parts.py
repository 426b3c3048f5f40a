"""Which of several clock ranges are one session that was broken off and went on, and which are something
else."""

import re
from itertools import pairwise

from billing.notes.later import later
from billing.notes.length.points import Point
from billing.notes.length.span import Span

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
    r"|sat (?:back )?down again|sat back down|(?:second|2nd|third|3rd) (?:part|half|portion|segment|block)"
    r"|(?:part|segment|portion|block) (?:2|3"
    r"|two|three"
    rf"|iii?|b|c)|(?:met|meeting|seen|talked|spoke|worked|connected|began|started|logged (?:on|in)"
    rf"|(?:picked|took) (?:it |things )?up|back (?:on|in)) again"
    rf"|(?:picked|took) (?:it |things )?back up|(?:second|next) stretch|{_BREAK_NAMED})"
)
_LINKS = (
    r"(?:[ ,:;()>&-]|\n|\b(?:the|our|session|therapy|visit|video|call|connection|by|via|phone|at|from|and"
    r"|was"
    r"|ran|it|we|time|same|link|until)\b)*"
)
_RESUMED_BEFORE = later(
    rf"\b{_RESUMED}\b{_LINKS}\Z"
    rf"|\A{_LINKS}\b(?:continued|picked (?:back )?up|then|then again|again|the (?:rest|remainder)"
    rf"|(?:fire )?(?:drill|alarm)|break|pause|outage|lockdown)\b{_LINKS}\Z"
)
_AGAIN_BEFORE = later(rf", (?:and )?(?:then )?again\b{_LINKS}\Z")
_LINKED = later(rf"{_LINKS}(?:then)?{_LINKS}")
_RESUMED_BEHIND = later(
    rf"[ ,;:(-]*(?:(?:when |as |where |which |then |and |we |it |was |the |session )*{_RESUMED}\b"
    r"|in (?:two|2) (?:parts|pieces|halves|segments))"
)
# `We sat down again at 9:41 and finished at 10:02.`
_GOES_ON = later(
    r"(?:resum\w+|restored|returned|continued|back\b|reconven\w+|reconnect\w+|restarted|(?:sat|picked"
    r"|logged|joined|started|began|begun|met"
    r"|connected)"
    r"(?: \w+)? (?:again|back)\b|(?:sat|picked|logged) back)"
)
_SPLIT = later(
    r"\b(?:split|(?:two|2) (?:parts|pieces|halves|segments|sittings|stretches|blocks|stints)|broken up"
    r"|in parts)\b[^.\n]{0,110}\Z"
)
# `3:00-3:20 and 3:30-3:50 (fire alarm between)`
_BROKEN = later(
    r"\b(?:alarm|drill|breaks?|paused?|stopped|outage|interrupt\w*|between them|in between"
    r"|between\b(?= *[).;]))"
)
# What was set aside may be more than what was used.
_KEPT = later(
    r"\b(?:slot|block|booked|scheduled|sched|calendar|held|reserved|planned|appointment|appt|allotted|set"
    r" aside"
    r"|my time|on (?:this|the|her|his) case|in all|total)\b"
)
_LEAST, _WELL = 2, 7
_SIDE_BY_SIDE = 7
# What is named with a clock range makes it something else than the session.
_OTHER_WORK = (
    r"(?:(?<!progress )(?<!session )notes?|note[- ]?writing|document\w*|chart(?:ing|ed)|paperwork|admin\w*"
    r"|billing|lunch|supervis\w+|consult\w*|travel\w*|drive|driving|drove|collateral|coordinat\w+|prep\w*"
    r"|staffing"
    r"|(?:staff|team|school|iep) meeting|next (?:appointment|session|visit|client|patient|pt))"
)
# `He was in the process group from 10:00 to 11:30`, told in the note of another service.
_ELSEWHERE = later(
    r"\b(?:he|she|they|client|patient|pt) (?:was|were|had been|came|sat) (?:in|from|at) (?:the |a |her "
    r"|his )?"
    r"(?:[\w-]+ ){0,3}(?:group|class|iop|day program),?(?: (?:from|at|until))* \Z"
)
_OTHER_BEFORE = later(
    rf"\b{_OTHER_WORK}(?: time)?(?:[ ,:;()-]|\b(?:from|at|was|is|were|then|today|written|done)\b)*\Z"
)
_OTHER_BEHIND = later(
    rf"[ ,:(-]*(?:(?:for|on|of|was|were|is|in|spent|used|the|my|to) )*{_OTHER_WORK}\b(?![^.;\n]{{0,40}}\d)"
)
_OTHER_NEAR = later(
    rf"\b(?:{_OTHER_WORK}|next|appointment|scheduled|without|parents?|mother|father|school|homework"
    rf"|tomorrow)\b"
)


_CLOSE_BY = 120
_SERVICE_BEFORE = later(
    r"\b(?:(?P<shared>group|family|couples?|conjoint|parents?)|individual(?:ly)?|one[- ]to[- ]one|alone)"
    r"(?: (?:therapy|psychotherapy|session|work|time|for|was|of|lasted))*[ ,:]*\Z"
)
_SERVICE_BEHIND = later(
    r",? (?:of |in )?(?:(?P<shared>group|family|couples?|conjoint|(?:with )?(?:both |his |her |the "
    r"|their )?(?:parents|couple|family"
    r"|(?:mother|mom) and (?:father|dad)))|individual(?:ly)?|one[- ]to[- ]one|alone|with (?:him|her"
    r"|the (?:client|patient)) alone)\b"
)


# `Total time 75 min, including chart review`, `60 min: first 30 family (separate note)`,
# `with a break while ...`
_INCLUDING = later(
    r"[ ,;(-]*(?:including|incl\.?|which included|covering|counting)\b[^.;\n]{0,60}\b"
    r"(?:chart|writ(?:ing|e)|(?:the|this|my|a|progress) notes?|document\w*"
    r"|calls? (?:to|with)|paperwork|coordinat\w*|travel|e/?m|med(?:ication)?s?)\b"
)
_WITH_A_BREAK = later(
    r"[ ,;(-]*with (?:an?|one|two|several) (?:short |brief |long )?(?:break|pause|interruption)s?\b"
    r"(?![^.\n]{0,60}(?:\d|not (?:counted|included)|excluded|deducted|taken off))"
)
# `4:00-4:31, fire drill, in our seats at 4:44`: a break, and a time of day behind it in the same breath
_BREAK_THEN_TIME = later(
    r"[ ]*[,;:-][^.\n]{0,40}?\b(?:drill|alarm|break|pause[sd]?|outage|interrupt\w*|evacuat\w*|lockdown)\b"
    r"(?![ ]*(?:[(,:]|from|at|was)*[ ]*\d[\d:]*[ ]*(?:-|to\b))[^.\n]{0,40}?\b\d{1,2}:[0-5]\d\b"
)
# `45 minutes x 2`, `two times 45 minutes`
_SO_OFTEN = later(
    r"[ ]*(?:each )?(?:x|\u00d7|times)[ ]?(?:[2-4]|two|three)\b(?![ ]?(?:/|per|an? |week|month|min))"
)
_SO_OFTEN_BEFORE = later(r"(?<![\d:])(?:[2-4]|two|three)[ ]?(?:x|\u00d7|times) \Z")
_OFTEN_WITHIN = 12
# `Group 9 to 10:30, individual after`
_SHARED_BEFORE = later(
    r"\b(?:group|family|couples?)(?: (?:was|ran|met|went|from|therapy|session|at))*[ :,]*\Z"
)
_THEN_SINGLY = later(
    r"[ ]*[,;.:-]?[ ]*(?:and |but )?(?:then |after (?:that|which),? )?"
    r"(?:i (?:then )?(?:saw|met)|(?:an? )?individual|one[- ](?:on|to)[- ]one)\b"
)
_NOTED_APART = ("separate note", "separately noted", "billed separately", "own note")
_NOTED_WITHIN = 60


def is_of_more(plain: str, chosen: Span) -> bool:
    """Whether a length is told to hold more than the session, or a break of which no length is told, or one
    behind it and a time at which the session may have gone on."""
    if chosen.at is not None and _BREAK_THEN_TIME.match(plain, chosen.end):
        return True
    if chosen.at is None and (
        _SO_OFTEN.match(plain, chosen.end)
        or _SO_OFTEN_BEFORE.search(plain, max(0, chosen.start - _OFTEN_WITHIN), chosen.start)
    ):
        return True
    if _THEN_SINGLY.match(plain, chosen.end) and _SHARED_BEFORE.search(
        plain, max(0, chosen.start - _OFTEN_WITHIN * 2), chosen.start
    ):
        return True
    if _INCLUDING.match(plain, chosen.end) or _WITH_A_BREAK.match(plain, chosen.end):
        return True
    end = plain.find("\n", chosen.end, chosen.end + _NOTED_WITHIN)
    end = end if end >= 0 else chosen.end + _NOTED_WITHIN
    return any(plain.find(said, chosen.end, end) >= 0 for said in _NOTED_APART)


def told_in_all(plain: str, chosen: Span, spans: list[Span]) -> list[Span]:
    """`10:00 to 10:31 and 10:40 to 11:05. Total psychotherapy 56 min.`: two clock ranges side by side, of
    which the note tells the sum."""
    ranges = sorted((span for span in spans if span.at is not None), key=lambda span: span.start)
    lengths = {span.minutes for span in spans if span.at is None}
    for left, right in pairwise(ranges):
        gap = plain[left.end : right.start]
        if (
            chosen in (left, right)
            and len(gap) <= _SIDE_BY_SIDE
            and gap.strip(" ,;+&") in ("", "and", "then")
            and left.minutes + right.minutes in lengths
        ):
            return [left, right]
    return []


def parts_of(plain: str, chosen: Span, spans: list[Span]) -> list[Span]:
    """The clock ranges of a session that is said to have gone on: `10:00-10:25, resumed 10:40-11:08`."""
    if chosen.at is None:
        return []
    ranges = sorted((span for span in spans if span.at is not None), key=lambda span: span.start)
    if len({span.at for span in ranges}) != len(ranges):
        return []
    at = next((number for number, span in enumerate(ranges) if span.start == chosen.start), None)
    if at is None:
        return []
    first = last = at
    while first > 0 and _goes_on(plain, ranges[first - 1], ranges[first]):
        first -= 1
    while last + 1 < len(ranges) and _goes_on(plain, ranges[last], ranges[last + 1]):
        last += 1
    return ranges[first : last + 1] if last > first else []


def _goes_on(plain: str, first: Span, second: Span) -> bool:
    """Whether the second of two neighbouring clock ranges is the same session, taken up again."""
    if second.start - first.start > _PARTS_WITHIN and not (
        second.start - first.start <= _FARTHER and _GOES_ON.match(plain, second.start)
    ):
        return False
    if first.at is None or second.at is None or not 0 < second.at[0] - first.at[1] <= _LONGEST_BREAK:
        return False
    between = plain[first.end : second.start]
    told = between.rpartition(". ")[2]
    told = told.rpartition(",")[2] if _AGAIN_BEFORE.search(told) else told
    if _OTHER_NEAR.search(told) or _OTHER_NEAR.search(_sentence_behind(plain, second)):
        return False
    if (
        _RESUMED_BEFORE.search(between)
        or _AGAIN_BEFORE.search(between)
        or _GOES_ON.match(plain, second.start)
        or between.strip() in ("+", "&")
    ):
        return True
    return _LINKED.fullmatch(between) is not None and (
        _RESUMED_BEHIND.match(plain, second.end) is not None
        or _SPLIT.search(plain, max(0, first.start - 140), first.start) is not None
        or _BROKEN.search(plain, second.end, second.end + 60) is not None
    )


def while_there(plain: str, chosen: Span, points: list[Point]) -> Span | None:
    """What is left of a clock range that was kept for the session, or for more than it, where the note tells
    when the patient came or left: `Slot 1:00 to 2:00; she left at 1:50`."""
    if chosen.at is None or not points or not _KEPT.search(plain, max(0, chosen.start - 40), chosen.end + 20):
        return None
    since, until = chosen.at
    for point in points:
        if point.other or not 0 <= point.start - chosen.end <= _FARTHER:
            continue
        for reading in point.clock.readings():
            if since + _LEAST < reading < until - _LEAST:
                if point.opens:
                    since = reading
                else:
                    until = reading
    if (since, until) == chosen.at:
        return None
    return Span(chosen.start, chosen.end, until - since, chosen.kind, (since, until), own=True)


def came_or_left(plain: str, chosen: Span, points: list[Point]) -> bool:
    """Whether the patient is told to have come or left well within a clock range that follows no plan."""
    if chosen.at is None or chosen.own:
        return False
    since, until = chosen.at
    return any(
        point.own
        and not point.other
        and 0 <= point.start - chosen.end <= _PARTS_WITHIN
        and any(since + _WELL < reading < until - _WELL for reading in point.clock.readings())
        for point in points
    )


def ended_later(chosen: Span, points: list[Point]) -> bool:
    """Whether a later end is told: `Began 3:15. We worked until 3:50. Dad came in. Finished 4:00.`"""
    if chosen.at is None:
        return False
    _, until = chosen.at
    return any(
        point.own
        and not (point.opens or point.other or point.breaks)
        and 0 <= point.start - chosen.end <= _FARTHER
        and any(until + _LEAST < reading <= until + _LONGEST_BREAK for reading in point.clock.readings())
        for point in points
    )


# `Start 3:50, stop 4:50. Correction: session actually ended 4:35.`
_SAYS_SO = later(r"\b(?:correct(?:ion|ed|ing)|amend(?:ed|ment|ing)|addendum|late entry|in error|error)\b")
_REALLY_ENDED = later(
    r"\b(?:session|visit|we|appointment|therapy|s?he|they|client|patient|pt)\b[^.;\n]{0,12}\b(?:actually"
    r"|really"
    r"|in fact) (?:end(?:ed)?|stopp?e?d?|finished|closed|left|concluded|wrapped up)(?: at)? \Z"
    r"|\bactual(?:ly)? (?:stop|end|finish)(?: time)?[ ]?(?:was|is|:|=)?[ ]?\Z"
)
_LONGEST_TIME = 12


def end_put_right(plain: str, chosen: Span, span: Span) -> bool:
    """Whether of two clock ranges with one beginning the chosen one has the end that a correction gives."""
    if chosen.at is None or span.at is None or span is chosen or chosen.at[0] != span.at[0]:
        return False
    if not span.end < chosen.end <= span.end + _FARTHER or not _SAYS_SO.search(plain, span.end, chosen.end):
        return False
    return any(
        _REALLY_ENDED.search(plain, span.end, at)
        for at in range(chosen.end - 1, chosen.end - _LONGEST_TIME, -1)
        if plain[at].isdecimal() and plain[at - 1] == " "
    )


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


def another_service(plain: str, chosen: Span, span: Span) -> bool:
    """Whether a second length close by is told of another service: `30 minutes with Sam, 25 with his
    parents`."""
    if span is chosen or abs(span.start - chosen.start) > _CLOSE_BY:
        return False
    services = {_service_of(plain, chosen), _service_of(plain, span)}
    return len(services) == 2 and "" not in services


def _service_of(plain: str, span: Span) -> str:
    before = _SERVICE_BEFORE.search(plain, max(0, span.start - 30), span.start)
    if before is not None:
        return "shared" if before["shared"] else "individual"
    behind = _SERVICE_BEHIND.match(plain, span.end)
    return "" if behind is None else "shared" if behind["shared"] else "individual"
