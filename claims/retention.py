"""How long each kind of data is kept, and the purge of what is past its time.

A claim that was sent is a legal record: its session, codes, history, versions, files, answers and ledger
stay. What goes is what the record does not need, and sessions that never became a claim. A legal hold stops
all of it; of the access records, whose chain can only lose its beginning, it keeps all from the first that
names the session.
"""

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from claims.models import (
    AnswerMatch,
    Claim,
    ClaimChange,
    ClaimLine,
    ClaimSignal,
    CorrectionDraft,
    Finding,
    LegalHold,
    NoteReview,
    Override,
    SandboxAnswer,
    SandboxSubmission,
    TransmittedClaim,
    WorkItem,
)
from partners.audit_chain import purge_records
from partners.models import ApiKeyAddress, IdempotencyRecord
from sessions_app.models import (
    Session,
    SessionChange,
    SessionCode,
    SessionCodeChange,
    SessionEvent,
    SessionNote,
)

log = structlog.get_logger()
BATCH = 500
UNFINISHED = (Claim.Step.CODE, Claim.Step.CHECK, Claim.Step.WINDOW, Claim.Step.BUILD, Claim.Step.HELD)


@dataclass(frozen=True)
class Kind:
    """A kind of data: its name in the schedule, what of it is past its time, and how that goes."""

    name: str
    past: Callable[[datetime], QuerySet[Any]]
    purge: Callable[[list[Any]], None]
    session: str = ""
    """Where a row names its session; empty where it has none."""


@dataclass(frozen=True)
class Purged:
    """How many rows of a kind were past their time; `days` 0 means that the kind is kept for ever."""

    kind: str
    days: int
    rows: int


class PurgeIncomplete(Exception):
    """Some kinds could not be purged; those that it does not name were."""


def purge(*, dry_run: bool = False, ends: float = math.inf) -> list[Purged]:
    """Purge every kind by `settings.RETENTION_DAYS`, in batches that are a transaction each.

    A kind that fails keeps no other from going; PurgeIncomplete names it at the end. Once the monotonic clock
    is at `ends`, no second batch of a kind is begun.
    """
    outcomes: list[Purged] = []
    failed: list[str] = []
    ways: dict[str, Callable[..., int]] = {kind.name: partial(_purge_kind, kind, ends=ends) for kind in KINDS}
    ways["access_records"] = _purge_access_records
    for name, way in ways.items():
        days = settings.RETENTION_DAYS[name]
        try:
            rows = way(timezone.now() - timedelta(days=days), dry_run=dry_run) if days else 0
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            log.exception("could not be purged", kind=name)
            failed.append(name)
        else:
            outcomes.append(Purged(name, days, rows))
    if failed:
        raise PurgeIncomplete(f"Not purged in full: {', '.join(failed)}.")
    return outcomes


def _purge_kind(kind: Kind, before: datetime, *, dry_run: bool, ends: float) -> int:
    if dry_run:
        return kind.past(before).count()
    rows = 0
    while True:
        with transaction.atomic():
            batch = _take(kind, before)
            if not batch:
                return rows
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('app.purging', 'on', true)")
                kind.purge(batch)
                cursor.execute("SELECT set_config('app.purging', '', true)")
        rows += len(batch)
        if time.monotonic() >= ends:
            return rows


def _take(kind: Kind, before: datetime) -> list[Any]:
    """The next rows; those of sessions are locked, as is the session, and looked at again under the locks.

    Placing a hold locks the session too. What somebody else has locked is left for another time.
    """
    past = kind.past(before).order_by("pk")
    if not kind.session:
        return list(past.values_list("pk", flat=True)[:BATCH])
    found = dict(past.values_list("pk", kind.session)[:BATCH])
    sessions = Session.objects.select_for_update(skip_locked=True).filter(pk__in=found.values())
    locked = list(sessions.order_by("pk").values_list("pk", flat=True))
    again = kind.past(before).filter(pk__in=found, **{f"{kind.session}__in": locked})
    return list(again.order_by("pk").select_for_update(skip_locked=True).values_list("pk", flat=True))


def _purge_access_records(before: datetime, *, dry_run: bool) -> int:
    held = LegalHold.objects.filter(lifted_at=None).values_list("session_id", flat=True)
    return purge_records(before.date(), held=held, dry_run=dry_run)


