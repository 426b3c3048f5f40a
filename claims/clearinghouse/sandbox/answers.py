"""Works out, when an interchange arrives, every file that will be answered to it, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from operator import itemgetter

from claims.clearinghouse.sandbox import adjudication, claim_status
from claims.clearinghouse.sandbox.acknowledgement import write_999, write_ta1
from claims.clearinghouse.sandbox.adjudication import AdjudicatedClaim
from claims.clearinghouse.sandbox.claim_status import StatusAnswer, StatusVerdict
from claims.clearinghouse.sandbox.interchange import AnswerEnvelope, digits_of
from claims.clearinghouse.sandbox.mailbox import AnswerFile
from claims.clearinghouse.sandbox.received import ReceivedClaim, ReceivedInterchange, ReceivedSet
from claims.clearinghouse.sandbox.rehearsal import Answer, Scenario, delays_of, rehearsal_of
from claims.clearinghouse.sandbox.remittance import RECOUPMENT, ProviderAdjustment, Remittance, write_835
from claims.clearinghouse.sandbox.structure import SetVerdict, check_structure
from claims.x12.claim import ClaimFrequency

MEDICARE = "MB"

_NOTHING_LEFT_TO_REVERSE = (
    Scenario.REVERSED,
    Scenario.TAKEN_BACK,
    Scenario.RECOUPED,
    Scenario.LATE_REJECTION,
)


@dataclass(frozen=True, slots=True)
class Timetable:
    """`speed` divides every delay: 1 is the real world, 2,592,000 makes a month a second."""

    received_at: datetime
    speed: float = 1.0

    def instant(self, delay: timedelta) -> datetime:
        """When an answer with this delay is available."""
        return self.received_at + delay / self.speed


class Answers:
    """The answers to one interchange; `original_of` finds an earlier claim by a payer's control number."""

    def __init__(
        self,
        received: ReceivedInterchange,
        *,
        key: str,
        timetable: Timetable,
        original_of: Callable[[str], ReceivedClaim | None],
    ) -> None:
        self._received = received
        self._key = key
        self._timetable = timetable
        self._original_of = cache(original_of)
        self._verdicts = {item.control_number: _verdict_of(item) for item in received.sets}

    def files(self) -> Iterator[AnswerFile]:
        """Yield every answer file, each under a name of its own."""
        yield from self._acknowledgements()
        for transaction, claim in self._taken_claims():
            yield from self._answers_to(transaction, claim)

    def payer_control_numbers(self) -> Iterator[str]:
        """Yield the numbers by which a later replacement or void may name a claim; a void has none."""
        for _, claim in self._taken_claims():
            reaches_payer = claim.frequency != ClaimFrequency.VOID and Answer.PAYER in _delays_of(claim)
            if reaches_payer and self._payer_verdict(claim).accepted:
                yield from payer_control_numbers_of(claim)

    def _taken_claims(self) -> Iterator[tuple[ReceivedSet, ReceivedClaim]]:
        return (pair for pair in self._received.claims if self._verdicts[pair[0].control_number].accepted)

    def _acknowledgements(self) -> Iterator[AnswerFile]:
        """A 999 for all sets that want theirs at the same time and as often; a TA1 with the first."""
        together: dict[tuple[timedelta, int], dict[str, SetVerdict]] = {}
        for transaction in self._received.sets:
            if (wanted := _acknowledgement_of(transaction)) is not None:
                number = transaction.control_number
                together.setdefault(wanted, {})[number] = self._verdicts[number]
        for position, ((delay, copies), verdicts) in enumerate(sorted(together.items(), key=itemgetter(0))):
            at = self._timetable.instant(delay)
            if self._received.wants_ta1 and position == 0:
                yield from self._copies("TA1", "", at, copies, lambda e: write_ta1(e, self._received))
            write = partial(write_999, received=self._received, verdicts=verdicts)
            subject = next(iter(verdicts)) if position else ""
            yield from self._copies(Answer.ACKNOWLEDGEMENT, subject, at, copies, write)

    def _answers_to(self, transaction: ReceivedSet, claim: ReceivedClaim) -> Iterator[AnswerFile]:
        for answer, delay in _delays_of(claim).items():
            writer = self._writer_of(answer, transaction, claim)
            if writer is not None:
                at = self._timetable.instant(delay)
                yield from self._copies(answer, claim.patient_control_number, at, _copies_of(claim), writer)

    def _writer_of(
        self, answer: Answer, transaction: ReceivedSet, claim: ReceivedClaim
    ) -> Callable[[AnswerEnvelope], str] | None:
        trace = digits_of(f"{self._key}/{claim.patient_control_number}/{answer}/trace", length=15)
        payer = claim_status.payer_of(claim)
        match answer:
            case Answer.ACKNOWLEDGEMENT:
                return None
            case Answer.CLEARINGHOUSE:
                source, verdict = claim_status.CLEARINGHOUSE, _clearinghouse_verdict(claim)
            case Answer.PAYER:
                source, verdict = payer, self._payer_verdict(claim)
            case Answer.LATE_PAYER:
                if claim.frequency == ClaimFrequency.VOID or not self._payer_verdict(claim).accepted:
                    return None
                source, verdict = payer, claim_status.LATE_REJECTION
            case Answer.REMITTANCE | Answer.SECOND_REMITTANCE:
                second = answer is Answer.SECOND_REMITTANCE
                remittance = self._second_remittance(claim) if second else self._remittance(claim)
                if remittance is None:
                    return None
                return lambda envelope: write_835(envelope, remittance, trace=trace)
        status = StatusAnswer(source, transaction, claim, verdict, trace)
        return lambda envelope: claim_status.write_277ca(envelope, status)

    def _payer_verdict(self, claim: ReceivedClaim) -> StatusVerdict:
        rehearsal = rehearsal_of(claim.patient.identifier)
        if rehearsal.scenario is Scenario.REJECTED:
            return claim_status.rejected_by_payer(rehearsal.code)
        if _names_original(claim):
            if not claim.payer_control_number:
                return claim_status.ORIGINAL_CLAIM_MISSING
            if self._original_of(claim.payer_control_number) is None:
                return claim_status.ORIGINAL_CLAIM_UNKNOWN
        return claim_status.accepted_by_payer(payer_control_numbers_of(claim)[0])

    def _remittance(self, claim: ReceivedClaim) -> Remittance | None:
        if not self._payer_verdict(claim).accepted:
            return None
        original = self._original_of(claim.payer_control_number) if _names_original(claim) else None
        if claim.frequency == ClaimFrequency.VOID:
            reversal = reversal_of_payment(original) if original else None
            return Remittance(claim, (reversal,)) if reversal else None
        decided = (decision_on(claim),)
        if original and (last := last_decision_on(original)):
            decided = (adjudication.reverse(last), *decided)
        return Remittance(claim, decided)

    def _second_remittance(self, claim: ReceivedClaim) -> Remittance | None:
        if claim.frequency == ClaimFrequency.VOID or not self._payer_verdict(claim).accepted:
            return None
        first = decision_on(claim)
        match rehearsal_of(claim.patient.identifier).scenario:
            case Scenario.RECOUPED:
                taken = ProviderAdjustment(RECOUPMENT, first.payer_control_number, first.paid)
                return Remittance(claim, provider_adjustments=(taken,))
            case Scenario.REVERSED:
                return Remittance(claim, (adjudication.reverse(first), correction_of(claim)))
            case _:
                return Remittance(claim, (correction_of(claim),))

    def _copies(
        self, answer: str, subject: str, at: datetime, copies: int, write: Callable[[AnswerEnvelope], str]
    ) -> Iterator[AnswerFile]:
        for copy in range(1, copies + 1):
            seed = f"{self._key}/{subject}/{answer}/{copy}"
            received = self._received
            envelope = AnswerEnvelope(seed, received.receiver_id, received.sender_id, received.usage, at)
            yield AnswerFile(f"{answer}-{digits_of(seed, length=15)}.edi", write(envelope), at)


