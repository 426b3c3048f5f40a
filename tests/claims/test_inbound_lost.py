"""What a file says and can't be taken in: a person is told, and no part of a cent is lost."""

import re
from decimal import Decimal

import pytest

from claims.models import Claim, InboundFile, LedgerEntry, TransmittedClaim, WorkItem
from tests.cast import Api
from tests.claims.test_inbound import (
    apply,
    envelope,
    payer_acknowledgement,
    remittance,
    silent_claim,
    status_of,
)


def group_answer(claim: Claim, rest: str) -> str:
    """A 999 about the group of a claim, which names the claim's set; `rest` follows its AK2."""
    sent = TransmittedClaim.objects.get(claim=claim)
    body = (
        f"AK1*HC*{sent.transmission.group_control_number}*005010X222A1~"
        f"AK2*837*{sent.transaction_control_number}*005010X222A1~{rest}"
    )
    return envelope(body, kind="999", version="005010X231A1")


def batch_answer(claim: Claim, status: str) -> str:
    """A 277CA that says something of the whole batch of a claim, and nothing of any claim."""
    content = TransmittedClaim.objects.get(claim=claim).transmission.content
    reference = content.split("BHT*0019*00*")[1].split("*")[0]
    body = (
        "BHT*0085*08*1*20300110*1200*TH~HL*1**20*1~NM1*PR*2*AETNA*****PI*60054~TRN*1*1~"
        "DTP*050*D8*20300110~DTP*009*D8*20300110~HL*2*1*21*0~NM1*41*2*OURS*****46*X~"
        f"TRN*2*{reference}~STC*{status}*20300110*WQ*180~"
    )
    return envelope(body, kind="277", version="005010X214")


def asked(queue: str) -> str:
    """What the one open work item of a queue says."""
    return WorkItem.objects.get(queue=queue, closed_at=None).summary


@pytest.mark.parametrize("verdict", ["R", "M", "W", "X"])
def test_a_rejected_group_takes_its_accepted_sets_with_it(partner: Api, verdict: str) -> None:
    claim = silent_claim(partner)
    apply(group_answer(claim, f"IK5*A~AK9*{verdict}*1*1*0*4~"))
    assert Claim.objects.get(pk=claim.pk).status == "transport_rejected"
    assert "must go out again" in asked("transport")


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("IK3*N3*9**3~AK9*P*1*1*0~", "an AK2 has no IK5"),
        ("IK3*N3*9**3~AK9*A*1*1*0~", "an AK2 has no IK5"),
        ("IK5*Q~AK9*P*1*1*0~", "no known outcome in IK501"),
    ],
)
def test_a_set_whose_outcome_can_not_be_read_goes_to_a_person(partner: Api, rest: str, words: str) -> None:
    apply(group_answer(silent_claim(partner), rest))
    assert InboundFile.objects.get(name="file.edi").state == InboundFile.State.PARTLY
    assert words in asked("transport")


def test_a_refusal_without_a_status_code_is_one(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(payer_acknowledgement(claim, "A7"))
    assert status_of(partner, claim) == "rejected"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("STC**20300125*U*180~", "a status without a category"),
        ("", "a claim is named without any status"),
    ],
)
def test_a_claim_of_which_nothing_can_be_read_goes_to_a_person(partner: Api, wrong: str, words: str) -> None:
    claim = silent_claim(partner)
    whole = payer_acknowledgement(claim, "A7:164:IL")
    apply(whole.replace("STC*A7:164:IL*20300125*U*180~", wrong))
    assert InboundFile.objects.get(name="file.edi").state == InboundFile.State.PARTLY
    assert words in asked("transport")


@pytest.mark.parametrize("kind", ["277", "835"])
def test_a_set_that_counts_more_than_came_is_applied_and_shown(partner: Api, kind: str) -> None:
    claim = silent_claim(partner)
    whole = remittance(claim) if kind == "835" else payer_acknowledgement(claim, "A2:20")
    apply(re.sub(r"SE\*[0-9]+\*", "SE*40*", whole))
    assert status_of(partner, claim) == ("paid" if kind == "835" else "accepted")
    assert "SE01 does not count" in asked("transport")


@pytest.mark.parametrize("status", ["A4:35", "E1:484", "R4:294"])
def test_what_is_said_of_a_batch_and_is_no_receipt_goes_to_a_person(partner: Api, status: str) -> None:
    claim = silent_claim(partner)
    apply(batch_answer(claim, status))
    assert status_of(partner, claim) == "submitted"
    assert asked("answers")


@pytest.mark.parametrize("status", ["A0:16", "A1:19", "A2:20"])
def test_the_receipt_of_a_batch_is_nobodys_business(partner: Api, status: str) -> None:
    report = apply(batch_answer(silent_claim(partner), status))
    assert report["sets"][0]["new"] == 0
    assert not WorkItem.objects.filter(closed_at=None).exists()


def test_an_inquiry_that_the_payer_could_not_answer_at_all_goes_to_a_person(partner: Api) -> None:
    silent_claim(partner)
    body = (
        "BHT*0010*08*1*20300110*1200*DG~HL*1**20*1~NM1*PR*2*AETNA*****PI*60054~"
        "HL*2*1*21*0~NM1*41*2*OURS*****46*X~TRN*2*ASKED1~STC*E1:484*20300110~"
    )
    apply(envelope(body, kind="277", version="005010X212"))
    assert asked("unmatched")


@pytest.mark.parametrize("kind", ["277", "835"])
def test_an_answer_that_says_nothing_goes_to_a_person(partner: Api, kind: str) -> None:
    claim = silent_claim(partner)
    whole = (
        remittance(claim, paid="0", copay="180") if kind == "835" else payer_acknowledgement(claim, "A2:20")
    )
    begin = "LX*1" if kind == "835" else "HL*2*1"
    body = whole[whole.index("~", whole.index("ST*")) + 1 : whole.index(begin)]
    apply(envelope(body, kind=kind, version={"277": "005010X214", "835": "005010X221A1"}[kind]))
    assert InboundFile.objects.get(name="file.edi").state == InboundFile.State.PARTLY
    assert "nothing" in asked("transport") or "no claim" in asked("transport")


def test_a_part_of_a_cent_refuses_a_remittance(partner: Api) -> None:
    claim = silent_claim(partner)
    report = apply(remittance(claim, paid="155.005", copay="24.995"))
    assert report["sets"][0]["refused"] == "BPR02 is no amount in whole cents"
    assert status_of(partner, claim) == "submitted"
    assert not LedgerEntry.objects.exists()


def test_zeros_behind_the_cents_are_no_part_of_one(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(remittance(claim, paid="+155.0000", copay="0025."))
    assert Claim.objects.get(pk=claim.pk).paid == Decimal("155.00")


def test_a_remittance_in_another_currency_is_refused(partner: Api) -> None:
    claim = silent_claim(partner)
    other = remittance(claim).replace("TRN*1*T1", "CUR*PR*CAD~TRN*1*T1")
    assert "another currency" in apply(other)["sets"][0]["refused"]
    assert status_of(partner, claim) == "submitted"
    apply(other.replace("CUR*PR*CAD", "CUR*PR*USD"), "dollars.edi")
    assert status_of(partner, claim) == "paid"


def test_a_remittance_that_is_cut_off_is_said_to_be(partner: Api) -> None:
    claim = silent_claim(partner)
    whole = remittance(claim)
    report = apply(whole[: whole.index("CAS*PR")])
    assert report["sets"][0]["refused"] == "the transaction set has no SE"
    assert status_of(partner, claim) == "submitted"
