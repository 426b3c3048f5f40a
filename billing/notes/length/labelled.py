"""The words right before and behind a length that say what it is of: the session, its therapy, all of a
visit."""

from billing.notes.later import later
from billing.notes.length.span import Span, same_band
from billing.notes.text.spoken import NUMBER_WORD

LABELLED_AFTER = later(
    r"(?:(?<=min)|(?<=minutes)),[ ]individual\b"
    r"|[ -]?(?:minutes? )?(?:\(?(?:of )?(?:actual |direct |total |face[- ]to[- ]face |individual |psycho"
    r"|clinical )*(?:psychotherapy|therapy|individual|face[- ]to[- ]face|f2f|session|family|couples|group"
    r"|crisis|direct|ind\b|indiv\b|tx\b|video|telehealth|conjoint|actual\b)"
    r"|(?:was|were) (?:given|used|spent|devoted|taken|needed|billed|ours)\b|billed\b"
    r"|on the (?:nose|dot)\b|(?:on|in) (?:the )?(?:screen|camera|room|office) with me\b"
    r"|of my (?:morning|afternoon|evening|day)\b"
    r"|left, which (?:is|was) (?:all|what) we (?:used|had|took)\b"
    r"|total with\b|(?:(?:that |is what |was what |is all )?we (?:had|spent|met|worked|used|talked)\b)"
    r"|with (?:the )?(?:client|patient|pt|ct)(?: (?:by|over|on|via) (?:the )?(?:(?:tele)?phone|video)\b"
    r"|(?=[ ]*(?:[.;\n]|\Z)))"
    r"|(?:by|over) (?:(?:tele)?phone|video)\b(?! with (?!(?:the )?(?:client|patient|pt|her|him|them|me)\b))"
    r"|from (?:sitting|hello|start|door|(?:her|his) (?:first|coming)|the (?:first|door)|hanging|coming"
    r"|walking|greeting"
    r"|beginning)(?: \w+){0,2} to (?:standing|good-?bye|finish|end|door|(?:her|his) (?:last|leaving)"
    r"|the (?:last|door)"
    r"|leaving|walking|parting)\b"
    r"|with (?:her|him|them)(?: \w+)? (?:alone|individually|today)\b"
    r"|by (?:my|our)(?: \w+)? (?:clock|watch|count|reckoning|log)\b|(?: later)?,? all of (?:it|them)"
    r" (?:with (?:her"
    r"|him|them|me)|therapy|individual|face|used)\b)"
)
# What may stand between a label and its length.
_FILLED = (
    r"(?: today)?[ ,:=(x/~]*(?:was |of |for |about |approximately |approx\.? |a |full |time |session "
    r"|totaling "
    r"|total |x )*$"
)
_TODAY_IT_WAS = r"(?:but |and |so )?today:?,?(?: (?:was|it|only|just|we|she|he|had|came to|about))*"
_OF_A_KIND = (
    r"(?:session|visit|appt|appointment|one(?= today|,))(?: today)?(?: (?:by|at|on) (?:\w+ )?request)?,"
)
_CONNECTED = r"(?:connected|talked|on the (?:line|phone|call|screen|video)) for"
_SHOWED = r"(?:says|showed|shows|counted|logged|make it|made it)"
_BY_VIDEO = r"(?:by|via|over) (?:video|(?:tele)?phone|zoom|telehealth)"
_ENDED_AT = (
    r"(?:was |had to be |had to )?(?:stop(?:ped)?|end(?:ed)?|cut short|closed|concluded|finished|wrapped up)"
    r" (?:at|after)"
)
_LASTED = r"(?:lasted|lasting|of|(?:amounts|amounted|c[ao]mes?|add(?:s|ed) up) to)"
_RAN = r"(?:lasted|took|ran|went)(?: on)?(?: for)?"
# By their first letters: a pattern tries its alternatives one after the other.
LABELLED_BEFORE = later(
    rf"(?:\b(?=\w)(?:a(?:ppointment (?:{_LASTED}|{_ENDED_AT})|nd i {_CONNECTED}|n hour|djourned after)"
    rf"|b(?:rief {_OF_A_KIND}|illable(?: time| minutes| hours)?|rought(?: to)?)"
    rf"|c(?:ontact {_LASTED}|onversation {_RAN}|(?:lient|t) met|bt session|ounseling (?:session|{_BY_VIDEO})"
    r"|(?:losed|oncluded) after|ut short[^.;\n]{0,26})"
    r"|d(?:uration(?: of (?:the )?(?:contact|session|visit|service|encounter|call|(?:psycho)?therapy))?"
    r"|bt session|irect(?: service| contact| client| clinical| care)?(?: time| hours| minutes)?"
    r"(?: \((?:hrs|hours|min|mins|minutes)\))?)"
    rf"|e(?:(?:valuation|ncounter) {_LASTED}|(?:xposure|mdr) session|xtended(?: to)?)"
    rf"|f(?:ull {_OF_A_KIND}|ace[- ]to[- ]face(?: time)?|2f)"
    rf"|group {_LASTED}"
    r"|h(?:ere for|(?:ou)?rs \((?:decimal|direct(?: care| service)?|client|clinical|billable|session)\))"
    rf"|i(?:nterview {_LASTED}|t (?:lasted|lasting|of|{_ENDED_AT})|ndividual {_LASTED}|ndividual {_BY_VIDEO}"
    rf"|ndividual (?:contact|work|service) (?:today )?(?:was|{_RAN})|ndividual(?:ly| session| therapy"
    rf"| tx)?|nd|ndiv| {_SHOWED})"
    r"|kept(?: it)?(?: to)?"
    rf"|l(?:ong(?:er)? {_OF_A_KIND}|(?<!arm's l)(?<!at l)ength)"
    r"|m(?:inutes with (?:the )?(?:pt|client|patient|ct)"
    r"|inutes \((?:decimal|direct(?: care| service)?|client|clinical|billable|session)\)"
    r"|(?<!\bat m)(?<!\bby m)(?<!until m)(?<!around m)(?:inutes|ins?\.?)|ee?t for|(?<=[.,;:] m)et)"
    rf"|our (?:(?:call|meeting) {_LASTED}|hour)"
    r"|our(?: full| usual| short| brief| whole| customary| regular)?"
    rf"|p(?:sychotherapy (?:{_LASTED}|session|{_BY_VIDEO})|sychotherapy(?: time)?(?: \(min(?:ute)?s?\))?"
    r"|(?:t|atient) met"
    rf"|latform {_SHOWED}|(?:lay|rocessing) session)"
    rf"|r(?:(?:egular|outine) {_OF_A_KIND}|educed(?: to)?|an (?:over|on|to)(?: to)?|an (?:the|a) full)"
    r"|s(?:ession (?:time|of|length|duration|(?:(?:today|itself|began late and) )?(?:ran|was|lasted|took))"
    rf"|ession (?:{_LASTED}|{_BY_VIDEO}|{_ENDED_AT})|(?:tandard|hort(?:er|ened)?) {_OF_A_KIND}"
    r"|hortened(?: to)?|een for|o"
    r"|tayed(?: for)?(?: (?:the|our|his|her|their))? (?:customary|usual|full|whole|all))"
    rf"|t(?:alk {_RAN}|(?:his|he) (?:call|meeting) {_LASTED}|he hour|his session|(?:elet)?herapy (?:{_LASTED}"
    rf"|{_BY_VIDEO})|herapy (?:session|{_ENDED_AT})|herapy|(?:x|reatment) {_LASTED}"
    r"|ime with (?:the |my )?\w+:?|ime spent|ogether for"
    r"|otal (?:time )?(?:in|on|at) (?:the |my )?(?:office|room|session|call|video)|otal time"
    r"|oday,? (?:in|for|over)|(?:elehealth|oday's) session)"
    rf"|usual {_OF_A_KIND}"
    rf"|vi(?:sit (?:{_LASTED}|{_BY_VIDEO}|{_ENDED_AT})|deo session)"
    rf"|w(?:e (?:{_LASTED}|{_CONNECTED}|met|{_SHOWED}|{_ENDED_AT}"
    r"|(?:were|sat|met|talked|worked|spoke|ran)(?: [a-z]+){0,3} from"
    r"|(?:therefore |thus |then |just |only |still )?(?:went|ran|had|kept|used)"
    rf"(?: on| all| the| our| whole| just| only)*(?: for)?)|(?:as|ere) {_CONNECTED}|eekly {_OF_A_KIND}"
    r"|orked for|ith me for)"
    r"|90(?:8(?:32|34|37|47|46))"
    rf"|(?<=[,;(-] ){_TODAY_IT_WAS})"
    r"|^ *(?:(?:(?:tele)?phone|audio[- ]only) (?:call|session|visit|appointment)(?: lasting|,)?"
    r"|spoke (?:by|over|on) (?:the )?(?:tele)?phone(?: for)?)"
    rf"|^ *(?:lasted|session|(?:connected|talked) for|spoke(?: for)?|{_TODAY_IT_WAS}|met)){_FILLED}"
)
TOTAL = later(r"(?<!min )(?<!mins )(?<!minutes )\btotal(?: \w+)?(?: of|:| time:?)?\s*$")
TOTAL_AFTER = later(
    r"[ ]?(?:total|(?:in all|all told|altogether|in total|overall|door to door|start to finish)\b"
    r"|,? of which\b)"
)
# `Total time on this case today 55: in the chair with me 37, other 18 was me alone`
_OF_A_TOTAL = later(
    r"\b(?:total|in all|altogether|on (?:this|the|her|his) case)\b[^.;\n]{0,40}[:;,.][ ]*"
    r"(?:(?:in|at) (?:the|my) (?:chair|room|office)(?: with (?:me|her|him|them))?"
    r"|with (?:me|her|him|them)(?: in (?:the|my) (?:chair|room|office))?|seat time)[ :=]*\Z"
)
_ROOM_WORDS = ("me ", "her ", "him ", "them ", "room ", "chair ", "office ", "seat time ")
_TOTAL_WITHIN = 100
# `Our second hour, if an hour is what you call it: 51 minutes`
_ONLY_A_NAME = later(
    r" (?:is what (?:you|we|they|one) (?:can |may |might )?calls?|in name"
    r"|so to speak|if you (?:can|will|may) call)"
)
# `Pt (17 M, jr) seen 1:1`, `J.T., 51M, seen 9:10-9:55`
_WHO = later(
    r"(?:(?P<known>\b(?:pt|patient|client|ct|cl|teen|youth|student|veteran|member|adolescent|resident) ?\("
    r"|\b[a-z]\.[ ]?[a-z]\.?,? \(?)|(?:\A|\n)[ ]*)\Z"
)
_AGED = later(r",?[ ](?P<comes>(?:seen|here|presents?|presenting|who|referred)\b)|[ ]*[,;)]")
_WHO_WITHIN = 16
# A pupil is out of class for longer than with the counselor.
_THERE = later(
    r"\b(?:out of (?:the )?class(?:room)?|in the building|on (?:site|campus)|checked in|away from (?:class"
    r"|work)|excused)(?: from)?,? $"
)


