"""Validation, compiled: from a strict serializer, the msgspec type of what it would read unchanged.

The serializer stays the one truth. A body of that type needs no further look; any other goes to the
serializer, which reads it or words every fault.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Annotated, Any

import msgspec
import orjson

from partners.api.fields import Day, Entries
from partners.api.reading import StrictSerializer

Check = tuple[Callable[[Any], Any], Callable[[Any], bool]]


class Compiled:
    """Decodes bodies into objects with one attribute a field, named as in the interface."""

    def __init__(self, serializer: StrictSerializer) -> None:
        self._checks: list[Check] = []
        self._kinds: dict[type[StrictSerializer], Any] = {}
        self._serializer = serializer
        self._decoder = msgspec.json.Decoder(self._kind(serializer, prefix=""))

    def decode(self, body: bytes) -> Any | None:
        """The document, or None where the serializer has to look at it."""
        try:
            document = self._decoder.decode(body)
            if not _names_each_once(body):
                return None
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        return document if all(admits(part(document)) for part, admits in self._checks) else None

    def build(self, values: dict[str, Any]) -> Any:
        """The same kind of object from values that the serializer has read without an issue."""
        return self._build(self._serializer, values)

    def _build(self, serializer: StrictSerializer, values: dict[str, Any]) -> Any:
        parts: dict[str, Any] = {}
        fields: Mapping[str, Any] = serializer.fields
        for name, field in fields.items():
            value = values.get(name)
            if isinstance(field, Entries):
                parts[name] = [self._build(field.child, entry) for entry in value or []]
            elif isinstance(field, StrictSerializer):
                parts[name] = self._build(field, value or {})
            else:
                parts[name] = field.empty_value if value is None else value
        return self._kinds[type(serializer)](**parts)

    def _kind(self, serializer: StrictSerializer, *, prefix: str) -> Any:
        members: list[tuple[str, Any] | tuple[str, Any, Any]] = []
        fields: Mapping[str, Any] = serializer.fields
        for name, field in fields.items():
            kind = self._field_kind(field, path=prefix + name)
            if field.required:
                members.append((name, kind))
            elif isinstance(field, Entries):
                members.append((name, kind, msgspec.field(default_factory=list)))
            elif field.empty_value is not None:
                members.append((name, kind, field.empty_value))
            else:
                members.append((name, kind | None, None))
        made = msgspec.defstruct(
            type(serializer).__name__.removesuffix("Serializer"),
            members,
            forbid_unknown_fields=True,
            kw_only=True,
            gc=False,
        )
        self._kinds[type(serializer)] = made
        return made

    def _field_kind(self, field: Any, *, path: str) -> Any:
        if isinstance(field, StrictSerializer):
            return self._kind(field, prefix=f"{path}.")
        if isinstance(field, Entries):
            entry = self._kind(field.child, prefix=f"{path}.")
            return Annotated[list[entry], msgspec.Meta(max_length=field.most)]  # type: ignore[valid-type]  # made here
        if isinstance(field, Day):
            self._checks.append((attrgetter(path), field.admits))
        return field.exact()


def _names_each_once(body: bytes) -> bool:
    """Whether no object has a name twice: what reading drops takes its quotes with it."""
    if b"\\u0022" in body:  # a quote that would be written otherwise
        return False
    return body.count(b'"') == orjson.dumps(orjson.loads(body)).count(b'"')
