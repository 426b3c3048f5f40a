"""What the stored signals of some sessions come to: worked out in memory; `lifecycle` writes it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from uuid import UUID

from claims.answer_tasks import TASK_WORDS, task_in_words
from claims.fold.claim import Outcome
from claims.fold.entries import TimelineEntry, entries_for
from claims.fold.messages import ONE_VERSION, THE_CLAIM, message_for
from claims.fold.readings import ReviewKind, ReviewTask
from claims.fold.versions import ClaimVersion, SessionOutcome, fold_session
from claims.fold.words import (
    explain_denial,
    explain_rejection,
    reasons_in_words,
    refusing,
    with_capital,
)
from claims.landing import Item
from claims.models import Claim, ClaimSignal, WorkItem
from claims.signals import UNSETTLED, ClaimStatus, SessionStatus, Signal, SignalKind, Source, WorkflowState
from claims.versions import (
    ANSWERS,
    ASKED,
    is_not_found,
    last_claim,
    leaves_another,
    of_last_day,
    payer_id_of,
    versions_of,
)
from claims.x12.characters import to_basic_text

Queue = WorkItem.Queue
QUEUE_OF_STATUS = {
    ClaimStatus.TRANSPORT_REJECTED: Queue.TRANSPORT,
    ClaimStatus.CLEARINGHOUSE_REJECTED: Queue.REJECTED,
    ClaimStatus.PAYER_REJECTED: Queue.REJECTED,
    ClaimStatus.DENIED: Queue.DENIED,
    ClaimStatus.MEMBER_UNKNOWN: Queue.DENIED,
    ClaimStatus.TAKEN_BACK: Queue.DENIED,
}
STATUS_WORDS = {
    ClaimStatus.TRANSPORT_REJECTED: "The receiver could not read our file; the claim must go out again.",
    ClaimStatus.MEMBER_UNKNOWN: "The payer doesn't know the patient.",
    ClaimStatus.TAKEN_BACK: "The payer denies what it had paid.",
}
SETTLED_QUEUES = (Queue.TRANSPORT, Queue.REJECTED, Queue.DENIED, Queue.SILENT, Queue.ANSWERS)


@dataclass(frozen=True, slots=True)
class SettledSession:
    """Where a session and each version of its claim stand, and what is new to tell."""

    session_id: UUID
    partner_id: UUID
    outcome: SessionOutcome
    claims: Sequence[Claim]
    voids: str
    """What the newest claim asks to take back, in words."""
    entries: Sequence[TimelineEntry]
    told: Sequence[int]
    """Ids of the signals that the entries are about."""
    remittances: Sequence[tuple[Claim, Signal]]
    """Those among them that say what was paid, each with its claim."""
    items: Sequence[Item]
    of_newest: Sequence[Item]
    """What the refusal of the newest claim asks of a person by itself."""

    def message(self, *, given_up: Sequence[Item] = ()) -> str:
        """What the partner reads; `given_up` are the items about which staff do nothing more."""
        outcome, claims = self.outcome, self.claims
        about_newest = any(item in self.of_newest for item in given_up)
        about_other = any(item not in self.of_newest for item in given_up)
        refused = ""
        if (place := outcome.refused_beside_void) is not None:
            refused = message_for(
                outcome.session_status,
                outcome.claim_statuses[place],
                outcome=outcome.outcomes[place],
                payer=payer_of(claims[place]),
                given_up=about_other,
            )
        return message_for(
            outcome.session_status,
            outcome.claim_status,
            voids=self.voids,
            refused_beside=refused,
            outcome=outcome.outcomes[-1],
            paid_in_all=outcome.to_go_back if outcome.claim_status is ClaimStatus.VOIDED else outcome.paid,
            payer=payer_of(next((claim for claim in reversed(claims) if claim.snapshot), claims[-1])),
            given_up=about_newest if self.of_newest else about_other,
        )


def settle_sessions(claims: Iterable[Claim], signals: Iterable[ClaimSignal]) -> list[SettledSession]:
    """Fold each session's claims (ordered by session and version) over their signals."""
    by_claim: dict[UUID, list[ClaimSignal]] = defaultdict(list)
    for row in signals:
        if row.claim_id is not None:
            by_claim[row.claim_id].append(row)
    return [
        _settle(session_id, list(versions), by_claim)
        for session_id, versions in groupby(claims, key=lambda claim: claim.session_id)
    ]


