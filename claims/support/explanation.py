"""Why a session is where it is, and what would move it: in words, without patient data."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from billing.rules.catalogue import NEEDED_TO_WRITE
from billing.rules.rule import Severity
from claims import gateways
from claims.drafting import NO_GATEWAY
from claims.models import Claim, ClaimSignal, NoteReview, PollCursor, WorkItem
from claims.rechecks import ABOUT_ANOTHER, UNPRICED_RULE
from claims.signals import ClaimStatus
from claims.work_queue import RESTORED
from sessions_app.models import Session

LATE = timedelta(minutes=3)
"""Due for longer than this: nobody takes it, so the worker or the sweep is the trouble."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where a session is, why, and what moves it; `stuck` where nothing will by itself."""

    session_id: UUID
    where: str
    why: tuple[str, ...]
    moves: tuple[str, ...]
    stuck: bool

    def as_json(self) -> dict[str, object]:
        """For programs."""
        return {
            "sessionId": str(self.session_id),
            "where": self.where,
            "why": list(self.why),
            "moves": list(self.moves),
            "stuck": self.stuck,
        }


def explain(session: Session) -> Explanation:
    """Read the rows and say what they mean."""
    instant = timezone.now()
    versions = list(Claim.objects.filter(session=session).order_by("version"))
    claim = versions[-1]
    items = list(WorkItem.objects.filter(session=session, closed_at=None).order_by("id"))
    where = (
        f"Session {session.status}; claim version {claim.version} of {len(versions)} is {claim.status}, "
        f"at the step {claim.step!r}."
    )
    late = claim.next_step_at is not None and instant - claim.next_step_at > LATE
    match Claim.Step(claim.step):
        case Claim.Step.HELD:
            why, moves, stuck = _held(claim, items)
        case Claim.Step.SEND:
            why, moves, stuck = _sending(claim, instant)
        case Claim.Step.FOLLOW:
            why, moves, stuck = _following(claim, items)
        case step:
            why, moves, stuck = _in_pipeline(claim, step, instant)
    if late:
        stuck = True
        moves = [
            "Nobody takes it: see whether a worker and beat run (manage.py doctor), then hint again with "
            f"manage.py reprocess {session.pk}.",
            *moves,
        ]
    why += [f"Open work item in the queue {item.queue}: {item.reason}." for item in items]
    return Explanation(session.pk, where, tuple(why), tuple(moves), stuck)


def _in_pipeline(claim: Claim, step: Claim.Step, now: datetime) -> tuple[list[str], list[str], bool]:
    if step is Claim.Step.WINDOW and claim.next_step_at and claim.next_step_at > now:
        return (
            [f"It waits for corrections until {_at(claim.next_step_at)}."],
            ["Nothing has to be done; it goes on by itself then. Every correction moves that instant."],
            False,
        )
    tries = f" It failed {claim.attempts} times so far." if claim.attempts else ""
    due = f"due at {_at(claim.next_step_at)}" if claim.next_step_at else "with no time set"
    return (
        [f"The step {step.label!r} is {due}.{tries}"],
        ["A worker takes it in its turn."],
        claim.next_step_at is None,
    )


def _held(claim: Claim, items: Sequence[WorkItem]) -> tuple[list[str], list[str], bool]:
    if any(item.queue == WorkItem.Queue.TRANSPORT and item.reason == RESTORED for item in items):
        return _restored(claim)
    blocking = list(claim.findings.filter(severity=Severity.BLOCK).order_by("id"))
    others = list(claim.findings.filter(ABOUT_ANOTHER).order_by("id"))
    about_days = (WorkItem.Queue.HELD, WorkItem.Queue.ANSWERS)
    own = len(others) < len(blocking) or any(item.queue not in about_days for item in items)
    why = [
        f"{found.rule} at {found.path or 'the claim'} holds it"
        + (" for another session of that day." if found in others else ".")
        for found in blocking
    ]
    waits = (
        f"Every {settings.WATCH_SECONDS:,.0f} s it is looked at again by itself, and goes on once no other "
        "session of that day stands in its way. The same service sent twice stays held; leave it so."
    )
    if _is_set_aside(claim, items):
        moves = ["Nothing has to be done. Taking it back or correcting it has it checked anew."]
        return [*why, "Billing staff set it aside: nothing more is done about it."], moves, False
    if others and not own:
        return why, [waits], False
    if any(item.queue == WorkItem.Queue.REFUSED for item in items):
        why.append("The clearinghouse refused it at the door; show_session --phi shows its words.")
    if any(item.reason == NO_GATEWAY.rule_id for item in items):
        why.append("No clearinghouse is set up for live claims of this payer: LIVE_GATEWAY is none for it.")
        moves = [
            "Set LIVE_GATEWAY (docs/settings.md) and start the processes anew: where every live payer has "
            f"one, it goes on by itself within {settings.WATCH_SECONDS:,.0f} s.",
            f"With LIVE_GATEWAY_BY_PAYER alone: manage.py reprocess {claim.session_id}.",
        ]
        return why, moves, True
    if any(item.queue == WorkItem.Queue.TRANSPORT for item in items) and not blocking:
        why.append("A step of ours failed again and again; the worker's log names the place.")
    moves = [
        "The partner corrects the session (PATCH), and the checks run again.",
        f"After a change on our side (payer, charge, code set): manage.py reprocess {claim.session_id}.",
    ]
    if others:
        moves.append(waits)
    elif blocking:
        if any(found.rule == UNPRICED_RULE for found in blocking):
            moves.append("With its rate loaded (manage.py import_charges) it goes on by itself.")
        if any(item.queue == WorkItem.Queue.NOTES for item in items):
            moves.append("Billing staff answer the question about its note in the back office.")
        elif not any(found.rule in NEEDED_TO_WRITE for found in blocking):
            moves.append("A billing lead overrides the rule in the back office, with a reason.")
    return why or ["It is held, and nothing says why any more."], moves, True


