"""What broke the session off for a while, in whatever words: `a fire drill took us to the stairwell from
10:20 to 10:30`, `of that, ten minutes were a break while the alarm was tested`."""

import re
from bisect import bisect_left
from collections.abc import Mapping

from billing.notes.later import later
from billing.notes.length.planned import came_to
from billing.notes.length.span import Span
from billing.notes.text.spoken import NUMBER_WORD, number

# At the beginning of a word, but not of one that is told not to have been.
_NEVER = r"\b(?<!no )(?<!not )(?<!without )(?<!without a )(?<!without an )(?<!without any )"
# What comes over everybody in the building.
_BUILDING = (
    r"(?:fire|safety|tornado|earthquake|evacuation|shooter|building) drills?|(?:fire |smoke |building "
    r"|car )?alarms?(?! clock)|fire (?:panel|marshal|department)|evacuat\w+|lockdown|outages?|power (?:went"
    r"|was|cut|failed|failure)|lost power|sprinklers?|tornado (?:siren|warning)|bomb threat|gas leak"
    r"|flooded"
)
_PAUSED = (
    r"interrupt(?:ed|ions?)|paused?|recess|breaks?(?! (?:up|down|through|into|the|it|room))|intermission"
    r"|(?:step(?:ped)?|went|walked) (?:out|away)|out of the room|left the room|called (?:away|out)|paged"
    r"|froze|dropped|disconnected|offline|restroom|bathroom|suspended|halted|stopped for|(?:feed|fed"
    r"|nursing"
    r"|nursed) (?:the |her |his )?(?:baby|infant|newborn)|(?:infant|baby) (?:feed|fed)|feeding|diaper"
    r"|took (?:a|the) call|nosebleed|vomit\w*|(?:internet|wi-?fi|connection|video|audio|line|platform"
    r"|link) (?:was |had )?(?:went |gone )?(?:down|lost|dark|out)"
)
# What says outright that some of the time was none of the session.
_NO_SESSION = (
    r"(?:(?:is|are|was|were)n't|not|nothing|no|non)[ -](?:\w+ ){0,2}(?:counted|clinical|therapy|therapeutic"
    r"|psychotherapy|treatment)|(?:do|does)(?:n't| not) count(?! as)|deduct(?:ed)?|subtract(?:ed)?|left out"
    r"|taken off|to come off|(?:(?:take|taking|took|taken|leave|left) (?:those|these|the|that|them|it)"
    r"(?: [\w-]+){0,2} (?:off|out))(?! (?:of|her|his|their|the|my)\b)"
)
_EVENT = later(rf"{_NEVER}(?:(?P<building>{_BUILDING})|(?P<paused>{_PAUSED})|(?P<none>{_NO_SESSION}))\b")
_BROKE = later(rf"{_NEVER}(?:{_BUILDING}|{_PAUSED})\b")
_OF_IT = later(
    r"\bof (?:that|those|these|this|which|them|it|(?:the|this|that|our) (?:session|hour|time|visit))\b"
)
_NONE = later(rf"\b(?:{_NO_SESSION})\b")
_US = later(
    r"\b(?:we|us|our|both|everyone|everybody|all of us|session|visit|appointment|hour|building|client"
    r"|patient"
    r"|pt|work|tested|stood|waited)\b"
)
_ELSEWHERE = later(
    r"\b(?:yesterday|last|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|ago|daily|each(?= \w)|every"
    r"|at home"
    r"|at (?:her |his |their )?(?:work|school|job|daycare)|in (?:class|traffic|court)|lunch|homework"
    r"|usually"
    r"|nightly|at night|overnight|tonight|next(?! (?:door|room|to))|after (?:the )?(?:session|(?:she"
    r"|he|they|client|patient|pt|ct|couple|family) left(?! the room (?:for|to)\b))"
    r"|not (?:counted|included) in the (?:time|minutes|times) above"
    r"|afterwards?|charting|typing|documentation|collateral|lobby|travel|practiced?|panic|attack|shift"
    r"|son's"
    r"|daughter's|pcp|vitals)\b"
)
_QUIET = frozenset(
    ("plan", "goal", "family_history", "past_history", "medical", "social_history", "measures")
)
_DAY, _HALF_DAY = 24 * 60, 12 * 60
_LONGEST_SENTENCE = 260


