"""Services that a note opens with in a bare word: `Couples 55 min`, `GROUP, 8 members`, `Parents only`."""

import re
from typing import NamedTuple

from billing.notes.later import later
from billing.notes.page.layout import Layout
from billing.notes.text.kin import RELATIVE
from billing.notes.text.spoken import NUMBER_WORD
from billing.notes.visit.modality import Cue

_OPENING = 220
_WORDS = (
    "group", "grp", "couple", "cpl", "marital", "fam", "intake", "joint", "together", "parents", "caregiver",
    "guardian", "parent ", " without ", " w/o ",
)  # fmt: skip
_CLIENT = r"(?:client|patient|pt|ct|ip|child|teen)\b(?: ?\([^()\n]{1,20}\))?"
_RELATIVE = rf"(?:{RELATIVE}|hubby|bf|gf|mo|fa|pgm)"
_BARE = later(
    r"(?:(?P<group>group|grp)|(?P<couples>couple'?s?'?|cpls?|marital)|(?P<parents>(?:both )?parents? only"
    r"|(?:caregiver|guardian)s? only"
    r"|parent (?:guidance|coaching|consultation|training))(?: today(?=[ ]?[.;]))?|(?P<family>fam(?:ily)?)"
    r"|(?P<intake>intake))\.?"
    r"(?:[ ](?:progress note|note|session|sess|tx|check[- ]?in|therapy|appt|appointment|visit|meeting|mtg))?"
    r"(?:[ ]\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?(?=[ ,]))?(?P<mark>[ ]*[,.:;(|\n-]+[ ]*|[ ]+(?=\d)|[ ]*\Z)"
)
_LASTED = (
    rf"(?:for |x ?|about )?(?:\d{{1,3}}|{NUMBER_WORD}|one|half an|an)[ -]?(?:m\b|min|h\b|hr|hour)"
    r"|(?:from )?\d{1,2}(?::\d\d)?[ ]?(?:[ap]\.?m?\.?)?[ ]?(?:-|to|until)[ ]?\d{1,2}:\d\d"
    r"|(?:from )?\d{1,2}:\d\d[ ]?(?:[ap]\.?m?\.?)?[ ]?(?:-|to|until)[ ]?\d"
)
_HOW_LONG = later(_LASTED)
_WHO = later(
    r"(?:both|all|\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?:of them )?(?:group )?(?:members"
    r"|clients|participants|attendees|partners|spouses|present|in\b|here|attended|came)"
    rf"|{_CLIENT}(?:(?:,? (?:and|w/|with)|,|;| &| \+|/) ?(?:his |her |their |both )?{_RELATIVE}){{1,4}}"
    r"[ ]*[.,;(\n]"
)
# Within so much of it the length or those who came stand, a name or a subject between.
_NEAR = later(rf"[^\n:]{{0,40}}?[ .,;(]+(?:{_LASTED}|both (?:in|present|here)\b)")
_TOGETHER = later(
    rf"(?:saw|met with|met|seen:?) (?:the )?{_CLIENT} (?:and|with|&|\+|w/) (?:his |her |their )?{_RELATIVE}"
    rf"(?: and {_RELATIVE})?,? (?:seen )?(?:together|jointly|conjointly)\b"
    rf"|joint (?:session|visit|meeting|appointment|appt)(?: today)? (?:with|w/) (?:{_CLIENT} and )?"
    rf"(?:his |her |their )?{_RELATIVE}\b"
)
# `Parents seen without Jonah this afternoon`, where Jonah is told to be a child, or the one in treatment
_PARENTS_WITHOUT = later(
    r"(?:both |the )?(?:(?P<two>(?:grand|foster )?parents|(?:mother|mom) and (?:father|dad)|(?:father"
    r"|dad) and (?:mother|mom))"
    r"|(?:grand|foster |step)?(?:mother|father)|mom|dad|guardians?)"
    r"(?: (?:both|were|are|here|in|seen|met|attended|came|with me|today|alone)){1,4},? (?:without|w/o)"
    rf" (?!{RELATIVE}|the\b|an?\b|any|each|h(?:im|er|is)\b|their|\w+ing\b|notice|delay|others)(?P<who>[a-z]+)"
    r"(?! and\b)(?=[ ]*[.,;:\n(]| (?:today|present|this|in|here|for|on)\b)"
)
_IN_TREATMENT = r"in (?:treatment|therapy)\b|being treated\b|the (?:identified )?(?:patient|client)\b"
_A_CHILD = r"(?:[2-9]|1[0-7])\b(?![:/.]\d)"
_IS = (
    r"(?: \(|, )?(?: ?(?:is|who is|has been))? ?(?:(?:[2-9]|1[0-7]),? (?:and )?(?:is |has been )?|age[d]? )?"
)
_THEIR_OWN = later(r"[^.;\n]{0,60}\b(?:her|his|their) own\b")
_CHILD_WITHIN = 400

