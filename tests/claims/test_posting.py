"""Several 835s under one trace number: what moves no money is posted, what does waits for a person."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from claims.answer_source import find_stated
from claims.models import Claim, ClaimSignal, LedgerEntry, Remittance, WorkItem
from tests.cast import Api, day_of_service
from tests.claims.admin.staff import ended
from tests.claims.test_inbound import apply, envelope, status_of


@pytest.fixture
def pair(partner: Api) -> list[Claim]:
    """Two claims that were handed over and have no answer yet."""
    for day in (7, 14):
        ended(partner, "SILENT", session__dateOfService=day_of_service(day))
    return list(Claim.objects.order_by("created_at"))


def said(claim: Claim, *, paid: str = "0", code: str = "1") -> str:
    """One claim of an 835; what isn't paid has no authorization."""
    sign = -1 if code == "22" else 1
    left = 180 * sign - Decimal(paid)
    adjusted = f"CAS*CO*197*{left}~" if left else ""
    return (
        f"CLP*{claim.patient_control_number}*{code}*{180 * sign}.00*{paid}*0*CI*PAYER77*11*1~"
        f"SVC*HC:90837*{180 * sign}.00*{paid}**1~{adjusted}REF*6R*{claim.lines.get().line_control_number}~"
    )


def remittance(*claims: str, amount: str = "0", trace: str = "0000000") -> str:
    moves = "H*{}*C*NON" if amount == "0" else "I*{}*C*ACH"
    body = (
        f"BPR*{moves.format(amount)}************20300120~TRN*1*{trace}*1525350500~DTM*405*20300120~"
        f"N1*PR*AETNA~REF*2U*60054~N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~{''.join(claims)}"
    )
    return envelope(body, kind="835", version="005010X221A1")


def test_two_remittances_without_money_under_one_trace_number_are_both_posted(
    partner: Api, pair: list[Claim]
) -> None:
    first, second = pair
    apply(remittance(said(first)), "first.edi")
    report = apply(remittance(said(second)), "second.edi")
    assert (report["sets"][0]["new"], report["sets"][0]["repeated remittance"]) == (1, False)
    assert [status_of(partner, claim) for claim in pair] == ["denied", "denied"]
    assert Remittance.objects.get().claim_count == 2
    assert LedgerEntry.objects.filter(claim=second).count() == 1


def test_what_such_a_remittance_says_again_counts_once(partner: Api, pair: list[Claim]) -> None:
    first, second = pair
    apply(remittance(said(first)), "first.edi")
    apply(remittance(said(first), said(second)), "second.edi")
    report = apply(remittance(said(second), said(first)), "third.edi")
    assert report["sets"][0]["repeated remittance"] is True
    assert Remittance.objects.get().claim_count == 2
    assert LedgerEntry.objects.count() == ClaimSignal.objects.filter(kind="835").count() == 2


def test_a_claim_denied_again_on_another_day_under_the_same_number_has_the_new_denial(
    partner: Api, pair: list[Claim]
) -> None:
    first, _ = pair
    apply(remittance(said(first)), "first.edi")
    rests = timezone.now() + timedelta(days=30)
    WorkItem.objects.filter(session=first.session_id).update(snoozed_until=rests, snoozed_for="a call")
    told = partner.get(f"/sessions/{first.session_id}").json()["message"]
    anew = said(first, code="22"), said(first).replace("*197*", "*29*")
    later = remittance(*anew).replace("20300120", "20300220")
    report = apply(later, "later.edi")
    assert (report["sets"][0]["new"], report["sets"][0]["repeated"]) == (2, 0)
    assert status_of(partner, first) == "denied"
    assert partner.get(f"/sessions/{first.session_id}").json()["message"] != told
    item = WorkItem.objects.get(session=first.session_id, closed_at=None)
    assert (item.snoozed_until, item.snoozed_for) == (None, "")
    report = apply(later.replace("*1200*", "*1300*"), "again.edi")
    assert report["sets"][0]["repeated remittance"] is True
    assert ClaimSignal.objects.filter(kind="835").count() == 3
    assert LedgerEntry.objects.filter(claim=first).count() == 3
    newest = ClaimSignal.objects.get(kind="835", effective_date="2030-02-20", payload__claim_status_code="1")
    stated = find_stated(newest)
    assert stated
    assert stated.remitted
    assert stated.remitted.status_code == "1"


def test_money_said_again_on_another_day_in_a_remittance_that_moves_none_goes_to_a_person(
    partner: Api, pair: list[Claim]
) -> None:
    first, second = pair
    both = said(first, paid="180"), said(second, paid="-180", code="22")
    apply(remittance(*both), "first.edi")
    report = apply(remittance(*both).replace("20300120", "20300220"), "later.edi")
    assert "other content" in report["sets"][0]["refused"]
    assert ClaimSignal.objects.filter(kind="835").count() == 2


