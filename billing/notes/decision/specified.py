"""A severity, course or remission that a note tells far from a condition whose code says none: then a
person is asked."""

from billing.notes.conditions.diagnoses import Diagnosed, Diagnosis
from billing.notes.decision.told import findings_between
from billing.notes.later import later
from billing.notes.lexicon import load_lexicon
from billing.notes.reading import Reading
from billing.notes.text.kin import RELATIVE
from billing.notes.text.sentences import sentence_round

_HOW_DEPRESSED = later(
    r"(?:\A|[.;\n]|\b(?:and|but))[ ]*(?:s?he|they|(?:the )?(?:client|patient|pt|ct)) (?:is|are|remains)"
    r"(?: still)? (?:mildly|moderately|severely) depressed\b(?! (?:mood|affect))"
)
_UNSPECIFIED = frozenset(("F31.9", "F32.9", "F33.9"))
_LABEL = 130
_OF_AN_EPISODE = later(
    r"(?:\A|\n)(?![^\n:]{0,120}\b(?:goals?|targets?|pain|risk|anxiety|cravings?|symptoms?|stress\w*|phq|gad"
    r"|pcl|bdi|score|scale"
    r"|distress|insomnia|sleep|pain|function\w*|impairment|progress|use|ideation|irritability|treatment)\b)"
    r"(?:(?P<field>(?:severity|episode(?: type)?|specifiers?|course))|[^\n:]{0,60}"
    r"\b(?:severity|episodes?|specifiers?|course|now|current(?:ly)?)\b[^\n:]{0,60}):[ ]*\Z"
)
_FIELDS_BELOW = 2
_AXES = frozenset(("severity", "course", "remission", "subtype", "episode"))
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
    rf"|\b(?:(?:this|it|that|which|we)|{_OF}{_ITSELF}) (?:now |currently )?{_IS} {_HOW}"
    rf"|\b(?:she|he|they|(?:the )?(?:client|patient|pt|ct)) {_IS} {_HOW}(?=\Z)"
    r"|\b(?:i|we) (?:(?:would|have|had|do|am|are|still|now|currently) )*"
    r"(?:(?:rate|grade|call|mark|judge|code|consider|score|specify)(?:d|ed|ing)?|calling|coding|called|marked|write|put|putting"
    rf"|hold|keep|have|had) (?:(?:it|this|that|{_OF}(?:{_GRADE}|{_ITSELF})) )?{_HOW}"
    r"|\b(?:meets|qualifies for) (?:now )?(?:the )?"
    r"|(?:\A|[.;]\s|\n)(?P<alone>)"
    rf"|(?:\A|\n)[^\n]{{0,20}}\b{_GRADE}\b[^\n]{{0,60}}(?P<box>\([x]\)|\[x\]) )\Z"
)
_NO_MORE = later(
    r"[ ]*(?:[.,;)(\n]|\Z|(?:now|today|and|but|range|form|specifier|level|in (?:severity|degree)|overall"
    r"|(?:at|by|on|per|for|since) (?:present|this|my|the|now|criteri\w+|count|all))\b)"
)
_OF_SOMETHING = later(
    r"\b(?:goals?|targets?|pain|risk|cravings?|symptoms?|stress\w*|phq|gad|pcl|bdi|score\w*|scale|distress|sleep"
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
_REACH = 90


def is_specified_elsewhere(reading: Reading, diagnosed: Diagnosed) -> bool:
    """`Diagnosis: MDD` and, lines below, `Severity today: moderate`: the code says neither."""
    return any(
        _of_a_mood(reading, diagnosis)
        or _of_what_has_none(reading, diagnosis)
        or _of_adjustment(reading.plain, diagnosis)
        for diagnosis in diagnosed.chosen
    )


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


def _of_what_has_none(reading: Reading, diagnosis: Diagnosis) -> bool:
    """Whether a specifier that would make another code of it is said to be so somewhere in the note."""
    concept = diagnosis.lead.concept
    if concept is None or concept.kind != "dx" or not concept.values:
        return False
    values = frozenset().union(*(finding.values for finding in diagnosis.findings))
    if concept.resolve(values).code != diagnosis.code:
        return False
    tokens, plain = reading.tokens, reading.plain
    axis_of = load_lexicon().axis_of
    bound = {axis_of.get(value) for value in values}
    for at, after, value in reading.mentions.values:
        if axis_of.get(value) in bound or axis_of.get(value) not in _AXES:
            continue
        start, end = tokens.starts[at], tokens.ends[after - 1]
        said = _SAID.search(plain, max(0, start - _REACH), start)
        if said is None or not (said["box"] or _NO_MORE.match(plain, end)):
            continue
        # `(x) moderate ( ) severe` is no `moderate to severe`.
        told = frozenset((tokens.words[at] if said["box"] else value,))
        if (
            told <= concept.values
            and reading.layout.at(start) not in _NOT_OF_NOW
            and concept.resolve(values | told).code != diagnosis.code
            and not _is_of_something_else(plain, start, end)
            and not _is_of_another(reading, diagnosis, said.start())
        ):
            return True
    return False


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
