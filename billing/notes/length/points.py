"""Times of day at which a note says that the visit began or ended: `we sat down at 9:02`, `off at ten to
three`, `Start: 14:00   Stop: 14:52`. Two of them are a range."""

from collections.abc import Iterable, Mapping

import msgspec

from billing.notes.later import later
from billing.notes.text.clock import Clock, shortest
from billing.notes.text.spoken import clock_at, clock_start

_PLACE = r"(?:the|my|our) (?:clinic|office|building|suite|waiting room)"
# By their first letters, as `_CLOSES`: a pattern tries its alternatives one after the other.
_OPENS = (
    r"s(?:(?:ession s)?tart(?:ed|ing|s)?(?: time)?|ession began|ign(?:ed)?[ -](?:on|in)|eated|ettled in"
    r"|at (?:back )?down|een(?! at the)"
    r"|aw (?:her|him|them|(?:the )?(?:client|patient|pt)|[a-z]+)(?= at))"
    r"|b(?:eg[aiu]n(?:ning|s)?(?: time)?|ack(?: (?:on|in (?:my|our|the|his|her|their) (?:seats?|chairs?|room)"
    r"|together|in session|in))?)"
    r"|in-time|t(?:ime in|urned up|ook (?:her|his|their) (?:chair|seat))|in"
    r"|arr(?:ival(?: time)?|ived(?: unannounced| without (?:an )?appointment)?)?|log(?:in|on"
    r"|(?:ged)?[ -](?:on|in))"
    r"|c(?:heck(?:ed)?[ -](?:on|in)|onnected|ame(?: in)?|ommenced|alled (?:her|him|them) in|ontinued)"
    r"|from|joined|o(?:pened|n(?: time,?)?)|walked in|clocked in|(?:popped|hopped|came) (?:on|in)|showed up"
    r"|met(?: (?:her|him|them|(?:the )?(?:client|patient|pt)) at the (?:door|trailhead|park|gate|bench|lobby"
    r"|front desk)(?: behind the [a-z]+)?)?"
    r"|underway|appeared on (?:my|the) screen|(?:face|picture|image|video) (?:came (?:up|on)|appeared)"
    r"|picked (?:back )?up|pulled(?: out)?(?= from)"
    r"|(?:was|were) in (?:the|my) room(?= by)|got (?:going|started|under ?way)"
    r"|re(?:sum(?:ed|ing|es)|convened|connected|started|stored|turned)"
)
# `Brought her back at ten past`, `walked her out at five to`: what a clinician does with the one who comes.
_THEM = r"(?:her|him|them)"
_FETCHED = (
    rf"(?:brought|fetched|called|took|let|buzzed|walked|showed|ushered|waved) {_THEM} (?:back(?! (?:out|down"
    rf"|to))|in"
    rf"|up|through)|(?:got|fetched|collected) {_THEM}(?= from)"
    rf"|(?:rang|reached|phoned|dialed|got (?:hold of|through to)) {_THEM}"
    r"|(?:came|got) (?:in )?(?:through|thru) (?:the|my|our) door"
)
_SENT = (
    rf"(?:walked|saw|showed|let|sent|waved|buzzed|ushered) {_THEM} (?:back )?(?:out|off|go|down|to the door"
    rf"|to the lobby)"
    rf"|handed {_THEM} back(?: (?:over )?to (?:her|his|their|the) [a-z]+)?|(?:closed|shut|ended) it"
    r"|(?:went )?(?:back )?out (?:of it|(?:through|thru) it)"
)
# They also tell of a break in the middle, as the words after them tell of its end.
_PAUSES = (
    r"paus(?:ed|ing)|froze|frozen|dropped(?: out)?|broke|interrupted|stepped out|walked out|cut out|went"
    r" (?:down"
    r"|out)|evacuated|stopped for (?:the|a) (?:alarm|drill|break)"
)
_CLOSES = (
    r"s(?:top(?:ped|ping|s)?(?: time)?|ession end(?:ed|ing|s)?(?: time)?|ign(?:ed)?[ -](?:off|out)"
    r"|aid good-?bye|aid our good-?byes|tood up)"
    r"|end(?:ed|ing|s)?(?: time)?|time out|out-time|o(?:ut|ut (?:of )?(?:the|my|our) (?:door|room|office)|ff)"
    r"|l(?:og(?:out|off|(?:ged)?[ -](?:off|out))|eft)|c(?:heck(?:ed)?[ -](?:off|out)|oncluded|losed?)"
    r"|broke[ -](?:off|out)|r(?:ang[ -](?:off|out)|ose)|finish(?:ed|ing)?(?: up| time)?|terminated"
    r"|d(?:ep(?:art(?:ed|ure(?: time)?))?|isconnected|one)|(?:session|visit|hour) (?:was )?over"
    r"|until (?:the|an?|her|his|their|my) (?:[a-z'-]+ ){1,6}?(?:went(?: off)?|rang|sounded|struck|buzzed"
    r"|beeped"
    r"|called|knocked|arrived|came)"
    r"|no ?(?:body|one) left (?:until|till)"
    r"|back to (?:the )?(?:class(?:room)?|homeroom|recess|cars?|trailhead|parking lot|lobby)|clocked out|quit"
    r"|wrapped(?: up)?|hung up|adjourned|got up|(?:walked|sent|brought|went) back(?: with (?:a )?pass)?"
    r"|(?:(?:we|and i) (?:[a-z]+ )?(?:worked|talked|went|met|spoke|ran|continued|kept on)|here|with me"
    r"|(?:client|pt|patient)(?: [a-z]+){0,3}"
    r"|in (?:session|the room|my office)|and on|stayed(?: on(?: the (?:video|call|line|screen|phone))?)?"
    r"|did(?: not|n't) stop|kept (?:her|him|them)"
    r"|let (?:us|it|her|him|them) (?:go on|run|run on|continue|stay)"
    r"|(?:and|then|it|session|visit) (?:then |all |just |both |we )?(?:ran|went|lasted|continued|worked"
    r"|talked|met"
    r"|stayed|spoke|sat|carried on|kept (?:on|going|at it))(?: on| straight| right)?)"
    r"(?: individually| together| face to face| alone| without a break)? (?:until|till|til)"
)
# With what letters one of them may begin: few words do.
_FIRST_LETTERS = (
    r"(?=a[dnpr]|b[aeru]|c[ahlou]|d[eior]|e[nv]|f[aeir]|go|h[aeou]|i[mnt]|jo|ke|l[eo]|me|no|o[fnpu]"
    r"|p[ahiotu]|qu"
    r"|r[aeo]|s[aehit]|t[ehiou]|u[ns]|vi|w[aeir])"
)
_LEAD = later(
    rf"\b{_FIRST_LETTERS}(?:(?P<trip>left {_PLACE})|(?P<back>back (?:in|at|to) {_PLACE})"
    rf"|(?P<fetched>{_FETCHED})|(?P<sent>{_SENT})|(?P<opens>{_OPENS})|(?P<pauses>{_PAUSES})"
    rf"|(?P<closes>{_CLOSES}))"
    r"(?: of (?:the |our |this )?(?:session|visit|appointment|service|encounter|contact|therapy|meeting"
    r"|hour"
    r"|call))?(?: from (?:the |her |his )?(?:\d[a-z]{2} )?(?:[a-z]+ ){0,2}?[a-z]+(?: room| period)?"
    r"(?: in [a-z]+(?: [a-z]+)?)?)?"
    r"(?: (?:again|together|promptly|today|back|late,?"
    r"|early,?"
    r"|right|only|on time,?|with (?:me|her|him|them)|session|(?:the |our "
    r"|this |her |his |my )?(?:session|visit|video|call|platform|zoom|appointment|room|link|individual"
    r"|in (?:the|my) (?:room|office))|(?:at|in) (?:(?:my|our) (?:clinic|office|room|school"
    r"|building|door)|the (?:clinic|door))))*(?:,?(?: and)? it was| (?:was|is"
    r"|of))?(?:, [a-z]+(?: [a-z]+){0,3},)?"
    r",?[ \n]*(?:at|by|@|:|=|-|\|)?"
    r"(?: (?:about|around|exactly|approximately|approx\.?))?[ \n]*(?:a )?\Z"
)
_TIME = later(
    r"(?:(?P<military>(?:[01]\d|2[0-3])[0-5]\d)(?:[ ]?(?:hours|hrs))?|(?P<h>[01]?\d"
    r"|2[0-3])(?:[:.](?P<m>[0-5]\d)(?::[0-5]\d)?(?:[ ]?hrs\b)?)?[ ]?"
    r"(?P<x>[ap](?:\.[ ]?m\.|[ ]?m)?(?![a-z]))?)(?![\d%/]|[ ]?(?:min|of|out|hour|hr|wks?\b|sessions|weeks"
    r"|days|years"
    r"|months|more|other|people|x))"
)
# The last words of what opens or closes a session, before its time.
_LEAD_WORDS = frozenset(
    (
        "time", "start", "started", "starting", "starts", "began", "begin", "begun", "beginning", "begins",
        "in",
        "arrived", "on", "from", "at", "stop", "stopped", "stopping", "stops", "end", "ended", "ending",
        "ends",
        "out", "off", "concluded", "finished", "finish", "finishing", "left", "close", "closed", "connected",
        "joined", "opened", "down", "up", "resumed", "resuming", "resumes", "reconvened", "reconnected",
        "restarted", "commenced", "disconnected", "wrapped", "done", "adjourned", "again", "about", "around",
        "exactly", "a", "back", "session", "video", "visit", "call", "room", "seats", "until", "till", "til",
        "paused", "froze", "dropped", "returned", "restored", "seated", "approximately", "approx", "promptly",
        "rose", "door", "office", "goodbye", "goodbyes", "chair", "seat", "her",
        "him", "them", "together", "class", "classroom", "homeroom", "recess", "arr", "dep",
        "departed", "departure", "arrival", "login", "logon", "logout", "logoff",
        "appointment", "service", "encounter", "contact", "therapy", "meeting", "hour", "was", "is",
        "of", "by", "over", "going", "underway", "seen", "terminated", "school", "clinic", "building",
        "period", "pass", "quit", "screen", "rang", "sounded", "struck", "buzzed", "beeped", "called",
        "knocked",
        "came", "appeared", "face", "line", "unannounced", "cars", "car", "lot", "lobby", "trailhead",
        "park", "gate",
        "bench", "desk",
    )
)  # fmt: skip
_LEAD_ENDS = frozenset(word[-1] for word in _LEAD_WORDS)
_BEFORE_TIME = " :=-|@,\n"
# Right before a time stands one of these.
STANDS_BEFORE = _LEAD_ENDS | frozenset(_BEFORE_TIME)
# The last words of all that may stand before `at`, where nothing is told from where or handed to anybody.
_BEFORE_AT = _LEAD_WORDS | frozenset(
    (
        "clinic", "building", "suite", "through", "thru", "go", "lobby", "it", "chairs", "came", "continued",
        "met", "underway", "pausing", "frozen", "broke", "interrupted", "evacuated", "alarm", "drill",
        "break", "depart", "bye", "byes", "beginning", "beganning", "begunning", "begans", "beguns", "today",
        "late", "early", "right", "only", "me", "platform", "zoom", "link", "individual",
    )
)  # fmt: skip
_BLANK = str.maketrans(dict.fromkeys("\n()[]{}.,;:!?|/=*-_'\"0123456789>+&#@", " "))
_LONGEST_LEAD, _LONGEST_WORD = 48, 16
# A shop opens and closes, and anybody gets off at five.
_OF_ANYTHING = frozenset(
    (
        "opened", "closed", "close", "connected", "disconnected", "joined", "on", "off", "done", "broke",
        "dropped", "froze", "back", "returned", "restored", "continued", "went out", "went down", "seated",
        "login", "logon", "arrival", "arrival time",
        "got going", "got started", "got under way", "got underway", "on time", "on time,", "quit",
    )
)  # fmt: skip
# `In 2`, `on 9` is no time of day.
_OF_PLACES = frozenset(("in", "on", "off", "out", "from"))
_OF_THE_VISIT = later(
    r"(?:\A|[\n.;:,(|-][ ]*|\d[ ]?(?:[ap]m?)?[ ]|\b(?:session|visit|call|video|link|platform|connection"
    r"|appointment|encounter|hour"
    r"|contact|we|zoom|meeting|room|client|pt|patient|both|and|was|were|then|i|picture|image|audio|screen"
    r"|feed|sound|therapy|psychotherapy|signal|line) (?:(?:had|have|all|both|then|again|was|is|got) )?)\Z"
)
_CENTURIES = ("19", "20")
# `The argument started at nine`
_SOMETHING = later(r"\b(?:the|an?|her|his|their|my|'s) (?!(?:actual|individual)\b)[a-z]+ (?:had |has )?\Z")
# Behind these the noun before is what somebody came with: `from her car and stayed until four`.
_GOING_ON = ("and ", "then ")
# `Coffee ends at 11`
_HABITS = ("ends", "starts", "begins")
_NOUN = later(
    r"(?<![a-z])(?!(?:session|visit|group|time|therapy|service|contact|and|then|it|hour)\b)[a-z]{3,} \Z"
)
# He or she may be the patient; nobody here is anybody else.
_SOMEBODY = later(
    r"\b(?:co-?worker|foreman|mother|mom|father|dad|parents?|husband|wife|spouse|partner|brother|sister"
    r"|son|daughter|friend"
    r"|boss"
    r"|teacher|interpreter|grandm\w+|grandf\w+|aunt|uncle|caseworker|roommate|er|hospital|bouncer|guard"
    r"|officer"
    r"|police|jail|landlord|neighbor|manager|usher)\b"
    r"(?![^.;\n]*\b(?:client|patient|pt|we|i|both|session|and)\b)[^.;\n]*\Z"
)
# Who fetched and who walked somebody out; a sentence without a subject is the writer's.
_BY_ME = later(r"(?:(?:\A|[.;:\n])[ ]*|\b(?:i|we) (?:then )?|\d[ ]?(?:[ap]m?)?[ ,]*)\Z")
_AND_BY_ME = later(r"(?:[.;:,\n][ ]*|\b(?:i|we|and|then) (?:then )?|\A)\Z")
_THEY = later(r"\b(?:she|he|they) (?:then )?\Z")
_WE = later(r"\b(?:we|i|session|visit|appointment|meeting|call|both)(?: had| have| then| all)? \Z")
# `She started at 6:10 and finished at 7:00` tells of a shift or a test, unless we are told to have ended it.
_DOES = ("started", "start", "began", "begin", "begun", "commenced")
_SHE_DOES = later(r"(?<!and )(?<!before )\b(?:she|he|they) (?:had |then |says? |said )?\Z")
# Farther where both speak of the visit: a story stands between.
_OF_US = later(r"\b(?:we|i|session|visit|appointment)\b[^.;\n]{0,70}\Z")
_BEFORE_THAT, _BESIDE = ("having ", "had "), 3
_FARTHEST, _FARTHEST_OWN = 700, 4_000


