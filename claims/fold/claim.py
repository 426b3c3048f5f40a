"""A claim's status: one pure function of what we did with it and of the set of signals about it.

The order and the number of times in which signals arrive make no difference, because nothing here remembers
a former status: every arrival folds the whole set again. Stages go first (a remittance outranks any
acknowledgement), then the effective date, and on the same date a refusal wins and a person is asked.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from claims.fold.acknowledgements import decide, tasks_of
from claims.fold.amounts import left_of
from claims.fold.readings import (
    FINAL_BY_INQUIRY,
    RECORD_ONLY,
    SESSION_STATUS,
    Reading,
    ReviewKind,
    ReviewTask,
    Stage,
    Verdict,
    read,
)
from claims.fold.remittances import Settlement, settle
from claims.signals import (
    MONEY_SIGNALS,
    NOT_PAID,
    Adjustment,
    ClaimStatus,
    SessionStatus,
    Signal,
    SignalKind,
    Source,
    StatusCode,
    WorkflowState,
)

NOT_HANDED_OVER = frozenset({WorkflowState.QUEUED, WorkflowState.HELD})
CLEARINGHOUSE_REFUSAL = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Where one claim version stands, and why.

    `delivered` says that the claim is out of the house, and with it locked for good. Amounts are dollars:
    `decided` as the remittances that decide say, `paid` net of what was taken back, `left` less what was
    recovered at the provider's level too, `ever_paid` gross; `allowed` and `patient_owes` are None until a
    remittance says. `reasons`, `remarks` and `statuses` explain a refusal. `rules` gives, by natural key, the
    rule of the status table that each signal falls under; `deciding` are the keys of those that decide,
    `behind` of what a second insurer said, with `paid_behind` as what it paid, `typed` of what staff typed
    and counts.
    """

    session_status: SessionStatus
    claim_status: ClaimStatus
    stage: Stage = Stage.DISPATCH
    delivered: bool = False
    deciding: tuple[str, ...] = ()
    payer_name: str = ""
    payer_control_number: str = ""
    allowed: Decimal | None = None
    allowed_by_line: dict[str, Decimal] = field(default_factory=dict)
    decided: Decimal = Decimal(0)
    paid: Decimal = Decimal(0)
    left: Decimal = Decimal(0)
    ever_paid: Decimal = Decimal(0)
    first_paid_on: date | None = None
    patient_owes: Decimal | None = None
    behind: tuple[str, ...] = ()
    paid_behind: Decimal = Decimal(0)
    typed: tuple[str, ...] = ()
    reasons: tuple[Adjustment, ...] = ()
    remarks: tuple[str, ...] = ()
    statuses: tuple[StatusCode, ...] = ()
    tasks: tuple[ReviewTask, ...] = ()
    rules: dict[str, int] = field(default_factory=dict)


def fold(
    workflow_state: WorkflowState,
    signals: Iterable[Signal],
    *,
    transmissions: int = 1,
    remittances_expected: bool = True,
    billed: Decimal | None = None,
) -> Outcome:
    """Fold one claim version: how far our process brought it, and all signals about it.

    `transmissions` is 1, and one more for each new envelope after a transport rejection: what answers an
    earlier one no longer decides. Without `remittances_expected` (no ERA enrollment) a payer's final answer
    to an inquiry counts. `billed` is what the claim charged, which remittances should state too.
    """
    known = distinct(signals)
    readings = [read(each) for each in known if each.kind is not SignalKind.REMITTANCE]
    counted = [each for each in readings if _counts(each, workflow_state, transmissions=transmissions)]
    decisive = decide(counted, remittances_expected=remittances_expected)
    settlement = settle((each for each in known if each.kind is SignalKind.REMITTANCE), billed=billed)
    proven = settlement is not None or any(_proves_delivery(each) for each in counted)
    standing = _standing(workflow_state, decisive, settlement, proven=proven, sent_before=transmissions > 1)
    by_acknowledgement = decisive if decisive and standing.stage is decisive.stage else None
    tasks = _tasks(counted, decisive, settlement, remittances_expected=remittances_expected)
    recorded = transmissions > 1 or any(each.stage is Stage.TRANSPORT for each in readings)
    if proven and workflow_state in NOT_HANDED_OVER and not recorded:
        tasks.append(ReviewTask(ReviewKind.ANSWER_BEFORE_DISPATCH))
    named = still_counting(known, settlement.typed if settlement else ())
    outcome = Outcome(
        session_status=standing.session_status,
        claim_status=standing.claim_status,
        stage=standing.stage,
        delivered=standing.session_status is not SessionStatus.PROCESSING,
        deciding=(by_acknowledgement.signal.natural_key,) if by_acknowledgement else (),
        statuses=by_acknowledgement.signal.every_status if by_acknowledgement else (),
        payer_name=_newest(named, "payer_name"),
        payer_control_number=_newest(
            [
                each
                for each in named
                if each.source != Source.CLEARINGHOUSE and each.kind not in MONEY_SIGNALS
            ],
            "payer_control_number",
        ),
        tasks=tuple(dict.fromkeys(tasks)),
        rules=dict.fromkeys((each.signal.natural_key for each in readings), RECORD_ONLY)
        | {each.signal.natural_key: each.rule for each in counted},
    )
    return _settled(outcome, settlement, left=left_of(settlement.paid, known)) if settlement else outcome


