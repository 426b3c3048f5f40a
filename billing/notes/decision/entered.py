"""What the entry of a diagnosis that would be billed says of its place on the list: `F84.0 came off the chart
in January`, `F14.10 = history only`, `deleted from the list: F60.1`. Where others stay, it isn't billed;
where none does, or the entry only doubts it, a person is asked."""

import re

from msgspec.structs import replace

from billing.notes.conditions.diagnoses import Diagnosed, as_numbered
from billing.notes.decision.told import findings_between
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.reading import Reading
from billing.notes.text.sentences import sentence_round

_LIST = (
    r"(?:the |her |his |their |my |our )?(?:\w+ )?(?:list|chart|records?|claim|superbill|header|file"
    r"|sheet|problem list|banner|template|ehr|emr)\b"
)
_PUT_OFF = (
    r"(?:removed|deleted|dropped|retired|inactivated|deactivated|archived|closed|discontinued|superseded|withdrawn"
    r"|struck|pulled|taken|cleared|purged|crossed)"
)
# Said behind it, up to the next condition.
_BEHIND = later(
    rf"\b(?:(?:{_PUT_OFF}|came|come|comes|strike|backed) (?:it )?(?:off|from|out of) {_LIST}"
    rf"|(?:on|in|from) the old (?:list|chart|record|file)|strike it|struck it|backed off"
    r"|inactivated|deactivated"
    r"|(?:do not|don't|not to be|not for|never) bill(?:ed|ing)?\b"
    r"|(?:history|hx|historical|records?|reference) only|historical|for (?:the )?records? only"
    r"|so not added|not (?:added|supported|carried|upheld|endorsed|adopted)\b"
    r"|no longer (?:meets|applies|active|current|carried|listed))"
)
# Said behind it so, it may stay or go.
_DOUBTED = later(
    r"\b(?:auto-?populated|placeholders?|none (?:is|are|was|were) confirmed|with an? question mark"
    r"|still prints|ignore\b|(?:given|made|entered|assigned|put (?:there|in|on)) by"
    r" (?:an? |the |her |his |their )?(?:\w+ )?"
    r"(?:previous|prior|former|last|other|old|outside|billing|referr\w+))"
)
# Right behind its words, as a state.
_STATE = later(
    rf"[ )\]]*[-:,(=\[]+[ ]*(?:(?:was|now|since|been|is|status:?) )*(?:{_PUT_OFF}|inactive|historical|prior"
    r"|resolved|(?:old|past|former)(?=[ ]*[)\].,;\n])|outdated|n/a|void|not active|not current|no longer)\b"
    r"(?! (?:out|by|of work|his|her|their|auth\w*|dx,|diagnosis,))"
)
# Right before it, behind no other.
_BEFORE = later(
    rf"\b(?:(?:{_PUT_OFF})(?: (?:off|from|out of) {_LIST})?|(?:floated|queried|proposed|raised|suggested|old"
    r"|former|prior|inactive|historical|hist|archived|legacy|not active|n/a))[ ]*[:=-]?[ ]*"
    r"(?:the |her |his |an? )?(?:code |dx |diagnosis )?[(\[]?\Z"
)
_LONGEST = 160


def without_struck(reading: Reading, diagnosed: Diagnosed) -> Diagnosed:
    """The diagnoses without those that their own entries take off the list, where others stay."""
    if len(diagnosed.chosen) < 2:
        return diagnosed
    off = [d for d in diagnosed.chosen if all(_is_put_off(reading, f) for f in d.findings)]
    kept = [d for d in diagnosed.chosen if d not in off]
    if not off or not kept:
        return diagnosed
    return replace(
        diagnosed,
        chosen=tuple(as_numbered(kept, reading.plain)),
        alternatives=diagnosed.alternatives + tuple(d.lead for d in off),
    )


def is_off_the_list(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether the entry of one of several that would be billed, or of a code, takes it off the list or doubts
    it."""
    return any(
        _is_put_off(reading, finding)
        or _says(_DOUBTED, reading, finding, sentence_round(reading.plain, finding.start, finding.end)[1])
        for diagnosis in diagnosed.chosen
        for finding in diagnosis.findings
        if finding.by != "words" or len(diagnosed.chosen) > 1
    )


def _is_put_off(reading: Reading, finding: Finding) -> bool:
    plain = reading.plain
    if _STATE.match(plain, finding.end, finding.end + _LONGEST):
        return True
    before, behind = sentence_round(plain, finding.start, finding.end)
    return _BEFORE.search(before[-_LONGEST:]) is not None or _says(_BEHIND, reading, finding, behind)


def _says(pattern: re.Pattern[str], reading: Reading, finding: Finding, behind: str) -> bool:
    """Whether the sentence says it `behind` the finding, up to the next condition."""
    said = pattern.search(behind[:_LONGEST].partition("|")[0])
    return said is not None and not findings_between(reading, finding.end, finding.end + said.start())
