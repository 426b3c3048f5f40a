"""Who did what: what people saw, and what was changed in the set-up."""

from django.http import HttpRequest, HttpResponse

from claims.admin.page import draw, page
from claims.admin.set_up_changes import in_words
from claims.models import SetUpChange, ViewRecord

ROWS = 100


@page("claims.view_audit")
def audit(request: HttpRequest) -> HttpResponse:
    """List views or changes, the newest first; `after` is the last id of the page before."""
    changes = request.GET.get("kind") == "changes"
    after = request.GET.get("after", "")
    person = request.GET.get("person", "")[:150].replace("\x00", "")
    model = SetUpChange if changes else ViewRecord
    rows = model._default_manager.select_related("user").order_by("-id")
    if after.isascii() and after.isdigit() and len(after) < 19:
        rows = rows.filter(id__lt=int(after))
    if person:
        rows = rows.filter(user__username=person)
    found = list(rows[: ROWS + 1])
    shown = found[:ROWS]
    return draw(
        request,
        "desk/audit.html",
        title="Who did what",
        kind="changes" if changes else "views",
        person=person,
        rows=in_words(shown) if changes else shown,
        after=shown[-1].pk if len(found) > ROWS else None,
    )
