"""The staff's queues: items open and close in the transaction that changes what they are about."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.postgres.functions import TransactionNow
from django.db.models import Q, QuerySet
from django.utils import timezone

from claims.answer_tasks import ENDED_BY_PEOPLE
from claims.fold.readings import ReviewKind
from claims.landing import Item
from claims.models import Claim, ClaimSignal, WorkItem
from claims.models.work import STILL_ASKS
from claims.settlement import SETTLED_QUEUES, SettledSession
from claims.signals import ClaimStatus, SessionStatus, Signal

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Queue = WorkItem.Queue
_MAY_CHANGE = ("reason", "summary", "file_by")
HOLDS = (Queue.HELD, Queue.NOTES, Queue.REFUSED)
"""Work on a held claim that a person may set aside."""
REFUSALS = (Queue.REJECTED, Queue.DENIED)
WITH_REASONS = [queue.value for queue in (*HOLDS, *REFUSALS)]
"""Queues whose newest item says why a session was held or refused: figures count it, lists look for it."""
UNREAD_FILE = ClaimStatus.TRANSPORT_REJECTED.value
"""The reason of an item whose claim was in a file that its receiver couldn't read."""
ABOUT_REFUSAL = Q(queue__in=REFUSALS) | Q(queue=Queue.TRANSPORT, reason=UNREAD_FILE)
"""Work that a person may give up, until another answer decides."""
DONE_BY_PEOPLE = Q(queue=Queue.ANSWERS, reason__in=ENDED_BY_PEOPLE)
GIVEN_UP_BY_PEOPLE = ABOUT_REFUSAL & Q(signal__isnull=False)
FINISHED_BY_PEOPLE = (Q(queue=Queue.ANSWERS) | ABOUT_REFUSAL) & Q(closed_at__isnull=False, outcome__gt="")
NO_CLEARINGHOUSE_ANSWER = "no_clearinghouse_answer"
"""The reason of an item whose claim the clearinghouse itself hasn't answered: its payer may get it yet."""
Finished = set[tuple[UUID | None, str, int | None]]
"""What people have ended: session, reason, answer."""
RESTORED = "restored"
"""The reason of an item whose claim may have left after the backup that the database was restored from."""


def put_items(items: Sequence[tuple[Item, Claim]]) -> None:
    """Open items for sessions, or bring the open one of the same session and queue up to date.

    However many they are, it costs three statements.
    """
    open_items(items)
    wanted: dict[tuple[UUID | None, str], tuple[str, str, date | None]] = {
        (claim.session_id, item.queue.value): (item.reason, item.summary, claim.file_by)
        for item, claim in items
    }
    standing = WorkItem.objects.filter(
        session__in={session_id for session_id, _ in wanted}, closed_at=None
    ).only("id", "session_id", "queue", *_MAY_CHANGE)
    stale = []
    for row in standing:
        now = row.reason, row.summary, row.file_by
        if (new := wanted.get((row.session_id, row.queue), now)) != now:
            row.reason, row.summary, row.file_by = new
            stale.append(row)
    WorkItem.objects.bulk_update(stale, _MAY_CHANGE)


def open_items(items: Iterable[tuple[Item, Claim]]) -> None:
    """Open items for sessions in one statement; one that is open in its queue stays as it is."""
    WorkItem.objects.bulk_create(
        [
            WorkItem(
                queue=item.queue,
                partner_id=claim.partner_id,
                session_id=claim.session_id,
                reason=item.reason,
                summary=item.summary,
                payer_name=claim.session.payer_name,
                charge=claim.total_charge,
                file_by=claim.file_by,
            )
            for item, claim in items
        ],
        ignore_conflicts=True,
    )


def close_items(session_ids: Iterable[UUID], *, keep: Q | None = None) -> None:
    """Close what is open for these sessions, apart from what `keep` matches and what answers ask.

    That a person ends, or `replace_items` once no answer asks it.
    """
    items = WorkItem.objects.filter(STILL_ASKS, session_id__in=list(session_ids))
    if keep is not None:
        items = items.exclude(keep)
    items.update(closed_at=TransactionNow())


def unmatched(row: ClaimSignal, signal: Signal, *, summary: str) -> WorkItem:
    """An item, yet to be written, that asks which claim an answer is about."""
    return WorkItem(
        queue=Queue.UNMATCHED,
        signal=row,
        inbound_file_id=row.inbound_file_id,
        reason=row.kind,
        summary=summary,
        payer_name=signal.payer_name[:60],
        charge=signal.moved,
    )


