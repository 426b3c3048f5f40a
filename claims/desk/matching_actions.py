"""Answers that found no claim: which claims could be meant, and what happens when a person says which."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from claims import actions, allowed, lifecycle, matching, posting, timeline, work_queue
from claims.answer_source import Stated
from claims.answer_tasks import DOUBT_WORDS, mistaken_in_words
from claims.candidates import Payee, candidate_of, payee_of
from claims.desk.session_search import find_sessions
from claims.fold.entries import TimelineEntry
from claims.ledger import entries_of_claim
from claims.models import AnswerMatch, Claim, ClaimSignal, LedgerEntry, WorkItem
from claims.settlement import SettledSession, settle_sessions
from claims.signals import EventType, Signal, SignalKind
from sessions_app.member_index import member_indexes
from sessions_app.models import StaffDeed

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Queue = WorkItem.Queue
MOST_CANDIDATES = 8
DAYS_AROUND = timedelta(days=3)
OF_ANOTHER = "That claim belongs to another organization than the answer is for."


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claim that could be meant, with the facts that agree and those that don't."""

    claim: Claim = field(repr=False)
    match: matching.Match
    certain: bool
    """Every fact agrees, and it is the only one that fits."""
    looked_for: bool
    """It has the number or the name that a person looked for."""


def paid_in(stated: Stated | None) -> Payee | None:
    """Whom the answer is for; None where it doesn't say."""
    if stated is None:
        return None
    return payee_of(stated.payee_npi, stated.header.payee_tax_id if stated.header else "")


def _may_be_filed(payee: Payee | None, claim: Claim) -> bool:
    """Tell whether a person may file it so: what an NPI, or one of ours, is paid with what it bills for."""
    is_known = payee is not None and bool(payee.npi or payee.organizations)
    return not is_known or _fits(payee, claim)


def _fits(payee: Payee | None, claim: Claim) -> bool:
    return payee is None or payee.bills_for(claim)


def propose(row: ClaimSignal, stated: Stated | None, *, also: str = "") -> list[Proposal]:
    """Claims that could be meant, the best first; before them those with `also`, which a person looks for."""
    answer = stated.answer if stated else matching.Answer(patient_control_number=row.patient_control_number)
    payee = paid_in(stated)
    partners = payee.organizations if payee else ()
    looked_for = {str(pk) for pk in _ids(list(_by_word(also)))} if also else set()
    near = _ids([*_by_numbers(answer), *_near(answer, partners=partners)])
    found = Claim.objects.filter(pk__in=[*looked_for, *near], patient_control_number__isnull=False)
    found = found.select_related("session", "partner").prefetch_related("lines").order_by("-created_at")
    by_id = {str(claim.pk): claim for claim in found if _may_be_filed(payee, claim)}
    ranked = matching.rank(answer, [candidate_of(claim) for claim in by_id.values()])
    only = matching.only_fit(ranked)
    asked = [matching.compare(answer, candidate_of(by_id[key])) for key in by_id if key in looked_for]
    asked.sort(key=lambda each: -each.score)
    best = [each for each in ranked[:MOST_CANDIDATES] if each.score > 0 or each is ranked[0]]
    proposals = []
    for each in [*asked[:MOST_CANDIDATES], *(each for each in best if each not in asked)]:
        key = each.candidate.claim_id
        certain = each == only and each.is_named and _fits(payee, by_id[key])
        proposals.append(Proposal(by_id[key], each, certain=certain, looked_for=key in looked_for))
    return proposals


def outcomes_of(row: ClaimSignal, claims: Sequence[Claim]) -> dict[UUID, SettledSession]:
    """By claim, what its session would come to with this answer; worked out in memory."""
    sessions = {claim.session_id for claim in claims}
    versions: dict[UUID, list[Claim]] = defaultdict(list)
    for version in (
        Claim.objects.select_related("session").filter(session__in=sessions).order_by("session_id", "version")
    ):
        versions[version.session_id].append(version)
    own = [version.pk for each in versions.values() for version in each]
    known: dict[UUID | None, list[ClaimSignal]] = defaultdict(list)
    for signal in ClaimSignal.objects.filter(claim__in=own, dismissed_at=None).order_by("id"):
        known[signal.claim_id].append(signal)
    outcomes = {}
    for claim in claims:
        as_if = ClaimSignal(
            id=row.pk,
            claim_id=claim.pk,
            natural_key=row.natural_key,
            kind=row.kind,
            payload=_addressed(row, claim).as_json(),
            received_at=row.received_at,
        )
        told = [signal for version in versions[claim.session_id] for signal in known[version.pk]]
        (outcomes[claim.pk],) = settle_sessions(versions[claim.session_id], [*told, as_if])
    return outcomes


