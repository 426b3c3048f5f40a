"""Whether a visit was held with another than the patient, or with others beside the patient."""

from collections.abc import Sequence

from billing.notes.later import later
from billing.notes.lexicon import Mentions
from billing.notes.page.layout import Layout
from billing.notes.text.tokens import TokenStream

# Who may be seen about a patient.
_WHO = (
    r"(?:(?:grand|step|foster |god)?(?:mother|father|mom|dad|parents?)|mum|grandma|grandpa|wife|husband"
    r"|spouse|partner|boyfriend|girlfriend|fiance\w?|bf|gf|son|daughter|brother|sister|siblings?|aunt|uncle"
    r"|cousin|niece|nephew|guardians?|caregivers?|roommate|teacher|(?:prior|former|previous|new|outside)"
    r" (?:therapist|counselor|provider)|school counselor|(?:soccer |football )?coach|(?:school|iep) team"
    r"|(?:residence |residential |house )?staff|(?:case|house|program|care) manager|caseworker|social worker"
    r"|(?:discharge )?planner|attorney|lawyer|probation officer|p\.?o\.?|pediatrician|psychiatrist|pcp|doctor"
    r"|physician|nurse|dietitian|principal|employer|boss)\b"
)
_OF_WHOM = (
    r"(?:(?:(?:mr|mrs|ms|dr)\.? )?[a-z-]+, (?=(?:the|(?:client|patient|pt|ct)'s) ))?(?!of )"
    r"(?:(?:the|his|her|their|my|both|all|of|one|only|foster|adoptive|birth|biological|custodial|legal|older"
    r"|younger|adult|new|client|patient|(?:[a-z-]+'s?))[ ]){0,4}?"
)
# `The mother of two` is the patient, `Brother Anselm` no relative.
_NOT_OF = (
    r"(?=[ ]*[.,;:\n()-]|\Z| (?:of|and|who|only|alone|today|for|by|at|from|on|about|to|while|because|this"
    r"|without|regarding|re|via|over|again|as|instead"
    r"|to (?:discuss|review|go over|plan|talk|address))\b|[ ]\d)"
    r"(?!'| of (?:\d|an?\b|two|three|four|five|six|twins|adult|grown|young|teen|toddler|children)|-in-law's)"
)
# Not for all of it, or not alone.
_SHORTLY = (
    r"(?: today)?,? (?:present|waiting|in the (?:room|waiting)|join|at the|briefly|for (?:(?:the )?(?:first"
    r"|last|final)|(?:a few|two|three|four|five|ten|[2-9]|1\d) min)|and (?:the )?(?:client|patient|pt|ct)\b)"
)
_MET = later(
    r"[ ]*(?:[^.;:\n]{0,60}?\b(?:i|we|writer|therapist|clinician|counselor|provider|today,?) )?"
    r"(?:have |had )?"
    r"(?:(?:met|spoke|talked|sat)(?: (?:today|again|alone|separately|only|by (?:phone|video)))*(?: with"
    r"| w/)|saw|seen)(?: today)?:? "
    rf"{_OF_WHOM}{_WHO}(?: and (?:the |his |her |their )?{_WHO})?+{_NOT_OF}"
    rf"(?!{_SHORTLY}|,? (?:last|on (?:mon|tues|wednes|thurs|fri|satur|sun)|yesterday|in (?:to|for) the))"
)
_SESSION = later(
    r"[ ]*(?:(?!about|on|of|with|spoke|talk|joint)[\w'-]+ ){0,3}?(?:(?:session|visit|appointment|appt"
    r"|meeting|hour|follow[- ]?up)|spent (?:the|our|this|today's|most of the) (?:whole )?(?:hour|session|time"
    r"|visit))(?: (?:was|held|today|conducted|took place|by (?:phone|video)))*(?: with| w/) "
    rf"{_OF_WHOM}{_WHO}(?: and (?:the |his |her |their )?{_WHO})?+{_NOT_OF}(?!{_SHORTLY})"
)
_CAME = later(
    rf"[ ]*(?:only |just |today,? )?{_OF_WHOM}{_WHO}(?: of [a-z'-]+(?: \(\d{{1,2}}\))?)?,?"
    r"(?: (?:was|were|had been))?"
    r" (?:(?:seen|came(?: in)?|attended|here|in)(?: (?:today|alone|by (?:him|her)self|on (?:his|her|their)"
    r" own|only|without|in (?:his|her|their|the (?:patient|client)'s|[a-z]+'s) (?:place|stead)))+"
    r"|(?:came|attended|was here) (?:to|for) this (?:one|time|session|visit|appointment)\b"
    r"|(?:seen|attended|came)(?=[.;\n]|, \S+ min|,? (?:while|but|and) (?!i\b|we\b|left)))"
    r"(?! with (?:the )?(?:client|patient|pt|him|her)\b)"
)
# `Therapist and mother reviewed the chart`
_WORKED = later(
    rf"[ ]*(?:today,? )?(?:i|writer|therapist) and {_OF_WHOM}{_WHO} (?:met|talked|spoke|worked|reviewed"
    r"|discussed|planned)\b"
)
# `Pt declined to come up`, `the client was not included`, `while the child was at camp`
_AWAY = later(
    r"\b(?:client|patient|pt|ct|kiddo|child|student|teen|ip)\b\.?(?: \([^()\n]{1,20}\))?"
    r"(?: (?:him|her|them)sel(?:f|ves))?(?:(?:,? (?:was |is |being )?(?:absent\b|not (?:present|included"
    r"|here|told to come|brought|in (?:session|the room|attendance))|kept out(?! of (?:school|class|work))"
    r"|away\b)"
    r"| (?:did not|didn't|declined to|refused to|would not) (?:come|join|enter|take part|participate)\b"
    r"(?! (?:to|up with)\b)| (?:stayed|remained) (?:home|behind|(?:at|in) (?:school|home|daycare|the car)))"
    r"|(?P<meanwhile> (?:was|is) (?:still )?(?:at|in) (?!(?:the |my |our )*(?:office|room|session"
    r"|building))))"
)
# `Milo stayed at school and his parents came`
_NAMED_AWAY = later(
    r"(?:\A|(?<=[.;:\n])|(?<=[.;:\n][ ]))(?!(?:s?he|they|we|i|it|this|that|there|who|mother|mom|father|dad"
    r"|parents)\b)[a-z]+(?:,? \(?\d{1,2}\)?,?)? (?:stayed|remained|was|is) (?:still )?"
    r"(?:(?:at|in) (?:school|home|class|camp|daycare|preschool|practice|work|bed|the (?:hospital|unit))"
    r"|home|behind|away|not (?:here|present|with us))\b[^.;\n]{0,40}?(?:[;,.]| and| but| so| while)"
    rf" (?:(?:his|her|their|both|the|only|just) )*{_WHO}"
    r"[^.;\n]{0,20}? (?:came|come|attended|met|sat|talked|joined me|(?:was|were) (?:seen|here|in))\b"
)
_AWAY_WORDS = (
    "school", " home", "class", "camp", "daycare", "practice", " work", " bed", "hospital", "the unit",
    " behind", " away", "not here", "not present", "not with us",
)  # fmt: skip
_MEANWHILE = tuple(f"{when} {the}" for when in ("while", "as", "since", "because") for the in ("", "the "))
# `Came in without pt`, `collat. w/ PO`
_WITHOUT = later(
    r"(?:came|come|met|seen|session|visit|here|in)(?: in)? without (?:the )?(?:client|patient|pt|ct|kiddo"
    r"|child|student|teen)\b(?!')|\bcollat(?:eral)?\b\.?(?: (?:session|visit|contact|call|meeting))?"
    r" (?:with|w/)"
)
# `Psychoeducation for the wife`, `long call with the caseworker, 11:00 to 11:50`
_FOR_THEM = later(
    r"[ ]*(?:(?:parent )?(?:psychoeducation|education|guidance|coaching|consultation|consult|support"
    r"|counsel(?:l?ing)?)"
    rf" (?:for|with|to|of) {_OF_WHOM}{_WHO}{_NOT_OF}|(?:[\w'-]+ )?(?:phone |video )?(?:call|conference"
    rf"|consult)(?: with| w/) {_OF_WHOM}(?:[a-z]+ ){{0,2}}?{_WHO}(?=[^.;\n]{{0,60}}?\d))"
)
# `Mom came in solo`, `his parents and I talked for fifty minutes`, `his mother used the hour`; at the person.
_ALONE = later(
    rf"{_WHO}(?:[- ]only (?:visit|session|appointment|meeting|hour)\b"
    r"|(?:,? (?:who )?(?!and )[a-z']+){0,2}?,? (?:presented|arrived|attended|came(?: in)?)(?: today)?"
    r" (?:alone|solo|unaccompanied|by (?:him|her|them)sel(?:f|ves)|on (?:his|her|their) own|without)\b"
    r"|[^.;\n]{0,40}? (?:joined|had|held|asked for|requested) (?:a|the|this) (?:[a-z]+ )?(?:call|meeting"
    r"|conference) with (?:me|writer|us)\b"
    r"| and (?:i|writer) (?:held|had) (?:a|the|our) (?:[a-z]+ )?(?:call|meeting|conference)\b"
    r"| and (?:i|writer|therapist) (?:met|talked|spoke|sat|worked|conferred|consulted)\b(?=[^.;\n]{0,40}?"
    r"\b(?:minutes|mins?|hour|session|today|alone|from \d[^.;\n]{0,12} (?:to|until|-) \d)\b)"
    r"| (?:used|took|had|kept) (?:the|this|his|her|their|today's|[a-z]+'s) (?:whole )?(?:session|hour"
    r"|appointment|visit|slot)\b)"
)
_OF_PATIENT = later(r"\b(?:patient|client|pt|ct)\b(?!'s)")
# Who is seen with another may be in couples or family work; the note does not say.
_KIN = (
    r"(?:wife|husband|spouse|partner|boyfriend|girlfriend|fiance\w?|(?:grand|step|foster )?(?:parents?|mother"
    r"|father)|mom|mum|dad|son|daughter|sister|brother|family|guardians?)\b"
)
_OUTSIDE = (
    r"(?:wait|outside|(?:were |was )?(?:in|at) (?:the (?:waiting|lobby|car|hall)|work|home)"
    r"|for the (?:last|first))"
)
_SEEN_BESIDE = later(
    r"\b(?:(?:seen|met|attended|came in|here)(?: today| together| jointly)? (?:with|w/) (?:his|her|their|both"
    rf"|the|\w+'s) (?:{_KIN}|couple\b)(?! (?:for|in the last|during|joining|present for) )"
    rf"|seen (?:today )?(?:with|w/) {_KIN}(?: today)?(?=[ ]*[.;\n])"
    r"|(?:saw|met with) (?:\w+ ){1,3}(?:together|jointly) with (?:his|her|their|both|the) (?:wife|husband"
    r"|spouse|partner|boyfriend|girlfriend|fiance\w?|parents?|mother|father|mom|dad|family)\b"
    r"|(?:patient|client|pt|ct) (?:and|\+|&) (?:his |her |their )?(?:wife|husband|spouse|partner|boyfriend"
    r"|girlfriend|fiance\w?) (?:were |both |both were |are )?(?:present|attended|came|seen|here)\b"
    r"|(?:meeting|session|visit|appointment|hour|minutes|met|sat|saw|worked|call) (?:today |together )?with"
    rf" (?:(?:mrs?|ms|dr)\. |[\w']+ ){{1,3}}and (?:his|her|their) {_KIN}"
    rf"|(?:{_KIN}|aunt|uncle) and (?:(?:his|her|their|the) )?(?:{_KIN}|aunt|uncle) (?:were )?seen\b"
    r"(?! (?:by|at|as|in|for)\b)"
    r"|mr\.? and mrs\.? \w+ (?:and i|were seen|came|attended|met)\b"
    r"|\b(?:whole|entire) (?:household|family)(?: (?:is|was|were|all))? (?:here|present|came|attended|seen"
    r"|in)\b"
    r"|\beveryone (?:is |was )?(?:here|present):"
    r"|\b(?:session|visit|met|appointment|seen|saw)\b[^.;\n]{0,30}? (?:and|&|\+) both (?:moms|mothers|dads"
    rf"|fathers|parents)\b(?! {_OUTSIDE})"
    rf"|{_KIN}(?:, {_KIN})?,? and [\w'-]+(?: \(\d{{1,2}}\))? (?:were |are )?(?:all|both) (?:in|here"
    r"|present|came|attended|seen)\b"
    r"|(?:\A|(?<=[.;,\n])|(?<=[.;,\n][ ])|(?:with|and) )both (?:of them |partners |spouses |parents )?"
    r"(?:were |are )?(?:here|came|attended|present(?=[,.;]| (?:and|for|throughout|today)\b))\b)"
)
_OPENING, _SEEN_WITHIN = 400, 220
_TITLES = ("mr", "mrs", "ms", "dr")


