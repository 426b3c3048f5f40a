"""A payer's decision that no 835 brings: what a person typed, what it makes of the claim, posting it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from claims import actions, allowed, lifecycle, timeline, work_queue
from claims.desk.matching_actions import outcomes_of
from claims.fold.amounts import NOTHING, REVERSAL, allowed_of_line
from claims.fold.entries import TimelineEntry
from claims.fold.remittances import paired
from claims.fold.words import dollars
from claims.models import Claim, ClaimLine, ClaimSignal, TypedRemittance
from claims.settlement import SettledSession, payer_of
from claims.signals import REFUSED, TYPED, EventType, LineOutcome, Signal, SignalKind
from claims.versions import is_voided, payer_id_of
from sessions_app.models import StaffDeed

if TYPE_CHECKING:
    from django.contrib.auth.models import User

GROUPS = ("CO", "PR", "OA", "PI")
NUMBER = re.compile(r"[ -)+-9;-\]_-}]*")
"""What a number on a claim may hold: all of ASCII but the four that delimit."""
REASON = re.compile(r"[1-9][0-9]{0,2}|[A-Z][0-9]{1,2}")
"""A claim adjustment reason code (CARC); payers may use one before its words are here."""
NEWEST_OF_ALL = 2**62
ONE_DAY = timedelta(days=1)
NOT_OUT = "This version of the claim was not handed over, or is voided: nothing can be posted to it."
STANDS = "A payment was posted to it by hand already. Take that back first, then post it anew."
REVERSED = (
    "The payer has reversed a part of what was posted to it by hand. Leave that posted, or the reversal would"
    " take back what was never paid; a correction comes by remittance, or is settled with the practice."
)
TOLD = "A remittance says how the payer decided, and counts: nothing is posted beside it."
TAKEN_BACK = "What billing staff had posted by hand was a mistake and is taken back."


@dataclass(frozen=True, slots=True)
class Typed:
    """What a person typed; `lines` are in the order of the claim's own."""

    lines: Sequence[LineOutcome]
    payer_control_number: str
    paid_on: date | None
    trace_number: str
    origin: str
    reason: str

    @property
    def paid(self) -> Decimal:
        """What the payer paid in all."""
        return sum((line.paid for line in self.lines), NOTHING)


NOTHING_TYPED = Typed((), "", None, "", TypedRemittance.Origin.PAPER.value, "")


def postable(versions: Sequence[Claim]) -> list[Claim]:
    """The versions that a payment can be posted to by hand, the newest first."""
    newest_first = sorted(versions, key=lambda claim: claim.version, reverse=True)
    return [
        claim
        for claim in newest_first
        if claim.step == Claim.Step.FOLLOW
        and claim.frequency != Claim.Frequency.VOID
        and not is_voided(claim, newest_first)
    ]


def open_to(versions: Sequence[Claim], rows: Sequence[ClaimSignal]) -> Claim | None:
    """The newest version that a payment can be posted to now; `rows` are the answers to all."""
    return next(
        (
            claim
            for claim in postable(versions)
            if not why_not(claim, versions, [row for row in rows if row.claim_id == claim.pk])
        ),
        None,
    )


def blank_lines(lines: Sequence[ClaimLine]) -> list[LineOutcome]:
    """The claim's lines, with nothing said of them yet."""
    return [
        LineOutcome(
            control_number=line.line_control_number,
            procedure_code=line.procedure_code,
            modifiers=tuple(line.modifiers),
            charge=line.charge,
        )
        for line in lines
    ]


def faults_of(typed: Typed, claim: Claim) -> list[str]:
    """What is missing or can't be, in words; empty where it can be posted to a claim that takes it."""
    faults = [fault for number, line in enumerate(typed.lines, 1) for fault in _faults_of_line(number, line)]
    if typed.paid_on is None:
        faults.append("Payment date: give the day on which the payer paid or decided.")
    elif typed.paid_on > timezone.localdate():
        faults.append("Payment date: it lies in the future.")
    elif typed.paid_on < claim.session.date_of_service:
        faults.append("Payment date: it lies before the date of service.")
    if typed.paid and not typed.trace_number:
        faults.append("Check or EFT number: say by which payment the money came.")
    if not NUMBER.fullmatch(typed.payer_control_number):
        faults.append("Payer's claim number: it holds a character that no claim can carry.")
    if typed.origin not in TypedRemittance.Origin:
        faults.append("How you know: choose one.")
    if not typed.reason:
        faults.append("Reason or reference: say why it is typed, or who said it; it stays on the record.")
    return faults or _faults_of_day(typed, claim)


