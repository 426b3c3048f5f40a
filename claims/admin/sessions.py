"""The list of sessions: fifty newest that fit, then fifty more; nothing is counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse

from billing.models import Payer
from claims.admin.page import StaffRequest, draw, page
from claims.desk.session_search import (
    MOST_DAYS_WAITED,
    TooSlow,
    Wanted,
    newest_sessions,
    statuses_named,
    uuid_in,
)
from claims.desk.view_records import record_list
from claims.models import Claim, WorkItem
from claims.signals import ClaimStatus, SessionStatus
from claims.staff_words import STATUS_GROUPS, STATUS_READINGS
from partners.models import Partner
from sessions_app.models import Session, SessionCode

ROWS = 50
FILTERS = ("status", "partner", "payer", "from", "to", "reason", "waited")
WAITED = re.compile(r"(\d{1,3})-(\d{0,3})")
PAYERS_OFFERED = 40


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One line: a session, the newest version of its claim, its procedure codes."""

    session: Session
    claim: Claim | None
    queue: str
    file_by: date | None
    codes: str


@page("sessions_app.view_session")
def sessions(request: StaffRequest) -> HttpResponse:
    """List the newest sessions that fit the filters."""
    asked = {name: request.GET.get(name, "")[:80].replace("\x00", "") for name in FILTERS}
    partners = list(Partner.objects.order_by("name"))
    wanted, problem = _wanted(asked, partners)
    ids: list[UUID] = []
    if not problem:
        try:
            ids = newest_sessions(wanted, after=uuid_in(request.GET.get("after", "")), limit=ROWS + 1)
        except TooSlow:
            problem = "These filters fit too few of too many sessions. Add a status or a shorter time."
    record_list(request.user, session_ids=ids[:ROWS], detail="sessions")
    query = urlencode({name: value for name, value in asked.items() if value})
    return draw(
        request,
        "desk/sessions.html",
        title="Sessions",
        rows=session_rows(ids[:ROWS]),
        asked=asked,
        problem=problem,
        partners=partners,
        payers=_payers(asked["payer"]),
        groups=STATUS_GROUPS,
        statuses=STATUS_READINGS,
        query=query,
        narrowed=_narrowed(asked),
        next_query=f"{query}&after={ids[ROWS - 1]}".lstrip("&") if len(ids) > ROWS else "",
        paged="after" in request.GET,
    )


def _wanted(asked: dict[str, str], partners: Sequence[Partner]) -> tuple[Wanted, str]:
    """Read the filters; the second of the pair says which one can't be understood."""
    statuses = statuses_named(asked["status"])
    partner = next((each for each in partners if each.slug == asked["partner"]), None)
    if asked["status"] and not statuses:
        return Wanted(), "There is no status of that name."
    if asked["partner"] and partner is None:
        return Wanted(), "There is no partner of that name."
    days: dict[str, date | None] = {}
    for name in ("from", "to"):
        try:
            days[name] = date.fromisoformat(asked[name]) if asked[name] else None
        except ValueError:
            return Wanted(), "A day is written like 2030-01-31."
    waited = WAITED.fullmatch(asked["waited"])
    if asked["waited"] and waited is None:
        return Wanted(), "Days from service to payment are written like 5-9."
    first, last = (int(waited[1]), int(waited[2]) if waited[2] else None) if waited else (0, None)
    if last is not None and not 0 <= last - first <= MOST_DAYS_WAITED:
        return Wanted(), (
            f"Days from service to payment span {MOST_DAYS_WAITED} at most, the smaller number first; "
            "without a last one they have no end, like 31-."
        )
    return (
        Wanted(
            statuses=statuses,
            partner_id=partner.pk if partner else None,
            payer_name=asked["payer"],
            first_day=days["from"],
            last_day=days["to"],
            reason=asked["reason"],
            waited=(first, last) if waited else None,
        ),
        "",
    )


def _narrowed(asked: dict[str, str]) -> list[tuple[str, str, str, str]]:
    """The filters that only a link can set: name, value, words, and the query string without it."""
    first, _, last = asked["waited"].partition("-")
    waited = f"Paid within {first} to {last} days" if last else f"Paid after {first} days or more"
    words = {"reason": f"Reason {asked['reason']}", "waited": waited}
    return [
        (
            name,
            asked[name],
            said,
            urlencode({key: each for key, each in asked.items() if each and key != name}),
        )
        for name, said in words.items()
        if asked[name]
    ]


def _payers(chosen: str) -> list[str]:
    offered = Payer.objects.filter(active=True).order_by("-prominence", "name").values_list("name", flat=True)
    names = list(dict.fromkeys(offered[:PAYERS_OFFERED]))
    return sorted({*names, chosen} - {""})


def last_day(session: Session, claim: Claim | None, item: WorkItem | None) -> date | None:
    """The last day to file what is left to do; None where nothing is to be filed."""
    if item is not None:
        return item.file_by
    if claim is None or claim.status == ClaimStatus.VOIDED:
        return None
    is_done = session.status == SessionStatus.PAID and claim.status != ClaimStatus.PARTIALLY_PAID
    return None if is_done else claim.file_by


def session_rows(ids: Sequence[UUID]) -> list[SessionRow]:
    """The lines of these sessions in this order, in four queries."""
    if not ids:
        return []
    found = Session.objects.filter(pk__in=ids).select_related("partner").defer("member_id", "message")
    by_id = {session.pk: session for session in found}
    claims = Claim.objects.filter(session_id__in=ids).order_by("session_id", "version").defer("snapshot")
    newest = {claim.session_id: claim for claim in claims}
    items = WorkItem.objects.filter(session_id__in=ids, closed_at=None).only("session_id", "queue", "file_by")
    open_items = {item.session_id: item for item in items}
    codes: dict[UUID, list[str]] = {}
    procedures = SessionCode.objects.filter(session_id__in=ids, kind=SessionCode.Kind.PROCEDURE)
    for code in procedures.order_by("session_id", "position"):
        codes.setdefault(code.session_id, []).append(str(code))
    return [
        SessionRow(
            session=by_id[pk],
            claim=newest.get(pk),
            queue=open_items[pk].queue if pk in open_items else "",
            file_by=last_day(by_id[pk], newest.get(pk), open_items.get(pk)),
            codes=" ".join(codes.get(pk, ())),
        )
        for pk in ids
        if pk in by_id
    ]
