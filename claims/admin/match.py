"""Matching an answer that found no claim: what the payer says beside the claims that it could be about."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html

from billing.adjustment_words import explain_adjustment, explain_remark
from claims import actions, assignment
from claims.admin import undo
from claims.admin.addresses import address_of
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page, text_of
from claims.admin.problem import says
from claims.admin.session import standing_in_queue
from claims.admin.session_actions import LONGEST_OUTCOME, go_on_in, say_refused, snooze_items, wake_items
from claims.answer_source import Stated, answer_lines, find_stated
from claims.answer_tasks import DOUBT_WORDS
from claims.desk import matching_actions
from claims.desk.matching_actions import Proposal
from claims.desk.view_records import What, record_list, record_view
from claims.fold.words import dollars, provider_adjustment_moved, provider_adjustment_reason, with_capital
from claims.matching import Fact
from claims.models import AnswerMatch, Claim, ClaimSignal, WorkItem
from claims.settlement import SettledSession
from claims.signals import Signal, SignalKind
from claims.staff_words import status_reading

LONGEST_NUMBER = 80
QUEUE = WorkItem.Queue.UNMATCHED
TAKEN_OUT = "This answer was matched meanwhile, and the match undone. Nothing was saved: look at it anew."
UNDONE_AT_ONCE = "Undone at once by whoever matched it."
FACT_WORDS = {
    Fact.PATIENT_CONTROL_NUMBER: "claim number",
    Fact.LINE_CONTROL_NUMBER: "line number",
    Fact.EXTENDED_CONTROL_NUMBER: "claim number, with something added",
    Fact.TRUNCATED_CONTROL_NUMBER: "claim number, cut short",
    Fact.BEGINNING_OF_NUMBER: "claim number, {} characters",
    Fact.PAYER_CONTROL_NUMBER: "payer's number",
    Fact.MEMBER_ID: "member ID",
    Fact.NAME: "name",
    Fact.DATE_OF_SERVICE: "date",
    Fact.CHARGE: "charge",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A claim that could be meant, as it is drawn."""

    proposal: Proposal = field(repr=False)
    agreeing: Sequence[str]
    differing: Sequence[str]
    becomes: str
    key: int
    session_status: str
    codes: str


@page("claims.correct_session", methods=("GET", "HEAD", "POST"))
def match(request: StaffRequest, item_id: int) -> HttpResponse:
    """Show an answer without a claim and the claims that fit; with POST file it with one of them."""
    item, row = _open(item_id)
    again = WorkItem.objects.filter(signal=row, queue=QUEUE, closed_at=None).exclude(pk=item.pk).first()
    if again is not None:
        if request.method == "POST":
            messages.error(request, TAKEN_OUT)
        return redirect("desk:match", again.pk)
    stated = find_stated(row)
    if request.method == "POST" and "claim" in request.POST:
        return _match(request, item, row, stated)
    also = text_of(request, "number", most=LONGEST_NUMBER)
    return _draw(request, item, row, stated, also=also)


@page("claims.correct_session", methods=("POST",))
def dismiss(request: StaffRequest, item_id: int) -> HttpResponse:
    """Say that an answer is about no claim of ours."""
    item, row = _open(item_id)
    reason = text_of(request, "reason", most=LONGEST_OUTCOME)
    try:
        matching_actions.dismiss(row.pk, user=request.user, reason=reason)
    except actions.ActionRefusedError as refused:
        say_refused(request, str(refused))
        return _again(request, item)
    undo.offer(request, "Set aside as not ours.", address=reverse("desk:match-again", args=[item.pk]))
    return go_on_in(request, _came(request))


@page("claims.correct_session", methods=("POST",))
def take_up_again(request: StaffRequest, item_id: int) -> HttpResponse:
    """Let an answer that was set aside as not ours wait for its claim again."""
    item, row = _open(item_id)
    try:
        matching_actions.take_up_again(row.pk, user=request.user)
    except actions.ActionRefusedError as refused:
        say_refused(request, str(refused))
    else:
        messages.success(request, "It waits for its claim again, and is yours.")
    return redirect("desk:match", item.pk)


