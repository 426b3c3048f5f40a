"""What kind of visit the note documents, whether it took place, and how the patient was reached."""

from bisect import bisect_left

import msgspec

from billing.notes.absent import patient_absent
from billing.notes.complexity import named_complexity
from billing.notes.fields import named_in_field, section_of
from billing.notes.groups import ARRIVED_FROM, ATTENDED, NEAR_LABEL, OWN, labelled_group, named_group
from billing.notes.instead import held_without, stayed_away
from billing.notes.later import later
from billing.notes.layout import Layout
from billing.notes.lexicon import Mentions
from billing.notes.missed import missed_visit
from billing.notes.modality import Cue, modality_of
from billing.notes.opening import Opened, opened_with
from billing.notes.rendered import (
    SAID_OUTRIGHT,
    anothers,
    held_elsewhere,
    not_held,
    only_mentioned,
    real_intake,
    said_outright,
    told_of,
)
from billing.notes.resolver import entries_between
from billing.notes.text import TokenStream
from billing.notes.unlike import is_anothers_paper, unlike_therapy

MAIN_SERVICES = ("individual", "group", "multiple_family_group", "family", "couples", "crisis", "intake")
_NAMED = 3
_SHARED = frozenset(("group", "family", "couples"))
# What an individual session may speak of.
_BESIDE_INDIVIDUAL = _SHARED | {"intake"}
_HEADER_KINDS = frozenset(("service", "modality", "participants", "time", "status"))
_BACKGROUND_KINDS = frozenset(
    (
        "plan",
        "goal",
        "family_history",
        "past_history",
        "substance_history",
        "medical",
        "social_history",
        "risk",
        "measures",
    )
)
_NOT_VISIT_AFTER = later(
    r"[^.;\n]{0,40}?\b(?:next|tomorrow|yesterday|was (?:completed|done|offered|declined)|completed (?:on )?\d"
    r"|scheduled|set for|offered|begins?|starts?(?! to finish)|on (?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)days?|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|other provider|recommended|(?<!on )(?<!on the )(?<!by )(?<!after )(?<!following )referral"
    r"|in \d+ (?:weeks?|days?)|every|in two weeks"
    r"|in three weeks"
    r"|(?:is|are) (?:planned|set up|in the works)|next week|weekly|policy|instead|discussed|(?:was "
    r"|were )?suggested|not interested"
    r"|last (?:year|month|week|night|spring|summer|fall|winter|time)|(?:years?|months?|weeks?) ago"
    r"|in (?:19|20)\d\d|with dr)\b"
)
_TODAY = later(
    r"\b(?:today|this session|this visit|held|conducted|attended|provided|present|completed today|seen|met"
    r"|joined)\b"
)
_CAME_TO = later(r"\b(?:attended|participat\w+|present|came|joined|seen)\b[^.;\n]{0,30}\Z")
_OPENS = later(r"(?:\A|[.:;\n])[ ]*\Z")
# The name of a practice: `Red Rock Family Counseling / Encounter`.
_OF_A_PRACTICE = later(
    r" (?:center|centre|associates|clinic|services|group practice|practice|llc|inc|institute|partners"
    r"|collective|pllc)\b|(?: center)? / "
)
# A benefit that is explained is not used.
_ONLY_NAMED_AFTER = later(
    r"[^.;\n]{0,12}\b(?:is|are|was|would be|could be|may be|might be) (?:also )?(?:a benefit|an option"
    r"|available|possible|covered|something|an idea|explained|mentioned"
    r"|for (?:families|people|those|relatives|parents of))\b"
)
# Who is seen with another may be in couples or family work; the note does not say.
_SEEN_WITH = later(
    r"\b(?:seen|met|attended|came in|here)(?: today| together| jointly)? with (?:his|her|their|both|the"
    r"|\w+'s) (?:wife|husband|spouse|partner|boyfriend|girlfriend|fiance\w?|parents?|mother|father|mom|dad"
    r"|family|couple)\b(?! (?:for|in the last|during|joining|present for) )"
    r"|\b(?:saw|met with) (?:\w+ ){1,3}(?:together|jointly) with (?:his|her|their|both|the) (?:wife|husband"
    r"|spouse|partner|boyfriend|girlfriend|fiance\w?|parents?|mother|father|mom|dad|family)\b"
    r"|\b(?:patient|client|pt|ct) (?:and|\+|&) (?:his |her |their )?(?:wife|husband|spouse|partner|boyfriend"
    r"|girlfriend|fiance\w?) (?:were |both |both were |are )?(?:present|attended|came|seen|here)\b"
)
_OPENING = 220
_RIGHT_BESIDE = 8
_ALL_ALONE = later(
    r" (?:throughout|start to finish|(?:for )?the (?:whole|entire) (?:time|visit|session|hour))"
)
_TELLS = later(r"\b(?:she|he|they|i|we)\b")
_INSURANCE_WORDS = frozenset(("group number", "group name", "group title", "group type"))
_VIDEO_NOW = frozenset(("telehealth", "audio_only"))