class Point(msgspec.Struct, frozen=True, gc=False):
    """One time of day with the words that say what happened at it: `own` where they speak of the visit,
    `breaks` where it went on later, `other` where somebody else came or left."""

    opens: bool
    start: int
    end: int
    clock: Clock
    spoken: bool
    own: bool = False
    breaks: bool = False
    trip: bool = False
    other: bool = False


class Pair(msgspec.Struct, frozen=True, gc=False):
    """From one point to the other; `kind` is `range`, or `break` for what is to be taken off; `of_any_hour`
    where neither tells its hour."""

    start: int
    end: int
    minutes: int
    at: tuple[int, int]
    kind: str = "range"
    own: bool = False
    of_any_hour: bool = False


def point_before(plain: str, at: int, *, spoken: bool = False) -> Point | None:
    """The point whose time stands at an offset, in digits or in words."""
    before = plain[max(0, at - _LONGEST_LEAD) : at].rstrip(_BEFORE_TIME)[-_LONGEST_WORD:]
    if before[-1:] not in _LEAD_ENDS:
        return None
    word = before.rpartition(" ")[2]
    if not word.isalpha():
        word = word.translate(_BLANK).rpartition(" ")[2]
    if word not in _LEAD_WORDS:
        return None
    time = None if spoken else _TIME.match(plain, at)
    if time is None and not spoken:
        return None
    before = plain[max(0, at - _LONGEST_LEAD) : at]
    lead = _LEAD.search(plain, max(0, at - _LONGEST_LEAD), at) if word != "at" or _leads(before) else None
    if lead is None:
        return None
    what = lead.lastgroup or ""
    if what in ("fetched", "sent"):
        # `He came through my door` may be told of the patient.
        came = lead[what].startswith(("came", "got "))
        by_me = _BY_ME if what == "fetched" and not came else _AND_BY_ME
        who = plain[max(0, lead.start() - 26) : lead.start()]
        if not (by_me.search(who) or ((came or what == "sent") and _THEY.search(who))):
            return None
    own = _OF_THE_VISIT.search(plain, max(0, lead.start() - 26), lead.start()) is not None
    if not own and lead[what] in ("joined", "connected", "disconnected"):
        own = _THEY.search(plain, max(0, lead.start() - 26), lead.start()) is not None
    if not own and lead[what] in _HABITS and _NOUN.search(plain, max(0, lead.start() - 26), lead.start()):
        return None
    if not own and (
        lead[what] in _OF_ANYTHING
        or (
            not lead[what].startswith(_GOING_ON)
            and _SOMETHING.search(plain, max(0, lead.start() - 26), lead.start())
        )
    ):
        return None
    if time is None:
        told = clock_at(plain, at)
        if told is None:
            return None
        clock, end = told
    else:
        end = time.end()
        if time["military"]:
            if (
                lead[what] == "in"
                and time["military"][:2] in _CENTURIES
                and plain[lead.start() - 2].isalpha()
            ):
                return None  # `died in 2019`
            clock = Clock(int(time["military"][:2]), int(time["military"][2:]), None, True)
        else:
            meridiem = time["x"][0] if time["x"] else None
            clock = Clock(int(time["h"]), int(time["m"] or 0), meridiem, bool(time["m"] or meridiem))
        if lead[what] in _OF_PLACES and (not clock.exact or lead[0].endswith(" by ")):
            return None
    other = _SOMEBODY.search(plain, max(0, lead.start() - 60), lead.start()) is not None
    return Point(
        opens=what in ("opens", "fetched", "trip", "back"),
        start=lead.start(),
        end=end,
        clock=clock,
        spoken=spoken,
        own=own,
        breaks=what == "pauses",
        trip=what == "trip",
        other=other,
    )


