"""`/metrics`: what all processes of this machine counted together, and what waits in the database."""

import hmac
import os
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from claims.gauges import waiting
from config.metrics_folder import VARIABLE

LOOPBACK = ("127.0.0.1", "::1")


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics for who has the token; where none is set, for this machine, outside production."""
    if not _may_see(request):
        return HttpResponseNotFound("Not found\n", content_type="text/plain; charset=utf-8")
    return HttpResponse(generate_latest(registry(with_database=True)), content_type=CONTENT_TYPE_LATEST)


def registry(*, with_database: bool) -> CollectorRegistry:
    """The counts of all processes that share the folder, without it this one's; with the gauges, if asked."""
    made = CollectorRegistry()
    if (folder := os.environ.get(VARIABLE)) and Path(folder).is_dir():
        MultiProcessCollector(made, path=folder)  # type: ignore[no-untyped-call]  # the library's
    else:
        made.register(REGISTRY)
    if with_database:
        made.register(waiting)
    return made


def _may_see(request: HttpRequest) -> bool:
    token: str = settings.METRICS_TOKEN
    if token:
        sent = request.META.get("HTTP_AUTHORIZATION", "")
        return hmac.compare_digest(sent.encode(), f"Bearer {token}".encode())
    return (
        not settings.PRODUCTION
        and request.META.get("REMOTE_ADDR") in LOOPBACK
        and "HTTP_X_FORWARDED_FOR" not in request.META
    )
