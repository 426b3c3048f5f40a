"""Which open sessions a change of charge rates would price anew; what was built keeps its charges."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from django.db.models import Exists, OuterRef, Q, QuerySet

from billing.payers.directory import match_payers
from claims import history
from claims.models import Claim
from claims.signals import ClaimStatus
from providers.charge_import import Plan, rates_after
from providers.charges import Price, price
from sessions_app.lookups import order_of
from sessions_app.models import Session, SessionCode

MOST_LOOKED_AT = 2000
"""Open sessions; beyond them the answer is "at least so many"."""


@dataclass(frozen=True, slots=True)
class Repriced:
    """A session whose charge would be another; None where no rate fits."""

    session: Session
    codes: str
    before: Decimal | None
    after: Decimal | None


@dataclass(frozen=True, slots=True)
class Repricing:
    """The sessions that a plan would price anew, and whether there may be more of them."""

    sessions: Sequence[Repriced]
    more: bool


def repriced_by(plan: Plan) -> Repricing:
    """Price the open sessions of a plan's scope by the rates as they are and as they would be."""
    codes = {rate.procedure_code for rate in (*plan.new, *plan.ended)}
    found = list(_open_sessions(plan, codes)[: MOST_LOOKED_AT + 1]) if codes else []
    sessions = found[:MOST_LOOKED_AT]
    matches = match_payers((session.payer_name, session.payer_id) for session in sessions)
    orders = [
        order_of(
            session,
            procedures=_procedures(session),
            provider=session.provider,
            match=matches[session.payer_name, session.payer_id][0],
        )
        for session in sessions
    ]
    before, after = price(orders), price(orders, change=lambda rates: rates_after(plan, rates))
    changed = [
        Repriced(session, " ".join(map(str, _procedures(session))), was, becomes)
        for session, was, becomes in zip(sessions, map(_total, before), map(_total, after), strict=True)
        if was != becomes
    ]
    return Repricing(changed, more=len(found) > MOST_LOOKED_AT)


def _open_sessions(plan: Plan, codes: set[str]) -> QuerySet[Session]:
    """Sessions whose claim isn't built, with one of these codes on a day that the plan is about.

    One that was set aside costs nothing, unless it is taken back.
    """
    waiting = Q(next_step_at__isnull=False, step__in=(Claim.Step.CODE, Claim.Step.CHECK, Claim.Step.WINDOW))
    held = Q(status=ClaimStatus.HELD, step=Claim.Step.HELD)
    unbuilt = Claim.objects.filter(built_at=None).exclude(frequency=Claim.Frequency.VOID)
    first = min(
        [rate.valid.lower for rate in plan.new] + [day + timedelta(days=1) for day in plan.ended.values()]
    )
    schedule = plan.schedule
    named = SessionCode.objects.filter(session=OuterRef("pk"), code__in=codes)
    sessions = Session.objects.filter(
        Q(pk__in=unbuilt.filter(waiting).values("session"))
        | Q(history.is_asked("pk"), pk__in=unbuilt.filter(held).values("session")),
        Exists(named),
        date_of_service__gte=first,
    )
    if schedule.partner_id:
        sessions = sessions.filter(partner=schedule.partner_id)
    if schedule.practice_id:
        sessions = sessions.filter(provider__practice=schedule.practice_id)
    related = sessions.select_related("partner", "provider").prefetch_related("codes")
    return related.defer("member_id").order_by("-id")


def _procedures(session: Session) -> list[SessionCode]:
    return [code for code in session.codes.all() if code.kind == SessionCode.Kind.PROCEDURE]


def _total(prices: Sequence[Price | None]) -> Decimal | None:
    charges = [each.charge for each in prices if each]
    return sum(charges, Decimal(0)) if len(charges) == len(prices) else None
