"""Rules about each procedure code: does it exist, does it fit the minutes, how many units."""

import re
from collections.abc import Iterator

from billing.rules.cpt import CRISIS_NEXT, SHORTEST_PSYCHOTHERAPY, further_half_hours
from billing.rules.facts import (
    ClaimFacts,
    CodeSource,
    DiscrepancySeverity,
    Note,
    NoteOutcome,
    PayerProfile,
    Procedure,
)
from billing.rules.rule import HOLDS, WARNS, Actor, Complaint, Rule, hold, procedure_path, warn
from billing.rules.tables.note_words import DURATION, TIME_MISMATCH
from billing.rules.tables.procedures import (
    CRISIS,
    FAMILY,
    GROUP,
    INDIVIDUAL,
    MINUTES,
    PHONE,
    PSYCHOTHERAPY,
    TIMED,
    has_form,
    in_code_set,
    in_force,
    name_of,
)

_CODES = "session.procedureCodes"
_MINUTES_OPEN = "time_conflict"
"""The coder's reason where the note itself gives two lengths, and no minutes were sent."""
_WHOLE = re.compile(r"[0-9]{1,4}")
_CRISIS_FIRST = 30
_FAMILY_SHORTEST = 26
_AT_LEAST_SHORTEST = PSYCHOTHERAPY - CRISIS - FAMILY
"""Crisis and family therapy need more minutes, by rules of their own."""
_LONG_SESSIONS = 0.75
"""Ours: above this share of 90837 a payer's audit is likely."""
_MANY_CODES = 3
_UNITS_96127 = 4


def _or_other_minutes(helps: str) -> str:
    """What helps, also where the minutes are wrong, which nobody can correct."""
    return f"{helps}; if the minutes are wrong, tell billing staff, who let it go on."


def _minutes(facts: ClaimFacts) -> int | None:
    if facts.session.minutes is not None:
        return facts.session.minutes
    return facts.note.minutes if facts.note else None


def minutes_for(facts: ClaimFacts, procedure: Procedure) -> int | None:
    """The most that a code may claim; what staff chose between two lengths may claim the longer one."""
    minutes = _minutes(facts)
    if not _chosen_between_lengths(facts, procedure):
        return minutes
    noted = noted_minutes(facts.note)
    return None if minutes is None or noted is None else max(minutes, noted)


def _chosen_between_lengths(facts: ClaimFacts, procedure: Procedure) -> bool:
    note = facts.note
    if procedure.source is not CodeSource.STAFF or note is None:
        return False
    return _MINUTES_OPEN in note.reasons or noted_minutes(facts.note) is not None


def noted_minutes(note: Note | None) -> int | None:
    """The minutes of the note where they differ from those that were sent."""
    found = (each.found for each in note.discrepancies if each.kind == DURATION) if note else ()
    return next((int(minutes) for minutes in found if minutes and _WHOLE.fullmatch(minutes)), None)


def _too_short(minutes: int | None) -> bool:
    return minutes is not None and minutes < SHORTEST_PSYCHOTHERAPY


def _note_says_too_short(facts: ClaimFacts) -> bool:
    return facts.note is not None and "under_16" in facts.note.reasons


def exists(facts: ClaimFacts) -> Iterator[Complaint]:
    """A procedure code is in the code set on the date of service."""
    note = facts.note
    note_is_open = note is not None and note.outcome is not NoteOutcome.CODED and not note.confirmed_by_staff
    if not facts.procedures and not note_is_open and not _too_short(_minutes(facts)):
        yield hold(_CODES, "The session has no procedure code. Send procedureCodes, like 90834.")
    for position, procedure in enumerate(facts.procedures):
        path, code = procedure_path(position), procedure.code
        if not has_form(code) or not in_code_set(code):
            yield hold(
                path,
                f"No procedure has the code {code}. Send a CPT or HCPCS code of five characters, like 90834.",
            )
        elif not in_force(code, on=facts.session.date_of_service):
            yield hold(
                path,
                f"The procedure code {code} is not in use on the date of service. Send the one that was.",
            )


