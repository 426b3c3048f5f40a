"""Whatever arrives, in whatever order and number: one set of signals, one status, and no illegal move."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from claims.fold.claim import fold
from claims.fold.readings import SESSION_STATUS, Stage, read
from claims.fold.versions import ClaimVersion, SessionOutcome, fold_session
from claims.signals import ClaimStatus, SessionStatus, Signal, SignalKind, WorkflowState
from tests.claims.fold_cast import claim_answer
from tests.claims.fold_strategies import CLAIM_ANSWERS, FLAGS, LEGAL, MONEY, SIGNALS, STATES, TRANSPORT


@settings(max_examples=150, deadline=None)
@given(SIGNALS, st.randoms(use_true_random=False), STATES, FLAGS)
def test_any_order_and_repetition_gives_the_same_outcome(
    signals: list[Signal], random: object, state: WorkflowState, flags: dict[str, object]
) -> None:
    shuffled = signals + [random.choice(signals) for _ in range(3) if signals]
    random.shuffle(shuffled)
    assert fold(state, shuffled, **flags) == fold(state, signals, **flags)


@settings(max_examples=150, deadline=None)
@given(SIGNALS, STATES, FLAGS)
def test_no_signal_makes_an_illegal_move(
    signals: list[Signal], state: WorkflowState, flags: dict[str, object]
) -> None:
    before = fold(state, (), **flags).session_status
    for count in range(1, len(signals) + 1):
        after = fold(state, signals[:count], **flags).session_status
        assert after in LEGAL[before]
        before = after


@settings(max_examples=150, deadline=None)
@given(SIGNALS, st.lists(CLAIM_ANSWERS | TRANSPORT, max_size=4))
def test_no_acknowledgement_moves_what_a_remittance_has_settled(
    signals: list[Signal], late: list[Signal]
) -> None:
    settled = fold(WorkflowState.SENT, signals)
    if settled.session_status in {SessionStatus.PAID, SessionStatus.DENIED}:
        after = fold(WorkflowState.SENT, signals + late)
        assert (after.session_status, after.claim_status) == (settled.session_status, settled.claim_status)


@settings(max_examples=100, deadline=None)
@given(SIGNALS)
def test_dropped_answers_of_a_lower_stage_are_not_missed(signals: list[Signal]) -> None:
    whole = fold(WorkflowState.SENT, signals)
    if whole.stage < Stage.PAYER:
        return
    rest = fold(WorkflowState.SENT, [each for each in signals if read(each).stage >= whole.stage])
    assert (rest.session_status, rest.claim_status) == (whole.session_status, whole.claim_status)


@settings(max_examples=100, deadline=None)
@given(SIGNALS, STATES, FLAGS)
def test_a_dropped_acknowledgement_leaves_the_money(
    signals: list[Signal], state: WorkflowState, flags: dict[str, object]
) -> None:
    remittances = [each for each in signals if each.kind is SignalKind.REMITTANCE]
    whole, rest = fold(state, signals, **flags), fold(state, remittances, **flags)
    assert (whole.paid, whole.allowed, whole.patient_owes) == (rest.paid, rest.allowed, rest.patient_owes)


@settings(max_examples=100, deadline=None)
@given(SIGNALS)
def test_what_staff_typed_changes_nothing_that_the_payer_said_itself(signals: list[Signal]) -> None:
    whole = fold(WorkflowState.SENT, signals)
    if not whole.typed:
        alone = fold(WorkflowState.SENT, [each for each in signals if not each.origin])
        told = {key: rule for key, rule in whole.rules.items() if key in alone.rules}
        assert replace(whole, rules=told) == alone


@settings(max_examples=100, deadline=None)
@given(SIGNALS, STATES, FLAGS)
def test_the_session_status_follows_from_the_claim_status(
    signals: list[Signal], state: WorkflowState, flags: dict[str, object]
) -> None:
    outcome = fold(state, signals, **flags)
    once_sent = SessionStatus.SUBMITTED if flags["transmissions"] > 1 else SessionStatus.PROCESSING
    if outcome.claim_status is ClaimStatus.PER_INQUIRY:
        assert outcome.session_status in {SessionStatus.PAID, SessionStatus.DENIED}
    elif SESSION_STATUS[outcome.claim_status] is SessionStatus.PROCESSING:
        assert outcome.session_status is once_sent
    else:
        assert outcome.session_status is SESSION_STATUS[outcome.claim_status]


@settings(max_examples=100, deadline=None)
@given(SIGNALS, STATES, FLAGS)
def test_every_signal_falls_under_a_rule(
    signals: list[Signal], state: WorkflowState, flags: dict[str, object]
) -> None:
    rules = fold(state, signals, **flags).rules
    assert set(rules) == {each.natural_key for each in signals}
    assert set(rules.values()) <= {*range(8, 28), 30}


@settings(max_examples=150, deadline=None)
@given(SIGNALS, SIGNALS, st.sampled_from(["1", "7", "8"]), st.integers(0, 5))
def test_no_signal_on_any_version_makes_an_illegal_move(
    earlier: list[Signal], later: list[Signal], frequency: str, known: int
) -> None:
    # A replacement and a void name the payer's control number: the payer has taken the first version.
    taken = [] if frequency == "1" else [claim_answer("PR", "A2", 0, pccn="AET1")]
    earlier = taken + [each for each in earlier if each not in taken]
    known = max(known, len(taken))

    def session(first: Sequence[Signal], second: Sequence[Signal]) -> SessionOutcome:
        return fold_session(
            [
                ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=first),
                ClaimVersion(
                    number=2,
                    workflow_state=WorkflowState.SENT,
                    signals=second,
                    frequency=frequency,
                    known_before=frozenset(each.natural_key for each in earlier[:known]),
                ),
            ]
        )

    arrivals = [(earlier[:count], ()) for count in range(known, len(earlier) + 1)]
    arrivals += [(earlier, later[:count]) for count in range(1, len(later) + 1)]
    for before, after in pairwise([session(*each) for each in arrivals]):
        # Of what was posted by hand on the first version and counts no more, the second is as it was.
        legal = set(LEGAL[before.session_status])
        if set(before.outcomes[0].typed) - set(after.outcomes[0].typed):
            legal |= {SessionStatus.SUBMITTED, SessionStatus.REJECTED}
        assert after.session_status in legal or (
            frequency == "8" and after.session_status is SessionStatus.REJECTED
        )


@settings(max_examples=150, deadline=None)
@given(MONEY, st.lists(st.integers(0, 2), min_size=9, max_size=9))
def test_what_is_left_of_the_payments_is_the_same_whichever_version_says_it(
    signals: list[Signal], places: list[int]
) -> None:
    filed: list[list[Signal]] = [[], [], []]
    for signal, place in zip(signals, places, strict=False):
        filed[place].append(signal)
    versions = [
        ClaimVersion(number=number, workflow_state=WorkflowState.SENT, signals=each, frequency="7")
        for number, each in enumerate(filed, 1)
    ]
    alone = ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=signals)
    assert fold_session(versions).paid == fold_session([alone]).paid


@settings(max_examples=150, deadline=None)
@given(MONEY)
def test_no_recoupment_takes_more_than_was_paid(signals: list[Signal]) -> None:
    version = ClaimVersion(number=1, workflow_state=WorkflowState.SENT, signals=signals)
    paid = version.fold().paid
    assert min(paid, 0) <= fold_session([version]).paid <= paid
