"""Where the pipeline's steps leave a claim before it is sent."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from claims import timeline, work_queue
from claims.fold.entries import TimelineEntry
from claims.fold.messages import message_for
from claims.landing import Item, Landing, Work
from claims.lifecycle.locks import lock_in_order
from claims.lifecycle.settled import settle
from claims.models import Claim, ClaimLine, Finding
from claims.settlement import what_it_voids
from claims.signals import ClaimStatus, EventType, SessionStatus
from partners.keyring import encrypt
from sessions_app.models import Session, SessionCode, SessionNote

MOST_FAILURES = 3
AFTER_FAILURE = timedelta(seconds=30)
LAND = """
UPDATE claims_claim AS claim SET
    status_changed_at = CASE WHEN claim.status = new.status THEN claim.status_changed_at ELSE now() END,
    status = new.status, step = new.step,
    next_step_at = CASE WHEN new.step = 'send' THEN now() ELSE new.next_step_at END,
    file_by = CASE WHEN new.checked THEN new.file_by ELSE claim.file_by END,
    patient_control_number = coalesce(new.patient_control_number, claim.patient_control_number),
    frequency = coalesce(new.frequency, claim.frequency),
    replaces_id = coalesce(new.replaces, claim.replaces_id),
    snapshot = coalesce(new.snapshot, claim.snapshot),
    total_charge = coalesce(new.total_charge, claim.total_charge),
    mode = coalesce(new.mode, claim.mode), gateway = coalesce(new.gateway, claim.gateway),
    remittances_expected = coalesce(new.remittances_expected, claim.remittances_expected),
    built_at = CASE WHEN new.snapshot IS NULL THEN claim.built_at ELSE statement_timestamp() END,
    attempts = 0, last_updated_at = %s
FROM unnest(%s::uuid[], %s::text[], %s::int[], %s::text[], %s::text[], %s::timestamptz[], %s::boolean[],
            %s::date[], %s::text[], %s::text[], %s::uuid[], %s::bytea[], %s::numeric[], %s::text[],
            %s::text[], %s::boolean[])
    AS new (id, from_step, revision, status, step, next_step_at, checked, file_by, patient_control_number,
            frequency, replaces, snapshot, total_charge, mode, gateway, remittances_expected)
WHERE claim.id = new.id AND claim.step = new.from_step AND claim.revision = new.revision
RETURNING claim.id
"""
COUNT_HITS = """
INSERT INTO claims_rulefigure (day, rule, hits)
SELECT current_date, rule, hits FROM unnest(%s::text[], %s::int[]) AS new (rule, hits)
ON CONFLICT (rule, day) DO UPDATE SET hits = claims_rulefigure.hits + excluded.hits
"""
"""Last of all and in the rules' order: batches that land at once hardly wait for each other."""
LAND_MESSAGES = """
UPDATE sessions_app_session AS session SET updated_at = %s,
    message = CASE WHEN session.status = new.status THEN new.message ELSE session.message END
FROM unnest(%s::uuid[], %s::text[], %s::text[]) AS new (id, status, message)
WHERE session.id = new.id
"""
"""Where an answer to an earlier version has moved the session meanwhile, its message stays."""


def land(runs: Sequence[tuple[Work, Landing]]) -> set[UUID]:
    """Write what the steps found, for each claim all of it or - if it is no longer as they read it - nothing.

    The ids of the claims that landed. A batch costs a batch's statements.
    """
    voids = {work.claim.session_id for work, _ in runs if work.claim.frequency == Claim.Frequency.VOID}
    with transaction.atomic():
        lock_in_order((work.claim.pk for work, _ in runs), whole=voids)
        now = timezone.now()
        landed = _write_claims([(work.claim, landing) for work, landing in runs], at=now)
        kept = [(work, landing) for work, landing in runs if work.claim.pk in landed]
        if kept:
            _write_details(kept, at=now)
        # What a void says besides its own is the fold's to tell.
        if told := [work.claim.session_id for work, _ in kept if work.claim.session_id in voids]:
            settle(told)
    return landed


