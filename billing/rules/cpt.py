"""Individual psychotherapy from minutes, and the units of codes that count time."""

from collections.abc import Mapping, Sequence

from billing.rules.tables.procedures import QUARTER_HOURS

PSYCHOTHERAPY_MINUTES: tuple[tuple[int, int | None, str], ...] = (
    (16, 37, "90832"),
    (38, 52, "90834"),
    (53, None, "90837"),
)
SHORTEST_PSYCHOTHERAPY = 16
QUARTER_HOUR, HALF_HOUR = 15, 30
CRISIS_NEXT = 75


def procedure_for_minutes(minutes: float) -> str | None:
    """The psychotherapy code for a session of so many minutes, or None where none may be billed.

    Minutes count once they have passed: 37.9 is 37. Below 16 there is no code.
    """
    whole = int(minutes)
    for first, last, code in PSYCHOTHERAPY_MINUTES:
        if first <= whole and (last is None or whole <= last):
            return code
    return None


def further_half_hours(minutes: int) -> int:
    """How many half hours of a crisis follow its first hour: one from 75 minutes, two from 105."""
    return (minutes - CRISIS_NEXT) // HALF_HOUR + 1 if minutes >= CRISIS_NEXT else 0


def units_for_minutes(codes: Sequence[str], minutes: int) -> Mapping[str, int]:
    """The units, by code, of what counts the session's time; of none where several codes share that.

    A quarter hour counts once it has passed.
    """
    if len(codes) == 1 and codes[0] in QUARTER_HOURS:
        return {codes[0]: minutes // QUARTER_HOUR}
    if sorted(codes) == ["90839", "90840"]:
        return {"90840": further_half_hours(minutes)}
    return {}
