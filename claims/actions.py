"""What billing staff do to a session: release, override, resend, void, write to the partner.

Each is one function, used by the back office and by the management commands alike. ActionRefusedError says in
words why something can't be done now; `seen` is what the page showed that it is done from.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import pghistory
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from billing.rules.rule import Severity
from claims import lifecycle, timeline, watchdog, work_queue
from claims.fold.entries import TimelineEntry
from claims.fold.messages import named_in_full
from claims.models import Claim, ClaimSignal, Override, WorkItem
from claims.settlement import how_they_stand, what_it_voids
from claims.signals import ClaimStatus, EventType, Signal, SignalKind, Source, StatusCode
from claims.tasks import hint_advance
from claims.transmission import open_transmission
from claims.versions import (
    ANSWERS,
    AS_IT_IS,
    ASKED,
    JUDGED_THERE,
    ActionRefusedError,
    NextVersion,
    next_version,
    void_of,
    voidable,
    waits_for_payer,
    waits_here,
    why_not_again,
)
from sessions_app.models import Session, SessionEvent, StaffDeed

if TYPE_CHECKING:
    from django.contrib.auth.models import User

OVERDUE = "TFL-002"
OVERTAKEN = "It changed while you had it open. Nothing was done: look at it as it is now."
NOT_WAITING = "The claim waits for no answer."
NOT_OVERDUE = "Its payer's answer isn't overdue: another would be billed twice."
MOMENTS = timedelta(minutes=1)
NO_SUCH_CLAIM = StatusCode(category="A4", status="35")
COMPARE_FIRST = (
    "The database was restored from a backup, and the claim may be out since: compare it with the "
    "clearinghouse's list. If it isn't there, release it."
)
__all__ = [
    "ActionRefusedError",
    "end_task",
    "keep_deed",
    "lock_newest",
    "not_on_file",
    "override",
    "refuse_restored",
    "release",
    "resend",
    "said",
    "seen_of",
    "send_missing",
    "take_up_task",
    "void",
    "write_to_partner",
]


def release(session_id: UUID, *, user: "User | None", reason: str, seen: str | None = None) -> None:
    """Let a held session go through the checks again, at once if its correction window is over."""
    with transaction.atomic():
        claim = lock_newest(session_id, seen=seen)
        if claim.step != Claim.Step.HELD:
            raise ActionRefusedError("This session isn't held.")
        lifecycle.reopen([claim], at=timezone.now())
        entry = TimelineEntry(EventType.SESSION_RELEASED, f"Billing staff let it go on: {reason}")
        _note(claim, entry, deed=StaffDeed.RELEASED, user=user)
        hint_advance()


def override(
    session_id: UUID,
    *,
    rules: Iterable[str],
    user: "User | None",
    reason: str,
    delay_reason_code: str = "",
    seen: str | None = None,
) -> None:
    """Let a held session go on in spite of these rules, and keep who said so and why.

    `delay_reason_code` (CLM20) goes on the claim of a session that is overdue.
    """
    reason = said(reason)
    if delay_reason_code not in ("", *Override.DelayReason.values):
        raise ActionRefusedError("There is no such reason for a delay.")
    with transaction.atomic():
        claim = lock_newest(session_id, seen=seen)
        if claim.step != Claim.Step.HELD:
            raise ActionRefusedError("This session isn't held.")
        refuse_restored(claim)
        held_by = set(claim.findings.filter(severity=Severity.BLOCK).values_list("rule", flat=True))
        chosen = sorted(set(rules) & held_by)
        if not chosen:
            raise ActionRefusedError("None of these rules holds the session: tick one that does.")
        if delay_reason_code and OVERDUE not in chosen:
            raise ActionRefusedError(f"A reason for the delay belongs to {OVERDUE}: tick that too.")
        Override.objects.bulk_create(
            [
                Override(
                    partner_id=claim.partner_id,
                    session_id=session_id,
                    session_version=claim.session.version,
                    rule=rule,
                    reason=reason,
                    delay_reason_code=delay_reason_code if rule == OVERDUE else "",
                    user=user,
                )
                for rule in chosen
            ]
        )
        lifecycle.reopen([claim], at=timezone.now())
        words = f"Billing staff let it go on in spite of {', '.join(chosen)}."
        _note(claim, TimelineEntry(EventType.SESSION_RELEASED, words), deed=StaffDeed.RELEASED, user=user)
        hint_advance()


def resend(
    session_id: UUID,
    *,
    user: "User | None",
    reason: str,
    seen: str | None = None,
    corrected: bool = False,
) -> Claim:
    """Send a corrected claim: a new one where it was never judged, else a replacement of the old.

    A transport rejection is our own fault: the same claim goes out again in a new envelope, unless a payer
    has another version by now. Where its own has judged that, it goes `corrected` in that one's place.
    """
    with transaction.atomic():
        claim = lock_newest(session_id, seen=seen)
        why = why_not_again(claim) if claim.status == ClaimStatus.TRANSPORT_REJECTED else ""
        if claim.status == ClaimStatus.TRANSPORT_REJECTED and not (corrected and why == JUDGED_THERE):
            if why or corrected:
                raise ActionRefusedError(why or AS_IT_IS)
            lifecycle.resend_envelope(claim, at=timezone.now())
            entry = TimelineEntry(EventType.CLAIM_CORRECTED, f"The same claim goes out again: {reason}")
            _note(claim, entry, deed=StaffDeed.RESENT, user=user)
            hint_advance()
            return claim
        version = _open_version(claim, next_version(claim))
        entry = TimelineEntry(EventType.CLAIM_CORRECTED, f"{_what(version)} follows: {reason}")
        _note(claim, entry, deed=StaffDeed.RESENT, user=user)
        hint_advance()
        return version


def send_missing(session_id: UUID, *, user: "User | None", reason: str) -> None:
    """Send a file again that the clearinghouse never got, as a person has seen there: all that is in it."""
    reason = said(reason)
    with transaction.atomic():
        together = Claim.objects.filter(transmissions__transmission__claims__claim__session=session_id)
        versions = lifecycle.lock_versions([session_id, *together.values_list("session", flat=True)])
        claim = [each for each in versions if each.session_id == session_id][-1]
        file = open_transmission(claim) if claim.status == ClaimStatus.DISPATCH_UNKNOWN else None
        if file is None or file.handed_over_at is not None or file.first_attempt_at is None:
            raise ActionRefusedError("There is nothing to send: it goes on by itself.")
        inside = set(file.claims.values_list("claim", "ordinal"))
        waiting = [
            each
            for each in versions
            if each.status == ClaimStatus.DISPATCH_UNKNOWN and (each.pk, each.times_sent) in inside
        ]
        lifecycle.send_unasked(waiting, file, at=timezone.now())
        words = f"The clearinghouse never got the claim, so it is handed over now: {reason}"
        for each in waiting:
            asked_for = each.session_id == session_id
            entry = TimelineEntry(EventType.CLAIM_NOTED, words)
            _note(each, entry, deed=StaffDeed.RESENT, user=user, takes=asked_for)
        hint_advance()


def not_on_file(
    session_id: UUID,
    *,
    user: "User | None",
    reason: str,
    seen: str | None = None,
    version: int | None = None,
) -> None:
    """Write down that the payer, whom a person has asked, has no such claim: it can be sent again then.

    It is about the version whose payer is silent, and only about `version` where that is named. It counts as
    an answer to a status inquiry of the day that was heard of last: whatever comes after it tells more, also
    where it is dated before today.
    """
    reason = said(reason)
    with transaction.atomic():
        newest = lock_newest(session_id, seen=seen)
        claim = watchdog.silent_claim(WorkItem.objects.filter(session=session_id, closed_at=None))
        if claim is None:
            raise ActionRefusedError(NOT_OVERDUE if waits_for_payer(newest) else NOT_WAITING)
        if version not in (None, claim.version):
            raise ActionRefusedError(OVERTAKEN)
        heard = ClaimSignal.objects.filter(claim=claim, kind__in=ANSWERS, dismissed_at=None)
        last = heard.aggregate(day=Max("effective_date"))["day"]
        signal = Signal(
            kind=SignalKind.STATUS_INQUIRY,
            source=Source.PAYER,
            natural_key=f"{ASKED}{claim.pk}:{timezone.now().isoformat()}",
            effective_date=last or timezone.localdate(claim.submitted_at),
            patient_control_number=claim.patient_control_number or "",
            transmission=claim.times_sent,
            statuses=(NO_SUCH_CLAIM,),
        )
        ClaimSignal.objects.create(
            partner_id=claim.partner_id,
            claim=claim,
            **signal.as_columns(),
        )
        lifecycle.settle([session_id])
        entry = TimelineEntry(
            EventType.CLAIM_NOTED, f"Billing staff asked for the claim, and it isn't there: {reason}"
        )
        _note(claim, entry, deed=StaffDeed.ASKED, user=user)


def void(
    session_id: UUID,
    *,
    user: "User | None",
    reason: str,
    seen: str | None = None,
    version: int | None = None,
    shown: str | None = None,
) -> Claim:
    """Ask the payer to take a claim back as if it had never been sent.

    A correction that still waits here gives up its place to the void. `version` is that of the claim that is
    taken back, where a person has chosen one of several; `shown` how they stood then.
    """
    reason = said(reason)
    with transaction.atomic():
        claim = lock_newest(session_id, seen=seen)
        refuse_restored(claim)
        if shown not in (None, how_they_stand(voidable(claim))):
            raise ActionRefusedError(OVERTAKEN)
        planned = void_of(claim, version=version)
        if waits_here(claim):
            asks = lifecycle.turn_into_void(claim, planned.earlier, at=timezone.now())
        else:
            asks = _open_version(claim, planned)
        words = f"Billing staff ask the payer to void {named_in_full(what_it_voids(asks))}: {reason}"
        _note(claim, TimelineEntry(EventType.CLAIM_NOTED, words), deed=StaffDeed.VOIDED, user=user)
        hint_advance()
        return asks


def write_to_partner(session_id: UUID, *, user: "User | None", text: str) -> bool:
    """Put a note for the partner on the timeline; False where these words stand last on it, a moment old."""
    if not text.strip():
        raise ActionRefusedError("Write something first.")
    with transaction.atomic():
        claim = lock_newest(session_id)
        last = SessionEvent.objects.filter(session=session_id).order_by("id").last()
        lately = (last.type, last.summary) if last and last.timestamp > timezone.now() - MOMENTS else None
        if lately == (EventType.STAFF_NOTE, text.strip()):
            return False
        _note(claim, TimelineEntry(EventType.STAFF_NOTE, text.strip()), deed=StaffDeed.WROTE, user=user)
    return True


def end_task(
    item_id: int,
    *,
    session_id: UUID,
    user: "User | None",
    answer: str,
    reason: str = "",
    gives_up: bool = False,
) -> None:
    """Say that what an answer asks of a person is done; the next of the session's answers, if any, opens.

    `answer` is the ID of the one that the page showed. With `gives_up` it refuses the claim, nothing more is
    done about it, and the partner reads why.
    """
    with transaction.atomic():
        claim = lock_newest(session_id)
        reason = said(reason) if gives_up else reason.strip()
        if not work_queue.is_asked_by(item_id, answer):
            raise ActionRefusedError(OVERTAKEN)
        lifecycle.settle([session_id])
        if gives_up:
            entry = TimelineEntry(EventType.CLAIM_NOTED, f"Billing staff do nothing more about it: {reason}")
            timeline.append([(entry, claim)], at=timezone.now())
        if not work_queue.finish(item_id, session_id=session_id, user=user, reason=reason, gives_up=gives_up):
            raise ActionRefusedError("Somebody has dealt with this already.")
        lifecycle.settle([session_id])
        keep_deed(claim, deed=StaffDeed.ENDED, user=user, why=reason)


def take_up_task(item_id: int, *, session_id: UUID, user: "User | None") -> None:
    """Undo `end_task`: what the answer asks is open again."""
    with transaction.atomic():
        claim = lock_newest(session_id)
        if not work_queue.take_up_again(item_id, session_id=session_id):
            raise ActionRefusedError("It was not done.")
        lifecycle.settle([session_id])
        if work_queue.is_about_refusal(item_id):
            if not work_queue.is_asked_anew(item_id):
                raise ActionRefusedError(OVERTAKEN)
            entry = TimelineEntry(EventType.CLAIM_NOTED, "Billing staff took it up again.")
            timeline.append([(entry, claim)], at=timezone.now())
        keep_deed(claim, deed=StaffDeed.TOOK_UP, user=user)


def said(reason: str) -> str:
    """A reason as it is kept; ActionRefusedError where none is given."""
    if not (given := reason.strip()):
        raise ActionRefusedError("Say why: the reason stays with the session.")
    return given


def refuse_restored(claim: Claim) -> None:
    """Let nothing but `release` move a claim that was held when the database was restored."""
    if work_queue.is_restored(claim):
        raise ActionRefusedError(COMPARE_FIRST)


def seen_of(claim: Claim, *, is_set_aside: bool | None = None) -> str:
    """What a page shows, as its forms send it back: the session's version, its claim's, whether set aside."""
    ended = work_queue.is_set_aside(claim) if is_set_aside is None else is_set_aside
    return f"{claim.session.version}.{claim.version}{'.aside' if ended else ''}"


def lock_newest(session_id: UUID, *, seen: str | None = None) -> Claim:
    """The newest version of a claim, locked with those before it: first of all where one may be added.

    ActionRefusedError where it is no longer what a page has shown; None asks nothing.
    """
    versions = lifecycle.lock_versions([session_id])
    if not versions:
        raise Claim.DoesNotExist
    if seen is not None and seen != seen_of(versions[-1]):
        raise ActionRefusedError(OVERTAKEN)
    return versions[-1]


def _open_version(claim: Claim, planned: NextVersion) -> Claim:
    """Begin the next version; what was to be done about the one before is done, but for what answers ask."""
    now = timezone.now()
    work_queue.close_items([claim.session_id])
    return Claim.objects.create(
        partner_id=claim.partner_id,
        session_id=claim.session_id,
        version=claim.version + 1,
        frequency=planned.frequency,
        replaces=planned.earlier,
        step=Claim.Step.BUILD if planned.frequency == Claim.Frequency.VOID else Claim.Step.CODE,
        next_step_at=now,
        window_ends_at=now,
        file_by=claim.file_by,
    )


def _what(version: Claim) -> str:
    if version.frequency == Claim.Frequency.REPLACEMENT:
        return f"Version {version.version}, which replaces the claim,"
    return f"Version {version.version}, a new claim,"


def _note(
    claim: Claim, entry: TimelineEntry, *, deed: StaffDeed, user: "User | None", takes: bool = True
) -> None:
    """Tell the partner what was done, and keep for ourselves who did it; a command has no user.

    With `takes` the session's work is that person's.
    """
    now = timezone.now()
    timeline.append([(entry, claim)], at=now)
    Session.objects.filter(pk=claim.session_id).update(updated_at=now)
    shown = Claim.objects.filter(session=claim.session_id, built_at__isnull=False).order_by("-version")
    Claim.objects.filter(pk__in=shown.values("pk")[:1]).update(last_updated_at=now)
    if takes and deed is not StaffDeed.WROTE:
        work_queue.credit(claim.session_id, user=user)
    keep_deed(claim, deed=deed, user=user)


def keep_deed(claim: Claim, *, deed: StaffDeed, user: "User | None", why: str = "") -> None:
    """Keep who did something to a session, and why; a command has no user."""
    if user is not None:
        with pghistory.context(user=user.pk, **({"why": why} if why else {})):
            pghistory.create_event(claim.session, label=deed.value)