@page("claims.correct_session", methods=("POST",))
def snooze(request: StaffRequest, item_id: int) -> HttpResponse:
    """Let an answer without a claim rest until a day."""
    item, _ = _open(item_id)
    if not snooze_items(request, [item.pk], wake=reverse("desk:match-wake", args=[item.pk])):
        return _again(request, item)
    return go_on_in(request, _came(request))


@page("claims.correct_session", methods=("POST",))
def wake(request: StaffRequest, item_id: int) -> HttpResponse:
    """End its snooze."""
    item, _ = _open(item_id)
    wake_items(request, [item.pk])
    return _again(request, item)


@page("claims.correct_session", methods=("POST",))
def undo_match(request: StaffRequest, match_id: int) -> HttpResponse:
    """Take an answer away from its claim again, with a reason; another's match is a lead's to undo."""
    matched = AnswerMatch.objects.filter(pk=match_id).select_related("claim").first()
    if matched is None:
        raise Http404
    if not may_undo(request, matched):
        raise PermissionDenied
    reason = text_of(request, "reason", most=LONGEST_OUTCOME)
    try:
        matching_actions.detach(match_id, user=request.user, reason=reason)
    except actions.ActionRefusedError as refused:
        say_refused(request, str(refused))
    else:
        messages.success(request, "Undone: the answer waits for its claim again.")
    return redirect("desk:session", matched.claim.session_id)


def may_undo(request: StaffRequest, matched: AnswerMatch) -> bool:
    """Whether this person may undo a match: their own, or any with the lead's right."""
    own = matched.user_id == request.user.pk and request.user.has_perm("claims.correct_session")
    return own or request.user.has_perm("claims.void_claim")


def _open(item_id: int) -> tuple[WorkItem, ClaimSignal]:
    item = (
        WorkItem.objects.filter(pk=item_id, queue=QUEUE, signal__isnull=False)
        .select_related("signal__inbound_file", "signal__claim", "assignee")
        .first()
    )
    if item is None or item.signal is None:
        raise Http404
    return item, item.signal