def of_files(file_ids: Iterable[int]) -> QuerySet[WorkItem]:
    """What files that were not applied in full ask themselves; what an answer in one asks is its own."""
    return WorkItem.objects.filter(inbound_file__in=list(file_ids), signal=None)


def unmatched_in(file_id: int) -> int:
    """How many answers in this file wait for a person to say which claim they are about."""
    return WorkItem.objects.filter(queue=Queue.UNMATCHED, inbound_file=file_id, closed_at=None).count()


def wake(session_ids: Iterable[UUID]) -> None:
    """End the snooze of what is open for sessions that an answer came to."""
    resting = WorkItem.objects.filter(
        session_id__in=list(session_ids), closed_at=None, snoozed_until__isnull=False
    )
    resting.update(snoozed_until=None, snoozed_for="")


def credit(session_id: UUID, *, user: "User | None") -> None:
    """Make what this transaction closed this person's work, and what it leaves open, where nobody has it."""
    if user is None:
        return
    items = WorkItem.objects.filter(session=session_id)
    items.filter(closed_at=TransactionNow()).update(assignee=user)
    items.filter(closed_at=None, assignee=None).update(assignee=user)


def is_payer_silent(items: Iterable[WorkItem]) -> bool:
    """Tell whether open items say that a payer's answer is overdue."""
    return any(each.queue == Queue.SILENT and each.reason != NO_CLEARINGHOUSE_ANSWER for each in items)


def can_be_given_up(item: Item | WorkItem) -> bool:
    """Tell whether an item asks what to do about a claim that was refused, by itself or with its file."""
    return item.queue in REFUSALS or (item.queue, item.reason) == (Queue.TRANSPORT, UNREAD_FILE)


def is_about_refusal(item_id: int) -> bool:
    """Tell the same of an item by its ID."""
    return WorkItem.objects.filter(ABOUT_REFUSAL, pk=item_id).exists()


def is_asked_anew(item_id: int) -> bool:
    """Tell whether what an ended item asked is asked by an open one now."""
    ended = WorkItem.objects.get(pk=item_id)
    same = {name: getattr(ended, name) for name in ("session_id", "queue", "signal_id")}
    return WorkItem.objects.filter(**same, closed_at=None).exists()


def is_asked_by(item_id: int, answer: str) -> bool:
    """Tell whether an open item is about this answer, named as the page names it.

    One that was opened before items kept their answers names none, until its session is settled.
    """
    open_now = WorkItem.objects.filter(pk=item_id, closed_at=None)
    return answer in {str(number or "") for number in open_now.values_list("signal_id", flat=True)}


def finish(
    item_id: int, *, session_id: UUID, user: "User | None", reason: str, gives_up: bool = False
) -> bool:
    """Close an item that a person may end so; False where it is none, or closed already."""
    may_end = GIVEN_UP_BY_PEOPLE if gives_up else DONE_BY_PEOPLE
    ended = WorkItem.objects.filter(may_end, pk=item_id, session=session_id, closed_at=None)
    return bool(
        ended.update(
            closed_at=timezone.now(),
            assignee=user,
            outcome=f"Done: {reason}"[:200] if reason else "Done.",
        )
    )


def take_up_again(item_id: int, *, session_id: UUID) -> bool:
    """Forget that a person ended an item, so that settling its session opens it anew; False if none did."""
    ended = WorkItem.objects.filter(FINISHED_BY_PEOPLE, pk=item_id, session=session_id)
    return bool(ended.update(outcome=""))


def finished_of(settled: Sequence[SettledSession]) -> Finished:
    """What people have ended of settled sessions; asked only where an answer still asks something."""
    asked = [each.session_id for each in settled if any(item.signal_id for item in each.items)]
    if not asked:
        return set()
    ended = WorkItem.objects.filter(FINISHED_BY_PEOPLE, session__in=asked)
    return set(ended.values_list("session_id", "reason", "signal_id"))


def given_up_of(settled: SettledSession, finished: Finished) -> list[Item]:
    """What a person gave up, of what its newest claim, or one beside a void, was refused for."""
    return [
        item
        for item in settled.items
        if can_be_given_up(item) and (settled.session_id, item.reason, item.signal_id) in finished
    ]


def set_aside_of(settled: Sequence[SettledSession]) -> set[UUID]:
    """Those among settled sessions whose held claim a person has ended: it asks nobody any more."""
    held = {each.session_id for each in settled if each.outcome.claim_status is ClaimStatus.HELD}
    if not held:
        return set()
    asked = WorkItem.objects.filter(STILL_ASKS, session__in=held)
    return held - {pk for pk in asked.values_list("session_id", flat=True) if pk}


