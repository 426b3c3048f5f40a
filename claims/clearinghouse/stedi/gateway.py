"""The Stedi gateway: JSON submissions under an idempotency key, polling, and reports as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from claims.clearinghouse.port import (
    Capabilities,
    ClearinghouseError,
    EditError,
    Fetched,
    FileKind,
    InboundFile,
    NotFound,
    Outcome,
    Receipt,
    Refusal,
    Submission,
    Unknown,
    mode_of,
    unsettled,
)
from claims.clearinghouse.stedi.json_tree import Node, child, children, text
from claims.clearinghouse.stedi.payload import Submitter, payload_of
from claims.clearinghouse.stedi.polling import SHORTEST_LOOK_BACK, PolledItem, Polling, cursor_since
from claims.clearinghouse.stedi.transport import Answer, Transport, error_of
from claims.x12.claim import Usage

SUBMISSION_PATH = "/2024-04-01/change/medicalnetwork/professionalclaims/v3/submission"
REPORT_PATH = "/2024-04-01/change/medicalnetwork/reports/v2"

KEY_LIFE = timedelta(hours=24)
KEY_MARGIN = timedelta(hours=1)
MOST_TRIES = 10
"""How often a report is asked for that always fails while others come."""
BROKEN_A_POLL = 2
"""How many of these a poll meets at most: hand-overs go by the same circuit, which they must not open."""
LONGEST_FETCH = timedelta(seconds=60)
"""What has come by then is handed over to be stored; of a page that takes longer, the rest comes next.
A search begins no page after it."""
LONGEST_WAIT = timedelta(days=1)
"""How long none is left behind while no report can be had at all."""

_NOT_THERE = ("not_found", "bad_request")
_BROKEN = ("server_error", "unreadable_answer", "timeout", "connection_broken")
_REPORTS = {"277": FileKind.STEDI_277_JSON, "835": FileKind.STEDI_835_JSON}


@dataclass(frozen=True, slots=True)
class StediSettings:
    """`usage` is that of the API key: a test key sees test transactions only."""

    submitter: Submitter
    usage: Usage
    healthcare_url: str
    core_url: str


class StediClearinghouse:
    """Carries one claim a request; what came is found by polling from a cursor."""

    name = "stedi"
    capabilities = Capabilities(max_claims_per_interchange=1, can_find=True)

    def __init__(
        self, transport: Transport, settings: StediSettings, *, clock: Callable[[], datetime]
    ) -> None:
        self._transport = transport
        self._settings = settings
        self._clock = clock
        self._polling = Polling(transport, settings.core_url, mode=mode_of(settings.usage), clock=clock)
        self._tries: dict[str, int] = {}
        self._left: dict[str, str] = {}
        self._searched: dict[str, tuple[str, bool]] = {}
        self._unfinished: str | None = None
        """The cursor of the page of which only a part was handed over, and what is stored of that."""
        self._stored: set[str] = set()

    def submit(self, submission: Submission) -> Receipt | Refusal:
        """Post a claim; within the key's life the same key brings the first answer again."""
        if submission.usage is not self._settings.usage:
            raise ClearinghouseError("wrong_usage_for_key", outcome=Outcome.PERMANENT)
        if len(submission.claims) != 1:
            raise ClearinghouseError("one_claim_a_request", outcome=Outcome.PERMANENT)
        claim = submission.claims[0]
        payload = payload_of(claim, usage=submission.usage, submitter=self._settings.submitter)
        url = self._settings.healthcare_url + SUBMISSION_PATH
        answer = self._transport.post(url, payload, key=submission.key)
        return _verdict(answer, submission)

    def find(self, submission: Submission) -> Receipt | NotFound | Unknown:
        """While the key lives, post again: that brings the first answer, or hands the claim over now.

        After that, look for the claim's 277CA: every claim that was taken gets one within minutes, so a claim
        without any after the key's life never arrived. A search too long for one call, or broken off, goes on
        with its next page in the next; where a report on the way can't be had, it stays unknown.
        """
        try:
            if self._clock() - submission.first_attempt_at < KEY_LIFE - KEY_MARGIN:
                answer = self.submit(submission)
                return answer if isinstance(answer, Receipt) else NotFound()
            return self._find_acknowledgement(submission)
        except ClearinghouseError as error:
            raise unsettled(error) from None

    def _find_acknowledgement(self, submission: Submission) -> Receipt | NotFound | Unknown:
        began = self._clock()
        start = cursor_since(submission.first_attempt_at - SHORTEST_LOOK_BACK)
        cursor, unread = self._searched.get(submission.key, (start, False))
        numbers = {claim.patient_control_number.upper() for claim in submission.claims}
        while self._clock() - began <= LONGEST_FETCH:
            items, following = self._polling.page(cursor)
            for item in items:
                if item.kind != "277":
                    continue
                try:
                    batch = self._batch_acknowledging(item, numbers)
                except ClearinghouseError as error:
                    if error.code not in _NOT_THERE:
                        raise
                    unread = True  # It may have been the one that is looked for.
                    continue
                if batch is not None:
                    self._searched.pop(submission.key, None)
                    return Receipt(reference=batch, mode=mode_of(submission.usage))
            if not items or following == cursor:
                self._searched.pop(submission.key, None)
                return Unknown() if unread else NotFound()
            cursor = following
            self._searched[submission.key] = cursor, unread
        return Unknown()

    def fetch(self, cursor: str) -> Fetched:
        """Fetch the reports of one page; one that can't be had is passed on as the item that named it.

        Those that failed least often are asked for first, so that each has its turn. While one may still come
        the cursor stays, and the others are handed over.
        """
        began = self._clock()
        if cursor != self._unfinished:
            self._stored.clear()
        items, following = self._polling.page(cursor)
        reports = [item for item in items if item.kind in _REPORTS]
        asked = [item for item in reports if item.transaction_id not in self._left.keys() | self._stored]
        files: list[InboundFile] = []
        broken: list[tuple[PolledItem, ClearinghouseError]] = []
        try:
            for item in sorted(asked, key=lambda item: self._tries.get(item.transaction_id, 0)):
                if files and self._clock() - began > LONGEST_FETCH:
                    self._unfinished = cursor
                    return Fetched(tuple(files), cursor, more=True)
                if len(broken) == BROKEN_A_POLL:
                    break
                try:
                    files.append(self._report_file(item))
                except ClearinghouseError as error:
                    if error.code not in _BROKEN:
                        raise
                    broken.append((item, error))
        finally:
            self._leave(broken, others_come=bool(files))
        settled = self._left.keys() | {file.reference for file in files}
        if any(item.transaction_id not in settled for item in asked):
            if not files:
                raise broken[-1][1]
            told = (f"report {item.transaction_id} can't be had now ({error.code})" for item, error in broken)
            return Fetched(tuple(files), cursor, left=tuple(told))
        self._unfinished = None
        left = [item for item in reports if item.transaction_id in self._left]
        files += (_unavailable(item, self._left[item.transaction_id]) for item in left)
        return Fetched(tuple(files), following, more=bool(items) and following != cursor)

    def _leave(self, broken: Sequence[tuple[PolledItem, ClearinghouseError]], *, others_come: bool) -> None:
        """Count the tries of reports that fail, and leave behind those that will hardly come."""
        for item, error in broken:
            tries = self._tries[item.transaction_id] = self._tries.get(item.transaction_id, 0) + 1
            long_ago = item.processed_at is None or self._clock() - item.processed_at >= LONGEST_WAIT
            if tries >= MOST_TRIES and (others_come or long_ago):
                self._left[item.transaction_id] = error.code

    def acknowledge(self, file: InboundFile) -> None:
        """Reports stay, and the cursor passes them; of an unfinished page this one isn't asked for again."""
        if self._unfinished is not None:
            self._stored.add(file.reference)

    def _report_file(self, item: PolledItem) -> InboundFile:
        try:
            return _file_of(item, self._report(item).text.encode())
        except ClearinghouseError as error:
            if error.code not in _NOT_THERE:
                raise
            return _unavailable(item, error.code)

    def _report(self, item: PolledItem) -> Answer:
        identifier = quote(item.transaction_id, safe="")
        return self._transport.get(f"{self._settings.healthcare_url}{REPORT_PATH}/{identifier}/{item.kind}")

    def _batch_acknowledging(self, item: PolledItem, numbers: set[str]) -> str | None:
        report = self._report(item).body or {}
        for batch in _walk(report, "claimStatusTransactions"):
            for status in _walk(batch, "claimStatus"):
                if text(status, "referencedTransactionTraceNumber").upper() in numbers:
                    return text(batch, "claimTransactionBatchNumber")
        return None


