"""Runs the claims process in the test's own process, as worker and beat would."""

from datetime import timedelta

from django.utils import timezone

from claims import inbound, pipeline, submission
from claims.gateways import gateway_names
from claims.models import Claim

MOST_ROUNDS = 40


def run_until_quiet() -> None:
    """Advance every claim, hand over, poll and apply until nothing is left that is due."""
    for _ in range(MOST_ROUNDS):
        moved = len(pipeline.advance())
        for name in submission.gateways_with_work():
            moved += submission.send(name)
        for name in gateway_names():
            inbound.fetch(name)
        for file_id in inbound.waiting_files():
            moved += 1
            inbound.apply(file_id)
        if not moved:
            return
    raise AssertionError("the process does not come to rest")


def end_windows() -> None:
    """Let every correction window be over."""
    now = timezone.now() - timedelta(seconds=1)
    Claim.objects.filter(step=Claim.Step.WINDOW).update(window_ends_at=now, next_step_at=now)
