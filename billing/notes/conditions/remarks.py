"""What a remark right behind a diagnosis of a list says of it: `Dx: GAD - husband`, `F41.1 (placeholder)`."""

import re

from msgspec.structs import replace

from billing.notes.conditions.lists import ASSESSMENT_KINDS
from billing.notes.conditions.placement import FIELD
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.page.standing import Standing, standing_of

# Of these, and of circumstances, a relative behind them tells who it is about.
GRIEFS = frozenset(("grief", "bereavement"))
# The code behind a name, or what closes behind the code that the finding ends with.
_CODE = re.compile(r"(?:[ ]*[\[(]?[a-tv-z]\d[\da-z]\.?[\da-z]{0,4}(?![a-z\d]))?[\])]?")
_ASKED = re.compile(r" ?\(?\?")
_REMARK = re.compile(
    r"[ ]*(?P<mark><?-{1,2}>?|<=|\(|\[|[,:;*.\"]?)[ )\]]*\(?(?P<said>[^\n.;,()\[\]]{2,60})[)\]]?"
)
_CONFIRMED = re.compile(
    r"[ ]?[(\[,;-]+[ ]?(?:(?:was|were|formerly|previously|initially|once) [a-z' -]{0,40}[,;] )?"
    r"(?:(?:now |since )?confirmed\b|no longer (?:an? )?(?:provisional|suspected|tentative|rule-?out))"
)
_NONE = frozenset(("none", "none now", "none at present"))
_ITEM = re.compile(r"[ ]*(?:[-*#>+]|[(#]?\d{1,2}[.)]?|\(?(?:[a-h]|[ivx]{1,4})[.)])[ ]+")
_WIDEST_MARK = 16
_PARTED = re.compile(r" [/|+>] ")
_MOST_REMARKS, _LONGEST = 3, 48
_PERSON = (
    r"(?:mother|mom|father|dad|parents?|husband|wife|spouse|partner|friend|roommate|family|grandmother"
    r"|client|patient|pt|school|teacher)"
)
_OURS = r"(?:client|patient|pt)"
# These are whole remarks, or open one, whatever stands behind them.
_TAKEN_BACK = later(
    r"(?:please )?(?:ignore|disregard|delete|remove)(?: (?:this|that|it|me|please|line))?\Z"
    r"|(?:a |just |only )?(?:place ?holder|template|dummy|sample|auto-?fill(?:ed)?|default)\b"
    rf"|wrong (?:chart|{_OURS}|person|dx|diagnosis|code|one|name)\b"
    r"|(?:only |just )?for (?:the )?(?:insurance|billing)(?: purposes)?(?: only)?\Z"
    r"|(?:insurance|billing)(?: purposes)? only\b"
    rf"|(?:is |was )?not (?:his|hers|theirs|(?:this|the|my|our|for this) {_OURS})"
    r"(?:'s)?(?: (?:own|dx|diagnosis))?\Z"
    r"|belongs to (?:the|her|his|their) \w+\Z"
    r"|in (?:high school|middle school|elementary school|grade school|college|grad school|childhood)\Z"
    r"|(?:does not|did not|doesn't|didn't) (?:really )?(?:meet|apply|fit)(?: criteria| here| now)?\Z"
    r"|as an? (?:teen(?:ager)?|child|kid|adolescent|young adult)\Z"
    r"|over(?: since\b[^,]*| now)?\Z|lifetime(?: only)?\Z|not (?:currently )?(?:current|active|present)\Z"
    r"|not (?:really )?(?:accurate|valid|correct|right|true|real|so|met|applicable)\Z"
)
_UNSURE = later(
    r"(?:t\.?b\.?[cd]|to be (?:confirmed|determined|decided|verified|reviewed|clarified))\b"
    r"|self[- ]?(?:diagnosed|dx(?:'?d)?|described|labell?ed|report(?:ed)?)\b"
    rf"|(?:in )?(?:his|her|their|(?:the |his |her |their )?{_PERSON}'s) (?:own )?"
    r"(?:words?|term|label|theory|idea|guess|opinion|view|language)\Z"
    r"|(?:per|according to|says|said|so says) (?:the |her |his |their |an? )?"
    rf"(?:{_PERSON}|er|ed|emergency (?:room|department)|urgent care|self|internet|(?:online )?quiz|tiktok|app"
    r"|coach|lawyer|attorney)(?: (?:report|visit|note|only))*\Z"
    r"|(?:positive )?screen(?:er|ing)? only\Z|screened positive(?: only)?\Z"
    r"|(?:a |my |just a |only a )?(?:hunch|guess|best guess|first guess|hypothesis)\b"
    r"|(?:but |though |although )?(?:i(?:'m| am) )?(?:not|un)[ -]?(?:yet )?"
    r"(?:sure|certain|convinced|confirmed|settled|decided|verified)\b"
)
# Behind a comma, a dash or in a bracket, not as a sentence of its own.
_NOT_MINE = later(
    r"(?:but |though |although |which )?i (?:"
    r"(?:don't|do not|cannot|can't) (?:quite |really )?(?:see|agree|share|think|believe|support|confirm) ?"
    r"(?:it|this|that|so|with (?:it|this|that))?\Z"
    r"|(?:would not|wouldn't) (?:put|call|sign|say|make)\b|doubt (?:it|this|that)\Z)"
)