def broken_off(
    plain: str, hints: Mapping[str, list[int]], chosen: Span, spans: list[Span], sections: list[str]
) -> tuple[int, bool, list[Span]]:
    """Minutes that these other lengths take off the chosen one, each with its section's name; whether one may
    and doesn't say enough; and which of them are times of no session."""
    places = hints.get("broken_off", ())
    minutes, unsure = 0, False
    taken: list[Span] = []
    for span, section in zip(spans, sections, strict=True):
        if span is chosen or span.minutes >= chosen.minutes or section in _QUIET:
            continue
        left, right = _sentence(plain, span)
        at = bisect_left(places, left)
        if at == len(places) or places[at] >= right:
            continue
        event = _EVENT.search(plain, left, right)
        if event is None or _ELSEWHERE.search(plain, left, right):
            continue
        if span.at is None and any(
            told.minutes == span.minutes and left <= told.start < right for told in taken
        ):
            taken.append(span)  # the length of the clock range beside it
            continue
        if span.at is not None:
            if _within(chosen, span):
                minutes += span.minutes
                taken.append(span)
            continue
        if 2 * span.minutes > chosen.minutes or chosen.start < span.start < chosen.end:
            continue
        if _NOT_COUNTING.search(plain, max(left, span.start - _NAMED_BEFORE), span.start):
            taken.append(span)  # `50 minutes, not counting a 10-minute break`: told off already
            continue
        of_it = _OF_IT.search(plain, left, right) is not None and chosen.start < span.start
        together = (left <= chosen.start < right or _I_WENT.search(plain, left, span.start) is not None) and (
            _PLAIN_BREAK.search(plain, left, right) is not None
        )
        if not (of_it or together) and not (
            _BROKE.search(plain, left, right) and _US.search(plain, left, right)
        ):
            continue
        if of_it or together or event["none"] or _NONE.search(plain, left, right):
            minutes += span.minutes
            taken.append(span)
        elif event["building"]:
            if _LASTED.search(plain, max(left, span.start - 40), span.start) or _BREAK_NEXT.match(
                plain, span.end
            ):
                minutes += span.minutes
                taken.append(span)
            else:
                unsure = True
    return minutes, unsure, taken


_NAMED_BEFORE = 30
_NOT_COUNTING = later(
    r"\b(?:not (?:counting|including)|excluding|exclusive of)(?: (?:an?|the|her|his|our|about))* \Z"
)


def is_broken_here(plain: str, start: int, end: int) -> bool:
    """Whether the sentence round a stretch says that this visit was broken off."""
    left, right = _sentence(plain, Span(start, end, 0, "minutes"))
    return bool(
        (_BROKE.search(plain, left, right) or _LOST_LINK.search(plain, left, right))
        and (_US.search(plain, left, right) or not plain[left:start].strip(" -*"))
        and not _ELSEWHERE.search(plain, left, right)
    )


# `Client left 15 min early`, `extended by 10 minutes`, `ran 10 minutes over`; `client left after about 40`.
_FEW_MINUTES, _CHANGED_WITHIN, _LEFT_WITHIN = 5, 100, 60
_CHANGED = later(
    r"\b(?:(?:ended|left|stopped|finished|concluded|closed|terminated|over|wrapped up|logged off|cut off)"
    r"(?: (?:the|our|today's|this) (?:session|visit|appointment|call))?(?= [^.;\n]{0,24} (?:early|before))"
    r"|(?:extended|prolonged|lengthened|shortened|reduced|cut short|cut|ran|went|running)(?= [^.;\n]{0,30})"
    r"(?= by |(?: [^.;\n ]+){1,3} (?:over|long|short|past)\b)(?: by)?)"
    rf" (?:about |roughly |some |approximately |an extra )?(?:(?P<n>\d{{1,2}})|(?P<w>{NUMBER_WORD}))"
    r"[ -]?min(?:ute)?s?\b"
)
# Between the minutes lost or won and the length that they leave.
_LEAVES = later(
    r" (?:early|short|over|long|past|before)[^.;\n\d]{0,40}?[,;:(=-] ?(?:for |so |or |i\.e\. ?|a total of "
    r"|total |actual |leaving |lasting |lasted |about |= ?)*"
)
_LEFT_AFTER = later(
    r"\b(?:client|pt|patient|ct|she|he|they|session|visit|we) (?:had to |then )?(?:left|leave|stopped"
    r"|ended|go"
    r"|logged off) after (?:about |roughly |only |approximately |just )?"
    rf"(?:(?P<n>\d{{1,2}})|(?P<w>{NUMBER_WORD}))(?=[ -]?min|[ ]?[.,;)\n]|\Z| (?:because|due|to|as|since)\b)"
)


