"""Looks at the service's rows as they must be at every moment; a process of its own beside the service.

Its argument is a question, `{"external_ids": […] | null, "at_rest": …}`. It prints a line: what is stored of
those sessions (null: of all), and a sentence for all that is not as it must be. At rest nothing may be
waiting any more.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import Error, connection, transaction
from django.db.models import F, Q, Sum
from django.db.models.functions import Now

from claims.ledger import MONEY
from claims.models import (
    Claim,
    ClaimSignal,
    InboundFile,
    LedgerEntry,
    Remittance,
    SandboxSubmission,
    Transmission,
    WorkItem,
)
from claims.settlement import settle_sessions
from sessions_app.models import Session

LONGEST_REST = timedelta(seconds=60)


def audit(external_ids: list[str] | None, *, at_rest: bool) -> dict[str, Any]:
    """One look at everything, as it stands at one instant."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        chosen = Q() if external_ids is None else Q(session__external_session_id__in=external_ids)
        claims = list(
            Claim.objects.filter(chosen).select_related("session").order_by("session_id", "version")
        )
        return {
            "sessions": [_told(claim) for claim in claims],
            "problems": list(_problems(claims, at_rest=at_rest)),
        }


def _told(claim: Claim) -> dict[str, Any]:
    return {
        "external_id": claim.session.external_session_id,
        "session_id": str(claim.session_id),
        "session_status": claim.session.status,
        "first_name": claim.session.patient_first_name,
        "version": claim.version,
        "step": claim.step,
        "status": claim.status,
        "gateway": claim.gateway,
        "number": claim.patient_control_number,
        "times_sent": claim.times_sent,
    }


def _problems(claims: list[Claim], *, at_rest: bool) -> Iterator[str]:
    yield from _live_twice(claims)
    yield from _not_as_folded(claims)
    yield from _unseen(claims)
    if at_rest:
        yield from _overdue()
    yield from _money()
    yield from _sandbox()
    outside = set(Session.objects.values_list("pk", flat=True)) - set(
        Claim.objects.values_list("session_id", flat=True)
    )
    yield from (f"session {pk} has no claim" for pk in outside)


def _live_twice(claims: list[Claim]) -> Iterator[str]:
    versions = Counter(claim.session_id for claim in claims)
    yield from (f"session {pk} has {count} claims" for pk, count in versions.items() if count > 1)
    numbers = Counter(claim.patient_control_number for claim in claims if claim.patient_control_number)
    yield from (
        f"control number {number} is on {count} claims" for number, count in numbers.items() if count > 1
    )
    interchanges = Counter(Transmission.objects.values_list("interchange_control_number", flat=True))
    yield from (f"interchange {number} was written {n} times" for number, n in interchanges.items() if n > 1)


def _not_as_folded(claims: list[Claim]) -> Iterator[str]:
    """A claim that left, or that something was said about, stands where its signals put it."""
    heard = set(ClaimSignal.objects.filter(claim__in=claims).values_list("claim", flat=True))
    left = [claim for claim in claims if claim.step == Claim.Step.FOLLOW or claim.pk in heard]
    signals = ClaimSignal.objects.filter(claim__in=left, dismissed_at=None).order_by("id")
    for each in settle_sessions(left, signals):
        claim = each.claims[-1]
        stored = (claim.session.status, claim.status)
        folded = (each.outcome.session_status.value, each.outcome.claim_status.value)
        if stored != folded:
            yield f"claim {claim.pk} stands at {stored}, its signals say {folded}"
        if each.told:
            yield f"claim {claim.pk} has signals that were not settled"


def _unseen(claims: list[Claim]) -> Iterator[str]:
    """Whatever can't go on is in a queue with its reason, and nothing waits that nobody is coming for."""
    silent = WorkItem.objects.filter(Q(reason="") | Q(summary=""), closed_at=None)
    yield from (f"task {pk} says no reason" for pk in silent.values_list("pk", flat=True))
    listed = set(WorkItem.objects.filter(closed_at=None).values_list("session_id", flat=True))
    for claim in claims:
        if claim.step == Claim.Step.HELD and claim.session_id not in listed:
            yield f"claim {claim.pk} is held and in no queue"
        waits = claim.step not in (Claim.Step.HELD, Claim.Step.FOLLOW)
        if waits and claim.next_step_at is None:
            yield f"claim {claim.pk} waits at {claim.step} for nothing"
    refused = InboundFile.objects.exclude(state__in=("received", "applied")).filter(work_items=None)
    yield from (
        f"file {pk} was not applied, and is in no queue" for pk in refused.values_list("pk", flat=True)
    )
    unmatched = ClaimSignal.objects.filter(claim=None, dismissed_at=None, work_items=None)
    yield from (
        f"signal {pk} fits no claim, and is in no queue" for pk in unmatched.values_list("pk", flat=True)
    )


def _overdue() -> Iterator[str]:
    """Nobody has come to these for a minute, though there is nothing else to do."""
    overdue = Claim.objects.filter(next_step_at__lt=Now() - LONGEST_REST).exclude(step=Claim.Step.FOLLOW)
    yield from (f"claim {pk} has been due for a minute" for pk in overdue.values_list("pk", flat=True))
    files = InboundFile.objects.filter(state="received", received_at__lt=Now() - LONGEST_REST)
    yield from (f"file {pk} has been waiting for a minute" for pk in files.values_list("pk", flat=True))


def _money() -> Iterator[str]:
    """Each transfer is its entries, and each claim's paid amount is what was transferred for it."""
    for remittance in Remittance.objects.filter(state="posted").annotate(
        moved=Sum("entries__amount", filter=Q(entries__kind__in=[kind.value for kind in MONEY]))
    ):
        if (remittance.moved or 0) != remittance.amount:
            yield f"remittance {remittance.pk} is {remittance.amount}, its entries {remittance.moved}"
    paid = (
        LedgerEntry.objects.filter(kind__in=("payment", "reversal"), claim__isnull=False)
        .values("claim")
        .annotate(moved=Sum("amount"))
        .exclude(claim__paid=F("moved"))
    )
    for row in paid.values_list("claim", "claim__paid", "moved"):
        if row[2] or row[1]:
            yield f"claim {row[0]} is paid {row[1]}, its ledger says {row[2]}"


def _sandbox() -> Iterator[str]:
    """What the sandbox took, claim by claim: no claim in two deliveries."""
    taken = Counter(
        line.split("*")[1]
        for content in SandboxSubmission.objects.exclude(reference="").values_list("content", flat=True)
        for line in content.split("~")
        if line.startswith("CLM*")
    )
    yield from (f"claim {number} was taken {count} times" for number, count in taken.items() if count > 1)


def main() -> None:
    question = json.loads(sys.argv[1])
    for attempt in range(20):
        try:
            answer = audit(question["external_ids"], at_rest=question["at_rest"])
            break
        except Error:
            connection.close()
            if attempt == 19:
                raise
            time.sleep(0.1)
    sys.stdout.write(json.dumps(answer) + "\n")
