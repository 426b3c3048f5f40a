"""Runs claims' next steps until each must wait, is held, or is ready to be handed over.

Claims are taken in batches, a few of each partner at a time, so that one partner's many don't keep another's
few waiting, and so that looking up and writing cost a batch's statements rather than a claim's.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from billing.rules.facts import OtherClaimState
from claims import history, lifecycle, meters, note_model, steps
from claims.fold.messages import message_for
from claims.landing import Landing, Work
from claims.models import Claim
from claims.signals import ClaimStatus
from sessions_app.lookups import SessionRecord, look_up

log = structlog.get_logger()
BATCH = 64
OF_ONE_PARTNER = 32
RUN_BY_PIPELINE = (Claim.Step.CODE, Claim.Step.CHECK, Claim.Step.WINDOW, Claim.Step.BUILD)
DOUBTFUL_AT_ONCE = 16
MOST_TIMES_TAKEN = 5
AFTER_THE_EARLIER = timedelta(seconds=1)
CODING_SECONDS = 1.0
"""Of a batch, for finding codes: the batch lands together, so slow notes would keep all of it waiting."""
TAKE_DUE = """
UPDATE claims_claim SET next_step_at = statement_timestamp() + interval '20 seconds', attempts = attempts + 1
WHERE id = ANY(ARRAY(
    SELECT due.id
    FROM (SELECT id FROM partners_partner ORDER BY random()) AS partner
    CROSS JOIN LATERAL (
        SELECT id FROM claims_claim
        WHERE partner_id = partner.id AND next_step_at <= statement_timestamp() AND step = ANY(%s)
        AND (attempts > 0) = %s
        AND (NOT %s OR step <> 'code' OR NOT coalesce((
            SELECT text IS NOT NULL FROM sessions_app_sessionnote AS note
            WHERE note.session_id = claims_claim.session_id
        ), false))
        ORDER BY next_step_at LIMIT %s FOR UPDATE SKIP LOCKED
    ) AS due
    LIMIT %s))
