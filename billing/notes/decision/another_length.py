"""A session that the note tells longer or shorter than the minutes that were sent with it, in words that give
no length by themselves: then a person is asked."""

import re
from collections.abc import Iterator

from billing.notes.later import later
from billing.notes.length.span import same_band
from billing.notes.reading import Reading
from billing.notes.text.spoken import HOUR_WORDS, NUMBER_WORD, number

_PARTS = {
    "half an hour": 30,
    "a quarter of an hour": 15,
    "three quarters of an hour": 45,
    "an hour and a half": 90,
    "a full hour": 60,
    "a whole hour": 60,
}
LENGTH = (
    r"(?:(?:about|some|only|just|the|nearly|almost|roughly|maybe|our|a good) )*"
    rf"(?:(?P<h>{'|'.join(_PARTS)})|(?P<d>[0-2]?\.\d{{1,2}}) ?h(?:ou)?rs?"
    rf"|(?:(?P<n>\d{{1,3}})|(?P<w>{NUMBER_WORD}))(?:[ -]?min(?:ute)?s?)?)"
)
_SESSION = r"(?:session|visit|appointment|hour|meeting|one|slot)"
# What is so long is the session.
_LENGTHS = (
    later(
        r"\b(?:extended|double|long|short(?:ened)?|abbreviated|brief|quick)"
        rf" {_SESSION}(?: today)?[^.;\n]{{0,12}}?[,:(] ?{LENGTH}\b"
    ),
    later(
        r"\b(?:counseling|therapy|psychotherapy)(?: proper| itself|, this date)?\b[^.;\n]{0,40}?"
        rf"(?:\b(?:came to|it is|it was|was|were)|:) {LENGTH}\b(?!:| (?:of|in|to|per|an?)\b)"
    ),
    later(rf"\bwere together (?:for )?{LENGTH}\b"),
    later(rf"\b(?:that|which) was {LENGTH} in\b"),
    later(rf"\bwe(?:'d| had) had (?:our )?{LENGTH}\b"),
    later(
        r"\b(?:writer|clinician|therapist|counselor) met with (?:the )?(?:client|patient|pt|ct)"
        rf" for {LENGTH}\b"
    ),
    later(rf"\bhad (?:him|her|them) for the (?:remaining|other) {LENGTH}\b"),
    later(rf"\bwe (?:stayed on|(?:got|made it) to (?=[a-z0-9 -]{{1,14}}min)) ?{LENGTH}\b(?![ -]min)"),
    later(rf"\bwhen {LENGTH} were up\b"),
    later(rf"\b(?:signed|logged|clicked|hung) (?:off|up|out) at minute {LENGTH}\b"),
    later(rf"\b(?:stayed|remained|here)(?: for)? {LENGTH} (?:by the clock|in all|only)\b"),
    later(rf"\btalked\b[^.;\n]{{0,40}},? for {LENGTH}\b"),
    later(
        rf"\bused {LENGTH} of (?:her|his|their|the|our) (?:hour|time|session|slot|sixty|fifty|forty-five)\b"
    ),
    later(
        rf"(?<!mother )(?<!father )(?<!mom )(?<!dad )(?<!husband )(?<!wife )(?<!partner )(?<!parents )"
        r"\b(?:leave|left|go|went|stop|stopped|ended|finished|departed)(?: (?:us|me|early|off|there|it))*,?"
        rf" after {LENGTH}\b(?![ -]min)(?! and (?:came|returned|then))"
    ),
    later(
        rf"\b{LENGTH} (?:(?:were|was) (?:left|all that was left) for (?:therapy|us|the (?:session|work)|work)"
        r"|door to door|straight through)\b"
    ),
)
# What is so long is none of it.
_LOSSES = (
    later(
        r"\b(?:took|had|used|filled|occupied|spent|went (?:to|on)|lost|gave) (?:up )?(?:me )?(?:the )?"
        rf"(?:first|last|final|opening) {LENGTH}\b(?! of (?:practice|breathing|mindful|exposure|meditation))"
    ),
    later(
        rf"\b(?:best part of|lost|losing|wasted|waited|cost us) {LENGTH} (?:rebooting|restart\w+|waiting"
        r"|troubleshoot\w+|reconnect\w+|(?:to|on) (?:the )?(?:tech|connect|link|alarm|drill|audio|video)"
        r"|getting (?:the|her|his|connect)|for (?:the|her|him))\b"
    ),
    later(
        rf"\b(?:came|arrived|walked|got here|joined|showed)\b[^.;\n]{{0,30}}? {LENGTH} (?:after|past)"
        rf" (?:the hour|{'|'.join(HOUR_WORDS)})\b"
    ),
    later(rf"\bhad (?:him|her|them) for the first {LENGTH}\b"),
    later(rf"\b(?:came|arrived|joined|walked in|logged on) {LENGTH} into (?:her|his|their|our|the)\b"),
    later(rf"\b{LENGTH} of [^.;\n]{{0,40}}, (?:not (?:one|any)|none) of (?:it|them) therapy\b"),
    later(rf"\bbuilding (?:was|got|had to be) (?:emptied|evacuated|cleared)\b[^.\n]{{0,90}}? for {LENGTH}\b"),
)
# What is so long came on top.
_MORE = (
    later(
        r"(?<!last week we )(?<!last time we )\b(?:ran|went|run|gone) (?:over|long|past (?:time|the hour))"
        rf"(?: time)?,?(?: by)? {LENGTH}\b"
    ),
    later(rf"\bwent {LENGTH} over (?:our|the|her|his)\b"),
)
_SHY = later(rf"\b(?:stayed on|ran|lasted|went|was) {LENGTH} (?:shy|short) of an hour\b")
_SPLIT = later(
    r"\b(?:split (?:it|the hour|the session|our time) (?:down the middle|in half|evenly)"
    r"|(?:used up|took) (?:the first )?half (?:of )?(?:our|the|her|his) (?:fifty|sixty|hour|hr|session"
    r"|visit|appointment)|first half of the (?:hr|hour) =|about two-thirds of the hour)\b"
)
_HALF = later(r"\bhalf (?:session|fee)\b(?! next)")
_BESIDE = later(
    r"\b(?:is|are|was|were) (?:out of|no part of) the therapy\b|\bsee(?:n| me) alone at the start while\b"
)
_CLOCK = r"(?P<{0}h>\d{{1,2}}):(?P<{0}m>\d\d)"
_BEGAN = later(
    r"\b(?:began|beg[iu]n(?: till| until)?|started|start(?: was)?|sat down|opened|got going|arrived"
    r"|logged on|on(?= at)|pulled (?:out )?(?:from|of) [a-z ]{2,16}),? (?:promptly )?(?:at )?"
    rf"(?:{_CLOCK.format('a')}|(?P<o>{'|'.join(HOUR_WORDS)}) (?:sharp|o'clock|on the dot))"
)
_ENDED = later(
    r"\b(?:left|leave|stop(?:ped)?|ended|end(?: was)?|done|finished|gone|back (?:in|for|to|by)|until)\b"
    rf"[^.;\n]{{0,50}}?(?:at|the|by|until|for)? {_CLOCK.format('b')}"
    rf"|\b(?:at|by) {_CLOCK.format('c')},? (?=[^.\n]{{0,90}}\b(?:left|stop|stopped|ended|called time"
    r"|could not wait|stood up|had to go|gave up)\b)"
)
_FAR, _HALF_A_DAY = 1200, 720
_BEFORE, _BEHIND = 48, 96
_HOUR, _HALF_AN_HOUR = 60, 30
_SAME_WITHIN = 5


