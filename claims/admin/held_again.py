"""What will become of a session that a person lets go on: what holds it once more, what it leaves with."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from billing.rules.rule import Finding
from claims import lifecycle
from claims.desk.correction_preview import Drawn, newest_work, preview
from claims.desk.many import drawn_once_more
from claims.models import Claim, WorkItem
from claims.staff_words import at_the_desk
from claims.work_queue import RESTORED
from sessions_app.submission import Correction

TIME_TO_FILE = "TFL-"
"""How the rules begin that know the payer's time to file."""
GOES_ON = "Will go on: nothing holds it any more."
NO_RULE = "None of our rules holds it."
"""What else keeps it here, a fault of ours or the clearinghouse's own edits, no rule can tell of."""


@dataclass(frozen=True, slots=True)
class Released:
    """What a release of a held session would come to."""

    words: str
    stays: bool
    """Whether it would only be held again, so that nothing is gained by it."""


def release_of(session_id: UUID) -> Released | None:
    """What a release would come to if its checks ran now; None where nothing is held."""
    work = newest_work(session_id)
    if work is None or work.claim.step != Claim.Step.HELD:
        return None
    (found,) = drawn_once_more([work], now=timezone.now())
    open_items = WorkItem.objects.filter(session=session_id, closed_at=None).values_list("queue", "reason")
    asked = [(queue, reason) for queue, reason in open_items if queue != WorkItem.Queue.ANSWERS]
    by_rules = {queue for queue, _ in asked} & {WorkItem.Queue.HELD, WorkItem.Queue.NOTES}
    restored = any(reason == RESTORED for _, reason in asked)
    if not found.holding:
        return Released(
            f"{GOES_ON if by_rules and not restored else NO_RULE}{leaves_with(found)}", stays=False
        )
    stays = bool(by_rules) and not restored
    first = f"{at_the_desk(found.holding[0].message)} ({found.holding[0].rule_id})"
    more = _more(found.holding)
    words = "Stays: it would be held again." if stays else "It would be held."
    return Released(f"{words} {first}{more}", stays)


def leaves_with(found: Drawn, *, most: int | None = None) -> str:
    """The warnings that a claim would leave with, those of the time to file first; empty without any."""
    first = sorted(found.warnings, key=lambda each: not each.rule_id.startswith(TIME_TO_FILE))
    told = list(dict.fromkeys(f"{at_the_desk(each.message)} ({each.rule_id})" for each in first))
    if not told:
        return ""
    count = "a warning" if len(told) == 1 else f"{len(told)} warnings"
    more = f" And {len(told) - most} more." if most and len(told) > most else ""
    return f" It leaves with {count}: {' '.join(told[:most])}{more}"


def held_again(session_id: UUID) -> str:
    """What would hold it if its checks ran now; empty where nothing does, or once it has left."""
    work = newest_work(session_id)
    if work is None or not lifecycle.is_open(work.claim):
        return ""
    found = preview(work, Correction(), (), now=timezone.now())
    return held_in_words(found.after.holding) if found.after else ""


def held_in_words(holding: Sequence[Finding]) -> str:
    """What holds a session all the same, and what to do about it."""
    if not holding:
        return ""
    first = holding[0]
    return f"It will be held: {at_the_desk(first.message)} ({first.rule_id}){_more(holding)}"


def _more(holding: Sequence[Finding]) -> str:
    more = len({each.rule_id for each in holding}) - 1
    return f" {more} more rule{'s hold' if more > 1 else ' holds'} it too." if more else ""
