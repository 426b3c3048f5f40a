"""What kind of visit the note documents, whether it took place, and how the patient was reached."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from billing.notes.later import later
from billing.notes.lexicon import Mentions
from billing.notes.page.layout import Layout
from billing.notes.text.spoken import NUMBER_WORD
from billing.notes.text.tokens import TokenStream
from billing.notes.visit.absent import patient_absent
from billing.notes.visit.complexity import named_complexity
from billing.notes.visit.cues import HEADER_KINDS, MAIN_SERVICES, SHARED, Cues
from billing.notes.visit.fields import named_in_field, place_told
from billing.notes.visit.groups import labelled_group, named_group
from billing.notes.visit.instead import held_without, stayed_away
from billing.notes.visit.missed import missed_visit, of_a_relative, said_absent
from billing.notes.visit.modality import Cue, modality_of
from billing.notes.visit.offered import offered_services
from billing.notes.visit.opening import Opened, opened_with
from billing.notes.visit.others_seen import others_present, others_seen
from billing.notes.visit.rendered import (
    SAID_OUTRIGHT,
    held_before,
    names_a_session,
    only_mentioned,
    real_intake,
    told_of,
)
from billing.notes.visit.unlike import is_no_contact, unlike_therapy, written_before
from billing.notes.visit.whole import is_all_of_it

_NAMED, _OPENED = 3, 2
_NONE = (" no ", "\nno ", ",no ", "(no ", "without ", " w/o ")
# What an individual session may speak of.
_BESIDE_INDIVIDUAL = SHARED | {"intake"}
# Asked for where they can matter.
_AT_NEED = frozenset(("crisis_factor", "with_patient"))
_CRISIS_CODES = ("90839", "90840")
_OPENS = later(r"(?:\A|[.:;\n])[ ]*\Z")
_SESSION = later(
    r"(?:ind|indiv|individual|group) (?:psychotherapy|therapy|session|visit|counseling|tx)|process group"
)
_THIS_ONE = later(r"[ ]?[.,;:\n(\d]|\Z| with (?:the )?(?:client|patient|pt|ct|him|her|them)\b")
_HEAD = 400
_RIGHT_BESIDE = 8
_ALL_ALONE = later(
    r" (?:throughout|start to finish|(?:for )?the (?:whole|entire) (?:time|visit|session|hour))"
)

# `Services authorized  [x] Individual  [x] Med mgmt`: what somebody else may give.
_OF_OTHERS = later(r"\b(?:services? (?:authorized|elsewhere)|other services)\b[^\n]{0,80}\n?[^\n]{0,80}\Z")
_LISTED_WITHIN = 170
_NO_MORE = later(r"[ ]{0,3}(?:[.,;()\n]|\Z|(?:via|over|using|by|on|while|where|alone)\b)")
_COUNTED = later(
    rf"[^.\n]{{0,40}}?\b(?:\d{{1,2}}|{NUMBER_WORD}) (?:group )?(?:members|participants|clients|attendees"
    rf"|patients)\b"
)
_VOICE_FIELD = later(
    r"[ :=-]*(?:by |via )?(telephone|phone|audio|voice|landline)\b(?![^\n;.]{0,16}(?:video|visual))"
)
# `No charge for today's missed copay`: only what is said of the visit makes it one that isn't billed.
_CHARGED_APART = later(
    r"no charge for (?!today(?!')|(?:[\w'-]+ ){0,3}?(?:session|visit|app(?:oint|t)\w*|contact|service|hour"
    r"|time|meeting|consult\w*|intake|call|slot|cancel\w*|no[- ]?show|it|this(?! [a-z])|that(?! [a-z])|him"
    r"|her(?! [a-z])|them|client|patient|pt|ct|family)\b)[a-z]"
)
_URGENT = ("emergency ", "crisis ", "urgent ")
_NEEDED = later(
    r"(?<!if )\b(?:s?he|they|client|patient|pt|ct) (?:had )?(?:needed|required|came(?: in)? for) an?"
    r" (?:emergency|crisis|urgent) (?:session|visit|appointment) (?:today|this (?:morning|afternoon"
    r"|evening))\b"
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
    place: str | None
    """`remote` or `in_person`, as the code of the place or a field for where the patient is says."""
    complexity: Cue | None
    complexity_factor: Cue | None
    crisis_factors: int
    """Counted where the visit may be one of crisis."""
    unscheduled: bool
    private: bool
    testing: Cue | None
    medical: Cue | None
    no_service: Cue | None
    others_present: bool
    """Told where no service is named."""
    kinds: frozenset[str] = frozenset()
    """Every service that it names with its weight, as `individual` and `family`, where there are several."""


def read_visit(
    text: str,
    plain: str,
    tokens: TokenStream,
    mentions: Mentions,
    layout: Layout,
    hints: Mapping[str, Sequence[int]],
) -> Visit:
    """Weigh every service cue of the note by its place and decide; `text` is the note as written."""
    named = Cues(text, plain, tokens, mentions, layout)
    offered = offered_services(plain, hints)
    by_kind = {
        kind: cues
        for kind in named.kinds
        if kind not in _AT_NEED and (cues := offered.without_empty(named.of(kind)))
    }
    fields = [*labelled_group(plain, layout), *_by_voice(plain, layout)]
    _add(by_kind, [*offered.marked, *fields, *named_group(plain, layout), *named_in_field(plain, layout)])
    opened = opened_with(plain, layout)
    if not any(cue.weight >= _NAMED for cue in by_kind.get("individual", ())):
        _add(by_kind, opened.cues)
        opened = Opened(open=opened.open)
    if not any(cue.weight >= _NAMED for kind in MAIN_SERVICES if kind in by_kind for cue in by_kind[kind]):
        unlike = unlike_therapy(plain, layout.title[0], hints)
        _add(by_kind, (unlike,) if unlike is not None else ())
    if "group was cancel" in plain:
        by_kind.pop("group", None)
    alone = by_kind.get("individual", [])
    if any(cue.weight for cue in alone):
        for kind in _BESIDE_INDIVIDUAL & by_kind.keys():
            by_kind[kind] = [
                cue
                for cue in by_kind[kind]
                if layout.at(cue.start) in HEADER_KINDS
                or not (cue.start in named.in_names or only_mentioned(plain, cue))
            ]
    unheld = [cue for cue in by_kind.get("no_service", []) if not _CHARGED_APART.match(plain, cue.start)]
    missed = missed_visit(plain, layout, unheld)
    kind, lead, conflict = _main_service(plain, layout, by_kind)
    conflict = conflict or (
        kind is not None and {cue.start for cue in by_kind[kind] if cue.weight}.issubset(named.in_names)
    )
    others = kind in (None, "individual") and others_seen(plain, hints.get("others_seen", ()))
    away = named.of("without_patient")
    nobody_else = any(cue.weight > 1 and plain.endswith(" only", 0, cue.end) for cue in away)
    conflict = (
        conflict
        or (kind == "individual" and (others or nobody_else))
        or written_before(plain, layout.title[0])
    )
    missed = missed or said_absent(plain, kind, hints.get("attendance", ()))
    absent = False
    if missed is not None and kind == "individual" and of_a_relative(plain, missed.start):
        missed = None
    if missed is not None and held_without(plain, kind, missed):
        missed, absent = None, kind != "group"
    if kind in SHARED:
        stayed = stayed_away(plain, kind, alone)
        conflict = conflict or stayed.alone or stayed.doubtful
        if stayed.alone:
            kind = "individual"
        elif kind != "group":
            by_kind["with_patient"] = offered.without_empty(named.of("with_patient"))
            away = offered.absent
            if away is None:
                away = patient_absent(plain, by_kind, layout)
            absent = absent or stayed.without or away
    modality, modality_cue = modality_of(plain, by_kind, hints)
    told_place = place_told(plain, layout, hints)
    if modality is None and (told_place == "remote" or _joined_from_afar(plain, by_kind)):
        modality = "video"
    unscheduled = (
        any(cue.weight >= 2 for cue in by_kind.get("unscheduled", ()))
        or any(kind != "crisis" and names_a_session(plain, cue) for cue in by_kind.get("crisis", ()))
        or _needed_today(plain)
    )
    return Visit(
        kinds=_told(by_kind),
        kind=kind,
        cue=lead,
        rendered=missed is None,
        contact_only=kind in (None, "individual")
        and not any(cue.weight >= 2 for cue in alone)
        and any(cue.weight >= 2 and not is_no_contact(plain, cue) for cue in by_kind.get("contact", ())),
        patient_absent=absent,
        individual_named="individual" in by_kind,
        conflict=conflict,
        modality=modality or told_place,
        modality_cue=modality_cue,
        place=told_place,
        complexity=named_complexity(plain, by_kind.get("complexity", [])),
        complexity_factor=next(iter(by_kind.get("complexity_factor", ())), None),
        crisis_factors=_crisis_factors(plain, named) if unscheduled or _of_crisis(plain, kind) else 0,
        unscheduled=unscheduled,
        private="private" in by_kind,
        testing=next((cue for cue in by_kind.get("testing", ()) if cue.weight >= 3), None),
        medical=next(
            (
                cue
                for cue in by_kind.get("medical_evaluation", ())
                if cue.weight >= 2
                and not plain.endswith(_NONE, 0, cue.start)
                and not _is_of_others(plain, layout, cue)
            ),
            None,
        ),
        no_service=missed,
        others_present=kind is None
        and (
            opened.open
            or bool(opened.cues)
            or nobody_else
            or others
            or others_present(plain, tokens, mentions, layout)
        ),
    )


def _joined_from_afar(plain: str, by_kind: Mapping[str, list[Cue]]) -> bool:
    """`Client joined from her parked car.`"""
    return any(cue.weight and _NO_MORE.match(plain, cue.end) for cue in by_kind.get("joined", ()))


def _is_of_others(plain: str, layout: Layout, cue: Cue) -> bool:
    """Whether a service is ticked in a list of those that are authorized, or given by others."""
    before = max(0, cue.start - _LISTED_WITHIN)
    return layout.ticked(plain, cue.start, cue.end) is True and (
        _OF_OTHERS.search(plain, before, cue.start) is not None
    )


def _add(by_kind: dict[str, list[Cue]], cues: Iterable[Cue]) -> None:
    for cue in cues:
        by_kind.setdefault(cue.kind, []).append(cue)


def _of_crisis(plain: str, kind: str | None) -> bool:
    """Whether the visit may be one of crisis, by its words or where there are none by a written code."""
    return kind == "crisis" or (kind is None and any(code in plain for code in _CRISIS_CODES))


def _needed_today(plain: str) -> bool:
    """`She needed an emergency session today`"""
    return any(map(plain.__contains__, _URGENT)) and _NEEDED.search(plain) is not None


def _crisis_factors(plain: str, named: Cues) -> int:
    """How many different words of the note tell of a crisis."""
    return len({plain[cue.start : cue.end].split()[0] for cue in named.of("crisis_factor")})


def _told(by_kind: dict[str, list[Cue]]) -> frozenset[str]:
    """The services that the note names for this visit, couples work as the family's."""
    return frozenset(
        "family" if kind == "couples" else kind
        for kind in MAIN_SERVICES
        if kind in by_kind and any(cue.weight >= 2 for cue in by_kind[kind])
    )