def _leads(before: str) -> bool:
    """Whether the words before an `at` may tell what begins or ends then."""
    lead = before.rpartition("at")[0].rstrip(" \n")
    last = lead.translate(_BLANK).rpartition(" ")[2]
    return (
        not last or last in _BEFORE_AT or any(map(lead.__contains__, (" from ", "handed ", "saw ", "until ")))
    )


def spoken_points(plain: str, hints: Mapping[str, list[int]]) -> list[Point]:
    """The points whose times are in words: `logged on at eleven`, `finished two forty-three`."""
    places = [clock_start(plain, at) for at in hints.get("spoken", ())]
    places += [at + 3 for at in hints.get("spoken_at", ()) if at and not plain[at - 1].isalpha()]
    return [point for at in sorted(set(places)) if (point := point_before(plain, at, spoken=True))]


def paired(plain: str, points: Iterable[Point]) -> tuple[list[Pair], list[Point]]:
    """Every point that opens with the one that closes right behind it, and the points that are left."""
    found: list[Pair] = []
    alone: list[Point] = []
    ordered = sorted(points, key=lambda point: point.start)
    at = 0
    while at < len(ordered):
        left = ordered[at]
        right = ordered[at + 1] if at + 1 < len(ordered) else None
        if right is not None and right.breaks and at + 2 < len(ordered) and not ordered[at + 2].opens:
            # When it went on is not told.
            del ordered[at + 1]
            continue
        pair = _pair(plain, left, right) if right is not None else None
        if pair is None and right is not None and _told_backwards(plain, left, right):
            pair = _pair(plain, right, left)
        if pair is not None:
            found.append(pair)
            at += 2
        else:
            alone.append(left)
            at += 1
    return found, alone


