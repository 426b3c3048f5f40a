"""What a signal keeps when it is stored, and what makes two signals the same."""

import json
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.signal_keys import (
    acknowledgement_key,
    claim_acknowledgement_key,
    interchange_key,
    provider_adjustment_key,
    remittance_key,
)
from claims.signals import Adjustment, ClaimStatus, LineOutcome, Signal, SignalKind, StatusCode

CODE = st.text("ABCXYZ0123456789", min_size=1, max_size=6)
MONEY = st.decimals(-10_000, 10_000, places=2)
STATUSES = st.builds(StatusCode, category=CODE, status=CODE, entity=CODE)
ADJUSTMENTS = st.builds(Adjustment, group=CODE, reason=CODE, amount=MONEY)
LINES = st.builds(
    LineOutcome,
    control_number=CODE,
    procedure_code=CODE,
    modifiers=st.lists(CODE, max_size=2).map(tuple),
    charge=MONEY,
    paid=MONEY,
    allowed=st.none() | MONEY,
    adjustments=st.lists(ADJUSTMENTS, max_size=2).map(tuple),
    remarks=st.lists(CODE, max_size=2).map(tuple),
    statuses=st.lists(STATUSES, max_size=2).map(tuple),
)
SIGNALS = st.builds(
    Signal,
    kind=st.sampled_from(SignalKind),
    source=CODE,
    natural_key=CODE,
    effective_date=st.dates(),
    patient_control_number=CODE,
    payer_name=CODE,
    group=CODE,
    transmission=st.integers(1, 9),
    batch=CODE,
    verdict=CODE,
    statuses=st.lists(STATUSES, max_size=2).map(tuple),
    claim_status_code=CODE,
    charge=st.none() | MONEY,
    paid=st.none() | MONEY,
    adjustments=st.lists(ADJUSTMENTS, max_size=2).map(tuple),
    remarks=st.lists(CODE, max_size=2).map(tuple),
    lines=st.lists(LINES, max_size=2).map(tuple),
)

REMITTANCE = {
    "payer_id": "60054",
    "trace": "EFT1",
    "originator": "1512345678",
    "patient_control_number": "K7QX2M9ZB4TD1",
    "payer_control_number": "CLAIM9",
    "claim_status_code": "1",
    "paid": Decimal(120),
    "occurrence": 1,
}


@settings(max_examples=60, deadline=None)
@given(SIGNALS)
def test_a_stored_signal_comes_back_equal(signal: Signal) -> None:
    assert Signal.from_json(json.loads(json.dumps(signal.as_json()))) == signal


def test_money_is_stored_as_text() -> None:
    signal = Signal(
        kind=SignalKind.REMITTANCE,
        source="60054",
        natural_key="x",
        effective_date=date(2026, 1, 9),
        paid=Decimal("120.10"),
    )
    assert signal.as_json()["paid"] == "120.10"


@pytest.mark.parametrize(("amount", "error"), [(120.1, TypeError), ("NaN", ValueError)])
def test_money_stored_any_other_way_is_refused(amount: object, error: type[Exception]) -> None:
    stored = {
        "kind": "835",
        "source": "1",
        "natural_key": "x",
        "effective_date": "2026-01-09",
        "paid": amount,
    }
    with pytest.raises(error):
        Signal.from_json(stored)


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError):
        Signal.from_json(
            {"kind": "835", "source": "1", "natural_key": "x", "effective_date": "2026-01-09", "amount": "1"}
        )


def test_a_999_is_known_by_our_group_and_set_and_what_it_says() -> None:
    assert acknowledgement_key(group="17", transaction_set="0001", verdict="A") == "999|17|0001|A"


def test_a_ta1_is_known_by_our_interchange_and_what_it_says() -> None:
    assert interchange_key(interchange="000000017", verdict="R") == "TA1|000000017|R"


def test_the_order_of_status_codes_does_not_make_another_signal() -> None:
    codes = [StatusCode(category="A3", status="33", entity="IL"), StatusCode(category="A7", status="562")]
    keys = {
        claim_acknowledgement_key(
            kind=SignalKind.CLAIM_ACKNOWLEDGEMENT,
            source_id="AV09311993",
            trace="1",
            patient_control_number="P",
            status_date=date(2026, 1, 9),
            statuses=each,
        )
        for each in (codes, codes[::-1])
    }
    assert keys == {"277CA|AV09311993|1|P|2026-01-09|A3:33:IL|A7:562"}


def test_the_same_amount_written_differently_is_the_same_remittance() -> None:
    assert remittance_key(**REMITTANCE) == remittance_key(**REMITTANCE | {"paid": Decimal("120.00")})


@pytest.mark.parametrize(
    "other",
    [
        {"payer_id": "60055"},
        {"trace": "EFT2"},
        {"originator": "1"},
        {"patient_control_number": "K7QX2M9ZB4TD2"},
        {"payer_control_number": "CLAIM8"},
        {"claim_status_code": "22"},
        {"paid": Decimal("120.01")},
        {"occurrence": 2},
    ],
)
def test_every_part_of_the_key_tells_remittances_apart(other: dict[str, object]) -> None:
    assert remittance_key(**REMITTANCE) != remittance_key(**REMITTANCE | other)


def test_a_separator_inside_a_value_does_not_join_two_keys() -> None:
    joined = acknowledgement_key(group="1|2", transaction_set="3", verdict="A")
    assert joined != acknowledgement_key(group="1", transaction_set="2|3", verdict="A")


def test_provider_adjustments_of_one_payment_are_told_apart_by_occurrence() -> None:
    adjustment = {
        "payer_id": "60054",
        "trace": "EFT1",
        "originator": "1",
        "provider": "1999999984",
        "reason": "WO",
        "reference": "CLAIM9",
        "amount": Decimal(-120),
    }
    assert provider_adjustment_key(**adjustment, occurrence=1) != provider_adjustment_key(
        **adjustment, occurrence=2
    )


def test_claim_statuses_are_those_of_the_interface() -> None:
    assert len(ClaimStatus) == 21


def test_keys_that_are_too_long_to_be_kept_whole_stay_apart() -> None:
    number = "N" * 500
    keys = {
        remittance_key(**REMITTANCE | {"patient_control_number": number, "occurrence": occurrence})
        for occurrence in (1, 2, 1)
    }
    assert [len(key) for key in keys] == [400, 400]
