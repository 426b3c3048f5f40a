"""The OpenAPI description: how strict fields, keys, refusals and headers appear in it."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from partners.api.errors import BUSY, FAULT
from partners.api.fields import Choice
from partners.api.idempotency import OTHER_BODY
from partners.api.parsing import NOT_JSON, WITHOUT_LENGTH
from partners.api.rendering import answer
from partners.api.updates import UpdateSerializer
from partners.auth import IsPartner


class ErrorSerializer(serializers.Serializer):
    """The general error body."""

    error = serializers.CharField(help_text="What is wrong, in words.")


class IssueSerializer(serializers.Serializer):
    """One fault."""

    path = serializers.CharField(
        allow_blank=True, help_text="Dotted field path; empty for the whole request."
    )
    message = serializers.CharField(help_text="What would be right.")


class ValidationErrorSerializer(serializers.Serializer):
    """The validation error body: every fault at once."""

    error = Choice(["Validation failed"])
    issues = IssueSerializer(many=True)


class Refused(NamedTuple):
    """One way in which an operation refuses."""

    when: str
    example: Mapping[str, Any]
    shape: type[serializers.Serializer] = ErrorSerializer


def refused(when: str, error: str) -> Refused:
    """A refusal with the general body."""
    return Refused(when, {"error": error})


def invalid(when: str, path: str, message: str) -> Refused:
    """A refusal with the validation body."""
    example = {"error": "Validation failed", "issues": [{"path": path, "message": message}]}
    return Refused(when, example, ValidationErrorSerializer)


_ALWAYS = {
    401: refused("Invalid or missing API key.", "Invalid or missing API key. Send the header …"),
    405: refused("The method has no operation at this address.", "Method PUT is not allowed here; use GET."),
    429: refused(
        "Too many requests in this minute, or too many with unknown keys.",
        "More than 6,000 requests in a minute; …",
    ),
    500: refused("A fault on our side.", FAULT),
    503: refused("Busy, or restarting.", BUSY),
}
_WRITING = {403: refused("The API key may only read.", IsPartner.message)}
_WITH_BODY = {
    411: refused("A body without a length.", WITHOUT_LENGTH),
    413: refused("A body of more than 2 MiB.", "The body may have at most 2,097,152 bytes."),
    415: refused("A body that is not JSON in UTF-8.", NOT_JSON),
}
_ONCE = {422: refused("The Idempotency-Key was used with another body.", OTHER_BODY)}
_HEADERS = {
    "X-Request-Id": ("string", "The caller's, if well-formed, or a new one; quote it when you ask us."),
    "RateLimit-Limit": ("integer", "Requests a minute; 0 means no limit."),
    "RateLimit-Remaining": ("integer", "Requests left in this minute."),
    "RateLimit-Reset": ("integer", "Seconds until the minute is over."),
}
_OTHER_HEADERS = {
    "401": {"WWW-Authenticate": ("string", "`Bearer`.")},
    "405": {"Allow": ("string", "The methods that there are.")},
    "429": {"Retry-After": ("integer", "Seconds to wait.")},
    "503": {"Retry-After": ("integer", "Seconds to wait.")},
}
_REQUEST_ID = OpenApiParameter(
    "X-Request-Id",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Optional, 1 to 64 letters, digits, dots, dashes or underscores; the answer carries it too.",
)
_IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description=(
        "Optional. For 24 hours the same key with the same body, byte for byte, gets the first 2xx answer "
        "again; with another body 422. While the first request runs the second waits up to 10 seconds, then "
        "gets 503."
    ),
)


def operation(
    name: str,
    *,
    summary: str,
    description: str,
    tag: str,
    success: Mapping[int, tuple[type[serializers.Serializer], str, Mapping[str, Any]]],
    refusals: Mapping[int, Refused],
    body: type[serializers.Serializer] | None = None,
    body_example: Mapping[str, Any] | None = None,
    parameters: Iterable[Any] = (),
    once: bool = False,
) -> Callable[[Any], Any]:
    """Describe an operation: what it takes, and every answer it has, each with a shape and an example."""
    one: Any = forced_singular_serializer
    writing = {**_WRITING, **_WITH_BODY} if body else {}
    all_refusals = {**_ALWAYS, **writing, **(_ONCE if once else {}), **refusals}
    responses = {
        status: OpenApiResponse(one(shape), words, [OpenApiExample(words, example)])
        for status, (shape, words, example) in success.items()
    } | {
        status: OpenApiResponse(one(each.shape), each.when, [OpenApiExample(each.when, each.example)])
        for status, each in all_refusals.items()
    }
    return extend_schema(
        operation_id=name,
        summary=summary,
        description=description,
        tags=[tag],
        request=body,
        responses=dict(sorted(responses.items())),
        parameters=[*parameters, _REQUEST_ID, *([_IDEMPOTENCY_KEY] if once else [])],
        examples=[OpenApiExample(summary, body_example, request_only=True)] if body_example else None,
    )


_MAKING = Lock()


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # (untyped library)
    """The bearer key."""

    target_class = "partners.auth.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "bk_live_… or bk_test_…"}


class StrictFieldDescription(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # (same)
    """Strict fields describe themselves."""

    target_class = "partners.api.fields.StrictField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        described: dict[str, Any] = self.target.describe()
        if isinstance(self.target.parent, UpdateSerializer):
            described.pop("default", None)
        return described


def finish(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Close every object, and give every answer its headers."""
    for component in result["components"]["schemas"].values():
        _close(component)
    for path in result["paths"].values():
        for described in path.values():
            if "requestBody" in described:
                described["requestBody"]["required"] = True
            for parameter in described.get("parameters", ()):
                if parameter["in"] == "query" and not parameter.get("required"):
                    _admit_empty(parameter)
            for status, response in described["responses"].items():
                headers = {**_HEADERS, **_OTHER_HEADERS.get(status, {})}
                response["headers"] = {
                    name: {"schema": {"type": kind}, "description": words}
                    for name, (kind, words) in headers.items()
                    if status != "401" or not name.startswith("RateLimit")
                }
    return result


def _admit_empty(parameter: dict[str, Any]) -> None:
    """A query parameter without a value counts as absent."""
    parameter["allowEmptyValue"] = True
    parameter["schema"].pop("minLength", None)
    if "enum" in parameter["schema"]:
        parameter["schema"]["enum"].append("")


def _close(schema: Any) -> None:
    if isinstance(schema, list):
        for each in schema:
            _close(each)
    elif isinstance(schema, dict):
        if schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)
        for each in schema.values():
            _close(each)


def description() -> dict[str, Any]:
    """The whole description, made once a process: one caller makes it, those who come meanwhile wait."""
    with _MAKING:
        return _made()


@cache
def _made() -> dict[str, Any]:
    generator: Any = SchemaGenerator
    made: dict[str, Any] = generator().get_schema(request=None, public=True)
    return made


class DescriptionView(APIView):
    """`GET /api/v1/schema`: the description as JSON, for anyone."""

    authentication_classes = ()
    permission_classes = ()
    schema = None

    def get(self, request: Request) -> Any:
        return answer(200, description())
