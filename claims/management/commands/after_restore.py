"""`after_restore`: keep what may have left since a backup was made from leaving again."""

from typing import Any
from uuid import UUID

import redis
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q

from claims import heartbeats, lifecycle
from claims.models import Claim, WorkItem
from claims.models.work import STILL_ASKS
from claims.signals import UNSETTLED, ClaimStatus
from claims.work_queue import RESTORED
from partners.commands import Answer, Exit, SupportCommand

FURTHER = 100_000
"""More interchanges than could have been written since."""
AT_ONCE = 200
NEEDED = (
    "partner_id",
    "session_id",
    "version",
    "frequency",
    "replaces_id",
    "step",
    "revision",
    "total_charge",
    "file_by",
    "session__status",
    "session__payer_name",
)
"""What holding a claim reads of it; without what is frozen for the payer."""
CONTROL_NUMBERS = (
    "claims_interchange_control_number",
    "claims_group_control_number",
    "claims_transaction_control_number",
)


class Command(SupportCommand):
    help = (
        "Run after restoring a backup that is older than the last hand-over, before any worker runs, else it "
        "refuses: control numbers go on further ahead, and claims that no receipt is known of, whether they "
        "waited, a rule held them or they were on their way, are held until a person has compared them with "
        "the clearinghouse's list."
    )
    example = "after_restore --dry-run"
    changes = True

    def answer(self, options: dict[str, Any]) -> Answer:
        queued = Q(~Q(step=Claim.Step.FOLLOW), status=ClaimStatus.QUEUED)
        # Given up since, it may have left in another interchange: asking for this one would tell nothing.
        on_its_way = Q(step=Claim.Step.SEND, status__in=UNSETTLED)
        asked = WorkItem.objects.filter(STILL_ASKS, session=OuterRef("session"))
        held = Q(Exists(asked.exclude(reason=RESTORED)), step=Claim.Step.HELD)
        waiting = Claim.objects.filter(queued | on_its_way | held)
        count = waiting.count()
        document = {"claimsHeld": count, "controlNumbersSkipped": FURTHER, "dryRun": options["dry_run"]}
        if options["dry_run"]:
            words = (
                f"Control numbers would go on {FURTHER:,} further. {count:,} claims would be held in the "
                "queue of transport failures. Nothing was changed."
            )
            refused = [f"It would be refused now: {_still_works(alive)}"] if (alive := _who_works()) else []
            return Answer(document, [words, *refused], exit=Exit.ATTENTION if refused else Exit.DONE)
        if alive := _who_works():
            raise CommandError(f"Nothing was changed: {_still_works(alive)}")
        _hold_back(list(waiting.order_by("session_id", "version").values_list("pk", flat=True)))
        words = (
            f"Control numbers go on {FURTHER:,} further. {count:,} claims are held in the queue of transport "
            "failures: compare them with the clearinghouse's list, then release those that are not on it."
        )
        return Answer(document, [words])


def _who_works() -> list[str]:
    """The kinds of process that work on this database, by their signs of life; none while Redis is away."""
    try:
        with heartbeats.broker() as client:
            return [kind for kind in heartbeats.KINDS if heartbeats.is_alive(kind, client)]
    except (redis.RedisError, OSError):
        return []


def _still_works(alive: list[str]) -> str:
    return (
        f"{', '.join(alive)} was heard of in the last minute. This is for a database that was just restored: "
        "stop worker, gateways and beat, then run it again."
    )


def _hold_back(claim_ids: list[UUID]) -> None:
    """Skip the numbers, then hold the claims; after an end halfway the next run goes on with the others."""
    with connection.cursor() as cursor:
        for name in CONTROL_NUMBERS:
            cursor.execute("SELECT setval(%s, nextval(%s) + %s)", [name, name, FURTHER])
    for start in range(0, len(claim_ids), AT_ONCE):
        with transaction.atomic():
            claims = Claim.objects.select_for_update(of=("self",)).select_related("session").only(*NEEDED)
            chosen = claims.filter(pk__in=claim_ids[start : start + AT_ONCE])
            for claim in chosen.order_by("session_id", "version"):
                lifecycle.hold_restored(claim)