def agrees_with_minutes(facts: ClaimFacts) -> Iterator[Complaint]:
    """A timed code claims no more minutes than the session had; those with a visit share them with it."""
    for position, procedure in enumerate(facts.procedures):
        path, minutes = procedure_path(position), minutes_for(facts, procedure)
        if minutes is not None and minutes >= SHORTEST_PSYCHOTHERAPY and procedure.code in MINUTES:
            first, last = MINUTES[procedure.code]
            if minutes < first:
                yield hold(
                    path,
                    f"{name_of(procedure.code)} needs at least {first} minutes, and the session had "
                    f"{minutes}. {_or_other_minutes('Send the code of its minutes')}",
                )
                continue
            if last is not None and minutes > last and procedure.code in INDIVIDUAL:
                yield warn(
                    path,
                    f"{name_of(procedure.code)} ends at {last} minutes, and the session had {minutes}. It is "
                    "sent as is; a longer code could be billed.",
                    who_acts=Actor.PARTNER,
                )
        if _note_documents_less(facts, procedure.code) and not _chosen_between_lengths(facts, procedure):
            yield hold(
                path,
                f"{name_of(procedure.code)} claims more time than the note documents. Send the code of the "
                "documented minutes.",
            )


def _note_documents_less(facts: ClaimFacts, code: str) -> bool:
    return facts.note is not None and any(
        discrepancy.kind == TIME_MISMATCH
        and discrepancy.severity is DiscrepancySeverity.BLOCK
        and (discrepancy.supplied == code or (discrepancy.supplied is None and code in MINUTES))
        for discrepancy in facts.note.discrepancies
    )


def long_enough(facts: ClaimFacts) -> Iterator[Complaint]:
    """Under 16 minutes nothing is psychotherapy."""
    if not facts.procedures and (_too_short(_minutes(facts)) or _note_says_too_short(facts)):
        yield hold(
            _CODES,
            f"Under {SHORTEST_PSYCHOTHERAPY} minutes nothing can be billed as psychotherapy. If another "
            "service took place, send its procedureCodes and the session goes on.",
        )
    for position, procedure in enumerate(facts.procedures):
        if procedure.code in _AT_LEAST_SHORTEST and _too_short(minutes_for(facts, procedure)):
            yield hold(
                procedure_path(position),
                f"Under {SHORTEST_PSYCHOTHERAPY} minutes nothing can be billed as psychotherapy, so "
                f"{name_of(procedure.code)} doesn't fit. "
                f"{_or_other_minutes('Send procedureCodes of the service that took place')}",
            )


def one_unit(facts: ClaimFacts) -> Iterator[Complaint]:
    """A psychotherapy code stands for the whole session."""
    for position, procedure in enumerate(facts.procedures):
        if procedure.code in TIMED and procedure.units != 1:
            yield hold(
                procedure_path(position),
                f"{name_of(procedure.code)} stands for the whole session, so it has one unit. Set the line "
                "to one.",
                who_acts=Actor.STAFF,
            )


def crisis_time(facts: ClaimFacts) -> Iterator[Complaint]:
    """Crisis psychotherapy starts at 30 minutes, its half hours at 75."""
    codes = [procedure.code for procedure in facts.procedures]
    half_hours = 0
    for position, procedure in enumerate(facts.procedures):
        path, minutes = procedure_path(position), minutes_for(facts, procedure)
        if procedure.code == "90839":
            if minutes is not None and minutes < _CRISIS_FIRST:
                yield hold(
                    path,
                    f"{name_of('90839')} needs at least {_CRISIS_FIRST} minutes, and the session had "
                    f"{minutes}. {_or_other_minutes('Send the code of its minutes')}",
                )
            elif minutes is not None and further_half_hours(minutes) and "90840" not in codes:
                yield warn(
                    path,
                    f"{name_of('90839')} ends at {CRISIS_NEXT - 1} minutes, and the session had {minutes}. "
                    f"It is sent as is; {name_of('90840')} could be billed beside it.",
                    who_acts=Actor.PARTNER,
                )
            if procedure.units != 1 or codes.index("90839") != position:
                yield hold(path, f"{name_of('90839')} stands once a day. Send one line with one unit.")
        elif procedure.code == "90840":
            half_hours += procedure.units
            yield from _crisis_half_hours(path, codes=codes, minutes=minutes, units=half_hours)