def workflow_state(claim: Claim) -> WorkflowState:
    """How far our own process has brought a claim."""
    if claim.step == Claim.Step.FOLLOW:
        return WorkflowState.SENT
    if claim.step == Claim.Step.HELD:
        return WorkflowState.HELD
    if claim.step == Claim.Step.SEND and claim.status in UNSETTLED:
        return WorkflowState(claim.status)
    return WorkflowState.QUEUED


def payer_of(claim: Claim) -> str:
    """Who the claim says is to pay it: as the session writes the name, where it is the same."""
    given = claim.session.payer_name
    frozen = claim.draft().get("payer")
    named = str(frozen["name"]) if frozen else ""
    return named if named and named != to_basic_text(given) else given


def how_they_stand(voidable: Iterable[Claim]) -> str:
    """What a page has shown of the versions that a void could take back, as its form sends it back."""
    return ",".join(f"{each.version}:{each.status}:{each.paid or 0}" for each in voidable)


def what_it_voids(
    claim: Claim,
    versions: Sequence[Claim] = (),
    *,
    statuses: Mapping[UUID, ClaimStatus] | None = None,
) -> str:
    """What a claim asks a payer to take back, in words; empty where it is no void.

    An earlier claim is told from what the session was sent to another payer as since, and one version of
    several from the only one that counts. `versions` are all of them, the newest first, where they are known,
    and `statuses` what these are about to be.
    """
    if claim.frequency != Claim.Frequency.VOID:
        return ""
    known = versions or versions_of(claim)
    asked = next((each for each in known if each.pk == claim.replaces_id), None)
    payers = {payer_id_of(each) for each in (asked, last_claim(known)) if each}
    if asked and len(payers - {""}) > 1:
        return f"the earlier claim to {payer_of(asked)}"
    return ONE_VERSION if leaves_another(claim, known, statuses=statuses) else THE_CLAIM


def _settle(session_id: UUID, claims: list[Claim], by_claim: dict[UUID, list[ClaimSignal]]) -> SettledSession:
    rows = [row for claim in claims for row in by_claim[claim.pk]]
    numbers: dict[UUID | None, int] = {claim.pk: claim.version for claim in claims}
    has_void = any(claim.frequency == Claim.Frequency.VOID for claim in claims)
    versions = [
        _version(
            claim,
            by_claim[claim.pk],
            rows,
            replaces=numbers.get(claim.replaces_id),
            payer=payer_id_of(claim) if has_void else "",
        )
        for claim in claims
    ]
    told: list[int] = []
    entries: list[TimelineEntry] = []
    remittances: list[tuple[Claim, Signal]] = []
    outcome: SessionOutcome | None = None
    voids = _voids(claims, versions, by_claim)
    for place, claim in enumerate(claims):
        news = [row for row in by_claim[claim.pk] if row.settled_at is None]
        if not news:
            continue
        arrived = [Signal.from_json(row.payload) for row in news]
        outcome, lines = entries_for(
            versions, arrived, number=claim.version, payer=payer_of(claim), voids=voids
        )
        versions[place] = replace(versions[place], signals=(*versions[place].signals, *arrived))
        entries += lines
        told += [row.pk for row in news]
        remittances += [(claim, each) for each in arrived if each.kind is SignalKind.REMITTANCE]
    if outcome is None:
        outcome = fold_session(versions)
    return SettledSession(
        session_id=session_id,
        partner_id=claims[-1].partner_id,
        outcome=outcome,
        claims=claims,
        voids=voids,
        entries=entries,
        told=told,
        remittances=remittances,
        items=_items(outcome, rows, claims),
        of_newest=_refusal(outcome.claim_status, outcome.outcomes[-1], rows),
    )


def _voids(
    claims: Sequence[Claim],
    versions: Sequence[ClaimVersion],
    by_claim: Mapping[UUID, Sequence[ClaimSignal]],
) -> str:
    """What the newest asks to take back, in words, by where the others stand once all answers are heard."""
    if claims[-1].frequency != Claim.Frequency.VOID:
        return ""
    heard = [
        replace(version, signals=tuple(Signal.from_json(row.payload) for row in by_claim[claim.pk]))
        for claim, version in zip(claims, versions, strict=True)
    ]
    statuses = {
        claim.pk: status for claim, status in zip(claims, fold_session(heard).claim_statuses, strict=True)
    }
    return what_it_voids(claims[-1], claims[::-1], statuses=statuses)