def _draw(
    request: StaffRequest,
    item: WorkItem,
    row: ClaimSignal,
    stated: Stated | None,
    *,
    also: str = "",
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    closed = item.closed_at is not None or row.claim_id is not None
    proposals = [] if closed else matching_actions.propose(row, stated, also=also)
    outcomes = matching_actions.outcomes_of(row, [each.claim for each in proposals])
    filed_with = row.claim.session_id if row.claim else None
    record_view(request.user, what=What.RAW_FILE, session_id=filed_with, detail=f"answer {row.pk}")
    record_list(
        request.user,
        session_ids=[each.claim.session_id for each in proposals],
        detail=f"claims for answer {row.pk}",
    )
    assignment.lease(item.pk, user=request.user)
    came = _came(request)
    signal = Signal.from_json(row.payload)
    raw = answer_lines(row) if request.user.has_perm("claims.read_raw_file") else []
    return draw(
        request,
        "admin/session/match.html",
        title="Answer without a claim",
        doubt=item.summary if item.summary in DOUBT_WORDS.values() else "",
        status=status,
        for_payee=matching_actions.paid_in(stated) is not None,
        item=item,
        row=row,
        signal=signal,
        stated=stated,
        answer=stated.answer if stated else None,
        codes=says(signal),
        reasons=_not_paid(signal),
        moved=_moved(signal),
        shown=[
            _shown(signal, proposal, outcomes[proposal.claim.pk], key)
            for key, proposal in enumerate(proposals, 1)
        ],
        certain=next((each for each in proposals if each.certain), None),
        raw="\n".join(raw),
        also=also,
        near_days=matching_actions.DAYS_AROUND.days,
        missed=bool(also) and not any(each.looked_for for each in proposals),
        problem=problem,
        closed=closed,
        filed=AnswerMatch.objects.filter(signal=row, undone_at=None).select_related("claim", "user").first()
        if closed
        else None,
        place=standing_in_queue(request, item, came)[0],
        queue=came,
    )


def _match(request: StaffRequest, item: WorkItem, row: ClaimSignal, stated: Stated | None) -> HttpResponse:
    chosen = str(request.POST["claim"])
    proposals = matching_actions.propose(row, stated, also=text_of(request, "number", most=LONGEST_NUMBER))
    proposal = next((each for each in proposals if str(each.claim.pk) == chosen), None)
    if proposal is None:
        return _draw(request, item, row, stated, problem="Choose one of these claims.", status=400)
    try:
        matched = matching_actions.attach(
            row.pk, proposal.claim, user=request.user, stated=stated, found=proposal.match
        )
    except actions.ActionRefusedError as refused:
        return _draw(request, item, row, stated, problem=str(refused), status=409)
    there = reverse("desk:session", args=[proposal.claim.session_id])
    number = proposal.claim.patient_control_number
    messages.success(request, format_html('Matched with claim <a href="{}">{}</a>.', there, number))
    address = reverse("desk:match-undo", args=[matched.pk])
    undo.offer(request, "The wrong claim?", address=address, reason=UNDONE_AT_ONCE)
    return go_on_in(request, _came(request))


def _not_paid(signal: Signal) -> list[str]:
    """What the payer kept and why, an amount a line; then its remarks."""
    kept = [
        f"{dollars(each.amount)}: {explain_adjustment(each.group, each.reason).sentence}"
        for each in signal.every_adjustment
    ]
    return [*kept, *(explain_remark(remark).sentence for remark in signal.every_remark)]


def _moved(signal: Signal) -> list[tuple[str, str]]:
    """What a provider-level adjustment kept or added, and why."""
    if signal.kind is not SignalKind.PROVIDER_ADJUSTMENT:
        return []
    payer = signal.payer_name or "A payer"
    return [
        (provider_adjustment_moved(each, payer=payer), with_capital(provider_adjustment_reason(each)))
        for each in signal.adjustments
    ]


def _shown(signal: Signal, proposal: Proposal, settled: SettledSession, key: int) -> Shown:
    match = proposal.match
    differing = [FACT_WORDS[fact] for fact in match.differing]
    if not match.is_named and signal.patient_control_number:
        differing.insert(0, "claim number")
    return Shown(
        proposal,
        [FACT_WORDS[fact].format(len(signal.patient_control_number.strip())) for fact in match.agreeing],
        differing,
        _becomes(signal, settled, proposal.claim),
        key,
        status_reading(proposal.claim.status).words,
        _services(proposal.claim),
    )


def _services(claim: Claim) -> str:
    """The claim's codes and charge, as a line of the list has them."""
    codes = ["-".join((line.procedure_code, *line.modifiers)) for line in claim.lines.all()]
    charge = [dollars(claim.total_charge)] if claim.total_charge is not None else []
    return " · ".join([*codes, *charge])


def _becomes(signal: Signal, settled: SettledSession, claim: Claim) -> str:
    """What the session would come to, in one sentence."""
    if signal.kind is SignalKind.PROVIDER_ADJUSTMENT and signal.moved is not None:
        stays = status_reading(claim.status).words.lower()
        return f"{dollars(signal.moved)} of another payment is filed with this claim; it stays: {stays}."
    place = [each.pk for each in settled.claims].index(claim.pk)
    outcome = settled.outcome.outcomes[place]
    status = status_reading(settled.outcome.claim_status).words.lower()
    parts = [f"The session becomes: {status}"]
    if outcome.paid:
        parts.append(f"{dollars(outcome.paid)} from {claim.session.payer_name}")
    if outcome.patient_owes:
        parts.append(f"{dollars(outcome.patient_owes)} the patient owes")
    return ", ".join(parts) + "."


def _again(request: StaffRequest, item: WorkItem) -> HttpResponse:
    return redirect(address_of(item, user=request.user, came=_came(request)))


def _came(request: StaffRequest) -> OpenedFrom:
    return OpenedFrom.named_by(request) or OpenedFrom(QUEUE)
