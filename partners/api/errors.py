"""Refusals: each carries its status and body, and one handler turns them into answers."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.exceptions import APIException, MethodNotAllowed

from partners.api.rendering import answer
from partners.issues import Issue
from partners.outages import for_log, is_outage

logger = logging.getLogger(__name__)

BUSY = "The service is busy or restarting; try again."
FAULT = "Something went wrong on our side. Nothing was changed; try again."
_STATUS_WORDS = {400: "The request can't be read.", 403: "Not allowed.", 404: "Not found."}


class Refusal(Exception):
    """A request is answered with this status and body, and nothing is written."""

    def __init__(
        self, status: int, error: str, *, headers: Mapping[str, str] | None = None, **fields: object
    ) -> None:
        super().__init__(error)
        self.status = status
        self.headers = headers
        self.body: dict[str, object] = {"error": error, **fields}


def validation_refusal(issues: Sequence[Issue]) -> Refusal:
    """400 with the validation body."""
    listed = [{"path": printable(issue.path), "message": issue.message} for issue in issues]
    return Refusal(400, "Validation failed", issues=listed)


def general_refusal(issues: Sequence[Issue]) -> Refusal:
    """400 with the general body; its text names every faulty path."""
    texts = [f"{printable(issue.path)}: {issue.message}" if issue.path else issue.message for issue in issues]
    return Refusal(400, " ".join(texts))


def busy() -> Refusal:
    """503: come again."""
    return Refusal(503, BUSY, headers={"Retry-After": "2"})


def printable(path: str) -> str:
    """A path that JSON in UTF-8 can carry, whatever names the caller invented."""
    return path.encode("utf-8", "backslashreplace").decode()


def answer_error(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """The answer to anything that a view raised; the unexpected is logged without its words."""
    if isinstance(error, Refusal):
        return answer(error.status, error.body, headers=error.headers)
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(name for name in context["view"].allowed_methods if name != "OPTIONS")
        message = f"Method {context['request'].method} is not allowed here; use {allowed}."
        return answer(405, {"error": message}, headers={"Allow": allowed})
    if isinstance(error, APIException):
        headers = {}
        if challenge := getattr(error, "auth_header", None):
            headers["WWW-Authenticate"] = challenge
        if wait := getattr(error, "wait", None):
            headers["Retry-After"] = str(wait)
        return answer(error.status_code, {"error": str(error.detail)}, headers=headers)
    for kind, status in ((Http404, 404), (PermissionDenied, 403), (SuspiciousOperation, 400)):
        if isinstance(error, kind):
            return answer(status, {"error": _STATUS_WORDS[status]})
    logger.error("unexpected error", extra=for_log(error))
    if is_outage(error):
        return answer(503, {"error": BUSY}, headers={"Retry-After": "2"})
    return answer(500, {"error": FAULT})


def _for_address(request: HttpRequest, status: int, error: str, page: str) -> HttpResponse:
    if request.path_info.startswith("/api/"):
        return answer(status, {"error": error})
    return HttpResponse(page, status=status, content_type="text/plain; charset=utf-8")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    return _for_address(request, 400, "The request can't be read.", "Bad request\n")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404; to staff it is a page that leads on."""
    if request.path_info.startswith(f"/{settings.ADMIN_PATH}"):
        return render(request, "404.html", status=404)
    return _for_address(request, 404, "There is nothing at this address.", "Not found\n")


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500."""
    return _for_address(
        request, 500, "Something went wrong on our side. Try again.", "Something went wrong.\n"
    )
