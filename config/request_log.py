"""One line and two measurements a request; the time it adds is microseconds, and a test holds it to that."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

from partners.auth import Caller

log = structlog.get_logger()
REQUESTS = Counter("billing_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "billing_request_seconds",
    "Time from the first middleware to the answer.",
    ["method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
UNNAMED = "none"
NOT_LOGGED = frozenset({"healthz", "readyz", "metrics"})
METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})
_meters: dict[tuple[str, str, int], tuple[Any, Any]] = {}


class RequestLogMiddleware:
    """Method, route template, status, milliseconds, partner; never the address itself nor its query."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = perf_counter()
        response = self.get_response(request)
        seconds = perf_counter() - started
        match = request.resolver_match
        route = match.route if match else UNNAMED
        method = request.method if request.method in METHODS else "other"
        status = response.status_code
        meters = _meters.get((method, route, status)) or _meters_of(method, route, status)
        meters[0].inc()
        meters[1].observe(seconds)
        if route not in NOT_LOGGED:
            user = getattr(request, "user", None)
            log.info(
                "request",
                method=method,
                route=route,
                status=status,
                ms=round(seconds * 1000, 2),
                partner=user.slug if type(user) is Caller else None,  # asking more would load staff
            )
        return response


def _meters_of(method: str, route: str, status: int) -> tuple[Any, Any]:
    made = REQUESTS.labels(method, route, status), SECONDS.labels(method, route)
    _meters[method, route, status] = made
    return made
