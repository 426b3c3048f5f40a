"""What engineers do to sessions: the same actions as the back office's, refused in the same words."""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from claims import lifecycle
from claims.actions import ActionRefusedError, lock_newest, refuse_restored, release
from claims.models import Claim
from claims.tasks import advance, hint, hint_advance, send

RUNNING = (Claim.Step.CODE, Claim.Step.CHECK, Claim.Step.BUILD)


def rerun(session_id: UUID, *, reason: str) -> str:
    """Let a session's claim go through its checks again, where it has not left; what was done, in words.

    ActionRefusedError where it has left: then `resend` is the way; or may have left before a restore.
    """
    with transaction.atomic():
        claim = lock_newest(session_id)
        if claim.step == Claim.Step.HELD:
            refuse_restored(claim)
            release(session_id, user=None, reason=reason)
            return "released: coded and checked again"
        if claim.step == Claim.Step.SEND:
            return _hint_only(lambda: hint(send, claim.gateway), "is built; its hand-over was hinted again")
        if claim.step in RUNNING:
            return _hint_only(lambda: hint(advance), f"waits at {claim.step!r}; a worker was hinted again")
        if claim.step == Claim.Step.WINDOW:
            lifecycle.reopen([claim], at=timezone.now())
            hint_advance()
            return "coded and checked again; its correction window stays"
    raise ActionRefusedError("It has left already; resend_claim sends a corrected claim.")


def _hint_only(enqueue: Callable[[], None], words: str) -> str:
    transaction.on_commit(enqueue, robust=True)
    return words
