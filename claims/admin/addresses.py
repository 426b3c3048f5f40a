"""Where the page is that an item of work is done on."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse

from claims.admin.opened_from import OpenedFrom
from claims.models import WorkItem
from claims.staff_words import QUEUE_READINGS

PAGES = {
    WorkItem.Queue.NOTES: ("desk:review", "claims.open_note"),
    WorkItem.Queue.UNMATCHED: ("desk:match", "claims.correct_session"),
}
"""By queue, the page on which its work is done, and who may open it."""


def page_of_form(named: Mapping[str, Any]) -> str:
    """Name the page that a form stands on, by what its own address names; home where that says nothing."""
    if "session_id" in named:
        return reverse("desk:session", args=[named["session_id"]])
    if "item_id" in named:
        return reverse("desk:match", args=[named["item_id"]])
    if "file_id" in named:
        return reverse("desk:inbound-file", args=[named["file_id"]])
    if "partner_id" in named:
        return reverse("admin:partners_partner_change", args=[named["partner_id"]])
    if named.get("key") in QUEUE_READINGS:
        return reverse("desk:queue", args=[named["key"]])
    return reverse("admin:index")


def address_of(item: WorkItem, *, user: User, came: OpenedFrom | None = None) -> str:
    """Name the page of an item that this person may open; `came` is the list that it was opened from."""
    page, permission = PAGES.get(WorkItem.Queue(item.queue), ("", ""))
    opened_from = str(came or item.queue)
    if page and user.has_perm(permission):
        address = reverse(page, args=[item.pk])
        return address if opened_from == item.queue else f"{address}?queue={opened_from}"
    if item.session_id is not None:
        address = reverse("admin:sessions_app_session_change", args=[item.session_id])
        return f"{address}?queue={opened_from}&item={item.pk}"
    if item.inbound_file_id is None:
        return ""
    return reverse("admin:claims_inboundfile_change", args=[item.inbound_file_id])
