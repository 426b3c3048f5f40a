"""Notes in a file of JSON lines, as commands read them: what is odd is named by its line and its field."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError

from billing.ordinary_file import ordinary

PLACES = ("office", "telehealth")
MOST_MINUTES = 24 * 60
Field = tuple[str, Callable[[Any], bool], str]
"""Its name, with a dot where it stands in an object; whether a value fits; what a value must be."""


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def _are_minutes(value: Any) -> bool:
    return isinstance(value, int | float) and value is not True and 1 <= value <= MOST_MINUTES


FIELDS: tuple[Field, ...] = (
    ("text", is_text, "text"),
    ("place", lambda value: value is None or value in PLACES, "office, telehealth or null"),
    (
        "duration_minutes",
        lambda value: value is None or _are_minutes(value),
        f"a number from 1 to {MOST_MINUTES}, or null",
    ),
)


def read_notes(file: Path, *, more: tuple[Field, ...] = ()) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each note with its line; minutes are whole ones that have passed. CommandError says what is odd."""
    try:
        with ordinary(file).open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, _note(line, number, fields=(*FIELDS, *more))
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error


def _note(line: bytes, number: int, *, fields: tuple[Field, ...]) -> dict[str, Any]:
    try:
        note = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise CommandError(f"Line {number} is not JSON.") from error
    if not isinstance(note, dict) or "text" not in note:
        raise CommandError(f'Line {number} has no "text".')
    for name, fits, words in fields:
        if not fits(_value(note, name)):
            raise CommandError(f'Line {number}: "{name}" must be {words}.')
    if note.get("duration_minutes") is not None:
        note["duration_minutes"] = int(note["duration_minutes"])
    return note


def _value(note: dict[str, Any], name: str) -> Any:
    within, _, last = name.rpartition(".")
    found: Any = note.get(within) if within else note
    return found.get(last) if isinstance(found, dict) else None