def distinct(signals: Iterable[Signal]) -> list[Signal]:
    """Leave each statement in once: the later date where one key says two things, there the refusal."""
    kept: dict[str, Signal] = {}
    for each in signals:
        other = kept.get(each.natural_key)
        if other is None or (other != each and _weight(each) > _weight(other)):
            kept[each.natural_key] = each
    return [kept[key] for key in sorted(kept)]


def still_counting(signals: Iterable[Signal], typed: Collection[str]) -> list[Signal]:
    """Leave out what staff typed and isn't among what still counts of that."""
    return [each for each in signals if not each.origin or each.natural_key in typed]


@dataclass(frozen=True, slots=True)
class _Standing:
    claim_status: ClaimStatus
    session_status: SessionStatus
    stage: Stage


def _standing(
    workflow_state: WorkflowState,
    decisive: Reading | None,
    settlement: Settlement | None,
    *,
    proven: bool,
    sent_before: bool,
) -> _Standing:
    """Let the furthest of remittances, acknowledgements and our own process say where the claim stands."""
    own = ClaimStatus(workflow_state)
    if settlement and settlement.claim_status:
        return _Standing(settlement.claim_status, SESSION_STATUS[settlement.claim_status], Stage.REMITTANCE)
    if decisive and decisive.claim_status:
        return _Standing(decisive.claim_status, _session_status(decisive), decisive.stage)
    if proven or workflow_state is WorkflowState.SENT:
        return _Standing(ClaimStatus.SENT, SessionStatus.SUBMITTED, Stage.DISPATCH)
    return _Standing(own, SessionStatus.SUBMITTED if sent_before else SESSION_STATUS[own], Stage.DISPATCH)


def _session_status(decisive: Reading) -> SessionStatus:
    if decisive.claim_status is ClaimStatus.PER_INQUIRY:
        return SessionStatus.PAID if decisive.verdict is Verdict.PAID else SessionStatus.DENIED
    assert decisive.claim_status is not None
    return SESSION_STATUS[decisive.claim_status]


def _settled(outcome: Outcome, settlement: Settlement, *, left: Decimal) -> Outcome:
    """Add what only remittances know, and ask where they pay nothing for what is still paid."""
    tasks, unreturned = outcome.tasks, min(settlement.unreturned, left - settlement.decided)
    if settlement.claim_status in (*NOT_PAID, ClaimStatus.PATIENT_RESPONSIBILITY):
        unreturned = left
    if unreturned > 0:
        kind, last = ReviewKind.PAYMENT_NOT_RETURNED, settlement.decided_by[-1]
        tasks = (*tasks, ReviewTask(kind, last, owed=unreturned))
    return replace(
        outcome,
        tasks=tasks,
        deciding=settlement.decided_by if outcome.stage is Stage.REMITTANCE else outcome.deciding,
        payer_control_number=settlement.payer_control_number or outcome.payer_control_number,
        allowed=settlement.allowed,
        allowed_by_line=settlement.allowed_by_line,
        decided=settlement.decided,
        paid=settlement.paid,
        left=left,
        ever_paid=settlement.ever_paid,
        first_paid_on=settlement.first_paid_on,
        patient_owes=settlement.patient_owes,
        behind=settlement.behind,
        paid_behind=settlement.paid_behind,
        typed=settlement.typed,
        reasons=settlement.reasons,
        remarks=settlement.remarks,
        rules=outcome.rules | settlement.rules,
    )


def _counts(reading: Reading, workflow_state: WorkflowState, *, transmissions: int) -> bool:
    """Leave out answers to an earlier hand-over, and the echo of a refusal that already holds the claim."""
    if reading.rule == CLEARINGHOUSE_REFUSAL and workflow_state in NOT_HANDED_OVER:
        return False
    of_hand_over = reading.stage is Stage.TRANSPORT or reading.rule == CLEARINGHOUSE_REFUSAL
    return not of_hand_over or reading.signal.transmission >= transmissions


def _proves_delivery(reading: Reading) -> bool:
    return (
        reading.verdict is not Verdict.SILENT
        or reading.review in {ReviewKind.PROVIDER_ADJUSTMENT, ReviewKind.INFORMATION_REQUESTED}
        or reading.rule == FINAL_BY_INQUIRY
    )


def _tasks(
    counted: Sequence[Reading],
    decisive: Reading | None,
    settlement: Settlement | None,
    *,
    remittances_expected: bool,
) -> list[ReviewTask]:
    """Ask staff about acknowledgements only until a remittance has settled the claim; about money always."""
    if settlement is None or settlement.claim_status is None:
        asked = tasks_of(counted, decisive, remittances_expected=remittances_expected)
        return asked + list(settlement.tasks if settlement else ())
    adjustments = [
        ReviewTask(each.review, each.signal.natural_key)
        for each in counted
        if each.review is ReviewKind.PROVIDER_ADJUSTMENT
    ]
    return [*settlement.tasks, *adjustments]


def _newest(signals: Iterable[Signal], name: str) -> str:
    named = [each for each in signals if getattr(each, name)]
    latest = max(named, key=lambda each: (each.effective_date, each.natural_key), default=None)
    return str(getattr(latest, name)) if latest else ""


def _weight(signal: Signal) -> tuple[date, bool, str]:
    return signal.effective_date, signal.verdict in {"R", "M", "W", "X", "U"}, repr(signal)