def others_seen(plain: str, named: Sequence[int]) -> bool:
    """`Session with the mother of Ben`, `Met with the client's husband`, `Parents were seen today`, in the
    opening; `named` are the offsets of who may have been."""
    head = plain[:_OPENING]
    begins: set[int] = set()
    for at in named:
        if at >= _OPENING:
            break
        sentence, part = _sentence_begins(head, at)
        if _ALONE.match(plain, at) and not _OF_PATIENT.search(plain, sentence, at):
            return True
        begins |= {sentence, part}
    ways = (_MET, _SESSION, _CAME, _WORKED, _FOR_THEM)
    return bool(begins) and (
        any(way.match(plain, begin) for begin in begins for way in ways) or _patient_away(head)
    )


def others_present(plain: str, tokens: TokenStream, mentions: Mentions, layout: Layout) -> bool:
    """Whether somebody is named among those who took part, or seen with the patient in the opening."""
    if "participants" in layout.kinds and any(
        layout.at(tokens.starts[first]) == "participants" for first, _, _ in mentions.people
    ):
        return True
    return _SEEN_BESIDE.search(plain, 0, _SEEN_WITHIN) is not None


def _patient_away(head: str) -> bool:
    """Whether the opening says that the patient was not there."""
    away = _AWAY.search(head)
    if away is not None and (away["meanwhile"] is None or head.endswith(_MEANWHILE, 0, away.start())):
        return True
    return one_stayed_away(head) or (
        ("without " in head or "collat" in head) and _WITHOUT.search(head) is not None
    )


def one_stayed_away(plain: str) -> bool:
    """Whether the opening tells of somebody in another place, and that relatives came."""
    head = plain[:_OPENING]
    return any(map(head.__contains__, _AWAY_WORDS)) and _NAMED_AWAY.search(head) is not None


def _sentence_begins(head: str, at: int) -> tuple[int, int]:
    """Where the sentence round an offset begins, and what follows its last colon."""
    begin = at
    while True:
        begin = max(head.rfind(mark, 0, begin) for mark in ".;\n")
        if begin < 0 or head[begin] != "." or not head.endswith(_TITLES, 0, begin):
            return begin + 1, max(begin, head.rfind(":", 0, at)) + 1
