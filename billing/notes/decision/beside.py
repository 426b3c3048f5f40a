"""A condition that stands in one list with a billed one and was not read: then a person is asked."""

import re
from itertools import pairwise

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.conditions.lists import ASSESSMENT_KINDS, JOINING
from billing.notes.conditions.placement import FIELD, STATED
from billing.notes.decision.stated_words import features_of, is_in_prose, stated_words
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.page.layout import DIAGNOSIS_KINDS
from billing.notes.reading import Reading
from billing.notes.text.sentences import sentence_round

_WIDEST_GAP = 60
_OPENING = 160
# So far apart, and with fewer cells of a table between them, two diagnoses are of no one list.
_APART, _CELLS = 40, 3
_ASSESSED = ASSESSMENT_KINDS | DIAGNOSIS_KINDS
# Between two conditions of one list; a bracket may tell more of the first.
_LISTED = re.compile(
    r"[ ]*(?:\([^()\n]{0,30}\)[ ]*)?(?:[,;&+/]|,? ?\b(?:and|plus|with)\b|; (?:and|also))[ ]*"
    r"(?:(?:an?|the|his|her|also|comorbid|co-?occurring|both) )*"
)
# Words that say of a condition that it is one of several.
_SEVERAL_BEFORE = re.compile(
    r"\b(?:also|second(?:ary)?|comorbid|additional(?:ly)?|in addition|too"
    r"|(?:after (?:that|it|this)|next|then) (?:comes?|is|there is)|followed by|behind (?:it|that|this)"
    r"|other (?:diagnosis|condition|problem|disorder|(?:one|thing|matter) (?:is|here|that))"
    r"|beside (?:it|that|this|them)|riding (?:with|along)|underneath|diagnos(?:ing|ed?) (?:it )?as)\b"
    r"|\b(?:is|as) (?:an?|the) \Z"
)
_SEVERAL_BEHIND = re.compile(
    r"\b(?:as well\b(?! as)|too\b|is (?:the )?second|(?:comes?|is) (?:after|next|behind)\b)"
    r"|\A,? (?:which |that )?(?:s?he|they|(?:the )?(?:client|patient|pt|ct)) (?:has|have|'s|'ve)"
    r"(?: (?:had|carried|lived with)| since)\b"
)
_SECOND = re.compile(r",? (?:comes |is |runs )?(?:a (?:close |distant )?)?(?:second|third)\b")
_ALONE = re.compile(r"[ ]*[.;]?[ ]*(?:\n|\Z|\.)")
_SENTENCE_ENDS = re.compile(r"[.!?]\s|\n")
_NO_ADJECTIVE = (
    r"(?!(?:no|not|nor|any|this|that|these|which|who|what|is|was|are|were|has|had|from|for|of|in|to|on|by|if"
    r"|he|she|they|we|i|it|than|other|another|seizure|thyroid|bleeding|clotting|autoimmune|convulsive|medical"
    r"|whose|when|as|at|same|each|whole|without|mother's|father's|brother's|sister's|son's|daughter's)\b)"
)
_NAMED = rf"(?:{_NO_ADJECTIVE}[a-z][a-z'/-]* ){{1,4}}?(?P<name>(?:use )?(?:disorder|dependence|psychosis))\b"
_UNKNOWN_BEHIND = re.compile(
    rf"(?:{_LISTED.pattern}|{JOINING.pattern}){_NAMED}(?! (?:group|class|clinic|program|unit))"
)
# `Dx: GAD; oppos. disord.`, `2. Mixed pers. disorder`: an entry of a list in words that are unknown.
_ENTRY = re.compile(
    r"(?:(?:\n|\A)(?:[ ]*(?:[-*\u2022>]+|\(?#?\d{1,2}[.):]{0,2}|[a-e][.)])?[ ]+)?"
    r"|[;:+&/][ ]*|, (?:and )?)"
    rf"(?:{_NO_ADJECTIVE}(?!(?:stress disorder|r/o|rule|possible|history|hx|h/o|denie[sd])\b)"
    r"[a-z][a-z'/.-]* ){1,4}?"
    r"(?P<name>disord(?:er)?|d/o|dependence)\b(?! (?:group|class|clinic|program|unit))"
)
_NUMBERED = re.compile(r"\n?[ ]*(?:[-*\u2022>]|\(?#?\d|[a-e][.)])")
_SUBJECT = re.compile(r"(?:\A|[.!?\n])[ ]*(?:(?:the|his|her|their) )?\Z")
_NOW_SO = re.compile(
    r" (?:is (?!not\b|no\b|gone|over\b|in the past|resolved|ruled|(?:his|her|their) )"
    r"|has been (?!ruled|excluded|resolved|treated))"
)
_BEFORE = 24
_UNKNOWN_BEFORE = re.compile(r"[a-z] (?P<name>disorder|dependence)[;,]? (?:(?:and|plus) )?\Z")
# `As a second problem we are addressing threat of job loss`, `I also keep it on the diagnosis list`
_ALONG = later(
    r"\b(?:second|third|other|further|additional|secondary) (?:problem|diagnosis|condition|code|dx)\b"
    r"|\b(?:i|we)(?:'m| am|'re| are)? also (?:keep|keeping|carry|carrying|list|listing|code|coding|bill"
    r"|billing|treat|treating|address|addressing|diagnose|add|adding)\b"
    r"|\bon (?:the|her|his|their) (?:diagnosis|problem) list\b"
)
_SAID_SO = re.compile(r"unspecified|not otherwise specified|\bnos\b")
_PASSED_OVER = ("background", "historical")
_NOT_ALONG = later(r"\b(?:no|not|never|without|removed|dropped|rather than|instead|off)\b|n't\b")


