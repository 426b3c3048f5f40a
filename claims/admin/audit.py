"""Who did what: what people saw, and what was changed in the set-up."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from claims.admin.page import draw, page, row_id
from claims.admin.set_up_changes import in_words
from claims.desk.session_search import uuid_in
from claims.models import SetUpChange, ViewRecord

ROWS = 100


@page("claims.view_audit")
def audit(request: HttpRequest) -> HttpResponse:
    """List views or changes, the newest first; `after` is the last id of the page before."""
    changes = request.GET.get("kind") == "changes"
    person = request.GET.get("person", "")[:150].replace("\x00", "").strip()
    asked = request.GET.get("session", "")[:36].strip()
    session_id = uuid_in(asked)
    rows: list[Any]
    if changes:
        found = _page(SetUpChange.objects.all(), request, person=person)
        rows = in_words(found[:ROWS])
    else:
        views = ViewRecord.objects.filter(session=session_id) if asked else ViewRecord.objects.all()
        found = rows = _page(views, request, person=person) if session_id or not asked else []
    return draw(
        request,
        "desk/audit.html",
        title="Who did what",
        kind="changes" if changes else "views",
        person=person,
        session=asked,
        is_number=session_id is not None,
        rows=rows[:ROWS],
        after=found[ROWS - 1].pk if len(found) > ROWS else None,
    )


def _page(rows: QuerySet[Any], request: HttpRequest, *, person: str) -> list[Any]:
    """The rows of a page and one more, where there is more."""
    after = row_id(request.GET.get("after", ""))
    if after is not None:
        rows = rows.filter(id__lt=after)
    if person:
        rows = rows.filter(user__username=person)
    return list(rows.select_related("user").order_by("-id")[: ROWS + 1])
