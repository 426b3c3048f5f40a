"""What every page of the back office carries: a strict content policy, no caching, an idle time-out, and
the person's own clock."""

import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, tzinfo
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

import pghistory
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from claims.admin.addresses import page_of_form
from claims.desk.four_eyes import is_held
from partners.addresses import address_of_request
from partners.api.errors import BUSY
from partners.visits import Busy, TooLarge, visit_of

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
NOTHING_SAVED = "Nothing was saved: you had been signed out meanwhile. Do it once more."
UNSAVED = "unsaved"
"""Stands in the sign-in page's address where what was typed before it is lost."""
LAST_ACT = "last_act"
GRAIN_SECONDS = 30
"""The session row is written at most this often, not by every request."""
HEARTBEAT = "X-Heartbeat"
"""A request of the page itself, not of the person before it: it doesn't count as doing something."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
MOST_UPLOADED = 4
"""How many times MAX_BODY_BYTES a form may be to be read: up to there it says itself what it takes."""
MOST_OF_A_STRANGERS = 64 * 1024
"""The bytes that a form of who has not signed in may have: name, password and code."""
WAYS = "(__id)?__exact|__isnull|__gte|__lt"
"""How Django's own filters of a list ask for a column's values."""
ZONE = "zone"
"""The cookie in which theme.js says the browser's time zone."""


class BackOfficeMiddleware:
    """Guards the pages under ADMIN_PATH; everything else passes as it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.path = f"/{settings.ADMIN_PATH}"

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(self.path):
            return self.get_response(request)
        if request.user.is_authenticated:
            if is_held(request.user):
                logout(request)
            else:
                _mind_the_clock(request)
        response = _refused_body(request)
        if response is None:
            with timezone.override(_zone_of(request)), _told_by(request):
                response = self.get_response(request)
        if request.method == "GET" and response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            response = _back_to_the_page(request)
        elif request.method == "POST" and (there := _sign_in_asked(response)):
            response.headers["Location"] = f"{there}&{UNSAVED}=1"
        response.headers["Content-Security-Policy"] = CONTENT_POLICY
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Refuse a list filtered by what no column can hold, or otherwise than it offers."""
        match = request.resolver_match
        if match is None or not (match.url_name or "").endswith("_changelist"):
            return None
        desk = getattr(match.func, "model_admin", None)
        for asked, texts in request.GET.lists():
            if asked == "q":
                continue
            if "\x00" in "".join(texts) or (desk is not None and not _offers(desk, asked)):
                return HttpResponseBadRequest()
        return None


def _refused_body(request: HttpRequest) -> HttpResponse | None:
    """Have a form's body here, or tell why not: left empty, a form would look like a forged one."""
    if request.method in SAFE_METHODS or (visit := visit_of(request)) is None:
        return None
    known = request.user.is_authenticated
    most = settings.MAX_BODY_BYTES * MOST_UPLOADED if known else MOST_OF_A_STRANGERS
    holder = f"staff {request.user.pk}" if known else address_of_request(request)
    try:
        visit.fetch_body(holder, known=known, most=most)
    except Busy:
        return _plainly(HTTPStatus.SERVICE_UNAVAILABLE, BUSY)
    except TooLarge:
        return _plainly(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is too large. Nothing was done.")
    return None


def _plainly(status: HTTPStatus, words: str) -> HttpResponse:
    response = HttpResponse(f"{words}\n", status=status, content_type="text/plain; charset=utf-8")
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = "2"
    return response


def _offers(desk: ModelAdmin, asked: str) -> bool:
    """Whether a list may have this parameter: by itself Django takes any look-up of any column."""
    columns = {field.name for field in desk.model._meta.get_fields()}
    if "__" not in asked and asked not in columns:
        return True
    filters = [each for each in desk.list_filter if isinstance(each, str)]
    return any(re.fullmatch(f"{each}({WAYS})?", asked) for each in filters)


def _told_by(request: HttpRequest) -> AbstractContextManager[Any]:
    """Tell the triggers that record changes who makes them; interface and workers leave it empty."""
    if request.method in SAFE_METHODS or not request.user.is_authenticated:
        return nullcontext()
    return pghistory.context(user=request.user.pk)


def _zone_of(request: HttpRequest) -> tzinfo:
    """The time zone of the person's browser; UTC where it says none."""
    name = request.COOKIES.get(ZONE, "")
    return ZoneInfo(name) if name in _zones() else UTC


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _back_to_the_page(request: HttpRequest) -> HttpResponse:
    """Lead from a form's address, where the sign-in ends, to the page that the form stands on."""
    if urlsplit(request.headers.get("Referer", "")).path == reverse("admin:login"):
        messages.warning(request, NOTHING_SAVED)
    named = request.resolver_match.kwargs if request.resolver_match else {}
    return redirect(page_of_form(named))


def _sign_in_asked(response: HttpResponse) -> str:
    """The sign-in page's address, where a form led there in place of being taken."""
    there = str(response.headers.get("Location", ""))
    return there if urlsplit(there).path == reverse("admin:login") and "?next=" in there else ""


def _mind_the_clock(request: HttpRequest) -> None:
    """Sign out who did nothing for too long; else note that something was done."""
    now = int(time.time())
    last_act = request.session.get(LAST_ACT)
    if last_act is not None and now - last_act > settings.STAFF_IDLE_SECONDS:
        logout(request)
    elif HEARTBEAT in request.headers and last_act is not None:
        return
    elif last_act is None or now - last_act >= GRAIN_SECONDS:
        request.session[LAST_ACT] = now