RETURNING id, statement_timestamp(), revision
"""
"""Whoever takes a claim has a while for it; then it is due again. An array: what it is made of is read once,
where IN may be read anew for each claim, and then a batch has no end. The database's clock says what is due.
Partners come in any order, so that a batch's worth of some never keeps another waiting for long.
Where a language model reads notes (the second flag), claims that wait for that are left to TAKE_NOTE."""
TAKE_NOTE = """
UPDATE claims_claim SET next_step_at = statement_timestamp() + interval '120 seconds', attempts = attempts + 1
WHERE id = ANY(ARRAY(
    SELECT due.id
    FROM partners_partner AS partner
    CROSS JOIN LATERAL (
        SELECT claim.id FROM claims_claim AS claim
        WHERE claim.partner_id = partner.id AND claim.next_step_at <= statement_timestamp()
        AND claim.step = 'code' AND (
            SELECT text IS NOT NULL FROM sessions_app_sessionnote AS note
            WHERE note.session_id = claim.session_id
        )
        ORDER BY claim.next_step_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS due
    ORDER BY random() LIMIT 1))
RETURNING id, statement_timestamp(), revision
"""
"""One claim of any partner. A model may be asked three times about a note, for twenty seconds each."""
GIVE_BACK = """
UPDATE claims_claim AS claim
SET next_step_at = statement_timestamp() + make_interval(secs => %s), attempts = attempts - 1
FROM unnest(%s::uuid[], %s::int[]) AS taken (id, revision)
WHERE claim.id = taken.id AND claim.revision = taken.revision AND step = ANY(%s) AND attempts > 0
"""
"""A claim that was corrected meanwhile is due anew: perhaps another worker has it by now."""


@dataclass(slots=True)
class Run:
    """One claim's turn."""

    work: Work
    record: SessionRecord
    landing: Landing = field(default_factory=Landing)


def advance() -> list[UUID]:
    """Take a batch of due claims, run their steps, land what they found; the claims that were taken.

    A run that finds its claim changed under it writes nothing: the change made it due again. Claims that
    were taken before and of which nothing was heard run each by itself, so that one that ends its worker
    takes no other with it.
    """
    due_steps, apart = list(RUN_BY_PIPELINE), note_model.in_use()
    taken = _take_and_run(TAKE_DUE, due_steps, False, apart, OF_ONE_PARTNER, BATCH)
    for _ in range(DOUBTFUL_AT_ONCE):
        alone = _take_and_run(TAKE_DUE, due_steps, True, apart, 1, 1)
        if not alone:
            break
        taken += alone
    return taken


def advance_note() -> list[UUID]:
    """Take one due claim whose note a language model reads, and run its steps as `advance` does."""
    return _take_and_run(TAKE_NOTE)


def _take_and_run(statement: str, *arguments: Any) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        rows = cursor.fetchall()
    taken = [row[0] for row in rows]
    try:
        if taken:
            for run in _run(taken, now=rows[0][1]):
                _tell(run)
    except (OperationalError, InterfaceError):
        _database_was_away({row[0]: row[2] for row in rows})
        raise
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:
        if len(taken) > 1:
            raise  # each is doubtful now, and the next time runs alone
        log.error("claim could not be run", **Claim.trace_of(taken[0]), error=type(error).__name__)
        lifecycle.put_aside(_without_content(taken[0]), error="unreadable")
    return taken


def _run(claim_ids: Sequence[UUID], *, now: datetime) -> list[Run]:
    """Run these claims' steps and land them; those that landed."""
    works = _load(claim_ids)
    lost = [work.claim for work in works if work.claim.attempts > MOST_TIMES_TAKEN]
    for claim in lost:
        lifecycle.put_aside(claim, error="ended its worker")
    runs = [Run(work, work.record) for work in works if work.claim not in lost]
    coded = _each(_in_time(runs), _coded)
    built = [run for run in coded if run.landing.built]
    checked = _check_and_build([run for run in coded if not run.landing.built], now=now)
    return _land([*built, *checked])


def _without_content(claim_id: UUID) -> Claim:
    """A claim of which perhaps something can't be read: what may be is left where it is."""
    readable = ("partner", "step", "revision", "attempts", "file_by", "total_charge")
    kept = Claim.objects.select_related("session").only(*readable, "session__payer_name", "session__status")
    return kept.get(pk=claim_id)


def _in_time(runs: Iterable[Run]) -> Iterator[Run]:
    """Claims without a note first, then the oldest; what the batch's time doesn't reach is due again."""
    waiting = sorted(runs, key=lambda run: (run.work.note is not None, run.record.session.created_at))
    ends = time.monotonic() + CODING_SECONDS
    for place, run in enumerate(waiting):
        if place and time.monotonic() > ends:
            _give_back({run.work.claim.pk: run.work.claim.revision for run in waiting[place:]}, rest=0)
            return
        yield run


def _give_back(revisions: Mapping[UUID, int], *, rest: int) -> None:
    """Let claims that were taken and not run, through no fault of their own, be due in `rest` seconds."""
    with connection.cursor() as cursor:
        cursor.execute(GIVE_BACK, [rest, list(revisions), list(revisions.values()), list(RUN_BY_PIPELINE)])


def _database_was_away(revisions: Mapping[UUID, int]) -> None:
    """Give the claims back; if it is still away, they are due again anyway."""
    if connection.in_atomic_block:
        return
    connection.close()
    try:
        _give_back(revisions, rest=1)
    except (OperationalError, InterfaceError):
        log.warning("the database is away")


def _load(claim_ids: Sequence[UUID]) -> list[Work]:
    claims = with_rows(Claim.objects.filter(pk__in=claim_ids, step__in=RUN_BY_PIPELINE))
    return [work_of(claim) for claim in claims]


def with_rows(claims: QuerySet[Claim]) -> QuerySet[Claim]:
    """The claims with what `work_of` reads, in a number of statements that doesn't grow with them."""
    related = claims.select_related(
        "session__partner", "session__provider__practice", "session__note", "replaces"
    )
    return related.prefetch_related("session__codes", "session__overrides", "findings", "replaces__signals")


def work_of(claim: Claim) -> Work:
    """A claim with the rows that its steps read."""
    session = claim.session
    return Work(
        claim=claim,
        record=SessionRecord(
            session=session,
            partner=session.partner,
            provider=session.provider,
            practice=session.provider.practice,
            codes=list(session.codes.all()),
        ),
        note=getattr(session, "note", None),
        overrides=[each for each in session.overrides.all() if each.counts_for(session)],
    )


def _coded(run: Run) -> None:
    """Find the codes where that is the step; a void only repeats what was sent."""
    if run.work.claim.frequency == Claim.Frequency.VOID:
        steps.build_void(run.work, landing=run.landing)
    elif run.work.claim.step == Claim.Step.CODE:
        run.record = steps.code(run.work, run.landing)


def _check_and_build(runs: Sequence[Run], *, now: datetime) -> list[Run]:
    """Check, and - once the correction window is over - build; the runs that came through."""
    if not runs:
        return []
    others = history.other_claims([run.work for run in runs])
    beside = [history.codes_of_day(run.work, others[run.work.claim.session_id]) for run in runs]
    looked_up = look_up([run.record for run in runs], beside=beside)
    found = dict(zip(map(id, runs), looked_up, strict=True))

    def check_one(run: Run) -> None:
        lookups, landing = found[id(run)], run.landing
        known = others[run.work.claim.session_id]
        landing.beside = history.of_day(run.work, known)
        if history.awaits_codes(run.work, known):
            landing.step, landing.next_step_at = Claim.Step.CHECK, now + AFTER_THE_EARLIER
            landing.message = message_for(run.work.session_status, ClaimStatus.QUEUED)
            return
        result = steps.check_claim(
            run.work,
            run.record,
            lookups=lookups,
            others=known,
            landing=landing,
            now=now,
        )
        if result.blocking:
            return
        leaves_at = steps.wait_until(run.work)
        if leaves_at > now:
            landing.step, landing.next_step_at = Claim.Step.WINDOW, leaves_at
            landing.message = message_for(run.work.session_status, ClaimStatus.QUEUED, leaves_after=leaves_at)
        else:
            steps.build(run.work, lookups, result, landing=landing)

    return _each(runs, check_one)


def _each(runs: Iterable[Run], step: Callable[[Run], None]) -> list[Run]:
    """Run a step for each; a claim that it trips over is put aside, and the others go on."""
    through = []
    for run in runs:
        try:
            step(run)
        except (DatabaseError, SoftTimeLimitExceeded):
            raise
        except Exception as error:
            _put_aside(run, error)
        else:
            through.append(run)
    return through


def _not_overtaken(runs: Sequence[Run]) -> None:
    """Take built claims back to their first step where another session of their day left meanwhile.

    Who lands such claims holds a lock on their patients' days: of two, the second sees the first.
    """
    beside = [run for run in runs if run.landing.built and run.landing.beside]
    if not beside:
        return
    history.lock_days([run.work for run in beside])
    now = history.other_claims([run.work for run in beside])
    for run in beside:
        work = run.work
        known = [other.state for other in run.landing.beside]
        found = [other.state for other in history.of_day(work, now[work.claim.session_id])]
        if found.count(OtherClaimState.SENT) > known.count(OtherClaimState.SENT):
            words = message_for(work.session_status, ClaimStatus.QUEUED)
            run.landing = Landing(step=Claim.Step.CODE, next_step_at=timezone.now(), message=words)


def _land(runs: Sequence[Run]) -> list[Run]:
    """Land all runs together; where the database refuses one of them, each by itself. Those that landed."""
    if not runs:
        return []
    try:
        with transaction.atomic():
            _not_overtaken(runs)
            landed = lifecycle.land([(run.work, run.landing) for run in runs])
    except (DataError, IntegrityError):
        landed = {claim_id for run in runs for claim_id in _land_alone(run)}
    return [run for run in runs if run.work.claim.pk in landed]


def _tell(run: Run) -> None:
    """Write a claim's line, with the request that the session came by, and count it."""
    claim, landing = run.work.claim, run.landing
    log.info(
        "step",
        **claim.trace,
        step=claim.step,
        to=landing.step,
        status=landing.status,
        reason=landing.item.reason if landing.item else None,
    )
    meters.count_landing(landing)


def _land_alone(run: Run) -> set[UUID]:
    try:
        with transaction.atomic():
            _not_overtaken([run])
            return lifecycle.land([(run.work, run.landing)])
    except (DataError, IntegrityError) as error:
        _put_aside(run, error)
        return set()


def _put_aside(run: Run, error: Exception) -> None:
    """Try again a little later; what fails again and again is held for a person."""
    claim = run.work.claim
    log.error("step failed", **claim.trace, step=claim.step, error=type(error).__name__)
    lifecycle.put_aside(claim, error=type(error).__name__)


def count_late() -> int:
    """How many claims have been due for longer than two sweeps: somebody should have taken them."""
    late = Now() - 2 * timedelta(seconds=settings.SWEEP_SECONDS)
    return Claim.objects.filter(next_step_at__lt=late, step__in=RUN_BY_PIPELINE).count()


def has_due() -> bool:
    """Whether a claim waits for its steps."""
    return Claim.objects.filter(next_step_at__lte=Now(), step__in=RUN_BY_PIPELINE).exists()


def has_due_notes() -> bool:
    """Whether a claim waits for a language model to read its note."""
    due = Claim.objects.filter(
        next_step_at__lte=Now(), step=Claim.Step.CODE, session__note__text__isnull=False
    )
    return note_model.in_use() and due.exists()
