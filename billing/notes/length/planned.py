"""Whether a length was only planned for the session, or was what it took."""

from billing.notes.later import later
from billing.notes.length.span import Span

# The last letters of a number in words.
NUMBER_END = r"(?:\d|teen|ty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_SCHEDULED = later(
    r"\b(?:(?:session|visit|app(?:ointmen)?t|meeting|therapy|intake) (?:(?:was|had been) )?(?:set|slated"
    r"|arranged) for|scheduled|booked|(?:was|were|is|been|put|had (?:him|her|them)) down for"
    r"|on (?:the|my) (?:books|calendar for|schedule for)"
    r"|pencill?ed in|planned|slot|calendar block|time block|app(?:ointmen)?t (?:time|for|at)|sched"
    r"|(?:was"
    r"|were|is|had been) to (?:be|last|run|go|have)|meant to|supposed to|allotted|reserved for"
    r"|from (?:the|our"
    r"|her|his)(?: usual| regular| standard)?(?= \Z))\b"
)
_NOT_BUT = later(
    rf"(?:\b(?:instead of|rather than|in place of|not (?:the|our)|(?:cut|shortened|reduced|trimmed) from)"
    rf"|{NUMBER_END} of (?:the|our|a|her|his"
    rf"|their))"
    r"(?: (?:the|our))?(?: (?:usual|full|scheduled|planned|booked|standard|allotted|regular|normal))* \Z"
)
# One of these stands in all that it matches, and one of those in what says that it was booked.
_NOT_BUT_WORDS = (" of ", "not ", "than ", " from ")
_BOOKED_WORDS = ("app", "rtc", "schedule", "calendar", "booking")
_SCHEDULED_AFTER = later(
    r"[ -]?(?:(?:were|was|had been|is|are) )?(?:originally |initially )?(?:scheduled\b|booked|planned"
    r"|reserved|allotted|set aside|on the (?:schedule|calendar|book)|slot\b|block (?:booked|reserved)"
    r"|appointment slot)"
)
_A_LENGTH = later(r"\d[ -]?(?:min\w*|hours?|hrs?)[ ](?:(?:was|were|is) )?\Z")
# `Appointment: Tue 10:00-10:50`, `Calendar: individual, 2:00-2:50`: when it is kept, other words tell.
_BOOKED_AS = later(
    r"(?:\A|[\n.;|]|[ ]{2})[ ]*(?:(?:next|follow[ -]?up|f/u|return|upcoming) )?"
    r"(?:appt|rtc|app(?:ointmen)?t|schedule|calendar|booking)(?: slot| time| block)?"
    r"[ ]*(?:[:,|-][ ]*|[ ](?=(?:on )?(?:mon|tue|wed|thu|fri|sat|sun)))"
    r"(?:(?:individual|ind|in office|with me|today|on|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
    r"|[a-z]{3,9}\.? \d{1,2}|\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?|20\d\d)[, ]*){0,5}(?:at |from )?\Z"
)
_KEPT = later(
    r"[^\n.]{0,60}\b(?:attended|kept|held|completed|arrived|checked[ -]in|seen|showed|in person|session"
    r"|psychotherapy|met)\b"
)
_LABEL_WITHIN = 70
_APPOINTMENT = ("appointment was ", "appt was ", "appointment was from ", "appointment is ")
# What follows one of these was so; what stands before it was only planned.
_ACTUAL = later(r"\b(?:actual(?:ly)?|but|instead)\b")
_DIGIT = later(r"\d")
# `Our appointment of 45 minutes came down to 35,`
_CAME_TO = (
    "became ", "came down to ", "cut down to ", "cut short to ", "cut to ", "shrank to ", "shortened to ",
    "reduced to ", "trimmed to ", "extended to ", "lengthened to ",
    "stretched to ",
)  # fmt: skip
_OTHER_DAY = later(
    r"\b(?:last|previous|prior|next|yesterday|earlier|usual(?:ly)?|weekly|ago|(?:mon|tues|wednes|thurs"
    r"|fri|satur"
    r"|sun)day'?s?|in (?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december))\b[^.;\n]*\Z"
)
_STOPPED_INSTEAD = later(
    r"\b(?:set aside|planned|scheduled|booked)\b(?:(?!\b(?:nearly|almost|wanted|wished|asked|tried"
    r"|mother|father|parents?|husband|wife|partner|home|homework)\b)[^.;\n])*"
    r"\b(?<!, to )(?:left|leave|go|stop(?:ped)?|end(?:ed)?) after \Z"
)
# `Scheduled as 60 min; patient left after 36 minutes`
_AND_LEFT = later(
    r"\b(?:scheduled|booked|planned|set) (?:as|for|at) [^.;\n]{0,40}[;,.] (?:but )?(?:the )?"
    r"(?:pt|patient|client|ct|she|he|they) (?:had to )?(?:left|leave|ended|stopped)(?: early)? after \Z"
)
_PLANNED_WITHIN = 70
# What came to it stands right before the verb: `our appointment of 45 minutes then was`.
_OF_A_VISIT = later(
    r"(?<!lunch )(?<!work )(?<!her )(?<!his )(?<!their )(?<!with )(?<!couples )"
    r"(?:\b(?:session|appointment|visit|hour|\d\d[ -]min(?:ute)?s?|our \d\d)"
    r"(?: (?:individual|therapy|psychotherapy|session|appointment|visit|time))*"
    r"(?: of \d\d[ -]min(?:ute)?s?)?,?(?: (?:was|were|is|had to be|got|then|therefore|today))*[ ]"
    r"|(?:\A|[.\n])[ ]*)\Z"
)
# `Shortened to 30 today`, but `Zoloft 100 mg. Reduced to 50.`
_SO_MUCH_TODAY = later(r"[\w-]+(?: min\w*)? (?:today|this (?:time|week|morning|afternoon|evening))\b")