def is_untold(plain: str, hints: Mapping[str, list[int]], chosen: Span) -> bool:
    """Whether something came over the session of which no length is told, or only when it began."""
    for at in hints.get("broken_off", ()):
        if plain.startswith(_STOPPED_WORDS, at) and _STOPPED_AT.match(plain, at):
            left, right = _sentence(plain, Span(at, at + 1, 0, "minutes"))
            if not _ELSEWHERE.search(plain, left, right):
                return True
        if plain.startswith(_OVER_US_WORDS, at) and _OVER_US.match(plain, at):
            left, right = _sentence(plain, Span(at, at + 1, 0, "minutes"))
            if (
                _HERE.search(plain, left, right)
                and not _ELSEWHERE.search(plain, left, right)
                and not left <= chosen.start < right
            ):
                return True
    return False


def is_added(plain: str, chosen: Span) -> bool:
    """Whether a length is told to come on top of another: `eighteen minutes more`."""
    return chosen.at is None and (
        _MORE_TIME.match(plain, chosen.end) is not None
        or (chosen.kind != "actual" and _ADDED_BEHIND.match(plain, chosen.end) is not None)
    )


def is_changed(plain: str, chosen: Span) -> bool:
    """Whether what follows a length says that the session ended early, ran over or was left."""
    until = chosen.end + _CHANGED_WITHIN
    behind = plain[chosen.end : until]
    left = _LEFT_AFTER.search(plain, chosen.end, until) if " after " in behind else None
    if left is not None and 0 < _minutes(left) <= chosen.minutes - _FEW_MINUTES:
        return True
    changed = _CHANGED.search(plain, chosen.end, until) if "min" in behind else None
    return changed is not None and _minutes(changed) >= _FEW_MINUTES


def changed_to(plain: str, chosen: Span, spans: list[Span]) -> Span | None:
    """`60-min session cut to 35`, `60-min session ended 15 min early (45 min)`: the length that is told to be
    left, where it adds up."""
    for span in spans:
        if span.kind == "actual" and came_to(plain, span.start):
            return span
    told = [
        span
        for span in spans
        if span.at is None and chosen.end < span.start <= chosen.end + _CHANGED_WITHIN + _LEFT_WITHIN
    ]
    changed = _CHANGED.search(plain, chosen.end, chosen.end + _CHANGED_WITHIN) if told else None
    if changed is None:
        return None
    return next(
        (
            span
            for span in told
            if abs(chosen.minutes - span.minutes) == _minutes(changed)
            and changed.end() < span.start
            and _LEAVES.fullmatch(plain, changed.end(), span.start)
        ),
        None,
    )


def _minutes(told: re.Match[str]) -> int:
    return int(told["n"]) if told["n"] else number(told["w"])


def taken_up_again(plain: str, hints: Mapping[str, list[int]], chosen: Span, spans: list[Span]) -> list[Span]:
    """The lengths of a session that was broken off and went on: `35 minutes, then a break, then 20 more`."""
    places = hints.get("broken_off", ())
    if chosen.at is not None or not places:
        return []
    left, right = _sentence(plain, chosen)
    at = bisect_left(places, left)
    if at == len(places) or places[at] >= right or not _BROKE.search(plain, left, right):
        return []
    parts = [
        span
        for span in spans
        if span.at is None
        and left <= span.start < right
        and (span is chosen or _IN_BOTH.match(plain, span.end) or _ANOTHER.search(plain, left, span.start))
    ]
    more = [
        span for span in parts if _MORE.match(plain, span.end) or _ANOTHER.search(plain, left, span.start)
    ]
    return parts if len(parts) == 2 and more and not _ELSEWHERE.search(plain, left, right) else []


