"""Find a session by any number or name; what was typed never stands in an address."""

import secrets
import time
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect

from claims.admin.page import StaffRequest, draw, page
from claims.admin.sessions import session_rows
from claims.desk.session_search import Found, find_sessions
from claims.desk.view_records import record_list

KEPT_SECONDS = 15 * 60
KEPT_LISTS = 3
FOUND = "found"


@page("sessions_app.view_session", methods=("POST",))
def find(request: StaffRequest) -> HttpResponse:
    """Go to the one session that a text names, or to a list of them that only this person can open."""
    text = request.POST.get("text", "")[:255].strip()
    found = find_sessions(text)
    if len(found.ids) == 1 and found.how != "beginning":
        return redirect("admin:sessions_app_session_change", found.ids[0])
    if found.ids:
        return redirect("desk:found", _keep(request, found))
    return draw(request, "desk/found.html", title="Nothing found", text=text, rows=[], how="", more=False)


@page("sessions_app.view_session")
def found(request: StaffRequest, token: str) -> HttpResponse:
    """List what was found; after a quarter of an hour it has to be looked for again."""
    kept: dict[str, Any] | None = request.session.get(FOUND, {}).get(token)
    if kept is None or time.time() - kept["at"] > KEPT_SECONDS:
        return draw(
            request, "desk/found.html", title="Look again", rows=[], how="over", more=False, status=410
        )
    ids = [UUID(pk) for pk in kept["ids"]]
    record_list(request.user, session_ids=ids, detail="found")
    rows = session_rows(ids)
    return draw(request, "desk/found.html", title="Found", rows=rows, how=kept["how"], more=kept["more"])


def _keep(request: StaffRequest, found: Found) -> str:
    """Keep what was found with the person's own session, by id alone; the oldest list makes room."""
    token = secrets.token_urlsafe(12)
    lists = dict(list(request.session.get(FOUND, {}).items())[-(KEPT_LISTS - 1) :])
    lists[token] = {
        "ids": [str(pk) for pk in found.ids],
        "how": found.how,
        "more": found.more,
        "at": time.time(),
    }
    request.session[FOUND] = lists
    return token
