"""The ledger of an 835 adds up to the 835, or says why it does not."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.ledger import (
    MONEY,
    BilledLine,
    Entry,
    EntryKind,
    Posting,
    entries_of_claim,
    match_lines,
)
from claims.x12.read_835 import Remittance835
from claims.x12.remittance import (
    Adjustment,
    Party,
    ProviderAdjustment,
    RemittanceHeader,
    RemittedClaim,
    RemittedLine,
    imbalances_of,
)
from claims.x12.segments import X12File

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "edi" / "835"
PCN = "K7QX2M9ZB4TD1"


def adjustment(group: str, reason: str, amount: str) -> Adjustment:
    return Adjustment(group, reason, Decimal(amount))


def header(amount: str) -> RemittanceHeader:
    return RemittanceHeader(
        amount=Decimal(amount),
        method="ACH",
        payment_date=None,
        trace_number="EFT1",
        trace_company_id="1512345678",
        production_date=None,
        payer=Party("AETNA", "XV", "60054"),
        payee=Party("CALM HARBOR", "XX", "1999999984"),
    )


def service(charge: str, paid: str, *adjustments: Adjustment, **more: object) -> RemittedLine:
    values = {
        "procedure_code": "90837",
        "modifiers": ("95",),
        "submitted_procedure_code": more.get("procedure_code", "90837"),
        "service_from": None,
        "service_to": None,
        "control_number": "",
        "allowed": None,
        "remark_codes": (),
    }
    return RemittedLine(
        **values | {"charge": Decimal(charge), "paid": Decimal(paid), "adjustments": adjustments} | more
    )


def claim(charge: str, paid: str, *lines: RemittedLine, **more: object) -> RemittedClaim:
    values = {
        "position": 1,
        "patient_control_number": PCN,
        "status_code": "1",
        "patient_responsibility": Decimal(0),
        "payer_control_number": "AET1",
        "adjustments": (),
        "names": (),
        "remark_codes": (),
        "service_from": None,
        "service_to": None,
    }
    return RemittedClaim(**values | {"charge": Decimal(charge), "paid": Decimal(paid), "lines": lines} | more)


PAID_LINE = service("180", "120", adjustment("CO", "45", "40"), adjustment("PR", "3", "20"))
DENIED_LINE = service("180", "0", adjustment("CO", "197", "180"))
BILLED = (BilledLine(1, f"{PCN}L1", "90837", ("95",), Decimal(180)),)


def kinds(entries: list[Entry]) -> dict[EntryKind, Decimal]:
    return {
        kind: sum(entry.amount for entry in entries if entry.kind is kind)
        for kind in {e.kind for e in entries}
    }


def test_a_payment_is_split_by_what_became_of_the_charge() -> None:
    assert kinds(entries_of_claim(claim("180", "120", PAID_LINE))) == {
        EntryKind.PAYMENT: 120,
        EntryKind.CONTRACTUAL: 40,
        EntryKind.PATIENT_SHARE: 20,
    }


def test_a_denial_is_not_written_off() -> None:
    assert kinds(entries_of_claim(claim("180", "0", DENIED_LINE))) == {EntryKind.OTHER_ADJUSTMENT: 180}


def test_a_denied_line_of_a_paid_claim_is_not_written_off() -> None:
    entries = entries_of_claim(claim("360", "120", PAID_LINE, DENIED_LINE))
    assert kinds(entries)[EntryKind.OTHER_ADJUSTMENT] == 180


def test_what_was_left_to_the_patient_was_allowed() -> None:
    to_patient = service("180", "0", adjustment("CO", "45", "60"), adjustment("PR", "1", "120"))
    assert kinds(entries_of_claim(claim("180", "0", to_patient))) == {
        EntryKind.CONTRACTUAL: 60,
        EntryKind.PATIENT_SHARE: 120,
    }


def test_a_reversal_takes_back_exactly_what_was_posted() -> None:
    back = service("-180", "-120", adjustment("CO", "45", "-40"), adjustment("PR", "3", "-20"))
    assert kinds(entries_of_claim(claim("-180", "-120", back, status_code="22"))) == {
        EntryKind.REVERSAL: -120,
        EntryKind.CONTRACTUAL: -40,
        EntryKind.PATIENT_SHARE: -20,
    }


def test_an_adjustment_of_the_whole_claim_lowers_its_payment() -> None:
    whole = claim("180", "110", service("180", "180"), adjustments=(adjustment("CO", "45", "70"),))
    assert entries_of_claim(whole) == [
        Entry(EntryKind.PAYMENT, Decimal(180)),
        Entry(EntryKind.PAYMENT, Decimal(-70)),
        Entry(EntryKind.CONTRACTUAL, Decimal(70), group="CO", reason="45"),
    ]


def test_a_predetermination_moves_nothing() -> None:
    assert entries_of_claim(claim("180", "0", PAID_LINE, status_code="25")) == []


def test_entries_name_our_lines() -> None:
    assert {
        entry.line_number for entry in entries_of_claim(claim("180", "120", PAID_LINE), billed=BILLED)
    } == {1}


def test_a_balanced_835_may_be_posted() -> None:
    posting = Posting(header("20"))
    posting.post(claim("180", "120", PAID_LINE))
    entries = posting.post_provider_adjustments(
        [ProviderAdjustment("1999999984", "WO", "AET9", Decimal(100))]
    )
    assert entries == [Entry(EntryKind.PROVIDER_LEVEL, Decimal(-100), reason="WO", reference="AET9")]
    assert posting.reasons_to_refuse([]) == []


def test_a_transfer_that_the_claims_do_not_make_up_is_refused() -> None:
    posting = Posting(header("119.99"))
    posting.post(claim("180", "120", PAID_LINE))
    assert posting.reasons_to_refuse([]) == [
        "Payment: claims less provider-level adjustments come to 120.00, but the transfer is 119.99."
    ]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (
            claim("180", "120", service("180", "120", adjustment("CO", "45", "50"))),
            "Claim 1, line 1: charge less adjustments is 130.00, but 120.00 is stated as paid.",
        ),
        (
            claim("180", "100", PAID_LINE),
            "Claim 1: charge less adjustments is 120.00, but 100.00 is stated as paid.",
        ),
        (
            claim("200", "140", PAID_LINE),
            "Claim 1: its lines charge 180.00, but 200.00 is stated as its charge.",
        ),
    ],
)
def test_a_claim_that_does_not_add_up_is_refused_with_the_reason(broken: RemittedClaim, reason: str) -> None:
    posting = Posting(header(str(broken.paid)))
    posting.post(broken)
    assert reason in posting.reasons_to_refuse(imbalances_of(broken))


def test_the_ledger_notices_by_itself_that_a_claim_does_not_add_up() -> None:
    posting = Posting(header("100"))
    posting.post(claim("180", "100", service("180", "100")))
    assert posting.reasons_to_refuse([]) == ["Claim 1: entries come to 100.00, but 180.00 was charged."]


AMOUNT = st.integers(0, 50_000).map(lambda cents: Decimal(cents) / 100)
REASON = st.tuples(st.sampled_from(["CO", "PR", "OA", "PI"]), st.sampled_from(["1", "3", "45", "96", "197"]))


@st.composite
def balanced_claims(draw: st.DrawFn, position: int) -> RemittedClaim:
    """A claim as a payer that can add would send it; reversals are its mirror image."""
    sign = draw(st.sampled_from([1, -1]))
    lines = []
    for _ in range(draw(st.integers(0, 3))):
        paid = draw(AMOUNT)
        adjustments = [
            Adjustment(*reason, sign * draw(AMOUNT)) for reason in draw(st.lists(REASON, max_size=3))
        ]
        charge = sign * paid + sum((each.amount for each in adjustments), Decimal(0))
        lines.append(service(str(charge), str(sign * paid), *adjustments))
    adjustments = tuple(
        Adjustment(*reason, sign * draw(AMOUNT)) for reason in draw(st.lists(REASON, max_size=2))
    )
    whole = sum((each.charge for each in lines), Decimal(0)) if lines else sign * draw(AMOUNT)
    adjusted = sum((each.amount for one in lines for each in one.adjustments), Decimal(0)) + sum(
        (each.amount for each in adjustments), Decimal(0)
    )
    return claim(
        str(whole),
        str(whole - adjusted),
        *lines,
        adjustments=adjustments,
        position=position,
        status_code="1" if sign == 1 else "22",
    )


@settings(max_examples=80, deadline=None)
@given(st.data(), st.lists(AMOUNT, max_size=3))
def test_what_adds_up_is_posted_to_the_cent(data: st.DataObject, kept: list[Decimal]) -> None:
    claims = [data.draw(balanced_claims(position)) for position in range(1, data.draw(st.integers(1, 4)) + 1)]
    assert not any(imbalances_of(each) for each in claims)
    amount = sum((each.paid for each in claims), Decimal(0)) - sum(kept, Decimal(0))
    posting = Posting(header(str(amount)))
    entries = [entry for each in claims for entry in posting.post(each)]
    entries += posting.post_provider_adjustments(
        [ProviderAdjustment("1999999984", "WO", "", each) for each in kept]
    )
    assert posting.reasons_to_refuse([]) == []
    assert sum((entry.amount for entry in entries if entry.kind in MONEY), Decimal(0)) == amount


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(1, 10_000))
def test_a_cent_too_much_anywhere_is_noticed(data: st.DataObject, cents: int) -> None:
    whole = data.draw(balanced_claims(1))
    posting = Posting(header(str(whole.paid + Decimal(cents) / 100)))
    posting.post(whole)
    assert posting.reasons_to_refuse([])


def test_every_sample_is_posted_or_refused_with_reasons() -> None:
    if not SAMPLES.exists():
        pytest.skip("the sample files are not beside this checkout")
    posted = refused = 0
    for path in sorted(SAMPLES.glob("*.edi")):
        for transaction_set in X12File(path.read_bytes()):
            read = Remittance835(transaction_set) if transaction_set.kind == "835" else None
            if read is None or read.header is None:
                continue
            posting = Posting(read.header)
            for each in read:
                posting.post(each)
            posting.post_provider_adjustments(read.provider_adjustments)
            if posting.reasons_to_refuse(read.imbalances):
                refused += 1
                assert read.imbalances, path.name
            else:
                posted += 1
                assert posting.transferred == read.header.amount
    assert posted
    assert refused


def numbers(*lines: RemittedLine, billed: tuple[BilledLine, ...] = BILLED) -> list[int | None]:
    return match_lines(lines, billed=billed)


TWO = (*BILLED, BilledLine(2, f"{PCN}L2", "90785", (), Decimal(30)))
TWINS = (*BILLED, BilledLine(2, f"{PCN}L2", "90837", ("59",), Decimal(180)))


def test_our_line_control_number_goes_first() -> None:
    assert numbers(service("180", "0", control_number=f"{PCN}L2"), billed=TWINS) == [2]


def test_a_line_without_it_is_found_by_code_modifiers_and_charge() -> None:
    assert numbers(service("180", "0", modifiers=("59",)), service("180", "0"), billed=TWINS) == [2, 1]


def test_the_order_of_modifiers_does_not_matter() -> None:
    billed = (BilledLine(1, "", "90837", ("95", "59"), Decimal(180)),)
    assert numbers(service("180", "0", modifiers=("59", "95")), billed=billed) == [1]


def test_a_dropped_modifier_is_forgiven_where_only_one_line_fits() -> None:
    assert numbers(service("180", "0", modifiers=()), billed=TWO) == [1]


def test_where_two_lines_fit_none_is_guessed() -> None:
    assert numbers(service("180", "0", modifiers=()), billed=TWINS) == [None]


def test_a_line_paid_under_another_code_is_found_by_the_billed_one() -> None:
    paid_as = service("180", "0", procedure_code="90834", submitted_procedure_code="90837")
    assert numbers(paid_as) == [1]


def test_equal_lines_go_in_their_order() -> None:
    billed = tuple(replace(BILLED[0], number=number, control_number="") for number in (1, 2))
    assert numbers(service("180", "0"), service("180", "0"), billed=billed) == [1, 2]


def test_a_reversed_line_is_the_line_it_reverses() -> None:
    assert numbers(service("-180", "-120")) == [1]


def test_a_line_that_we_never_sent_has_no_number() -> None:
    assert numbers(service("180", "0", procedure_code="96127")) == [None]
