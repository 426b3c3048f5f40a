"""Update bodies: a submission's fields, each optional; null is still judged by the stored resource."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from partners.api.reading import StrictSerializer


class UpdateSerializer(StrictSerializer):
    """Only what is supplied changes; nothing stands in for the rest."""


def update_of(
    kind: type[StrictSerializer],
    *,
    name: str,
    fixed: Mapping[str, str] = MappingProxyType({}),
) -> type[UpdateSerializer]:
    """The serializer with every field optional, objects within it too, and without those that are fixed."""
    declared: dict[str, Any] = kind._declared_fields
    kept = {field: declared[field] for field in declared if field not in fixed}
    members: dict[str, Any] = {
        field: _optional(original, name=f"{name.removesuffix('Serializer')}{field.capitalize()}Serializer")
        for field, original in kept.items()
    }
    members["fixed"] = fixed
    members["__doc__"] = kind.__doc__
    return type(name, (UpdateSerializer,), members)


def _optional(original: Any, *, name: str) -> Any:
    if isinstance(original, StrictSerializer):
        return update_of(type(original), name=name)(required=False)
    settings = {**original._kwargs, "required": False, "allow_null": original.allow_null}
    return type(original)(*original._args, **settings)
