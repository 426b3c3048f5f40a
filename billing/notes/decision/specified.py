"""A severity, course or remission that a note tells far from a condition whose code says none: read or
asked about."""

from functools import partial

import msgspec
from msgspec.structs import replace

from billing.notes.conditions.diagnoses import Diagnosed, Diagnosis
from billing.notes.decision.told import findings_between
from billing.notes.later import later
from billing.notes.lexicon import load_lexicon
from billing.notes.reading import Reading
from billing.notes.result import Reason
from billing.notes.text.kin import RELATIVE
from billing.notes.text.sentences import sentence_round

_HOW_DEPRESSED = later(
    r"(?:\A|[.;\n]|\b(?:and|but))[ ]*(?:s?he|they|(?:the )?(?:client|patient|pt|ct)) (?:is|are|remains)"
    r"(?: still)? (?:mildly|moderately|severely) depressed\b(?! (?:mood|affect))"
)
_UNSPECIFIED = frozenset(("F31.9", "F32.9", "F33.9"))
_ASSESSED = frozenset(("dx", "assessment"))
_LABEL = 130
_OF_AN_EPISODE = later(
    r"(?:\A|\n)(?![^\n:]{0,120}\b(?:goals?|targets?|pain|risk|anxiety|cravings?|symptoms?|stress\w*|phq|gad"
    r"|pcl|bdi|score|scale"
    r"|distress|insomnia|sleep|pain|function\w*|impairment|progress|use|ideation|irritability|treatment)\b)"
    r"(?:(?P<field>(?:severity|episode(?: type)?|specifiers?|course))|[^\n:]{0,60}"
    r"\b(?:severity|episodes?|specifiers?|course|now|current(?:ly)?)\b[^\n:]{0,60}):[ ]*\Z"
)
_FIELDS_BELOW = 2
_AXES = frozenset(("severity", "course", "remission", "episode"))
_OF = r"(?:the|her|his|their|my|our|this|its|a|an) (?:[a-z-]+ ){0,2}?"
_GRADE = r"(?:severity|course|rating|specifiers?|grade|level|stage|status|episode)"
_ITSELF = (
    r"(?:disorder|illness|condition|diagnosis|picture|presentation|depression|ptsd|anorexia|bulimia|mdd)"
)
_IS = r"(?:is|are|remains|stays|has become|has been|sits|stands|comes out|runs|qualifies|makes it|puts it)"
_HOW = (
    r"(?:(?:now|currently|still|again|today|clearly|probably|best|described|judged|rated|graded|considered"
    r"|coded|specified|at|as|in|on|of|to|be|the|a|an|rather|present|presently|this|point|time|moment|down"
    r"|only|just|quite|which|by|all|measures|definition|what|i|would|call|it) ){0,6}"
)
# `Course: chronic`, `the current rating is moderate`, `This is severe.`, `(X) moderate`, `I would write mild`
_SAID = later(
    rf"(?:\b{_GRADE}\b[^.;\n]{{0,50}}(?:\b{_IS} |[:=] ?){_HOW}"
    rf"|\b(?:{_OF}{_ITSELF}|this|it|that|which|we|s?he|they|(?:the )?(?:client|patient|pt|ct))"
    rf" (?:now |currently )?{_IS} {_HOW}"
    r"|\b(?:i|we) (?:(?:would|have|had|do|am|are|still|now|currently) )*"
    r"(?:(?:rate|grade|call|mark|judge|code|consider|score|specify)(?:d|ed|ing)?|calling|coding|called"
    r"|marked|write|put|putting|hold|keep|have|had)"
    rf" (?:(?:it|this|that|{_OF}(?:{_GRADE}|{_ITSELF})) )?{_HOW}"
    r"|\b(?:meets|qualifies for) (?:now )?(?:the )?"
    r"|\A|[.;]\s|\n"
    rf"|(?:\A|\n)[^\n]{{0,20}}\b{_GRADE}\b[^\n]{{0,60}}(?P<box>\([x]\)|\[x\]) )\Z"
)
# The whole of its sentence up to it, of the disorder and of nothing else.
_WHOSE = r"(?:(?:the|this|her|his|their|my|current|present|overall|clinical|dsm-5(?:-tr)?) )*"
_WHEN = r"(?: (?:now|today|currently|at (?:this (?:time|point)|present)|for (?:the )?above dx))?"
_VERB = r"(?:[ ]?[:=]| (?:is|remains|stays))"
_OF_DISORDER = later(
    rf"{_WHOSE}(?:(?:severity|course) specifiers?|(?:severity|course) of {_WHOSE}(?:disorder|episode)"
    rf"|disorder|episode){_WHEN}{_VERB}[ ]*{_HOW}\Z"
)
_IN_ASSESSMENT = later(
    rf"{_WHOSE}(?:severity|course|specifiers?|severity (?:rating|level)){_WHEN}(?:{_VERB}[ ]*{_HOW}"
    r"|:[^:\n]*[)\]][ ]*)\Z"
)
_NO_MORE = later(
    r"[ ]*(?:[.,;)(\n]|\Z|(?:now|today|and|but|range|form|specifier|level|in (?:severity|degree)|overall"
    r"|(?:at|by|on|per|for|since) (?:present|this|my|the|now|criteri\w+|count|all))\b)"
)
_OF_SOMETHING = later(
    r"\b(?:goals?|targets?|pain|risk|cravings?|symptoms?|stress\w*|phq|gad|pcl|bdi|score\w*|scale|distress"
    r"|sleep|cancer|leukemia|lymphoma|asthma|care|withdrawal|conflict"
    r"|function\w*|impairment|progress|ideation|irritability|headaches?|last (?:year|winter|spring"
    r"|summer|fall))\b"
)
_PART_OF_IT = later(
    r"[^.;:\n]{0,12}[.;:,][ ]*(?:it (?:has|shows up as|takes the form of) |with )?"
    r"(?:both|mostly|mainly|chiefly) "
    r"|[^\n]{0,90}\b(?:anxiety|worry|low mood|depressed mood|sadness|conduct|behavior)\b[^.;\n]{0,30}"
    r"\b(?:part of it|in it|predominates?|dominates?|prevails?|in equal)\b"
)
_NOT_OF_NOW = frozenset(
    ("old_dx", "uncertain_dx", "goal", "plan", "family_history", "past_history", "medical",
     "substance_history", "social_history", "participants")
)  # fmt: skip
_OF_RELATIVES = later(rf"\b{RELATIVE}\b")
_UNSURE = later(
    r"\b(?:not?|nor|never|if|maybe|perhaps|possibl[ey]|probabl[ey]|might|may|could|seems?|appears?|was|were"
    r"|had|until|before|last|previous(?:ly)?|prior|history|formerly|earlier|used to|or|to)\b|\?"
)
_REACH = 90


