"""What payers allow for a service: kept for the claim rules, and told where it was all that was charged.

Many contracts pay the lesser of the charge and the agreed amount. A payer that allows the whole charge would
probably have allowed more.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from uuid import UUID

from django.db import connection

from claims.fold.amounts import BEHIND_ANOTHER, NOTHING, PROCESSED
from claims.fold.entries import TimelineEntry
from claims.fold.remittances import settle
from claims.fold.words import dollars, with_capital
from claims.models import Claim, ClaimLine, ClaimSignal
from claims.settlement import SettledSession, payer_of
from claims.signals import EventType, Signal, SignalKind
from providers.models import AllowedAmount

MOST_LOOKED_AT = 200
"""Remittances of a practice, the latest: one of that payer is nearly always among them."""
PRODUCTION = "production"
KEEP = """
INSERT INTO providers_allowedamount
    (partner_id, practice_id, payer_id, procedure_code, allowed, charged, paid_on)
SELECT DISTINCT ON (provider.practice_id, new.payer_id, new.procedure_code)
    provider.partner_id, provider.practice_id, new.payer_id, new.procedure_code, new.allowed, new.charged,
    new.paid_on
FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::numeric[], %s::numeric[], %s::date[])
    AS new (provider_id, payer_id, procedure_code, allowed, charged, paid_on)
JOIN providers_provider AS provider ON provider.id = new.provider_id
ORDER BY provider.practice_id, new.payer_id, new.procedure_code, new.paid_on DESC, new.allowed DESC
ON CONFLICT (practice_id, payer_id, procedure_code) DO UPDATE
SET allowed = EXCLUDED.allowed, charged = EXCLUDED.charged, paid_on = EXCLUDED.paid_on
WHERE providers_allowedamount.paid_on <= EXCLUDED.paid_on
"""
FIRST = PROCESSED - BEHIND_ANOTHER
"""What another insurer allows behind the first says nothing of the first one's contract."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a remittance allowed for one line of a claim, in dollars for all its units."""

    claim: Claim
    line: ClaimLine
    amount: Decimal
    paid_on: date


def take_in(settled: Sequence[SettledSession]) -> list[tuple[TimelineEntry, Claim]]:
    """Keep what newly arrived remittances allowed; the entries to append, each with its claim."""
    arrived = [
        (claim, signal, outcome.allowed_by_line)
        for each in settled
        for claim, signal in each.remittances
        if signal.natural_key in (outcome := each.outcome.outcomes[each.claims.index(claim)]).deciding
    ]
    found = list(_of_remittances(arrived))
    if not found:
        return []
    _keep(found)
    return [
        (_warning(each), each.claim)
        for each in found
        if each.claim.mode == PRODUCTION and each.amount >= each.line.charge
    ]


def take_out(claim: Claim, signal: Signal) -> None:
    """Forget what a remittance allowed that was another claim's; the word before it counts again."""
    if not claim.snapshot:
        return
    payer_id, practice = _payer_of(claim), claim.session.provider.practice_id
    codes = set(claim.lines.values_list("procedure_code", flat=True))
    of_it = AllowedAmount.objects.filter(
        practice=practice, payer_id=payer_id, procedure_code__in=codes, paid_on=signal.effective_date
    )
    if not of_it.delete()[0]:
        return
    alike = Claim.objects.filter(session__provider__practice=practice, lines__procedure_code__in=codes)
    rows = ClaimSignal.objects.filter(claim__in=alike.values("pk"), kind=signal.kind, dismissed_at=None)
    latest = rows.select_related("claim__session").order_by("-effective_date", "-id")[:MOST_LOOKED_AT]
    others = {row.claim for row in latest if row.claim and row.claim.snapshot}
    theirs = [other for other in others if _payer_of(other) == payer_id]
    found = _of_remittances(
        (other, each, outcome.allowed_by_line)
        for other, said in _remittances_of(theirs).items()
        if (outcome := settle(said, billed=other.total_charge))
        for each in said
        if each.natural_key in outcome.decided_by
    )
    if kept := [each for each in found if each.line.procedure_code in codes]:
        _keep(kept)


def _remittances_of(claims: Sequence[Claim]) -> dict[Claim, list[Signal]]:
    rows = ClaimSignal.objects.filter(claim__in=claims, kind=SignalKind.REMITTANCE, dismissed_at=None)
    by_id = {claim.pk: claim for claim in claims}
    found: dict[Claim, list[Signal]] = defaultdict(list)
    for claim_id, payload in rows.values_list("claim", "payload"):
        found[by_id[claim_id]].append(Signal.from_json(payload))
    return found


def _payer_of(claim: Claim) -> str:
    return str(claim.draft()["payer"]["payer_id"])


def _of_remittances(arrived: Iterable[tuple[Claim, Signal, Mapping[str, Decimal]]]) -> Iterator[Allowed]:
    """What was allowed, in all, for lines that these speak of and claims as they are built.

    Of a claim that begins again nobody knows the payer.
    """
    first = [
        (claim, signal, allowed)
        for claim, signal, allowed in arrived
        if signal.claim_status_code in FIRST and claim.snapshot
    ]
    lines: dict[UUID, list[ClaimLine]] = defaultdict(list)
    for line in ClaimLine.objects.filter(claim__in={claim.pk for claim, _, _ in first}).order_by(
        "claim", "number"
    ):
        lines[line.claim_id].append(line)
    for claim, signal, allowed in first:
        named = {line.control_number for line in signal.lines}
        billed = lines[claim.pk]
        for line in billed:
            is_alone = len(billed) == 1
            amount = allowed.get("" if is_alone else line.line_control_number, NOTHING)
            if amount > 0 and (is_alone or line.line_control_number in named):
                yield Allowed(claim, line, amount, signal.effective_date)


def _keep(found: Iterable[Allowed]) -> None:
    rows = [
        (
            each.claim.session.provider_id,
            _payer_of(each.claim),
            each.line.procedure_code,
            round(each.amount / each.line.units, 2),
            round(each.line.charge / each.line.units, 2),
            each.paid_on,
        )
        for each in found
    ]
    with connection.cursor() as cursor:
        cursor.execute(KEEP, [list(column) for column in zip(*rows, strict=True)])


def _warning(allowed: Allowed) -> TimelineEntry:
    line = allowed.line
    return TimelineEntry(
        EventType.SESSION_WARNING,
        f"{with_capital(payer_of(allowed.claim))} allowed all of the {dollars(line.charge)} charged "
        f"for {line.procedure_code}, and may well allow more. Billing staff compare the rate with the "
        "contract.",
    )
