"""One session on one page: what is wrong and what fixes it, codes and note, claim, answers, history."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone

from billing.rules.catalogue import NEEDED_TO_WRITE
from billing.rules.rule import Severity
from claims import actions, assignment
from claims.admin.claim_words import raw_claim, segments_shown
from claims.admin.decision_words import Decision, decision_of
from claims.admin.navigation import WORK, open_count
from claims.admin.note_marks import mark, not_coded
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page
from claims.admin.problem import problem_of, says, what_helps
from claims.admin.session_actions import NO_OVERRIDE_HELPS
from claims.admin.session_record import (
    MOST_SHOWN,
    SessionPage,
    codes_shown,
    lines_shown,
    overrides_of,
    read_session,
    settled,
)
from claims.admin.sessions import last_day
from claims.admin.timeline_words import Told, told
from claims.answer_tasks import ENDED_BY_PEOPLE
from claims.desk.correction_preview import ELSEWHERE, Way, can_be_written, standing_of
from claims.desk.hand_posting import open_to
from claims.desk.reviews import can_be_set_aside, can_be_undone
from claims.desk.view_records import What
from claims.fold.statements import tell
from claims.fold.versions import SessionOutcome
from claims.fold.words import with_capital
from claims.models import Claim, ClaimSignal, NoteReview, Override, TransmittedClaim, WorkItem
from claims.settlement import how_they_stand, payer_of
from claims.signals import MONEY_SIGNALS, NOT_PAID, ClaimStatus, SessionStatus, Signal, Source
from claims.staff_words import QUEUE_READINGS, how_met
from claims.versions import JUDGED, is_voided, left_by_void, voidable, why_not_again
from claims.watchdog import silent_claim
from claims.work_list import LEASE, MOST_COUNTED, place_of
from claims.work_queue import RESTORED, can_be_given_up
from claims.x12.claim import ProfessionalClaim
from sessions_app.models import SessionCode

PAID_OR_PER_INQUIRY = frozenset(JUDGED - {*NOT_PAID, ClaimStatus.REVERSED})
SAID_ABOVE = frozenset({ClaimStatus.TRANSPORT_REJECTED, ClaimStatus.DISPATCH_UNKNOWN})
"""What is wrong says by itself why it can't be corrected, unless it can be to another payer."""
READ_RAW, OPEN_NOTE = "claims.read_raw_file", "claims.open_note"


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """One answer in words, with its codes and the file that it came in."""

    row: ClaimSignal
    version: int
    is_void: bool
    sender: str
    words: str
    codes: str
    tone: str
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Buttons:
    """What this person may do to the session as it stands now."""

    correct: bool = False
    correct_words: str = "Correct"
    release: bool = False
    override: bool = False
    no_override: str = ""
    """Why none helps, where none does."""
    delay_reasons: Sequence[tuple[str, str]] = ()
    """To choose from, where the session is overdue."""
    voids: Sequence[tuple[Claim, str]] = ()
    """The versions that a void could take back, each with who is to pay it."""
    voids_shown: str = ""
    send_again: bool = False
    missing: TransmittedClaim | None = None
    """The claim in the file that perhaps never arrived."""
    unknown: Claim | None = None
    """The version whose payer has been silent for too long, and may say that it has no such claim."""
    unknown_payer: str = ""
    post: Claim | None = None
    """The version that a payment can be posted to by hand."""
    message: bool = False
    snooze: bool = False
    done: WorkItem | None = None
    """What an answer asks, and only a person can say that it is done."""
    ends: WorkItem | None = None
    """The refusal that nothing more need be done about."""
    sets_aside: bool = False
    leaves: WorkItem | None = None
    """What stays open about it all the same."""
    review: str = ""
    locked: str = field(default="")


