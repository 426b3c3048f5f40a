"""Rules from Medicare's correct coding edits, which most payers apply."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from billing.rules.facts import ClaimFacts, Procedure, Table
from billing.rules.rule import HOLDS, WARNS, Actor, Complaint, Rule, hold, procedure_path, warn
from billing.rules.tables.code_pairs import (
    CRISIS_PAIRS,
    SEPARATE_MODIFIERS,
    SEPARATE_ONLY,
    TIMED_WITH_CRISIS,
)
from billing.rules.tables.procedures import name_of

Pair = tuple[tuple[int, Procedure], tuple[int, Procedure]]


def _pairs(facts: ClaimFacts) -> Iterator[Pair]:
    """Every two lines with different codes, the earlier first."""
    for first, second in combinations(enumerate(facts.procedures), 2):
        if first[1].code != second[1].code:
            yield first, second


def _beside(facts: ClaimFacts) -> Iterator[tuple[int, Procedure, str]]:
    """Every line with each code that other sessions of the day bill."""
    codes = sorted({code for other in facts.others_of_day for code in other.procedure_codes})
    for position, line in enumerate(facts.procedures):
        for code in codes:
            yield position, line, code


def _stated_separate(*lines: Procedure) -> bool:
    return any(SEPARATE_MODIFIERS.intersection(line.modifiers) for line in lines)


def _never_together(facts: ClaimFacts, forbidden: frozenset[frozenset[str]]) -> Iterator[Complaint]:
    for (_, first), (position, second) in _pairs(facts):
        if frozenset({first.code, second.code}) in forbidden:
            yield hold(
                procedure_path(position),
                f"{name_of(second.code)} and {name_of(first.code)} are never paid on one day, whatever the "
                "modifier. Send only the one that took place.",
            )
    for position, line, code in _beside(facts):
        if frozenset({line.code, code}) in forbidden:
            yield hold(
                procedure_path(position),
                f"{name_of(line.code)} and {name_of(code)} are never paid on one day, whatever the "
                f"modifier, and another session of this day bills {name_of(code)}. Send only the one "
                "that took place.",
                about_another=True,
            )


def crisis_with_other_services(facts: ClaimFacts) -> Iterator[Complaint]:
    """Crisis psychotherapy includes the other services of its day."""
    return _never_together(facts, CRISIS_PAIRS)


def crisis_with_psychotherapy(facts: ClaimFacts) -> Iterator[Complaint]:
    """Crisis psychotherapy replaces the individual session."""
    return _never_together(facts, TIMED_WITH_CRISIS)


def separate_sessions(facts: ClaimFacts) -> Iterator[Complaint]:
    """Individual beside family or group therapy is paid when it was a session of its own."""
    for (_, first), (position, second) in _pairs(facts):
        if frozenset({first.code, second.code}) in SEPARATE_ONLY and not _stated_separate(first, second):
            yield warn(
                procedure_path(position),
                f"{name_of(second.code)} and {name_of(first.code)} on one day are paid only as separate "
                "sessions. If they were, send modifier 59 on one of them.",
                who_acts=Actor.PARTNER,
            )
    for position, line, code in _beside(facts):
        if frozenset({line.code, code}) in SEPARATE_ONLY and not _stated_separate(line):
            yield warn(
                procedure_path(position),
                f"{name_of(line.code)} and {name_of(code)}, which another session of this day bills, are "
                "paid only as separate sessions. If they were, send modifier 59 on one of them.",
                who_acts=Actor.PARTNER,
            )


def quarterly_edits(facts: ClaimFacts) -> Iterator[Complaint]:
    """The loaded NCCI table allows these codes together, and this many units."""
    edits = facts.ncci
    if edits is None:
        return
    indicators = {
        frozenset({pair.column_one, pair.column_two}): pair.modifier_indicator for pair in edits.pairs
    }
    yield from _unlike_other_sessions(facts, indicators)
    for (_, first), (position, second) in _pairs(facts):
        indicator = indicators.get(frozenset({first.code, second.code}))
        names = f"{name_of(second.code)} and {name_of(first.code)}"
        if indicator == "0":
            yield hold(
                procedure_path(position),
                f"This quarter's coding edits never pay {names} on one day. Send only the one that took "
                "place.",
            )
        elif indicator == "1" and not _stated_separate(first, second):
            yield warn(
                procedure_path(position),
                f"This quarter's coding edits pay {names} on one day only as separate sessions. If they "
                "were, send modifier 59 on one of them.",
                who_acts=Actor.PARTNER,
            )
    for position, procedure in enumerate(facts.procedures):
        most = edits.most_units.get(procedure.code)
        if most is not None and procedure.units > most:
            yield warn(
                procedure_path(position),
                f"This quarter's coding edits pay {name_of(procedure.code)} {most} times a day at most, and "
                f"the line has {procedure.units} units.",
                who_acts=Actor.STAFF,
            )


def _unlike_other_sessions(
    facts: ClaimFacts, indicators: Mapping[frozenset[str], str]
) -> Iterator[Complaint]:
    for position, line, code in _beside(facts):
        indicator = indicators.get(frozenset({line.code, code}))
        names = f"{name_of(line.code)} and {name_of(code)}, which another session of this day bills"
        if indicator == "0":
            yield hold(
                procedure_path(position),
                f"This quarter's coding edits never pay {names}. Send only the one that took place.",
                about_another=True,
            )
        elif indicator == "1" and not _stated_separate(line):
            yield warn(
                procedure_path(position),
                f"This quarter's coding edits pay {names}, only as separate sessions. If they were, send "
                "modifier 59 on one of them.",
                who_acts=Actor.PARTNER,
            )


RULES = (
    Rule(
        "NCCI-001",
        HOLDS,
        "Crisis psychotherapy stands without services that it includes",
        crisis_with_other_services,
    ),
    Rule(
        "NCCI-002",
        HOLDS,
        "Crisis and individual psychotherapy are on different days",
        crisis_with_psychotherapy,
    ),
    Rule(
        "NCCI-003",
        WARNS,
        "Individual, family and group therapy of one day are stated as separate",
        separate_sessions,
    ),
    Rule(
        "NCCI-004",
        HOLDS + WARNS,
        "The quarterly coding edits allow the codes and units",
        quarterly_edits,
        needs=Table.NCCI,
    ),
)