def attach(
    signal_id: int,
    claim: Claim,
    *,
    user: "User | None",
    stated: Stated | None,
    found: matching.Match | None = None,
) -> AnswerMatch:
    """Say that an answer is about this claim: its money is posted there and the session settled, at once.

    ActionRefusedError where it has a claim already, or the claim is another organization's.
    """
    with transaction.atomic():
        actions.lock_newest(claim.session_id)
        row = ClaimSignal.objects.select_for_update(of=("self",)).get(pk=signal_id)
        if row.claim_id is not None:
            raise actions.ActionRefusedError("Somebody has matched this answer already.")
        if not _may_be_filed(paid_in(stated), claim):
            raise actions.ActionRefusedError(OF_ANOTHER)
        ClaimSignal.objects.filter(pk=row.pk).update(
            claim=claim,
            partner_id=claim.partner_id,
            payload=_addressed(row, claim).as_json(),
            settled_at=None,
            dismissed_at=None,
        )
        _post_money(row, claim, stated=stated)
        WorkItem.objects.filter(signal=row, queue=Queue.UNMATCHED, closed_at=None).update(
            closed_at=timezone.now(), assignee=user
        )
        matched = AnswerMatch.objects.create(
            partner_id=claim.partner_id,
            signal=row,
            claim=claim,
            user=user,
            agreeing=[str(fact) for fact in found.agreeing] if found else [],
            differing=[str(fact) for fact in found.differing] if found else [],
        )
        lifecycle.settle([claim.session_id])
        actions.keep_deed(claim, deed=StaffDeed.FILED, user=user)
    return matched


def detach(match_id: int, *, user: "User | None", reason: str) -> None:
    """Undo a match: the answer waits for its claim again, and the session is folded without it."""
    reason = actions.said(reason)
    with transaction.atomic():
        matched = (
            AnswerMatch.objects.select_for_update(of=("self",))
            .select_related("claim__session", "signal")
            .get(pk=match_id)
        )
        if matched.undone_at is not None:
            raise actions.ActionRefusedError("Somebody has undone this match already.")
        row, claim = matched.signal, matched.claim
        actions.lock_newest(claim.session_id)
        now = timezone.now()
        doubt = WorkItem.objects.filter(signal=row, summary__in=DOUBT_WORDS.values()).first()
        stated = replace(
            Signal.from_json(row.payload), patient_control_number=row.patient_control_number, transmission=1
        )
        ClaimSignal.objects.filter(pk=row.pk).update(
            claim=None, partner=None, payload=stated.as_json(), settled_at=None
        )
        LedgerEntry.objects.filter(signal=row).update(claim=None, partner=None, line_number=None)
        AnswerMatch.objects.filter(pk=match_id).update(undone_at=now, undone_by=user, undone_because=reason)
        words = doubt.summary if doubt else mistaken_in_words(stated)
        work_queue.unmatched(row, stated, summary=words).save()
        if stated.kind is SignalKind.REMITTANCE:
            allowed.take_out(claim, stated)
        words = "An answer of the payer was filed with this claim by mistake. It is taken out again."
        timeline.append([(TimelineEntry(EventType.CLAIM_NOTED, words), claim)], at=now)
        lifecycle.settle([claim.session_id])
        actions.keep_deed(claim, deed=StaffDeed.UNFILED, user=user, why=reason)


