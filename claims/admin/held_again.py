"""What will hold a session once more after a person has let it go on, in words."""

from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone

from billing.rules.rule import Finding
from claims import lifecycle
from claims.desk.correction_preview import newest_work, preview
from claims.staff_words import at_the_desk
from sessions_app.submission import Correction


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
    first, more = holding[0], len({each.rule_id for each in holding}) - 1
    others = f" {more} more rule{'s hold' if more > 1 else ' holds'} it too." if more else ""
    return f"It will be held: {at_the_desk(first.message)} ({first.rule_id}){others}"