_GOES_ON = (
    r" (?:(?:of (?:work|therapy|session) )?(?:more|again|further)\b|(?:after|once) (?:it|that|the|we"
    r"|everyone"
    r"|all)\b|afterwards?\b)"
)
_MORE = later(_GOES_ON)
_MORE_TIME = later(r" (?:more|further)\b(?! (?:than|about|on|time))")
_N = rf"(?:\d{{1,2}}|{NUMBER_WORD})"
_ADDED_BEHIND = later(
    rf"[^.\n]{{1,60}}?\b(?:(?:another|a further) {_N}(?:[ -]?min(?:ute)?s?)?"
    rf"|{_N}(?:[ -]?min(?:ute)?s?)? more)"
    r"(?= *(?:[.,;)\n]|\Z)| (?:after|once|when|together|of (?:work|therapy|psychotherapy|session))\b)"
)
_LOST_LINK = later(
    r"\b(?:(?:lost|dropped) (?:the |our )?(?:link|call|connection|line|video|picture|sound)|(?:link|call"
    r"|connection"
    r"|line|video) (?:failed|died|ended)|phone call|drill|alarm|siren|nurse|baby|knock\w*|the call)\b"
)
_IN_BOTH = later(rf"{_GOES_ON}| (?:before|until|till|when|and then) (?:it|that|the|we|everyone)\b")
_ANOTHER = later(r"\b(?:another|a further|a second) \Z")
_I_WENT = later(r"\bi (?:was|had to|took|stepped|left|stopped|went|got)\b")
_PLAIN_BREAK = later(
    rf"{_NEVER}(?:breaks?|paused?|interrupt(?:ed|ions?)|recess|step(?:ped)? out|called out|took a call"
    r"|paged)\b"
)
_OVER_US_WORDS = (
    "drill", "evacuat", "lockdown", "outage", "power ", "sprinkler", "tornado ", "bomb threat", "gas leak",
    "flooded", "alarm ",
)  # fmt: skip
_OVER_US = later(
    r"(?:(?<=fire )|(?<=safety )|(?<=tornado )|(?<=building ))drill\b|evacuat|lockdown|outage|power (?:went"
    r"|was cut|failed)|sprinkler|tornado (?:siren|warning)|bomb threat|gas leak|flooded|alarm (?:went|rang"
    r"|sent|emptied|put|had|partway|halfway|in the middle|cut|drove|took|sounded)"
)
# `Paused at 2:30`, and not until when.
_STOPPED_WORDS = (
    "pause",
    "interrupt",
    "break",
    "recess",
    "suspended",
    "halted",
    "stepped",
    "dropped",
    "froze",
)
_STOPPED_AT = later(
    r"(?:paused?|interrupt(?:ed|ions?)|breaks?|recess|suspended|halted|stepped|dropped|froze)"
    r"(?: (?:out|off|away|us|me|him|her|them))?(?: (?:by|for|due to) [^.;\n\d]{1,40}?)? (?:at"
    r"|around) (?:about )?"
    r"(?:[1-9]|1[0-2])(?::[0-5]\d|(?= ?[ap]\.?m\b)|(?=[.,;)\n]|\Z))"
    r"(?![^.;\n]{0,60}(?:\bmin(?:ute)?s?\b|\bresum|\bagain\b|\bback\b|\brestart|\breconve|\breconnect"
    r"|\b(?:to|until|till|through) \d|-\d| - \d))"
)
_HERE = later(r"\b(?:we|us|our|everyone|everybody|session|building|clinic)\b")
_LASTED = later(
    r"\b(?:took|lasted|cost|lost|for|of|was|away|ran|used|ate|outside|spent|held)(?: (?:us|up|about|the"
    r"|some"
    r"|a|an|another|roughly|all))* \Z"
)
_BREAK_NEXT = later(r"[ -](?:\w+ ){0,2}(?:break|interruption|pause|drill|alarm|outage|evacuation|delay)\b")


def _sentence(plain: str, span: Span) -> tuple[int, int]:
    """The sentence round a length, over a semicolon too."""
    start, end = span.start, span.end
    left, right = max(0, start - _LONGEST_SENTENCE), min(len(plain), end + _LONGEST_SENTENCE)
    for mark in (". ", "! ", "? ", "\n"):
        stop = plain.rfind(mark, left, start)
        left = stop + 1 if stop >= 0 else left
        stop = plain.find(mark, end, right)
        right = stop if stop >= 0 else right
    return left, right


def _within(chosen: Span, span: Span) -> bool:
    """Whether a clock range lies in the chosen one, its half of the day told or not."""
    if chosen.at is None or span.at is None:
        return False
    length = (chosen.at[1] - chosen.at[0]) % _DAY
    offsets = [(span.at[0] + shift - chosen.at[0]) % _DAY for shift in (0, _HALF_DAY)]
    return any(offset + span.minutes <= length for offset in offsets)
