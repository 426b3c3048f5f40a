"""What an arriving signal adds to a session's timeline, in words for the partner."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from claims.fold.amounts import REVERSAL
from claims.fold.claim import Outcome
from claims.fold.messages import EARLIER_SPEAKS, THE_CLAIM, in_words_voided, named_in_full
from claims.fold.readings import read
from claims.fold.statements import SOME_PAYER, tell
from claims.fold.versions import ClaimVersion, SessionOutcome, fold_session, voided_by
from claims.fold.words import with_capital
from claims.signals import MONEY_SIGNALS, ClaimStatus, EventType, SessionStatus, Signal, SignalKind
from claims.x12.claim import ClaimFrequency

MONEY_EVENTS = frozenset({EventType.CLAIM_PAID, EventType.CLAIM_REVERSED, EventType.CLAIM_ADJUSTED})


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One line of a session's history; `status` is the session's afterwards, None where nothing changed."""

    type: EventType
    summary: str
    status: SessionStatus | None = None


IN_ITS_PLACE = "It takes the place of what billing staff had posted by hand, which counts no more."
REPEATED = TimelineEntry(EventType.CLAIM_NOTED, "The same answer came again; nothing changes.")


def entries_for(
    versions: Sequence[ClaimVersion],
    arrived: Iterable[Signal],
    *,
    number: int,
    payer: str = "",
    voids: str = "",
) -> tuple[SessionOutcome, list[TimelineEntry]]:
    """Fold newly arrived signals of one claim version into its session, with an entry for each.

    `versions` are all versions of the session's claim as they were before; `number` is that of the version
    that the signals are about, `voids` what the newest asks to take back, in words. What arrives together is
    told in the order of its stages, one 835 at once.
    """
    current = sorted(versions, key=lambda version: version.number)
    place = [version.number for version in current].index(number)
    is_void = current[place].frequency == ClaimFrequency.VOID
    session = fold_session(current)
    entries: list[TimelineEntry] = []
    for together in _in_order(arrived):
        current[place] = replace(current[place], signals=(*current[place].signals, *together))
        after = fold_session(current)
        about = _about(current, after, place, voids=voids)
        mover = _mover(together, session.outcomes[place], after.outcomes[place])
        for signal in together:
            entry = entry_for(
                signal,
                session.outcomes[place],
                after.outcomes[place],
                payer=payer,
                session_before=session.session_status,
                session_after=session.session_status if is_void else after.session_status,
                about=about,
            )
            if signal is not mover:
                entry = replace(entry, status=None)
            elif not set(session.outcomes[place].typed) <= set(after.outcomes[place].typed):
                entry = replace(entry, summary=f"{entry.summary} {IN_ITS_PLACE}")
            entries.append(entry)
        if after.claim_status is ClaimStatus.VOIDED is not session.claim_status:
            words = in_words_voided(
                after.session_status,
                voids=voids,
                to_go_back=after.to_go_back,
                refused_beside=_refused_beside(after),
            )
            entries.append(TimelineEntry(EventType.CLAIM_VOIDED, words, after.session_status))
        session = after
    return session, entries


def entry_for(
    signal: Signal,
    before: Outcome,
    after: Outcome,
    *,
    payer: str = "",
    session_before: SessionStatus | None = None,
    session_after: SessionStatus | None = None,
    about: str = "",
) -> TimelineEntry:
    """Tell what one signal says, between the outcomes of its claim version before and after it.

    The session's own statuses go first where versions differ. `about` says that the version no longer speaks
    for the session; only money on it is more than a note then.
    """
    name = payer or after.payer_name or SOME_PAYER
    if signal.natural_key in before.rules:
        return REPEATED
    kind, summary = tell(signal, before, after, payer=name, superseded=bool(about))
    if about:
        kind, summary = kind if kind in MONEY_EVENTS else EventType.CLAIM_NOTED, f"{about} {summary}"
    session_before = session_before or before.session_status
    session_after = session_after or after.session_status
    moved = session_after is not session_before or (
        not about and after.claim_status is not before.claim_status
    )
    return TimelineEntry(kind, with_capital(summary), session_after if moved else None)


def _refused_beside(session: SessionOutcome) -> str:
    """That a version beside the void was refused; the line of that answer says why."""
    return "" if session.refused_beside_void is None else EARLIER_SPEAKS[session.session_status]


def _mover(together: Sequence[Signal], before: Outcome, after: Outcome) -> Signal:
    """Find which of the signals that were folded at once moved the status: the last one that decides."""
    new = [each for each in together if each.natural_key not in before.rules] or list(together)
    money = [each for each in new if each.kind is not SignalKind.PROVIDER_ADJUSTMENT] or new
    return ([each for each in money if each.natural_key in after.deciding] or money)[-1]


def _about(versions: Sequence[ClaimVersion], session: SessionOutcome, place: int, *, voids: str) -> str:
    if versions[place].frequency == ClaimFrequency.VOID:
        is_newest = versions[place] is versions[-1]
        return f"About the request to void {named_in_full(voids if is_newest else THE_CLAIM)}:"
    newer = zip(versions[place + 1 :], session.outcomes[place + 1 :], strict=True)
    if any(outcome.delivered and version.frequency != ClaimFrequency.VOID for version, outcome in newer):
        return "About an earlier version of the claim:"
    is_gone = versions[place].number in voided_by(versions[-1], versions)
    return "About the voided claim:" if session.claim_status is ClaimStatus.VOIDED and is_gone else ""


def _in_order(arrived: Iterable[Signal]) -> list[list[Signal]]:
    """Put what arrived together in the order in which it makes sense, the parts of one 835 side by side."""
    remittances: dict[str, list[Signal]] = defaultdict(list)
    answers = []
    for signal in arrived:
        if signal.kind in MONEY_SIGNALS:
            remittances[signal.batch or signal.natural_key].append(signal)
        else:
            answers.append(signal)
    answers.sort(key=lambda each: (read(each).stage, each.effective_date, each.natural_key))
    payments = sorted(remittances.items(), key=lambda item: (item[1][0].effective_date, item[0]))
    for _, parts in payments:
        parts.sort(key=lambda each: (each.kind, each.claim_status_code != REVERSAL, each.natural_key))
    return [[each] for each in answers] + [parts for _, parts in payments]
