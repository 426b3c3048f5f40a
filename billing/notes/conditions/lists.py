"""What a place in the note is about, from the words round it: boxes that list diagnoses, a name that is the
patient's."""

import re

from billing.notes.conditions.resolver import Resolved
from billing.notes.later import later
from billing.notes.page.layout import Layout
from billing.notes.page.standing import Standing, standing_of
from billing.notes.text.tokens import TokenStream

ASSESSMENT_KINDS = frozenset(("assessment", "problem", "correction"))
_WIDEST_LINE = 400
# `[x] F33.0 MDD`; `DIAGNOSES, mark current only` above the boxes.
_CODED_OPTION = re.compile(r"[\])\u2611x_][ ]*[a-z]\d[0-9a-z](?:\.[0-9a-z]{1,4})?[ :-]+\Z")
_BOXED = re.compile(r"[ ]*(?:[-*] )?(?:[\[(][ _]*[xy*+/\u2611]?[ _]*[\])]|[\u2610\u2611])")
_BOX_BEHIND = re.compile(r"(?:[\[(][ _]*[xy*+/\u2611]?[ _]*[\])]|[\u2610\u2611])[ ]*\Z")
_WORD = re.compile(r"[a-z]")
_OWN_STATE = re.compile(r"(?P<entry>[a-z][^(|]{3,60}?)(?: -{1,2} |[ ]?\()(?P<state>[^()|]{2,20})\)?\.?")
_OPENS_WITH_STATE = re.compile(
    r"[ ]*(?:r/o|rule out|possible|probable|suspected|provisional|h/o|hx of) [a-z]{3}"
)
_OPENS_WITH_CODE = re.compile(r"[ ]*[a-tv-z]\d\d(?:\.[0-9a-z]{1,4})?\b[ ]*[a-z]")
_LIST_HEADING = re.compile(
    r"\b(?:diagnos[ie]s|dxs?|icd|impressions?|conditions treated|working list"
    r"|(?:active|current|treated) problems?|problems?(?:\(s\))? (?:treated|addressed)"
    r"|(?:tick|check|mark|select) (?:all )?(?:current|active|confirmed|established))\b"
)
_OTHER_HEADING = re.compile(
    r"\b(?:screen\w*|handouts?|educat\w+|family|parent\w*|past|histor\w+|prior|previous|rule\w*|r/o"
    r"|negative|neg"
    r"|possible|differential|consider\w*|refer\w*|relatives?|topics?|resources?|groups?|no)\b"
)
_MOST_OPTIONS = 40
# `3 | Major depressive disorder | resolved 2021`: what a row of a table says of its condition.
_ROW = (
    (
        "other_person",
        re.compile(r"\b(?:spouse|husband|wife|partner|mother|father|sister|brother|son|daughter)'s\b"),
    ),
    (
        "uncertain",
        re.compile(r"\b(?:rule ?-?out|r/o|provisional|suspected|possible|differential|to confirm|pending)\b"),
    ),
    (
        "historical",
        re.compile(
            r"\b(?:resolved|inactive|historical|past|removed|ruled out|denied|in error|wrong"
            r"|disregard|discontinued|old|no longer)\b"
        ),
    ),
)
# `8/02  Acute stress disorder -- ended 9/04`
_ENDED = re.compile(r"[^;|\n]{0,60}? --? (?:ended|closed|removed|withdrawn|dropped|retired|stopped)\b")
# `PTSD F43.10, active until 2019`
_UNTIL = re.compile(
    r"[ ,(:;-]*(?:[a-z]\d[\da-z][.\da-z]*[ ,():;-]*)?(?:(?:was|were) )?(?:active|current|present|treated"
    r"|symptomatic|in treatment)(?: [a-z]+)? until (?:[a-z]+\.? )?(?:\d{1,2}[/.-]){0,2}(?:19|20)\d\d\b"
)
_SCORED = re.compile(r"[ ]?(?:[=:]|-)?[ ]?\d{1,2}(?![\d.])(?![ ]?(?:mi|m\b|h|'|y|x|wk|d\b))")
_BEFORE_NOW, _LONGEST_WAS = ("(was ", "(were ", "(formerly ", "(previously "), 12
_WIDEST_BRACKET = 48
# `There was a depressive episode after her divorce`
_THERE_WAS = re.compile(r"(?:\A|[.;\n])[ ]*there was an? \Z")
_NO_MORE = re.compile(
    r"\b(?:resolved|inactive|historical|past|removed|ruled out|denied|in error|wrong|disregard|discontinued"
    r"|no longer|not (?:selected|met|confirmed|active|current))\b"
)
_PATIENT_LABEL = re.compile(
    r"\b(?:client|patient|pt|ip|identified client|identified patient|name)(?::|[ ]\()[ ]*"
)
# `Ari, 9,`; `34f,`; `Client, 34,`: a name or a word for the patient, and the age.
_NAME_AND_AGE = re.compile(
    r"(?:(?:individual )?(?:session|visit|psychotherapy|therapy) with )?(?:m(?:r|s|rs|x)\.? )?"
    r"(?:(?!(?:mother|father|sister|brother|son|daughter|wife|husband|partner|friend|session|visit|week|day"
    r"|group|met|she|he|step|module|room|page)\b)[a-z'.-]+[ ]?){0,2}(?:(?<=[a-z.])[ ]?[,(][ ]?|(?<=client)[ ]"
    r"|(?<=pt)[ ]|(?<=patient)[ ])?[1-9]\d?(?:yo|y|f|m)?[)]?[ ]?[,(][ ]?"
)
_OPENING = 80
# The sections that may open with who the patient is.
_INTRODUCING = ASSESSMENT_KINDS | {"subjective", "data", "behavior"}
# What parts the entries of a title.
_PARTING = (",", "/", "|", "(", "-", ";", ":", "*")
_PARTED = ",/|);.-:\n*"
# `PTSD, along with a recurrent major depression`
JOINING = re.compile(
    r"[,;]? (?:(?:along|together|coupled|paired|combined) (?:with|w/)|alongside|in addition to|on top of"
    r"|accompanied by|complicated by|as well as"
    r"|(?:first,? )?and (?:also|then|second(?:arily|ly)?,?|additionally|separately|with (?:it|that|this)),?"
    r"|and,? (?:second|next|secondary) to (?:it|that|this|them),?"
    r"|(?:first(?: of all)?|chiefly|mainly|primarily|mostly|principally),? (?:and|with|plus)"
    r"(?: (?:also|then|second(?:ly|arily)?),?)?)"
    r"(?: (?:an?|the|his|her|their|some|comorbid|co-?occurring|secondary|additional|second|separate))* ?"
)
# `Hoarding disorder, with fair insight, and ...`: what is told of the first between commas.
_ASIDE = later(
    r",? with(?:out)?(?: (?:good|fair|poor|absent|limited|accompanying|intellectual|language|anxious"
    r"|psychotic|mixed|dissociative|melancholic|atypical|peripartum|seasonal|delayed|early|late|delusional|or|and"
    r"|insight|beliefs|impairments?|distress|features|symptoms|onset|pattern|expression)){1,6},(?= and )"
    r"|,? on (?:[a-z]+ )?(?:therapy|treatment|buprenorphine|methadone|suboxone|naltrexone|mat|moud)(?=,? )"
)
_SENTENCE_ENDS = later(r"[.;\n]")
# `and under it a recurrent depression`, `, found late, and since May for a ...`, `, which is better, and`
_BESIDE_IT = later(
    r"\band (?:with|under(?:neath)?|beneath|alongside|besides?|behind|on top of|along with|together with)"
    r" (?:it|that|this|these|them)\b[^.;\n]{0,60}\Z"
    r"|, [^.;:\n]{1,90},? and (?:since [^.,;\n]{1,30} )?for (?:an? |the |his |her |their )?\Z"
    r"|, (?:which (?:is|we|i) [^.;:\n]{1,60}|[a-z-]+(?: and [a-z -]{3,24})?), and (?:an? )?\Z"
)
_WIDEST_BESIDE, _AFAR = 120, 24
_LONGEST_LISTING, _LONGEST_JOINING = 4, 7
_WANTING = later(
    r",? (?:were|had|should|but for|except (?:that|for)|only (?:the|she|he|there)|save for|without the)"
    r"(?: (?:the|there|it|she|he|they|we|i|her|his|their|this|that|not))?\b"
)
_WERE_THERE = later(
    r"(?:\A|[.;\n] ?)(?:were|had|should|without|but for) (?:it|there|she|he|they|the|her|his|we"
    r"|i)\b[^.;\n]{0,70},"
    r" (?:i|we|one|it|this|that) ?(?:would|should|'d)\b[^.;\n]{0,20}\Z"
)
# The words between two conditions of one list.
_LISTING = frozenset(
    (";", "and", "with", "for", "a", "an", "comorbid", "also", "plus", "co", "occurring", "as", "well",
     "both", ".", "type", "presentation", "subtype", "level")
)  # fmt: skip