def tells_another_length(reading: Reading, minutes: int) -> bool:
    """Whether some statement makes the session so much shorter or longer that it is billed otherwise."""
    return any(_tried(_BESIDE, "length_more", reading)) or any(
        told > 0 and abs(told - minutes) > _SAME_WITHIN and not same_band(told, minutes)
        for told in _told(reading, minutes)
    )


def _told(reading: Reading, minutes: int) -> Iterator[int]:
    """Every length that a statement would make of it."""
    for pattern in _LENGTHS:
        yield from map(minutes_of, _tried(pattern, "length_told", reading))
    for pattern in _LOSSES:
        yield from (minutes - minutes_of(match) for match in _tried(pattern, "length_lost", reading))
    for pattern in _MORE:
        yield from (minutes + minutes_of(match) for match in _tried(pattern, "length_more", reading))
    yield from (_HOUR - minutes_of(match) for match in _tried(_SHY, "length_more", reading))
    yield from (minutes // 2 for _ in _tried(_SPLIT, "length_more", reading))
    yield from (_HALF_AN_HOUR for _ in _tried(_HALF, "length_more", reading))
    began = next(_tried(_BEGAN, "began", reading), None)
    ended = _ENDED.search(reading.plain, began.end(), began.end() + _FAR) if began else None
    if began and ended:
        hour = HOUR_WORDS.index(began["o"]) + 1 if began["o"] else int(began["ah"])
        end = 60 * int(ended["bh"] or ended["ch"]) + int(ended["bm"] or ended["cm"])
        yield (end - 60 * hour - int(began["am"] or 0)) % _HALF_A_DAY


def _tried(pattern: re.Pattern[str], name: str, reading: Reading) -> Iterator[re.Match[str]]:
    """Where a pattern stands beside the words that it needs."""
    for at in reading.hints.get(name, ()):
        match = pattern.search(reading.plain, max(0, at - _BEFORE), at + _BEHIND)
        if match is not None:
            yield match


def minutes_of(match: re.Match[str]) -> int:
    """The minutes of a `LENGTH`."""
    if match["d"]:
        return round(60 * float(match["d"]))
    return _PARTS.get(match["h"] or "") or (int(match["n"]) if match["n"] else number(match["w"]))
