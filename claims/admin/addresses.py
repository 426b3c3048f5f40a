"""Where the page is that an item of work is done on."""

from urllib.parse import urlencode

from django.urls import reverse

from claims.models import WorkItem

PAGES = {WorkItem.Queue.NOTES: "desk:review", WorkItem.Queue.UNMATCHED: "desk:match"}


def address_of(item: WorkItem, *, key: str = "") -> str:
    """Name the page of an item; `key` is the list that it was opened from."""
    if page := PAGES.get(WorkItem.Queue(item.queue)):
        return reverse(page, args=[item.pk])
    if item.session_id is not None:
        address = reverse("admin:sessions_app_session_change", args=[item.session_id])
        return f"{address}?{urlencode({'queue': key or item.queue, 'item': item.pk})}"
    return reverse("admin:claims_inboundfile_change", args=[item.inbound_file_id])
