"""Files from clearinghouses: stored raw and unique before anything reads them, then applied once.

Each transaction set of a file is applied in a transaction of its own: a bad one doesn't hold up the others.
What reading found and did stands in the file's report, without patient data.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import timedelta
from hashlib import sha256
from time import perf_counter
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Exists, F, Max, OuterRef, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from claims import gateways, meters, posting, reading, work_queue
from claims.clearinghouse.port import ClearinghouseError, FileKept, Outcome
from claims.clearinghouse.port import InboundFile as FetchedFile
from claims.models import ClaimSignal, InboundFile, PollCursor, RawFile, WorkItem
from claims.signal_filing import file_signals, sets_of_group

logger = logging.getLogger(__name__)
MOST_WAITING = 200
MOST_ATTEMPTS = 3
MOST_TIMES_TAKEN = 5
KEPT_OF_A_POLL = ("cursor", "polled_at", "failed_at", "failure")


def fetch(gateway_name: str, *, seconds: float | None = None) -> list[int]:
    """Fetch and store one clearinghouse's new files; the ids of those that were not here before.

    After so many seconds no further page is begun: polls of one that is slow would crowd out hand-overs.
    Where another poll has gone on from the same place meanwhile, this one ends there and sets nothing back.
    """
    gateway = gateways.gateway(gateway_name)
    cursor, _ = PollCursor.objects.get_or_create(pk=gateway_name)
    known = cursor.failure
    stored: list[int] = []
    began = started = perf_counter()
    try:
        while True:
            started = perf_counter()
            fetched = gateway.fetch(cursor.cursor)
            meters.GATEWAY_CALLS.labels(gateway_name, "fetch", "answered").observe(perf_counter() - started)
            stored += store(gateway_name, fetched.files)
            left = dict.fromkeys(fetched.left)
            for file in fetched.files:
                try:
                    gateway.acknowledge(file)
                except FileKept as error:
                    left[error.code] = None
            still_there = PollCursor.objects.filter(pk=gateway_name, cursor=cursor.cursor)
            cursor.cursor, cursor.polled_at = fetched.next_cursor, timezone.now()
            cursor.failure = left_there(list(left))
            if left:
                cursor.failed_at = cursor.polled_at
            if not still_there.update(**{name: getattr(cursor, name) for name in KEPT_OF_A_POLL}):
                return stored
            late = seconds is not None and perf_counter() - began >= seconds
            if late or not fetched.more:
                if left and cursor.failure != known:
                    logger.error("%s: %s", gateway_name, cursor.failure)
                return stored
    except (ClearinghouseError, SoftTimeLimitExceeded) as failure:
        over = ClearinghouseError("timeout", outcome=Outcome.NOT_TAKEN)
        error = failure if isinstance(failure, ClearinghouseError) else over
        meters.GATEWAY_CALLS.labels(gateway_name, "fetch", error.outcome).observe(perf_counter() - started)
        logger.warning("%s could not be polled: %s", gateway_name, error)
        PollCursor.objects.filter(pk=gateway_name).update(failed_at=timezone.now(), failure=str(error)[:200])
        return stored


def left_there(files: Sequence[str]) -> str:
    """What the cursor keeps and the log says of files that stay at the clearinghouse."""
    return f"Left there: {'; '.join(files)}."[:200] if files else ""


def store(gateway_name: str, files: Iterable[FetchedFile]) -> list[int]:
    """Store files byte for byte; content that is already here is not stored again."""
    by_hash = {sha256(file.content).digest(): file for file in files}
    if not by_hash:
        return []
    stored = InboundFile.objects.filter(sha256__in=list(by_hash))
    with transaction.atomic():
        InboundFile.objects.bulk_create(
            (
                InboundFile(
                    gateway=gateway_name,
                    name=file.name[:255],
                    kind=file.kind,
                    sha256=digest,
                    size=len(file.content),
                )
                for digest, file in by_hash.items()
            ),
            ignore_conflicts=True,
        )
        raw = RawFile.objects.filter(file=OuterRef("pk"), received_at=OuterRef("received_at"))
        RawFile.objects.bulk_create(
            RawFile(file=row, received_at=row.received_at, content=by_hash[bytes(row.sha256)].content)
            for row in stored.filter(~Exists(raw))
        )
    waiting = stored.filter(state=InboundFile.State.RECEIVED)
    return list(waiting.order_by("id").values_list("id", flat=True))


def stored(file: FetchedFile) -> QuerySet[InboundFile]:
    """What is kept of this content, if it is."""
    return InboundFile.objects.filter(sha256=sha256(file.content).digest())


def take_again(file: FetchedFile) -> list[int]:
    """Let a file that is here, and was not applied in full, be applied anew: its id; nothing where it was."""
    with transaction.atomic():
        unfinished = stored(file).filter(state__in=(InboundFile.State.REFUSED, InboundFile.State.PARTLY))
        taken = list(unfinished.select_for_update().values_list("id", flat=True))
        InboundFile.objects.filter(pk__in=taken).update(
            state=InboundFile.State.RECEIVED, kind=file.kind, attempts=0
        )
        asked = work_queue.of_files(taken).filter(closed_at=None)
        asked.update(closed_at=timezone.now(), outcome="The file was applied anew.")
    for file_id in taken:
        logger.info("file is applied anew", extra={"file": file_id})
    return taken


def waiting_files(*, rested: timedelta = timedelta(0)) -> list[int]:
    """Files that nobody has applied in this time, nor is applying now, the oldest first."""
    waiting = InboundFile.objects.filter(state=InboundFile.State.RECEIVED, received_at__lte=Now() - rested)
    with transaction.atomic():
        idle = waiting.order_by("received_at", "id").select_for_update(skip_locked=True)
        return list(idle.values_list("id", flat=True)[:MOST_WAITING])


def apply(file_id: int) -> dict[str, Any]:
    """Apply one stored file unless somebody has; the report of what it did.

    A database that is away is no fault of the file's; whatever else ends the attempt counts.
    """
    waiting = InboundFile.objects.filter(pk=file_id, state=InboundFile.State.RECEIVED)
    if not waiting.update(attempts=F("attempts") + 1):
        return dict(InboundFile.objects.values_list("report", flat=True).get(pk=file_id))
    logger.info("file", extra={"file": file_id})  # before it is read: it may end its worker
    try:
        return _apply(file_id)
    except (OperationalError, InterfaceError):
        if not connection.in_atomic_block:
            connection.close()
            waiting.update(attempts=F("attempts") - 1)
        raise


def _apply(file_id: int) -> dict[str, Any]:
    file = InboundFile.objects.get(pk=file_id)
    sets: list[dict[str, Any]] = []
    problems: list[str] = []
    notes: list[str] = []
    if file.attempts > MOST_TIMES_TAKEN:
        problems.append("Reading it was broken off again and again, and nobody knows by what.")
        report = {"sets": sets, "problems": problems}
        _close(file, report)
        return report
    try:
        read = reading.AnswerFile(file.content, kind=file.kind, received_on=file.received_at.date())
        for statement in read:
            sets.append(_apply_set(statement, file))
            if "refused" not in sets[-1]:
                problems += statement.lost
        problems, notes = [*problems, *read.missing][: reading.MOST_PROBLEMS], read.slips
    except reading.FileUnreadable as error:
        problems.append(str(error))
    except (DatabaseError, SoftTimeLimitExceeded):
        raise
    except Exception as error:
        # No traceback: it would quote what the file says.
        logger.error("file could not be read", extra={"file": file_id, "error": type(error).__name__})
        problems.append(f"Reading it ended with {type(error).__name__}.")
    report = {"sets": sets, "problems": problems, "notes": notes}
    if any(entry.get("again") for entry in sets) and file.attempts < MOST_ATTEMPTS:
        InboundFile.objects.filter(pk=file_id).update(report=report)
        return report
    _close(file, report)
    return report


def _apply_set(statement: reading.Statement, file: InboundFile) -> dict[str, Any]:
    """Apply one transaction set whole, or not at all; what went wrong stands in the report."""
    entry: dict[str, Any] = {"kind": statement.kind, "number": statement.control_number}
    said_before = _newest_signal(file) if statement.is_test else 0
    try:
        with transaction.atomic():
            # One worker at a time: what another has applied meanwhile is found as a repetition.
            InboundFile.objects.select_for_update().only("pk").get(pk=file.pk)
            outcome = (
                posting.post(statement, file=file)
                if statement.header
                else file_signals(statement.signals(sets_of_group=sets_of_group), file=file)
            )
            entry |= outcome.as_json()
            statement.finish()
            if statement.is_test and _names_live_claims(file, after=said_before):
                raise reading.SetRefused("The file is marked as a test, and it names a live claim.")
            if statement.refusal:
                raise reading.SetRefused(statement.refusal)
    except reading.SetRefused as refusal:
        entry = {"kind": statement.kind, "number": statement.control_number, "refused": str(refusal)}
        _keep_refused(statement, file=file, why=str(refusal))
    except (OperationalError, InterfaceError, SoftTimeLimitExceeded):
        raise
    except Exception as error:
        # No traceback: it would quote what the file says.
        kind = type(error).__name__
        last = file.attempts >= MOST_ATTEMPTS
        logger.log(
            logging.ERROR if last else logging.WARNING,  # what two files say at once is known the next time
            "transaction set could not be applied",
            extra={"file": file.pk, "error": kind},
        )
        entry |= {"again": True, "failed": kind}
    if statement.problems:
        entry["problems"] = statement.problems
    return entry


def _keep_refused(statement: reading.Statement, *, file: InboundFile, why: str) -> None:
    """Keep a refused remittance, once for its file however often that is tried; what can't be is logged."""
    try:
        with transaction.atomic():
            InboundFile.objects.select_for_update().only("pk").get(pk=file.pk)
            posting.keep_refused(statement, file=file, why=why)
    except (OperationalError, InterfaceError, SoftTimeLimitExceeded):
        raise
    except Exception as error:
        logger.error(
            "refused remittance could not be kept",
            extra={"file": file.pk, "error": type(error).__name__},
        )