# A dictation speaks its stops: `diagnoses are X period and Y period`.
_SENTENCE_AND = re.compile(r"[ ]*\.[ ]*(?:and|&) ")
# Words of a list and round its conditions that tell nothing else.
NEUTRAL = frozenset(
    ("current", "currently", "acute", "known", "active", "other", "history", "clear", "a", "an", "the",
     "any", "major", "full", "diagnosis", "of", "dx", "co", "occurring", "evidence", "yet", "formal",
     "clinical", "true", "for", "or", "and", "criteria", "met", "symptoms", "signs", "mood", "disorder",
     "has", "have", "had", "been", "with", "is", "new", "additional", "comorbid", "separate", "frank",
     "actual", "diagnosable", "longer", "in", "this", "that", "as", "to", "be", "it", "really", "at",
     "all", "both", "quite", "just", "obviously")
)  # fmt: skip
# They also head what follows them.
HEADINGS = frozenset(("history", "hx", "past"))
# `For all prior ...`: of the record, and of no other time.
VISITS = frozenset(("sessions", "visits", "claims", "dates", "notes"))
_LEVELS = (["1"], ["2"], ["3"])
_WITH = frozenset(("and", "or", "nor"))
_BEFORE_CODE = (" ", " - ", ": ")
# Of another noun, with what is said of it.
_LONGEST_NOUN = 5
_RULED_OUT = frozenset(("was", "were", "is", "are", "has", "have", "been", "ruled", "excluded", "denied"))
# These take up what stands before the `and`.
_SAME = frozenset(
    ("it", "this", "that", "these", "those", "they", "which", "both", "all", "neither", "none", "was", "were",
     "is", "are", "has", "have", "had", "then", "later", "since", "now", "not", "never", "so", "also", "i",
     "we", "the", "its", "each", "criteria", "ruled", "excluded", "can", "could", "does", "did", "do", "may")
)  # fmt: skip
# Such a word behind several conditions speaks of all of them.
_OF_SEVERAL = frozenset(
    ("are", "were", "have", "do", "don't", "each", "both", "all", "neither", "none", "remain")
)
# `Cyclothymia and a head injury remain ...`: the last of several may be none that is known, and nobody.
_LONGEST_LAST = 6
_SOMEBODY = frozenset(
    ("she", "he", "they", "i", "we", "it", "her", "his", "their", "my", "our", "these", "those", "is", "was",
     "has", "had", "not", "who", "which", "that")
)  # fmt: skip