_VOICE_FIELD = later(
    r"[ :=-]*(?:by |via )?(telephone|phone|audio|voice|landline)\b(?![^\n;.]{0,16}(?:video|visual))"
)
# `Held by video instead`: the way that the visit took after all.
_HELD_WITHIN = 44
_TURNED = later(r"[^.;\n]{0,20}\binstead\b")
_HELD = later(
    r"\b(?:held|met|seen|did|done|conducted|moved|switched|changed|converted|took place|connected"
    r"|came)\b[^.;\n]*\Z"
)


class Visit(msgspec.Struct, frozen=True):
    """The service as documented."""

    kind: str | None
    cue: Cue | None
    rendered: bool
    contact_only: bool
    patient_absent: bool
    individual_named: bool
    conflict: bool
    modality: str | None
    modality_cue: Cue | None
    complexity: Cue | None
    complexity_factor: Cue | None
    crisis_factors: int
    unscheduled: bool
    private: bool
    testing: Cue | None
    medical: Cue | None
    no_service: Cue | None
    others_present: bool
    kinds: frozenset[str] = frozenset()
    """Every service that it names with its weight, as `individual` and `family`, where there are several."""


def read_visit(plain: str, tokens: TokenStream, mentions: Mentions, layout: Layout) -> Visit:
    """Weigh every service cue of the note by its place and decide."""
    cues = [
        cue for cue in (_cue(plain, tokens, mentions, layout, entry) for entry in mentions.services) if cue
    ]
    cues += labelled_group(plain, layout)
    cues += _by_voice(plain, layout)
    cues += named_group(plain, layout)
    cues += named_in_field(plain, layout)
    opened = opened_with(plain, layout)
    if not any(cue.kind == "individual" and cue.weight >= _NAMED for cue in cues):
        cues += opened.cues
        opened = Opened(open=opened.open)
    if not any(cue.kind in MAIN_SERVICES and cue.weight >= _NAMED for cue in cues):
        unlike = unlike_therapy(plain, layout.title[0])
        cues += [unlike] if unlike is not None else []
    by_kind: dict[str, list[Cue]] = {}
    for cue in cues:
        by_kind.setdefault(cue.kind, []).append(cue)
    if "group was cancel" in plain:
        by_kind.pop("group", None)
    if any(cue.weight for cue in by_kind.get("individual", [])):
        for kind in _BESIDE_INDIVIDUAL & by_kind.keys():
            by_kind[kind] = [
                cue
                for cue in by_kind[kind]
                if layout.at(cue.start) in _HEADER_KINDS or not only_mentioned(plain, cue)
            ]
    missed = missed_visit(plain, layout, by_kind.get("no_service", []))
    kind, lead, conflict = _main_service(plain, layout, by_kind)
    absent = False
    if missed is not None and held_without(plain, kind, missed):
        missed, absent = None, kind != "group"
    if kind in _SHARED:
        stayed = stayed_away(plain, kind, by_kind.get("individual", []))
        conflict = conflict or stayed.alone or stayed.doubtful
        if stayed.alone:
            kind = "individual"
        elif kind != "group":
            absent = absent or stayed.without or patient_absent(plain, by_kind, layout)
    modality, modality_cue = modality_of(plain, by_kind)
    factors = {plain[cue.start : cue.end].split()[0] for cue in by_kind.get("crisis_factor", [])}
    contact = [
        cue for cue in by_kind.get("contact", []) if cue.weight >= 2 and not is_anothers_paper(plain, cue)
    ]
    return Visit(
        kinds=_told(by_kind),
        kind=kind,
        cue=lead,
        rendered=missed is None,
        contact_only=bool(contact)
        and kind in (None, "individual")
        and not any(c.weight >= 2 for c in by_kind.get("individual", [])),
        patient_absent=absent,
        individual_named="individual" in by_kind,
        conflict=conflict,
        modality=modality,
        modality_cue=modality_cue,
        complexity=named_complexity(plain, by_kind.get("complexity", [])),
        complexity_factor=next(iter(by_kind.get("complexity_factor", [])), None),
        crisis_factors=len(factors),
        unscheduled=any(cue.weight >= 2 for cue in by_kind.get("unscheduled", [])),
        private=bool(by_kind.get("private")),
        testing=next((cue for cue in by_kind.get("testing", []) if cue.weight >= 3), None),
        medical=next((cue for cue in by_kind.get("medical_evaluation", []) if cue.weight >= 2), None),
        no_service=missed,
        others_present=any(
            layout.at(tokens.starts[first]) == "participants" for first, _, _ in mentions.people
        )
        or opened.open
        or bool(opened.cues)
        or _SEEN_WITH.search(plain, 0, _OPENING) is not None,
    )


