"""What a deed would come to for each of many items, by the rules as they are now: a line for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from billing.rules.rule import Finding
from claims import actions, work_queue
from claims.admin.held_again import GOES_ON, leaves_with
from claims.admin.queues import Row
from claims.desk.as_sent import unchanged_since
from claims.desk.correction_preview import Drawn, newest_works
from claims.desk.many import drawn_next, drawn_once_more
from claims.landing import Work
from claims.models import Claim, WorkItem
from claims.signals import ClaimStatus
from claims.staff_words import at_the_desk
from claims.versions import NextVersion, next_version, why_not_again

if TYPE_CHECKING:
    from uuid import UUID

MOST_WARNINGS = 2
"""Of one line; the session's own page says all."""
LATE = " Its time to file is over."
NO_CLAIM = "Belongs to no claim."
NOT_HELD = "Stays: no rule holds it."


@dataclass(frozen=True, slots=True)
class Line:
    """What will become of one item, or what has: `refusal` says why nothing."""

    row: Row
    words: str
    refusal: bool = False
    seen: str = ""
    """The session as the line tells of it."""


def resend_lines(rows: Sequence[Row]) -> list[Line]:
    """What sending each again would come to, by the claim rules as they are now."""
    found_works = newest_works([row.item.session_id for row in rows if row.item.session_id])
    works: dict[UUID | None, Work] = {work.claim.session_id: work for work in found_works.values()}
    planned: dict[UUID | None, NextVersion] = {}
    stays: dict[UUID | None, str] = dict.fromkeys(
        {row.item.session_id for row in rows} - works.keys(), NO_CLAIM
    )
    for session_id, work in works.items():
        if work.claim.status != ClaimStatus.TRANSPORT_REJECTED:
            try:
                planned[session_id] = next_version(work.claim)
            except actions.ActionRefusedError as refusal:
                stays[session_id] = f"Stays: {refusal}"
        elif why := why_not_again(work.claim):
            stays[session_id] = f"Stays: {why}"
    again = [(works[session_id], then) for session_id, then in planned.items()]
    drawn = dict(zip(planned, drawn_next(again, now=timezone.now()), strict=True))
    for session_id, found in drawn.items():
        if found.holding:
            stays[session_id] = f"Stays: it would be held. {_in_words(found.holding)}"
    return [
        Line(row, stays[row.item.session_id], refusal=True)
        if row.item.session_id in stays
        else _resend_line(
            row,
            works[row.item.session_id].claim,
            planned.get(row.item.session_id),
            drawn.get(row.item.session_id),
        )
        for row in rows
    ]


def _resend_line(row: Row, claim: Claim, planned: NextVersion | None, drawn: Drawn | None) -> Line:
    seen = actions.seen_of(claim)
    if planned is None or drawn is None:
        return Line(row, "Will be sent: the same claim in a new envelope.", seen=seen)
    is_new = planned.frequency == Claim.Frequency.ORIGINAL
    what = "a new claim" if is_new else "a replacement of the judged one"
    since = unchanged_since(claim, drawn.claim)
    same = f" Nothing on the claim has changed since it was {since}." if since else ""
    late = LATE if row.item.file_by and row.item.file_by < timezone.localdate() else ""
    return Line(row, f"Will be sent: version {claim.version + 1}, {what}.{same}{late}", seen=seen)


def release_lines(rows: Sequence[Row]) -> list[Line]:
    """What checking each held session again would come to; one that would be held again stays as it is."""
    ids = [
        row.item.session_id for row in rows if row.item.session_id and row.item.queue == WorkItem.Queue.HELD
    ]
    restored = work_queue.restored_among(ids)
    held = [
        work
        for session_id, work in newest_works(ids).items()
        if work.claim.step == Claim.Step.HELD and session_id not in restored
    ]
    once_more = drawn_once_more(held, now=timezone.now())
    found: dict[UUID | None, tuple[Work, Drawn]] = {
        work.claim.session_id: (work, drawn) for work, drawn in zip(held, once_more, strict=True)
    }
    lines = []
    for row in rows:
        work, drawn = found.get(row.item.session_id, (None, None))
        if row.item.session_id in restored:
            lines.append(Line(row, f"Stays: {actions.COMPARE_FIRST}", refusal=True))
        elif work is None or drawn is None:
            lines.append(Line(row, NOT_HELD, refusal=True))
        elif drawn.holding:
            words = f"Stays: it would be held again. {_in_words(drawn.holding)}"
            lines.append(Line(row, words, refusal=True))
        else:
            seen = actions.seen_of(work.claim, is_set_aside=False)
            lines.append(Line(row, f"{GOES_ON}{leaves_with(drawn, most=MOST_WARNINGS)}", seen=seen))
    return lines


def _in_words(found: Sequence[Finding]) -> str:
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    return f"{at_the_desk(found[0].message)} ({found[0].rule_id}){more}"