# A length or a service that stands above: what a later line begins with is told, not held.
_BEGUN = later(r"\d[ -]?(?:min|m\b|hour|hr)|\d:\d\d|\b(?:psychotherapy|session|individual|therapy)\b")
_OTHERWISE = later(
    r"[^.;\n]{0,40}\b(?:next|planned|scheduled|declined|cancel\w+|tomorrow|offered|briefly|[a-z]+day)\b"
    r"|[ ]*(?:for )?(?:the )?(?:first|last|about)? ?(?:[1-9]|1\d|2[0-5]) ?min"
    r"|[^.\n]{0,60}\b(?:alone|individually)\b"
)


class Opened(NamedTuple):
    """What a note opens with: cues, and whether a service is named that they don't settle."""

    cues: tuple[Cue, ...] = ()
    open: bool = False


def opened_with(plain: str, layout: Layout) -> Opened:
    """The service that the first line names in a word beside its length or those who came, or one of the
    next lines right beside its length."""
    head = plain[:_OPENING]
    if not any(map(head.__contains__, _WORDS)):
        return Opened()
    unsettled = False
    start = layout.title[0]
    first = True
    while 0 <= start < _OPENING:
        at = start + len(plain[start : start + 8]) - len(plain[start : start + 8].lstrip(" *#_-"))
        if not first and _BEGUN.search(plain, layout.title[0], start):
            break
        together = _TOGETHER.match(plain, at)
        if together is not None and not _OTHERWISE.match(plain, together.end()):
            return Opened((Cue("family", *together.span(), 4),))
        without = _PARENTS_WITHOUT.match(plain, at) if first else None
        if without is not None and _is_the_child(plain, without):
            return Opened(
                (Cue("family", at, without.start("who"), 4), Cue("without_patient", *without.span(), 4))
            )
        bare = _BARE.match(plain, at)
        if bare is not None and bare.lastgroup is not None:
            kind = next(name for name in ("group", "couples", "parents", "family", "intake") if bare[name])
            if _settled(plain, bare, kind, first=first):
                return Opened(_cues(kind, *bare.span(kind)))
            unsettled = unsettled or (first and not (kind == "family" and bare["mark"].startswith(",")))
        start = plain.find("\n", start, _OPENING) + 1 or -1
        first = False
    return Opened(open=unsettled)


def _is_the_child(plain: str, without: re.Match[str]) -> bool:
    """Whether the one who stayed away is in treatment, or is a child where both parents came."""
    if _THEIR_OWN.match(plain, without.end()):
        return False
    is_what = f"{_IN_TREATMENT}|{_A_CHILD}" if without["two"] else _IN_TREATMENT
    told = rf"\b{re.escape(without['who'])}{_IS}(?:{is_what})"
    return re.search(told, plain[: without.end() + _CHILD_WITHIN]) is not None


def _settled(plain: str, bare: re.Match[str], kind: str, *, first: bool) -> bool:
    """Whether what follows the word makes it the service of the note and no subject of it."""
    after = bare.end()
    if _HOW_LONG.match(plain, after) or _WHO.match(plain, after):
        return True
    if not first:
        return False
    mark = bare["mark"].strip()
    if kind == "parents":
        return mark[:1] != ","
    if not mark and "\n" in bare["mark"]:
        return kind != "family"
    near = {"couples": ".-(", "group": ".-(", "family": ".("}.get(kind, "")
    return mark != "" and mark in near and _NEAR.match(plain, after - 1) is not None


def _cues(kind: str, start: int, end: int) -> tuple[Cue, ...]:
    if kind == "parents":
        return Cue("family", start, end, 4), Cue("without_patient", start, end, 4)
    return (Cue(kind, start, end, 4),)
