"""What every request passes, and the short way that requests to the API take."""

import re
from collections.abc import Callable
from contextvars import ContextVar
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from partners.api.errors import not_found

Answerer = Callable[[HttpRequest], HttpResponse]
current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")
"""For the logs, and for the rows that say which request made them."""
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIdMiddleware:
    """Every answer carries `X-Request-Id`: the caller's, if well-formed, or a new one."""

    def __init__(self, get_response: Answerer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = sent if _WELL_FORMED.fullmatch(sent) else uuid4().hex
        token = current_request_id.set(request_id)
        try:
            response = self.get_response(request)
        finally:
            current_request_id.reset(token)
        response.headers["X-Request-Id"] = request_id
        return response


class ApiMiddleware:
    """Answers `/api/` straight from its view: no cookie, session or CSRF token has a part in it."""

    def __init__(self, get_response: Answerer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/api/"):
            return self.get_response(request)
        try:
            match = resolve(request.path_info)
        except Resolver404 as error:
            return not_found(request, error)
        request.resolver_match = match
        response: HttpResponse = match.func(request, *match.args, **match.kwargs)
        if (render := getattr(response, "render", None)) is not None:
            response = render()
        response.headers["Content-Length"] = str(len(response.content))
        return response
