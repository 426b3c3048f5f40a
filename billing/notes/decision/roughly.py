"""A length that is told as about an hour: between 50 and 60 minutes lies another code."""

from billing.notes.later import later
from billing.notes.length.duration import SessionLength

_HOUR = 60
_BEFORE, _BEHIND = 24, 20
_ABOUT = later(
    r"(?:\b(?:about|roughly|around|approximately|approx\.?|some|maybe|close to|something like)|~)[ ]?\Z"
)
_OR_SO = later(r",? (?:or so|more or less|give or take|or thereabouts|approximately|roughly)\b")
_EXACT = later(r"(?<![\d.:/])60[ -]?(?:min|')|\b(?:sixty|53|fifty-three)[ -]min|\b90837\b")


def is_about_an_hour(plain: str, length: SessionLength | None) -> bool:
    """Whether an hour is told as a guess, and nothing else in the note says how long it was."""
    if length is None or length.minutes != _HOUR or not _is_in_words(plain[length.start : length.end]):
        return False
    start, end = length.start, length.end
    about = _ABOUT.search(plain, max(0, start - _BEFORE), start) or _OR_SO.match(plain, end, end + _BEHIND)
    return about is not None and _EXACT.search(plain) is None


def _is_in_words(told: str) -> bool:
    return "hour" in told or told.endswith("hr")
