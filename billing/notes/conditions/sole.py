"""The one condition that a note in prose names: where nothing else is stated, and its sentence tells of the
patient and takes nothing back, it is the diagnosis."""

from msgspec.structs import replace

from billing.notes.conditions.placement import MENTIONED, STATED
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.text.sentences import WIDEST, sentence_round

# Another condition of which this is said may be one of the patient's after all.
_UNSURE = frozenset(("conditional", "subthreshold", "quoted"))
_SPECIFIED = later(
    r"\b(?:mild|moderate|severe|severity|remission|recurrent|single|episode|type|presentation|specifier"
    r"|chronic|in control)\b"
)
# What stands right before it makes it the patient's, or says what something is.
_HERS = later(
    r"(?:\b(?:her|his|their|whose)(?: own| main| chief)?"
    r"|\b(?:is|remains)(?: still| now| simply| plainly| really)*(?: an?| the| her| his)"
    r"|\b(?:description|picture|definition) of(?: an?| the)?"
    r"|\b(?:would|will|shall) (?:call|name|put) (?:it|this|that)(?: down as)?(?: an?)?"
    r"|\b(?:it|this|that|which|hers|his|problem|trouble|matter|condition|illness|name|word|picture|rest|other"
    r"|(?:what|she|he)(?: [a-z'-]+){0,9})(?:'s| is| remains| stays)(?: still| now| simply| plainly| really"
    r"| an?| the| one of)*"
    r"|\b(?:make|made|put|keep|kept|treat|treating|carry|see|follow)(?: it| this| her| him)?(?: down)?(?: as"
    r"| for| at)?(?: an?| the)?"
    r"|(?:\A|\b(?:and|but))[ ]*(?:still )?(?:carries|has)(?: an?| the| her| his)?"
    r"|\b(?:continue[sd]? with|living with|lives with|work(?:ing|ed)? (?:on|with|at)|struggles with"
    r"|suffers (?:from|under)"
    r"|here for|comes for|came for|in (?:treatment|therapy) for|with us for|seen (?:here )?for)(?: an?| the"
    r"| her| his)?)"
    r"(?: [a-z-]+){0,2} ?\Z"
)
# Of anything else, another's, another time's, or no more than a word.
_NOT_SO = later(
    r"\b(?:no|not|never|none|nothing|neither|nor|without|cannot|can't|isn't|wasn't|aren't|doesn't|don't"
    r"|didn't|hasn't|haven't"
    r"|won't|wouldn't|couldn't|shouldn't|nobody|hardly|denie[sd]|if|whether|would|could|might|may|should"
    r"|must|perhaps|maybe"
    r"|possibl[ey]|probabl[ey]|likely|unlikely|suspect\w*|suspicion|suggest\w*|wonder\w*|consider\w*"
    r"|question\w*|doubt\w*|unclear|unsure"
    r"|rule[ds]?|differential|versus|vs|or|seems?|seemed|appears?|looks?|sounds?|resembl\w+|like|as though"
    r"|screen\w*|scor\w+"
    r"|test\w*|evaluat\w+|assess\w+|provisional\w*|pending|tentative\w*|until|unless|mother|father|mom|mum"
    r"|dad|parents?|husband|wife"
    r"|spouse|partner|brothers?|sisters?|sibling|son|sons|daughters?|child(?:ren)?|kids?|cousins?|aunts?"
    r"|uncles?|niece|nephew"
    r"|grand\w+|friends?|roommate|neighbo\w+|boss|colleagues?|coworkers?|boyfriend|girlfriend|fianc\w+|ex"
    r"|teachers?|family|group"
    r"|members?|people|persons?|somebody|someone|everybody|everyone|anybody|anyone|others?|another|patients"
    r"|clients|women|men|girls"
    r"|boys|dog|cat|celebrity|actor|singer|character|movie|film|show|book|books|article|podcast|video"
    r"|website|internet|online|google"
    r"|tiktok|reddit|forum|app|class|course|workshop|webinar|seminar|lecture|training|handout|worksheet"
    r"|workbook|brochure|pamphlet"
    r"|psychoeducation|education|research|study|statistics|common|chart|record|records|file|form|forms|list"
    r"|lists|letter|report|referral"
    r"|intake|paperwork|insurance|insurer|claim|header|template|school|court|lawyer|attorney|judge|hospital"
    r"|ward|er|ed|clinic|program"
    r"|doctor|physician|pcp|psychiatrist|psychologist|pediatrician|neurologist|nurse|therapist|counselor"
    r"|prescriber|colleague|supervisor"
    r"|said|says|say|saying|told|tells|asked|asks|ask|thinks?|thought|believe[sd]?|feels|felt|fear(?:s|ed)?"
    r"|afraid|worr(?:y|ies|ied)|hopes?"
    r"|hoped|wants?|wanted|wish\w*|read|reads|heard|hears|calls?|called|self-diagnos\w+|claims|labels?"
    r"|label(?:l)?ed|joked?|quoted?"
    r"|was|were|had|been|ago|once|used to|formerly|previous\w*|prior|past|history|hx|old|former|years"
    r"|childhood|teens?|teenager|college|adolescen\w+"
    r"|army|twenties|thirties|before|after|last|since|earlier|back then|resolved|remitted|remission"
    r"|recovered|gone|longer|anymore"
    r"|ended|outgr\w+|next|will|plan|goal|goals|prevent\w*|relapse|risk|rehearse\w*|topic|discuss\w*"
    r"|talked about|explain\w*|review\w*"
    r"|mention\w*|diagnosed|wrong|error|mistake\w*|correct\w*|instead|rather|than|but|however|although"
    r"|though|except|only|just|yet|about|watch\w*|man|woman|guy|girl|boy|coach|tutor|students?|mate|public"
    r"|unit|leaflet|flyer"
    r"|disregard|pasted|dread\w*|that (?:s?he|they)|in part|part(?:ly|ial\w*)|some|few|several|half|most"
    r"|short of|envi(?:es|ed)|jealous"
    r"|admir\w+|refus\w+|reject\w+|resent\w+|den(?:ies|y)|charity|fund\w*|donat\w+|tickets?"
    r"|play|favou?rite|room(?:ed|ing)|missing|medications?|drugs?|pills?)\b|[\"?]"
)

