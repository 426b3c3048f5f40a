"""A specifier that a note tells far from a condition whose code says none: a severity, course or remission is
read where it is sure, everything else is asked about."""

import re
from functools import partial

import msgspec
from msgspec.structs import replace

from billing.notes.conditions.diagnoses import Diagnosed, Diagnosis
from billing.notes.decision.told import findings_between
from billing.notes.later import later
from billing.notes.lexicon import Rule, load_lexicon
from billing.notes.reading import Reading
from billing.notes.result import Reason
from billing.notes.text.kin import RELATIVE
from billing.notes.text.sentences import sentence_round

_HOW_DEPRESSED = later(
    r"(?:\A|[.;\n]|\b(?:and|but))[ ]*(?:s?he|they|(?:the )?(?:client|patient|pt|ct)) (?:is|are|remains)"
    r"(?: still)? (?:mildly|moderately|severely) depressed\b(?! (?:mood|affect))"
)
_ASSESSED = frozenset(("dx", "assessment"))
_READ = frozenset(("severity", "course", "remission", "episode"))
_AXES = _READ.union(
    ("attention", "adjustment", "onset", "agoraphobia", "panic",
     "mood_episode", "eating", "psychosis", "schizoaffective", "obsession", "social", "fugue", "factitious",
     "somatic_kind", "learning", "sleep_kind")
)  # fmt: skip
_UNGRADED = frozenset(("F31.9", "F32.9", "F33.9"))
_SHORTEST = 4
_NOT_SO = later(
    r"\b(?:not?|nor|never|nothing|none|neither|without|denie[sd]|denying|[a-z]+n't|goals?|aims?|until|unless)\b"
    r"|\d[ ]*\(\Z|\bd\d[ ]\Z"
)
# `The 2023 episode was severe`; but `the mania of 2024 was his last and has fully remitted`
_BEFORE_NOW = later(r"\b(?:ago|(?:19|20)\d\d|last (?:year|month|winter|spring|summer|fall)(?:'s)?)\b")
# `One manic episode with psychosis and a long admission in 2019`
_IN_A_YEAR = later(r"[^,;:(]{0,50}\b(?:in|of|during) (?:[a-z]+ )?(?:19|20)\d\d\b")
_NOW = later(r"\b(?:is|has|now|current(?:ly)?|today)\b")
_DENIED = later(r"\b(?:no|not|without|w/o)\s+\Z")
_CLAUSES = re.compile(r"[,;:(][ ]|\b(?:and|but|so)[ ]")
_TAKES_BACK = later(
    r"[^.;\n]{0,30}\?| (?:specifier |range )?(?:comes off|is off|no longer|was removed|removed)\b"
)
_HOW = (
    r"(?:(?:now|currently|still|again|today|clearly|probably|best|described|judged|rated|graded|considered"
    r"|coded|specified|at|as|in|on|of|to|be|the|a|an|rather|present|presently|this|point|time|moment|down"
    r"|only|just|quite|which|by|all|measures|definition|what|i|would|call|it) ){0,6}"
)
# `..., so the onset is coded as childhood-onset`
_NAMED = later(
    r"[,:;(][ ](?=[^,:;(]*\b(?:severity|course|specifiers?|onset|subtype|type|presentation|episode|remission)"
    r" [^,:;(]*\Z)|\bso (?=(?:the|i|we)\b[^,:;]*\Z)|\b(?:and|that|because) (?=(?:his|hers|it) is\b[^,:;]*\Z)"
)
# The whole of its sentence up to it, of the disorder and of nothing else.
_WHOSE = r"(?:(?:the|this|her|his|their|my|current|present|overall|clinical|dsm-5(?:-tr)?) )*"
_WHEN = r"(?: (?:now|today|currently|at (?:this (?:time|point)|present)|for (?:the )?above dx))?"
_VERB = r"(?:[ ]?[:=]| (?:is|remains|stays))"
_OF_DISORDER = later(
    rf"{_WHOSE}(?:(?:severity|course) specifiers?|(?:severity|course) of {_WHOSE}(?:disorder|episode)"
    rf"|disorder|episode){_WHEN}{_VERB}[ ]*{_HOW}\Z"
)
_HEADED = r"(?:(?:a|assessment|impression|dx|diagnosis)[:.)-][ ]*)?"
_IN_ASSESSMENT = later(
    rf"{_HEADED}(?:{_WHOSE}(?:severity|course|specifiers?|severity (?:rating|level)){_WHEN}"
    rf"(?:{_VERB}[ ]*{_HOW}|:[^:\n]*[)\]][ ]*)"
    # `A: Current episode severe, ...`
    rf"|{_WHOSE}(?:(?:depressive|mood) )?episode(?: (?:is|remains|currently|now|at present))*,? (?:of )?)\Z"
)
# `Assessment: In partial remission now, with ...`
_REMITTED = later(
    rf"{_HEADED}(?:(?:now|currently|presently|remains|is|(?:s?he|they|client|pt) (?:is|are|remains)) )*\Z"
)
_LABEL = later(r":(?! (?:s?he|they|her|his|their|the|i|we|it)\b)")
# `..., which I continue to place in the moderate range`, `..., which at this point is moderate`
_OF_IT = later(
    r",? which,?(?: (?:at (?:this|the) (?:point|time|moment)|now|currently|today|still))?"
    r" (?:is|remains|stays|(?:i|we)(?: (?:continue to|still|now|would))? (?:place|put|rate|judge|grade|hold))"
    rf"[ ]?{_HOW}\Z"
)
_NO_MORE = later(
    r"[ ]*(?:[.,;:)(\n|\"'\u2013-]|\Z|(?:now|today|and|but|range|form|specifier|level|overall|pole|phase"
    r"|depth|degree|kind|one|condition|disorder|illness|picture|presentation|type|course|episode|which|that|right|as"
    r"|with|going|x|is|has|still|again|throughout|since|holds|because|though|while|if|in (?:severity|degree)"
    r"|(?:at|by|on|per|for|from|to|in) (?:present|this|my|the|now|criteri\w+|count|all))\b)"
)
_OF_SOMETHING = later(
    r"\b(?:goals?|targets?|pain|risk|cravings?|symptoms?|stress\w*|phq|gad|pcl|bdi|score\w*|scale|distress"
    r"|sleep|cancer|leukemia|lymphoma|asthma|care|withdrawal|conflict"
    r"|function\w*|impairment|progress|ideation|irritability|headaches?|last (?:year|winter|spring"
    r"|summer|fall))\b"
    r"|\A[ ]*(?:anxiety|worry|mood|affect|depression|sadness|anger|appetite|energy|motivation|insight"
    r"|judgment|engagement|participation|concentration|panic)\b[^:\n]{0,30}:"
)
_PART_OF_IT = later(
    r"[^.;:\n]{0,12}[.;:,][ ]*(?:it (?:has|shows up as|takes the form of) |with )?"
    r"(?:both|mostly|mainly|chiefly) "
    r"|[^\n]{0,90}\b(?:anxiety|worry|low mood|depressed mood|sadness|conduct|behavior)\b[^.;\n]{0,30}"
    r"\b(?:part of it|in it|predominates?|dominates?|prevails?|in equal)\b"
)
_ONSET_TICKED = later(r"\bonset\b[^\n]{0,60}(?:\([x*]\)|\[[x*]\]|[x*\u2611])[ ]?(?:childhood|adolescen)")
_NOT_ITS_OWN = ("symptom", "unticked")
_NOT_OF_NOW = frozenset(("old_dx", "uncertain_dx", "family_history", "past_history"))
_OF_OTHERS = later(
    rf"\b{RELATIVE}\b|\b(?:cousin|friend|roommate|coworker|neighbor|(?:older|another|other|one|a|the) member"
    r"|members|peers?)\b[^.;\n]{0,40}\Z"
)
_UNSURE = later(
    r"\b(?:not?|nor|never|if|maybe|perhaps|possibl[ey]|probabl[ey]|might|may|could|seems?|appears?|was|were"
    r"|had|until|before|last|previous(?:ly)?|prior|history|formerly|earlier|used to|or|to)\b|\?"
)
# `Severe, or so it seems`; but `severe, no better than last week` is severe.
_DOUBTED = later(r", (?:or|if|maybe|perhaps|possibly|probably|though|but|not)\b")
_REACH = 90
_PARTED = later(r"[.;]\s|\n|\b(?:and|but|while|whereas|so)\b")