def payer_control_numbers_of(claim: ReceivedClaim) -> tuple[str, str]:
    """The number that the payer gives a claim, and the one of its correction."""
    number = f"SBP{digits_of(claim.patient_control_number, length=12)}"
    return number, f"{number}C"


def decision_on(claim: ReceivedClaim) -> AdjudicatedClaim:
    """What the payer decides first."""
    rehearsal = rehearsal_of(claim.patient.identifier)
    return adjudication.adjudicate(claim, rehearsal, payer_control_number=payer_control_numbers_of(claim)[0])


def correction_of(claim: ReceivedClaim) -> AdjudicatedClaim:
    """What the payer decides when it changes its mind."""
    rehearsal = rehearsal_of(claim.patient.identifier)
    return adjudication.decide_again(
        claim, rehearsal, payer_control_number=payer_control_numbers_of(claim)[1]
    )


def last_decision_on(claim: ReceivedClaim) -> AdjudicatedClaim | None:
    """What a replacement undoes; None where the payer never decided."""
    match rehearsal_of(claim.patient.identifier).scenario:
        case Scenario.LATE_REJECTION:
            return None
        case Scenario.REVERSED | Scenario.TAKEN_BACK:
            return correction_of(claim)
        case _:
            return decision_on(claim)


def reversal_of_payment(claim: ReceivedClaim) -> AdjudicatedClaim | None:
    """What a void brings: the reversal of what is still paid, or nothing."""
    if rehearsal_of(claim.patient.identifier).scenario in _NOTHING_LEFT_TO_REVERSE:
        return None
    decision = decision_on(claim)
    return adjudication.reverse(decision) if decision.paid else None


