"""How much speaks for a length of time in a note being this session's, and what kind of length it is:
planned, in all, of the therapy alone."""

from billing.notes.later import later
from billing.notes.length.contact import (
    ends_session,
    follows_service,
    goes_on_with_what_we_did,
    is_of_contact,
    opens_note,
    was_no_longer,
)
from billing.notes.length.elsewhen import (
    A_RECORDING,
    AT_THE_PRACTICE,
    ELSE_AFTER,
    OF_A_DATE,
    ON_A_DAY,
    PART,
    SHORT_DAYS,
    of_an_attack,
    of_another_time,
    of_anothers,
    of_exercise,
    told_before,
    until_turned,
)
from billing.notes.length.labelled import LABELLED_AFTER, LABELLED_BEFORE, TOTAL, TOTAL_AFTER
from billing.notes.length.planned import NUMBER_END, stopped_instead, what_was
from billing.notes.length.span import Span
from billing.notes.page.layout import Layout
from billing.notes.text.letters import words_of

# By their first letters: a pattern tries its alternatives one after the other.
_SESSION = later(
    r"\b(?:a(?:ppointment|ppt\b|ssessment|nd i (?:talked|spoke|worked))|c(?:ouples?|on(?:joint|ducted)"
    r"|heck[- ]?in|linical hour|ounseling|ontact time|risis|onsultation)|e(?:ncounter|valuation|nded)"
    r"|f(?:ace[- ]to[- ]face|2f|amily)|group|hour together|i(?:ndividual(?:ly)?|nd\b|ndiv|n person"
    r"|n (?:my|our|the) (?:office|room)|ntake|nterview)|m(?:et\b|eet for|eeting|inutes of)"
    r"|one[- ](?:to|on)[- ]one"
    r"|p(?:sychotherapy|hone call|layroom)|ran|s(?:essions?|een\b|aw\b|ervice|tarted)"
    r"|t(?:herapy|x\b|reatment|elehealth|otal time|ime spent|ogether|he call)"
    r"|v(?:isit|ideo)|w(?:orked|e talked|ith me)|1:1|(?:90791|90832|90834|90837|90839|90846|90847|90853))"
)
_NOT_SESSION = later(
    r"\b(?:a(?:go| day| night| week|(?<!baby a)(?<!infant a)(?<!newborn a)sleep|wake|ttack|ttacks"
    r"|rgu(?:ment|ed|ing)|fter (?:she|he|they"
    r"|the client) left|t a time|ppointments? (?:were|was)|lone for)"
    r"|b(?:(?<!-b)ed\b|reath\w+|efore bed)|c(?:ommut\w+|harting"
    r"|ollateral|oordinat\w+|ried|rying|heck(?:s|ed|ing)|igarette|ommute)|d(?:aily|rives?|rove|ocumentation"
    r"|rop[- ]off|elayed|rink)|e(?:very|ach|xercis\w+|arly|xposure (?:for|of|lasted)|xpected|at)"
    r"|f(?:or the (?:first(?! time)|last(?! time)|final|middle)|ight|light|uture|rom now)|g(?:aming|ym)"
    r"|h(?:omework|w\b"
    r"|alf[- ]life)|i(?:n traffic|n (?:19|20)\d\d)|j(?:ournal\w*|og\w*)|l(?:ast (?:week|session|visit|time"
    r"|month|month's|week's)|ate\b|ate\.|etter|asting|asts|ater)|m(?:editat\w+|eltdown\w*|eals?)|n(?:ext"
    r"|ightly|ap|aps|ormally)|o(?:utburst\w*|ld\b|lder)|p(?:revious(?:ly)?|rior|er day|er week|er night"
    r"|(?<!at the p)(?<!in the p)(?<!at my p)(?<!in my p)ractice[sd]?|aperwork|anic"
    r"|(?<!ual by p)(?<!ion by p)(?<!apy by p)(?<!met by p)(?<!een by p)(?<!oke"
    r" by p)(?<!tes by p)(?<!min by p)(?<!ked by p)(?<!ted by p)(?<!eld by p)(?<!ent by p)hone\b"
    r"(?! session| visit| call| therapy| psychotherapy))"
    r"|r(?:an for|un for|uns|eading|ead for|ituals?)|s(?:leeps?|lept|cheduled|creen time|tudy|tudying"
    r"|hower\w*|essions (?:were|was|in|of|each))|t(?:ravel|antrum\w*|v|imer|ypically)|u(?:sual|sually"
    r"|pcoming|ntil (?:his|her|their))|w(?:eek of"
    r"|alk(?:s|ed|ing)?(?![ -](?:and|&|n)[ -]talk)|ait(?:ed|ing)?|eekly|ithin|ork(?:s"
    r"|ing)? out|indow|ill be)|yoga|(?:first|last|final|remaining|opening|closing|initial) (?:\w+ )?$)\b"
)
# `We spent 45 minutes`, `spent 45 minutes in psychotherapy`, but `she spent three hours at the bank`.
_SPENT = later(
    r"(?P<by>\b(?:we|i|time|minutes|session|clinician|provider|therapist|writer"
    r"|counselor)(?: \w+)? )?(?<!had )\b(?P<spent>spent|spend)(?: \w+){0,3} $"
)
_SPENT_HERE = later(
    r" (?:together|face|(?:in|on|of) (?:individual|psychotherapy|therapy|session|counseling)|with (?:me|us"
    r"|the (?:client|patient)|client|patient|pt|him|her|them)\b)"
)
_ADJECTIVE = later(r"(?:-(?:minute|min|hour)|[ ]minute)$")
_COMPOUND = later(r"[ -]?(?P<noun>[a-z]+)")
# `90-minute EMDR session`
_OF_A_SESSION = later(r"(?:[ -][a-z-]+){1,3} (?:session|visit|appointment|encounter)\b")
# `She left at the 35 minute mark.`
_STOPPED = later(
    r"\b(?:end(?:ed)?|stop(?:ped)?|left|leave|go|cut(?: short| off)?|finished|done|quit|closed|concluded"
    r"|wrapped up)(?: [a-z]+)? (?:at|by|around)(?: the| about)* $"
)
_THEY_JOINED = later(
    r"(?:\b(?:client|patient|pt|ct) (?:\w+ )?|\A *)joined(?=,| (?:by (?!his|her|their|a\b|the|mo|da|fa)"
    r"|from|via|on\b|over|at\b|in\b|late|today|me\b|us\b|the (?:video|call|session|visit|meeting|link)"
    r"|\d)| ?\Z)"
)
_LINKING = frozenset(("of", "in", "and", "with", "today", "total", "for", "on", "at", "was", "we"))
_OF_BEFORE = ("last ", "previous", "prior")
_HARD_NOT = later(
    r"\b(?:next(?! to\b)|last (?:week|(?:\w+ )?visit|month|(?:session|appointment|meeting|time) (?:was|ran"
    r"|lasted|went|took))|previous|prior|ago|late|every|each|daily|scheduled|charting|coordination|homework"
    r"|documentation|weekly|per (?:day|week)|worry (?:appointment|time|period|window|hour|postponement)"
    r"|joined|(?<!baby )(?<!infant )asleep|slept|sleep|early|rtc|(?:f/u|follow[- ]?up|return) in)\b"
)
# `We talked for twenty minutes about her mother`: a part of the session, where it is short.
_MOST_ABOUT = 38
_LASTED = later(
    r"\b(?:session|visit|appointment|psychotherapy|therapy) (?:time |length )?(?:lasted|ran|was|took|went)"
    r"(?: for| about| the full)*[ ]$"
)
_A_FEW_LETTERS, _FAR = 8, 34
_SHORTEST_RANGE, _LONGEST_RANGE, _LONGEST_UNNAMED = 16, 200, 110
_DIGIT = later(r"\d")
_RAN = ("ran ", "took ", "lasted ", "went ", "for ", "about ")
_ACTUALLY = later(
    r"[ -]?(?:minutes? )?(?:(?:were|was) )?(?:actual|used|in (?:fact|truth|reality)|to be exact)\b"
)
# `Late, and we only met for 41 minutes`
_MET_AFTER_ALL = later(
    r"\b(?:late|early),? (?:and|so|but) (?:we (?:\w+ )?(?:met|worked|talked|had|sat|spoke)|lasted|ran)"
    r"(?: \w+){0,2} $"
)
# `Came ten minutes late, so 45 minutes`
_SO_MUCH = later(r"\b(?:so|leaving|which left(?: us)?|left us)(?: with)?(?: only| just| about)* $")
# `Imaginal exposure to the ambush ran 28 minutes`
_PART_RAN = later(
    r"\b(?:exposure|imaginal|exercise|role[- ]?play\w*|script|practice|recording|review|meditation|scan"
    r"|hierarchy|reading)(?: (?!session|visit|hour|appointment)[\w'-]+){0,6} (?:ran|took"
    r"|lasted|went)(?: for| about)* $"
)
_QUIET = frozenset(
    ("plan", "goal", "family_history", "past_history", "medical", "substance_history", "social_history",
     "measures")
)  # fmt: skip
# `Fifty minutes on the clock`, at the beginning of a sentence.
_BY_THE_CLOCK = later(r" (?:by the(?: \w+)? clock|on (?:the|my) (?:clock|log|platform))\b(?! (?:at|on|in)\b)")
# `50 minutes less a ten-minute break`, at the beginning of a sentence.
_LESS = later(
    r"(?: (?:on|by) the clock| in the room| today| in all| altogether)*[ ,;(-]*(?:(?:less|minus|excluding"
    r"|not counting|of which)\b|with (?:a|an|one"
    r"|two) (?:[\w-]+ ){0,3}(?:break|pause|gap|interruption)|\w+(?:[ -]\w+)?(?: minutes)? of (?:which|them"
    r"|those|these)\b)"
)
# `50 minutes of exposure today, one to one`, `forty-five minutes on it, just the two of us`
_WITH_ME = later(
    r"[^.;\n]{0,34}\b(?:indiv(?:idual(?:ly)?)?|(?P<us>one[- ](?:to|on)[- ]one|1:1|the two of us|just us"
    r"|(?:her|him|them|client|patient|pt) alone(?! time)"
    r"|just (?:him|her|them)|(?:him|her|them) and me|(?:she|he|they) and i))\b"
)
# `We spent 20 minutes on the elevator`
_ON_SOMETHING = later(
    r" (?:on|at|outside|in (?:the|her|his|a) (?!session|room|office|playroom)|reviewing|talking|walking"
    r"|doing|discussing|practicing|going over|role|rehearsing|riding|looking|filling)\b"
)
# One of these words stands in all that the pattern of the name matches.
_STOPPED_WORDS = frozenset(("at", "by", "around"))
_NOT_COUNTED_WORDS = frozenset(
    ("indirect", "admin", "administrative", "non", "nondirect", "nonface", "nonbillable", "travel", "not",
     "excludes", "excluded", "excluding", "addition", "apart", "besides", "plus", "another", "additional",
     "further", "less", "minus", "break", "pause", "gap")
)  # fmt: skip
_PART_WORDS = frozenset(
    ("first", "last", "final", "opening", "closing", "remaining", "was", "ran", "took", "lasted", "went",
     "used")
)  # fmt: skip
_WAS_ACTUAL = later(r"\bactual(?:ly)?(?: \w+)?[ :=-]*\Z")
# `Ten of the 50 minutes`: the minutes of the session.
_OF_THE = later(rf"{NUMBER_END} of (?:the|our) $")
# So short a clause may be nothing but a length and its label.
_BARE_FIELD = 60
_NEARLY = ("nearly ", "almost ", "not quite ", "just under ", "less than ", "close to ", "under ", "shy of ")
# `Not counted: 20 minutes in the lobby`, `45 minutes, excluding 10 minutes of charting`.
_NOT_COUNTED = later(
    r"\b(?:(?:indirect|admin(?:istrative)?|non[- ]?direct|non[- ]?face[- ]to[- ]face|non[- ]?billable"
    r"|travel)(?: time| hours| minutes)?(?: \((?:hrs|hours|min|mins|minutes)\))?[ :=]*\Z|not (?:counted"
    r"|billed|included|therapy|charged):|(?:exclud(?:es|ed|ing)|not (?:counting|including)"
    r"|does not include|in addition(?: to)?|apart from|besides|plus|another|an additional|a further|less"
    r"|minus|(?:break|pause|gap) of) (?:\w+ ){0,2}\Z)|\+ \Z"
)
_AFTERWARDS = later(
    r"(?! (?:including|which includes)\b)(?:(?!  )[^.,;\n\d+(]){0,25}\b(?:reserved|booked|an? (?:evening"
    r"|morning|day|night|week)|of (?:charting"
    r"|documentation|coordination|calls|paperwork|collateral|travel|prep|case)|(?:charting|note(?=[ ]*[.;\n])"
    r"|documentation|coordination|paperwork|collateral|travel"
    r"|spent (?:on|in) (?:charting|documentation|coordination|calls"
    r"|paperwork|travel)|breath|walk(?!ed)|late(?! (?:arrival|cancel))|early|ago|daily|each"
    r"|every(?! (?:minute|bit|moment"
    r"|second))|per (?!(?:client|patient|pt|her|his|their)\b)"
    r"|a day|into|(?:past|beyond|over) (?:the|our|my) (?:end|hour|time|usual|regular|scheduled)"
    r"|(?:of )?(?:practice|meditation|exposure|mindfulness|yoga|exercise|tracking|journaling|grounding"
    r"|silence|worry|reading|relaxation|progressive|imaginal|role)))"
)
# `Ten minutes before she came`, but `sixteen minutes of psychotherapy before transport`.
_UNTIL_THEN = later(
    r"[^.,;\n]{0,25}\b(?:before(?! (?:the|my|our) (?:next|following) (?:client|patient|family|couple|person"
    r"|appointment|one|session|hour|group))|after (?:she|he|they|the))"
)

