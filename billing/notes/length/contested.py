"""What the words round a length tell against it: another end, a part that was no session, a sum that it does
not come to. A person is asked."""

from billing.notes.later import later
from billing.notes.length.span import Span, band
from billing.notes.text.kin import RELATIVE
from billing.notes.text.spoken import NUMBER_WORD, number

_BEFORE, _AFTER = 80, 150
_MINUTES = rf"(?:\d{{1,3}}|{NUMBER_WORD})[ -]?min(?:ute)?s?\b"
_OFFICE = (
    r"(?: (?:on|for|with|to|reviewing|doing|completing|filling|out|the|an?|his|her|their|disability|insurance"
    r"|fmla|school|no-show|and|phq-\d|gad-\d|intake)){0,6}"
    r" (?:admin\w*|scor\w+|phq|gad|paperwork|forms?|questionnaires?|screen\w+|testing|billing"
    r"|insurance|scheduling|polic(?:y|ies)|consents?|copay|front desk)\b"
)
# Each behind the words of which one stands in all that it matches.
_TOLD = (
    # `Client left 20 minutes into the session`
    (
        ("min into ", "mins into ", "minutes into ", "minute into "),
        later(
            r"\b(?:left|ended|stopped|disconnected|dropped|walked out|stepped out|hung up|logged off|quit)"
            rf" (?:about |only |just )?{_MINUTES} into (?:it\b"
            r"|(?:the|our|this|today's) (?!work|couples|video)(?:[\w-]+ ){0,4}?"
            r"(?:session|visit|appointment|hour)\b)"
        ),
    ),
    # `We had 50 minutes and she left after the first ten`, `he walked out ten minutes in`
    (
        ("after the first ", "minutes in", "mins in", "min in"),
        later(
            r"\b(?:left|ended|stopped|disconnected|dropped|walked out|hung up|logged off|quit)"
            rf" (?:(?:about |only |just )?{_MINUTES} in(?=[ ]*(?:[.,;)\n]|\Z|and\b|because|when))"
            rf"|after (?:about |only |just )?the first (?:\d{{1,2}}|{NUMBER_WORD})\b"
            r"(?! (?:sessions?|visits?|weeks?|days?|months?|years?|of)\b))"
        ),
    ),
    # `15 minutes of that used for scoring the PHQ-9`
    (
        (" of that ", " of this ", " of which ", " of it "),
        later(
            r"min(?:ute)?s? of (?:that|this|which|it)(?: time)? (?:was |were )?"
            r"(?:used|spent|devoted|taken|went)\b" + _OFFICE
        ),
    ),
    # `The first 20 minutes were spent on the no-show policy and forms`
    (
        ("first ", "last ", "final "),
        later(
            rf"\b(?:first|last|final) {_MINUTES} (?:(?:was|were) )?(?:spent|used|devoted|taken up|went)\b"
            + _OFFICE
        ),
    ),
    # `With the client 30 minutes, then mother joined for 20 minutes`
    (
        ("joined ", "came in "),
        later(
            rf"min(?:ute)?s?\b[^.;\n]{{0,20}}\bthen (?:\w+ )?{RELATIVE} (?:\w+ )?(?:joined|came in)"
            rf" (?:us )?for {_MINUTES}"
        ),
    ),
    # `45 minutes, correction, 55`
    (
        (
            "correct",
            "scratch",
            "strike",
            "i mean",
            "make that",
            "make it",
            "misspoke",
            "sorry",
            "wait",
            "rather",
        ),
        later(
            rf"{_MINUTES}[ ]?[,;-] (?:no,? |uh,? |actually,? )*(?:(?:let me )?correct(?:ion| that)"
            r"|(?:scratch|strike|change|make) (?:that|it)|i mean|i misspoke|sorry|no,? wait|wait,? no"
            r"|or rather)[^.;\n\d]{0,20}"
            rf"(?:\d{{1,3}}|{NUMBER_WORD})(?:[ -]?min|[ ]?(?:[.,;)\n]|\Z))"
        ),
    ),
    (
        ("together ",),
        later(
            rf"\balone for {_MINUTES}[^.;\n]{{0,30}}\btogether (?:with (?:\w+ )?{RELATIVE} )?for {_MINUTES}"
        ),
    ),
)
# `Her mother and I had 20 minutes, then she and I had 40`, `40 minutes of play and then 15 of talk`
_WITH_KIN = later(
    rf"\b(?:{RELATIVE} and i (?:had|met|spoke|talked|sat|took|used|spent)"
    rf"|(?:with|had) (?:her |his |their |the )?{RELATIVE}) (?:about |the first |for )*\Z"
)
_THEN_ALONE = later(
    r"[^.;\n\d]{0,40}?\b(?:then|and|before|after)\b[^.;\n\d]{0,30} (?:and i|with|her|him|them|alone)\b"
    rf"[^.;\n\d]{{0,14}}(?:\d{{2}}|{NUMBER_WORD})\b"
)
_AND_MORE = later(
    r"(?: (?:of|on|for) (?!(?:chart|paper|document|notes?\b|travel))[\w' -]{1,30}?)?,?"
    r" (?:and then|then|and|after that),? (?:we [a-z]+ (?:[\w'-]+ ){0,3}?for |[a-z]+ [a-z]+ for )?"
    rf"(?:about |another )?(?:\d{{2}}|{NUMBER_WORD})(?:[ -]min(?:ute)?s?)? (?:of|on|for)"
    r" (?!(?:chart|paper|document|notes?\b|travel|writ|wait|the (?:note|chart)|schedul|collateral|admin))"
    r"(?:the )?(?:\w*ing\b|play|talk\w*|debrief\w*|closure|art|music|cbt|emdr|exposure|discussion)"
)
# `We stopped after 20 minutes and debriefed`
_STOPPED_AFTER = later(
    r"\b(?:stopped|ended|closed|finished|paused|left) (?:[a-z]+ ){0,2}(?:after|at)(?: about| only| just)? \Z"
)
_WENT_ON = later(
    r",? (?:and|to|then)(?: then)? (?:debrief\w*|process\w*|switch\w*|turn\w*|mov\w+"
    r"|(?:went|came) (?:back|on|over)|talk\w*|ground\w*|review\w*|return\w*|resum\w*|discuss\w*|continu\w*"
    r"|check\w*)\b"
)
# `40 minutes of EMDR and the rest was talk`
_THE_REST = later(
    r" of [^.;\n]{1,40}?,? (?:and )?the rest (?:was|went)(?: (?:to|on|for|in|into|with))?"
    r" (?!(?:the |my )?(?:chart|document|paper|notes?\b|admin|sched|travel))"
)
_WORK = (
    r"(?:closure|closing|debrief\w*|grounding|resourcing|review|processing|talk\w*|play|emdr|exposure|cbt"
    r"|erp|check[- ]?in|psychoeducation|skills?|stabili[sz]ation|discussion|art|music|planning)\b"
)
# `40 minutes EMDR, 15 minutes closure`
_LISTED_PARTS = later(
    r" (?:of )?[a-z][\w' -]{1,30}[,;] (?:about )?(?:\d{2}|[a-z]+)[ -]min(?:ute)?s? (?:of |on |for )?" + _WORK
)
_OF_WORK = later(r" (?:of |on |for )?" + _WORK)
_OF_PAPERS = later(
    r" (?:of |on |for |was |were )?(?:chart|document|paperwork|(?:the |progress )?notes?\b|admin)"
)
# `50 of it psychotherapy and 10 charting`: behind the 50.
_THEN_PAPERS = later(
    rf"[^.;\n\d]{{0,40}}?[,;]? (?:and |plus )?(?P<n>\d{{1,2}}|{NUMBER_WORD})(?:[ -]min(?:ute)?s?)?"
    r" (?:of |on |for |was |were )?(?:chart|document|paperwork|(?:the |progress )?notes?\b|admin|typing)"
)
_KIN_WITHIN = 60
_TOTAL = later(
    r"[ ,;|.()-]*(?:total|duration)(?: time)?[ ]*[:=][ ]*(?P<n>\d{2,3})"
    r"(?![^\n]{0,14}\b(?:phq|gad|pcl|score))(?=[ ]*(?:\Z|[\n.;,)|]|min|[ ]{2}))"
)
# `3:00 PM - 3:50 PM    60 min`, in columns
_TOTAL_BESIDE = later(r"(?:[ ]{2,40}|[ ]{0,9}\|[ ]{0,40})(?P<n>\d{2,3})[ ]?min(?:ute)?s?[ ]*(?:[\n|]|\Z)")
_SAME_WITHIN, _BRACKET_WITHIN = 5, 4
# `2:50 pm [amended 3/04 by author: 2:45 pm]`, `(actual end 2:45)`
_AMENDED = later(
    r"[ ]{0,3}[\[(](?:amended|corrected|actual(?:ly)?|should (?:be|read|say)|late entry|revised|changed"
    r"|edited)\b[^\n\])]{0,60}?(?<![\d/.-])(?:[01]?\d|2[0-3]):[0-5]\d"
)
# `45 minutes (correction: 55)`, `45 min, oops, 55`, `10:00-10:45, make that 10:55`, `45 min [55]`
_PUT_RIGHT = later(
    r"[ ]?(?:min(?:ute)?s?\b)?[ ]?(?:\[(?=\d)|[-,;:.>([]{1,3}[ ]?(?:(?:(?P<said>oops|sorry|sic|rather|meant?"
    r"|should|make|scratch|strike|changed?|correct(?:ed|ion)?|misspoke|amended|error|wait|er|erm|uh|um|no)"
    r"|or|i|it|this|that|actually|was|is|be|read|have|been|to|in)[ ,.;:-]{1,3}){1,7})"
    rf"(?P<time>(?:[01]?\d|2[0-3]):[0-5]\d|(?P<n>\d{{2,3}})(?![\d/%:])|(?!one\b){NUMBER_WORD}(?=[ -]min))"
)
_PUTTING_RIGHT = (
    "oops", "sorry", "sic", "rather", "mean", "should", "make", "scratch", "strike", "change", "correct",
    "misspoke", "amended", "error", "wait", " er", " uh", " um", " no", "[",
)  # fmt: skip
_LONGEST_PUTTING_RIGHT = 48
# `45 to 60 minutes`, `between fifty and fifty-five minutes`
_FROM_SO_MUCH = later(
    rf"(?:(?<![\d:.,/$#])(?<!session )(?<!visit )(?P<least>\d{{2}})|(?<![a-z])(?P<word>{NUMBER_WORD}))"
    r"[ ]?(?:-|to|or|(?P<and>and))[ ]?\Z"
)
# `25 minutes of exposure with the lid, then 20 minutes of review`
_MORE_BEFORE = later(
    rf"{_MINUTES} of (?!(?:which|that|those|these|it)\b)[^.;:\n]{{1,60}}?,? "
    r"(?:and then|then|and|plus|followed by)(?: a| another| about)? \Z"
)
_PART_BEHIND = later(r"(?: (?:of|on|for) |[ -])(?!(?:chart|paper|document|notes?\b|travel|wait))[a-z]")
# `Sixty minutes on this today: 42 in session, 18 typing`
_BREAKDOWN = later(
    r"[^.;:\n]{0,24}:[ ]*(?P<a>\d{1,2}) (?!min)[^.;\n\d]{3,40}?[,;+][ ]*(?:and )?(?P<b>\d{1,2}) (?!min)[a-z]"
)


