"""The sidebar: what a person may open, with the counts of the queues from one query."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from claims.admin.opened_from import OpenedFrom
from claims.admin.undo import take_offer
from claims.staff_words import DEADLINES, MINE, QUEUE_READINGS
from claims.work_list import Tally, tally

WORK = "claims.view_workitem"


@dataclass(frozen=True, slots=True)
class Link:
    """One line of the sidebar; `urgent` counts are red."""

    title: str
    address: str
    here: bool
    count: int | None = None
    urgent: bool = False
    shortcut: str = ""


GROUPS: tuple[tuple[str, tuple[tuple[str, str, str, str], ...]], ...] = (
    (
        "Look up",
        (
            ("Sessions", "admin:sessions_app_session_changelist", "sessions_app.view_session", "g s"),
            ("Remittances", "admin:claims_remittance_changelist", "claims.view_remittance", ""),
            ("Inbound files", "admin:claims_inboundfile_changelist", "claims.view_inboundfile", "g f"),
        ),
    ),
    (
        "Set up",
        (
            ("Partners and keys", "admin:partners_partner_changelist", "partners.view_partner", ""),
            ("Practices", "admin:providers_practice_changelist", "providers.view_practice", ""),
            ("Providers", "admin:providers_provider_changelist", "providers.view_provider", ""),
            ("Payers", "admin:billing_payer_changelist", "billing.view_payer", ""),
            (
                "Charge schedules",
                "admin:providers_chargeschedule_changelist",
                "providers.view_chargeschedule",
                "",
            ),
            (
                "Allowed amounts",
                "admin:providers_allowedamount_changelist",
                "providers.view_allowedamount",
                "",
            ),
            ("Enrollments", "admin:providers_enrollment_changelist", "providers.view_enrollment", ""),
            ("NPI registry", "admin:billing_npirecord_changelist", "billing.view_npirecord", ""),
            ("Claim rules", "desk:rules", "claims.view_finding", ""),
            ("Code sets", "admin:billing_codesetrelease_changelist", "billing.view_codesetrelease", ""),
        ),
    ),
    (
        "Oversight",
        (
            ("Who did what", "desk:audit", "claims.view_audit", ""),
            ("Staff", "admin:auth_user_changelist", "auth.view_user", ""),
        ),
    ),
)
QUEUE_SHORTCUTS = {"held": "g q", "rejected": "g r", "denied": "g d"}


def shell(request: HttpRequest) -> dict[str, Any]:
    """What the frame of every page is drawn from."""
    context: dict[str, Any] = {
        "colors": None,
        "live": settings.PRODUCTION,
        "idle_seconds": settings.STAFF_IDLE_SECONDS,
    }
    if not request.user.is_authenticated:
        return context
    return context | {
        "navigation": navigation(request),
        "may_find": request.user.has_perm(FIND),
        "undo": take_offer(request),
    }


FIND = "sessions_app.view_session"


def counts(request: HttpRequest) -> Mapping[str, Tally]:
    """The queues in numbers, counted once a request."""
    known = getattr(request, "_queue_counts", None)
    if known is None:
        assert isinstance(request.user, User)
        known = tally(request.user)
        request._queue_counts = known  # type: ignore[attr-defined]  # counted once a request
    return known


def open_count(request: HttpRequest, key: str) -> int:
    """How much of a queue, of what is due, or of a person's own work is open."""
    numbers = counts(request)
    if key == DEADLINES:
        return sum(each.due for each in numbers.values())
    if key == MINE:
        return sum(each.mine for each in numbers.values())
    return numbers.get(key, Tally()).open


def navigation(request: HttpRequest) -> list[tuple[str, list[Link]]]:
    """Groups of links that this person may open."""
    groups = [("", [_link(request, "Home", reverse("admin:index"), shortcut="g h", exact=True)])]
    if request.user.has_perm(WORK):
        groups.append(("Work", _queues(request)))
    for title, entries in GROUPS:
        links = [
            _link(request, name, address, shortcut=shortcut)
            for name, view, permission, shortcut in entries
            if request.user.has_perm(permission) and (address := _address(view))
        ]
        if links:
            groups.append((title, links))
    return groups


def _queues(request: HttpRequest) -> list[Link]:
    links = []
    for key, reading in QUEUE_READINGS.items():
        count = open_count(request, key)
        links.append(
            _link(
                request,
                reading.title,
                reverse("desk:queue", args=[key]),
                count=count,
                urgent=key in (DEADLINES, "transport") and count > 0,
                shortcut=QUEUE_SHORTCUTS.get(key, ""),
            )
        )
    return links


def _address(view: str) -> str:
    try:
        return reverse(view)
    except NoReverseMatch:
        return ""


def _link(request: HttpRequest, title: str, address: str, *, exact: bool = False, **more: Any) -> Link:
    key = OpenedFrom.named_by(request).key
    at = reverse("desk:queue", args=[key]) if key else request.path
    here = request.path == address if exact else at.startswith(address)
    return Link(title=title, address=address, here=here, **more)
