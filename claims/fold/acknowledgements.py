"""Which of several acknowledgements and inquiry answers decides: rules 8 to 16 and 30 of the status table."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date

from claims.fold.readings import FINAL_BY_INQUIRY, Reading, ReviewKind, ReviewTask, Stage, Verdict
from claims.signals import SignalKind, Source

REFUSING = frozenset({Verdict.REJECTED, Verdict.DENIED})

_FURTHEST_FIRST: tuple[Callable[[Reading], bool], ...] = (
    lambda each: each.stage is Stage.INQUIRY and each.verdict in {Verdict.PAID, Verdict.DENIED},
    lambda each: each.stage is Stage.INQUIRY and each.verdict is Verdict.ACCEPTED,
    lambda each: each.stage is Stage.PAYER and each.verdict in {Verdict.ACCEPTED, Verdict.REJECTED},
    # Nothing but a resubmission brings a rejected session back to submitted, so a clearinghouse's refusal
    # goes before the payer's mere passing on and before the clearinghouse's own acceptance.
    lambda each: each.stage is Stage.CLEARINGHOUSE and each.verdict is Verdict.REJECTED,
    lambda each: each.stage is Stage.PAYER and each.verdict is Verdict.PASSED_ON,
    lambda each: each.stage is Stage.CLEARINGHOUSE and each.verdict is Verdict.ACCEPTED,
    # A TA1 speaks of the envelope alone: a 999, which speaks of the claim, goes before it.
    lambda each: each.signal.kind is SignalKind.IMPLEMENTATION_ACKNOWLEDGEMENT and _speaks(each),
    lambda each: each.signal.kind is SignalKind.INTERCHANGE_ACKNOWLEDGEMENT and _speaks(each),
)


def decide(readings: Iterable[Reading], *, remittances_expected: bool) -> Reading | None:
    """Find the answer that decides: the furthest stage, there the latest date, there a refusal."""
    heard = [each for each in readings if each.rule != FINAL_BY_INQUIRY or not remittances_expected]
    for belongs in _FURTHEST_FIRST:
        rivals = [each for each in heard if belongs(each)]
        if rivals:
            return max(rivals, key=_precedence)
    return None


def tasks_of(
    readings: Sequence[Reading], decisive: Reading | None, *, remittances_expected: bool
) -> list[ReviewTask]:
    """Tell what a person should look into, as long as no remittance has settled the claim."""
    tasks = []
    if decisive and decisive.review:
        tasks.append(ReviewTask(decisive.review, decisive.signal.natural_key))
    for each in readings:
        if each.review is ReviewKind.SETTLED_WITHOUT_REMITTANCE and remittances_expected:
            continue
        if not _speaks(each) and each.review and not _answered(each, decisive):
            tasks.append(ReviewTask(each.review, each.signal.natural_key))
        elif decisive and _contradicts(each, decisive):
            tasks.append(ReviewTask(ReviewKind.CONFLICTING_ANSWERS, each.signal.natural_key))
    # What says nothing of the claim is asked about last.
    return sorted(tasks, key=lambda task: task.kind is ReviewKind.QUESTION_UNANSWERED)


def _speaks(reading: Reading) -> bool:
    return reading.verdict is not Verdict.SILENT


def _precedence(reading: Reading) -> tuple[date, bool, str]:
    return reading.signal.effective_date, reading.verdict in REFUSING, reading.signal.natural_key


def _answered(question: Reading, decisive: Reading | None) -> bool:
    """Tell whether the payer has spoken since it, or at all where it is the clearinghouse that missed it."""
    if decisive is None or decisive.stage < Stage.PAYER:
        return False
    if question.review is ReviewKind.CLAIM_NOT_FOUND and question.signal.source == Source.CLEARINGHOUSE:
        return True
    days = decisive.signal.effective_date, question.signal.effective_date
    is_at_once = question.review is ReviewKind.QUESTION_UNANSWERED or question.stage < Stage.PAYER
    return days[0] >= days[1] if is_at_once else days[0] > days[1]


def _contradicts(other: Reading, decisive: Reading) -> bool:
    """Tell whether an overruled answer says the opposite, and not because it came before."""
    if not _speaks(other) or other.signal.effective_date < decisive.signal.effective_date:
        return False
    if other.verdict in REFUSING and decisive.verdict not in REFUSING:
        return other.stage <= decisive.stage and (
            other.stage >= Stage.CLEARINGHOUSE or decisive.stage is Stage.TRANSPORT
        )
    if other.verdict not in REFUSING and decisive.verdict in REFUSING:
        return other.stage >= decisive.stage and other.signal.kind is decisive.signal.kind
    return False