def _version(
    claim: Claim,
    own: Sequence[ClaimSignal],
    rows: Sequence[ClaimSignal],
    *,
    replaces: int | None,
    payer: str,
) -> ClaimVersion:
    """A claim as the fold knows it, with the signals told before; `replaces` is a version's number."""
    return ClaimVersion(
        number=claim.version,
        workflow_state=workflow_state(claim),
        signals=tuple(Signal.from_json(row.payload) for row in own if row.settled_at is not None),
        frequency=claim.frequency,
        replaces=replaces,
        payer=payer,
        transmissions=max(claim.times_sent, 1) + (1 if _goes_again(claim) else 0),
        remittances_expected=claim.remittances_expected,
        billed=claim.total_charge,
        known_before=frozenset(
            row.natural_key
            for row in rows
            if row.claim_id != claim.pk
            and (claim.submitted_at is None or row.received_at < claim.submitted_at)
        ),
    )


def _goes_again(claim: Claim) -> bool:
    """Tell whether a void whose file couldn't be read waits for its new envelope."""
    waits = claim.step == Claim.Step.SEND and claim.status == ClaimStatus.QUEUED
    return waits and claim.frequency == Claim.Frequency.VOID and claim.submitted_at is not None


def _items(outcome: SessionOutcome, rows: Sequence[ClaimSignal], claims: Sequence[Claim]) -> list[Item]:
    """What a person must do about it now, the first of a queue first; a task for later is the watchdog's.

    An answer that is asked about by no key of its own is the last one.
    """
    items: list[Item] = []
    tasks = sorted(outcome.tasks, key=lambda task: task.kind is not ReviewKind.VOID_REFUSED)
    void_refused = bool(tasks) and tasks[0].kind is ReviewKind.VOID_REFUSED
    newest = len(claims) - 1
    for place in sorted({newest, outcome.looked_after % len(claims)}, reverse=True):
        if place != newest or not void_refused:
            items += _refusal(outcome.claim_statuses[place], outcome.outcomes[place], rows)
    by_key = {row.natural_key: row for row in rows}
    by_id = {claim.pk: claim for claim in claims}
    for task in tasks:
        if not _is_due(task) or task.kind not in TASK_WORDS or _is_overtaken(task, rows):
            continue
        row = by_key.get(task.natural_key)
        signal = Signal.from_json(row.payload) if row else None
        about = row or max(rows, key=lambda each: each.pk, default=None)
        payer = payer_of(by_id[row.claim_id] if row and row.claim_id else claims[-1])
        items.append(
            Item(
                queue=Queue.ANSWERS,
                reason=task.kind.value,
                summary=task_in_words(task, signal, payer=payer),
                signal_id=about.pk if about else None,
            )
        )
    return items


def _refusal(status: ClaimStatus, spoken: Outcome, rows: Sequence[ClaimSignal]) -> list[Item]:
    """What a version that was refused or denied asks of a person, if it was."""
    queue = QUEUE_OF_STATUS.get(status)
    if status is ClaimStatus.PER_INQUIRY and spoken.session_status is SessionStatus.DENIED:
        queue = Queue.DENIED
    if queue is None:
        return []
    explained = explain_denial(spoken.reasons, spoken.remarks) or explain_rejection(spoken.statuses)
    reason = next((str(code) for code in (*spoken.reasons, *refusing(spoken.statuses))), status.value)
    words = with_capital(reasons_in_words(explained)) or STATUS_WORDS.get(
        status, "The answer gives no reason."
    )
    decisive = max((row.pk for row in rows if row.natural_key in spoken.deciding), default=None)
    return [Item(queue=queue, reason=reason, summary=words, signal_id=decisive)]


def _is_overtaken(task: ReviewTask, rows: Sequence[ClaimSignal]) -> bool:
    """Tell whether its payer has spoken of a claim since it told staff, who asked it, that it has none.

    What it told them bears the day that was heard of last: the order of arrival says what came after.
    """
    if task.kind is not ReviewKind.CLAIM_NOT_FOUND or not task.natural_key.startswith(ASKED):
        return False
    asked = next(row for row in rows if row.natural_key == task.natural_key)
    later = [
        row for row in rows if row.claim_id == asked.claim_id and row.pk > asked.pk and row.kind in ANSWERS
    ]
    last = of_last_day(later)
    return any(each.source == Source.PAYER for each in last) and not any(map(is_not_found, last))


def _is_due(task: ReviewTask) -> bool:
    return task.not_before is None