def is_scheduled(plain: str, span: Span, left: int) -> bool:
    before = plain[max(left, span.start - 30) : span.start]
    if _SCHEDULED_AFTER.match(plain, span.end) or (
        any(map(before.__contains__, _NOT_BUT_WORDS)) and _NOT_BUT.search(before)
    ):
        return True
    if span.kind == "range" and (
        before.endswith(_APPOINTMENT)
        or (
            any(map(plain[max(0, span.start - _LABEL_WITHIN) : span.start].__contains__, _BOOKED_WORDS))
            and _BOOKED_AS.search(plain, max(0, span.start - _LABEL_WITHIN), span.start)
            and not _KEPT.match(plain, span.end)
        )
    ):
        return True
    word = _SCHEDULED.search(before)
    if word is None or not _SCHEDULED.search(what_was(before)):
        return False
    # Of another number it is said that so much was scheduled.
    return not _DIGIT.search(before, word.end()) and not _A_LENGTH.search(before, 0, word.start())


def what_was(before: str) -> str:
    """What stands behind the last word that turns from the plan to what was."""
    turned = "actual" in before or "but" in before or "instead" in before
    return _ACTUAL.split(before)[-1] if turned else before


def came_to(plain: str, at: int) -> bool:
    """Whether a session is told to have come to what stands at an offset: `60-minute session cut to 35`."""
    if not plain.endswith(_CAME_TO, 0, at):
        return False
    verb = next(at - len(words) for words in _CAME_TO if plain.endswith(words, 0, at))
    visit = _OF_A_VISIT.search(plain, max(0, verb - 60), verb)
    if visit is None or not (visit[0].strip(" .\n") or _SO_MUCH_TODAY.match(plain, at)):
        return False
    return not _OTHER_DAY.search(plain, max(0, at - 80), at)


def stopped_instead(plain: str, left: int, at: int) -> bool:
    """Whether what was planned ended after what follows: `an hour was set aside, but she left after 35`;
    `left` is where the sentence of the length begins."""
    return (
        _STOPPED_INSTEAD.search(plain, left, at) is not None
        or _AND_LEFT.search(plain, max(0, left - _PLANNED_WITHIN), at) is not None
    )