def remarked(plain: str, found: list[Finding]) -> list[Finding]:
    """The findings, those that are stated in doubt where the remark behind them takes them back."""
    for at, finding in enumerate(found):
        if finding.doubt is None and (
            finding.strength == FIELD
            or finding.entry
            or finding.by == "both"
            or (
                finding.section in ASSESSMENT_KINDS
                and (plain.startswith((" (", " [", " - "), finding.end) or _opens_item(plain, finding.start))
            )
        ):
            stop = found[at + 1].start if at + 1 < len(found) else len(plain) + 1
            standing = _said_before(plain, finding.start) or _said_behind(plain, finding.end, stop)
            # `Uncomplicated bereavement (brother)`, `parent-child conflict (stepfather)`
            of_people = finding.family in GRIEFS or finding.code.startswith("Z")
            if standing is not None and not (of_people and standing is Standing.OTHER_PERSON):
                found[at] = replace(finding, doubt=str(standing))
    return found


def _opens_item(plain: str, start: int) -> bool:
    """Whether a condition is what an entry of a list begins with."""
    line = plain.rfind("\n", max(0, start - _WIDEST_MARK), start) + 1
    return line > 0 and _ITEM.fullmatch(plain, line, start) is not None


def _said_before(plain: str, start: int) -> Standing | None:
    """`Dx: wrong chart - PTSD`: what stands alone between the label and the diagnosis."""
    if not plain.endswith((" - ", ", ", ") "), 0, start):
        return None
    since = max(0, start - _LONGEST)
    said = plain[max(plain.rfind("\n", since, start), plain.rfind(":", since, start)) + 1 : start].strip(
        " -,()"
    )
    if _TAKEN_BACK.match(said):
        return Standing.NEGATED
    return Standing.UNCERTAIN if _UNSURE.match(said) else None


def _said_behind(plain: str, end: int, stop: int) -> Standing | None:
    """What the remarks between a diagnosis that ends at an offset, its code behind it, and the next one take
    back of it."""
    code = _CODE.match(plain, end)
    at = code.end() if code else end
    if _CONFIRMED.match(plain, at):
        return None
    if _ASKED.match(plain, at):
        return Standing.UNCERTAIN
    for number in range(_MOST_REMARKS):
        remark = _REMARK.match(plain, at)
        if remark is None or (number and remark.start("said") >= stop):
            return None
        said = _PARTED.split(remark["said"], maxsplit=1)[0]
        at = remark.start("said") + len(said) if len(said) < len(remark["said"]) else remark.end()
        if stop <= len(plain) and not plain[at:stop].strip(" )"):
            return None  # `PTSD, (r/o) GAD`: of the next one
        said = said.strip(" \"'*")
        if _TAKEN_BACK.match(said):
            return Standing.NEGATED
        if _UNSURE.match(said):
            return Standing.UNCERTAIN
        if remark["mark"] in ("", ".", '"', ";"):
            if remark["mark"] == ".":
                return None
            continue
        if said in _NONE:
            return Standing.NEGATED
        if _NOT_MINE.match(said):
            return Standing.UNCERTAIN
        # `Moderate, no, strike that`; the last cell of a row may tell the onset.
        standing = None if number or said in ("no", "childhood") else standing_of(said)
        if standing not in (None, Standing.STATED, Standing.UNCLEAR):
            return standing
    return None
