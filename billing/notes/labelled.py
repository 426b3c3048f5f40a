"""The words right before and behind a length that say what it is of: the session, its therapy, all of a
visit."""

from billing.notes.later import later
from billing.notes.span import Span

LABELLED_AFTER = later(
    r"[ -]?(?:minutes? )?(?:\(?(?:of )?(?:actual |direct |total |face[- ]to[- ]face |individual |psycho"
    r"|clinical )*(?:psychotherapy|therapy|individual|face[- ]to[- ]face|f2f|session|family|couples|group"
    r"|crisis|direct|ind\b|indiv\b|tx\b|video|telehealth|conjoint|actual\b)"
    r"|(?:was|were) (?:given|used|spent|devoted|taken|needed|billed|ours)\b|billed\b"
    r"|total with\b|(?:(?:that |is what |was what |is all )?we (?:had|spent|met|worked|used|talked)\b)"
    r"|with (?:the )?(?:client|patient|pt|ct) (?:by|over|on|via) (?:the )?(?:(?:tele)?phone|video)\b"
    r"|(?:by|over) (?:(?:tele)?phone|video)\b(?! with (?!(?:the )?(?:client|patient|pt|her|him|them|me)\b))"
    r"|with (?:her|him|them)(?: \w+)? (?:alone|individually|today)\b"
    r"|by (?:my|our)(?: \w+)? (?:clock|watch|count|reckoning|log)\b|(?: later)?,? all of (?:it|them)"
    r" (?:with (?:her"
    r"|him|them|me)|therapy|individual|face|used)\b)"
)
# What may stand between a label and its length.
_FILLED = (
    r"(?: today)?[ ,:=(x/]*(?:was |of |for |about |approximately |approx\.? |a |full |time |session "
    r"|totaling "
    r"|total |x )*$"
)
_TODAY_IT_WAS = r"(?:but |and |so )?today:?,?(?: (?:was|it|only|just|we|she|he|had|came to|about))*"
LABELLED_BEFORE = later(
    r"(?:\b(?=\w)(?:session (?:time|of|length|duration|(?:(?:today|itself) )?(?:ran|was|lasted|took))"
    r"|(?:session|visit"
    r"|appointment"
    r"|(?:psycho|tele)?therapy|(?:our|this|the) (?:call|meeting)|evaluation|interview|group|encounter|we"
    r"|it|individual|tx"
    r"|treatment|contact) (?:lasted|lasting|of)|time with (?:the |my )?\w+:?|(?:we|and i|was"
    r"|were) (?:connected"
    r"|talked|on the (?:line|phone|call|screen|video)) for"
    rf"|together for|(?<=[,;(-] ){_TODAY_IT_WAS}"
    r"|(?:(?<=[.,;:] )|(?:we|pt|client|ct|patient) )met|total (?:time )?(?:in|on|at) (?:the "
    r"|my )?(?:office"
    r"|room|session|call"
    r"|video)|(?:platform|i|we) (?:says|showed|shows|counted|logged|make it|made it)"
    r"|we (?:were|sat|met|talked|worked|spoke|ran)(?: [a-z]+){0,3} from"
    r"|(?:weekly|regular|usual|routine|standard|short(?:er|ened)?|long(?:er)?|brief|full) (?:session|visit"
    r"|appt|appointment)(?: (?:by|at|on) (?:\w+ )?request)?,"
    r"|today,? (?:in|for|over)|(?:individual|psychotherapy|therapy|exposure|video|telehealth|emdr|dbt|cbt"
    r"|play|processing|counseling|this|today's) session|duration|(?<!arm's )(?<!at )length|time spent"
    r"|(?<!\bat )(?<!\bby )(?<!until )(?<!around )(?:minutes|mins?\.?)|(?:hours"
    r"|hrs|minutes) \((?:decimal|direct(?: care| service)?|client|clinical|billable|session)\)"
    r"|direct(?: service| contact| client| clinical| care)?(?: time| hours| minutes)?(?: \((?:hrs|hours"
    r"|min|mins|minutes)\))?|billable(?: time| minutes| hours)?|(?:(?:psycho|tele)?therapy|counseling"
    r"|session|individual|visit) (?:by"
    r"|via|over) (?:video|(?:tele)?phone|zoom|telehealth)|(?:extended|shortened|reduced|ran (?:over|on"
    r"|to)"
    r"|kept|brought)(?: to)?"
    r"|we (?:therefore |thus |then |just |only |still )?(?:went|ran|had|kept|used)"
    r"(?: on| all| the| our| whole| just| only)*(?: for)?|ran"
    r" (?:the"
    r"|a) full|so|psychotherapy(?: time)?|therapy|total time|face[- ]to[- ]face(?: time)?|worked for|(?:met"
    r"|meet|seen) for|(?:with me|here) for"
    r"|(?:the|an|our) hour|our(?: full| usual| short| brief| whole| customary| regular)?|ind|(?:we|session"
    r"|visit|appointment"
    r"|therapy"
    r"|it) (?:was |had to be |had to )?(?:stop(?:ped)?|end(?:ed)?|cut short|closed|concluded|finished"
    r"|wrapped up) (?:at|after)|(?:closed|concluded|adjourned) after|cut short[^.;\n]{0,26}"
    r"|stayed(?: for)?(?: (?:the|our|his|her|their))? (?:customary|usual|full|whole|all)|individual(?:ly"
    r"| session"
    r"| therapy| tx)?|(?:90832|90834|90837|90847|90846))"
    rf"|^ *(?:lasted|(?:connected|talked) for|spoke(?: for)?|{_TODAY_IT_WAS}|met)){_FILLED}"
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


def is_only_a_name(plain: str, span: Span) -> bool:
    """Whether an hour is told to be one in name only."""
    return span.minutes == 60 and _ONLY_A_NAME.match(plain, span.end) is not None


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
