"""Services that a field names in a word: `Session type: Group`, `Service: Family`; and the place's own code:
`POS 10`."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from billing.notes.later import later
from billing.notes.page.layout import Layout
from billing.notes.visit.modality import Cue

_NAMED = later(
    r"[ :=-]*(?:(?P<group>group|grp)|(?P<family>family(?: ?/ ?couples?)?|dyadic|parents?|collateral"
    r"|caregivers?)|(?P<couples>couples?(?: ?/ ?family)?|marital|marriage|relationship)"
    r"|(?P<crisis>crisis|emergency)|(?P<intake>assessment|evaluation|eval|diagnostic))"
    r"(?=[ ]*(?:[,;|.(\n]|- |(?<=[ ][ ])[a-z]|/ [a-z ]{3,20}:|\Z))"
)
# Without the patient, unless the note says otherwise.
_ALONE = ("collateral", "parent", "caregiver")
_WHICH = frozenset(
    ("service", "services", "service type", "service provided", "type of service", "session type",
     "type of session", "visit type", "type of visit", "type of therapy", "treatment type", "contact type",
     "type of contact")
)  # fmt: skip
# A few words that name a service, none of them a way of working or of meeting.
_UNREAD = later(
    r"[ :=-]*(?P<what>(?!(?:[a-z/-]+ ){0,3}(?:psychotherapy|therapy|counsel[a-z]+|individual|ind|indiv|follow"
    r"|followup|established|return|routine|regular|standard|ongoing|scheduled|tele[a-z]+|video|virtual|remote"
    r"|online|in|office|clinic|outpatient|phone|audio|progress|weekly|biweekly|initial|talk|mental|behavioral"
    r"|treatment|session|visit|face|home|live|zoom|secure|psych|cbt|dbt|emdr|erp|act|tf|play|exposure|crisis"
    r"|family|group|couples?|n/a|none|see)\b)"
    r"[a-z][a-z/-]*(?: [a-z][a-z/-]*){0,3})[ ]*(?:[,;.\n]|\Z)"
)
# `Client location: home`: nobody is there who is in the clinician's room, unless it is a home visit.
_PATIENTS_PLACE = ("client", "patient", "pt ")
_HOME_VISIT = ("home visit", "in-home", "in home", "home-based")
_AWAY = later(
    r"[ :=-]{0,4}(?:(?:at|in|her|his|their|own|private|the|client's|patient's|pt's|parked) ){0,3}"
    r"(?:home|residence|house|apartment|dorm(?: room)?|car|vehicle|work|workplace)[ ]{0,3}(?:[,.;(|\n/-]|\Z)"
)
# Behind one of these a story may stand. Where the title is of an individual session, a service that is named
# right behind it speaks against that.
_TOLD = frozenset(("what took place", "what was held", "what was done", "what we did", "held today"))
# `POS: 02 - Telehealth`; a screen that was positive is none, nor another day's place.
_PLACE_CODE = later(
    r"\b(?:pos|place of service)(?: code)?[ ]{0,3}[:=#(-]{0,2}[ ]{0,3}(?P<code>\d\d)\b"
    r"(?![/.%]\d|[ ]{0,3}(?:min|of \d|panel|items?|last|next))"
)
_NO_PLACE = later(r"\b(?:screen\w*|phq|gad|pcl|audit|uds|drug|alcohol|cage|mdq|next|if|prior|last)\b")
_OPENS_PLACE, _BEFORE_PLACE = ("", "\n", ".", ";", "|", ",", "("), 28
_TELEHEALTH_PLACES = frozenset(("02", "10"))
_KINDS = frozenset(("service", "modality"))
_NEXT_TO_IT = 32


def section_of(plain: str, layout: Layout, at: int) -> str:
    """The kind of the stretch that an offset lies in; behind a label that only asks for a story it is one."""
    index = bisect_right(layout.starts, at) - 1
    label = layout.labels[index]
    if label in _TOLD and (
        at - layout.starts[index] > len(label) + _NEXT_TO_IT
        or "individual" not in plain[slice(*layout.title)]
    ):
        return "narrative"
    return layout.kinds[index]


def place_told(plain: str, layout: Layout, hints: Mapping[str, Sequence[int]]) -> str | None:
    """`remote` or `in_person` where the note gives the code of its place of service; `remote` where a field
    has the patient at home."""
    if "place_code" in hints:
        for told in _PLACE_CODE.finditer(plain):
            lead = plain[max(0, told.start() - _BEFORE_PLACE) : told.start()]
            opens = lead.rstrip(" ")[-1:] in _OPENS_PLACE or lead.endswith("  ")
            if opens and not _NO_PLACE.search(lead):
                return "remote" if told["code"] in _TELEHEALTH_PLACES else "in_person"
    if "modality" in layout.kinds:
        for start, label, kind in zip(layout.starts, layout.labels, layout.kinds, strict=False):
            if (
                kind == "modality"
                and "location" in label
                and any(whose in label for whose in _PATIENTS_PLACE)
                and _AWAY.match(plain, start + len(label))
            ):
                return None if any(map(plain.__contains__, _HOME_VISIT)) else "remote"
    return None


def named_in_field(plain: str, layout: Layout) -> list[Cue]:
    """The services that fields for the kind of visit name in a word; one that is unknown is taken for a
    contact of another kind."""
    cues: list[Cue] = []
    if _KINDS.isdisjoint(layout.kinds):
        return cues
    for start, label, kind in zip(layout.starts, layout.labels, layout.kinds, strict=False):
        if kind not in _KINDS or label in _TOLD:
            continue
        at = start + len(label)
        if (named := _NAMED.match(plain, at)) is not None and named.lastgroup is not None:
            cues.append(Cue(named.lastgroup, *named.span(named.lastgroup), 3))
            if named[named.lastgroup].startswith(_ALONE):
                cues.append(Cue("without_patient", *named.span(named.lastgroup), 3))
        elif label in _WHICH and (unread := _UNREAD.match(plain, at)) is not None:
            cues.append(Cue("contact", *unread.span("what"), 3))
    return cues
