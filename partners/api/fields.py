"""Fields of the partner interface: DRF fields that read strictly.

Each field knows three things: how a value is read (`read`: the stored form, or FieldRefused with the words
for the caller), how the OpenAPI description shows it (`describe`), and the msgspec type of the values that it
would read unchanged (`exact`), for the fast path.
"""

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta, timezone
from typing import Annotated, Any, Literal

import msgspec
from rest_framework import serializers

REQUIRED = "This field is required."
NOT_NULL = "This field is required; it can't be null."
NOT_EMPTY = "This field is required; it can't be empty."
KEPT_NOT_NULL = "This can't be null; leave it out to keep what is stored."
KEPT_NOT_EMPTY = "This can't be empty; leave it out to keep what is stored."
NOT_TEXT = "Must be a string."
_CONTROLS = re.compile(r"[\x00-\x1f\ud800-\udfff]")
_CONTROLS_IN_LINES = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff]")
_EXACT_LINE = r"\A[^\s\x00-\x1f](?:[^\x00-\x1f]*[^\s\x00-\x1f])?\Z"
_EXACT_LINES = r"\A[^\s\x00-\x1f](?:[^\x00-\x08\x0b\x0d-\x1f]*[^\s\x00-\x1f])?\Z"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGITS = re.compile(r"[0-9]{1,9}")
_GUAM = timezone(timedelta(hours=10))
"""Pacific/Guam knows no summer time, so the fixed offset needs no time zone database."""


class FieldRefused(Exception):
    """The value can't be read; the text says what would be right."""


def last_day_begun() -> date:
    """Today in the US time zone where a day begins first: no session was held later than that."""
    return datetime.now(_GUAM).date()


def _line(value: object) -> str:
    if not isinstance(value, str):
        raise FieldRefused(NOT_TEXT)
    if _CONTROLS.search(value):
        raise FieldRefused("Must not contain control characters or lone surrogates.")
    return value


class StrictField:
    """What the reader asks of a leaf field."""

    empty_value: Any = None

    def read(self, value: Any) -> Any:
        """The stored form; None when nothing is left of it."""
        raise NotImplementedError

    def exact(self) -> Any:
        """The msgspec type of what `read` returns unchanged."""
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        """The JSON schema of what may be sent, null aside."""
        raise NotImplementedError


def _needs(optional: bool, settings: dict[str, Any]) -> dict[str, Any]:
    return {"required": not optional, "allow_null": optional, **settings}


class Text(StrictField, serializers.CharField):
    """Free text, trimmed; `lines` admits line breaks and tabs, and stores CRLF and CR as a newline."""

    def __init__(self, max_length: int, *, optional: bool = False, lines: bool = False, **settings: Any):
        super().__init__(max_length=max_length, **_needs(optional, settings))
        self.longest, self.lines = max_length, lines

    def read(self, value: Any) -> str | None:
        if not self.lines:
            text = _line(value).strip()
        elif not isinstance(value, str):
            raise FieldRefused(NOT_TEXT)
        elif _CONTROLS_IN_LINES.search(value):
            raise FieldRefused(
                "Must not contain control characters or lone surrogates (line breaks and tabs are fine)."
            )
        else:
            text = value.replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(text) > self.longest:
            raise FieldRefused(f"Must be at most {self.longest:,} characters.")
        return text or None

    def describe(self) -> dict[str, Any]:
        allowed = r"^[^\x00-\x08\x0b\x0e-\x1f]*$" if self.lines else r"^[^\x00-\x1f]*$"
        shortest = {} if self.allow_null else {"minLength": self.min_length or 1}
        return {"type": "string", **shortest, "maxLength": self.longest, "pattern": allowed}

    def exact(self) -> Any:
        pattern = _EXACT_LINES if self.lines else _EXACT_LINE
        return Annotated[str, msgspec.Meta(pattern=pattern, max_length=self.longest)]


class Coded(StrictField, serializers.CharField):
    """A coded value, matched as sent; `store` is its stored form, and `stored` the pattern of that."""

    def __init__(
        self,
        pattern: str,
        wanted: str,
        *,
        optional: bool = False,
        store: Callable[[str], str] | None = None,
        stored: str | None = None,
        **settings: Any,
    ):
        super().__init__(**_needs(optional, settings))
        self.pattern, self.form, self.wanted, self.store = pattern, re.compile(pattern), wanted, store
        self.stored = pattern if store is None else stored

    def read(self, value: Any) -> str | None:
        if not isinstance(value, str):
            raise FieldRefused(NOT_TEXT)
        if not value:
            return None
        if not self.form.fullmatch(value):
            raise FieldRefused(self.wanted)
        return self.store(value) if self.store else value

    def describe(self) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^(?:{self.pattern}){'?' if self.allow_null else ''}$"}

    def exact(self) -> Any:
        return Annotated[str, msgspec.Meta(pattern=rf"\A(?:{self.stored})\Z")]