def _by_voice(plain: str, layout: Layout) -> list[Cue]:
    """`Mode: audio`: a field for the way of meeting that names the voice alone."""
    if "modality" not in layout.kinds:
        return []
    return [
        Cue("audio_only", *match.span(1), 3)
        for start, label, kind in zip(layout.starts, layout.labels, layout.kinds, strict=False)
        if kind == "modality" and (match := _VOICE_FIELD.match(plain, start + len(label))) is not None
    ]


def _main_service(
    plain: str, layout: Layout, by_kind: dict[str, list[Cue]]
) -> tuple[str | None, Cue | None, bool]:
    """The service with the weightiest cue; two heavy ones that differ are a conflict unless one contains
    the other."""
    scores: dict[str, int] = {}
    leads: dict[str, Cue] = {}
    for kind in MAIN_SERVICES:
        if kind not in by_kind:
            continue
        cues = [cue for cue in by_kind[kind] if cue.weight]
        if kind == "intake":
            opening = layout.title[0] + 120
            cues = [
                cue
                for cue in cues
                if real_intake(plain, cue)
                and (
                    cue.weight > (1 if cue.start < opening else 2) or is_all_of_it(plain, cue.start, cue.end)
                )
            ]
        if kind == "crisis":
            cues = [cue for cue in cues if cue.weight >= 2 and not held_before(plain, cue)]
        if not cues:
            continue
        lead = max(cues, key=lambda cue: (cue.weight, -cue.start))
        leads[kind] = lead
        scores[kind] = lead.weight * 10 + min(len(cues), 4)
    if not scores:
        return None, None, False
    kind = max(scores, key=lambda name: (scores[name], -leads[name].start))
    conflict = len(scores) > 1 and any(
        name != kind
        and leads[name].weight >= _NAMED
        and score >= scores[kind] - 3
        and {name, kind} not in _COMPATIBLE
        for name, score in scores.items()
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
    if (
        kind in SHARED
        and leads[kind].weight > _NAMED
        and any(
            cue.weight == _NAMED and cue.start < _HEAD and layout.at(cue.start) == "service" for cue in alone
        )
    ):
        conflict = True  # `Family Therapy Note` above `Visit: individual`
    if kind in SHARED and _is_contradicted(plain, layout, kind, by_kind):
        conflict = True
    if kind in ("couples", "family") and any(_ALL_ALONE.match(plain, cue.end) for cue in alone):
        conflict = True
    if kind == "individual":
        for stronger in ("crisis", "intake", "group", "couples", "family"):
            if stronger in scores and leads[stronger].weight >= max(leads[kind].weight, 2):
                return stronger, leads[stronger], False
            if stronger == "group" and stronger in scores and _has_members(plain, leads[stronger]):
                return stronger, leads[stronger], True
            if (
                stronger in scores
                and leads[stronger].weight == _NAMED
                and layout.at(leads[stronger].start) == "service"
            ):
                return stronger, leads[stronger], True  # the form's title is of another service
    if (
        kind in SHARED
        and leads[kind].weight == 1
        and (
            not _OPENS.search(plain, max(0, leads[kind].start - 4), leads[kind].start)
            or told_of(plain, leads[kind].end)
        )
        and not _beside(leads[kind], by_kind.get("without_patient", []))
    ):
        conflict = True  # only somewhere in a sentence
    return kind, leads[kind], conflict and kind != "individual"


def _is_contradicted(plain: str, layout: Layout, kind: str, by_kind: Mapping[str, list[Cue]]) -> bool:
    """Whether only the first words name a shared session, as a practice's name may, and the note below them
    another one: `Center for Family Therapy` above `Individual psychotherapy`."""
    title = layout.title
    if any(
        cue.weight and not (title[0] <= cue.start < title[1] and layout.at(cue.start) not in HEADER_KINDS)
        for each in (kind, "family", "couples" if kind == "family" else kind)
        for cue in by_kind.get(each, ())
    ):
        return False
    return any(
        cue.start >= title[1]
        and (layout.at(cue.start) == "service" or _SESSION.fullmatch(plain, cue.start, cue.end) is not None)
        and (cue.weight >= _OPENED or _THIS_ONE.match(plain, cue.end) is not None)
        for other in ({"individual", "group"} - {kind})
        for cue in by_kind.get(other, ())
    )


def _has_members(plain: str, lead: Cue) -> bool:
    """`Group therapy, 8 members, 90 min` below a title of an individual note."""
    return lead.weight > 0 and _COUNTED.match(plain, lead.end) is not None


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
