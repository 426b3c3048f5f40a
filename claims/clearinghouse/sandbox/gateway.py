"""The sandbox clearinghouse: takes test claims as 837P text, and answers them by the rehearsal table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

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
    mode_of,
)
from claims.clearinghouse.sandbox.answers import Answers, Timetable, payer_control_numbers_of
from claims.clearinghouse.sandbox.interchange import digits_of
from claims.clearinghouse.sandbox.mailbox import Delivery, KeyReusedError, Mailbox
from claims.clearinghouse.sandbox.received import (
    ReceivedClaim,
    ReceivedInterchange,
    UnreadableInterchangeError,
    read_interchange,
)
from claims.clearinghouse.sandbox.rehearsal import Scenario, rehearsal_of
from claims.x12.claim import Usage

ATTEMPTS_THAT_FAIL = 2
FILES_A_FETCH = 200
CLAIM_EDIT = "33"


class SandboxClearinghouse:
    """Answers with real X12 files; a DOWN claim fails twice without being taken, and then works."""

    name = "sandbox"
    capabilities = Capabilities(max_claims_per_interchange=1_000, can_find=True)

    def __init__(self, mailbox: Mailbox, *, clock: Callable[[], datetime], speed: float = 1.0) -> None:
        """`clock` gives aware instants; `speed` divides the delays of the answers and must be above 0."""
        if not speed > 0:
            raise ValueError("the sandbox's speed must be above 0")
        self._mailbox = mailbox
        self._clock = clock
        self._speed = speed

    def submit(self, submission: Submission) -> Receipt | Refusal:
        """Take the claims of a test interchange, once a key."""
        attempts = self._count_attempt(submission)
        if self._mailbox.reference_of(submission.key) is not None:
            return self._receipt(submission)
        received = _read(submission)
        scenarios = {rehearsal_of(claim.patient.identifier).scenario for _, claim in received.claims}
        if Scenario.DOWN in scenarios and attempts <= ATTEMPTS_THAT_FAIL:
            raise ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
        if Scenario.EDIT in scenarios:
            return _refusal()
        self._accept(submission, received)
        return self._receipt(submission)

    def find(self, submission: Submission) -> Receipt | NotFound:
        """Tell whether a submission was taken; bytes that no answer followed were not."""
        if self._mailbox.reference_of(submission.key) is None:
            return NotFound()
        return self._receipt(submission)

    def fetch(self, cursor: str) -> Fetched:
        """Return the answers that are available by now; the cursor is not used."""
        due = self._mailbox.due(self._clock(), limit=FILES_A_FETCH)
        files = tuple(
            InboundFile(answer.name, answer.content.encode(), FileKind.X12, answer.name) for answer in due
        )
        return Fetched(files, cursor, more=len(due) == FILES_A_FETCH)

    def acknowledge(self, file: InboundFile) -> None:
        """Take an answer out of the mailbox."""
        self._mailbox.take(file.reference)

    def _count_attempt(self, submission: Submission) -> int:
        digest = sha256(submission.x12.encode()).hexdigest()
        try:
            return self._mailbox.record_attempt(submission.key, digest=digest)
        except KeyReusedError:
            raise ClearinghouseError("key_reused", outcome=Outcome.PERMANENT) from None

    def _accept(self, submission: Submission, received: ReceivedInterchange) -> None:
        timetable = Timetable(self._clock(), self._speed)
        answers = Answers(received, key=submission.key, timetable=timetable, original_of=self._original_of)
        self._mailbox.accept(
            Delivery(
                key=submission.key,
                reference=_reference_of(submission),
                x12=submission.x12,
                payer_control_numbers=tuple(answers.payer_control_numbers()),
                answers=tuple(answers.files()),
            )
        )

    def _original_of(self, payer_control_number: str) -> ReceivedClaim | None:
        text = self._mailbox.interchange_with(payer_control_number)
        if text is None:
            return None
        claims = (claim for _, claim in read_interchange(text).claims)
        return next(claim for claim in claims if payer_control_number in payer_control_numbers_of(claim))

    def _receipt(self, submission: Submission) -> Receipt:
        return Receipt(reference=_reference_of(submission), mode=mode_of(submission.usage))


def _read(submission: Submission) -> ReceivedInterchange:
    try:
        received = read_interchange(submission.x12)
    except UnreadableInterchangeError:
        raise ClearinghouseError("unreadable_interchange", outcome=Outcome.PERMANENT) from None
    if submission.usage is not Usage.TEST or received.usage != Usage.TEST:
        raise ClearinghouseError("not_a_test_claim", outcome=Outcome.PERMANENT)
    return received


def _reference_of(submission: Submission) -> str:
    return f"SBX-{digits_of(submission.key, length=15)}"


def _refusal() -> Refusal:
    text = "The sandbox refuses this claim because its member ID begins with EDIT."
    return Refusal((EditError(CLAIM_EDIT, text, "subscriber.memberId"),))