def _faults_of_day(typed: Typed, claim: Claim) -> list[str]:
    """That the payer's own word goes before it, or that a reversal took back what was decided on that day.

    A reversal of nothing that is known yet may be of just this.
    """
    said, signal = _said_of(claim), _signal_of(claim, typed)
    reversals = {each.reversal.natural_key: each.reversal.effective_date for each in paired(said)[0]}
    ended, left = paired([*said, signal])
    taken_by = [each.reversal for each in ended if each.adjudication.natural_key == signal.natural_key]
    last = max(reversals.values(), default=signal.effective_date)
    is_late = signal.effective_date >= last
    if is_late and not (taken_by or any(each.natural_key == signal.natural_key for each in left)):
        return [TOLD]
    if is_late and not any(each.natural_key in reversals for each in taken_by):
        return []
    return [
        f"Payment date: the payer took back on {last:%B} {last.day}, {last.year} what it had decided until "
        "then. Give the day of its new decision."
    ]


def _faults_of_line(number: int, line: LineOutcome) -> list[str]:
    name = f"Line {number} ({line.procedure_code})"
    faults = [
        f"{name}: {each.reason or 'an empty reason'} is no reason code. One looks like 45 or B7."
        for each in line.adjustments
        if not REASON.fullmatch(each.reason)
    ]
    if any(each.group not in GROUPS for each in line.adjustments):
        faults.append(f"{name}: choose CO, PR, OA or PI for each adjustment.")
    amounts = [line.paid, line.allowed or NOTHING, *(each.amount for each in line.adjustments)]
    if any(amount < 0 for amount in amounts):
        faults.append(f"{name}: no amount is below nothing.")
        return faults
    explained = line.paid + sum((each.amount for each in line.adjustments), NOTHING)
    if left := line.charge - explained:
        lacks = f"{dollars(left)} is unexplained" if left > 0 else f"that is {dollars(-left)} too much"
        faults.append(
            f"{name}: {dollars(line.charge)} was charged, but paid and adjusted come to {dollars(explained)};"
            f" {lacks}."
        )
    least = allowed_of_line(replace(line, allowed=None))
    if line.allowed is not None and line.allowed < least:
        faults.append(
            f"{name}: {dollars(least)} was paid and left to the patient; more than what was allowed."
        )
    if line.allowed is not None and line.allowed > line.charge:
        faults.append(f"{name}: more was allowed than charged.")
    return faults


def why_not(claim: Claim, versions: Sequence[Claim], rows: Iterable[ClaimSignal]) -> str:
    """Why nothing can be posted to this version by hand; empty where it can. `rows` are its answers."""
    if claim not in postable(versions):
        return NOT_OUT
    said = [Signal.from_json(row.payload) for row in rows if row.kind == SignalKind.REMITTANCE]
    standing = [each for each in paired(said)[1] if each.origin]
    reversals = [each.effective_date for each in said if each.claim_status_code == REVERSAL]
    if standing:
        since = min(each.effective_date for each in standing)
        return REVERSED if any(day >= since for day in reversals) else STANDS
    last = max((day + ONE_DAY for day in reversals), default=timezone.localdate())
    new = _signal_of(claim, replace(NOTHING_TYPED, paid_on=last))
    return "" if new in paired([*said, new])[1] else TOLD


def refusal_of(claim: Claim) -> str:
    """The same as things stand now."""
    versions = list(Claim.objects.filter(session=claim.session_id).order_by("version"))
    return why_not(claim, versions, _rows_of(claim))


def doubts_about(claim: Claim, typed: Typed) -> list[str]:
    """What is unusual about it, that a person looks at twice before posting."""
    known, given = claim.payer_control_number, typed.payer_control_number
    found = []
    if claim.status in REFUSED:
        found.append(
            "This claim was rejected before anybody decided what to pay."
            " See that the payment names this claim."
        )
    if known and given and given != known:
        found.append(f"The payer has called this claim {known} until now. {given} takes its place.")
    return found


def _rows_of(claim: Claim) -> QuerySet[ClaimSignal]:
    return ClaimSignal.objects.filter(claim=claim, kind=SignalKind.REMITTANCE, dismissed_at=None)


def _said_of(claim: Claim) -> list[Signal]:
    return [Signal.from_json(row.payload) for row in _rows_of(claim)]


def preview(claim: Claim, typed: Typed) -> SettledSession:
    """What the session comes to with it; worked out in memory."""
    signal = _signal_of(claim, typed)
    as_if = ClaimSignal(
        id=NEWEST_OF_ALL,
        claim=claim,
        received_at=timezone.now(),
        **signal.as_columns(),
    )
    return outcomes_of(as_if, [claim])[claim.pk]


