"""A session's status, folded over all versions of its claim: rules 31 to 33, and money on any version.

The newest version that has left the house speaks for the session. An older one is heard only where it was
paid: such a payment counts whenever it comes, unless it was known when a replacement was sent and that
replacement is still under way.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from decimal import Decimal

from claims.fold.amounts import REVERSAL, is_adjudication, left_of, paid_by
from claims.fold.claim import Outcome, distinct, fold, still_counting
from claims.fold.readings import ReviewKind, ReviewTask
from claims.signals import ClaimStatus, SessionStatus, Signal, WorkflowState
from claims.x12.claim import ClaimFrequency

STILL_OF_INTEREST = frozenset({ReviewKind.PROVIDER_ADJUSTMENT, ReviewKind.UNEXPECTED_AMOUNT})
"""What staff look into on an older version too; the newer one answers its refusals and denials."""
REFUSED = frozenset({SessionStatus.REJECTED, SessionStatus.DENIED})
UNREAD = 9
"""The rule of a file that its receiver couldn't read."""
UNDECIDED = frozenset({SessionStatus.SUBMITTED, SessionStatus.ACCEPTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVersion:
    """One claim of a session: its own patient control number, its own signals.

    `frequency` is CLM05-3: 1 original, 7 replacement, 8 void. `replaces` is the number of the version that
    this one replaces or voids; a void without it voids all before. `payer` is the ID of who is to pay it,
    where it matters which of them that is. `known_before` holds the natural keys of the earlier versions'
    signals that had arrived when this version was sent, and that it therefore answers: all, while it hasn't
    been sent.
    """

    number: int
    workflow_state: WorkflowState
    signals: Sequence[Signal] = ()
    frequency: str = "1"
    replaces: int | None = None
    payer: str = ""
    transmissions: int = 1
    remittances_expected: bool = True
    billed: Decimal | None = None
    known_before: frozenset[str] = field(default_factory=frozenset)

    def fold(self) -> Outcome:
        """Fold this version by itself."""
        return fold(
            self.workflow_state,
            self.signals,
            transmissions=self.transmissions,
            remittances_expected=self.remittances_expected,
            billed=self.billed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOutcome:
    """Where a session stands: its status, that of each version of its claim, and every version by itself.

    `claim_statuses` and `outcomes` are in the order of the versions: a void that is done stays voided,
    whatever follows it. `paid` is the net of all of them in dollars, less what was recouped from other
    payments; `to_go_back` is the same of what the newest version took back, if it is a void that is done.
    `looked_after` is the place of the version whose refusal or denial staff see to: the newest, but where
    that is a void, the last that no void took back and no later version has answered, and beside a void that
    isn't done only one after the version which that names. `refused_beside_void` is its place where the
    session shows that refusal or denial beside the void.
    `tasks` are all that staff should look into now: those of the version that speaks, and those between
    versions.
    """

    session_status: SessionStatus
    claim_statuses: tuple[ClaimStatus, ...]
    outcomes: tuple[Outcome, ...]
    paid: Decimal
    to_go_back: Decimal = Decimal(0)
    looked_after: int = -1
    refused_beside_void: int | None = None
    tasks: tuple[ReviewTask, ...] = ()

    @property
    def claim_status(self) -> ClaimStatus:
        """That of the newest version."""
        return self.claim_statuses[-1]


def fold_session(versions: Sequence[ClaimVersion]) -> SessionOutcome:
    """Fold all versions of a session's claim, in any order; raises ValueError where there is none."""
    ordered = sorted(versions, key=lambda version: version.number)
    if not ordered:
        raise ValueError("a session without a claim has nothing to fold")
    outcomes = tuple(version.fold() for version in ordered)
    pairs = list(zip(ordered, outcomes, strict=True))
    session_status, tasks = _speak(ordered, outcomes)
    gone = voided_by(ordered[-1], ordered) if _is_voided(ordered, outcomes) else set()
    looked_after = _looked_after(ordered, outcomes)
    left, shown = ordered[looked_after], outcomes[looked_after].session_status
    is_beside = left is not ordered[-1] and shown in REFUSED and shown is session_status
    paid = _left_of(pairs)
    return SessionOutcome(
        session_status=session_status,
        claim_statuses=tuple(
            ClaimStatus.VOIDED if _is_voided(ordered[:count], outcomes[:count]) else outcome.claim_status
            for count, outcome in enumerate(outcomes, 1)
        ),
        outcomes=outcomes,
        paid=paid,
        to_go_back=_left_of([pair for pair in pairs if pair[0].number in gone]),
        looked_after=looked_after,
        refused_beside_void=looked_after if is_beside else None,
        tasks=tuple(_not_returned(tasks, left=paid)),
    )


def _not_returned(tasks: Sequence[ReviewTask], *, left: Decimal) -> Iterator[ReviewTask]:
    """The tasks, of what hasn't gone back no more than is left: a payer may recover under another version."""
    for task in tasks:
        if task.kind is not ReviewKind.PAYMENT_NOT_RETURNED or task.owed is None:
            yield task
        elif (owed := min(task.owed, left)) > 0:
            yield replace(task, owed=owed)


_Word = tuple[SessionStatus, tuple[ReviewTask, ...]]


def _speak(versions: Sequence[ClaimVersion], outcomes: Sequence[Outcome]) -> _Word:
    """Let the newest version speak, or the one before it until the newest is out of the house."""
    newest, outcome = versions[-1], outcomes[-1]
    about_money = tuple(
        task for older in outcomes[:-1] for task in older.tasks if task.kind in STILL_OF_INTEREST
    )
    if _is_voided(versions, outcomes):
        gone = _taken_back(versions, outcomes)
        pairs = list(zip(versions, outcomes, strict=True))
        tasks = about_money + outcome.tasks + _owed_back(versions, outcomes)
        left = [pair for pair in pairs if pair[0].number not in gone]
        status = _left_standing(left, void=newest, answered=_answered_here(versions, outcomes))
        return status, tuple(dict.fromkeys(tasks))
    if len(versions) == 1:
        return outcome.session_status, outcome.tasks
    if newest.frequency == ClaimFrequency.VOID or not outcome.delivered:
        session_status, tasks = _speak(versions[:-1], outcomes[:-1])
        tasks += outcome.tasks
        if newest.frequency == ClaimFrequency.VOID and outcome.session_status in REFUSED:
            tasks += (ReviewTask(ReviewKind.VOID_REFUSED),)
        return session_status, tasks
    if (before := _left_by_unread(versions, outcomes)) is not None:
        return before
    gone = _taken_back(versions[:-1], outcomes[:-1])
    pairs = list(zip(versions, outcomes, strict=True))
    counting = [pair for pair in pairs if pair[0].number not in gone]
    session_status = _with_earlier_money(newest, outcome, counting[:-1])
    tasks = about_money + outcome.tasks
    judged = outcome.session_status in (SessionStatus.PAID, SessionStatus.DENIED)
    paid_besides = judged and _left_of(counting) > max(outcome.paid, outcome.decided)
    if session_status is not outcome.session_status or paid_besides:
        tasks += (ReviewTask(ReviewKind.PAYMENT_ON_EARLIER_VERSION),)
    if outcome.session_status in (SessionStatus.ACCEPTED, SessionStatus.PAID):
        tasks += _taken_besides(counting[:-1])
    return session_status, tasks + _owed_back(versions, outcomes)


def _taken_besides(earlier: Sequence[tuple[ClaimVersion, Outcome]]) -> tuple[ReviewTask, ...]:
    """A task for each earlier version that its payer, which may have lost or rejected it first, has taken."""
    taken = [
        each
        for version, each in earlier
        if version.frequency != ClaimFrequency.VOID and each.claim_status is ClaimStatus.PAYER_ACCEPTED
    ]
    return tuple(
        ReviewTask(ReviewKind.EARLIER_VERSION_TAKEN, each.deciding[0])
        for each in taken
        if all(task.kind is not ReviewKind.CLAIM_NOT_FOUND for task in each.tasks)
    )


def _left_by_unread(versions: Sequence[ClaimVersion], outcomes: Sequence[Outcome]) -> _Word | None:
    """What was said before the newest version, where that one's file couldn't be read and no payer has it.

    Whatever else its clearinghouse says of it leads no further back: only staff do, who send it again.
    """
    outcome = outcomes[-1]
    if UNREAD not in outcome.rules.values():
        return None
    if outcome.session_status not in (SessionStatus.SUBMITTED, SessionStatus.REJECTED):
        return None
    session_status, tasks = _speak(versions[:-1], outcomes[:-1])
    if session_status not in (SessionStatus.ACCEPTED, SessionStatus.PAID, SessionStatus.DENIED):
        return None
    return session_status, tuple(dict.fromkeys(tasks + outcome.tasks))


def _looked_after(versions: Sequence[ClaimVersion], outcomes: Sequence[Outcome]) -> int:
    """The place of the newest version, or of the last that a newest void leaves to be looked after."""
    newest = versions[-1]
    if newest.frequency != ClaimFrequency.VOID:
        return -1
    gone = _taken_back(versions, outcomes)
    first = 0 if _is_voided(versions, outcomes) else (newest.replaces or newest.number)
    gone |= _answered_here(versions, outcomes)
    left = [
        place
        for place, version in enumerate(versions)
        if version.frequency != ClaimFrequency.VOID and version.number not in gone and version.number > first
    ]
    return left[-1] if left else -1


def _answered_here(versions: Sequence[ClaimVersion], outcomes: Sequence[Outcome]) -> set[int]:
    """The numbers of the versions whose refusal or denial was known when a later one, no void, was sent.

    That one was its correction, also where it is voided since.
    """
    return {
        version.number
        for place, (version, outcome) in enumerate(zip(versions, outcomes, strict=True))
        if outcome.session_status in REFUSED
        and outcome.deciding
        and any(
            later.frequency != ClaimFrequency.VOID and later.known_before.issuperset(outcome.deciding)
            for later in versions[place + 1 :]
        )
    }


def _left_standing(
    pairs: Sequence[tuple[ClaimVersion, Outcome]], *, void: ClaimVersion, answered: Set[int]
) -> SessionStatus:
    """What holds once a void is done: what versions that it left were paid, that the newest of them is still
    to be decided, or how the last was judged that no later version has answered.
    """
    judged = [
        (version.number, each.session_status)
        for version, each in pairs
        if each.session_status in (SessionStatus.PAID, SessionStatus.DENIED)
    ]
    if any(status is SessionStatus.PAID for _, status in judged):
        return SessionStatus.PAID
    left = next((pair for pair in reversed(pairs) if pair[0].frequency != ClaimFrequency.VOID), None)
    if left is not None and left[1].session_status in UNDECIDED:
        is_later = void.replaces is not None and left[0].number > void.replaces
        is_lost = any(task.kind is ReviewKind.CLAIM_NOT_FOUND for task in left[1].tasks)
        if is_later or not is_lost:
            return left[1].session_status
    open_still = [status for number, status in judged if number not in answered]
    return open_still[-1] if open_still else SessionStatus.REJECTED


def _left_of(pairs: Sequence[tuple[ClaimVersion, Outcome]]) -> Decimal:
    """What the payer paid and hasn't got back; a recoupment moves no status (rule 25)."""
    paid = sum((outcome.paid for _, outcome in pairs), Decimal(0))
    return left_of(paid, (signal for version, _ in pairs for signal in distinct(version.signals)))


def _owed_back(versions: Sequence[ClaimVersion], outcomes: Sequence[Outcome]) -> tuple[ReviewTask, ...]:
    """A task for each void that a payer has taken and not its payment, about the last one of its payments.

    What a payer recovers counts whichever of its versions it names, so its tasks come to what it owes in all.
    """
    places = {version.number: place for place, version in enumerate(versions)}
    seen: set[int] = set()
    voids: list[list[tuple[ClaimVersion, Outcome]]] = []
    for count in range(1, len(versions) + 1):
        if _is_voided(versions[:count], outcomes[:count]):
            gone = voided_by(versions[count - 1], versions[:count]) - seen
            seen |= gone
            voids.append([(versions[places[number]], outcomes[places[number]]) for number in sorted(gone)])
    tasks = []
    for payer in dict.fromkeys(version.payer for pairs in voids for version, _ in pairs):
        theirs = [[pair for pair in pairs if pair[0].payer == payer] for pairs in voids]
        left = _left_of([pair for pairs in theirs for pair in pairs])
        for pairs in reversed(theirs):
            if (owed := min(left, _left_of(pairs))) > 0:
                left -= owed
                counted = (
                    each for version, own in pairs for each in still_counting(version.signals, own.typed)
                )
                paid = (signal for signal in counted if paid_by(signal) > 0)
                last = max(paid, key=lambda signal: (signal.effective_date, signal.natural_key), default=None)
                key = last.natural_key if last else ""
                tasks.append(ReviewTask(ReviewKind.PAYMENT_ON_VOIDED_CLAIM, key, owed=owed))
    return tuple(tasks)


def voided_by(void: ClaimVersion, versions: Sequence[ClaimVersion]) -> set[int]:
    """The numbers of the versions that a void takes back: what it names, and what that had replaced."""
    by_number = {version.number: version for version in versions}
    if void.replaces is None:
        return set(by_number)
    gone = {void.number}
    named = by_number.get(void.replaces)
    while named is not None and named.number not in gone:
        gone.add(named.number)
        replaced = named.replaces if named.frequency == ClaimFrequency.REPLACEMENT else None
        named = by_number.get(replaced) if replaced is not None else None
    return gone


def _is_voided(versions: Sequence[ClaimVersion], outcomes: Sequence[Outcome]) -> bool:
    """A void is done once the payer took it, or took back what it had decided on the claim itself."""
    if versions[-1].frequency != ClaimFrequency.VOID:
        return False
    if outcomes[-1].session_status in (SessionStatus.ACCEPTED, SessionStatus.PAID):
        return True
    gone = voided_by(versions[-1], versions)
    asked = [pair for pair in zip(versions[:-1], outcomes[:-1], strict=True) if pair[0].number in gone]
    taken_back = any(
        signal.claim_status_code == REVERSAL and signal.natural_key not in versions[-1].known_before
        for version, _ in asked
        for signal in version.signals
    )
    return taken_back and all(each.claim_status is ClaimStatus.REVERSED or not each.paid for _, each in asked)


def _taken_back(versions: Sequence[ClaimVersion], outcomes: Sequence[Outcome]) -> set[int]:
    """The numbers of the voids that are done, and of what they took back."""
    gone: set[int] = set()
    for count in range(1, len(versions) + 1):
        if _is_voided(versions[:count], outcomes[:count]):
            gone |= voided_by(versions[count - 1], versions[:count])
    return gone


def _with_earlier_money(
    newest: ClaimVersion, outcome: Outcome, earlier: Sequence[tuple[ClaimVersion, Outcome]]
) -> SessionStatus:
    """Hear the older versions, of those that no void took back, where a payment came for them."""
    own = outcome.session_status
    if own is SessionStatus.PAID:
        return own
    late = [each for version, each in earlier if _was_paid_since(version, each, newest)]
    standing = [each for _, each in earlier] if own in REFUSED else late
    if any(each.session_status is SessionStatus.PAID and each.paid > 0 for each in standing):
        return SessionStatus.PAID
    if late and own in {SessionStatus.SUBMITTED, SessionStatus.REJECTED}:
        return late[-1].session_status
    return own


def _was_paid_since(version: ClaimVersion, outcome: Outcome, newest: ClaimVersion) -> bool:
    return any(
        is_adjudication(signal) and paid_by(signal) > 0 and signal.natural_key not in newest.known_before
        for signal in still_counting(version.signals, outcome.typed)
    )