class Told(msgspec.Struct, frozen=True):
    """A specifier told away from its condition; `boxed` says that it is the ticked one of several."""

    value: str
    start: int
    end: int
    boxed: bool


def with_specifiers(reading: Reading, diagnosed: Diagnosed) -> Diagnosed:
    """Give each code that says none the specifiers that the note tells elsewhere.

    It is asked about unless its sentence names what it is of, no other diagnosis could have it and nothing
    else is told.
    """
    reasons = list(diagnosed.reasons)
    chosen = []
    for diagnosis in diagnosed.chosen:
        told = _told_of(reading, diagnosis)
        specific = _specified(diagnosis, told) if told else None
        if _is_described(reading.plain, diagnosis) or (
            told and not (specific and all(map(partial(_is_sure, reading, diagnosed, diagnosis), told)))
        ):
            reasons.append(Reason.SPECIFIER_UNCLEAR)
        elif specific and specific.reason == Reason.SEVERITY_MISSING:
            specific = replace(specific, reason=None)
        chosen.append(specific or diagnosis)
    if all(diagnosis.reason != Reason.SEVERITY_MISSING for diagnosis in chosen):
        reasons = [reason for reason in reasons if reason != Reason.SEVERITY_MISSING]
    return replace(diagnosed, chosen=tuple(chosen), reasons=tuple(dict.fromkeys(reasons)))


