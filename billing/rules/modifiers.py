"""Rules about procedure modifiers, most of them about telehealth."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from billing.rules.facts import ClaimFacts, CodeSource, PlaceOfService, Procedure, TelehealthModifier
from billing.rules.rule import (
    HOLDS,
    REPAIRS,
    WARNS,
    Actor,
    Change,
    Complaint,
    Rule,
    hold,
    procedure_path,
    repaired,
    warn,
)
from billing.rules.tables.places_of_service import TELEHEALTH_PLACES
from billing.rules.tables.procedures import PHONE, name_of

_FORM = re.compile(r"[0-9A-Z]{2}")
_MOST = 4
REMOTE = frozenset({"95", "GT", "93", "FQ", "GQ"})
"""Modifiers that say of a line that patient and therapist were not in one room."""
BY_VIDEO = frozenset({"95", "GT"})
BY_SOUND = frozenset({"93", "FQ"})


def _is_telehealth(facts: ClaimFacts) -> bool:
    return facts.session.place_of_service is PlaceOfService.TELEHEALTH


def _wants_no_modifier(facts: ClaimFacts) -> bool:
    return facts.profile is not None and facts.profile.telehealth_modifier is TelehealthModifier.NONE


def _each_line(
    facts: ClaimFacts, modifiers_of: Callable[[Procedure], tuple[str, ...]], message: str
) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """The claim with other modifiers on its lines, and one complaint a line that changed."""
    lines = tuple(replace(line, modifiers=modifiers_of(line)) for line in facts.procedures)
    complaints = tuple(
        repaired(message, Change(procedure_path(position, "modifier"), " ".join(new.modifiers)))
        for position, (old, new) in enumerate(zip(facts.procedures, lines, strict=True))
        if old.modifiers != new.modifiers
    )
    return replace(facts, procedures=lines), complaints


def tidy(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """Modifiers are upper case, each once."""
    return _each_line(
        facts,
        lambda line: tuple(dict.fromkeys(modifier.strip().upper() for modifier in line.modifiers)),
        "The line's modifiers are written in upper case, each once.",
    )


def well_formed(facts: ClaimFacts) -> Iterator[Complaint]:
    """A line carries at most four modifiers of two characters."""
    for position, line in enumerate(facts.procedures):
        path = procedure_path(position, "modifier")
        if any(not _FORM.fullmatch(modifier) for modifier in line.modifiers):
            yield hold(path, "A modifier is two letters or digits, like 95. Send it so, or leave it out.")
        if len(line.modifiers) > _MOST:
            yield hold(
                path, f"A line carries at most {_MOST} modifiers. Send the {_MOST} that matter for payment."
            )


def add_telehealth(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """A telehealth line without any modifier gets 95, or 93 where its note says audio only."""
    if not _is_telehealth(facts) or _wants_no_modifier(facts):
        return facts, ()
    audio_only = facts.note is not None and facts.note.audio_only

    def modifiers(line: Procedure) -> tuple[str, ...]:
        if line.modifiers:
            return line.modifiers
        return ("93",) if audio_only and line.source is CodeSource.NOTE else ("95",)

    return _each_line(
        facts, modifiers, "The session is telehealth, so the line carries the modifier that says so."
    )


def remote_modifier(facts: ClaimFacts) -> Iterator[Complaint]:
    """A telehealth line says that it was remote."""
    if not _is_telehealth(facts) or _wants_no_modifier(facts):
        return
    for position, line in enumerate(facts.procedures):
        if line.modifiers and not REMOTE.intersection(line.modifiers):
            yield warn(
                procedure_path(position, "modifier"),
                "The session is telehealth, and none of the line's modifiers says so. Most payers want 95 "
                "beside them.",
                who_acts=Actor.PARTNER,
            )


def video_at_office(facts: ClaimFacts) -> Iterator[Complaint]:
    """A line of an office session doesn't say that it was remote."""
    if _is_telehealth(facts):
        return
    for position, line in enumerate(facts.procedures):
        if BY_VIDEO.intersection(line.modifiers):
            yield warn(
                procedure_path(position, "modifier"),
                "The modifier says telehealth, and the place of service says office. Correct one of them.",
                who_acts=Actor.PARTNER,
            )


def sound_only(facts: ClaimFacts) -> Iterator[Complaint]:
    """A session by sound alone is marked as such."""
    if facts.note is None or not facts.note.audio_only or not _is_telehealth(facts):
        return
    for position, line in enumerate(facts.procedures):
        if not BY_SOUND.intersection(line.modifiers):
            yield warn(
                procedure_path(position, "modifier"),
                "The note says that the session was by sound alone, and payers want modifier 93 for that. "
                "Send it with the procedure code.",
                who_acts=Actor.PARTNER,
            )


def follow_payer(facts: ClaimFacts) -> tuple[ClaimFacts, tuple[Complaint, ...]]:
    """Some payers want GT in place of 95, or neither; the session keeps what the partner sees."""
    wanted = facts.profile.telehealth_modifier if facts.profile else None
    if not _is_telehealth(facts) or wanted not in (TelehealthModifier.GT, TelehealthModifier.NONE):
        return facts, ()

    def modifiers(line: Procedure) -> tuple[str, ...]:
        if wanted is TelehealthModifier.NONE:
            return tuple(modifier for modifier in line.modifiers if modifier != "95")
        return tuple(dict.fromkeys("GT" if modifier == "95" else modifier for modifier in line.modifiers))

    words = (
        "GT in place of 95"
        if wanted is TelehealthModifier.GT
        else "no modifier 95, the place of service being enough"
    )
    return _each_line(facts, modifiers, f"This payer wants {words}, and the claim follows.")


def phone_assessment(facts: ClaimFacts) -> Iterator[Complaint]:
    """Phone codes say by themselves that nobody met; only some payers mind."""
    if facts.profile is None or not facts.profile.phone_codes_without_95:
        return
    for position, line in enumerate(facts.procedures):
        remote = "95" in line.modifiers or facts.session.place_of_service_code in TELEHEALTH_PLACES
        if line.code in PHONE and remote:
            yield warn(
                procedure_path(position, "modifier"),
                f"{name_of(line.code)} already says that it was by phone, and this payer wants it without "
                "modifier 95 and without a telehealth place of service.",
                who_acts=Actor.STAFF,
            )


RULES = (
    Rule(
        "MOD-001",
        HOLDS + REPAIRS,
        "Modifiers have two characters, at most four a line, each once",
        well_formed,
        tidy,
    ),
    Rule("MOD-002", REPAIRS, "Telehealth lines without a modifier carry 95", repair=add_telehealth),
    Rule("MOD-003", WARNS, "Telehealth lines with modifiers have one that says so", remote_modifier),
    Rule("MOD-004", WARNS, "Office lines carry no telehealth modifier", video_at_office),
    Rule("MOD-005", WARNS, "Audio-only sessions carry modifier 93", sound_only),
    Rule("MOD-006", REPAIRS, "The telehealth modifier is the one that the payer wants", repair=follow_payer),
    Rule("MOD-007", WARNS, "Phone assessments carry no telehealth modifier or place", phone_assessment),
)