def is_of_total(plain: str, at: int) -> bool:
    """Whether the number at an offset is what of a total the patient was there for."""
    return plain.endswith(_ROOM_WORDS, 0, at) and (
        _OF_A_TOTAL.search(plain, max(0, at - _TOTAL_WITHIN), at) is not None
    )


_STOPPED_AT = later(
    r"\b(?:end(?:ed)?|stop(?:ped)?|left|leave|go|cut(?: short| off)?|finished|concluded|done|wrapped up"
    r"|quit)"
    r"(?: [a-z]+)? (?:at|after) \Z"
)
# `SUDS high 90, left at 40`
_RATED = later(
    r"\b(?:(?:start(?:ed|ing)?|began|peaked|opened|went in|came in)(?: [a-z]+){0,2} (?:at|from)"
    r" \d{2,3}\b(?!:)|suds?|fear"
    r"|anxiety|distress|rat(?:ed|ing|ings)|urges?|cravings?|pain|mood|scores?|tension|panic"
    r"|cannabis|alcohol|drank|drinking|smok\w+|using|aged?|teens|twenties|thirties|school|dad|father"
    r"|mother|mom|husband|wife"
    r"|brother|sister|uncle|aunt|cousin|friend|grand\w+|weight|lost)\b[^.;\n]*\Z"
)
# `Peak 70 and after twenty-two minutes 30`
_PREDICTED = later(r"\b(?:predict\w+|expected|suds?)\b[^.;\n]*\Z")
_NUMBERED = later(rf"(?:\d|{NUMBER_WORD})[ -](?:minutes|mins?) \Z")


