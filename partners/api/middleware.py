"""What every request passes, and the short way that requests to the API take."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from partners.api.errors import not_found
from partners.request_ids import current_request_id, request_id_from

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


DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""The description's page has a script and styles of its own in it; nothing is loaded from elsewhere."""


class ApiMiddleware:
    """Answers `/api/` straight from its view: no cookie, session or CSRF token has a part in it."""

    def __init__(self, get_response: Answerer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/api/"):
            return self.get_response(request)
        try:
            match = resolve(request.path_info, settings.ROOT_URLCONF)
        except Resolver404 as error:
            response = not_found(request, error)
        else:
            request.resolver_match = match
            response = match.func(request, *match.args, **match.kwargs)
        if (render := getattr(response, "render", None)) is not None:
            response = render()
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["Cache-Control"] = "no-store"
        is_page = response.headers["Content-Type"].startswith("text/html")
        response.headers["Content-Security-Policy"] = PAGE_POLICY if is_page else DATA_POLICY
        return response