def lists_diagnoses(plain: str, start: int, section: str) -> bool:
    """Whether the boxes of the option at an offset are a list of diagnoses: its section, its heading or the
    code in it says so."""
    if section in ASSESSMENT_KINDS:
        return True
    line_start = _line_start(plain, start)
    lead = plain[line_start:start]
    if _CODED_OPTION.search(lead):
        return True
    heading = lead.partition("[")[0].partition("(")[0]
    if _is_category(heading):
        heading = ""
    apart = False
    for _ in range(_MOST_OPTIONS):
        if _WORD.search(heading) or not line_start:
            break
        above = _line_start(plain, line_start - 1)
        heading, line_start = plain[above : line_start - 1], above
        apart = apart or not heading.strip()
        if _BOXED.match(heading) or _BOX_BEHIND.search(heading):
            heading = ""
    if _OTHER_HEADING.search(heading):
        return False
    return _LIST_HEADING.search(heading) is not None or (apart and not heading.rstrip().endswith(":"))


_AND = later(r",? (?:and|as well as) (?:(?:an?|the|his|her|their|also|comorbid) )*")


def joined(plain: str, tokens: TokenStream, left: Resolved, right: Resolved) -> bool:
    """Whether two conditions stand in one list: only commas, joining words and specifiers between them."""
    if right.first - left.last > _AFAR or right.first < left.last:
        return False
    gap = plain[tokens.ends[left.last - 1] : tokens.starts[right.first]]
    if (" with" in gap or " on " in gap) and (aside := _ASIDE.search(gap)) is not None:
        return _AND.fullmatch(gap, aside.end()) is not None
    near = " and " in gap and len(gap) < _WIDEST_BESIDE
    if near and not _SENTENCE_ENDS.search(gap) and _BESIDE_IT.search(gap):
        return True
    if right.first - left.last > _LONGEST_JOINING:
        return False
    if JOINING.fullmatch(gap):
        return True
    return (
        right.first - left.last <= _LONGEST_LISTING
        and ("." not in gap or _SENTENCE_AND.match(gap) is not None)
        and "\n" not in gap
        and _LISTING.issuperset(_unnumbered(tokens.words[left.last : right.first]))
    )


