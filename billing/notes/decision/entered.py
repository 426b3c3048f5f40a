"""What the entry of a diagnosis that would be billed says of its place on the list: `F84.0 came off the chart
in January`, `F14.10 = history only`, `deleted from the list: F60.1`. Then a person is asked."""

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.decision.told import findings_between
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
    r"|inactivated|deactivated|auto-?populated|placeholders?|none (?:is|are|was|were) confirmed"
    r"|(?:do not|don't|not to be|not for|never) bill(?:ed|ing)?\b"
    r"|(?:history|hx|historical|records?|reference) only|historical|for (?:the )?records? only"
    r"|with an? question mark|so not added|not (?:added|supported|carried|upheld|endorsed|adopted)\b"
    r"|no longer (?:meets|applies|active|current|carried|listed)|still prints|ignore\b"
    r"|(?:given|made|entered|assigned|put (?:there|in|on)) by (?:an? |the |her |his |their )?(?:\w+ )?"
    r"(?:previous|prior|former|last|other|old|outside|billing|referr\w+))"
)
# Right behind its words, as a state.
_STATE = later(
    rf"[ )\]]*[-:,(=\[]+[ ]*(?:(?:was|now|since|been|is|status:?) )*(?:{_PUT_OFF}|inactive|historical|prior"
    r"|resolved|(?:old|past|former)(?=[ ]*[)\].,;\n])|outdated|n/a|void|not active|not current|no longer)\b"
    r"(?! (?:out|by the|of work))"
)
# Right before it, behind no other.
_BEFORE = later(
    rf"\b(?:(?:{_PUT_OFF})(?: (?:off|from|out of) {_LIST})?|(?:floated|queried|proposed|raised|suggested|old"
    r"|former|prior|inactive|historical|hist|archived|legacy|not active|n/a))[ ]*[:=-]?[ ]*"
    r"(?:the |her |his |an? )?(?:code |dx |diagnosis )?[(\[]?\Z"
)
_LONGEST = 160


def is_off_the_list(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether the entry of one of several that would be billed, or of a code, takes it off the list."""
    return any(
        _is_put_off(reading, finding.start, finding.end)
        for diagnosis in diagnosed.chosen
        for finding in diagnosis.findings
        if finding.by != "words" or len(diagnosed.chosen) > 1
    )


def _is_put_off(reading: Reading, start: int, end: int) -> bool:
    plain = reading.plain
    before, behind = sentence_round(plain, start, end)
    if _STATE.match(plain, end, end + _LONGEST) or _BEFORE.search(before[-_LONGEST:]):
        return True
    said = _BEHIND.search(behind[:_LONGEST].partition("|")[0])
    return said is not None and not findings_between(reading, end, end + said.start())