class Told(msgspec.Struct, frozen=True):
    """A specifier told away from its condition; `boxed` says that it is the ticked one of several."""

    value: str
    start: int
    end: int
    boxed: bool


def with_specifiers(reading: Reading, diagnosed: Diagnosed) -> Diagnosed:
    """Give each code that says none the severity, course or remission that the note tells elsewhere.

    It is asked about unless its sentence names what it is of, no other diagnosis could have it and nothing
    else is told.
    """
    reasons = list(diagnosed.reasons)
    chosen = []
    for diagnosis in diagnosed.chosen:
        told = _told_of(reading, diagnosis)
        specific = _specified(diagnosis, told) if told else None
        if told and not (specific and all(map(partial(_is_sure, reading, diagnosed, diagnosis), told))):
            reasons.append(Reason.SPECIFIER_UNCLEAR)
        elif specific and specific.reason == Reason.SEVERITY_MISSING:
            specific = replace(specific, reason=None)
        chosen.append(specific or diagnosis)
    if all(diagnosis.reason != Reason.SEVERITY_MISSING for diagnosis in chosen):
        reasons = [reason for reason in reasons if reason != Reason.SEVERITY_MISSING]
    return replace(diagnosed, chosen=tuple(chosen), reasons=tuple(dict.fromkeys(reasons)))