def _pair(plain: str, left: Point, right: Point) -> Pair | None:
    pausing = left.breaks and right.opens
    if right.start - left.end > (_FARTHEST_OWN if _ours(plain, left, right) else _FARTHEST) or not (
        pausing or (left.trip and right.opens) or (left.opens and not right.opens)
    ):
        return None
    before = plain[max(0, left.start - 30) : left.start]
    if left.other or (
        plain.startswith(_DOES, left.start)
        and _SHE_DOES.search(before)
        and not _WE.search(plain, max(0, right.start - 30), right.start)
    ):
        return None
    if not (left.clock.exact or right.clock.exact) and not (left.spoken and _WE.search(before)):
        return None
    span = shortest(left.clock, right.clock)
    if span is None:
        return None
    start, end = min(left.start, right.start), max(left.end, right.end)
    of_any_hour = left.clock.hour < 0 and right.clock.hour < 0
    return Pair(start, end, *span, "break" if pausing else "range", left.own or right.own, of_any_hour)


def _told_backwards(plain: str, left: Point, right: Point) -> bool:
    """`We stopped at 10:53, having begun at ten`, `stop time 11:52, start time 11:00`"""
    if left.opens or not right.opens:
        return False
    fields = right.start - left.end <= _BESIDE and plain.startswith("start", right.start)
    if fields:
        return plain.startswith(("stop", "end"), left.start)
    ours = left.own or _WE.search(plain, max(0, left.start - 30), left.start) is not None
    return ours and plain.endswith(_BEFORE_THAT, 0, right.start)


def _ours(plain: str, left: Point, right: Point) -> bool:
    """Whether the sentences of both points say that it was we who began and ended."""
    return (
        (left.own or plain.startswith("session", left.start))
        and _WE.search(plain, max(0, right.start - 30), right.start) is not None
        and _OF_US.search(plain, max(0, left.start - 80), left.start + len("session ")) is not None
    )