# `Start 3:00 PM, stop 3:16 PM`
_OPENS_AND_CLOSES = later(r"\b(?:start|began|begin|time in|stop|end|ended|(?:time )?out|finish)\b")
# `50 min today, weekly.`, `60 min in office, ...`, at the beginning of a sentence.
_TODAY_HERE = later(
    r" (?:today[ ]?[,;.]?[ ]?(?:weekly|biweekly|every|again|next|same|rtc|return|f/u"
    r"|(?:she|he|they|client|pt) (?:had|has|needed|was|left))\b"
    r"|(?:in|at) (?:the |my |our )?(?:office|clinic)[ ]?(?:[.,;\n]|\Z))"
)
# `55 minutes with the patient`, but `25 minutes with the unlocked door`.
_WITH_A_PERSON = later(
    r"(?: (?:by myself|alone|today|together|one[- ](?:on|to)[- ]one|in person|by (?:video|phone)|here"
    r"|spent))* (?:with|w/) ?(?!(?:the|a|an|his|her|their|my|this|that|no)\b(?! (?:client|patient|pt"
    r"|couple|famil"
    r"|child|parents?|boy|girl|youth|teen|mother|father)))"
)
# `25 minutes, because he was sick.`
_SHORTENED = later(
    r",? (?:because|as|since|only|due to|d/t|cut short|shortened|(?:stopped|ended) (?:early|when|because|as)"
    r"|at (?:her|his|their|client|patient)(?:'s)? request)\b"
)