def test_a_payment_is_still_known_again_after_a_remittance_without_money_came_under_its_number(
    partner: Api, pair: list[Claim]
) -> None:
    first, second = pair
    paid = remittance(said(first, paid="180"), amount="180")
    apply(paid, "paid.edi")
    apply(remittance(said(second)), "denied.edi")
    report = apply(paid.replace("*1200*", "*1300*"), "again.edi")
    assert report["sets"][0]["repeated remittance"] is True
    assert [status_of(partner, claim) for claim in pair] == ["paid", "denied"]


@pytest.mark.parametrize("repeated", [True, False])
def test_one_that_moves_money_under_a_known_number_goes_to_a_person(
    partner: Api, pair: list[Claim], repeated: bool
) -> None:
    first, second = pair
    apply(remittance(said(first, paid="180"), amount="180"), "paid.edi")
    other = [said(first, paid="180"), said(second, paid="-180", code="22")] if repeated else []
    report = apply(
        remittance(*(other or [said(second, paid="180")]), amount="0" if other else "180"), "other.edi"
    )
    assert "other content" in report["sets"][0]["refused"]
    assert not ClaimSignal.objects.filter(claim=second, kind="835").exists()


@pytest.mark.parametrize(("amount", "paid"), [("120", "120"), ("0", "0")])
def test_the_same_payment_with_other_reasons_goes_to_a_person(
    partner: Api, pair: list[Claim], amount: str, paid: str
) -> None:
    first, _ = pair
    before = remittance(said(first, paid=paid), amount=amount)
    apply(before, "first.edi")
    report = apply(before.replace("CAS*CO*197", "CAS*PR*3"), "other.edi")
    assert "other content" in report["sets"][0]["refused"]
    report = apply(before.replace("*1200*", "*1300*"), "again.edi")
    assert report["sets"][0]["repeated remittance"] is True


# By what it says of itself (BPR01, BPR04), whether money moves


@pytest.mark.parametrize(("amount", "paid"), [("120", "120"), ("0", "0")])
def test_what_only_tries_out_a_bank_account_pays_and_denies_nothing(
    partner: Api, pair: list[Claim], amount: str, paid: str
) -> None:
    first, _ = pair
    tried = remittance(said(first, paid=paid), amount=amount).replace("BPR*I*", "BPR*P*")
    report = apply(tried.replace("BPR*H*", "BPR*P*"), "prenote.edi")
    assert report["sets"][0]["refused"] == (
        "It only tries out a bank account (BPR01 is P), and neither pays nor denies anything."
    )
    assert status_of(partner, first) == "submitted"
    assert not LedgerEntry.objects.exists()
    assert WorkItem.objects.filter(queue="transport", inbound_file__name="prenote.edi").exists()


def test_the_payment_that_follows_a_try_under_its_number_is_posted(partner: Api, pair: list[Claim]) -> None:
    first, _ = pair
    real = remittance(said(first, paid="120"), amount="120")
    apply(real.replace("BPR*I*", "BPR*P*"), "prenote.edi")
    apply(real, "paid.edi")
    assert status_of(partner, first) == "paid"


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("BPR*H*120*C*ACH", "BPR01 is H and BPR04 ACH"),
        ("BPR*I*120*C*NON", "BPR01 is I and BPR04 NON"),
        ("BPR*H*120*C*NON", "BPR01 is H and BPR04 NON"),
    ],
)
def test_an_amount_that_by_its_own_words_does_not_move_goes_to_a_person(
    partner: Api, pair: list[Claim], says: str, words: str
) -> None:
    first, _ = pair
    told = remittance(said(first, paid="120"), amount="120").replace("BPR*I*120*C*ACH", says)
    report = apply(told, "notice.edi")
    assert report["sets"][0]["refused"] == (
        f"It states a payment of $120.00, and that no money moves ({words}). Ask the payer which it is."
    )
    assert status_of(partner, first) == "submitted"
    assert not LedgerEntry.objects.exists()


@pytest.mark.parametrize("handling", ["C", "D", "I", "U", "X"])
def test_however_the_money_and_the_remittance_travel_it_is_posted(
    partner: Api, pair: list[Claim], handling: str
) -> None:
    first, _ = pair
    told = remittance(said(first, paid="120"), amount="120")
    apply(told.replace("BPR*I*", f"BPR*{handling}*"), "paid.edi")
    assert status_of(partner, first) == "paid"
    assert LedgerEntry.objects.get(claim=first, kind="payment").amount == Decimal(120)