def bring_back(settled: Sequence[SettledSession]) -> None:
    """Ask anew about held claims that were set aside: an earlier version of each has been refused since."""
    aside = set_aside_of(settled)
    if not aside:
        return
    closed = WorkItem.objects.filter(session__in=aside, queue__in=HOLDS, closed_at__isnull=False)
    last = {row.session_id: row for row in closed.order_by("closed_at", "id")}
    open_items(
        (Item(queue=Queue(row.queue), reason=row.reason, summary=row.summary), each.claims[-1])
        for each in settled
        if (row := last.get(each.session_id)) is not None
    )


def is_set_aside(claim: Claim) -> bool:
    """Tell whether a held claim asks nobody any more: a person has ended it."""
    if claim.step != Claim.Step.HELD:
        return False
    return not WorkItem.objects.filter(STILL_ASKS, session=claim.session_id).exists()


def is_restored(claim: Claim) -> bool:
    """Tell whether a held claim may be out, and waits for staff to compare it with the clearinghouse."""
    return claim.step == Claim.Step.HELD and bool(restored_among([claim.session_id]))


def restored_among(session_ids: Iterable[UUID]) -> set[UUID | None]:
    """Those of these sessions whose claim waits to be compared."""
    waiting = WorkItem.objects.filter(queue=Queue.TRANSPORT, reason=RESTORED, closed_at=None)
    return set(waiting.filter(session_id__in=session_ids).values_list("session_id", flat=True))


def replace_items(settled: Sequence[SettledSession], *, finished: Finished) -> None:
    """Open what settled sessions ask of a person, and close what they no longer ask, in SETTLED_QUEUES.

    What a claim asks that something on our side holds stays open, whatever an earlier version is told.
    """
    wanted: dict[tuple[UUID | None, str], tuple[SettledSession, Item]] = {}
    for each in settled:
        for item in each.items:
            if (each.session_id, item.reason, item.signal_id) not in finished:
                wanted.setdefault((each.session_id, item.queue.value), (each, item))
    held = {each.session_id for each in settled if each.outcome.claim_status is ClaimStatus.HELD}
    standing = WorkItem.objects.filter(
        session_id__in=[each.session_id for each in settled], queue__in=SETTLED_QUEUES, closed_at=None
    )
    done, moved = [], []
    for row in standing.only("id", "session_id", "queue", "reason", "signal_id", "summary", "file_by"):
        kept = wanted.get((row.session_id, row.queue))
        if row.session_id in held and row.queue == Queue.TRANSPORT and row.reason != UNREAD_FILE:
            wanted.pop((row.session_id, row.queue), None)
        elif kept is not None and kept[1].reason == row.reason:
            del wanted[row.session_id, row.queue]
            said = kept[1].signal_id, kept[1].summary, _file_by(*kept)
            if said != (row.signal_id, row.summary, row.file_by):
                row.signal_id, row.summary, row.file_by = said
                moved.append(row)
        else:
            done.append(row.pk)
    if done:
        WorkItem.objects.filter(pk__in=done).update(closed_at=timezone.now())
    WorkItem.objects.bulk_update(moved, ["signal_id", "summary", "file_by"])
    WorkItem.objects.bulk_create(
        WorkItem(
            queue=item.queue,
            partner_id=each.partner_id,
            session_id=each.session_id,
            signal_id=item.signal_id,
            reason=item.reason,
            summary=item.summary,
            payer_name=each.claims[-1].session.payer_name,
            charge=each.claims[-1].total_charge,
            file_by=_file_by(each, item),
        )
        for each, item in wanted.values()
    )


def _file_by(settled: SettledSession, item: Item) -> date | None:
    """The last day to file what an item asks for; None where nothing is to be filed.

    A refused claim has one also beside one that was paid, and of one that is paid in part, or denied in part,
    the rest can be filed. Money that goes back has none, nor has a void.
    """
    newest, outcome = settled.claims[-1], settled.outcome
    is_void = newest.frequency == Claim.Frequency.VOID
    if is_void and item in settled.of_newest:
        return None
    if can_be_given_up(item) or item.reason == ReviewKind.LINE_DENIED:
        return newest.file_by
    status = outcome.session_status if is_void else outcome.outcomes[-1].session_status
    is_done = status is SessionStatus.PAID and outcome.claim_status is not ClaimStatus.PARTIALLY_PAID
    goes_back = item.reason in (ReviewKind.PAYMENT_ON_VOIDED_CLAIM, ReviewKind.PAYMENT_NOT_RETURNED)
    return None if is_done or goes_back else newest.file_by