class Choice(StrictField, serializers.ChoiceField):
    """One of a few words, matched as sent; `instead` stands where none is given."""

    def __init__(
        self, choices: Iterable[str], *, optional: bool = False, instead: str | None = None, **settings: Any
    ):
        super().__init__(choices=list(choices), **_needs(optional, settings))
        self.empty_value = instead

    def read(self, value: Any) -> str | None:
        if not isinstance(value, str):
            raise FieldRefused(NOT_TEXT)
        if not value:
            return None
        if value not in self.choices:
            raise FieldRefused(f"Must be one of {', '.join(self.choices)}.")
        return value

    def describe(self) -> dict[str, Any]:
        described: dict[str, Any] = {"type": "string", "enum": list(self.choices)}
        if self.allow_null:
            described = {"anyOf": [{"type": "string", "enum": [*self.choices, ""]}]}
        if self.empty_value is not None:
            described["default"] = self.empty_value
        return described

    def exact(self) -> Any:
        return Literal[tuple(self.choices)]


class Day(StrictField, serializers.DateField):
    """A calendar day, strictly `YYYY-MM-DD`; `earliest` bounds it below, `past` at today."""

    def __init__(
        self, *, earliest: date = date.min, past: bool = False, optional: bool = False, **settings: Any
    ):
        super().__init__(**_needs(optional, settings))
        self.earliest, self.past = earliest, past

    def read(self, value: Any) -> date | None:
        if not isinstance(value, str):
            raise FieldRefused("Must be a date, YYYY-MM-DD.")
        if not value:
            return None
        if not _DATE.fullmatch(value):
            raise FieldRefused("Must be a date, YYYY-MM-DD.")
        try:
            day = date.fromisoformat(value)
        except ValueError:
            raise FieldRefused("There is no such day in the calendar; send YYYY-MM-DD.") from None
        if day < self.earliest:
            raise FieldRefused(f"Must not be before {self.earliest:%Y-%m-%d}.")
        if self.past and day > last_day_begun():
            raise FieldRefused("Must not be in the future: a session is sent once it is complete.")
        return day

    def admits(self, day: date) -> bool:
        """Whether the day lies within the bounds."""
        return self.earliest <= day and not (self.past and day > last_day_begun())

    def describe(self) -> dict[str, Any]:
        return {"type": "string", "format": "date"}

    def exact(self) -> Any:
        return date


class Minutes(StrictField, serializers.FloatField):
    """A JSON number of minutes, above 0 and at most a day's; read as whole completed minutes."""

    longest = 1440

    def __init__(self, **settings: Any):
        super().__init__(**_needs(True, settings))

    def read(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise FieldRefused("Must be a number of minutes, such as 50.")
        if not 0 < value <= self.longest:
            raise FieldRefused(f"Must be above 0 and at most {self.longest} minutes.")
        return int(value)

    def describe(self) -> dict[str, Any]:
        return {"type": "number", "exclusiveMinimum": 0, "maximum": self.longest}

    def exact(self) -> Any:
        return Annotated[int, msgspec.Meta(ge=1, le=self.longest)]


class WholeNumber(StrictField, serializers.IntegerField):
    """A whole number in a query parameter; `instead` stands where none is given."""

    def __init__(self, lowest: int, highest: int, *, instead: int, **settings: Any):
        super().__init__(**{"required": False, **settings})
        self.lowest, self.highest, self.instead = lowest, highest, instead

    def read(self, value: Any) -> int:
        if not isinstance(value, str) or not _DIGITS.fullmatch(value):
            raise FieldRefused(f"Must be a whole number from {self.lowest} to {self.highest}.")
        number = int(value)
        if not self.lowest <= number <= self.highest:
            raise FieldRefused(f"Must be from {self.lowest} to {self.highest}.")
        return number

    def describe(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.lowest, "maximum": self.highest, "default": self.instead}

    def exact(self) -> Any:
        return Annotated[int, msgspec.Meta(ge=self.lowest, le=self.highest)]


class Entries(serializers.ListField):
    """A list of objects of one kind, never with null in it."""

    child: Any

    def __init__(self, kind: type[serializers.Serializer], most: int, **settings: Any):
        super().__init__(child=kind(), max_length=most, **_needs(True, settings))
        self.most = most