def _verdict_of(transaction: ReceivedSet) -> SetVerdict:
    """Check a set; for BAD999, as if the billing provider's street had been lost on the way."""
    segments = transaction.segments
    scenarios = [rehearsal_of(claim.patient.identifier).scenario for claim in transaction.claims]
    if Scenario.BAD_999 in scenarios:
        street = next((n for n, segment in enumerate(segments) if segment[0] == "N3"), None)
        segments = tuple(segment for n, segment in enumerate(segments) if n != street)
    return check_structure(segments)


def _acknowledgement_of(transaction: ReceivedSet) -> tuple[timedelta, int] | None:
    """When a set wants its 999, and how often; None where it is to get none."""
    delays = [_delays_of(claim) for claim in transaction.claims] or [delays_of(Scenario.PAID)]
    wanted = [delay[Answer.ACKNOWLEDGEMENT] for delay in delays if Answer.ACKNOWLEDGEMENT in delay]
    if not wanted:
        return None
    return min(wanted), max((_copies_of(claim) for claim in transaction.claims), default=1)


def _clearinghouse_verdict(claim: ReceivedClaim) -> StatusVerdict:
    if rehearsal_of(claim.patient.identifier).scenario is Scenario.CLEARINGHOUSE_REJECTED:
        return claim_status.REJECTED_BY_CLEARINGHOUSE
    return claim_status.ACCEPTED_BY_CLEARINGHOUSE


def _delays_of(claim: ReceivedClaim) -> dict[Answer, timedelta]:
    return delays_of(rehearsal_of(claim.patient.identifier).scenario)


def _copies_of(claim: ReceivedClaim) -> int:
    return 2 if rehearsal_of(claim.patient.identifier).scenario is Scenario.TWICE else 1


def _names_original(claim: ReceivedClaim) -> bool:
    """Original Medicare takes replacements without the payer's number; everyone else needs it."""
    if claim.frequency == ClaimFrequency.ORIGINAL:
        return False
    return bool(claim.payer_control_number) or claim.filing_code != MEDICARE
