"""Sets of signals for the fold's property tests, and the moves that signals may make."""

from hypothesis import strategies as st

from claims.signals import SessionStatus, Signal, WorkflowState
from tests.claims.fold_cast import (
    acknowledgement,
    claim_answer,
    inquiry,
    line,
    money,
    recoupment,
    remittance,
    ta1,
    typed,
)

DAYS = st.integers(0, 4)
CATEGORIES = st.sampled_from(["A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"])
BATCHES = st.sampled_from(["EFT1", "EFT2", "EFT3"])
REASONS = st.sampled_from(
    [(), (money("CO", "197", "180"),), (money("PR", "1", "180"),), (money("CO", "45", "60"),)]
)
LINES = st.sampled_from([(), (line(1, "120", "120"),), (line(1, "120", "0"), line(2, "60", "60"))])
TRANSPORT = st.one_of(
    st.builds(ta1, st.sampled_from("AER"), DAYS, transmission=st.integers(1, 2)),
    st.builds(acknowledgement, st.sampled_from("AEPRMWX"), DAYS, transmission=st.integers(1, 2)),
)
CLAIM_ANSWERS = st.builds(
    claim_answer, st.sampled_from(["AY", "PR"]), CATEGORIES, DAYS, action=st.sampled_from(["", "WQ", "U"])
)
INQUIRIES = st.builds(
    inquiry, st.sampled_from(["P1", "A1", "A2", "F0", "F1", "F2", "F4", "R3", "D0", "E1"]), DAYS
)


def _dated_by_batch(batch: str, **values: object) -> Signal:
    """One payment has one date."""
    return remittance(batch=batch, day=10 + int(batch[-1]) // 2, **values)


REMITTANCES = st.one_of(
    st.builds(
        _dated_by_batch,
        BATCHES,
        code=st.sampled_from(["1", "2", "4", "19", "23", "25"]),
        paid=st.sampled_from(["0", "60", "120"]),
        adjustments=REASONS,
        lines=LINES,
        pccn=st.sampled_from(["AET1", "AET2"]),
        occurrence=st.integers(1, 2),
    ),
    st.builds(
        _dated_by_batch,
        BATCHES,
        code=st.just("22"),
        paid=st.sampled_from(["0", "-60", "-120"]),
        pccn=st.sampled_from(["AET1", "AET2"]),
    ),
    st.builds(recoupment, st.sampled_from(["-120", "40"])),
)
TYPED = st.builds(
    typed, st.sampled_from(["0", "60", "120"]), st.integers(8, 14), adjustments=REASONS, lines=LINES
)
SIGNALS = st.lists(
    st.one_of(TRANSPORT, CLAIM_ANSWERS, INQUIRIES, REMITTANCES, TYPED),
    max_size=9,
    unique_by=lambda signal: signal.natural_key,
)
MONEY = st.lists(REMITTANCES, max_size=9, unique_by=lambda signal: signal.natural_key)
STATES = st.sampled_from(WorkflowState)
FLAGS = st.fixed_dictionaries({"transmissions": st.integers(1, 2), "remittances_expected": st.booleans()})

LEGAL = {
    SessionStatus.PROCESSING: set(SessionStatus),
    SessionStatus.SUBMITTED: set(SessionStatus) - {SessionStatus.PROCESSING},
    SessionStatus.ACCEPTED: {
        SessionStatus.ACCEPTED,
        SessionStatus.REJECTED,
        SessionStatus.PAID,
        SessionStatus.DENIED,
    },
    SessionStatus.REJECTED: {
        SessionStatus.REJECTED,
        SessionStatus.ACCEPTED,
        SessionStatus.PAID,
        SessionStatus.DENIED,
    },
    SessionStatus.PAID: {SessionStatus.PAID, SessionStatus.ACCEPTED, SessionStatus.DENIED},
    SessionStatus.DENIED: {SessionStatus.DENIED, SessionStatus.ACCEPTED, SessionStatus.PAID},
}
"""Where a signal may lead; `submitted` again and `processing` again only a person can."""