def _file_of(item: PolledItem, content: bytes) -> InboundFile:
    name = f"stedi-{item.kind}-{item.transaction_id}.json"
    return InboundFile(name, content, _REPORTS[item.kind], item.transaction_id)


def _unavailable(item: PolledItem, code: str) -> InboundFile:
    """What stands for a report that can't be had: nothing reads it, and a person sees it."""
    return _file_of(item, json.dumps({"unavailable": code, "item": item.raw}).encode())


def _verdict(answer: Answer, submission: Submission) -> Receipt | Refusal:
    """Read the body first and the HTTP status second: a 200 may carry errors, and a 400 edits."""
    body = answer.body
    if body is None:
        if answer.status == 400:
            raise error_of(answer.status)
        raise ClearinghouseError("unreadable_answer", outcome=Outcome.UNKNOWN)
    reference = child(body, "claimReference")
    correlation_id = text(reference, "correlationId")
    errors = body.get("errors")
    if isinstance(errors, list) and errors:
        return Refusal(tuple(map(_edit_error, errors)), correlation_id, answer.text)
    status = _status_in(body) or answer.status
    if text(body, "status") == "SUCCESS" and status < 300:
        ours = submission.claims[0].patient_control_number
        theirs = text(reference, "patientControlNumber") or ours
        if not correlation_id or theirs.upper() != ours.upper():
            raise ClearinghouseError("unreadable_answer", outcome=Outcome.UNKNOWN)
        return Receipt(
            reference=correlation_id,
            mode=mode_of(submission.usage),
            raw_answer=answer.text,
            inbound=tuple(_acknowledgement_in(body, correlation_id)),
        )
    if status == 400:
        message = text(body, "message") or "The clearinghouse refused the claim without saying why."
        return Refusal((EditError(text(body, "code") or "400", message),), correlation_id, answer.text)
    if status < 300:
        raise ClearinghouseError("unreadable_answer", outcome=Outcome.UNKNOWN)
    raise error_of(status)


def _status_in(body: dict[str, Any]) -> int | None:
    """Read "400 BAD_REQUEST"."""
    digits = text(body, "httpStatusCode")[:3]
    return int(digits) if len(digits) == 3 and digits.isascii() and digits.isdigit() else None


def _edit_error(error: Any) -> EditError:
    fields = error if isinstance(error, dict) else {}
    words = " ".join(filter(None, (text(fields, "description"), text(fields, "followupAction"))))
    return EditError(text(fields, "code"), words, text(fields, "location"))


def _acknowledgement_in(body: dict[str, Any], correlation_id: str) -> Iterator[InboundFile]:
    if content := text(body, "x12"):
        name = f"stedi-277-{correlation_id}.edi"
        yield InboundFile(name, content.encode(), FileKind.X12, correlation_id)


def _walk(node: Any, name: str) -> Iterator[Node]:
    """Yield every object that stands under `name`, at any depth, alone or in a list."""
    if isinstance(node, list):
        for item in node:
            yield from _walk(item, name)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key != name:
                yield from _walk(value, name)
            elif isinstance(value, dict):
                yield value
            else:
                yield from children(node, name)