def _unnumbered(words: list[str]) -> list[str]:
    """The words without the number of a level: `autism spectrum disorder, level 1, and ...`."""
    return [words[0], *words[2:]] if words[:1] == ["level"] and words[1:2] in _LEVELS else words


def row_doubt(plain: str, end: int) -> str | None:
    """Why the row of a table takes its condition back, in the cells behind it; None where none does."""
    stop = plain.find("\n", end, end + _WIDEST_LINE)
    cells = plain[end : stop if stop >= 0 else end + _WIDEST_LINE]
    if (" -" in cells and _ENDED.match(cells)) or ("until " in cells and _UNTIL.match(cells)):
        return "historical"
    if "|" not in cells or not cells.lstrip().startswith("|"):
        return None
    told = cells.split("|")
    other = next(
        (
            at
            for at, cell in enumerate(told)
            if standing_of(cell.strip()) is Standing.STATED
            or (at and (_OPENS_WITH_CODE.match(cell) or _says_of_itself(cell)))
        ),
        None,
    )
    if other is not None:
        cells = "|".join(told[:other])  # what stands behind it is of another row or condition
    return next((doubt for doubt, said in _ROW if said.search(cells)), None)


def _says_of_itself(cell: str) -> bool:
    """`Kleptomania (past)`, `Kleptomania - rule out`: whether a cell is an entry with its own state."""
    own = _OWN_STATE.fullmatch(cell.strip())
    if own is None:
        return _OPENS_WITH_STATE.match(cell) is not None
    return standing_of(own["state"]) is not None and standing_of(own["entry"]) is None


def heads_next(tokens: TokenStream, last: int, first: int, behind: int) -> bool:
    """`GAD / History / PTSD`: whether the word in tokens [first, behind) heads what follows, and is no state
    of the entry before, as each has behind it."""
    if tokens.between(last - 1, first).split()[-1:] != ["/"] or behind >= len(tokens.words):
        return False
    entries = tokens.text[tokens.ends[behind - 1] :].partition("\n")[0].split("/")
    if entries[0].startswith(":"):
        return True
    return len(entries) > 1 and not entries[0].strip() and standing_of("".join(entries[2:3]).strip()) is None


def subject_end(tokens: TokenStream, covered: set[int], last: int) -> int:
    """Behind the conditions of which one sentence speaks with the one that ends at the token `last`: `OCD and
    panic disorder were ...`, `OCD and a head injury remain ...`; else `last`."""
    words, at = tokens.words, last
    while at < len(words) and (at in covered or words[at] in _WITH):
        at += 1
    if at == len(words) or (at == last and "," not in tokens.between(last - 1, last)):
        return last
    if words[at] not in _OF_SEVERAL and (words[at - 1] in _WITH or "," in tokens.between(last - 1, last)):
        named = words[at : at + _LONGEST_LAST]
        behind = next((n for n, word in enumerate(named) if word in _OF_SEVERAL), 0)
        joined_up = words[at - 1] in _WITH or not _WITH.isdisjoint(named[:behind])
        at += behind if joined_up and _SOMEBODY.isdisjoint(named[:behind]) else 0
    if words[at] not in _OF_SEVERAL:
        return last
    between = tokens.text[tokens.ends[last - 1] : tokens.starts[at]]
    return last if "\n" in between or ". " in between else at


def behind_code(tokens: TokenStream, codes: frozenset[int], last: int) -> int:
    """Behind the code of the condition that ends at the token `last`: `GAD F41.1`, `GAD (F41.1)`; else
    `last`."""
    if last not in codes:
        return last
    between = tokens.between(last - 1, last)
    own = between in _BEFORE_CODE or (between == " (" and tokens.text.startswith(")", tokens.ends[last]))
    return last + own


def tells_of_next(between: list[str], cue: str) -> bool:
    """`Conversion disorder with attacks, and epilepsy was ruled out`: of the noun in front of it."""
    return (
        1 < len(between) <= _LONGEST_NOUN
        and between[0] == "and"
        and cue in _RULED_OUT
        and between[1] not in _SAME
        and not between[1].endswith("ly")
    )