def _is_set_aside(claim: Claim, items: Sequence[WorkItem]) -> bool:
    reviews = NoteReview.objects.filter(session=claim.session_id, undone_at=None).order_by("-id")
    last = reviews.values_list("outcome", flat=True).first()
    return last == NoteReview.Outcome.NOT_BILLABLE and not any(item.still_asks for item in items)


def _restored(claim: Claim) -> tuple[list[str], list[str], bool]:
    number = claim.patient_control_number
    out = (
        f"If it is there, leave it held: its answers name {number}, and the next one moves it."
        if number
        else "If it is there, leave it held; docs/runbook/restore.md says what becomes of its answers."
    )
    moves = ["Billing staff compare it with the clearinghouse's list and release it if it isn't there.", out]
    return ["The database was restored from a backup, and the claim may be out since."], moves, True


def _sending(claim: Claim, now: datetime) -> tuple[list[str], list[str], bool]:
    if claim.status == ClaimStatus.DISPATCHING and claim.lease_until and claim.lease_until > now:
        return (
            [f"A worker hands it over to {claim.gateway}; its lease ends at {_at(claim.lease_until)}."],
            ["If the worker is dead, another one asks the clearinghouse after that instant."],
            False,
        )
    if claim.status == ClaimStatus.DISPATCH_UNKNOWN:
        why = (
            f"It was handed over to {claim.gateway}, and no receipt came back: it may be there. "
            f"Tried {claim.attempts} times."
        )
        asked = f"Asked about again at {_at(claim.next_step_at)}; it is never sent again unasked."
        if gateways.gateway(claim.gateway).capabilities.can_find:
            return [why], [asked], False
        moves = [
            f"{claim.gateway} can't be asked about a file that it may have taken: its answers tell, or a "
            "person who looks there. If it isn't there, billing staff send it from the session's page."
        ]
        return [why], moves, True
    tries = f" {claim.attempts} tries failed." if claim.attempts else ""
    return (
        [f"It is built and due for {claim.gateway} at {_at(claim.next_step_at)}.{tries}"],
        ["A worker of the queue 'gateways' hands it over. doctor shows whether the clearinghouse answers."],
        False,
    )


def _following(claim: Claim, items: Sequence[WorkItem]) -> tuple[list[str], list[str], bool]:
    sent = f"It was handed over to {claim.gateway} at {_at(claim.submitted_at)}."
    newest = ClaimSignal.objects.filter(claim=claim, dismissed_at=None).order_by("-id").first()
    polled = PollCursor.objects.filter(pk=claim.gateway).first()
    heard = (
        f"The last answer, a {newest.kind}, came at {_at(newest.received_at)} and left it {claim.status}."
        if newest
        else "No answer has come yet."
    )
    fetched = (
        f"{claim.gateway} was last polled at {_at(polled.polled_at)}{_trouble(polled)}."
        if polled
        else f"{claim.gateway} was never polled."
    )
    command = f"manage.py resend_claim {claim.session_id}"
    match ClaimStatus(claim.status):
        case ClaimStatus.TRANSPORT_REJECTED:
            moves = [f"Our file couldn't be read: mend the cause, then {command} --reason …"]
            return [sent, heard], moves, bool(items)
        case ClaimStatus.CLEARINGHOUSE_REJECTED | ClaimStatus.PAYER_REJECTED:
            moves = [f"Staff correct the session in the back office, then {command} --reason …"]
            return [sent, heard], moves, bool(items)
        case ClaimStatus.DENIED | ClaimStatus.MEMBER_UNKNOWN | ClaimStatus.REVERSED | ClaimStatus.TAKEN_BACK:
            moves = [f"Staff correct and replace it: {command} --reason …, or settle the item in its queue."]
            return [sent, heard], moves, bool(items)
        case ClaimStatus.PAID | ClaimStatus.PATIENT_RESPONSIBILITY | ClaimStatus.VOIDED if items:
            return [sent, heard], ["Billing staff settle what is open in its queue."], True
        case ClaimStatus.PAID | ClaimStatus.PATIENT_RESPONSIBILITY | ClaimStatus.VOIDED:
            return [sent, heard], ["Nothing more has to happen."], False
        case _:
            moves = [f"The next answer moves it. {_fetched_by(claim.gateway)}"]
            return [sent, heard, fetched], moves, any(item.queue == WorkItem.Queue.SILENT for item in items)


def _trouble(polled: PollCursor) -> str:
    """What went wrong at the last poll; empty where nothing did."""
    failure = polled.failure.rstrip(".")
    if polled.left_files:
        return f". {failure}"
    return f"; at {_at(polled.failed_at)} it failed: {failure}" if failure else ""


def _fetched_by(gateway: str) -> str:
    """How its answers come in now."""
    if gateway in gateways.gateway_names():
        return f"manage.py poll_clearinghouse {gateway} asks now."
    return (
        f"{gateway} is not in use, so nobody fetches any: set it up again, or take its files in with "
        f"manage.py ingest FILE --gateway {gateway}."
    )


def _at(instant: datetime | None) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S} UTC" if instant else "no set time"
