"""What every request passes, and the short way that requests to the API take."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from partners.api.errors import not_found
from partners.request_ids import current_request_id, request_id_from

__all__ = ["ApiMiddleware", "RequestIdMiddleware", "current_request_id"]
Answerer = Callable[[HttpRequest], HttpResponse]


class RequestIdMiddleware:
    """Every answer carries `X-Request-Id`: the caller's, if well-formed, or a new one."""

    def __init__(self, get_response: Answerer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = request_id_from(request.META.get("HTTP_X_REQUEST_ID"))
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