def _specified(diagnosis: Diagnosis, told: list[Told]) -> Diagnosis | None:
    """The diagnosis with what is told of it, where that makes one code."""
    concept, values = diagnosis.lead.concept, _values(diagnosis)
    axis_of = load_lexicon().axis_of
    more = {each.value for each in told}
    if concept is None or len({axis_of[value] for value in more}) < len(more):
        return None
    rule = concept.resolve(values | more)
    if rule.reason is not None:
        return None
    lead = diagnosis.lead
    found = [
        replace(lead, code=rule.code, values=values | more, start=each.start, end=each.end, entry=False)
        for each in told
    ]
    return replace(
        diagnosis, code=rule.code, findings=(*diagnosis.findings[:1], *found, *diagnosis.findings[1:])
    )


def _is_sure(reading: Reading, diagnosed: Diagnosed, diagnosis: Diagnosis, told: Told) -> bool:
    plain, axis_of = reading.plain, load_lexicon().axis_of
    others = [each.lead.concept for each in diagnosed.chosen if each is not diagnosis]
    before, behind = sentence_round(plain, told.start, told.end)
    if of_it := _OF_IT.match(plain, diagnosis.lead.end, told.start) is not None:
        before, behind = "", behind.partition(":")[0]
    opening = before.lstrip(" -*>")
    return (
        axis_of[told.value] in _READ
        and (
            of_it
            or _OF_DISORDER.fullmatch(opening) is not None
            or (
                reading.layout.at(told.start) in _ASSESSED
                and (
                    _IN_ASSESSMENT.fullmatch(opening) is not None
                    or (axis_of[told.value] == "remission" and _REMITTED.fullmatch(opening) is not None)
                )
            )
        )
        and not any(concept and told.value in concept.values for concept in others)
        and not any(_UNSURE.search(part) for part in (before, behind.partition(",")[0]))
        and not _DOUBTED.search(behind)
        and all(
            value == told.value
            or axis_of.get(value) != axis_of[told.value]
            or (told.boxed and _in_one_line(plain, told.start, reading.tokens.starts[at]))
            for at, _, value in reading.mentions.values
        )
    )


def _in_one_line(plain: str, one: int, other: int) -> bool:
    return plain.find("\n", min(one, other), max(one, other)) < 0


def _values(diagnosis: Diagnosis) -> frozenset[str]:
    return frozenset().union(*(finding.values for finding in diagnosis.findings))