# A softer word of the writer's own.
_CALL_IT = later(r"\b(?:i )?(?:would|will|shall) (?:call|name|put) (?:it|this|that)(?: down as)?\b")
# What takes it back in a later clause of its sentence.
_TAKES_BACK = later(
    r"\b(?:no|not|never|nor|without|n't|isn't|wasn't|doesn't|don't|didn't|if|whether|might|may|could"
    r"|suspect\w*|wonder\w*|doubt\w*"
    r"|question\w*|possib\w+|perhaps|maybe|likely|ruled?|mother|father|mom|dad|husband|wife|partner|brother"
    r"|sister|son|daughter|friend"
    r"|says|said|thinks?|thought|claims?|believes?|reads?|heard|label\w*|wrong|error|mistake|old|former|past"
    r"|history|longer|resolved|gone"
    r"|ago|once|used to|ended|chart|letter|referral|school|doctor|but)\b|[\"?]"
)

# `She's a second grader whose separation anxiety disorder kept her out of school`
_WHOSE = later(
    r"(?:\A|, |\b(?:and|that) )(?:she|he|they|client|patient|pt)(?:'s| is| are)(?: still"
    r"| now)? an? (?!(?:friend|daughter|son|sister"
    r"|brother|mother|father|wife|husband|member)\b)[a-z -]{2,40} whose \Z"
)
_AT_SCHOOL = later(r"\b(?:out of|from|in|at|to) school\b")


def promoted(plain: str, found: list[Finding]) -> list[Finding]:
    """The findings, the only condition of a story as stated."""
    named: list[Finding] = []
    firm: list[Finding] = []
    for each in found:
        if each.by != "words":
            return found
        if each.concept is not None and each.concept.kind == "dx":
            named.append(each)
            if each.doubt is None:
                if each.strength > MENTIONED or each.section != "narrative":
                    return found
                firm.append(each)
    if not firm or len({each.family for each in firm}) > 1:
        return found
    family = firm[0].family
    if any(
        each.family == family
        or each.doubt in _UNSURE
        or (each.doubt == "uncertain" and each.strength > MENTIONED)
        for each in named
        if each.doubt is not None
    ):
        return found
    told = {id(each) for each in firm if _is_told(plain, each)}
    return [replace(each, strength=STATED) if id(each) in told else each for each in found]


def _is_told(plain: str, finding: Finding) -> bool:
    before, behind = sentence_round(plain, finding.start, finding.end)
    near = before.rpartition(", ")[2]
    if finding.concept is not None and finding.concept.values and not finding.specific:
        told = plain[max(0, finding.start - WIDEST) : finding.end + 2 * WIDEST]
        if _SPECIFIED.search(told):
            return False  # `bulimia nervosa, and by number of attacks it is one of moderate severity`
    if _WHOSE.search(before):
        return not _TAKES_BACK.search(_AT_SCHOOL.sub("", behind))
    first, _, rest = behind.partition(", ")
    near = _CALL_IT.sub("", near)
    return (
        _HERS.search(before) is not None
        and not _NOT_SO.search(f"{near} | {first}")
        and not _TAKES_BACK.search(rest)
    )