def _told(by_kind: dict[str, list[Cue]]) -> frozenset[str]:
    """The services that the note names for this visit, couples work as the family's."""
    found = {kind for kind in MAIN_SERVICES if any(cue.weight >= 2 for cue in by_kind.get(kind, []))}
    return frozenset("family" if kind == "couples" else kind for kind in found)


def _by_voice(plain: str, layout: Layout) -> list[Cue]:
    """`Mode: audio`: a field for the way of meeting that names the voice alone."""
    return [
        Cue("audio_only", *match.span(1), 3)
        for start, label, kind in zip(layout.starts, layout.labels, layout.kinds, strict=False)
        if kind == "modality" and (match := _VOICE_FIELD.match(plain, start + len(label))) is not None
    ]


def _cue(
    plain: str, tokens: TokenStream, mentions: Mentions, layout: Layout, entry: tuple[int, int, str]
) -> Cue | None:
    """One cue with its weight: 4 a title, 3 a header field or a tick, 2 the opening, 1 prose, 0 not this
    visit."""
    first, last, kind = entry
    start, end = tokens.starts[first], tokens.ends[last - 1]
    section = section_of(plain, layout, start)
    box = layout.ticked(plain, start, end)
    if box is False or (
        plain[start:end] in _INSURANCE_WORDS and not ATTENDED.search(plain, end, end + NEAR_LABEL)
    ):
        return None
    following = tokens.words[last] if last < len(tokens.words) else ""
    after_notes = mentions.not_service_after
    at = bisect_left(after_notes, (last,))
    if at < len(after_notes) and after_notes[at][0] == last and following != "of":
        return None
    in_title = layout.title[0] <= start < layout.title[1] and not _is_prose(plain, layout, start)
    opening = start < max(min(260, len(plain) // 3), layout.title[1])
    lead = plain[max(0, start - 40) : start]
    if kind == "group" and OWN.search(lead) and not _CAME_TO.search(lead):
        return None
    if kind in _SHARED and plain.endswith(", work", start, end):
        return None  # `Family, work and sleep discussed`
    if kind in _SHARED and (held_elsewhere(plain, end) or (kind == "group" and ARRIVED_FROM.search(lead))):
        return None
    if (
        in_title
        and kind in ("family", "couples")
        and start > layout.title[0]
        and _OF_A_PRACTICE.match(plain, end)
    ):
        return None
    weight = 1
    if section in _HEADER_KINDS or box:
        weight = 3
    elif in_title:
        weight = 4 if _is_title(plain, layout, start) else 3
    elif opening and section not in _BACKGROUND_KINDS:
        weight = 2
    if section not in _HEADER_KINDS and kind in MAIN_SERVICES and _ONLY_NAMED_AFTER.match(plain, end):
        return None
    clause_first = max(tokens.clause_of(first)[0], first - 30)
    before = any(
        first - entry[1] <= 7
        and tokens.words[entry[1]] != "time"  # `met for the first time`
        and tokens.words[entry[0] : entry[1] + 1] != ["first", "meeting"]
        for entry in entries_between(mentions.not_this_visit, clause_first, first)
    )
    if section in _BACKGROUND_KINDS:
        weight = min(weight, 1) if kind in _VIDEO_NOW or kind == "in_person" else 0
    elif before and not in_title:
        weight = 0 if section not in _HEADER_KINDS else weight
    elif before and kind in _VIDEO_NOW | {"in_person", "by_phone"} and section not in _HEADER_KINDS:
        weight = 1
    elif (
        weight < 4
        and section not in _HEADER_KINDS
        and _NOT_VISIT_AFTER.match(plain, end)
        and not (
            _TURNED.match(plain, end)
            and (kind == "in_person" or _HELD.search(plain, max(0, start - _HELD_WITHIN), start))
        )
        and not _TODAY.search(plain, end, end + 30)
    ):
        weight = 0
    if weight and kind in MAIN_SERVICES and section not in _HEADER_KINDS and not box:
        if said_outright(kind, plain, start, end):
            return Cue(kind, start, end, SAID_OUTRIGHT)
        if kind in _SHARED and (not_held(plain, start) or anothers(plain, start)):
            return None
    if kind in ("no_service", "private", "complexity") or weight:
        return Cue(kind, start, end, weight)
    return None


def _is_title(plain: str, layout: Layout, start: int) -> bool:
    left, right = layout.title
    return right - left <= 120 and "." not in plain[left:start]


def _is_prose(plain: str, layout: Layout, start: int) -> bool:
    """Whether what stands first tells a story instead of being a title."""
    left, right = layout.title
    return ". " in plain[left:right].rstrip() and _TELLS.search(plain, left, start) is not None


def _main_service(
    plain: str, layout: Layout, by_kind: dict[str, list[Cue]]
) -> tuple[str | None, Cue | None, bool]:
    """The service with the weightiest cue; two heavy ones that differ are a conflict unless one contains
    the other."""
    scores: dict[str, int] = {}
    leads: dict[str, Cue] = {}
    for kind in MAIN_SERVICES:
        cues = [cue for cue in by_kind.get(kind, []) if cue.weight]
        if kind == "intake":
            cues = [
                cue
                for cue in cues
                if (cue.weight >= 3 or (cue.weight == 2 and cue.start < 120)) and real_intake(plain, cue)
            ]
        if kind == "crisis":
            cues = [cue for cue in cues if cue.weight >= 2]
        if not cues:
            continue
        lead = max(cues, key=lambda cue: (cue.weight, -cue.start))
        leads[kind] = lead
        scores[kind] = lead.weight * 10 + min(len(cues), 4)
    if not scores:
        return None, None, False
    kind = max(scores, key=lambda name: (scores[name], -leads[name].start))
    others = {name: score for name, score in scores.items() if name != kind and leads[name].weight >= 3}
    conflict = any(
        score >= scores[kind] - 3 and {name, kind} not in _COMPATIBLE for name, score in others.items()
    )
    alone = by_kind.get("individual", [])
    if (
        kind != "crisis"
        and leads[kind].weight == SAID_OUTRIGHT
        and any(
            cue.weight >= _NAMED and not (kind == "intake" and plain.startswith("seen ", cue.start))
            for cue in alone
        )
    ):
        conflict = True  # a title or a field says otherwise
    if kind in ("couples", "family") and any(_ALL_ALONE.match(plain, cue.end) for cue in alone):
        conflict = True
    if kind == "individual":
        for stronger in ("crisis", "intake", "group", "couples", "family"):
            if stronger in scores and leads[stronger].weight >= max(leads[kind].weight, 2):
                return stronger, leads[stronger], False
            if (
                stronger in scores
                and leads[stronger].weight == _NAMED
                and layout.at(leads[stronger].start) == "service"
            ):
                return stronger, leads[stronger], True  # the form's title is of another service
    if (
        kind in _SHARED
        and leads[kind].weight == 1
        and (
            not _OPENS.search(plain, max(0, leads[kind].start - 4), leads[kind].start)
            or told_of(plain, leads[kind].end)
        )
        and not _beside(leads[kind], by_kind.get("without_patient", []))
    ):
        conflict = True  # only somewhere in a sentence
    return kind, leads[kind], conflict and kind != "individual"


def _beside(lead: Cue, others: list[Cue]) -> bool:
    """Whether one of them stands right beside a cue: `family psychotherapy w/o patient`."""
    return any(max(other.start - lead.end, lead.start - other.end) < _RIGHT_BESIDE for other in others)


_COMPATIBLE = (
    {"family", "couples"},
    {"crisis", "individual"},
    {"intake", "individual"},
    {"group", "individual"},
    {"family", "individual"},
    {"couples", "individual"},
    {"group", "multiple_family_group"},
    {"family", "multiple_family_group"},
)
