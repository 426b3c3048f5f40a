"""Who did what: what people saw, and what they changed in the set-up."""

from django.contrib.admin.models import LogEntry
from django.http import HttpRequest, HttpResponse

from claims.admin.page import draw, page
from claims.models import ViewRecord

ROWS = 100


@page("claims.view_audit")
def audit(request: HttpRequest) -> HttpResponse:
    """List views or changes, the newest first; `after` is the last id of the page before."""
    kind = "changes" if request.GET.get("kind") == "changes" else "views"
    after = request.GET.get("after", "")
    person = request.GET.get("person", "")[:150].replace("\x00", "")
    model = LogEntry if kind == "changes" else ViewRecord
    related = ("user", "content_type") if kind == "changes" else ("user",)
    rows = model._default_manager.select_related(*related).order_by("-id")
    if after.isascii() and after.isdigit() and len(after) < 19:
        rows = rows.filter(id__lt=int(after))
    if person:
        rows = rows.filter(user__username=person)
    shown = list(rows[: ROWS + 1])
    return draw(
        request,
        "desk/audit.html",
        title="Who did what",
        kind=kind,
        person=person,
        rows=shown[:ROWS],
        after=shown[ROWS - 1].pk if len(shown) > ROWS else None,
    )
