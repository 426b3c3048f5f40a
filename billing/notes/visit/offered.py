"""Services that a line of a form offers to be marked, in any style of box: `_ Family w/o ct   x Family w/
ct`, `__ Individual  _X_ Family`, `Individual   X Family   Group`."""

from collections.abc import Mapping, Sequence

import msgspec

from billing.notes.later import later
from billing.notes.visit.modality import Cue

_PATIENT = r"(?:ct|clt|client|pt|patient|consumer|member|child|youth|ip)\b"
_ON, _OFF = r"_*x_*|\[ ?x ?\]|\( ?x ?\)|\u2611", r"_+|\[[ _]*\]|\([ _]*\)|\u2610"
_OPTION = later(
    rf"(?<![\w.'])(?P<box>(?P<on>{_ON})|{_OFF})?[ ]?"
    r"(?<![a-z'])(?P<name>(?P<individual>ind(?:iv(?:idual)?)?)|(?P<family>family)|(?P<couples>couples?)"
    r"|(?P<group>group|grp)|(?P<crisis>crisis)|(?P<intake>intake))\b\.?"
    r"(?: (?:psychotherapy|therapy|session|tx|visit|counseling))?"
    rf"(?:,? (?:(?P<away>w/o|without)|(?P<here>w/|with)) ?(?:the )?{_PATIENT}(?: present)?"
    rf"|,? {_PATIENT} (?:(?P<absent>absent|not present)|(?P<present>present)))?"
    r"(?=[ ]*(?:[\[(_|/,;\n\u2610\u2611]|x\b|\Z)|[ ]{2})"
)
_MARKED = later(rf"(?<![\w.'])(?:{_ON})[ ]?(?<![a-z])(?:ind|family|couple|group|grp|crisis|intake)")
_KINDS = ("individual", "family", "couples", "group", "crisis", "intake")
# Of another time, or given by others.
_NOT_NOW = later(r"\b(?:plan(?:ned)?|authorized|referr\w+|recommend\w*|other services|next|past|prior)\b")
_BOX_BEHIND = later(rf"[ ]*(?:{_ON}|{_OFF})(?![\w ]*[a-z])")


class Offered(msgspec.Struct):
    """The services that lines of options mark, where their other options stand, and whether what is marked is
    told to be without the patient."""

    marked: list[Cue] = []
    empty: list[tuple[int, int]] = []
    absent: bool | None = None

    def without_empty(self, cues: list[Cue]) -> list[Cue]:
        """The cues that are no option that was left empty."""
        return [cue for cue in cues if not any(start <= cue.start < end for start, end in self.empty)]


def offered_services(plain: str, hints: Mapping[str, Sequence[int]]) -> Offered:
    """What the lines say in which one of several services is marked."""
    offered = Offered()
    past = 0
    for at in hints.get("offered", ()):
        if at >= past:
            start, past = plain.rfind("\n", 0, at) + 1, plain.find("\n", at)
            past = past if past >= 0 else len(plain)
            if _MARKED.search(plain, start, past):
                _read_line(plain, start, past, offered)
    return offered


def _read_line(plain: str, start: int, end: int, offered: Offered) -> None:
    options = [*_OPTION.finditer(plain, start, end)]
    marked = [each for each in options if each["on"]]
    if len(options) < 2 or len(marked) != 1 or _NOT_NOW.search(plain, start, end):
        return
    # A line of methods may name a family session as well.
    if not any(each["individual"] for each in options) and not all(each["family"] for each in options):
        return
    if not options[0]["box"] and _BOX_BEHIND.match(plain, options[-1].end(), end):
        return  # `Individual _X_  Family __`: there they stand behind
    option = marked[0]
    offered.marked.extend(Cue(kind, option.start("name"), option.end(), 3) for kind in _KINDS if option[kind])
    if any(map(option.group, ("away", "absent", "here", "present"))):
        offered.absent = bool(option["away"] or option["absent"])
    offered.empty.extend(each.span() for each in options if each is not option)