def _write_claims(pairs: Sequence[tuple[Claim, Landing]], *, at: datetime) -> set[UUID]:
    rows = [
        (
            claim.pk,
            claim.step,
            claim.revision,
            landing.status,
            landing.step,
            landing.next_step_at,
            landing.findings is not None,
            landing.file_by,
            *(
                (
                    built.patient_control_number,
                    built.frequency,
                    built.replaces,
                    encrypt(built.snapshot.encode()),
                    built.total_charge,
                    built.mode,
                    built.gateway,
                    built.remittances_expected,
                )
                if (built := landing.built)
                else (None,) * 8
            ),
        )
        for claim, landing in pairs
    ]
    with connection.cursor() as cursor:
        cursor.execute(LAND, [at, *(list(column) for column in zip(*rows, strict=True))])
        return {row[0] for row in cursor.fetchall()}


def _write_details(runs: Sequence[tuple[Work, Landing]], *, at: datetime) -> None:
    _write_codes(runs)
    checked = [(work.claim, landing.findings) for work, landing in runs if landing.findings is not None]
    if had := [claim.pk for claim, _ in checked if claim.findings.all()]:
        Finding.objects.filter(claim__in=had).delete()
    Finding.objects.bulk_create(finding for _, findings in checked for finding in findings)
    built = [(work.claim, landing.built) for work, landing in runs if landing.built]
    if had := [claim.pk for claim, _ in built if claim.patient_control_number]:
        ClaimLine.objects.filter(claim__in=had).delete()
    ClaimLine.objects.bulk_create(line for _, claim in built for line in claim.lines)
    with connection.cursor() as cursor:
        cursor.execute(
            LAND_MESSAGES,
            [
                at,
                [work.claim.session_id for work, _ in runs],
                [work.session_status for work, _ in runs],
                [landing.message for _, landing in runs],
            ],
        )
    _write_items(runs)
    timeline.append(((entry, work.claim) for work, landing in runs for entry in landing.entries), at=at)
    _count_hits(runs)


def _write_items(runs: Sequence[tuple[Work, Landing]]) -> None:
    """Close what was asked of a person, and ask what is asked now."""
    by_queue: dict[str | None, list[UUID]] = defaultdict(list)
    for work, landing in runs:
        if work.claim.status == ClaimStatus.HELD or landing.item:
            by_queue[landing.item.queue if landing.item else None].append(work.claim.session_id)
    for queue, session_ids in by_queue.items():
        work_queue.close_items(session_ids, keep=Q(queue=queue) if queue else None)
    items = []
    for work, landing in runs:
        if landing.item:
            # The claim is as it was read; who works on it goes by what was found.
            if landing.findings is not None:
                work.claim.file_by = landing.file_by
            work.claim.total_charge = landing.charge or work.claim.total_charge
            items.append((landing.item, work.claim))
    work_queue.put_items(items)


def _count_hits(runs: Sequence[tuple[Work, Landing]]) -> None:
    """Count the rules that hit a claim and had not before."""
    hits: Counter[str] = Counter()
    for work, landing in runs:
        known = {row.rule for row in work.claim.findings.all()}
        hits.update({row.rule for row in landing.findings or ()} - known)
    if hits:
        rules = sorted(hits)
        with connection.cursor() as cursor:
            cursor.execute(COUNT_HITS, [rules, [hits[rule] for rule in rules]])


def _write_codes(runs: Sequence[tuple[Work, Landing]]) -> None:
    coded = [(work, landing) for work, landing in runs if landing.taken_codes is not None]
    ours = [row.pk for work, _ in coded for row in work.record.codes if row.source in ("derived", "note")]
    if ours:
        SessionCode.objects.filter(pk__in=ours).delete()
    SessionCode.objects.bulk_create(row for _, landing in coded for row in landing.taken_codes or ())
    settled = [row for _, landing in runs for row in landing.settled]
    if settled:
        SessionCode.objects.bulk_update(settled, ["modifier", "modifier_added", "units"])
    now = timezone.now()
    read = [
        SessionNote(pk=work.claim.session_id, coding=landing.coding, coded_at=now)
        for work, landing in runs
        if landing.coding is not None
    ]
    SessionNote.objects.bulk_update(read, ["coding", "coded_at"])


def move(claims: QuerySet[Claim], *, status: ClaimStatus, at: datetime, **columns: Any) -> int:
    """Write a status and what goes with it, where claims are still as asked for; how many were."""
    return claims.update(status=status, status_changed_at=at, last_updated_at=at, **columns)


