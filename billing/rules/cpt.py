"""Individual psychotherapy from minutes."""

PSYCHOTHERAPY_MINUTES: tuple[tuple[int, int | None, str], ...] = (
    (16, 37, "90832"),
    (38, 52, "90834"),
    (53, None, "90837"),
)
SHORTEST_PSYCHOTHERAPY = 16


def procedure_for_minutes(minutes: float) -> str | None:
    """The psychotherapy code for a session of so many minutes, or None where none may be billed.

    Minutes count once they have passed: 37.9 is 37. Below 16 there is no code.
    """
    whole = int(minutes)
    for first, last, code in PSYCHOTHERAPY_MINUTES:
        if first <= whole and (last is None or whole <= last):
            return code
    return None