def digest_of(typed: Typed, settled: SettledSession) -> str:
    """What recognizes that the same was typed, and comes to the same, as a page has shown.

    What was posted since and taken back again isn't as shown either.
    """
    outcome, posted = settled.outcome, TypedRemittance.objects.filter(claim__in=settled.claims).count()
    shown = [(each.claim_status, each.paid, each.allowed, each.patient_owes) for each in outcome.outcomes]
    return sha256(
        repr((typed, posted, outcome.session_status, shown, settled.message())).encode()
    ).hexdigest()


def post(
    session_id: UUID, version: int, typed: Typed, *, user: "User | None", seen: str, digest: str
) -> SettledSession:
    """Post what was typed to this version of the claim, as its preview showed it.

    ActionRefusedError where another has posted meanwhile, an answer came, or it can't be posted.
    """
    with transaction.atomic():
        actions.lock_newest(session_id, seen=seen)
        claim = Claim.objects.select_related("session").get(session=session_id, version=version)
        if why := refusal_of(claim) or " ".join(faults_of(typed, claim)):
            raise actions.ActionRefusedError(why)
        if digest != digest_of(typed, preview(claim, typed)):
            raise actions.ActionRefusedError(actions.OVERTAKEN)
        signal = _signal_of(claim, typed)
        row = ClaimSignal.objects.create(
            partner_id=claim.partner_id,
            claim=claim,
            **signal.as_columns(),
        )
        TypedRemittance.objects.create(
            partner_id=claim.partner_id,
            claim=claim,
            signal=row,
            user=user,
            origin=typed.origin,
            trace_number=typed.trace_number,
            reason=typed.reason,
        )
        (settled,) = lifecycle.settle([session_id])
        work_queue.credit(session_id, user=user)
        actions.keep_deed(claim, deed=StaffDeed.POSTED, user=user, why=typed.reason)
    return settled


def take_back(typed_id: int, *, user: "User | None", reason: str) -> Claim:
    """Take back what was typed wrongly: the session is folded without it, and the partner told."""
    reason = actions.said(reason)
    with transaction.atomic():
        session_id = TypedRemittance.objects.values_list("claim__session", flat=True).get(pk=typed_id)
        actions.lock_newest(session_id)
        typed = TypedRemittance.objects.select_related("claim__session", "signal").get(pk=typed_id)
        if typed.undone_at is not None:
            raise actions.ActionRefusedError("Somebody has taken it back already.")
        claim, now = typed.claim, timezone.now()
        before = _told_of(claim)
        ClaimSignal.objects.filter(pk=typed.signal_id).update(dismissed_at=now)
        TypedRemittance.objects.filter(pk=typed_id).update(
            undone_at=now, undone_by=user, undone_because=reason
        )
        allowed.take_out(claim, Signal.from_json(typed.signal.payload))
        (settled,) = lifecycle.settle([session_id])
        after = _told_of(claim)
        if after != before:
            status = settled.outcome.session_status
            entry = TimelineEntry(EventType.CLAIM_NOTED, TAKEN_BACK, None if status == before[0] else status)
            timeline.append([(entry, claim)], at=now)
        actions.keep_deed(claim, deed=StaffDeed.UNPOSTED, user=user, why=reason)
    return claim


def _told_of(claim: Claim) -> tuple[object, ...]:
    """What is known of a claim and its session."""
    known = "session__status", "session__message", "status", "paid", "allowed", "patient_owes"
    told: tuple[object, ...] = Claim.objects.values_list(*known, "payer_control_number").get(pk=claim.pk)
    return told


def _signal_of(claim: Claim, typed: Typed) -> Signal:
    """What was typed, as the payer's 835 would say it."""
    stated = [line.allowed for line in typed.lines if line.allowed is not None]
    return Signal(
        kind=SignalKind.REMITTANCE,
        source=payer_id_of(claim),
        natural_key=f"{TYPED}{typed.origin}:{claim.pk}:{timezone.now().isoformat()}",
        effective_date=typed.paid_on or timezone.localdate(),
        patient_control_number=claim.patient_control_number or "",
        payer_name=payer_of(claim),
        payer_control_number=typed.payer_control_number,
        claim_status_code="1",
        charge=claim.total_charge,
        paid=typed.paid,
        allowed=sum(stated, NOTHING) if len(stated) == len(typed.lines) else None,
        lines=tuple(typed.lines),
    )