def _newest_signal(file: InboundFile) -> int:
    newest = ClaimSignal.objects.filter(inbound_file=file).aggregate(newest=Max("id"))["newest"]
    return int(newest or 0)


def _names_live_claims(file: InboundFile, *, after: int) -> bool:
    rows = ClaimSignal.objects.filter(inbound_file=file, id__gt=after)
    return rows.filter(claim__mode="production").exists()


def _close(file: InboundFile, report: dict[str, Any]) -> None:
    """Say how the file ended; what a person must look at becomes a work item."""
    for entry in report["sets"]:
        entry.pop("again", None)
    refused = [entry for entry in report["sets"] if "refused" in entry or "failed" in entry]
    if not report["sets"] or (refused and len(refused) == len(report["sets"])):
        state = InboundFile.State.REFUSED
    else:
        state = InboundFile.State.PARTLY if refused or report["problems"] else InboundFile.State.APPLIED
    with transaction.atomic():
        waiting = InboundFile.objects.filter(pk=file.pk, state=InboundFile.State.RECEIVED)
        closed = waiting.update(state=state, report=report, handled_at=timezone.now())
        if closed and state != InboundFile.State.APPLIED:
            first = refused[0] if refused else {}
            words = (
                first.get("refused") or first.get("failed") or "; ".join(report["problems"]) or "It is empty."
            )
            WorkItem.objects.create(
                queue=WorkItem.Queue.TRANSPORT,
                inbound_file=file,
                reason="file " + state.value,
                summary=f"The file {file.name} was not applied in full: {words}",
            )