def _told_of(reading: Reading, diagnosis: Diagnosis) -> list[Told]:
    """The specifiers that would make another code of it and are told as its own somewhere in the note."""
    concept, values = diagnosis.lead.concept, _values(diagnosis)
    found: list[Told] = []
    if concept is None or concept.kind != "dx" or concept.resolve(values).code != diagnosis.code:
        return found
    tokens, plain = reading.tokens, reading.plain
    axis_of = load_lexicon().axis_of
    free = _AXES.difference(map(axis_of.get, values))
    for at, after, entry in reading.mentions.values:
        if axis_of.get(entry) not in free:
            continue
        start, end = tokens.starts[at], tokens.ends[after - 1]
        # Of `Remission: ( ) partial (x) none` the label is no option.
        ticked = reading.layout.ticked(plain, start, end) if not _LABEL.match(plain, end) else False
        # `(x) moderate ( ) severe` is no `moderate to severe`.
        value = tokens.words[at] if ticked and entry not in concept.values else entry
        if (
            ticked is not False
            and value in concept.values
            and reading.layout.at(start) not in _NOT_OF_NOW
            and _is_told(plain, start, end, ticked=ticked is True)
            and not _is_of_another(reading, diagnosis, start)
        ):
            found.append(Told(value, start, end, ticked is True))
    together = values.union(each.value for each in found)
    return [
        each
        for each in found
        if _differs(concept.resolve(values | {each.value}), diagnosis)
        or concept.resolve(together - {each.value}).code != concept.resolve(together).code
    ]


def _differs(rule: Rule, diagnosis: Diagnosis) -> bool:
    return rule.code != diagnosis.code or (diagnosis.reason is not None and rule.reason is None)


def _is_told(plain: str, start: int, end: int, *, ticked: bool) -> bool:
    """Whether its words stand alone or are ticked, and the sentence neither takes them back nor has them of
    something else."""
    before, behind = _clause_round(plain, start, end)
    if _OF_SOMETHING.search(before) or _OF_SOMETHING.search(behind.partition(",")[0]):
        return False
    if _OF_OTHERS.search(before) or _OF_OTHERS.search(behind):
        return False
    clause = _CLAUSES.split(before)[-1]
    return ticked or (
        end - start >= _SHORTEST
        and not _DENIED.search(plain, max(0, start - _REACH), start)
        and not plain.startswith("no ", start)
        and not plain.endswith("recovery", start, end)
        and _NO_MORE.match(plain, end) is not None
        and not _NOT_SO.search(clause)
        and not (_BEFORE_NOW.search(before) and not _NOW.search(clause))
        and not _IN_A_YEAR.match(behind)
        and not _TAKES_BACK.match(behind)
    )


def _is_described(plain: str, diagnosis: Diagnosis) -> bool:
    """`An adjustment disorder; both anxiety and depressed mood are part of it`, `She is mildly depressed`,
    `Onset: ( ) childhood (x) adolescent`."""
    if diagnosis.code == "F91.9":
        return _ONSET_TICKED.search(plain) is not None
    if diagnosis.code == "F43.20":
        return _PART_OF_IT.match(plain, diagnosis.lead.end) is not None
    return diagnosis.code in _UNGRADED and _HOW_DEPRESSED.search(plain) is not None


def _is_of_another(reading: Reading, diagnosis: Diagnosis, start: int) -> bool:
    """Whether it belongs to the words of another condition, or stands right below one."""
    own = ("bipolar", "depressive") if diagnosis.lead.family == "bipolar" else (diagnosis.lead.family,)
    before = [
        each for each in findings_between(reading, start - _REACH, start) if each.doubt not in _NOT_ITS_OWN
    ]
    if not before or before[-1].family in own:
        return False
    between = reading.plain[before[-1].end : start]
    return not between.strip() or not _PARTED.search(between)


def _clause_round(plain: str, start: int, end: int) -> tuple[str, str]:
    """Its sentence before and behind it, or the clause alone where that names what it is of."""
    before, behind = sentence_round(plain, start, end)
    named = [match.end() for match in _NAMED.finditer(before)]
    return (before[named[-1] :], behind.partition(",")[0]) if named else (before, behind)