def is_contested(plain: str, chosen: Span) -> bool:
    """Whether the words round a length tell of another one."""
    total = None
    if chosen.at is not None:
        total = _TOTAL.match(plain, chosen.end) or _TOTAL_BESIDE.match(plain, chosen.end)
    if total is not None and abs(int(total["n"]) - chosen.minutes) >= _SAME_WITHIN:
        return True
    bracket = plain[chosen.end : chosen.end + _BRACKET_WITHIN].lstrip()
    if bracket.startswith(("(", "[")) and _AMENDED.match(plain, chosen.end):
        return True
    if chosen.at is None and (
        _is_of_a_range(plain, chosen)
        or (
            _PART_BEHIND.match(plain, chosen.end)
            and _MORE_BEFORE.search(plain, max(0, chosen.start - _BEFORE), chosen.start)
        )
    ):
        return True
    behind = plain[chosen.end : chosen.end + _LONGEST_PUTTING_RIGHT]
    if any(map(behind.__contains__, _PUTTING_RIGHT)) and (right := _PUT_RIGHT.match(plain, chosen.end)):
        told = right["said"] is not None or plain.endswith("[", 0, right.start("time"))
        if told and right["n"] != str(chosen.minutes):
            return True
    parts = _BREAKDOWN.match(plain, chosen.end) if chosen.at is None else None
    if parts is not None and int(parts["a"]) + int(parts["b"]) == chosen.minutes:
        return True
    if chosen.at is None and (
        _AND_MORE.match(plain, chosen.end)
        or _LISTED_PARTS.match(plain, chosen.end)
        or _THE_REST.match(plain, chosen.end)
        or (
            _WENT_ON.match(plain, chosen.end)
            and _STOPPED_AFTER.search(plain, max(0, chosen.start - _BEFORE), chosen.start)
        )
        or (
            _THEN_ALONE.match(plain, chosen.end)
            and _WITH_KIN.search(plain, max(0, chosen.start - _KIN_WITHIN), chosen.start)
        )
    ):
        return True
    near = plain[max(0, chosen.start - _BEFORE) : chosen.end + _AFTER]
    for words, pattern in _TOLD:
        for word in words:
            if word in near:
                if pattern.search(near):
                    return True
                break
    return False


def is_of_work(plain: str, span: Span) -> bool:
    """Whether so long went to what therapist and patient do: `20 minutes of planning`."""
    return _OF_WORK.match(plain, span.end) is not None


def is_paperwork(plain: str, span: Span) -> bool:
    """Whether so long went to the chart: `10 minutes of charting`."""
    return _OF_PAPERS.match(plain, span.end) is not None


def leaves_paperwork(plain: str, span: Span, rest: int) -> bool:
    """Whether right behind a length the rest of the visit is told to have gone to the chart."""
    told = _THEN_PAPERS.match(plain, span.end)
    return told is not None and (int(told["n"]) if told["n"].isdecimal() else number(told["n"])) == rest


def _is_of_a_range(plain: str, chosen: Span) -> bool:
    """Whether a length is the most of two that are billed otherwise."""
    left = max(0, chosen.start - 30)
    least = _FROM_SO_MUCH.search(plain, max(0, chosen.start - 16), chosen.start)
    if least is None or (least["and"] and "between" not in plain[left : chosen.start]):
        return False
    minutes = int(least["least"]) if least["least"] else number(least["word"])
    return band(minutes) != band(chosen.minutes)
