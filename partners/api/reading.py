"""Strict reading: a serializer against a document, every fault at once, in the order of the fields."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rest_framework import serializers

from partners.api.fields import (
    KEPT_NOT_EMPTY,
    KEPT_NOT_NULL,
    NOT_EMPTY,
    NOT_NULL,
    REQUIRED,
    Entries,
    FieldRefused,
    StrictField,
)
from partners.api.parsing import Repeating
from partners.issues import Issue

REFUSED_FIELDS = {
    "authNumber": "Not accepted: the service neither stores nor uses authorization numbers.",
    "authorizedSessions": "Not accepted: the service neither stores nor uses session authorizations.",
    "subscriber": "Not accepted: there is no separate subscriber; the patient's fields make the claim.",
    "policyHolder": "Not accepted: there is no separate policy holder; the patient's fields make the claim.",
}
NOT_UPDATABLE = "This field can't be updated."
UNKNOWN = "Unknown field."
REPEATED = "This field may be given only once."
_LONGEST_NAME = 80
_MOST_UNKNOWN = 50
_BEHIND = 1_000_000


class StrictSerializer(serializers.Serializer):
    """An object of the interface; `fixed` is what an update may not touch, and what helps in its place."""

    fixed: Mapping[str, str] = MappingProxyType({})


def read(serializer: StrictSerializer, document: object) -> tuple[dict[str, Any], list[Issue]]:
    """The values that could be read, nested as sent and in stored form, and what is wrong with the rest."""
    issues: list[Issue] = []
    if not isinstance(document, dict):
        return {}, [Issue("", "The body must be a JSON object.")]
    return _read_object(serializer, document, "", issues), issues


def in_field_order(issues: list[Issue], serializer: StrictSerializer) -> list[Issue]:
    """The issues as the interface orders its fields; those of the whole request come last."""
    return sorted(issues, key=lambda issue: _place(issue.path, serializer))


def _place(path: str, serializer: StrictSerializer) -> tuple[int, ...]:
    place: list[int] = []
    kind: Any = serializer
    for name in path.split("."):
        if isinstance(kind, Entries):
            kind, position = kind.child, int(name) if name.isdecimal() else _BEHIND
        else:
            names = list(kind.fields) if isinstance(kind, StrictSerializer) else []
            position = names.index(name) if name in names else _BEHIND
            kind = kind.fields[name] if name in names else None
        place.append(position)
    return (_BEHIND + 1,) if not path else tuple(place)


def _read_object(
    serializer: StrictSerializer, document: dict[str, object], prefix: str, issues: list[Issue]
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    fields = serializer.fields
    repeated = document.repeated if isinstance(document, Repeating) else ()
    for name, field in fields.items():
        path = prefix + name
        if name in repeated:
            issues.append(Issue(path, REPEATED))
        elif name in document:
            _read_value(field, document[name], path, name, values, issues)
        elif field.required:
            issues.append(Issue(path, REQUIRED))
    unknown = [name for name in document if name not in fields]
    for name in unknown[:_MOST_UNKNOWN]:
        issues.append(Issue(prefix + (name[:_LONGEST_NAME] or '""'), _why_unknown(serializer, name)))
    if more := len(unknown[_MOST_UNKNOWN:]):
        issues.append(Issue(prefix.rstrip("."), f"{more} more unknown fields."))
    return values


def _read_value(
    field: Any, value: object, path: str, name: str, values: dict[str, Any], issues: list[Issue]
) -> None:
    if value is None:
        _read_nothing(field, path, name, NOT_NULL if field.required else KEPT_NOT_NULL, values, issues)
    elif isinstance(field, Entries):
        values[name] = _read_entries(field, value, path, issues)
    elif isinstance(field, StrictSerializer):
        if isinstance(value, dict):
            values[name] = _read_object(field, value, f"{path}.", issues)
        else:
            issues.append(Issue(path, "Must be an object."))
    else:
        try:
            read_value = field.read(value)
        except FieldRefused as refused:
            issues.append(Issue(path, str(refused)))
            return
        if read_value is None:
            refusal = NOT_EMPTY if field.required else KEPT_NOT_EMPTY
            _read_nothing(field, path, name, refusal, values, issues)
        else:
            values[name] = read_value


def _read_nothing(
    field: Any, path: str, name: str, refusal: str, values: dict[str, Any], issues: list[Issue]
) -> None:
    if not field.allow_null:
        issues.append(Issue(path, refusal))
    elif isinstance(field, Entries):
        values[name] = []
    elif isinstance(field, StrictField):
        values[name] = field.empty_value


def _read_entries(field: Entries, value: object, path: str, issues: list[Issue]) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        issues.append(Issue(path, "Must be an array."))
        return []
    if len(value) > field.most:
        issues.append(Issue(path, f"Must have at most {field.most} entries."))
        return []
    entries: list[dict[str, Any]] = []
    for position, item in enumerate(value):
        if isinstance(item, dict):
            entries.append(_read_object(field.child, item, f"{path}.{position}.", issues))
        else:
            issues.append(Issue(f"{path}.{position}", "Must be an object with a code."))
            entries.append({})
    return entries


def _why_unknown(serializer: StrictSerializer, name: str) -> str:
    if name in serializer.fixed:
        return f"{NOT_UPDATABLE} {serializer.fixed[name]}".rstrip()
    return REFUSED_FIELDS.get(name, UNKNOWN)
