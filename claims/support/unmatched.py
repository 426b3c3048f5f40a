"""Answers that name no claim of ours: which claim might be meant, and the person's word that it is."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from claims import lifecycle, matching
from claims.models import Claim, ClaimSignal, LedgerEntry, WorkItem
from claims.signals import Signal

MOST_CANDIDATES = 10
LOOK_BACK = timedelta(days=400)


class MatchRefused(Exception):
    """The answer can't be given to that claim; the words say why."""


def unmatched_signals() -> QuerySet[ClaimSignal]:
    """Answers that wait for their claim, the oldest first."""
    return ClaimSignal.objects.filter(claim=None, dismissed_at=None).order_by("received_at")


def candidates_of(row: ClaimSignal) -> list[matching.Match]:
    """Claims that might be meant, the best first: by the numbers in the answer, else by its charge."""
    signal = Signal.from_json(row.payload)
    lines = tuple(line.control_number for line in signal.lines if line.control_number)
    answer = matching.Answer(
        patient_control_number=signal.patient_control_number,
        payer_control_number=signal.payer_control_number,
        line_control_numbers=lines,
        charge=abs(signal.charge) if signal.charge is not None else None,
    )
    claims = Claim.objects.filter(_by_numbers(answer)).select_related("session").order_by("-created_at")
    found = list(claims[:MOST_CANDIDATES])
    if not found and answer.charge:
        recent = Claim.objects.filter(
            total_charge=answer.charge, submitted_at__gte=timezone.now() - LOOK_BACK
        ).select_related("session")
        found = list(recent.order_by("-submitted_at")[:MOST_CANDIDATES])
    return matching.rank(answer, [_candidate(claim) for claim in found])


def match(row: ClaimSignal, claim: Claim) -> None:
    """Give the answer to the claim, post its money there and settle the session; MatchRefused if it has one."""
    with transaction.atomic():
        versions = Claim.objects.select_for_update(of=("self",)).filter(session_id=claim.session_id)
        list(versions.order_by("version").values_list("pk"))
        signal = Signal.from_json(row.payload).of_claim(
            claim.patient_control_number or "", transmission=max(claim.times_sent, 1)
        )
        taken = ClaimSignal.objects.filter(pk=row.pk, claim=None).update(
            claim=claim, partner_id=claim.partner_id, payload=signal.as_json(), dismissed_at=None
        )
        if not taken:
            raise MatchRefused("That answer belongs to a claim already.")
        LedgerEntry.objects.filter(signal=row, claim=None).update(claim=claim, partner_id=claim.partner_id)
        WorkItem.objects.filter(signal=row, closed_at=None).update(closed_at=timezone.now())
        lifecycle.settle([claim.session_id])


def _by_numbers(answer: matching.Answer) -> Q:
    starts = {answer.patient_control_number[: matching.SHORTEST_PREFIX].upper()}
    starts |= {number[: matching.SHORTEST_PREFIX].upper() for number in answer.line_control_numbers}
    meant = Q(pk=None)
    for start in starts:
        if len(start) == matching.SHORTEST_PREFIX:
            meant |= Q(patient_control_number__startswith=start)
    if answer.payer_control_number:
        meant |= Q(payer_control_number=answer.payer_control_number)
    return meant


def _candidate(claim: Claim) -> matching.Candidate:
    return matching.Candidate(
        claim_id=str(claim.pk),
        patient_control_number=claim.patient_control_number or "",
        payer_control_number=claim.payer_control_number,
        date_of_service=claim.session.date_of_service,
        charge=claim.total_charge,
    )