@page("sessions_app.view_session", records=What.PAGE)
def session_page(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Show a session; its note stays closed."""
    return _show(request, session_id)


@page(OPEN_NOTE, methods=("POST",), records=What.NOTE)
def open_note(request: StaffRequest, session_id: UUID) -> HttpResponse:
    """Show a session with its note open; that this person opened it is written down first."""
    return _show(request, session_id, note_open=True)


@page(READ_RAW, records=What.CLAIM)
def claim_page(request: StaffRequest, session_id: UUID, version: int) -> HttpResponse:
    """Show one version of the claim, segment by segment and raw."""
    claim = Claim.objects.filter(session_id=session_id, version=version).select_related("session").first()
    if claim is None or not claim.snapshot:
        raise Http404
    frozen = ProfessionalClaim.from_json(claim.draft())
    return draw(
        request,
        "admin/session/claim.html",
        title=f"Claim, version {version}",
        claim=claim,
        session=claim.session,
        lines=claim.lines.order_by("number").select_related("rate__schedule"),
        segments=segments_shown(frozen),
        raw=raw_claim(frozen),
        transmissions=claim.transmissions.select_related("transmission")
        .defer("transmission__content", "transmission__answer")
        .order_by("ordinal"),
    )


def _show(request: StaffRequest, session_id: UUID, *, note_open: bool = False) -> HttpResponse:
    """Draw the page of a session."""
    record = read_session(
        session_id, user=request.user, with_note=note_open, whole_history="all" in request.GET
    )
    if record is None or not record.claims:
        raise Http404
    outcome = settled(record).outcome
    coding = record.coding if request.user.has_perm(OPEN_NOTE) else None
    problem = problem_of(record, outcome)
    claim, session = record.claim, record.session
    item = record.item
    if item is not None and request.user.has_perm("claims.correct_session"):
        assignment.lease(item.pk, user=request.user)
    frozen = ProfessionalClaim.from_json(claim.draft()) if claim.snapshot else None
    shows_claim = frozen is not None and request.user.has_perm(READ_RAW)
    note = getattr(session, "note", None)
    queue = OpenedFrom.named_by(request) or OpenedFrom(item.queue if item else "")
    place, alike = standing_in_queue(request, item, queue)
    return draw(
        request,
        "admin/session/page.html",
        title="Session",
        record=record,
        session=session,
        claim=claim,
        item=item,
        queue=queue,
        queue_reading=QUEUE_READINGS.get(queue.key),
        place=place,
        alike=alike,
        resting=_rests(item),
        open_elsewhere=_open_elsewhere(item, request),
        problem=problem,
        seen=actions.seen_of(claim, is_set_aside=record.is_set_aside),
        file_by=last_day(record.session, record.claim, record.item),
        outcome=outcome.outcomes[-1],
        earlier=_answered_before(record),
        paid_beside=_paid_beside(record),
        buttons=_buttons(request, record),
        met=how_met(session.place_of_service, [row.modifier for row in record.codes]),
        codes=codes_shown(record, coding),
        coding=coding,
        not_coded=not_coded(coding) if coding else [],
        has_note=note is not None and note.purged_at is None,
        note=mark(note.text, coding or NOTHING_CODED) if note_open and note and note.text else None,
        note_opened_at=timezone.now() if note_open else None,
        lines=lines_shown(record, frozen),
        segments=segments_shown(frozen, complaints=problem.complaints if problem else ())
        if shows_claim and frozen
        else [],
        raw=raw_claim(frozen) if shows_claim and frozen else "",
        answers=_answers(record, outcome),
        timeline=_timeline(record, whole="all" in request.GET),
        changes=record.changes if "all" in request.GET else record.changes[:MOST_SHOWN],
        more_changes=len(record.changes) > MOST_SHOWN and "all" not in request.GET,
        more_events=len(record.events) > MOST_SHOWN and "all" not in request.GET,
        overrides=overrides_of(record, frozen),
        review_words=_review_words(record),
        may_undo_review=_may_undo_review(request, record),
        others=_others_in_words(record),
    )


def _answered_before(record: SessionPage) -> Claim | None:
    """The version before the newest that was last paid or given a number by the payer."""
    earlier = [each for each in record.claims if each.version < record.claim.version]
    answered = [each for each in earlier if each.paid or each.payer_control_number]
    return max(answered, key=lambda each: each.version, default=None)


def _paid_beside(record: SessionPage) -> Claim | None:
    """The version that was paid, where the session is paid and its newest claim isn't."""
    if record.session.status != SessionStatus.PAID or record.claim.status in PAID_OR_PER_INQUIRY:
        return None
    newest_first = record.claims[::-1]
    paid = (each for each in newest_first if each.status in PAID_OR_PER_INQUIRY)
    return next((each for each in paid if not is_voided(each, newest_first)), None)


def standing_in_queue(request: StaffRequest, item: WorkItem | None, came: OpenedFrom) -> tuple[str, int]:
    """Where in its list an item stands, "4 of 73", and how many more wait for the same reason.

    The words are empty where it is in no list, or rests.
    """
    if item is None:
        return "", 0
    elsewhere = _rests(item) and came.filters.show != "snoozed"
    key = "" if elsewhere or not request.user.has_perm(WORK) else came.key
    found = place_of(item, key, user=request.user, narrow=came.narrow_for(request.user))
    if not found.listed:
        return "", found.alike
    total = open_count(request, key) if found.total is None else found.total
    beyond = f"beyond the first {MOST_COUNTED:,} of {total:,}"
    return (f"{found.place:,} of {total:,}" if found.place is not None else beyond), found.alike


def _rests(item: WorkItem | None) -> bool:
    """Whether it is snoozed until later than now."""
    return item is not None and item.snoozed_until is not None and item.snoozed_until > timezone.now()


NOTHING_CODED: dict[str, Any] = {
    "diagnoses": [],
    "procedures": [],
    "candidates": [],
    "rejected": [],
    "discrepancies": [],
}


def _review_words(record: SessionPage) -> str:
    return NoteReview.Outcome(record.reviewed["outcome"]).label.lower() if record.reviewed else ""


def _may_undo_review(request: StaffRequest, record: SessionPage) -> bool:
    works = request.user.has_perms(("claims.correct_session", OPEN_NOTE))
    decided = record.reviewed
    return decided is not None and works and can_be_undone(decided["outcome"], record.claim)


def _open_elsewhere(item: WorkItem | None, request: StaffRequest) -> WorkItem | None:
    """The item, where a living lease says that somebody else has it open."""
    if item is None or item.leased_by_id in (None, request.user.pk) or item.leased_at is None:
        return None
    return item if item.leased_at > timezone.now() - LEASE else None


def _buttons(request: StaffRequest, record: SessionPage) -> Buttons:
    may = request.user.has_perm
    claim, item = record.claim, record.item
    held = claim.step == Claim.Step.HELD
    restored = held and item is not None and item.reason == RESTORED
    standing = standing_of(claim, restored=restored)
    works = may("claims.correct_session")
    resends = standing.way is Way.RESEND and may("claims.resend_claim")
    corrects = standing.way is Way.CORRECT and works
    was_judged = claim.status in JUDGED or left_by_void(claim, record.claims[::-1]) is not None
    may_go_elsewhere = (was_judged or standing.why in ELSEWHERE) and may("claims.resend_claim")
    held_by = {each["rule"] for each in record.findings if each["severity"] == Severity.BLOCK}
    by_rules = item is None or item.queue != WorkItem.Queue.TRANSPORT
    stopped = held and standing.way is not Way.LOCKED and bool(held_by) and by_rules
    uncoded = len({each.kind for each in record.codes}) < len(SessionCode.Kind)
    in_doubt = stopped and works and (uncoded or bool(held_by & NEEDED_TO_WRITE))
    hopeless = in_doubt and not can_be_written(claim.session_id)
    voids = voidable(claim) if may("claims.void_claim") else []
    unknown = silent_claim(record.items) if may("claims.resend_claim") else None
    ends = next(filter(can_be_given_up, record.items), None) if works else None
    is_unread = claim.status == ClaimStatus.TRANSPORT_REJECTED
    review = ""
    if item is not None and item.queue == WorkItem.Queue.NOTES and works and may(OPEN_NOTE):
        review = reverse("desk:review", args=[item.pk])
    return Buttons(
        correct=corrects or resends or may_go_elsewhere,
        correct_words="Correct and resend" if resends else "Correct",
        release=held and works,
        override=stopped and not hopeless and may("claims.override_finding"),
        no_override=f"{NO_OVERRIDE_HELPS} {what_helps(record)}" if hopeless else "",
        delay_reasons=Override.DelayReason.choices
        if any(each["rule"] == actions.OVERDUE for each in record.findings)
        else (),
        voids=[(each, payer_of(each)) for each in voids],
        voids_shown=how_they_stand(voids),
        send_again=is_unread and not why_not_again(claim) and may("claims.resend_claim"),
        missing=_perhaps_missing(claim) if may("claims.resend_claim") else None,
        unknown=unknown,
        unknown_payer=payer_of(unknown) if unknown else "",
        post=open_to(record.claims, record.signals) if may("claims.type_remittance") else None,
        message=may("claims.message_partner"),
        snooze=item is not None and works,
        done=next((each for each in record.items if _ends_by_hand(each)), None) if works else None,
        ends=ends,
        sets_aside=works and can_be_set_aside(claim, record.items),
        leaves=next((each for each in record.items if each != ends and (ends or _is_answer(each))), None),
        review=review,
        locked=standing.why
        if standing.way is Way.LOCKED
        and works
        and (claim.status not in SAID_ABOVE or standing.why in ELSEWHERE)
        else "",
    )


def _perhaps_missing(claim: Claim) -> TransmittedClaim | None:
    if claim.status != ClaimStatus.DISPATCH_UNKNOWN:
        return None
    sent = claim.transmissions.filter(ordinal=claim.times_sent, transmission__handed_over_at=None)
    with_others = sent.annotate(others=Count("transmission__claims") - 1)
    return with_others.select_related("transmission").defer("transmission__content").first()


def _ends_by_hand(item: WorkItem) -> bool:
    return _is_answer(item) and item.reason in ENDED_BY_PEOPLE


def _is_answer(item: WorkItem) -> bool:
    return item.queue == WorkItem.Queue.ANSWERS


def _answers(record: SessionPage, outcome: SessionOutcome) -> list[AnswerShown]:
    """What came back, the newest first, each in the words that its claim version gives it."""
    versions = {claim.pk: place for place, claim in enumerate(record.claims)}
    shown = []
    for row in reversed(record.signals[-MOST_SHOWN:]):
        place = versions[row.claim_id] if row.claim_id else 0
        signal = Signal.from_json(row.payload)
        after = outcome.outcomes[place]
        payer = payer_of(record.claims[place])
        if signal.kind not in MONEY_SIGNALS:
            after = replace(after, deciding=(signal.natural_key,))  # by itself, whatever came later
        gone = _counts_no_more(record, outcome, place)
        event, words = tell(signal, after, after, payer=payer, superseded=gone)
        sender = "Clearinghouse" if signal.source == Source.CLEARINGHOUSE else payer
        shown.append(
            AnswerShown(
                row=row,
                version=record.claims[place].version,
                is_void=record.claims[place].frequency == Claim.Frequency.VOID,
                sender=sender,
                words=with_capital(words),
                codes=f"{row.kind} {says(signal)}".strip(),
                tone=told(event).tone,
                decision=decision_of(signal),
            )
        )
    return shown


def _counts_no_more(record: SessionPage, outcome: SessionOutcome, place: int) -> bool:
    """Whether a version was voided or replaced, so that nobody waits for another decision on it."""
    newer = zip(record.claims[place + 1 :], outcome.outcomes[place + 1 :], strict=True)
    if any(each.frequency != Claim.Frequency.VOID and after.delivered for each, after in newer):
        return True
    return is_voided(record.claims[place], record.claims[::-1])


def _timeline(record: SessionPage, *, whole: bool) -> list[tuple[Told, str, datetime]]:
    events = record.events if whole else record.events[:MOST_SHOWN]
    return [(told(event.type), event.summary, event.timestamp) for event in events]


def _others_in_words(record: SessionPage) -> str:
    """How the patient's other sessions went, in one line."""
    if not record.others:
        return "none"
    paid = sum(each.was_paid for each in record.others)
    more = "20 or more" if len(record.others) == MOST_SHOWN else str(len(record.others))
    return f"{more}, {paid} paid" if paid else more