def is_specified_elsewhere(reading: Reading, diagnosed: Diagnosed) -> bool:
    """`Diagnosis: MDD` and, lines below, `Severity today: moderate`: the code says neither."""
    return any(
        _of_a_mood(reading, diagnosis) or _of_adjustment(reading.plain, diagnosis)
        for diagnosis in diagnosed.chosen
    )


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
    opening = before.lstrip(" -*>")
    return (
        (
            _OF_DISORDER.fullmatch(opening) is not None
            or (reading.layout.at(told.start) in _ASSESSED and _IN_ASSESSMENT.fullmatch(opening) is not None)
        )
        and not any(concept and told.value in concept.values for concept in others)
        and not any(_UNSURE.search(part) for part in (before, behind))
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


def _of_a_mood(reading: Reading, diagnosis: Diagnosis) -> bool:
    tokens, plain = reading.tokens, reading.plain
    lead = diagnosis.lead
    if diagnosis.code not in _UNSPECIFIED or lead.concept is None:
        return False
    if _HOW_DEPRESSED.search(plain):
        return True
    for at, _, value in reading.mentions.values:
        start = tokens.starts[at]
        said = value in lead.concept.values and _OF_AN_EPISODE.search(plain, max(0, start - _LABEL), start)
        # The fields right below it were read with it.
        if said and not (said["field"] and 0 < plain.count("\n", lead.end, start) <= _FIELDS_BELOW):
            return True
    return False


def _told_of(reading: Reading, diagnosis: Diagnosis) -> list[Told]:
    """The specifiers that would make another code of it and are said to be so somewhere in the note."""
    concept, values = diagnosis.lead.concept, _values(diagnosis)
    found: list[Told] = []
    if concept is None or concept.kind != "dx" or not concept.values:
        return found
    rule = concept.resolve(values)
    if rule.code != diagnosis.code:
        return found
    tokens, plain = reading.tokens, reading.plain
    axis_of = load_lexicon().axis_of
    bound = {axis_of.get(value) for value in values}
    for at, after, entry in reading.mentions.values:
        start, end = tokens.starts[at], tokens.ends[after - 1]
        if (
            axis_of.get(entry) in bound
            or axis_of.get(entry) not in _AXES
            or reading.layout.at(start) in _NOT_OF_NOW
        ):
            continue
        said = _SAID.search(plain, max(0, start - _REACH), start)
        if said is None or not (said["box"] or _NO_MORE.match(plain, end)):
            continue
        # `(x) moderate ( ) severe` is no `moderate to severe`.
        value = tokens.words[at] if said["box"] else entry
        if (
            value in concept.values
            and concept.resolve(values | {value}) is not rule
            and not _is_of_something_else(plain, start, end)
            and not _is_of_another(reading, diagnosis, said.start())
        ):
            found.append(Told(value, start, end, said["box"] is not None))
    return found


def _of_adjustment(plain: str, diagnosis: Diagnosis) -> bool:
    """`An adjustment disorder; both anxiety and depressed mood are part of it`."""
    return diagnosis.code == "F43.20" and _PART_OF_IT.match(plain, diagnosis.lead.end) is not None


def _is_of_another(reading: Reading, diagnosis: Diagnosis, start: int) -> bool:
    """Whether it stands right below another condition."""
    before = findings_between(reading, start - _REACH, start)
    return (
        bool(before)
        and before[-1].family != diagnosis.lead.family
        and not reading.plain[before[-1].end : start].strip()
    )


def _is_of_something_else(plain: str, start: int, end: int) -> bool:
    before, behind = sentence_round(plain, start, end)
    return any(
        pattern.search(part) is not None
        for pattern in (_OF_SOMETHING, _OF_RELATIVES)
        for part in (before, behind)
    )