def stopped_at(plain: str, before: str, at: int) -> bool:
    """`We stopped at 40`, `she left after 35`: whether the session ended at the number at an offset."""
    return (
        before.endswith((" at ", " after "))
        and _STOPPED_AT.search(before) is not None
        and not _RATED.search(plain, max(0, at - 60), at)
    )


def is_numbered(before: str) -> bool:
    """Whether the word for minutes that these words end in has its own number before it, or the word actual
    a prediction."""
    return _NUMBERED.search(before) is not None or _PREDICTED.search(before) is not None


# `Eighteen minutes past three`; `SUDS down to 50 in eighteen min`
_PAST_THE_HOUR = later(
    r" past (?:the hour|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon"
    r"|\d{1,2}(?![:\d]))\b"
)
_TO_A_SCORE = later(r"\b(?:to|at) (?:an? )?\d{1,3}(?:/10)? (?:with)?in (?:about |roughly |just |only )?\Z")
_SCORE_WITHIN = 30


def is_only_a_name(plain: str, span: Span) -> bool:
    """Whether an hour is told to be one in name only, or minutes are somebody's age and sex, a time of day,
    or what a score took to fall."""
    if span.at is None:
        before = plain[max(0, span.start - _SCORE_WITHIN) : span.start]
        if _PAST_THE_HOUR.match(plain, span.end) or ("in " in before and _TO_A_SCORE.search(before)):
            return True
    if span.minutes == 60 and _ONLY_A_NAME.match(plain, span.end) is not None:
        return True
    return (
        plain.startswith("m", span.end - 1)
        and (told := _AGED.match(plain, span.end)) is not None
        and (who := _WHO.search(plain, max(0, span.start - _WHO_WITHIN), span.start)) is not None
        and (who["known"] is not None or told["comes"] is not None)
    )


# `CPT 90837 (60 min)`, `90834, psychotherapy 45 min`
_OF_A_CODE = later(r"\b908(?:32|34|37)[ ,:-]*(?:psychotherapy|individual)?[ ,:-]*\(?\Z")


def is_of_the_code(plain: str, span: Span, told: Span) -> bool:
    """Whether the minutes are those by which a procedure code is called, and the clock tells of its band."""
    return same_band(span.minutes, told.minutes) and (
        _OF_A_CODE.search(plain, max(0, span.start - _SCORE_WITHIN), span.start) is not None
    )


def is_therapy(plain: str, span: Span) -> bool:
    return bool(
        LABELLED_AFTER.match(plain, span.end)
        or LABELLED_BEFORE.search(plain[max(0, span.start - 34) : span.start])
    )


def is_total(plain: str, span: Span) -> bool:
    """Whether a length is of all that the visit took, therapy or not."""
    before = plain[max(0, span.start - 30) : span.start]
    return bool(
        ("total" in before and TOTAL.search(before[-20:]))
        or TOTAL_AFTER.match(plain, span.end)
        or _THERE.search(before)
    )