def dismiss(signal_id: int, *, user: "User | None", reason: str) -> None:
    """Say that an answer is about no claim of ours; it leaves the queue and touches nothing."""
    if not reason.strip():
        raise actions.ActionRefusedError("Say why: the reason stays with the answer.")
    with transaction.atomic():
        now = timezone.now()
        if not ClaimSignal.objects.filter(pk=signal_id, claim=None, dismissed_at=None).update(
            dismissed_at=now
        ):
            raise actions.ActionRefusedError("Somebody has dealt with this answer already.")
        WorkItem.objects.filter(signal=signal_id, closed_at=None).update(
            closed_at=now, assignee=user, outcome=f"Not ours: {reason.strip()}"[:200]
        )


def take_up_again(signal_id: int, *, user: "User | None") -> None:
    """Undo `dismiss`: the answer waits for its claim again, with whoever takes it up."""
    with transaction.atomic():
        row = ClaimSignal.objects.select_for_update(of=("self",)).get(pk=signal_id)
        if row.claim_id is not None or row.dismissed_at is None:
            raise actions.ActionRefusedError("It isn't set aside any more.")
        ClaimSignal.objects.filter(pk=row.pk).update(dismissed_at=None)
        asked = WorkItem.objects.filter(signal=row, queue=Queue.UNMATCHED).latest("pk")
        again = work_queue.unmatched(row, Signal.from_json(row.payload), summary=asked.summary)
        again.assignee = user
        again.save()


def _addressed(row: ClaimSignal, claim: Claim) -> Signal:
    return Signal.from_json(row.payload).of_claim(
        claim.patient_control_number or "", transmission=max(claim.times_sent, 1)
    )


def _post_money(row: ClaimSignal, claim: Claim, *, stated: Stated | None) -> None:
    """Move what the remittance posted without a claim to this one, each amount to its line."""
    waiting = list(LedgerEntry.objects.filter(signal=row).order_by("id"))
    numbers: Sequence[int | None] = [None] * len(waiting)
    if stated and stated.remitted:
        billed = posting.billed_lines([claim.pk]).get(claim.pk, [])
        entries = entries_of_claim(stated.remitted, billed=billed)
        if len(entries) == len(waiting):
            numbers = [entry.line_number for entry in entries]
    for entry, number in zip(waiting, numbers, strict=True):
        entry.claim, entry.partner_id, entry.line_number = claim, claim.partner_id, number
    LedgerEntry.objects.bulk_update(waiting, ["claim", "partner", "line_number"])


def _by_numbers(answer: matching.Answer) -> Iterator[QuerySet[Claim]]:
    """Claims whose number begins as one of the answer's, or that the payer has given its number."""
    for number in {answer.patient_control_number, *answer.line_control_numbers}:
        start = number.strip().upper()[: matching.SHORTEST_PREFIX - 1]
        if len(start) >= matching.SHORTEST_BEGINNING:
            yield Claim.objects.filter(patient_control_number__startswith=start)
    if answer.payer_control_number:
        yield Claim.objects.filter(payer_control_number=answer.payer_control_number)


def _by_word(also: str) -> Iterator[QuerySet[Claim]]:
    """Claims by what a person looks for: the beginning of a claim number, or whatever finds a session."""
    yield Claim.objects.filter(patient_control_number__startswith=also.upper())
    yield Claim.objects.filter(session__in=find_sessions(also).ids)


def _near(answer: matching.Answer, *, partners: Sequence[UUID]) -> Iterator[QuerySet[Claim]]:
    """Claims of about that day: with the same member ID, or the same charge at one of these organizations."""
    if not answer.service_from:
        return
    around = (answer.service_from - DAYS_AROUND, (answer.service_to or answer.service_from) + DAYS_AROUND)
    near = Claim.objects.filter(session__date_of_service__range=around)
    if answer.member_id:
        yield near.filter(session__member_id_index__in=member_indexes(answer.member_id))
    if answer.charge is not None and partners:
        yield near.filter(total_charge=answer.charge, session__partner__in=partners)


def _ids(ways: Sequence[QuerySet[Claim]]) -> list[UUID]:
    """The newest few of each way, which goes by an index of its own."""
    few = [way.order_by("-session_id").values_list("pk")[: MOST_CANDIDATES * 4] for way in ways]
    return [pk for (pk,) in few[0].union(*few[1:])] if few else []
