"""From whatever number somebody has at three in the morning to the session that is meant."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.core.management.base import CommandError
from django.db.models import Exists, OuterRef, Q, QuerySet

from billing.rules.registry import CATALOGUE
from billing.rules.rule import Severity
from claims.desk.session_search import numbered, uuid_in
from claims.drafting import NO_GATEWAY
from claims.models import Claim, Finding, WorkItem
from claims.work_queue import RESTORED
from partners.commands import Exit, NotThere
from partners.models import Partner
from sessions_app.models import Session

NUMBER = "session ID, external session ID, patient control number, payer's claim number or request ID"
MOST_FOUND = 200
HOLDING = frozenset({rule.id for rule in CATALOGUE} | {NO_GATEWAY.rule_id, RESTORED})
"""What a held session can be looked for by: the rules, and that a restore held it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a session is looked for by; what is None doesn't matter. Nothing here names a patient."""

    number: str | None = None
    """Of the session, the partner's, ours for the claim, the payer's, or the request's."""
    partner: Partner | None = None
    status: str | None = None
    step: str | None = None
    payer: str | None = None
    rule: str | None = None
    served_from: date | None = None
    served_to: date | None = None


def one_session(number: str) -> Session:
    """The one session with that number; NotThere when none has it or several have."""
    found = list(_with_number(number)[:2])
    if not found:
        raise NotThere(f"No session has the number {number!r}; find_session looks in other ways too.")
    if len(found) > 1:
        raise NotThere(f"Several sessions have the number {number!r}; find_session lists them.")
    return found[0]


def refuse_unknown_rule(rule: str) -> None:
    """CommandError where no rule has this ID: a search by it would find nothing, as if all were well."""
    if rule not in HOLDING:
        raise CommandError(
            f"There is no rule {rule!r}; docs/claim-rules.md lists them.", returncode=Exit.USAGE
        )


def find_sessions(search: Search) -> tuple[list[Session], bool]:
    """Sessions that fit, newest first (an ID grows with time), at most MOST_FOUND; and if there are more."""
    sessions = _with_number(search.number) if search.number else _all()
    if search.partner:
        sessions = sessions.filter(partner=search.partner)
    if search.status:
        sessions = sessions.filter(status=search.status)
    if search.payer:
        sessions = sessions.filter(Q(payer_id=search.payer) | Q(payer_name__iexact=search.payer))
    if search.served_from:
        sessions = sessions.filter(date_of_service__gte=search.served_from)
    if search.served_to:
        sessions = sessions.filter(date_of_service__lte=search.served_to)
    if search.step:
        sessions = sessions.filter(pk__in=Claim.objects.filter(step=search.step).values("session"))
    if search.rule:
        sessions = sessions.filter(pk__in=Claim.objects.filter(held_by(search.rule)).values("session"))
    found = list(sessions.order_by("-id")[: MOST_FOUND + 1])
    return found[:MOST_FOUND], len(found) > MOST_FOUND


def held_by(rule: str) -> Q:
    """Claims that a rule holds; a restore, or that there is no clearinghouse, is no finding of a rule."""
    asked = WorkItem.objects.filter(
        session=OuterRef("session"), queue=WorkItem.Queue.TRANSPORT, reason=rule, closed_at=None
    )
    findings = Finding.objects.filter(claim=OuterRef("pk"), rule=rule, severity=Severity.BLOCK)
    return Q(Exists(asked)) | Q(Exists(findings))


def claims_of(sessions: Iterable[Session]) -> dict[UUID, list[Claim]]:
    """Each session's claim versions, the oldest first."""
    found: dict[UUID, list[Claim]] = {session.pk: [] for session in sessions}
    for claim in Claim.objects.filter(session__in=found).defer("snapshot").order_by("version"):
        found[claim.session_id].append(claim)
    return found


def _all() -> QuerySet[Session]:
    return Session.objects.select_related("partner", "provider")


def _with_number(number: str) -> QuerySet[Session]:
    """A session's own ID goes before any other number; a request's, which no index has, is the last way."""
    text = number.strip()
    pk = uuid_in(text)
    if pk and (own := _all().filter(pk=pk)).exists():
        return own
    found = numbered(text)
    return _all().filter(pk__in=found) if found else _all().filter(request_id=text)