def left_out(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether a condition stands beside a billed one, joined to it or in the assessment, and is neither
    stated nor taken back."""
    if reading.corrections:
        return False
    chosen = {id(finding) for diagnosis in diagnosed.chosen for finding in diagnosis.findings}
    families = {finding.family for diagnosis in diagnosed.chosen for finding in diagnosis.findings}
    plain = reading.plain
    denied = {f.family for f in reading.findings if f.doubt == "negated" and f.section in _ASSESSED}
    left = [finding for finding in reading.findings if _is_left(plain, finding, families | denied)]
    if "counted" in reading.hints:
        symptoms = [finding for finding in reading.findings if finding.doubt == "symptom"]
        if any(_counted(plain, finding, diagnosed) for finding in symptoms):
            return True
        if left and any(_counted_last(plain, each.lead, left) for each in diagnosed.chosen[:1]):
            return True
    if (left and _belongs(reading, diagnosed, left, chosen)) or _unknown_entry(reading, diagnosed):
        return True
    if _all_in_prose(diagnosed) and any(
        stated_words().tells(features_of(reading, each)) for each in filter(is_in_prose, left)
    ):
        return True
    return any(
        finding.strength >= STATED and finding.doubt is None and _unknown_beside(reading, finding)
        for diagnosis in diagnosed.chosen
        for finding in diagnosis.findings
    )


def is_passed_over(reading: Reading, diagnosed: Diagnosed, finding: Finding) -> bool:
    """Whether a note that states all in prose states no other name of this condition, and doubts none."""
    families = {each.family for diagnosis in diagnosed.chosen for each in diagnosis.findings}
    return _all_in_prose(diagnosed) and _is_left(reading.plain, finding, families)


def _all_in_prose(diagnosed: Diagnosed) -> bool:
    return all(each.lead.strength < FIELD for each in diagnosed.chosen)


def told_apart(plain: str, diagnosed: Diagnosed) -> bool:
    """Whether one of several stands in prose of its own, far from the others: it may be another's."""
    leads = sorted((diagnosis.lead for diagnosis in diagnosed.chosen), key=lambda lead: lead.start)
    return any(
        right.start - left.end > _APART
        and not (left.assertive and right.assertive)
        and min(left.strength, right.strength) < FIELD
        and _SENTENCE_ENDS.search(plain, left.end, right.start) is not None
        and plain.count("|", left.end, right.start) < _CELLS
        for left, right in pairwise(leads)
    )


def _belongs(reading: Reading, diagnosed: Diagnosed, left: list[Finding], chosen: set[int]) -> bool:
    """Whether one that was left out stands in the assessment, in one sentence with a billed one or in the
    sentence that opens the note, or is said to be one of several."""
    plain = reading.plain
    if any(
        (finding.strength < STATED and finding.section in _ASSESSED)
        or _one_of_several(plain, finding)
        or _is_told_of(plain, finding)
        for finding in left
    ):
        return True
    others = {id(finding) for finding in left}
    if any(
        id(other) in others
        and id(finding) in chosen
        and finding.strength >= STATED
        and _in_one_sentence(plain, before, behind)
        for before, behind in pairwise(reading.findings)
        for finding, other in ((before, behind), (behind, before))
    ):
        return True
    if any(_is_next_entry(plain, each.lead, finding) for each in diagnosed.chosen for finding in left):
        return True
    if all(each.lead.section not in DIAGNOSIS_KINDS for each in diagnosed.chosen) and any(
        map(_told_in_full, left)
    ):
        return True
    lead = diagnosed.chosen[0].lead if len(diagnosed.chosen) == 1 else None
    return (
        lead is not None
        and lead.section not in DIAGNOSIS_KINDS
        and any(
            finding.strength >= STATED
            and (lead.rank == 0 or _opens(finding, lead) or _one_of_several(plain, lead))
            for finding in left
        )
    )


def _is_next_entry(plain: str, lead: Finding, finding: Finding) -> bool:
    """Whether it opens the line below that of a diagnosis: `Dx: GAD`, `MDD, mild, better since the move.`"""
    between = plain[lead.end : finding.start]
    return (
        finding.strength >= STATED
        and lead.strength == FIELD
        and between.count("\n") == 1
        and not between.rpartition("\n")[2].strip(" -*#.)(0123456789")
    )


def _counted_last(plain: str, lead: Finding, left: list[Finding]) -> bool:
    """`Insomnia disorder first, ..., with generalized anxiety second`: one told as second, without the first
    among what is billed."""
    return _SECOND.match(plain, lead.end) is not None and any(each.end < lead.start for each in left)


def _counted(plain: str, finding: Finding, diagnosed: Diagnosed) -> bool:
    """`Generalized anxiety first and insomnia second`: a complaint that is counted among what is treated."""
    return _SECOND.match(plain, finding.end) is not None and (
        any(_in_one_sentence(plain, each.lead, finding) for each in diagnosed.chosen)
    )


def _told_in_full(finding: Finding) -> bool:
    """Whether it is told with what makes one code of it: `cannabis use disorder, moderate`."""
    return bool(finding.values)


def _opens(finding: Finding, lead: Finding) -> bool:
    """`Fifty minutes with Mr. F. for his panic disorder. ...`: a story opens with what the visit is for."""
    return finding.end < _OPENING and finding.section == lead.section


def _one_of_several(plain: str, finding: Finding) -> bool:
    """`She also has social anxiety disorder`, `a second diagnosis, ...`: its sentence says that there are
    others."""
    before = _SENTENCE_ENDS.split(plain[max(0, finding.start - _WIDEST_GAP) : finding.start])[-1]
    behind = _SENTENCE_ENDS.split(plain[finding.end : finding.end + _WIDEST_GAP], maxsplit=1)[0]
    return _SEVERAL_BEFORE.search(before) is not None or _SEVERAL_BEHIND.search(behind) is not None


def _is_told_of(plain: str, finding: Finding) -> bool:
    """`The panic disorder has been quieter`: a sentence of its own about it."""
    before = plain[max(0, finding.start - _BEFORE) : finding.start]
    return _SUBJECT.search(before) is not None and _NOW_SO.match(plain, finding.end) is not None


def _is_left(plain: str, finding: Finding, families: set[str]) -> bool:
    return (
        finding.doubt is None
        and finding.concept is not None
        and finding.concept.kind == "dx"
        and not (
            finding.concept.name.endswith("unspecified")
            and not _SAID_SO.search(plain, finding.start, finding.end)
        )
        and finding.family not in families
        and not plain.endswith(" use", finding.start, finding.end)
    )


def _in_one_sentence(plain: str, left: Finding, right: Finding) -> bool:
    """Whether both stand in one sentence, or the second is a sentence of its own behind the first's:
    `Autism spectrum disorder, level 1. Social anxiety disorder.`"""
    if not 0 < right.start - left.end < _WIDEST_GAP:
        return False
    ends = [found.end() for found in _SENTENCE_ENDS.finditer(plain, left.end, right.start)]
    return not ends or (
        ends == [right.start] and plain[right.start - 1] == " " and _ALONE.match(plain, right.end) is not None
    )


def _unknown_entry(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether a list of diagnoses has an entry of which the lexicon knows nothing."""
    plain, layout, findings = reading.plain, reading.layout, reading.findings
    for stretch in {layout.index(diagnosis.lead.start) for diagnosis in diagnosed.chosen}:
        start, end = layout.starts[stretch], (*layout.starts, len(plain))[stretch + 1]
        listed = layout.kinds[stretch] in DIAGNOSIS_KINDS
        for entry in _ENTRY.finditer(plain, start, end):
            at, past = entry.span("name")
            if (
                (listed or _NUMBERED.match(entry.group()))
                and not any(other.start < past and entry.start() < other.end for other in findings)
                and layout.ticked(plain, at, past) is not False
            ):
                return True
    return False


def _unknown_beside(reading: Reading, finding: Finding) -> bool:
    """`PTSD and gabapentin use disorder`: words that name a disorder, of which the lexicon knows nothing."""
    plain = reading.plain
    match = _UNKNOWN_BEHIND.match(plain, finding.end)
    if match is None and finding.assertive:
        before = plain[max(0, finding.start - _BEFORE) : finding.start]
        if "disorder" in before or "dependence" in before:
            match = _UNKNOWN_BEFORE.search(plain, finding.start - len(before), finding.start)
    if match is None:
        return False
    start, end = match.span("name")
    return not any(other.start < end and start < other.end for other in reading.findings)


def is_taken_along(plain: str, finding: Finding) -> bool:
    """Whether its sentence takes a circumstance along as a problem of its own."""
    if finding.concept is None or finding.concept.kind != "status" or finding.doubt not in _PASSED_OVER:
        return False
    said = " _ ".join(sentence_round(plain, finding.start, finding.end))
    return _ALONG.search(said) is not None and _NOT_ALONG.search(said) is None