def _crisis_half_hours(
    path: str, *, codes: list[str], minutes: int | None, units: int
) -> Iterator[Complaint]:
    if "90839" not in codes:
        yield hold(path, f"{name_of('90840')} only follows {name_of('90839')}. Send both, or neither.")
    if minutes is None:
        return
    payable = further_half_hours(minutes)
    if units > payable:
        allows = f"{payable} of them" if payable else "none of them"
        yield hold(
            path,
            f"{name_of('90840')} counts half hours from minute {CRISIS_NEXT} on, and {minutes} minutes give "
            f"{allows}. Send as many as the minutes give.",
        )


def family_time(facts: ClaimFacts) -> Iterator[Complaint]:
    """Family therapy needs 26 minutes."""
    for position, procedure in enumerate(facts.procedures):
        minutes = minutes_for(facts, procedure)
        if procedure.code in FAMILY and minutes is not None and minutes < _FAMILY_SHORTEST:
            yield hold(
                procedure_path(position),
                f"{name_of(procedure.code)} needs at least {_FAMILY_SHORTEST} minutes, and the session had "
                f"{minutes}. {_or_other_minutes('Send the code of the service that its minutes allow')}",
            )


def share_of_long_sessions(facts: ClaimFacts) -> Iterator[Complaint]:
    """Payers audit therapists who nearly always bill the longest code."""
    share = facts.provider.share_of_90837
    if share is None or share <= _LONG_SESSIONS:
        return
    for position, procedure in enumerate(facts.procedures):
        if procedure.code == "90837":
            yield warn(
                procedure_path(position),
                f"{share:.0%} of this therapist's individual sessions are billed as {name_of('90837')}, more "
                "than most have. Payers audit that; notes with start and end times answer it.",
            )


def group_units(facts: ClaimFacts) -> Iterator[Complaint]:
    """A group session is one unit a patient, with a note about that patient."""
    codes = [procedure.code for procedure in facts.procedures]
    for position, procedure in enumerate(facts.procedures):
        repeated = codes.index(procedure.code) != position
        if procedure.code in GROUP and (procedure.units != 1 or repeated):
            yield warn(
                procedure_path(position),
                f"{name_of(procedure.code)} is one unit a patient and session, with a group note that names "
                "this patient's part. Compare the units with the record.",
                who_acts=Actor.PARTNER,
            )


def rarely_paid(facts: ClaimFacts) -> Iterator[Complaint]:
    """Some codes are paid by few payers, or only so many times, unless a payer's profile says otherwise."""
    profile = facts.profile or PayerProfile()
    most = profile.most_units_96127 or _UNITS_96127
    for position, procedure in enumerate(facts.procedures):
        path, name = procedure_path(position), name_of(procedure.code)
        if procedure.code == "90887" and not profile.pays_90887:
            yield warn(path, f"{name} is usually counted as part of the session and not paid by itself.")
        elif procedure.code in PHONE and not profile.pays_phone_assessment:
            yield warn(path, f"{name} is paid by few payers. Ask this one before counting on it.")
        elif procedure.code == "96127" and procedure.units > most:
            yield warn(
                path,
                f"{name} is usually paid {most} times a day at most, and the line has {procedure.units}.",
            )


def many_codes(facts: ClaimFacts) -> Iterator[Complaint]:
    """Several services on one day often need an authorization."""
    if len(facts.procedures) >= _MANY_CODES:
        yield warn(
            _CODES,
            f"The claim has {len(facts.procedures)} procedure codes. Payers often ask for an authorization "
            "then, and this service sends none.",
        )


RULES = (
    Rule("CPT-001", HOLDS, "Every procedure code is in use on the date of service", exists),
    Rule("CPT-002", HOLDS + WARNS, "Timed psychotherapy codes fit the minutes", agrees_with_minutes),
    Rule("CPT-003", HOLDS, "Psychotherapy has at least 16 minutes", long_enough),
    Rule("CPT-004", HOLDS, "Psychotherapy codes have one unit", one_unit),
    Rule("CPT-007", HOLDS + WARNS, "Crisis psychotherapy fits the minutes", crisis_time),
    Rule("CPT-008", HOLDS, "Family therapy has at least 26 minutes", family_time),
    Rule(
        "CPT-012",
        WARNS,
        "The therapist doesn't bill nearly every session as the longest",
        share_of_long_sessions,
    ),
    Rule("CPT-015", WARNS, "Group therapy has one unit a patient and session", group_units),
    Rule("CPT-016", WARNS, "No code is one that few payers pay", rarely_paid),
    Rule("CPT-017", WARNS, "The claim has fewer than three procedure codes", many_codes),
)