def _held(session: str) -> Exists:
    return Exists(LegalHold.objects.filter(session=OuterRef(session), lifted_at=None))


def _past_notes(before: datetime) -> QuerySet[Any]:
    """Notes that have given their codes, of sessions whose claims are out."""
    unfinished = Claim.objects.filter(session=OuterRef("pk"), step__in=UNFINISHED)
    return SessionNote.objects.filter(
        ~Exists(unfinished), ~_held("pk"), text__isnull=False, coded_at__lt=before
    )


def _purge_notes(batch: list[Any]) -> None:
    notes = SessionNote.objects.filter(pk__in=batch)
    notes.update(text=None, purged_at=timezone.now())
    if settings.NOTE_QUOTES == "purge":
        for note in notes:
            if note.coding:
                note.coding = json.dumps(_without_quotes(json.loads(note.coding)), separators=(",", ":"))
        SessionNote.objects.bulk_update(notes, ["coding"])


def _without_quotes(value: Any) -> Any:
    """The coder's result with the places of its evidence and none of its words."""
    if isinstance(value, dict):
        return {name: "" if name == "quote" else _without_quotes(part) for name, part in value.items()}
    return [_without_quotes(part) for part in value] if isinstance(value, list) else value


def _past_unsent(before: datetime) -> QuerySet[Any]:
    """Sessions that no file to a payer and no answer ever named, nor a person as an answer's by mistake."""
    sent = TransmittedClaim.objects.filter(claim__session=OuterRef("pk"))
    answered = ClaimSignal.objects.filter(claim__session=OuterRef("pk"))
    matched = AnswerMatch.objects.filter(claim__session=OuterRef("pk"))
    return Session.objects.filter(
        ~Exists(sent), ~Exists(answered), ~Exists(matched), ~_held("pk"), updated_at__lt=before
    )


def _purge_sessions(batch: list[Any]) -> None:
    claims = list(Claim.objects.filter(session__in=batch).values_list("pk", flat=True))
    for model in (Finding, ClaimLine):
        model.objects.filter(claim__in=claims).delete()
    LegalHold.objects.filter(session__in=batch, lifted_at__isnull=False).delete()
    for model in (WorkItem, NoteReview, CorrectionDraft, Override):
        model.objects.filter(session__in=batch).delete()
    # A version goes after those that name it.
    while Claim.objects.filter(pk__in=claims, replaced_by=None).defer("snapshot").delete()[0]:
        continue
    for model in (SessionNote, SessionCode, SessionEvent):
        model.objects.filter(session__in=batch).delete()
    Session.objects.filter(pk__in=batch).delete()
    # What their triggers wrote goes last: deleting the rows above added to it.
    ClaimChange.objects.filter(session__in=batch).delete()
    SessionCodeChange.objects.filter(session__in=batch).delete()
    SessionChange.objects.filter(pgh_obj__in=batch).delete()


def _delete(model: Any) -> Callable[[list[Any]], None]:
    return lambda batch: model.objects.filter(pk__in=batch).delete() and None


KINDS = (
    Kind("notes", _past_notes, _purge_notes, session="session"),
    Kind("unsent_sessions", _past_unsent, _purge_sessions, session="id"),
    Kind(
        "correction_drafts",
        lambda before: CorrectionDraft.objects.filter(~_held("session"), saved_at__lt=before),
        _delete(CorrectionDraft),
        session="session",
    ),
    Kind(
        "idempotency_records",
        lambda before: IdempotencyRecord.objects.filter(created_at__lt=before),
        _delete(IdempotencyRecord),
    ),
    Kind(
        "key_addresses",
        lambda before: ApiKeyAddress.objects.filter(last_used_at__lt=before),
        _delete(ApiKeyAddress),
    ),
    Kind(
        "sandbox_files",
        lambda before: SandboxSubmission.objects.filter(created_at__lt=before),
        _delete(SandboxSubmission),
    ),
    Kind(
        "sandbox_answers",
        lambda before: SandboxAnswer.objects.filter(taken_at__lt=before),
        _delete(SandboxAnswer),
    ),
)
