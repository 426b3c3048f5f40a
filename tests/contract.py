"""The OpenAPI description as a referee: every answer that a test gets is checked against it."""

import re
from functools import cache
from typing import Any

from django.http import HttpResponse
from jsonschema import Draft202012Validator, FormatChecker

from partners.api.description import description


def check(method: str, address: str, answer: HttpResponse) -> None:
    """The answer's status, headers and body are as described for the operation at this address."""
    assert answer.headers["X-Request-Id"]
    operation = _operation(method.lower(), address.partition("?")[0])
    if operation is None:
        return
    status = str(answer.status_code)
    name = operation["operationId"]
    assert status in operation["responses"], f"{name} does not describe {status}: {answer.content!r}"
    response = operation["responses"][status]
    for header, described in response["headers"].items():
        value = answer.headers.get(header)
        # A key that was not looked up has no limit of its own.
        optional = header == "Retry-After" or (status == "429" and header.startswith("RateLimit"))
        assert value is not None or optional, f"{name} {status} lacks {header}"
        if value is not None and described["schema"]["type"] == "integer":
            assert value.isdigit()
    assert answer.headers["Content-Type"] == "application/json"
    schema = response["content"]["application/json"]["schema"]
    _validator(schema["$ref"]).validate(answer.json())


def operations() -> dict[str, tuple[str, str]]:
    """Method and path template by operation id."""
    return {
        operation["operationId"]: (method, path)
        for path, methods in description()["paths"].items()
        for method, operation in methods.items()
    }


def _operation(method: str, address: str) -> dict[str, Any] | None:
    for path, methods in description()["paths"].items():
        if method in methods and _form(path).fullmatch(address):
            found: dict[str, Any] = methods[method]
            return found
    return None


@cache
def _form(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


@cache
def _validator(reference: str) -> Draft202012Validator:
    return Draft202012Validator(
        {"$ref": reference, "components": description()["components"]}, format_checker=FormatChecker()
    )
