"""How a page of the back office is made: who may see it, what is written down, what it is drawn with."""

import unicodedata
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.template.response import TemplateResponse

from claims.desk.view_records import What, record_view
from sessions_app.models import Session

Parameters = ParamSpec("Parameters")
View = Callable[Concatenate[Any, Parameters], HttpResponseBase]


class StaffRequest(HttpRequest):
    """A request inside `page`: somebody is signed in."""

    user: User


def page(
    permission: str, *, methods: tuple[str, ...] = ("GET", "HEAD"), records: What | None = None
) -> Callable[[View[Parameters]], View[Parameters]]:
    """Guard a view: signed-in staff (else the sign-in page), this permission (else 403), these methods.

    `records` writes a view record of the URL's `session_id` before the view runs. A session that an address
    names and isn't there is a 404.
    """

    def guard(view: View[Parameters]) -> View[Parameters]:
        @wraps(view)
        def allowed(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.has_perm(permission):
                raise PermissionDenied
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            try:
                if records is not None:
                    record_view(request.user, what=records, session_id=kwargs["session_id"])
                return view(request, *args, **kwargs)
            except ObjectDoesNotExist:
                named = kwargs.get("session_id")
                if named is None or Session.objects.filter(pk=named).exists():
                    raise
                raise Http404 from None

        @wraps(view)
        def guarded(request: Any, *args: Parameters.args, **kwargs: Parameters.kwargs) -> HttpResponseBase:
            return admin.site.admin_view(allowed)(request, *args, **kwargs)

        guarded.permission = permission  # type: ignore[attr-defined]  # the role matrix reads it
        return cast("View[Parameters]", guarded)

    return guard


def draw(
    request: HttpRequest, template: str, *, title: str, status: int = 200, **context: Any
) -> TemplateResponse:
    """Draw a page in the shell; `title` is a kind of page, never a patient."""
    return TemplateResponse(
        request, template, {**admin.site.each_context(request), "title": title, **context}, status=status
    )


def text_of(request: HttpRequest, name: str, *, most: int) -> str:
    """What a person typed into a field that takes so many characters, without those that nobody can type."""
    text = str(request.POST.get(name, "")).replace("\r\n", "\n")
    kept = (each for each in text if each in "\n\t" or unicodedata.category(each) != "Cc")
    return "".join(kept).strip()[:most]


def row_id(text: str) -> int | None:
    """The number of a row that a form or address names; None where it can't be one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