def weight_of(plain: str, layout: Layout, span: Span, left: int, right: int) -> int:
    """How much speaks for a span being this session's length; 0 or less is not."""
    section = layout.at(span.start)
    ranged = span.kind == "range"
    before, after = told_before(plain[left : span.start]), plain[span.end : right]
    near_before, near_after = what_was(before[-34:]).replace("_", " "), after[:34]
    begun = ""
    if before.endswith(": ") and len(lead := before.rpartition("  ")[2]) > _FAR:
        # A colon belongs to what its sentence, or its column, began with.
        begun = f"{lead[:_FAR]}: "
    words = words_of(before)
    score = 0
    if section == "time":
        score += 6
    elif section in ("service", "modality", "participants"):
        score += 3
    elif section in _QUIET:
        score -= 1 if section == "plan" else 3
    # `We talked for twenty minutes about her mother`, `Lasted 6 min, urge 80`
    about = not ranged and after.startswith(" about ") and span.minutes < _MOST_ABOUT
    about = about or (span.minutes < _SHORTEST_RANGE and before.strip() == "lasted")
    spent = _SPENT.search(near_before) if "spen" in near_before else None
    here = spent is not None and (
        spent["by"] is not None or (_SPENT_HERE.match(after) is not None and not ON_A_DAY.search(near_after))
    )
    opened = span.own or (ranged and _OPENS_AND_CLOSES.search(plain, span.start, span.end))
    opens = not before.strip(" -*")
    so_much = ("so " in near_before or "le" in near_before) and _SO_MUCH.search(near_before) is not None
    of_today = not ranged and near_before.endswith("today: ")
    part = (here or of_today) and " our " not in near_before and _ON_SOMETHING.match(after) is not None
    with_me = _WITH_ME.match(after)
    part = part and span.minutes < _MOST_ABOUT and not with_me
    here = here and not part
    contact = is_of_contact(span, before, after)
    we_did = goes_on_with_what_we_did(span, before, after)
    labelled = (
        so_much
        or contact
        or (opens and (_LESS.match(after) or _BY_THE_CLOCK.match(after)))
        or opened
        or LABELLED_AFTER.match(after)
        or we_did
        or (with_me is not None and with_me["us"])
        or was_no_longer(span, before, after)
        or (not about and (LABELLED_BEFORE.search(near_before) or (begun and LABELLED_BEFORE.search(begun))))
        or here
    )
    if spent is not None and not here and not part:
        score -= 5
    elif labelled:
        score += 5
    elif _SESSION.search(near_before) or (begun and _SESSION.search(begun)) or _SESSION.search(near_after):
        score += 3
    elif _SESSION.search(before) or _SESSION.search(after):
        score += 1
    if (
        section == "plan"
        and ranged
        and not (labelled or _SESSION.search(before) or _SESSION.search(after))
        and sum(map(str.isalpha, before)) >= _A_FEW_LETTERS
    ):
        score -= 3
    if ranged and section != "time" and of_anothers(near_before):
        score -= 10
    if (
        not labelled
        and ("day" in before or before.rstrip(" ,").endswith(SHORT_DAYS))
        and ON_A_DAY.search(before)
    ):
        score -= 2 if not ranged else 3 if ON_A_DAY.search(near_before) else 0
    if " of " in near_before and _OF_THE.search(near_before):
        score += 3
    actual = (
        span.kind in ("actual", "pieces")
        or _ACTUALLY.match(after) is not None
        or ("actual" in before and _WAS_ACTUAL.search(plain, max(left, span.start - 26), span.start))
    )
    if actual:
        score += 5
    if ranged:
        longest = _LONGEST_RANGE if labelled or section == "time" else _LONGEST_UNNAMED
        score += 4 if _SHORTEST_RANGE <= span.minutes <= longest else 1
    session_ends = opens and not ranged and ends_session(plain, left)
    bare = len(before + after) <= _BARE_FIELD
    if (
        (bare and sum(map(str.isalpha, before + after)) <= 12)
        or (opens and _WITH_A_PERSON.match(after))
        or (opens and not ranged and (_SHORTENED.match(after) or _TODAY_HERE.match(after)))
        or session_ends
        or (left and not ranged and follows_service(plain, left, before, after))
    ) and not (bare and of_exercise(before + after)):
        score += 4 if session_ends and not after.strip() else 3
    score += 3 if before.strip(" -*") == "x" and after.startswith((",", ".")) else 0
    opening = not labelled and opens_note(plain, span, left)
    score += 4 if opening else 0
    joined = "joined" in before and _THEY_JOINED.search(before) is not None
    score += 3 if joined else -4 if "joined" in near_before and not labelled else 0
    compound = _COMPOUND.match(plain, span.end)
    of_a_session = compound is not None and _OF_A_SESSION.match(plain, span.end) is not None
    stopped = not ranged and (
        (not _STOPPED_WORDS.isdisjoint(words) and _STOPPED.search(near_before) is not None)
        or (near_before.endswith("after ") and stopped_instead(plain, left, span.start))
    )
    score += 4 if stopped else 0
    if compound and not stopped and _ADJECTIVE.search(plain, span.start, span.end):
        score += (
            4
            if _SESSION.match(compound["noun"]) or compound["noun"].startswith("hour") or of_a_session
            else 0
            if compound["noun"] in _LINKING
            else -6
        )
    if ("total" in near_before and TOTAL.search(near_before)) or TOTAL_AFTER.match(after):
        score += 1
    hard = _HARD_NOT.search(near_before[-28:]) or (_HARD_NOT.search(begun) if begun else None)
    if hard and (
        (
            hard[0] in ("late", "early")
            and (
                ranged
                or so_much
                or stopped
                or LABELLED_AFTER.match(after)
                or _MET_AFTER_ALL.search(near_before)
            )
        )
        or (hard[0] == "joined" and joined)
        or (hard[0] == "next" and contact)
        or (hard[0] in ("late", "early") and span.own)
        or (hard[0] == "scheduled" and _DIGIT.search(near_before[-28:], hard.end()))
    ):
        hard = None
    if (
        (
            hard
            and (not actual or hard[0].startswith(_OF_BEFORE))
            and not (
                labelled
                and hard[0] == "weekly"
                and (section not in _QUIET or after.startswith(" today") or before.endswith(" today "))
            )
        )
        or (
            _AFTERWARDS.match(after)
            and not (
                AT_THE_PRACTICE.match(after)
                or of_a_session
                or we_did
                or with_me
                or _LASTED.search(near_before)
                or span.kind == "pieces"
            )
        )
        or (
            ("before" in after or "after" in after)
            and _UNTIL_THEN.match(after)
            and not (contact or LABELLED_AFTER.match(after) or _SESSION.search(before))
        )
    ):
        score -= 14 if actual and hard else 7
    elif not (labelled or stopped or opening or (compound and compound["noun"] == "hour")) and (
        _NOT_SESSION.search(near_before) or _NOT_SESSION.search(until_turned(after[:26]))
    ):
        score -= 5
    elsewhen = of_another_time(before, after, words, ranged=ranged, labelled=bool(labelled), section=section)
    if not ranged and before.endswith(_RAN) and of_an_attack(plain, span):
        score -= 10
    ran = not ranged and near_before.endswith(_RAN) and _PART_RAN.search(before) is not None
    dated = " of " in before and OF_A_DATE.search(before) is not None
    if part or ran or elsewhen or dated or A_RECORDING.match(after):
        score -= 10
    if (
        before.endswith(_NEARLY)
        or (not _PART_WORDS.isdisjoint(near_before.split()) and PART.search(near_before))
        or (
            (before.endswith("+ ") or not _NOT_COUNTED_WORDS.isdisjoint(words))
            and _NOT_COUNTED.search(before)
        )
    ):
        score -= 8
    if ELSE_AFTER.match(after) and not (
        after.lstrip().startswith("before ") and (contact or _SESSION.search(before))
    ):
        score -= 8
    if not ranged and span.minutes > (_LONGEST_UNNAMED if not labelled and section != "time" else 180):
        score -= 4
    return score