def was_before(plain: str, start: int) -> bool:
    """Whether a bracket before the condition tells what it was: `(was F33.2)`, `[entered in error] PTSD`; or
    its sentence that there was one."""
    if plain.endswith((" a ", " an "), 0, start) and _THERE_WAS.search(plain, max(0, start - 40), start):
        return True
    if plain.endswith(_BEFORE_NOW, 0, start):
        bracket = plain.find("(", max(0, start - _LONGEST_WAS), start)
        if plain[bracket:start] in _BEFORE_NOW:
            return True
    floor = max(0, start - _WIDEST_BRACKET)
    if plain.rfind("]", floor, start) < 0:
        return False
    before = plain[floor:start].rstrip(" :-")
    if not before.endswith("]"):
        return False
    return _NO_MORE.search(before, before.rfind("[") + 1) is not None


def would_be(plain: str, start: int, end: int) -> bool:
    """`I would call it PTSD were the avoidance there`: what is told to be wanting makes it none."""
    before = plain[max(0, start - _WIDEST_BRACKET) : start]
    if not ("ould " in before or "'d " in before):
        return False
    return _WANTING.match(plain, end) is not None or (
        _WERE_THERE.search(plain, max(0, start - _WIDEST_BESIDE), start) is not None
    )


def _is_category(lead: str) -> bool:
    """`Anxiety: panic disorder ...... [ ]`: what stands before an option tells only its kind."""
    lead = lead.strip()
    return lead.endswith(":") and not _LIST_HEADING.search(lead) and not _OTHER_HEADING.search(lead)


def opens_with_patient(plain: str, start: int, layout: Layout) -> bool:
    """Whether a name and an age stand before a condition where the patient is introduced: at the opening of
    the note or of the assessment, or behind a label."""
    named = list(_PATIENT_LABEL.finditer(plain, max(0, start - _OPENING), start))
    if named:
        return _NAME_AND_AGE.fullmatch(plain, named[-1].end(), start) is not None
    stretch = layout.index(start)
    if stretch and layout.kinds[stretch] not in _INTRODUCING:
        return False
    opened = layout.starts[stretch] + len(layout.labels[stretch])
    if start - opened > _OPENING:
        return False
    return _NAME_AND_AGE.fullmatch(plain[opened:start].lstrip(" :.-\n")) is not None


def stands_in_title(plain: str, tokens: TokenStream, resolved: Resolved, layout: Layout) -> bool:
    """`Progress note (MDD, recurrent)`, `#4 of 12, GAD. Individual`: a part of the first line by itself."""
    start, end = tokens.starts[resolved.first], tokens.ends[resolved.last - 1]
    if layout.title_tells or not layout.title[0] <= start < layout.title[1]:
        return False
    before = plain[max(layout.title[0], start - _WIDEST_LINE) : start].rstrip(" ")
    after = plain[end : end + 2].lstrip(" ")[:1]
    return before[-1:] in _PARTING and (not after or after in _PARTED)


# `Anxiety items elevated`, `bipolar education group`: what is asked for or taught, not what is there.
QUESTIONS = frozenset(
    ("items", "item", "subscale", "checklist", "interview", "questionnaire", "inventory", "education",
     "psychoeducation", "workbook", "class", "group")
)  # fmt: skip


_SCREENED = frozenset(("screened", "screens", "screening"))
_FARTHEST_INSTRUMENT = 4


def is_score(plain: str, tokens: TokenStream, first: int) -> bool:
    """`GAD 14`, `PTSD = 51`: an abbreviation with a number behind it is a questionnaire."""
    if len(tokens.words[first]) > 5:
        return False
    end = tokens.ends[first]
    return _SCORED.match(plain[end : end + 9]) is not None


def is_screened(tokens: TokenStream, first: int, last: int, instruments: set[int]) -> bool:
    """`Positive for PTSD on the PCL-5`, `PTSD screened positive on ...`: what a questionnaire found."""
    words = tokens.words
    if last + 1 < len(words) and words[last + 1] == "positive":
        return words[last] in _SCREENED and tokens.between(last - 1, last) == " "
    return (
        first > 1
        and words[first - 1] == "for"
        and words[first - 2] == "positive"
        and not instruments.isdisjoint(range(last, last + _FARTHEST_INSTRUMENT))
    )


def _line_start(plain: str, at: int) -> int:
    floor = max(0, at - _WIDEST_LINE)
    return max(plain.rfind("\n", floor, at) + 1, floor)
