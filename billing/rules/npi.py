"""The check digit of a National Provider Identifier."""

import re

_FORM = re.compile(r"[12][0-9]{9}")
_PREFIX_80840 = 24
"""What the card issuer prefix 80840 adds to the Luhn sum."""


def npi_is_valid(npi: str) -> bool:
    """Whether the text is ten digits, begins with 1 or 2, and its check digit fits (Luhn, prefix 80840)."""
    if not _FORM.fullmatch(npi):
        return False
    total = _PREFIX_80840
    for place, character in enumerate(npi):
        digit = int(character)
        doubled = digit * 2 if place % 2 == 0 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0