def put_aside(claim: Claim, *, error: str) -> None:
    """A step tripped over this claim: try again later, and hold it for a person when that doesn't help.

    `attempts` counts how often the claim was taken since something last came of it.
    """
    is_void = claim.frequency == Claim.Frequency.VOID
    with transaction.atomic():
        unchanged = Claim.objects.filter(pk=claim.pk, step=claim.step, revision=claim.revision)
        if claim.attempts < MOST_FAILURES:
            unchanged.update(next_step_at=Now() + AFTER_FAILURE * claim.attempts)
            return
        lock_in_order([claim.pk], whole=[claim.session_id] if is_void else [])
        words = "Something on our side went wrong with this session; our engineers look at it."
        _hold(claim, reason=error, words=words)
        if is_void and "snapshot" not in claim.get_deferred_fields():
            settle([claim.session_id])


def hold_restored(claim: Claim) -> None:
    """A locked claim may have left after the backup that this database was restored from: ask a person."""
    words = (
        "The service was restored from a backup, so this claim may be with the payer already; it is compared "
        "with what the clearinghouse has."
    )
    work_queue.close_items([claim.session_id])
    _hold(claim, reason=work_queue.RESTORED, words=words)


def _hold(claim: Claim, *, reason: str, words: str) -> None:
    """Hold a claim for staff; its partner can do nothing about it."""
    now = timezone.now()
    unchanged = Claim.objects.filter(pk=claim.pk, step=claim.step, revision=claim.revision)
    stopped = {"step": Claim.Step.HELD, "next_step_at": None, "lease": None, "lease_until": None}
    if move(unchanged, status=ClaimStatus.HELD, at=now, **stopped):
        status = SessionStatus(claim.session.status)
        Session.objects.filter(pk=claim.session_id, status=status).update(
            message=message_for(
                status,
                ClaimStatus.HELD,
                voids=what_it_voids(claim),
                findings=[words],
                for_partner=(),
            ),
            updated_at=now,
        )
        timeline.append([(TimelineEntry(EventType.SESSION_HELD, words, status), claim)], at=now)
        work_queue.put_items([(Item(queue=work_queue.Queue.TRANSPORT, reason=reason, summary=words), claim)])


def reopen(claims: Sequence[Claim], *, at: datetime) -> None:
    """Put locked claims that have not left back to their first step; their correction windows stay."""
    move(
        Claim.objects.filter(pk__in=[claim.pk for claim in claims]),
        step=Claim.Step.CODE,
        status=ClaimStatus.QUEUED,
        at=at,
        next_step_at=at,
        revision=F("revision") + 1,
        attempts=0,
    )
    work_queue.close_items([claim.session_id for claim in claims])


def start_again(claim: Claim, *, delay: timedelta) -> None:
    """Take a locked claim back to its first step; what a running step found can't land any more."""
    move(
        Claim.objects.filter(pk=claim.pk),
        step=Claim.Step.CODE,
        status=ClaimStatus.QUEUED,
        at=timezone.now(),
        next_step_at=Now(),
        window_ends_at=Now() + delay,
        revision=F("revision") + 1,
        attempts=0,
        snapshot=None,
        built_at=None,
        total_charge=None,
    )


def turn_into_void(claim: Claim, earlier: Claim, *, at: datetime) -> Claim:
    """Let a locked correction that has not left void the earlier version instead."""
    move(
        Claim.objects.filter(pk=claim.pk),
        frequency=Claim.Frequency.VOID,
        replaces=earlier,
        step=Claim.Step.BUILD,
        status=ClaimStatus.QUEUED,
        at=at,
        window_ends_at=at,
        next_step_at=at,
        revision=F("revision") + 1,
        attempts=0,
    )
    Finding.objects.filter(claim=claim).delete()
    work_queue.close_items([claim.session_id])
    claim.refresh_from_db()
    return claim


def resend_envelope(claim: Claim, *, at: datetime) -> None:
    """Let a locked claim, whose file the receiver couldn't read, go out again as it was frozen."""
    same = Claim.objects.filter(pk=claim.pk)
    move(same, step=Claim.Step.SEND, status=ClaimStatus.QUEUED, at=at, next_step_at=at)
    work_queue.close_items([claim.session_id])
    if claim.frequency == Claim.Frequency.VOID:
        settle([claim.session_id])
        return
    message = message_for(SessionStatus(claim.session.status), ClaimStatus.QUEUED)
    Session.objects.filter(pk=claim.session_id).update(message=message)
