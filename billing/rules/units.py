"""Rules about codes that count time: the interface says no units, the minutes may."""

from collections.abc import Iterator

from billing.rules.cpt import QUARTER_HOUR
from billing.rules.facts import ClaimFacts, CodeSource, Procedure
from billing.rules.procedures import minutes_for, noted_minutes
from billing.rules.rule import HOLDS, WARNS, Actor, Complaint, Rule, hold, procedure_path, warn
from billing.rules.tables.procedures import QUARTER_HOURS, SECOND_UNIT_FROM, name_of

_FROM_THE_MIDDLE = 7
"""So many minutes short of its end some payers count a quarter hour as passed."""


def counted_time(facts: ClaimFacts) -> Iterator[Complaint]:
    """A code of quarter hours has those that have passed; of further hours it may have more than one."""
    alone = len(facts.procedures) == 1
    for position, procedure in enumerate(facts.procedures):
        path, minutes = procedure_path(position), _minutes(facts, procedure)
        if procedure.code in QUARTER_HOURS and minutes is not None:
            yield from _quarter_hours(procedure, minutes=minutes, alone=alone, path=path)
        elif _may_be_more(procedure, minutes=facts.session.minutes):
            yield _one_unit(procedure, path=path)


def _minutes(facts: ClaimFacts, procedure: Procedure) -> int | None:
    """The most that a code may count: where minutes and note differ the fewer, but for what staff chose."""
    minutes = minutes_for(facts, procedure)
    documented = noted_minutes(facts.note)
    if minutes is None or documented is None or procedure.source is CodeSource.STAFF:
        return minutes
    return min(minutes, documented)


def _may_be_more(procedure: Procedure, *, minutes: int | None) -> bool:
    second_from = 0 if procedure.code in QUARTER_HOURS else SECOND_UNIT_FROM.get(procedure.code)
    if second_from is None or procedure.units != 1 or procedure.source is not CodeSource.SENT:
        return False
    return minutes is None or minutes >= second_from


def _one_unit(procedure: Procedure, *, path: str) -> Complaint:
    return warn(
        path,
        f"{name_of(procedure.code)} goes out with one unit. If the record has more, tell billing staff how "
        "many, and they set the units.",
        who_acts=Actor.PARTNER,
    )


def _quarter_hours(procedure: Procedure, *, minutes: int, alone: bool, path: str) -> Iterator[Complaint]:
    name, units = name_of(procedure.code), procedure.units
    passed, at_most = minutes // QUARTER_HOUR, (minutes + _FROM_THE_MIDDLE) // QUARTER_HOUR
    if procedure.source is CodeSource.STAFF:
        if units > at_most:
            yield hold(
                path,
                f"{name} counts quarter hours, and {minutes} minutes give {at_most or 'none'} of them at "
                f"most. The line has {units}; correct the units or the code.",
                who_acts=Actor.STAFF,
            )
        elif alone and units < passed:
            yield warn(
                path,
                f"{name} goes out with {units} of its quarter hours, and {minutes} minutes give {passed}. "
                "Compare the units with the record.",
                who_acts=Actor.STAFF,
            )
    elif units > passed:
        yield hold(
            path,
            f"{name} counts quarter hours that have passed, and {minutes} minutes give {passed or 'none'} of "
            "them. Send a code that they allow; where this payer counts otherwise, tell billing staff, and "
            "they set the units.",
        )
    elif alone and units < at_most:
        yield warn(
            path,
            f"{name} goes out with {units} of its quarter hours, and payers may count {at_most} in "
            f"{minutes} minutes. Where this one does, tell billing staff, and they set the units.",
            who_acts=Actor.PARTNER,
        )
    elif at_most > 1 and _may_be_more(procedure, minutes=minutes):
        yield _one_unit(procedure, path=path)


RULES = (Rule("CPT-018", HOLDS + WARNS, "Codes that count time have the units of the minutes", counted_time),)
