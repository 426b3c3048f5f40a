"""Rules about codes that count time: the interface says no units, the minutes may."""

from collections.abc import Iterator

from billing.rules.cpt import QUARTER_HOUR
from billing.rules.facts import ClaimFacts, CodeSource, Procedure
from billing.rules.procedures import minutes_of, noted_minutes
from billing.rules.rule import HOLDS, WARNS, Actor, Complaint, Rule, hold, procedure_path, warn
from billing.rules.tables.procedures import QUARTER_HOURS, SECOND_UNIT_FROM, name_of

_FROM_THE_MIDDLE = 7
"""So many minutes short of its end some payers count a quarter hour as passed."""


def counted_time(facts: ClaimFacts) -> Iterator[Complaint]:
    """A code of quarter hours has those that have passed; of further hours it may have more than one."""
    for position, procedure in enumerate(facts.procedures):
        path = procedure_path(position)
        if procedure.code in QUARTER_HOURS:
            yield from _quarter_hours(facts, procedure, path=path)
        elif _may_be_more(procedure, minutes=facts.session.minutes):
            yield warn(
                path,
                f"{name_of(procedure.code)} goes out with one unit. If the record has more, tell billing "
                "staff how many, and they set the units.",
                who_acts=Actor.PARTNER,
            )


def _may_be_more(procedure: Procedure, *, minutes: int | None) -> bool:
    second_from = SECOND_UNIT_FROM.get(procedure.code)
    if second_from is None or procedure.units != 1 or procedure.source is not CodeSource.SENT:
        return False
    return minutes is None or minutes >= second_from


def _quarter_hours(facts: ClaimFacts, procedure: Procedure, *, path: str) -> Iterator[Complaint]:
    name, units = name_of(procedure.code), procedure.units
    by_staff = procedure.source is CodeSource.STAFF
    minutes = minutes_of(facts) if by_staff else facts.session.minutes
    if len(facts.procedures) > 1 and not by_staff:
        yield hold(
            path,
            f"{name} counts quarter hours, and shares the session's time with other codes. Tell billing "
            "staff how many were its own, and they set the units.",
        )
    elif minutes is not None:
        documented = noted_minutes(facts)
        counting = minutes if documented is None else min(minutes, documented)
        passed, at_most = counting // QUARTER_HOUR, (counting + _FROM_THE_MIDDLE) // QUARTER_HOUR
        most, usual = (at_most, passed) if by_staff else (passed, at_most)
        if units > most:
            yield hold(
                path,
                f"{name} counts quarter hours that have passed, and {counting} minutes give {most or 'none'} "
                "of them. Send a code that they allow; where this payer counts otherwise, billing staff set "
                "the units.",
            )
        elif units < usual:
            yield warn(
                path,
                f"{name} goes out with {units} of its quarter hours, and payers may count {usual} in "
                f"{counting} minutes. Where this one does, tell billing staff, and they set the units.",
                who_acts=Actor.PARTNER,
            )
    elif units == 1 and not by_staff:
        yield hold(
            path,
            f"{name} counts quarter hours, and the session has no minutes. Tell billing staff how many there "
            "were, and they set the units; a session that is sent with durationMinutes has them by itself.",
        )


RULES = (Rule("CPT-018", HOLDS + WARNS, "Codes that count time have the units of the minutes", counted_time),)
