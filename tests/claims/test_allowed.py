"""What payers allowed: kept for the charge rules, and told where it was all that was charged."""

from decimal import Decimal

import pytest

from claims import pipeline
from claims.desk import matching_actions
from claims.models import AnswerMatch, Claim, ClaimSignal, LedgerEntry
from providers.models import AllowedAmount
from tests.cast import Api, day_of_service
from tests.claims.admin.staff import ended, newest
from tests.claims.test_inbound import apply, remittance


def silent_claim(partner: Api, days_ago: int = 7) -> Claim:
    """A claim that was handed over and has no answer yet."""
    return newest(ended(partner, "SILENT", session__dateOfService=day_of_service(days_ago)))


def warnings(partner: Api, claim: Claim) -> list[dict]:
    timeline = partner.get(f"/sessions/{claim.session_id}").json()["timeline"]
    return [entry for entry in timeline if "allowed all of" in entry["summary"]]


@pytest.fixture
def claim(partner: Api) -> Claim:
    claim = silent_claim(partner)
    Claim.objects.update(mode="production")
    return claim


def live(file: str) -> str:
    """The file as a live clearinghouse sends it (ISA15)."""
    return file.replace("*0*T*:~", "*0*P*:~")


def test_a_charge_that_was_allowed_in_full_is_told_once(partner: Api, claim: Claim) -> None:
    apply(live(remittance(claim)))
    apply(live(remittance(claim)).replace("*1200*", "*1300*"), name="again.edi")
    (told,) = warnings(partner, claim)
    assert (told["type"], told["status"]) == ("session.warning", None)
    assert told["summary"].startswith("Aetna allowed all of the $180.00 charged for 90837")


def test_a_charge_above_the_allowed_amount_is_as_it_should_be(partner: Api, claim: Claim) -> None:
    text = remittance(claim, paid="130.00").replace("CAS*PR*3*25.00~", "CAS*PR*3*25.00~CAS*CO*45*25.00~")
    apply(live(text).replace("SE*16*", "SE*17*"))
    kept = AllowedAmount.objects.get()
    assert (kept.payer_id, kept.procedure_code) == ("60054", "90837")
    assert (kept.charged, kept.allowed) == (Decimal("180.00"), Decimal("155.00"))
    assert warnings(partner, claim) == []


def test_sample_charges_are_no_ones_loss(partner: Api, claim: Claim) -> None:
    Claim.objects.update(mode="test")
    apply(live(remittance(claim)))
    assert AllowedAmount.objects.exists()
    assert warnings(partner, claim) == []


def test_an_older_payment_leaves_the_later_word(partner: Api, claim: Claim) -> None:
    apply(live(remittance(claim)))
    older = remittance(silent_claim(partner, 14), trace="T2", paid="100.00")
    text = older.replace("20300120", "20300101").replace("CAS*PR", "CAS*CO*45*55.00~CAS*PR")
    apply(live(text).replace("SE*16*", "SE*17*"), name="older.edi")
    assert Claim.objects.filter(status="paid").count() == 2
    assert str(AllowedAmount.objects.get().paid_on) == "2030-01-20"


def unbuilt_claim(partner: Api) -> Claim:
    """A claim that was built, and begins again because of a correction."""
    session_id = partner.submitted()
    pipeline.advance()
    assert partner.patch(f"/sessions/{session_id}", {"patient": {"lastName": "Roe"}}).status_code == 200
    return Claim.objects.get(session_id=session_id)


def test_a_payment_of_a_claim_that_begins_again_is_posted_and_teaches_nothing(partner: Api) -> None:
    unbuilt = unbuilt_claim(partner)
    assert unbuilt.patient_control_number
    report = apply(remittance(unbuilt))
    assert "failed" not in report["sets"][0]
    assert LedgerEntry.objects.filter(claim=unbuilt, kind="payment").exists()
    assert not AllowedAmount.objects.exists()


def test_a_payment_is_matched_with_a_claim_that_begins_again_and_taken_out(partner: Api) -> None:
    unbuilt = unbuilt_claim(partner)
    apply(remittance(unbuilt, number="NOBODYSCLAIM"))
    signal = ClaimSignal.objects.get()
    matching_actions.attach(signal.pk, unbuilt, user=None, stated=None)
    matching_actions.detach(AnswerMatch.objects.get().pk, user=None, reason="another session")
    assert ClaimSignal.objects.get().claim is None


def test_nothing_is_learnt_from_a_denial(partner: Api, claim: Claim) -> None:
    text = remittance(claim, paid="0", copay="0").replace("CAS*PR*3*0~", "CAS*CO*197*180.00~")
    apply(text)
    assert not AllowedAmount.objects.exists()
    assert warnings(partner, claim) == []


def test_the_denial_of_a_duplicate_teaches_nothing(partner: Api, claim: Claim) -> None:
    apply(live(remittance(claim)))
    again = remittance(claim, trace="T2", paid="0", copay="0").replace("20300120", "20300125")
    apply(live(again.replace("CAS*PR*3*0~", "CAS*OA*18*180.00~")), name="again.edi")
    assert ClaimSignal.objects.filter(claim=claim, kind="835").count() == 2
    assert str(AllowedAmount.objects.get().paid_on) == "2030-01-20"
